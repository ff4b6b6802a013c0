"""Where everything on the felt lies, in millimeters: one geometry for paper, screen and check.

The origin is the middle of the dealer's edge, y runs toward the players, and the drawing is seen
from their side: box 1, farthest to the dealer's left, is on the right. An area is turned so that
its letters stand upright for the player before it.

From the dealer outward there are the inventory and what stands beside it, the cards, names and
rules along arcs, a fan of payouts, and the boxes.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import atan, degrees, hypot, radians

import msgspec

from croupier.documents import svg
from croupier.documents.blocks import standing
from croupier.documents.layout.letters import (
    ASCENT,
    DESCENT,
    Letters,
    fits,
    pay_lines,
    size_to_fit,
    stacked,
    tall_enough,
    widest_line,
    width,
)
from croupier.documents.layout.shapes import (
    BettingSpot,
    Bounds,
    Disk,
    DrawnShape,
    HalfMoon,
    Polygon,
    Slab,
    Wedge,
    arc_points,
    around,
)
from croupier.documents.layout.texts import (
    CLOSED,
    NOT_OFFERED,
    Payouts,
    Statement,
    payouts,
    statements,
)
from croupier.documents.svg import Point
from croupier.facts.money import money
from croupier.games.registry import Registry
from croupier.games.rules import PROGRESSIVE, Rules
from croupier.rulebook.book import Cited, Place, Wager
from croupier.submission.submission import Devices, Submission

CLOTH = HalfMoon(radius=1050.0, back=60.0, corner=46.0)
RAIL_MM, EDGE_MM, IMPRINT_MM = 72.0, 26.0, 480.0


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Something that lies on the felt, with the clause that asks for it where one does."""

    place: str
    box: int | None = None
    wager: str | None = None
    clause: str | None = None

    @property
    def outline(self) -> Polygon:
        """What it covers of the table."""
        raise NotImplementedError

    @property
    def words(self) -> str:
        """What is to be read in it."""
        raise NotImplementedError

    @property
    def bounds(self) -> Bounds:
        xs, ys = zip(*self.outline, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def middle(self) -> Point:
        left, top, right, bottom = self.bounds
        return (left + right) / 2, (top + bottom) / 2


class Area(Part, frozen=True, kw_only=True):
    """A shape with letters, places for cards or a light in it."""

    kind: str
    shape: DrawnShape
    spot: BettingSpot
    letters: tuple[Letters, ...] = ()
    cards: tuple[Point, ...] = ()
    light: Point | None = None

    @property
    def outline(self) -> Polygon:
        return self.spot(self.shape.outline)

    @property
    def words(self) -> str:
        return " ".join(svg.shown(line.text) for line in self.letters)


class Curved(Part, frozen=True, kw_only=True):
    """Lettering along an arc, its middle at so many degrees."""

    text: str
    radius: float
    degrees: float
    size: float
    length: float
    statement: str | None = None

    @property
    def outline(self) -> Polygon:
        """Letters on an arc cover a piece of a ring."""
        half = degrees(self.length / 2 / self.radius)
        left, right = self.degrees - half, self.degrees + half
        inner, outer = self.radius - ASCENT * self.size, self.radius + DESCENT * self.size
        return (*arc_points(inner, left, right), *arc_points(outer, right, left))

    @property
    def words(self) -> str:
        return svg.shown(self.text)


class LayoutPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Every area and every line of lettering; a page lays cards and chips on the areas.

    The SVG is drawn from this and from nothing else, and it is this that is checked.
    """

    title: str
    rulebook: str
    table: str
    boxes: int
    areas: tuple[Area, ...]
    lettering: tuple[Curved, ...]
    imprint: Letters
    cloth: HalfMoon = CLOTH
    rail: HalfMoon = CLOTH.grown(RAIL_MM, EDGE_MM)

    @property
    def size_mm(self) -> tuple[float, float]:
        """The width and the height of its drawing, to a hundredth."""
        left, top, right, bottom = self.rail.bounds
        return round(right - left, 2), round(bottom - top, 2)

    def area(self, place: str, box: int | None = None, wager: str | None = None) -> Area | None:
        """The area of a place, at a box or of a wager where it has one."""
        wanted = (place, box, wager)
        return next((a for a in self.areas if (a.place, a.box, a.wager) == wanted), None)

    def at(self, place: str, box: int | None = None, wager: str | None = None) -> list[Area]:
        """All areas of a place, of any box and any wager where none is asked for."""
        return [
            area
            for area in self.areas
            if area.place == place and box in (None, area.box) and wager in (None, area.wager)
        ]

    def lines(self, place: str) -> list[Curved]:
        return [line for line in self.lettering if line.place == place]

    @property
    def parts(self) -> tuple[Part, ...]:
        """Everything that says something, which ornaments do not."""
        return (*self.areas, *(line for line in self.lettering if line.place != "ornament"))


def plan(submission: Submission, registry: Registry, has_logo: bool = False) -> LayoutPlan:
    """What the layout of this table shows, and where."""
    rules = submission.rules(registry)
    cells = tuple(fan(rules))
    areas = [*dealer_side(rules, submission), *cells]
    for box in range(1, submission.boxes + 1):
        areas += box_areas(rules, box, submission.boxes)
    lines = tuple(arc_lettering(submission, rules, bool(cells), has_logo))
    if has_logo:
        areas += [logo_area(line, line.clause) for line in lines if line.place == "operator"]
    return LayoutPlan(
        title=f"{rules.book.title}: table {submission.table}",
        rulebook=submission.rulebook,
        table=submission.table,
        boxes=submission.boxes,
        areas=tuple(areas),
        lettering=lines,
        imprint=_imprint(submission),
    )


def _imprint(submission: Submission) -> Letters:
    """In the corner beyond the rail: which version this is, and whether it was approved."""
    version = f"version {submission.version}" if submission.version else "version not numbered"
    said = f"Table {submission.table}, {version}. {standing(submission.approved)}"
    size = size_to_fit([said], IMPRINT_MM, 17.0)
    left, _, _, bottom = CLOTH.grown(RAIL_MM, EDGE_MM).bounds
    return Letters(
        text=said,
        x=left + EDGE_MM,
        y=bottom - EDGE_MM,
        size=size,
        length=width(said, size),
        style="imprint",
        anchor="start",
    )


# The dealer's side: the inventory and what stands beside it, the cards, the fan of payouts.

INVENTORY_MM, EQUIPMENT_Y = (560.0, 118.0), 14.0
CARD_MM, CARD_GAP = (63.0, 88.0), 8.0
ROW_Y, ROW_TALL, FLANK_WIDE, ROW_GAP = 152.0, 116.0, 168.0, 22.0
FAN_MM, FAN_HALF_DEGREES, FAN_LINE_MM = (500.0, 647.0), 74.0, 11.8
NARROWEST_CELL = 14.0

TITLES = {"dealer": "Dealer", "board": "Community cards", "six_card_box": "Six Card Bonus"}


def dealer_side(rules: Rules, submission: Submission) -> Iterator[Area]:
    """Inventory, drop box, tip box, discard rack, and where cards lie that are nobody's."""
    layout = rules.book.table.layout
    yield _inventory()
    stands: tuple[tuple[str, float, tuple[float, float], Cited | None], ...] = (
        ("drop_box", -352.0, (96.0, 62.0), layout.drop_box),
        ("tip_box", 352.0, (96.0, 62.0), layout.tip_box),
        ("discard_rack", -478.0, (92.0, 112.0), layout.discard_rack),
    )
    for place, x, size, cited in stands:
        clause = rules.book.cite(cited.clause) if cited is not None else None
        yield _equipment(place, place.replace("_", " "), x, size, clause)
    device = _device(submission.devices)
    if device is not None:
        yield _equipment("device", device, 500.0, (136.0, 112.0), None)
    ways = {way.way: way.held_in for way in rules.book.dealing}
    if ways.get(submission.dealing.method) == "shoe":
        clause = rules.book.cite(rules.book.procedure.shoe_place_clause)
        x = 500.0 if device is None else 640.0
        yield _equipment("shoe", "dealing shoe", x, (112.0, 112.0), clause)
    yield from _card_places(rules)


def _device(devices: Devices) -> str | None:
    if devices.shuffler:
        return "shuffler"
    return "automated shoe" if devices.automated_shoe or devices.reshuffling_shoe else None


def _inventory() -> Area:
    title = "TABLE INVENTORY"
    label = Letters(title, 0.0, INVENTORY_MM[1] / 2 - 6, 9.0, width(title, 9.0, 0.1))
    return Area(
        place="inventory",
        kind="inventory",
        shape=Slab(*INVENTORY_MM, 8.0),
        spot=BettingSpot(0.0, EQUIPMENT_Y),
        letters=(label,),
    )


def _equipment(
    place: str, title: str, x: float, size: tuple[float, float], clause: str | None
) -> Area:
    shape = Slab(*size, 7.0)
    return Area(
        place=place,
        kind="equipment",
        shape=shape,
        spot=BettingSpot(x, EQUIPMENT_Y),
        clause=clause,
        letters=stacked(title.upper().split(" "), shape, 13.0),
    )


def _card_places(rules: Rules) -> Iterator[Area]:
    """The board in front of the inventory, or the dealer's cards where there is no board."""
    shown = {
        place.name: place
        for place in rules.book.places
        if place.name != "box" and (place.only_for is None or rules.offers(place.only_for))
    }
    main = next(name for name in ("board", "dealer", *shown) if name in shown)
    wide = shown[main].cards * (CARD_MM[0] + CARD_GAP) - CARD_GAP + 24
    yield _card_place(rules, shown.pop(main), 0.0, wide)
    for place in shown.values():
        side = 1 if place.only_for is None else -1
        yield _card_place(rules, place, side * flank(wide), FLANK_WIDE)


def flank(wide: float) -> float:
    """How far from the middle lies what stands beside cards of this width."""
    return wide / 2 + ROW_GAP + FLANK_WIDE / 2


def _card_place(rules: Rules, place: Place, x: float, wide: float) -> Area:
    book = rules.book
    cited = book.table.layout.places.get(place.name)
    title = TITLES.get(place.name, place.name.replace("_", " ")).upper()
    size = size_to_fit([title], wide - 20, 10.0, 0.06)
    room = (wide - 24 - CARD_MM[0]) / max(place.cards - 1, 1)
    step = min(CARD_MM[0] + CARD_GAP, room)
    return Area(
        place=place.name,
        kind="cards",
        shape=Slab(wide, ROW_TALL, 10.0),
        spot=BettingSpot(x, ROW_Y),
        clause=book.cite(cited.clause if cited else place.clause),
        letters=(Letters(title, 0.0, 50.0, size, width(title, size, 0.06)),),
        cards=tuple(((n - (place.cards - 1) / 2) * step, -8.0) for n in range(place.cards)),
    )


def fan(rules: Rules) -> Iterator[Area]:
    """The payouts that do not stand at each box, as cells of one fan that faces the players."""
    tables = [table for table in payouts(rules) if not table.at_each_box]
    size = _fan_size(tables)
    at = -sum(_cell_degrees(table, size) for table in tables) / 2
    for table in tables:
        half = _cell_degrees(table, size) / 2
        shape = Wedge(*FAN_MM, half)
        yield Area(
            place="pays",
            kind="cell",
            shape=shape,
            spot=around(shape.middle, at + half),
            wager=table.wager,
            clause=rules.book.cite(table.clause),
            letters=pay_lines(table, shape, size),
        )
        at += 2 * half


def _fan_size(tables: list[Payouts]) -> float:
    """The largest letters that all cells can share."""
    size = FAN_LINE_MM
    while sum(_cell_degrees(table, size) for table in tables) > 2 * FAN_HALF_DEGREES or not all(
        fits(table, Wedge(*FAN_MM, _cell_degrees(table, size) / 2), size) for table in tables
    ):
        size *= 0.98
    return size


def _cell_degrees(table: Payouts, size: float) -> float:
    half_mm = widest_line(table, size) / 2 + 9
    return max(NARROWEST_CELL, 2 * degrees(atan(half_mm / (FAN_MM[0] + 5))))


# Names and rules along arcs: the rules stand just inside the fan, or where it would end when
# there is none; the names take the room that is left, and grow with it.

RULE_ROWS = (
    ("even_money", "tie"),
    ("play_sizes", "paid_anyway"),
    ("dealer_needs", "least_paid"),
    ("payout_limit",),
)
"""The statements by the arc they stand on, the shortest nearest to the dealer."""

RULE_MM, RULE_STEP, RULE_HALF_DEGREES, WITHOUT_FAN = 14.0, 21.0, 60.0, 1.35
BETWEEN = "   ♦   "
CARDS_END, NAME_STEP, LARGEST_NAMES = 230.0, 164.0, 1.8
LOGO_TALL_MM, LOGO_RATIO = 120.0, 3.0
NAMES = (
    ("facility", 80.0, 44.0, 38.0),
    ("operator", 105.0, 15.0, 38.0),
    ("game", 164.0, 50.0, 50.0),
)
"""Each name: how far beyond the dealer's cards, how large at most, how far to each side."""


def arc_lettering(
    submission: Submission, rules: Rules, has_fan: bool, has_logo: bool
) -> Iterator[Curved]:
    """Every line along an arc; a logo takes the place of the facility's name."""
    grown = 1.0 if has_fan else WITHOUT_FAN
    outermost = (FAN_MM[0] if has_fan else FAN_MM[1]) - 13.0 * grown
    said = statements(rules)
    rows = [[s for s in said if s.name in names] for names in RULE_ROWS]
    rows = [row for row in rows if row]
    first = outermost - RULE_STEP * grown * (len(rows) - 1)
    yield from _names(submission, rules, first - 30.0 * grown, has_logo)
    for n, row in enumerate(rows):
        yield from _rule_row(rules, row, first + RULE_STEP * grown * n, RULE_MM * grown)


def logo_area(operator: Curved, clause: str | None) -> Area:
    """A place for the logo between the dealer's cards and the operator's name."""
    reach, tall = operator.radius - ASCENT * operator.size - 5.0, LOGO_TALL_MM
    while hypot(LOGO_RATIO * tall / 2, CARDS_END + tall) > reach:
        tall *= 0.97
    shape = Slab(LOGO_RATIO * tall, tall, 0.0)
    spot = BettingSpot(0.0, CARDS_END + tall / 2)
    return Area(place="logo", kind="logo", shape=shape, spot=spot, clause=clause)


def _names(
    submission: Submission, rules: Rules, outermost: float, has_logo: bool
) -> Iterator[Curved]:
    named = rules.book.table.operator_named
    clause = rules.book.cite(named.clause) if named is not None else None
    texts = {
        "facility": submission.facility.upper(),
        "operator": submission.operator,
        "game": rules.game.name.upper(),
    }
    grown = min((outermost - CARDS_END) / NAME_STEP, LARGEST_NAMES)
    for place, beyond, largest, half in NAMES:
        if place == "facility" and has_logo:
            continue
        radius, text = CARDS_END + beyond * grown, texts[place]
        size = size_to_fit([text], 2 * radius * radians(half), largest * grown, 0.08)
        yield Curved(
            place=place,
            text=text,
            radius=radius,
            degrees=0.0,
            size=size,
            length=width(text, size, 0.08),
            clause=clause if place != "game" else None,
        )


def _rule_row(
    rules: Rules, row: list[Statement], radius: float, largest: float
) -> Iterator[Curved]:
    """Statements one after another on the same arc, with a diamond between them."""
    texts = [statement.text.upper() for statement in row]
    most = 2 * radius * radians(RULE_HALF_DEGREES)
    size = size_to_fit([BETWEEN.join(texts)], most, largest, 0.05)
    gap, at = width(BETWEEN, size, 0.05), 0.0
    lengths = [width(text, size, 0.05) for text in texts]
    at = -(sum(lengths) + gap * (len(texts) - 1)) / 2
    for statement, text, length in zip(row, texts, lengths, strict=True):
        if statement is not row[0]:
            yield Curved(
                place="ornament",
                text=BETWEEN.strip(),
                radius=radius,
                degrees=degrees((at - gap / 2) / radius),
                size=size,
                length=width(BETWEEN.strip(), size),
            )
        yield Curved(
            place="rule",
            text=text,
            radius=radius,
            degrees=degrees((at + length / 2) / radius),
            size=size,
            length=length,
            statement=statement.name,
            clause=rules.book.cite(statement.clause),
        )
        at += length + gap


# A betting box, from the dealer outward to the player's cards. Every row is a radius around the
# middle of the dealer's edge; what stands beside each other in a row stands at other degrees of
# it, so that no box can reach into the next.

SENSOR_ROW, SIDE_ROW, ANTE_ROW, PLAY_ROW, CARD_ROW = 683.0, 744.0, 819.0, 896.0, 990.0
SPREAD_DEGREES, WIDEST_BOX = 158.0, 33.0
SENSOR_MM, SIDE_MM, SPOT_MM, SIGN_MM = 27.0, 58.0, 32.0, 12.0
SIDE_GAP_MM, BOX_GAP_MM, GAP_MM = 7.0, 14.0, 7.0
CARD_STEP, HAND_TALL = 22.0, 94.0
PAYS_BESIDE_CARDS, PAYS_BESIDE_PLAY, PAYS_BESIDE_ANTE = 942.0, 868.0, 790.0
PAYS_MM = (132.0, 122.0)
LINE_MM, LIGHT_AT = 10.4, (0.0, -15.0)


def box_width(boxes: int) -> float:
    """The degrees each box has to itself."""
    return min(WIDEST_BOX, SPREAD_DEGREES / boxes)


def middle_of(box: int, boxes: int) -> float:
    """Where a box lies; the first is farthest to the dealer's left, our right."""
    return ((boxes - 1) / 2 - (box - 1)) * box_width(boxes)


def box_areas(rules: Rules, box: int, boxes: int) -> Iterator[Area]:
    """Every area of one box that this table's Rules ask for."""
    middle, whole = middle_of(box, boxes), box_width(boxes)
    yield _hand(rules, box, middle)
    yield from _contest(rules, box, middle)
    yield from _side_wagers(rules, box, middle, whole)
    yield from _pays(rules, box, middle, whole)


def _hand(rules: Rules, box: int, at: float) -> Area:
    number = Letters(str(box), 0.0, 20.0, 56.0, width(str(box), 56.0), "number")
    return Area(
        place="box",
        kind="hand",
        shape=_hand_shape(rules),
        spot=around(CARD_ROW, at),
        box=box,
        letters=(number,),
    )


def _hand_shape(rules: Rules) -> Slab:
    """Two cards lie beside each other, more of them fanned."""
    count = rules.book.place("box").cards
    step = CARD_MM[0] if count < 3 else CARD_STEP
    return Slab(CARD_MM[0] + (count - 1) * step + 12, HAND_TALL, 8.0)


def _opening(rules: Rules) -> list[Wager]:
    """The wagers against the dealer that are down before the first card."""
    wagers = rules.book.wagers
    return [wager for wager in wagers if wager.judged_by == "contest" and wager.beside is None]


def _contest(rules: Rules, box: int, at: float) -> Iterator[Area]:
    """The wagers against the dealer; those of equal size stand side by side with a sign."""
    book, opening = rules.book, _opening(rules)
    step = degrees((2 * SPOT_MM + 2 * SIGN_MM + 4) / ANTE_ROW)
    for n, wager in enumerate(opening):
        off = (n - (len(opening) - 1) / 2) * step
        yield _spot(rules, wager, box, ANTE_ROW, at + off, "spot", Disk(SPOT_MM))
    beside = book.table.layout.beside
    if beside is not None:
        yield Area(
            place="sign",
            kind="sign",
            shape=Disk(SIGN_MM),
            spot=around(ANTE_ROW, at),
            box=box,
            clause=book.cite(beside.clause),
            letters=(Letters(beside.sign, 0.0, 5.0, 20.0, width(beside.sign, 20.0)),),
        )
    for n, wager in enumerate(book.plays):
        off = (n - (len(book.plays) - 1) / 2) * step
        yield _spot(rules, wager, box, PLAY_ROW, at + off, "spot", Disk(SPOT_MM))


def _side_wagers(rules: Rules, box: int, at: float, whole: float) -> Iterator[Area]:
    """What a player may leave: the wagers that are offered, and those every layout has room for."""
    optional = [w for w in rules.book.wagers if w.optional]
    drawn = [w for w in optional if rules.offers(w.name) or w.layout_clause is not None]
    side = [wager for wager in drawn if wager.name != PROGRESSIVE]
    room = (whole - degrees(BOX_GAP_MM / SIDE_ROW)) / max(len(side), 1)
    step = min(degrees((SIDE_MM + SIDE_GAP_MM) / SIDE_ROW), room)
    wide = min(SIDE_MM, radians(step) * SIDE_ROW - SIDE_GAP_MM)
    for n, wager in enumerate(side):
        off = (n - (len(side) - 1) / 2) * step
        kind = "side" if rules.offers(wager.name) else CLOSED
        yield _spot(rules, wager, box, SIDE_ROW, at + off, kind, Slab(wide, wide, 11.0))
    for wager in drawn:
        if wager.name == PROGRESSIVE:
            yield _spot(rules, wager, box, SENSOR_ROW, at, "sensor", Disk(SENSOR_MM))


def _spot(
    rules: Rules, wager: Wager, box: int, row: float, at: float, kind: str, shape: DrawnShape
) -> Area:
    """The betting area of a wager; where no clause names it, wagers go on areas of the layout."""
    cited = rules.book.table.layout.areas.get(wager.name)
    clause = cited.clause if cited else rules.book.procedure.layout_clause
    lines = wager.title.upper().split(" ")
    terms = rules.progressive if wager.name == PROGRESSIVE else None
    if terms is not None:
        lines.append(money(terms.stake_cents))
    if kind == CLOSED:
        lines += NOT_OFFERED.upper().split(" ")
    light, rise = (LIGHT_AT, -4.5) if kind == "sensor" else (None, 0.0)
    return Area(
        place=CLOSED if kind == CLOSED else "wager",
        kind=kind,
        shape=shape,
        spot=around(row, at),
        box=box,
        wager=wager.name,
        clause=rules.book.cite(clause),
        letters=stacked(lines, shape, 13.5 if kind == "spot" else 11.5, rise),
        light=light,
    )


def _pays(rules: Rules, box: int, at: float, whole: float) -> Iterator[Area]:
    """What the wagers of every table pay: to the left the one a player may leave.

    Where one wager opens the box there is room beside Play, or beside the wager itself where
    several bets follow; otherwise only beside the cards.
    """
    row, near = PAYS_BESIDE_CARDS, _hand_shape(rules).wide / 2 + GAP_MM
    if len(_opening(rules)) == 1:
        row = PAYS_BESIDE_PLAY if len(rules.book.plays) == 1 else PAYS_BESIDE_ANTE
        near = SPOT_MM + 2 * GAP_MM
    reach = (row - PAYS_MM[1] / 2) * radians(whole) / 2 - BOX_GAP_MM / 2
    wide = min(PAYS_MM[0], reach - near)
    for table in payouts(rules):
        if table.at_each_box:
            side = -1 if rules.book.wager(table.wager).optional else 1
            shape = Slab(wide, min(PAYS_MM[1], tall_enough(table, wide, LINE_MM)))
            yield Area(
                place="pays",
                kind="pays",
                shape=shape,
                spot=around(row, at + side * degrees((near + wide / 2) / row)),
                box=box,
                wager=table.wager,
                clause=rules.book.cite(table.clause),
                letters=pay_lines(table, shape, LINE_MM),
            )
