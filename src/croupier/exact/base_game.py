"""The base game, counted: every way a hand played to the end can come out, and what follows.

A :class:`RoundEnding` is one of the few ways in which the wagers against the dealer end together;
the solvers count how many deals bring each. What it pays is read from the same Rules that settle
rounds, so no odds are written here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from math import lcm, sqrt

from croupier.exact.endings import PLAIN, paid_of
from croupier.facts.errors import Refusal
from croupier.facts.hands import Hand
from croupier.facts.money import Cents
from croupier.facts.odds import PUSH, Odds, StakeOdds
from croupier.facts.showings import Showing
from croupier.games.rules import Rules
from croupier.rulebook.book import Street, Wager

FOLD = "fold"
PAYOUT_LIMIT = "payout_limit"
MOST_UNITS = 15_000_000  # sums over all deals then stay below 64 bits


class Showdown(IntEnum):
    """How the player's hand compares with the dealer's."""

    LOSS = -1
    TIE = 0
    WIN = 1


@dataclass(frozen=True)
class LimitedAnte:
    """An Ante in money under a payout limit, and the stakes beside it that the limit counts too.

    The base game pays by odds, so its value in Antes is the same for every Ante until a limit in
    dollars cuts what a large one wins (ruling 7). The whole cut is charged to the base game, as one
    line of its own; what is paid is in whole cents, as at the table (ruling 4). The limit is
    ``shipped`` where the table asked about sets none.
    """

    ante_cents: Cents
    limit_cents: Cents
    beside: tuple[tuple[str, Cents], ...] = ()
    shipped: bool = False


BetsInAntes = Fraction | Mapping[str, Fraction] | None
"""What was bet, in Antes: one Play, or by wager where bets add up; None for a fold."""


def wager_results(
    rules: Rules,
    play: BetsInAntes,
    showdown: Showdown,
    dealer_opens: bool,
    hand: Hand,
    limited: LimitedAnte | None = None,
) -> dict[str, tuple[Fraction, Fraction]]:
    """By wager of the base game: what was staked and what it won or lost, in Antes."""
    results = {}
    under_limit = Fraction(0)
    for wager in rules.book.wagers:
        stake = _stake(wager, play)
        if stake is None:
            continue
        odds = _odds(rules, wager, play is None, showdown, dealer_opens, hand)
        if wager.paid_on and odds is None:
            continue
        paid = _paid(odds, stake, limited)
        keeps_stake = wager.paid_on is not None or (odds is not None and odds.returns_stake)
        own_stake = Fraction(0) if wager.paid_on else stake
        results[wager.name] = (own_stake, paid if keeps_stake else paid - stake)
        under_limit += paid if is_limited(rules, wager.name) else 0
    if limited is not None and (cut := _cut(rules, hand, limited, under_limit)):
        results[PAYOUT_LIMIT] = (Fraction(0), -cut)
    return results


def _stake(wager: Wager, play: BetsInAntes) -> Fraction | None:
    """What lies on a wager of the base game, or on the one it is paid on; None where nothing is."""
    if wager.optional or (play is None and (wager.beside or wager.paid_on)):
        return None
    if wager.beside is None or play is None:
        return Fraction(1)
    return play.get(wager.name) if isinstance(play, Mapping) else play


def is_limited(rules: Rules, wager: str) -> bool:
    """Whether what a wager wins counts under the payout limit."""
    return rules.book.payout_limit is not None and wager in rules.book.payout_limit.wagers


def _paid(odds: Odds | None, stake: Fraction, limited: LimitedAnte | None) -> Fraction:
    """What these odds pay on a stake, both in Antes; where an Ante has a size, in whole cents."""
    if limited is None:
        return stake * paid_of(odds, PLAIN)
    stake_cents = int(stake * limited.ante_cents)
    paid_cents = odds.pays_cents(stake_cents) if isinstance(odds, StakeOdds) else 0
    return Fraction(paid_cents, limited.ante_cents)


def _cut(rules: Rules, hand: Hand, limited: LimitedAnte, paid: Fraction) -> Fraction:
    """What the payout limit takes back; the wagers beside are paid whatever was decided."""
    for name, stake_cents in limited.beside:
        odds = _line_odds(rules, rules.book.wager(name), hand)
        paid += _paid(odds, Fraction(stake_cents, limited.ante_cents), limited)
    return max(paid - Fraction(limited.limit_cents, limited.ante_cents), Fraction(0))


def _odds(
    rules: Rules, wager: Wager, folded: bool, showdown: Showdown, dealer_opens: bool, hand: Hand
) -> Odds | None:
    """The odds at which a wager in play is paid; None when it is lost."""
    contest = rules.book.contest
    if wager.paid_on is not None:
        return _line_odds(rules, wager, hand)
    if folded:
        return None
    needs = contest.dealer_needs
    if needs is not None and not dealer_opens and wager.name in needs.pushes:
        return PUSH
    if needs is not None and not dealer_opens and wager.name in needs.wins:
        showdown = Showdown.WIN
    tie = {"win": Showdown.WIN, "push": Showdown.TIE, "lose": Showdown.LOSS}[contest.tie.outcome]
    decided = tie if showdown is Showdown.TIE else showdown
    if decided is not Showdown.WIN:
        return PUSH if decided is Showdown.TIE else None
    odds = wager.pays.odds if wager.pays is not None else _line_odds(rules, wager, hand)
    return odds or PUSH


def _line_odds(rules: Rules, wager: Wager, hand: Hand) -> Odds | None:
    table = rules.paytable(wager.name)
    line = table.line_for(Showing(hand, hand.cards)) if table is not None else None
    return line.odds if line is not None else None


def whole_numbers(pays: list[Fraction], rules: Rules) -> tuple[int, list[int]]:
    """What lines pay in whole units, and how many units make one Ante; kernels add only these."""
    unit = lcm(*(pay.denominator for pay in pays))
    units = [int(pay * unit) for pay in pays]
    needed = 8 * unit + max(map(abs, units))
    if needed > MOST_UNITS:
        raise Refusal(
            "these odds are too high or too fine to be counted exactly: they take "
            f"{needed:,} units, and {MOST_UNITS:,} is the most; write smaller numbers",
            rules.book.cite(rules.book.refusals.no_such_option),
        )
    return unit, units


@dataclass(frozen=True)
class RoundEnding:
    """One way the base game ends: the action taken, each wager's stake and net, and how often."""

    action: str
    wagers: tuple[tuple[str, Fraction, Fraction], ...]
    ways: int

    @cached_property
    def staked(self) -> Fraction:
        return sum((stake for _, stake, _ in self.wagers), Fraction(0))

    @cached_property
    def net(self) -> Fraction:
        return sum((net for _, _, net in self.wagers), Fraction(0))


