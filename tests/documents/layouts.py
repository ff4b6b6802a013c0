"""Tables with other options, their layouts, and hands that tamper with a finished plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, combinations

from msgspec import structs

from croupier.documents.layout.check import check_plan
from croupier.documents.layout.plan import Area, Curved, LayoutPlan, Part, plan
from croupier.documents.layout.shapes import BettingSpot
from croupier.facts.money import cents
from croupier.games.registry import the_registry
from croupier.submission.check import shipped_submission
from croupier.submission.finding import Finding
from croupier.submission.submission import MeterOffer, ProgressiveOffer, Submission

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
SVG = "http://www.w3.org/2000/svg"


def layout(submission: Submission) -> LayoutPlan:
    return plan(submission, the_registry())


def findings(layout: LayoutPlan, submission: Submission) -> list[tuple[str | None, str]]:
    found: tuple[Finding, ...] = check_plan(layout, submission, the_registry())
    return [(finding.clause, finding.sentence) for finding in found]


def without(submission: Submission, *wagers: str) -> Submission:
    """The same table with some optional wagers not offered; Envy goes with the Progressive."""
    gone = {*wagers, *(["envy"] if "progressive" in wagers else [])}
    return replace(
        submission,
        paytables=tuple(
            (name, letter) for name, letter in submission.paytables if name not in gone
        ),
        limits=tuple((name, limit) for name, limit in submission.limits if name not in gone),
        progressive=None if "progressive" in gone else submission.progressive,
    )


def with_letter(submission: Submission, wager: str, letter: str) -> Submission:
    """The same table with another paytable, and the meters that one pays from."""
    letters = {**dict(submission.paytables), wager: letter}
    offer = submission.progressive
    if wager == "progressive" and offer is not None:
        table = the_registry().book(submission.rulebook).paytables[wager][letter]
        meters = tuple(
            MeterOffer(meter.name, cents(meter.least), cents(meter.least), 40_000)
            for meter in table.meters
        )
        offer = replace(offer, meters=meters)
    return replace(submission, paytables=tuple(letters.items()), progressive=offer)


def with_stake(submission: Submission, stake: str) -> Submission:
    offer = submission.progressive
    assert isinstance(offer, ProgressiveOffer)
    return replace(submission, progressive=replace(offer, stake_cents=cents(stake)))


def every_offer(book_id: str) -> Iterator[Submission]:
    """A table for every set of optional wagers that can be offered together."""
    table, book = shipped_submission(book_id), the_registry().book(book_id)
    optional = [wager.name for wager in book.wagers if wager.optional]
    needs = {wager.name: {*wager.needs} & {*optional} for wager in book.wagers}
    sets = chain.from_iterable(combinations(optional, n) for n in range(len(optional) + 1))
    for offered in map(set, sets):
        if all(needs[name] <= offered for name in offered):
            yield without(table, *(name for name in optional if name not in offered))


def every_letter(book_id: str) -> Iterator[Submission]:
    """A table for every paytable that can be chosen for some wager."""
    table, book = shipped_submission(book_id), the_registry().book(book_id)
    for wager in book.wagers:
        if wager.paid_on is None:
            for letter in book.paytables.get(wager.name, {}):
                yield with_letter(table, wager.name, letter)
    for letter in book.envy:
        yield with_stake(with_letter(table, "envy", letter), "$5")


class Tampered:
    """A plan that is changed; parts are found as the checker finds them."""

    def __init__(self, layout: LayoutPlan) -> None:
        self.layout = layout

    def area(self, place: str, box: int | None = None, wager: str | None = None) -> Area:
        return self.layout.at(place, box, wager)[0]

    def line(self, place: str, statement: str | None = None) -> Curved:
        return next(
            line for line in self.layout.lines(place) if statement in (None, line.statement)
        )

    def removed(self, *parts: Part) -> LayoutPlan:
        return self._with(dict.fromkeys(parts))

    def moved(self, area: Area, x: float, y: float) -> LayoutPlan:
        spot = BettingSpot(area.spot.x + x, area.spot.y + y, area.spot.turn)
        return self.changed(area, spot=spot)

    def swapped(self, one: Area, other: Area) -> LayoutPlan:
        """Two areas change places."""
        return self._with(
            {
                one: structs.replace(one, spot=other.spot),
                other: structs.replace(other, spot=one.spot),
            }
        )

    def reworded(self, area: Area, old: str, new: str) -> LayoutPlan:
        letters = [
            structs.replace(line, text=new) if line.text == old else line for line in area.letters
        ]
        assert tuple(letters) != area.letters, f"{old} does not stand there"
        return self.changed(area, letters=tuple(letters))

    def changed(self, part: Part, **fields: object) -> LayoutPlan:
        return self._with({part: structs.replace(part, **fields)})

    def _with(self, instead: Mapping[Part, Part | None]) -> LayoutPlan:
        areas = [instead.get(area, area) for area in self.layout.areas]
        lines = [instead.get(line, line) for line in self.layout.lettering]
        return structs.replace(
            self.layout,
            areas=tuple(area for area in areas if isinstance(area, Area)),
            lettering=tuple(line for line in lines if isinstance(line, Curved)),
        )
