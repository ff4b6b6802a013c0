"""What a table earns: exact edges of kept solutions, at a pace and an occupancy that are stated.

An edge and a deviation are exact. The hold of an hour is the edge times what is wagered, which
rests on the assumptions beside it. How far boxes of one round win and lose together is not counted
here, so the deviation of a table is told by its two ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from croupier.documents.returns import base_rules, envy_each_box
from croupier.exact.endings import Assumed
from croupier.exact.exposure import largest_stakes, table_bound
from croupier.exact.solution import SideValue, Solution
from croupier.exact.solution_cache import kept
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.money import Cents, money
from croupier.games.registry import Registry
from croupier.games.rules import PROGRESSIVE, Rules
from croupier.rulebook.book import Rulebook
from croupier.server.desk.changes import value_at
from croupier.submission import value_kinds
from croupier.submission.submission import Submission

NOT_COUNTED = "This game has not been counted on this machine yet"
NOT_YET = "What the table earns is told once the errors are mended"


class PlayAssumptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an hour is taken to be; without an Ante the minimum, without boxes all of the table."""

    rounds_an_hour: Annotated[int, Meta(ge=1, le=1000)] = 30
    boxes: Annotated[int, Meta(ge=0, le=100)] = 0
    ante_cents: Annotated[int, Meta(ge=0, le=100_000_000)] = 0
    side_percent: Annotated[int, Meta(ge=0, le=100)] = 50


class EarningLine(msgspec.Struct, frozen=True):
    """A wager: what is staked on it a round, its edge, its deviation and what it holds an hour."""

    title: str
    stake: str
    edge: str
    deviation: str
    hold: str


class Earnings(msgspec.Struct, frozen=True, omit_defaults=True):
    """``sentence`` says why there are no figures; ``counts``: they come once the game is counted.

    ``facts`` are labels and what holds, for the player and for the house.
    """

    sentence: str = ""
    counts: bool = False
    lines: tuple[EarningLine, ...] = ()
    assumes: str = ""
    player: tuple[tuple[str, str], ...] = ()
    house: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class TableValue:
    """The kept solution of a rulebook's base game under these paytables."""

    rules: Rules
    solution: Solution


def table_value(
    registry: Registry, book: Rulebook, letters: Mapping[str, object]
) -> TableValue | None:
    """The answer that is shipped or was counted before; None where nobody counted it yet."""
    known = {
        name: str(letter)
        for name, letter in letters.items()
        if str(letter) in book.paytables.get(name, {})
    }
    try:
        rules = base_rules(registry, book, known)
    except Refusal:
        return None
    solution = kept(rules)
    return TableValue(rules, solution) if solution is not None else None


