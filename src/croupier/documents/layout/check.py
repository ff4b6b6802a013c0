"""The layout checker: holds a plan against the Rules and says, by clause, what it lacks.

What must be there comes from the Rules; what is there, from the plan that the SVG is drawn from.
Each check is a small function; all of them are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from croupier.documents.layout.drawing import drawn
from croupier.documents.layout.logo import Logo
from croupier.documents.layout.plan import Area, LayoutPlan, Part, plan
from croupier.documents.layout.shapes import Bounds, inside, overlap
from croupier.documents.layout.texts import (
    CLOSED,
    NOT_OFFERED,
    Payouts,
    payouts,
    statements,
)
from croupier.documents.svg import APOSTROPHE, Point, shown
from croupier.facts.errors import Refusal, quoted
from croupier.games.registry import Registry
from croupier.games.rules import PROGRESSIVE, Rules
from croupier.rulebook.book import Cited, Rulebook, Wager
from croupier.rulebook.book import LayoutRule as Clauses
from croupier.submission.finding import Finding
from croupier.submission.submission import Submission

IN_FRONT_MM = 60.0

LayoutCheck = Callable[["CheckedLayout"], Iterator[Finding]]


@dataclass(frozen=True)
class CheckedLayout:
    """A plan beside the submission it is for."""

    plan: LayoutPlan
    submission: Submission
    rules: Rules

    @property
    def book(self) -> Rulebook:
        return self.rules.book

    @property
    def clauses(self) -> Clauses:
        return self.book.table.layout

    @property
    def boxes(self) -> range:
        return range(1, self.submission.boxes + 1)

    def finding(self, sentence: str, clause: Cited | str | None) -> Finding:
        """Something is wrong; a clause of this book is given without the book's name."""
        cited = clause.clause if isinstance(clause, Cited) else clause
        if cited is not None and " " not in cited:
            cited = self.book.cite(cited)
        return Finding("error", sentence, cited)

    def area_clause(self, wager: Wager) -> str:
        cited = self.clauses.areas.get(wager.name)
        return cited.clause if cited is not None else self.book.procedure.layout_clause


def check_plan(
    layout: LayoutPlan, submission: Submission, registry: Registry
) -> tuple[Finding, ...]:
    """Everything a layout lacks or shows wrongly; nothing where it may be filed."""
    checked = CheckedLayout(layout, submission, submission.rules(registry))
    return tuple(finding for check in CHECKS for finding in check(checked))


def checked_felt(submission: Submission, registry: Registry, logo: Logo | None = None) -> str:
    """The layout, drawn from a plan that has been checked; what it lacks refuses it by clause."""
    layout = plan(submission, registry, logo is not None)
    for finding in check_plan(layout, submission, registry):
        raise Refusal(f"the layout cannot be filed: {finding.sentence}", finding.clause or "")
    return drawn(layout, logo)


def operator_named(layout: CheckedLayout) -> Iterator[Finding]:
    name = _same(layout.submission.operator)
    named = [_same(line.words) for line in layout.plan.lines("operator")]
    if name not in named and not layout.plan.at("logo"):
        operator = quoted(layout.submission.operator)
        sentence = f"neither the operator's name {operator} nor a logo is drawn"
        yield layout.finding(sentence, layout.book.table.operator_named)


def betting_areas(layout: CheckedLayout) -> Iterator[Finding]:
    """Each box has one area of its own for each wager that is offered, and says which it is."""
    for box in layout.boxes:
        for wager in _placed(layout):
            areas = layout.plan.at("wager", box=box, wager=wager.name)
            clause = layout.area_clause(wager)
            if len(areas) != 1:
                count = "no area" if not areas else f"{len(areas)} areas"
                yield layout.finding(f"box {box} has {count} for {wager.title}", clause)
            for area in areas:
                if not _same(area.words).startswith(_same(wager.title)):
                    said = quoted(area.words)
                    sentence = f"box {box} marks its {wager.title} area {said}"
                    yield layout.finding(sentence, clause)