@dataclass(frozen=True)
class WagerEnds:
    """How often one wager of the base game wins, pushes and loses, and what it is worth."""

    played: int
    won: int
    pushed: int
    lost: int
    ev: Fraction


@dataclass(frozen=True)
class BaseGame:
    """Every case of the base game under one way of playing it."""

    cases: tuple[RoundEnding, ...]
    actions: tuple[str, ...]

    @cached_property
    def deals(self) -> int:
        return sum(case.ways for case in self.cases)

    def moment(self, power: int) -> Fraction:
        summed = sum((case.ways * case.net**power for case in self.cases), Fraction(0))
        return summed / self.deals

    @cached_property
    def ev(self) -> Fraction:
        """What one Ante wins or loses on average."""
        return self.moment(1)

    @cached_property
    def average_wager(self) -> Fraction:
        """Everything staked in a round, in Antes, on average."""
        return sum((case.ways * case.staked for case in self.cases), Fraction(0)) / self.deals

    @cached_property
    def variance(self) -> Fraction:
        return self.moment(2) - self.ev**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def skewness(self) -> float:
        third = self.moment(3) - 3 * self.ev * self.moment(2) + 2 * self.ev**3
        return float(third) / self.standard_deviation**3

    def action_ways(self) -> dict[str, int]:
        ways = dict.fromkeys(self.actions, 0)
        for case in self.cases:
            ways[case.action] += case.ways
        return ways

    def distribution(self) -> dict[Fraction, int]:
        """By net result in Antes, from the worst to the best: how many deals bring it."""
        ways: dict[Fraction, int] = {}
        for case in self.cases:
            ways[case.net] = ways.get(case.net, 0) + case.ways
        return {net: ways[net] for net in sorted(ways) if ways[net]}

    def wager_ends(self) -> dict[str, WagerEnds]:
        """By wager: how often it was in play and how it ended."""
        names = dict.fromkeys(name for case in self.cases for name, _, _ in case.wagers)
        return {name: self._ends(name) for name in names}

    def _ends(self, name: str) -> WagerEnds:
        ended = [(net, case.ways) for case in self.cases for w, _, net in case.wagers if w == name]
        return WagerEnds(
            played=sum(ways for _, ways in ended),
            won=sum(ways for net, ways in ended if net > 0),
            pushed=sum(ways for net, ways in ended if net == 0),
            lost=sum(ways for net, ways in ended if net < 0),
            ev=sum((net * ways for net, ways in ended), Fraction(0)) / self.deals,
        )


def case_of(
    rules: Rules,
    action: str,
    play: BetsInAntes,
    showdown: Showdown,
    dealer_opens: bool,
    hand: Hand,
    ways: int,
    limited: LimitedAnte | None = None,
) -> RoundEnding:
    results = wager_results(rules, play, showdown, dealer_opens, hand, limited)
    wagers = tuple((name, stake, net) for name, (stake, net) in results.items())
    return RoundEnding(action, wagers, ways)


def gathered(cases: Iterable[RoundEnding]) -> Iterator[RoundEnding]:
    """Cases that differ in nothing but their ways, added up; those that never happen left out."""
    ways: dict[tuple[str, tuple[tuple[str, Fraction, Fraction], ...]], int] = {}
    for case in cases:
        key = (case.action, case.wagers)
        ways[key] = ways.get(key, 0) + case.ways
    for (action, wagers), count in ways.items():
        if count:
            yield RoundEnding(action, wagers, count)


def actions(street: Street) -> dict[str, Fraction | None]:
    """Each Play worth considering, the largest first, and what is done otherwise.

    A wager wins or loses in proportion to its size, so between the least and the most Play nothing
    is ever better than both.
    """
    multiples = set(street.multiples)
    if street.least_multiple is not None and street.most_multiple is not None:
        multiples = {street.least_multiple, street.most_multiple}
    plays = {f"{multiple}x": Fraction(multiple) for multiple in sorted(multiples, reverse=True)}
    return {**plays, street.otherwise: None}
