"""Every number of the mathematics report, computed once and exactly."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from croupier.documents.filing import Filing
from croupier.documents.mathematics.verification import CrossCheck, cross_check
from croupier.documents.returns import base_of
from croupier.exact.base_game import BaseGame, LimitedAnte
from croupier.exact.endings import Assumed
from croupier.exact.exposure import Exposure, exposure, table_bound
from croupier.exact.joint import NO_LIMIT, counted_endings
from croupier.exact.many_rounds import quantiles
from croupier.exact.payout_limit import AnteValue, largest_uncut_cents
from croupier.exact.solution import EnvyValue, SideValue, Solution
from croupier.exact.solution_cache import solved, values_by_ante
from croupier.exact.staked_side import JointEnding
from croupier.exact.strategy.decision_charts import StreetChart, decision_charts
from croupier.exact.strategy.strategies import evaluate
from croupier.exact.strategy.strategy_file import Strategy, read_strategy, shipped
from croupier.facts.money import Cents
from croupier.facts.progress import Progress
from croupier.games.rules import ENVY, PROGRESSIVE
from croupier.paytables.base_wager import counted_lines
from croupier.paytables.search import PricedTable
from croupier.rulebook.book import Wager
from croupier.submission.submission import WagerLimit


class Confidence(NamedTuple):
    """A share of all outcomes, and the z whose standard deviations hold it of a normal one."""

    share: float
    z: float


CONFIDENCE = {"90%": Confidence(0.90, 1.645), "95%": Confidence(0.95, 1.960)}
FloatRange = tuple[float, float]
CUT_ANTES = 8
"""Of the Antes that the payout limit cuts, so many are shown."""
ROUNDS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)


@dataclass(frozen=True)
class Simple:
    """A strategy people can remember, and the base game when it is kept to."""

    strategy: Strategy
    base: BaseGame


@dataclass(frozen=True)
class ByAnte:
    """What some Antes are worth under the payout limit, and up to which none of it is cut."""

    limit_cents: Cents
    uncut_cents: Cents
    values: tuple[AnteValue, ...]

    @property
    def largest(self) -> AnteValue:
        return self.values[-1]

    def cuts(self, value: AnteValue) -> bool:
        return value.ante_cents > self.uncut_cents


@dataclass(frozen=True)
class Figures:
    filing: Filing
    solution: Solution
    exposure: Exposure
    box_wins_cents: Cents
    simple: Simple | None
    by_ante: ByAnte | None = None
    endings: tuple[JointEnding, ...] = ()
    base_lines: tuple[tuple[str, PricedTable], ...] = ()
    cross_check: CrossCheck | None = None
    later: tuple[StreetChart, ...] = ()

    @property
    def base(self) -> BaseGame:
        return self.solution.base

    def sides(self) -> Iterator[tuple[Wager, SideValue]]:
        """The side wagers of the table, at their smallest stakes and the meters at their resets."""
        letters, offer = dict(self.filing.rules.letters), self.filing.submission.progressive
        for wager in self.filing.offered():
            if wager.optional and wager.name in letters:
                hand = offer.hand if offer is not None and wager.name == PROGRESSIVE else None
                yield (
                    wager,
                    self.at_least(wager, self.solution.side(wager.name, letters[wager.name], hand)),
                )

    def beside(self, wager: Wager, chosen: SideValue) -> Iterator[SideValue]:
        """Every paytable of a wager, judged by the same cards as the chosen one."""
        for side in self.solution.side_wagers:
            if side.endings.wager == wager.name and side.reading == chosen.reading:
                yield self.at_least(wager, side)

    def at_least(self, wager: Wager, side: SideValue) -> SideValue:
        limit = self.filing.submission.limit(wager.name)
        return at_stake(side, limit.minimum_cents) if limit is not None else side

    def envy(self) -> EnvyValue | None:
        """What Envy adds for each other box under the chosen paytable, stake and reading."""
        letter, offer = (
            dict(self.filing.rules.letters).get(ENVY),
            self.filing.submission.progressive,
        )
        for value in self.solution.envy:
            if offer is not None and value.paytable == letter:
                same = value.assumed.stake_cents == offer.stake_cents
                if same and value.reading in (None, offer.hand):
                    return value
        return None

    @property
    def other_boxes(self) -> int:
        return self.filing.submission.boxes - 1

    def envy_added(self) -> Fraction:
        """What Envy adds to a Progressive wager when every other box makes it too."""
        envy = self.envy()
        return self.other_boxes * envy.ev_each_box if envy is not None else Fraction(0)

    def long_run(self, side: SideValue) -> tuple[Fraction, Fraction, Fraction]:
        """The parts of what a Progressive gives back: paid by odds, by resets, by increments."""
        offer = self.filing.submission.progressive
        assert offer is not None, "only a Progressive has meters"
        return *side.long_run(), offer.growth

    def even_chance(self) -> Fraction:
        """How often a round ends with no loss."""
        kept = sum(ways for net, ways in self.base.distribution().items() if net >= 0)
        return Fraction(kept, self.base.deals)

    def win_chance(self) -> Fraction:
        won = sum(ways for net, ways in self.base.distribution().items() if net > 0)
        return Fraction(won, self.base.deals)

    def bands(self, rounds: int) -> dict[str, FloatRange]:
        """By confidence: where the result of so many rounds lies, a round, in Antes won by the
        house; as often below as above, by the exact distribution of their sum."""
        tails = [(1 - confidence.share) / 2 for confidence in CONFIDENCE.values()]
        distribution = self.base.distribution()
        lost = quantiles(distribution, rounds, [1 - tail for tail in tails])
        won = quantiles(distribution, rounds, tails)
        return {name: (-low, -high) for name, low, high in zip(CONFIDENCE, lost, won, strict=True)}

    def normal_band(self, name: str, rounds: int) -> FloatRange:
        """What the volatility index makes of it."""
        half = CONFIDENCE[name].z * self.base.standard_deviation / sqrt(rounds)
        return -float(self.base.ev) - half, -float(self.base.ev) + half


def antes_shown(limit: WagerLimit, uncut_cents: Cents) -> tuple[Cents, ...]:
    """Some Antes that a table takes: the least, the last the payout limit never cuts, and more of
    those it does, up to the largest."""
    step = limit.increment_cents
    antes = range(limit.minimum_cents, limit.maximum_cents + 1, step)
    first_cut = bisect_right(antes, uncut_cents)
    cut = antes[first_cut:]
    shown = {antes[0], antes[-1], antes[max(first_cut - 1, 0)]}
    shown |= {cut[n * (len(cut) - 1) // (CUT_ANTES - 1)] for n in range(CUT_ANTES) if cut}
    return tuple(Cents(ante) for ante in sorted(shown))


def _by_ante(filing: Filing, progress: Progress) -> ByAnte | None:
    rules, limit = filing.rules, filing.submission.limit("ante")
    if rules.payout_limit_cents is None or limit is None:
        return None
    uncut_cents = largest_uncut_cents(rules, rules.payout_limit_cents)
    antes = antes_shown(limit, uncut_cents)
    values = values_by_ante(base_of(rules), rules.payout_limit_cents, antes, progress)
    return ByAnte(rules.payout_limit_cents, uncut_cents, values)


def figures_of(filing: Filing, progress: Progress = lambda what, done: None) -> Figures:
    """Solved from an earlier run where nothing has changed, the rest computed now; what side wagers
    do not change is shared by every table with this base game.

    A box wins at most its own best lines, and Envy once for each holder among the others.
    """
    rules, base, said = filing.rules, base_of(filing.rules), filing.submission
    follows = {wager.name for wager in filing.book.wagers if wager.equals is not None}
    largest = {name: limit.maximum_cents for name, limit in said.limits if name not in follows}
    table = exposure(rules, largest, boxes=said.boxes)
    alone = table_bound(rules, largest, {}, boxes=1)
    from_others_cents = table.bound.get(ENVY, 0) // max(said.boxes - 1, 1)
    return Figures(
        filing,
        solved(rules, progress),
        table,
        Cents(sum(alone.values()) + from_others_cents),
        _simple(filing, progress),
        _by_ante(filing, progress),
        counted_endings(base, (), LimitedAnte(Cents(100), NO_LIMIT), progress),
        tuple(
            (wager.name, counted_lines(base, wager.name, progress))
            for wager in filing.book.wagers
            if not wager.optional and rules.paytable(wager.name) is not None
        ),
        cross_check(filing, progress),
        decision_charts(base, progress),
    )


def _simple(filing: Filing, progress: Progress) -> Simple | None:
    """The shipped strategy of the game, where there is one."""
    name = f"{filing.rules.game.id}-simple"
    text = shipped().get(name)
    if text is None:
        return None
    strategy = read_strategy(text, name)
    return Simple(strategy, evaluate(filing.rules, strategy, progress))


def at_stake(side: SideValue, stake_cents: Cents) -> SideValue:
    return replace(side, assumed=Assumed(stake_cents, side.assumed.meters_cents))