def areas_without_a_wager(layout: CheckedLayout) -> Iterator[Finding]:
    """A wager that every layout has an area for keeps it when it is not offered, marked so."""
    for wager in layout.book.wagers:
        if wager.layout_clause is None or layout.rules.offers(wager.name):
            continue
        for box in layout.boxes:
            areas = layout.plan.at(CLOSED, box=box, wager=wager.name)
            said = [_same(area.words) for area in areas]
            if said != [_same(f"{wager.title} {NOT_OFFERED}")]:
                sentence = f"box {box} has no area for {wager.title} that is marked {NOT_OFFERED}"
                yield layout.finding(sentence, wager.layout_clause)


def areas_not_offered(layout: CheckedLayout) -> Iterator[Finding]:
    offered = {wager.name for wager in _placed(layout)}
    for area in layout.plan.at("wager"):
        if area.wager not in offered:
            sentence = f"box {area.box} has an area for {quoted(area.wager)}, which is not offered"
            yield layout.finding(sentence, layout.book.procedure.layout_clause)
        if area.box not in layout.boxes:
            sentence = f"there is an area for box {area.box}; this table has {len(layout.boxes)}"
            yield layout.finding(sentence, layout.book.table.boxes)
    known = {w.name for w in layout.book.wagers if w.layout_clause is not None} - offered
    for area in layout.plan.at(CLOSED):
        if area.wager not in known:
            sentence = f"box {area.box} has {quoted(area.wager)} marked as not offered"
            yield layout.finding(sentence, layout.book.procedure.layout_clause)


def side_by_side(layout: CheckedLayout) -> Iterator[Finding]:
    """Left and right are the player's, who looks from the cards to the middle of the dealer."""
    beside = layout.clauses.beside
    if beside is None:
        return
    left_title, right_title = (layout.book.wager(w).title for w in (beside.left, beside.right))
    for box in layout.boxes:
        hands = layout.plan.at("box", box=box)
        left = layout.plan.at("wager", box=box, wager=beside.left)
        right = layout.plan.at("wager", box=box, wager=beside.right)
        if not (hands and left and right):
            continue
        across, ahead = _as_seen(hands[0].middle, left[0].middle, right[0].middle)
        if across <= 0 or abs(ahead) > across / 2:
            sentence = f"box {box} has {right_title} not to the right of {left_title}"
            yield layout.finding(sentence, beside)
        signs = layout.plan.at("sign", box=box)
        between = [s for s in signs if _between(s.middle, left[0].middle, right[0].middle)]
        if not any(sign.words == beside.sign for sign in between):
            sentence = f"box {box} has no {beside.sign} between {left_title} and {right_title}"
            yield layout.finding(sentence, beside)


def card_places(layout: CheckedLayout) -> Iterator[Finding]:
    """Every place for cards that nobody holds, with room for as many as are dealt there."""
    for place in layout.book.places:
        if place.name == "box":
            continue
        cited = layout.clauses.places.get(place.name)
        clause = cited.clause if cited is not None else place.clause
        offered = place.only_for is None or layout.rules.offers(place.only_for)
        areas = layout.plan.at(place.name)
        name = place.name.replace("_", " ")
        if offered and len(areas) != 1:
            yield layout.finding(f"there is no one place for the cards of the {name}", clause)
        elif not offered and areas:
            yield layout.finding(f"there is a {name} for a wager that is not offered", clause)
        elif offered and len(areas[0].cards) != place.cards:
            counted = f"{len(areas[0].cards)} cards, not {place.cards}"
            yield layout.finding(f"the place of the {name} is for {counted}", clause)


def before_the_inventory(layout: CheckedLayout) -> Iterator[Finding]:
    trays = layout.plan.at("inventory")
    for name, cited in layout.clauses.places.items():
        for area in layout.plan.at(name) if cited.before_inventory else ():
            if not trays or not _directly_before(area, trays[0]):
                sentence = f"the {name} does not lie directly in front of the table inventory"
                yield layout.finding(sentence, cited)


def dealer_opposite(layout: CheckedLayout) -> Iterator[Finding]:
    """The players sit beyond everything of the dealer's, on the other side of the table."""
    trays, cited = layout.plan.at("inventory"), layout.clauses.dealer_opposite
    if not trays:
        yield layout.finding("there is no table inventory before the dealer", cited)
        return
    bottom = trays[0].bounds[3]
    for box in layout.boxes:
        if not any(hand.bounds[1] > bottom for hand in layout.plan.at("box", box=box)):
            yield layout.finding(f"box {box} does not lie opposite the dealer", cited)


