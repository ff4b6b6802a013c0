"""A log counted round by round, tried against what is exact, and its results beside theory."""

from __future__ import annotations

import msgspec

from croupier.audit.lab.verdict import Verdict
from croupier.audit.log.case import RoundCase
from croupier.audit.log.statistics.counts import LogCounts, SideCounts
from croupier.audit.log.statistics.fair import fair_of
from croupier.audit.log.statistics.judgment import FEWEST, Chances, SampleCounts, judged_counts
from croupier.audit.log.statistics.skill import Skill, skill_of
from croupier.exact.solution_cache import solved
from croupier.facts.progress import Progress
from croupier.games.rules import Rules

MOST_RULES = 10


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


class RoundCounter:
    """An observer of an audit that counts every round."""

    def __init__(self) -> None:
        self._by_rules: dict[Rules, LogCounts] = {}
        self._last: LogCounts | None = None
        self._uncounted: set[str] = set()

    def __call__(self, case: RoundCase) -> None:
        if self._last is not None and self._last.rules is case.rules:
            self._last.add(case)  # hashing whole Rules takes longer than looking at who came last
            return
        gathered = self._by_rules.get(case.rules)
        if gathered is None:
            if fair_of(case.rules) is None:
                self._uncounted.add(case.book.id)
                return
            if len(self._by_rules) >= MOST_RULES:
                return
            gathered = self._by_rules[case.rules] = LogCounts(case.rules)
        self._last = gathered
        gathered.add(case)

    @property
    def gathered(self) -> tuple[LogCounts, ...]:
        """What was counted, by Rules."""
        return tuple(self._by_rules.values())

    def judged(self, progress: Progress = lambda what, done: None) -> Statistics:
        groups: list[Group] = []
        tried: list[tuple[SampleCounts, Chances]] = []
        untested = [f"{book}: its hands have not been counted" for book in sorted(self._uncounted)]
        for rules, gathered in self._by_rules.items():
            if not gathered.rounds:
                continue
            chances = Chances.of(rules, solved(rules, progress))
            groups.append(_group(gathered, chances, progress))
            if gathered.rounds < FEWEST:
                untested.append(f"{rules.book.id}: fewer than {FEWEST} rounds")
                continue
            if gathered.hidden:
                untested.append(
                    f"{rules.book.id}: starting hands and players' hands, since cards that stayed "
                    "face down are not in the log"
                )
            tried.append((gathered.counts(), chances))
        return Statistics(tuple(groups), judged_counts(tried) if tried else None, tuple(untested))


# Results


def _group(gathered: LogCounts, chances: Chances, progress: Progress) -> Group:
    rules, base = gathered.rules, chances.solution.base
    returns = {"base": float(base.ev)}
    results = []
    if gathered.base.staked_cents:
        results.append(_result("Base game, by its Ante", gathered.base, float(base.ev)))
    for name, side in gathered.sides.items():
        value = chances.side(name)
        returns[name] = float(value.ev)
        results.append(_result(rules.book.wager(name).title, side, float(value.ev)))
    players = sorted(gathered.players.items(), key=lambda item: -item[1].wagered_cents)
    return Group(
        rulebook=rules.book.id,
        rounds=gathered.rounds,
        hidden=gathered.hidden,
        results=tuple(results),
        skill=skill_of(gathered.choices, rules, chances.solution, progress),
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
