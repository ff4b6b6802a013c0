"""A log as arrays of counts, and the trials of them against exact chances.

Nothing here has seen a round: a command that read a log and a proof that drew a thousand fair ones
bring the same arrays to the same function, so what is proved of it holds for both.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from croupier.audit.lab.trials import Cell, Trial, chi_square, exact, fit, normal
from croupier.audit.lab.verdict import Verdict, judged
from croupier.audit.log.statistics.fair import Fair, by_category, fair_of
from croupier.exact.hand_samples import samples
from croupier.exact.solution import SideValue, Solution
from croupier.facts.cards import DECK
from croupier.games.rules import Rules

CARDS = len(DECK)
FEWEST = 200
MANY = 30  # so many kinds and more are judged by their chi-square, fewer one by one
LOST, UNLISTED = "lost", "paid what no line pays"

CaseCounts = NDArray[np.int64]


@dataclass(frozen=True)
class SampleCounts:
    """What one log showed, or one that was drawn.

    ``starts`` and ``players`` are None where cards stayed face down. ``sides`` counts each wager by
    how it ended: by the odds that were paid, :data:`LOST`, or :data:`UNLISTED`.
    """

    cards: CaseCounts
    due_each: float  # how often each card is expected
    scale: float  # of the chi-square of cards of which no two in a round are alike
    starts: CaseCounts | None  # by starting hand
    players: CaseCounts | None  # by class of hand
    dealers: CaseCounts
    sides: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Chances:
    """What a fair deck gives under some Rules, each figure exact."""

    rules: Rules
    solution: Solution
    fair: Fair

    @classmethod
    def of(cls, rules: Rules, solution: Solution) -> Chances:
        fair = fair_of(rules)
        assert fair is not None, "asked only about hands that can be counted"
        return cls(rules, solution, fair)

    @cached_property
    def starts(self) -> dict[str, float]:
        return self.fair.starts()

    @cached_property
    def opens(self) -> NDArray[np.bool_] | None:
        """By class of hand: whether a dealer who holds it qualifies; None where all do."""
        contest, ranking = self.rules.book.contest, self.rules.game.ranking
        if contest.dealer_needs is None:
            return None
        return np.array([contest.opens(ranking, hand) for hand in samples(ranking)])

    @cached_property
    def players(self) -> dict[str, float]:
        return self._categories(self.fair.players())

    @cached_property
    def dealers(self) -> dict[str, float]:
        return self._categories(self.fair.dealers())

    @cached_property
    def qualifies(self) -> float:
        ways = self.fair.dealers()
        return float(ways[self.opens].sum() / ways.sum())

    @cached_property
    def sides(self) -> dict[str, dict[str, float]]:
        """By wager that a fold leaves alone: the chance of each way it can end."""
        return {
            wager.name: ends_of(self.side(wager.name))
            for wager in self.rules.book.wagers
            if wager.optional and wager.fold.outcome == "stays" and self.rules.offers(wager.name)
        }

    def side(self, name: str) -> SideValue:
        rules = self.rules
        terms, book = rules.progressive, rules.book.progressive
        reading = None
        judged_by_choice = rules.book.wager(name).judged_by == "progressive hand"
        if judged_by_choice and book is not None and book.hands:
            reading = terms.hand if terms is not None and terms.hand else book.hand_when_silent
        return self.solution.side(name, dict(rules.letters)[name], reading)

    def _categories(self, ways: CaseCounts) -> dict[str, float]:
        due = by_category(self.rules.game.ranking, ways)
        total = sum(due.values())
        return {name: count / total for name, count in due.items()}


def ends_of(side: SideValue) -> dict[str, float]:
    """The chance of each way a wager can end; lines that pay alike are one."""
    chances: dict[str, float] = {}
    for ending in side.endings.endings:
        name = str(ending.odds) if ending.odds is not None else LOST
        chances[name] = chances.get(name, 0.0) + float(side.endings.chance(ending))
    return chances


def judged_counts(logs: Iterable[tuple[SampleCounts, Chances]]) -> Verdict:
    """Every trial of every set of Rules in a log, judged together."""
    return judged([trial for counts, chances in logs for trial in trials_of(counts, chances)])


def trials_of(counts: SampleCounts, chances: Chances) -> Iterator[Trial]:
    """Every trial of one set of Rules; each p is one that a fair log has no more often than p."""
    book = chances.rules.book
    yield _cards(f"{book.id}: cards dealt", counts)
    if counts.starts is not None:
        yield _fits(f"{book.id}: starting hands", counts.starts, chances.starts, "starting hand")
    ranking = chances.rules.game.ranking
    for who, classes, due in (
        ("players'", counts.players, chances.players),
        ("dealer's", counts.dealers, chances.dealers),
    ):
        if classes is not None:
            seen = by_category(ranking, classes)
            yield _fits(f"{book.id}: {who} hands", [seen[name] for name in due], due, "hand")
            ways = chances.fair.players() if classes is counts.players else chances.fair.dealers()
            yield _height(f"{book.id}: {who} hands, how high", classes, ways)
    if chances.opens is not None:
        cell = Cell("qualifying hands", int(counts.dealers[chances.opens].sum()), chances.qualifies)
        yield exact(f"{book.id}: dealer qualifies", [cell], int(counts.dealers.sum()), cell)
    for name, ended in counts.sides.items():
        if sum(ended.values()) >= FEWEST:
            yield _wager(f"{book.id}: {book.wager(name).title}", ended, chances.sides[name])


def _cards(name: str, counts: SampleCounts) -> Trial:
    """Chi-square of cards of which no two of a round are alike."""
    off = counts.cards - counts.due_each
    statistic = float((off**2).sum()) / counts.scale
    return chi_square(
        name,
        statistic,
        CARDS - 1,
        int(counts.cards.sum()),
        "one card dealt {:.2%} too often",
        lambda noncentral: math.sqrt(noncentral * counts.scale) / counts.due_each,
    )


def _fits(
    name: str, seen: CaseCounts | Sequence[int], due: Mapping[str, float], what: str
) -> Trial:
    """Kinds of hands against their chances: together where they are many, or one by one.

    A chi-square of many cells keeps its rate; with few of them, some rare, it fails too many.
    """
    if len(due) >= MANY:
        return fit(name, np.asarray(seen), [*due.values()], f"the commonest {what} {{:.1%}} off")
    cells = [Cell(kind, int(count), due[kind]) for kind, count in zip(due, seen, strict=True)]
    commonest = max(cells, key=lambda cell: cell.chance)
    size = sum(cell.count for cell in cells)
    return exact(name, cells, size, replace(commonest, name=f"the commonest {what}"))


def _height(name: str, classes: CaseCounts, ways: CaseCounts) -> Trial:
    """The mean share of all hands that a hand is higher than: who is favored holds higher ones.

    Each share lies between 0 and 1 and all are about equally likely, and a sum of some hundred such
    is as good as normal, far into its tails.
    """
    due = ways / ways.sum()
    height = due.cumsum() - due / 2
    size = int(classes.sum())
    spread = math.sqrt(float(due @ (height - 0.5) ** 2) / size)
    z = (float(classes @ height) / size - 0.5) / spread
    return normal(name, z, size, "hands that beat {:.1%} more or fewer of all", spread)


def _wager(name: str, ended: Mapping[str, int], due: Mapping[str, float]) -> Trial:
    """How often a side wager ended on each line; a payment that is on none of them cannot be."""
    size = sum(ended.values())
    cells = [Cell(end, ended.get(end, 0), chance) for end, chance in due.items()]
    unlisted = sum(count for end, count in ended.items() if end not in due)
    lost = due.get(LOST, 0.0)
    wins = Cell("wins", size - ended.get(LOST, 0), 1 - lost)
    return exact(name, [*cells, Cell(UNLISTED, unlisted, 0.0)], size, wins)
