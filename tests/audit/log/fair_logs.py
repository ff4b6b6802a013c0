"""Fair logs drawn as arrays of counts: what thousands of them would show, and no round dealt.

Each count is drawn from what a fair deck gives. Counts of one real log depend on one another, since
they come from the same cards; Holm's rule holds whatever they have to do with one another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.audit.lab.verdict import Verdict
from croupier.audit.log.statistics.judgment import CARDS, Chances, SampleCounts, judged_counts
from croupier.exact.kernels.compiled import kernel
from croupier.exact.solution_cache import solved
from croupier.submission.check import shipped_submission
from tests.audit.log.logs import HOUSE

BOOKS = tuple(HOUSE.books)
BOXES = 4


@dataclass
class FairLogs:
    """Logs of four boxes with every side wager made in every round.

    ``loaded`` may put other chances in the place of the fair ones: by wager, how it ends.
    """

    book: str
    rounds: int
    seed: int
    loaded: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    dealers: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        self._chance = np.random.default_rng([self.seed, self.rounds, BOOKS.index(self.book)])

    @cached_property
    def chances(self) -> Chances:
        rules = shipped_submission(self.book).rules(HOUSE)
        return Chances.of(rules, solved(rules))

    @property
    def cards_a_round(self) -> int:
        places = self.chances.rules.book.places
        return sum(
            place.cards * (BOXES if place.name == "box" else 1)
            for place in places
            if place.only_for is None
        )

    def verdict(self) -> Verdict:
        return judged_counts([(self.drawn(), self.chances)])

    def drawn(self) -> SampleCounts:
        fair, cards = self.chances.fair, self.cards_a_round
        sides = {
            name: {**dict(due), **self.loaded.get(name, {})}
            for name, due in self.chances.sides.items()
        }
        return SampleCounts(
            cards=self._cards(cards),
            due_each=self.rounds * cards / CARDS,
            scale=self.rounds * cards * (CARDS - cards) / (CARDS * (CARDS - 1)),
            starts=self._of(np.array([*self.chances.starts.values()])),
            players=self._of(fair.players()),
            dealers=self._of(fair.dealers() if self.dealers is None else self.dealers),
            sides={
                name: dict(zip(due, self._of(np.array([*due.values()])).tolist(), strict=True))
                for name, due in sides.items()
            },
        )

    def _of(self, ways: NDArray[Any]) -> NDArray[np.int64]:
        return self._chance.multinomial(self.rounds, ways / ways.sum())

    def _cards(self, each: int) -> NDArray[np.int64]:
        counts = np.zeros(CARDS, dtype=np.int64)
        _deal(self.rounds, each, int(self._chance.integers(1 << 62)), counts)
        return counts


@kernel
def _deal(rounds: int, each: int, seed: int, counts: Any) -> None:
    """Count how often each card comes from the top of a deck that is shuffled so far each round.

    Numbers are those of splitmix64, of whose 64 bits the upper ones choose among the cards left.
    """
    deck = np.arange(CARDS)
    state = np.uint64(seed)
    for _ in range(rounds):
        for place in range(each):
            state += np.uint64(0x9E3779B97F4A7C15)
            mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            left = np.uint64(CARDS - place)
            at = place + np.int64(((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(32)) * left
                                  >> np.uint64(32))  # fmt: skip
            deck[place], deck[at] = deck[at], deck[place]
            counts[deck[place]] += 1
