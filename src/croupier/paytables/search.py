"""Paytables by their targets: every one that meets them, exactly, the nearest to a given one first.

How often a line is hit does not depend on what it pays, so the edge is linear in the odds. Lines
are taken from the commonest to the rarest; no line pays less than a commoner one, so what the rest
can still pay lies between two bounds, and whatever cannot reach the targets is not tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt

from croupier.exact.endings import Assumed, Endings, net_of
from croupier.facts.errors import Unreadable
from croupier.facts.odds import For, Odds, To

MOST_FOUND = 200_000
MOST_PAID = 100_000


@dataclass(frozen=True)
class Target:
    """What a paytable must meet; shares are of the stake.

    ``parts`` is how finely odds are written: 1 for whole ones, 2 for halves. Where hits stay as
    they are, every line pays; otherwise the commonest ones may be left out.
    """

    edge: tuple[Fraction, Fraction]
    top: int | None = None
    parts: int = 1
    keeps_hits: bool = False
    volatility: tuple[float, float] | None = None


@dataclass(frozen=True)
class PricedLine:
    """A line, in how many of all deals it is paid, and by what odds."""

    name: str
    ways: int
    odds: Odds

    @property
    def pays(self) -> Fraction:
        """So many for one, whether the stake comes back or not."""
        assert isinstance(self.odds, To | For)
        return Fraction(self.odds.gain, self.odds.stake)

    def at(self, pays: Fraction) -> PricedLine:
        kind = type(self.odds)
        assert kind in (To, For)
        return PricedLine(self.name, self.ways, kind(pays.numerator, pays.denominator))


@dataclass(frozen=True)
class LineEffect:
    """What paying one unit more on a line does to edge and deviation, in stakes."""

    name: str
    chance: Fraction
    edge: Fraction
    deviation: float


@dataclass(frozen=True)
class PricedTable:
    """Lines with odds; ``kept`` deals end in what no line says: by net in stakes, how many."""

    lines: tuple[PricedLine, ...]
    kept: tuple[tuple[Fraction, int], ...]
    assumed: Assumed
    distance: float = 0.0

    @property
    def total(self) -> int:
        return sum(line.ways for line in self.lines) + sum(ways for _, ways in self.kept)

    def _nets(self) -> list[tuple[Fraction, int]]:
        return [*((net_of(line.odds, self.assumed), line.ways) for line in self.lines), *self.kept]

    def moment(self, power: int) -> Fraction:
        return sum((net**power * ways for net, ways in self._nets()), Fraction(0)) / self.total

    @property
    def edge(self) -> Fraction:
        return -self.moment(1)

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.moment(2) - self.moment(1) ** 2)

    @property
    def hit_frequency(self) -> Fraction:
        lost = sum(ways for net, ways in self.kept if net < 0)
        return 1 - Fraction(lost, self.total)

    def effects(self) -> tuple[LineEffect, ...]:
        """Line by line: the same paytable with one more for one on it, beside this one."""
        found = []
        for at, line in enumerate(self.lines):
            chance = Fraction(line.ways, self.total)
            if not isinstance(line.odds, To | For):
                continue
            more = [*self.lines]
            more[at] = line.at(line.pays + 1)
            other = PricedTable(tuple(more), self.kept, self.assumed)
            grows = other.standard_deviation - self.standard_deviation
            found.append(LineEffect(line.name, chance, other.edge - self.edge, grows))
        return tuple(found)


def priced(endings: Endings, assumed: Assumed) -> PricedTable:
    """The counted endings of a wager, to be paid otherwise."""
    lines = [
        PricedLine(end.name, end.ways, end.odds)
        for end in endings.endings
        if isinstance(end.odds, To | For)
    ]
    kept = [
        (end.net(assumed), end.ways)
        for end in endings.endings
        if not isinstance(end.odds, To | For)
    ]
    if not lines:
        raise Unreadable(f"no line of {endings.wager} {endings.paytable} pays by odds")
    return PricedTable(tuple(lines), tuple(kept), assumed)


def search(near: PricedTable, target: Target) -> list[PricedTable]:
    """Every paytable with the lines of this one that meets the target, the nearest first."""
    found: list[PricedTable] = []
    by_ways = sorted(near.lines, key=lambda line: -line.ways)
    dropped = range(1) if target.keeps_hits else range(len(by_ways))
    for left_out in dropped:
        lines = by_ways[left_out:]
        lost = sum(line.ways for line in by_ways[:left_out])
        kept = (*near.kept, (Fraction(-1), lost)) if lost else near.kept
        for pays in _prices(lines, kept, near.total, target):
            prices = [Fraction(price, target.parts) for price in pays]
            found.append(_repriced(near, lines, prices, kept))
            if len(found) > MOST_FOUND:
                raise Unreadable(
                    f"more than {MOST_FOUND:,} paytables meet these targets; ask for a narrower "
                    "edge, for the top line or for hits as they are"
                )
    if target.volatility is not None:
        low, high = target.volatility
        found = [table for table in found if low <= table.standard_deviation <= high]
    return sorted(found, key=lambda table: (table.distance, table.edge))


def _prices(
    lines: Sequence[PricedLine],
    kept: Sequence[tuple[Fraction, int]],
    total: int,
    target: Target,
) -> Iterator[tuple[int, ...]]:
    """What each line pays, from the commonest on, in parts of one, within the edge."""
    parts = target.parts
    beside = sum((net * ways for net, ways in kept), Fraction(0))
    beside -= sum(line.ways for line in lines if isinstance(line.odds, For))
    low, high = (parts * (-edge * total - beside) for edge in reversed(target.edge))
    least, most = -(-low.numerator // low.denominator), high.numerator // high.denominator
    top = (target.top or _highest(lines)) * parts
    rarer = [sum(line.ways for line in lines[at:]) for at in range(len(lines) + 1)]

    def paid(at: int, before: int, so_far: int) -> Iterator[tuple[int, ...]]:
        if at == len(lines):
            if least <= so_far <= most:
                yield ()
            return
        ways = lines[at].ways
        is_top = at == len(lines) - 1 and target.top is not None
        first = max(before, -(-(least - so_far - top * rarer[at + 1]) // ways) if ways else before)
        last = min(top, (most - so_far) // rarer[at] if rarer[at] else top)
        for price in range(top if is_top else first, last + 1):
            for others in paid(at + 1, price, so_far + ways * price):
                yield (price, *others)

    yield from paid(0, 1, 0)


def _highest(lines: Sequence[PricedLine]) -> int:
    """Where no top is asked for, twice what is paid now is enough to look at."""
    return min(MOST_PAID, 2 * max(int(line.pays) for line in lines))


def _repriced(
    near: PricedTable,
    lines: Sequence[PricedLine],
    pays: Sequence[Fraction],
    kept: tuple[tuple[Fraction, int], ...],
) -> PricedTable:
    """Lines in the order in which they stood, with new prices, and how far that is from the old.

    The distance is by how much the lines change in proportion, added up; a line that is left out
    pays nothing.
    """
    new = dict(zip((line.name for line in lines), pays, strict=True))
    away = sum(
        abs(log((1 + new.get(line.name, Fraction(0))) / (1 + line.pays))) for line in near.lines
    )
    priced_lines = tuple(line.at(new[line.name]) for line in near.lines if line.name in new)
    return PricedTable(priced_lines, kept, near.assumed, away)