def payouts_inscribed(layout: CheckedLayout) -> Iterator[Finding]:
    """Every line of every offered paytable, word for word, wherever the table stands."""
    offered = payouts(layout.rules)
    for table in offered:
        areas = layout.plan.at("pays", wager=table.wager)
        seen = {area.box for area in areas}
        boxes: list[int | None] = [*layout.boxes] if table.at_each_box else [None]
        for box in boxes:
            if box not in seen:
                where = f" at box {box}" if box is not None else ""
                sentence = f"{quoted(table.title)} is not inscribed{where}"
                yield layout.finding(sentence, layout.clauses.payouts)
        for area in areas:
            yield from _payouts_of(layout, table, area)
    known = {table.wager for table in offered}
    for area in layout.plan.at("pays"):
        if area.wager not in known:
            sentence = f"payouts of {quoted(area.wager)} are inscribed, which is not offered"
            yield layout.finding(sentence, layout.clauses.payouts)


def _payouts_of(layout: CheckedLayout, table: Payouts, area: Area) -> Iterator[Finding]:
    said = [_same(shown(line.text)) for line in area.letters if line.payout is not None]
    pairs = list(zip(said[::2], said[1::2], strict=False))
    wanted = [(_same(line.phrase), _same(line.odds)) for line in table.lines]
    where = f" at box {area.box}" if area.box is not None else ""
    for line, pair in zip(table.lines, wanted, strict=True):
        if pair not in pairs:
            sentence = f"{table.title} {line.odds} for {quoted(line.phrase)}; not inscribed{where}"
            yield layout.finding(sentence, line.clause)
    for phrase, odds in pairs:
        if (phrase, odds) not in wanted:
            sentence = f"{table.title} is inscribed with {quoted(f'{phrase}: {odds}', 100)}{where}"
            yield layout.finding(sentence, table.clause)


def rules_inscribed(layout: CheckedLayout) -> Iterator[Finding]:
    """The rules in words, as they follow from the chosen options."""
    wanted = statements(layout.rules)
    inscribed = layout.plan.lines("rule")
    for statement in wanted:
        said = [_same(rule.words) for rule in inscribed if rule.statement == statement.name]
        if _same(statement.text) not in said:
            sentence = f"{quoted(statement.text, 100)} is not inscribed"
            yield layout.finding(sentence, statement.clause)
    known = {_same(statement.text) for statement in wanted}
    for rule in inscribed:
        if _same(rule.words) not in known:
            sentence = f"{quoted(rule.words, 100)} is inscribed and is no rule of this table"
            yield layout.finding(sentence, rule.clause)


def boxes_of_the_dealer(layout: CheckedLayout) -> Iterator[Finding]:
    """Drop box and tip box at the two hands of the dealer, the rack on the dealer's side."""
    clauses = layout.clauses
    sides: dict[str, float] = {}
    for place, cited in (
        ("drop_box", clauses.drop_box),
        ("tip_box", clauses.tip_box),
        ("discard_rack", clauses.discard_rack),
    ):
        areas, name = layout.plan.at(place), place.replace("_", " ")
        if cited is None:
            continue
        if not areas:
            yield layout.finding(f"there is no {name}", cited)
        elif not _on_dealers_side(layout, areas[0]):
            yield layout.finding(f"the {name} is not on the dealer's side", cited)
        else:
            sides[place] = areas[0].middle[0]
    if sides.get("drop_box", -1.0) * sides.get("tip_box", 1.0) >= 0:
        sentence = "drop box and tip box are on the same side of the dealer"
        yield layout.finding(sentence, clauses.tip_box)


def progressive_lights(layout: CheckedLayout) -> Iterator[Finding]:
    for area in layout.plan.at("wager", wager=PROGRESSIVE):
        if area.light is None:
            sentence = f"the Progressive acceptor of box {area.box} has no light"
            yield layout.finding(sentence, layout.book.procedure.acceptor_clause)


