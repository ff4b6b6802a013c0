"""The tests of a log against what is exact, judged together, and what it could have found."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import msgspec
import numpy as np

from croupier.audit.lab.trials import Trial, chi_square, fit, normal
from croupier.audit.lab.verdict import Verdict, judged
from croupier.audit.log.case import RoundCase
from croupier.audit.log.statistics.counts import CARDS, LogCounts, SideCounts
from croupier.audit.log.statistics.fair import by_category, fair_of
from croupier.audit.log.statistics.skill import Skill, skill_of
from croupier.exact.base_game import BaseGame
from croupier.exact.hand_classes import samples
from croupier.exact.solution import SideValue, Solution
from croupier.exact.solution_cache import solved
from croupier.games.rules import Rules

FEWEST = 200
MOST_RULES = 10
Solve = Callable[[Rules], Solution]


class Result(msgspec.Struct, frozen=True):
    """One wager, or the whole base game: won by the table, and what theory gives it."""

    wager: str
    staked_cents: int
    table_won_cents: int
    theoretical_cents: int


class PlayerResult(msgspec.Struct, frozen=True):
    player: str
    rounds: int
    wagered_cents: int
    won_cents: int
    theoretical_loss_cents: int


class Group(msgspec.Struct, frozen=True):
    """Everything about the rounds under one set of Rules."""

    rulebook: str
    rounds: int
    hidden: int
    results: tuple[Result, ...]
    skill: Skill | None
    players: tuple[PlayerResult, ...]


class Statistics(msgspec.Struct, frozen=True):
    """``verdict`` is None for a log too short to be tested; ``untested`` says what was not."""

    groups: tuple[Group, ...]
    verdict: Verdict | None
    untested: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return self.verdict is None or self.verdict.passed

    @property
    def failed(self) -> int:
        return len(self.verdict.failed) if self.verdict is not None else 0


class Counting:
    """A witness of an audit, that hears of every round."""

    def __init__(self) -> None:
        self._by_rules: dict[Rules, LogCounts] = {}
        self._uncounted: set[str] = set()

    def __call__(self, case: RoundCase) -> None:
        gathered = self._by_rules.get(case.rules)
        if gathered is None:
            if fair_of(case.rules) is None:
                self._uncounted.add(case.book.id)
                return
            if len(self._by_rules) >= MOST_RULES:
                return
            gathered = self._by_rules[case.rules] = LogCounts(case.rules)
        gathered.add(case)

    def told(self, solve: Solve = solved) -> Statistics:
        groups: list[Group] = []
        trials: list[Trial] = []
        untested = [f"{book}: its hands have not been counted" for book in sorted(self._uncounted)]
        for rules, gathered in self._by_rules.items():
            if not gathered.rounds:
                continue
            solution = solve(rules)
            groups.append(_group(gathered, solution))
            if gathered.rounds < FEWEST:
                untested.append(f"{rules.book.id}: fewer than {FEWEST} rounds")
                continue
            if gathered.hidden:
                untested.append(
                    f"{rules.book.id}: starting hands and players' hands, since cards that stayed "
                    "face down are not in the log"
                )
            trials += _trials(gathered, solution)
        return Statistics(tuple(groups), judged(trials) if trials else None, tuple(untested))


def _trials(gathered: LogCounts, solution: Solution) -> Iterator[Trial]:
    rules, book = gathered.rules, gathered.rules.book.id
    yield _cards(gathered)
    if not gathered.hidden:
        chances = gathered.fair.starts()
        counts = [gathered.starts[name] for name in chances]
        yield fit(
            f"{book}: starting hands",
            counts,
            [*chances.values()],
            "the commonest starting hand {:.1%} off",
        )
        classes, ways = gathered.player_classes(), gathered.fair.players()
        yield _categories(f"{book}: players' hands", rules, classes, ways)
    classes, ways = gathered.dealer_classes(), gathered.fair.dealers()
    yield _categories(f"{book}: dealer's hands", rules, classes, ways)
    yield from _qualifies(gathered)
    for name, side in gathered.sides.items():
        if side.tested >= FEWEST:
            title = rules.book.wager(name).title
            yield _win(book, title, side, _side_value(rules, solution, name))


def _cards(gathered: LogCounts) -> Trial:
    """Chi-square of cards of which no two of a round are alike."""
    off = gathered.cards - gathered.expected
    statistic = float((off**2).sum()) / gathered.scale
    size = int(gathered.cards.sum())
    return chi_square(
        f"{gathered.rules.book.id}: cards dealt",
        statistic,
        CARDS - 1,
        size,
        "one card dealt {:.2%} too often",
        lambda noncentral: math.sqrt(noncentral * gathered.scale) / gathered.expected,
    )


def _categories(name: str, rules: Rules, classes: object, ways: object) -> Trial:
    ranking = rules.game.ranking
    seen = by_category(ranking, classes)  # type: ignore[arg-type]
    due = by_category(ranking, ways)  # type: ignore[arg-type]
    total = sum(due.values())
    return fit(
        name,
        [seen[category] for category in due],
        [count / total for count in due.values()],
        "the commonest hand {:.1%} off",
    )


def _qualifies(gathered: LogCounts) -> Iterator[Trial]:
    rules = gathered.rules
    contest, ranking = rules.book.contest, rules.game.ranking
    if contest.dealer_needs is None:
        return
    opens = np.array([contest.opens(ranking, hand) for hand in samples(ranking)])
    ways, seen = gathered.fair.dealers(), gathered.dealer_classes()
    chance = float(ways[opens].sum() / ways.sum())
    size = int(seen.sum())
    spread = math.sqrt(chance * (1 - chance) / size)
    z = (float(seen[opens].sum()) / size - chance) / spread
    name = f"{rules.book.id}: dealer qualifies"
    yield normal(name, z, size, "{:.2%} of rounds more or fewer", spread)


def _win(book: str, name: str, side: SideCounts, value: SideValue) -> Trial:
    """Money where odds decide it; how often it is won where dollars or a meter do."""
    if value.depends_on_money:
        chance = float(value.endings.hit_frequency())
        spread = math.sqrt(chance * (1 - chance) / side.tested)
        z = (side.hits / side.tested - chance) / spread
        return normal(
            f"{book}: how often {name} wins", z, side.tested, "{:.2%} of rounds off", spread
        )
    mean, variance = float(value.ev), float(value.endings.variance(value.assumed))
    spread = math.sqrt(side.tested_squares * variance)
    z = (side.tested_net_cents - side.tested_cents * mean) / spread
    one_sigma = spread / side.tested_cents
    return normal(f"{book}: win on {name}", z, side.tested, "a return {:.1%} off", one_sigma)


def _side_value(rules: Rules, solution: Solution, name: str) -> SideValue:
    terms, book = rules.progressive, rules.book.progressive
    reading = None
    judged_by_choice = rules.book.wager(name).judged_by == "progressive hand"
    if judged_by_choice and book is not None and book.hands:
        reading = terms.hand if terms is not None and terms.hand else book.hand_when_silent
    return solution.side(name, dict(rules.letters)[name], reading)


# Results


def _group(gathered: LogCounts, solution: Solution) -> Group:
    rules = gathered.rules
    base: BaseGame = solution.base
    returns = {"base": float(base.ev)}
    results = []
    if gathered.base.staked_cents:
        results.append(_result("Base game, by its Ante", gathered.base, float(base.ev)))
    for name, side in gathered.sides.items():
        value = _side_value(rules, solution, name)
        returns[name] = float(value.ev)
        results.append(_result(rules.book.wager(name).title, side, float(value.ev)))
    players = sorted(gathered.players.items(), key=lambda item: -item[1].wagered_cents)
    return Group(
        rulebook=rules.book.id,
        rounds=gathered.rounds,
        hidden=gathered.hidden,
        results=tuple(results),
        skill=skill_of(gathered, solution),
        players=tuple(
            PlayerResult(
                name,
                player.rounds,
                player.wagered_cents,
                player.net_cents,
                round(-sum(player.staked[wager] * ev for wager, ev in returns.items())),
            )
            for name, player in players
        ),
    )


def _result(name: str, side: SideCounts, ev: float) -> Result:
    return Result(
        wager=name,
        staked_cents=side.staked_cents,
        table_won_cents=-side.net_cents,
        theoretical_cents=round(-side.staked_cents * ev),
    )
