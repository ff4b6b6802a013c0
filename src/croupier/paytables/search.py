"""Branch and bound over paytables: every one that meets its targets exactly, the nearest first.

How often a line is hit does not depend on what it pays, so the edge is linear in the odds. Lines
are taken from the commonest to the rarest; no line pays less than a commoner one, so what the rest
can still pay lies between two bounds, and whatever cannot reach the targets is not tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, log, sqrt

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
    """Lines with odds; ``kept`` deals end in what no line says: by net in stakes, how many.

    A line that is left out brings ``left_out``: the loss of the stake, or of a base game a push.
    """

    lines: tuple[PricedLine, ...]
    kept: tuple[tuple[Fraction, int], ...]
    assumed: Assumed
    left_out: Fraction = Fraction(-1)
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
            other = replace(self, lines=tuple(more))
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


def search(
    near: PricedTable, target: Target, gains: Mapping[str, int] | None = None
) -> list[PricedTable]:
    """Every paytable with the lines of this one that meets the target, the nearest first.

    ``gains`` says, by line, in how many deals another way of playing can change whether it is paid;
    then every paytable is found that may meet the edge under some such play.
    """
    found: list[PricedTable] = []
    by_ways = sorted(near.lines, key=lambda line: -line.ways)
    dropped = range(1) if target.keeps_hits else range(len(by_ways))
    for first in dropped:
        gone, lines = by_ways[:first], by_ways[first:]
        ways = sum(line.ways for line in gone)
        kept = (*near.kept, (near.left_out, ways)) if ways else near.kept
        gained = sum((most_gained(line, None, near, gains or {}) for line in gone), Fraction(0))
        for pays in _prices(lines, replace(near, kept=kept), target, gains or {}, gained):
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


def most_gained(
    line: PricedLine, pays: Fraction | None, near: PricedTable, gains: Mapping[str, int]
) -> Fraction:
    """What another way of playing can bring at most where this line is paid so, or is left out;
    added up over all deals, in stakes."""
    before = net_of(line.odds, near.assumed)
    after = near.left_out if pays is None else net_of(line.at(pays).odds, near.assumed)
    return gains.get(line.name, 0) * abs(after - before)


def _prices(
    lines: Sequence[PricedLine],
    near: PricedTable,
    target: Target,
    gains: Mapping[str, int],
    gained: Fraction,
) -> Iterator[tuple[int, ...]]:
    """What each line pays, from the commonest on, in parts of one, within the edge.

    ``so_far`` is what the lines before pay in all deals, ``more`` the most that another way of
    playing can add to it.
    """
    parts, total = target.parts, sum(ways for _, ways in near.kept) + sum(n.ways for n in lines)
    beside = sum((net * ways for net, ways in near.kept), Fraction(0))
    beside -= sum(line.ways for line in lines if isinstance(line.odds, For))
    low, high = (parts * (-edge * total - beside) for edge in reversed(target.edge))
    least, most = -(-low.numerator // low.denominator), high.numerator // high.denominator
    top = highest(lines, target) * parts
    rarer = [sum(line.ways for line in lines[at:]) for at in range(len(lines) + 1)]

    def gain(at: int, price: int) -> Fraction:
        return parts * most_gained(lines[at], Fraction(price, parts), near, gains)

    widest = [max(gain(at, 1), gain(at, top)) for at in range(len(lines))]
    to_come = [sum(widest[at:], Fraction(0)) for at in range(len(lines) + 1)]

    def paid(at: int, before: int, so_far: int, more: Fraction) -> Iterator[tuple[int, ...]]:
        if at == len(lines):
            if least - more <= so_far <= most:
                yield ()
            return
        ways = lines[at].ways
        is_top = at == len(lines) - 1 and target.top is not None
        lacks = least - so_far - top * rarer[at + 1] - ceil(more + to_come[at])
        first = max(before, -(-lacks // ways) if ways else before)
        last = min(top, (most - so_far) // rarer[at] if rarer[at] else top)
        for price in range(top if is_top else first, last + 1):
            beyond = more + gain(at, price) if gains else more
            for others in paid(at + 1, price, so_far + ways * price, beyond):
                yield (price, *others)

    yield from paid(0, 1, 0, parts * gained)


def highest(lines: Sequence[PricedLine], target: Target) -> int:
    """Where no top is asked for, twice what is paid now is enough to look at."""
    return target.top or min(MOST_PAID, 2 * max(int(line.pays) for line in lines))


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
    return replace(near, lines=priced_lines, kept=kept, distance=away)