def areas_apart(layout: CheckedLayout) -> Iterator[Finding]:
    """Areas are separate: no two share any felt."""
    covered = [(part, part.outline, part.bounds) for part in layout.plan.parts]
    for (one, outline, bounds), (other, other_outline, other_bounds) in combinations(covered, 2):
        if _near(bounds, other_bounds) and overlap(outline, other_outline):
            clause = one.clause or other.clause or _general(layout)
            yield layout.finding(f"{_called(one)} and {_called(other)} overlap", clause)


def inside_the_cloth(layout: CheckedLayout) -> Iterator[Finding]:
    cloth = layout.plan.cloth.outline
    for part in layout.plan.parts:
        if not all(inside(point, cloth) for point in part.outline):
            clause = part.clause or _general(layout)
            yield layout.finding(f"{_called(part)} does not lie on the felt", clause)


def words_inside_areas(layout: CheckedLayout) -> Iterator[Finding]:
    for area in layout.plan.areas:
        edge = area.shape.outline
        for line in area.letters:
            if not all(inside(corner, edge) for corner in line.strip):
                sentence = f"{quoted(shown(line.text))} reaches beyond {_called(area)}"
                yield layout.finding(sentence, area.clause or _general(layout))


CHECKS: tuple[LayoutCheck, ...] = (
    operator_named,
    betting_areas,
    areas_without_a_wager,
    areas_not_offered,
    side_by_side,
    card_places,
    before_the_inventory,
    dealer_opposite,
    payouts_inscribed,
    rules_inscribed,
    boxes_of_the_dealer,
    progressive_lights,
    areas_apart,
    inside_the_cloth,
    words_inside_areas,
)


def _placed(layout: CheckedLayout) -> list[Wager]:
    """The offered wagers for which chips are put down."""
    wagers = layout.book.wagers
    return [w for w in wagers if layout.rules.offers(w.name) and w.paid_on is None]


def _same(text: str) -> str:
    """A text as it is compared: case and the shape of its apostrophes do not matter."""
    return text.replace(APOSTROPHE, "'").casefold().strip()


def _as_seen(player: Point, left: Point, right: Point) -> tuple[float, float]:
    """From one area to another: so far to the player's right, so far ahead."""
    length = (player[0] ** 2 + player[1] ** 2) ** 0.5 or 1.0
    ahead = (-player[0] / length, -player[1] / length)
    step = (right[0] - left[0], right[1] - left[1])
    across = step[0] * -ahead[1] + step[1] * ahead[0]
    return across, step[0] * ahead[0] + step[1] * ahead[1]


def _between(middle: Point, left: Point, right: Point) -> bool:
    step = (right[0] - left[0], right[1] - left[1])
    length = step[0] ** 2 + step[1] ** 2 or 1.0
    off = (middle[0] - left[0], middle[1] - left[1])
    along = (off[0] * step[0] + off[1] * step[1]) / length
    aside = (off[0] * step[1] - off[1] * step[0]) / length
    return 0.25 < along < 0.75 and abs(aside) < 0.25


def _directly_before(area: Area, tray: Area) -> bool:
    left, top, right, _ = area.bounds
    tray_left, _, tray_right, tray_bottom = tray.bounds
    return tray_left <= left and right <= tray_right and 0 < top - tray_bottom < IN_FRONT_MM


def _on_dealers_side(layout: CheckedLayout, area: Area) -> bool:
    trays = layout.plan.at("inventory")
    return bool(trays) and area.bounds[3] <= trays[0].bounds[3] + 1


def _near(one: Bounds, other: Bounds) -> bool:
    left, top, right, bottom = one
    other_left, other_top, other_right, other_bottom = other
    return left < other_right and other_left < right and top < other_bottom and other_top < bottom


def _called(area: Part) -> str:
    words = [area.wager or "", area.place] if area.wager else [area.place]
    where = f" of box {area.box}" if area.box is not None else ""
    return f"the {' '.join(words).replace('_', ' ')} area{where}"


def _general(layout: CheckedLayout) -> str | None:
    return layout.clauses.submitted.clause if layout.clauses.submitted is not None else None