def earned(value: TableValue, document: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    """By wager and paytable: the exact edge that each choice would have, at the minimums and by the
    cards that the document says, whatever else is wrong in it."""
    told = {
        (wager, letter): f"house edge {percent(-ev)} of the Ante"
        for wager, letter, ev in value.solution.base_values
    }
    for wager, letter in value.solution.paytables:
        told.setdefault((wager, letter), f"house edge {percent(-value.solution.ev)} of the Ante")
    chosen = value_at(document, (PROGRESSIVE, "hand"))
    readings = (side.reading for side in value.solution.side_wagers)
    hand = next((reading for reading in readings if reading == chosen), None)
    for side in value.solution.side_wagers:
        name = side.endings.wager
        if side.reading in (None, hand) or (
            hand is None and (name, side.endings.paytable) not in told
        ):
            least = _minimum_cents(document, name)
            meters = side.assumed.meters_cents
            at = replace(side, assumed=Assumed(least, meters)) if least is not None else side
            said = "with its meters at the least" if meters else ""
            edge = f"house edge {percent(-at.ev)}"
            told[name, side.endings.paytable] = f"{edge} {said}".strip()
    return told


def _minimum_cents(document: Mapping[str, Any], wager: str) -> Cents | None:
    try:
        return value_kinds.stake(value_at(document, ("limits", wager, "minimum")))
    except Unreadable:
        return None


def earnings(
    value: TableValue, submission: Submission, registry: Registry, assumed: PlayAssumptions
) -> Earnings:
    """What a table earns by a submission without errors, as far as it is known."""
    hour = _Hour(value.solution, submission, registry.book(submission.rulebook), assumed)
    lines = list(hour.lines())
    base, bounds = value.solution.base, hour.bounds(registry)
    player = (
        ("House edge of the Ante", percent(-base.ev)),
        ("Of all money wagered", percent(-base.ev / base.average_wager)),
        ("Deviation of a round", f"{base.standard_deviation:.3f} Antes"),
        *((f"House edge of {line.title}", line.edge) for line in lines[1:]),
        ("One box can lose in a round", money(bounds[0])),
    )
    low, high = hour.deviation_cents()
    house = (
        ("Hold an hour", money(round(sum(cents for _, cents in hour.holds())))),
        ("Deviation of an hour", f"{money(round(low))} to {money(round(high))}"),
        ("The table cannot lose more in a round than", money(bounds[1])),
    )
    return Earnings(lines=tuple(lines), assumes=hour.words(), player=player, house=house)


def percent(part: Fraction | float) -> str:
    return f"{100 * float(part):.2f}%"


@dataclass(frozen=True)
class _Hour:
    """One hour of a table as it is assumed to be."""

    solution: Solution
    said: Submission
    book: Rulebook
    assumed: PlayAssumptions

    @property
    def boxes(self) -> int:
        return min(self.assumed.boxes or self.said.boxes, self.said.boxes)

    @property
    def ante_cents(self) -> int:
        limit = self.said.limit("ante")
        least = limit.minimum_cents if limit is not None else 0
        return self.assumed.ante_cents or least

    @property
    def hands(self) -> int:
        """How many boxes are played in an hour."""
        return self.boxes * self.assumed.rounds_an_hour

    def words(self) -> str:
        a = self.assumed
        boxes = "1 box" if self.boxes == 1 else f"{self.boxes} boxes"
        return (
            f"{a.rounds_an_hour} rounds an hour with {boxes} played, an Ante of "
            f"{money(self.ante_cents)}, every hand played as well as it can be, and "
            f"{a.side_percent}% of the boxes on each side wager at its minimum; meters in the "
            "long run. The deviation is that of the Ante and what goes with it: if the boxes of a "
            "round had nothing to do with each other, and if all won and lost together."
        )

    def lines(self) -> Iterator[EarningLine]:
        base, holds = self.solution.base, dict(self.holds())
        yield EarningLine(
            "Ante and what goes with it",
            money(self.ante_cents),
            percent(-base.ev),
            money(round(base.standard_deviation * self.ante_cents)),
            money(round(holds[""])),
        )
        for title, stake, side, edge in self._sides():
            yield EarningLine(
                title,
                money(stake),
                percent(edge),
                money(round(side.standard_deviation * stake)),
                money(round(holds[title])),
            )

    def holds(self) -> Iterator[tuple[str, float]]:
        """What each wager holds an hour, in cents; that of the base game has no title."""
        yield "", float(-self.solution.base.ev * self.ante_cents * self.hands)
        share = Fraction(self.assumed.side_percent, 100)
        for title, stake, _, edge in self._sides():
            yield title, float(edge * stake * share * self.hands)

    def deviation_cents(self) -> tuple[float, float]:
        one = self.solution.base.standard_deviation * self.ante_cents
        rounds = sqrt(self.assumed.rounds_an_hour)
        return one * rounds * sqrt(self.boxes), one * rounds * self.boxes

    def bounds(self, registry: Registry) -> tuple[Cents, Cents]:
        """The most that one box, and that the table can lose in one round, at the maximums."""
        rules = self.said.rules(registry)
        follows = {wager.name for wager in self.book.wagers if wager.equals is not None}
        largest = {n: limit.maximum_cents for n, limit in self.said.limits if n not in follows}
        bound = table_bound(rules, largest, {}, self.said.boxes)
        return Cents(sum(largest_stakes(rules, largest).values())), Cents(sum(bound.values()))

    def _sides(self) -> Iterator[tuple[str, int, SideValue, Fraction]]:
        """Each side wager: its title, its stake in cents, its value, and its edge."""
        letters, offer = dict(self.said.paytables), self.said.progressive
        for wager in self.book.wagers:
            if not wager.optional or wager.name not in letters:
                continue
            limit = self.said.limit(wager.name)
            if limit is not None:
                side = self.solution.side(wager.name, letters[wager.name])
                side = replace(side, assumed=Assumed(limit.minimum_cents))
                yield wager.title, limit.minimum_cents, side, -side.ev
            elif offer is not None and wager.name == PROGRESSIVE:
                side = self.solution.side(wager.name, letters[wager.name], offer.hand)
                resets = tuple((meter.name, meter.reset_cents) for meter in offer.meters)
                side = replace(
                    side, assumed=Assumed(offer.stake_cents, resets), resets_cents=resets
                )
                holds = Fraction(self.assumed.side_percent, 100) if offer.holder_must_wager else 1
                envy = holds * (self.boxes - 1) * envy_each_box(self.solution, self.said)
                back = sum(side.long_run(), offer.growth) + envy
                yield wager.title, offer.stake_cents, side, 1 - back
