"""From phrases of a paytable to numbers: which classes of hands each line pays for.

Kernels know hands as class numbers. One sample hand of each class, ranked by the readable code,
tells which phrase of ``croupier.facts.showings`` is true of the class, so the kernels' tables are
filled by the same tests that settle rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from croupier.exact.hand_samples import samples
from croupier.exact.kernels import four_card_rank
from croupier.exact.kernels.card_sets import CardSets, card_sets, kinds_of
from croupier.exact.kernels.hand_order import (
    class_strengths,
    rank_counts,
    strengths_of_counts,
    strengths_of_flushes,
)
from croupier.facts.cards import DECK
from croupier.facts.hands import FOUR_CARD, Ranking
from croupier.facts.showings import Showing, is_said_of
from croupier.rulebook.book import Paytable

Lines = NDArray[np.uint8]
_FLUSH = 5


@cache
def all_sets() -> CardSets:
    """Every kind of set of up to five cards of a full deck."""
    return card_sets(np.arange(len(DECK), dtype=np.uint8))


def kinds(size: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The sample cards of each kind of set of this size, and how many sets it stands for."""
    sets = all_sets()
    chosen = slice(sets.starts[size], sets.starts[size + 1])
    return sets.cards[chosen, :size], sets.weights[chosen]


@cache
def _showings(ranking: Ranking) -> list[Showing]:
    return [Showing(hand, hand.cards) for hand in samples(ranking)]


@cache
def _is_said_of(ranking: Ranking, phrase: str) -> NDArray[np.bool_]:
    return np.array([is_said_of(phrase, showing) for showing in _showings(ranking)])


def lines_of_classes(table: Paytable, ranking: Ranking) -> Lines:
    """By class: the number of the first line that pays for it, or one past the last."""
    lines = np.full(len(samples(ranking)), len(table.lines), dtype=np.uint8)
    for number, line in reversed(list(enumerate(table.lines))):
        lines[_is_said_of(ranking, line.phrase)] = number
    return lines


def common_cells(partitions: Sequence[Lines]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The coarsest partition that is at least as fine as each of these.

    Gives the cell of each class, and a class of each cell.
    """
    together = np.stack([np.asarray(partition) for partition in partitions], axis=1)
    _, firsts, cells = np.unique(together, axis=0, return_index=True, return_inverse=True)
    if len(firsts) > 256:
        raise ValueError("these paytables tell more than 256 kinds of hands apart")
    return cells.reshape(-1).astype(np.uint8), firsts.astype(np.int64)


@cache
def best_five_counts(size: int) -> NDArray[np.int64]:
    """How many hands of so many cards have a best five of each class.

    Hands with five or more of a suit are counted by that suit's ranks; the others by their rank
    counts, of whose suits those with a flush are taken away.
    """
    strengths = class_strengths()
    counts = np.zeros(len(strengths), dtype=np.int64)
    ranks = rank_counts(size).astype(np.int64)
    classes = np.searchsorted(strengths, strengths_of_counts(ranks.astype(np.uint64)))
    np.add.at(counts, classes, _without_flush(ranks, size))
    sets = np.arange(1 << 13)
    held = np.array([bin(ranks_held).count("1") for ranks_held in sets.tolist()])
    flushes = np.searchsorted(strengths, strengths_of_flushes(sets))
    for suited in range(_FLUSH, size + 1):
        chosen = flushes[held == suited]
        np.add.at(counts, chosen, 4 * comb(39, size - suited))
    return counts


def _without_flush(ranks: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """By rank counts: the ways to give them suits with fewer than five of each suit."""
    whole = np.array([comb(4, n) for n in range(5)])
    without, with_one = np.array([1, 3, 3, 1, 0]), np.array([0, 1, 3, 3, 1])
    ways = np.prod(whole[ranks], axis=1)
    of_suit = np.zeros((len(ranks), size + 1), dtype=np.int64)
    of_suit[:, 0] = 1
    for rank in range(ranks.shape[1]):
        more = np.zeros_like(of_suit)
        more[:, 1:] = of_suit[:, :-1] * with_one[ranks[:, rank]][:, None]
        of_suit = of_suit * without[ranks[:, rank]][:, None] + more
    flushes: NDArray[np.int64] = ways - 4 * of_suit[:, _FLUSH:].sum(axis=1)
    return flushes


@cache
def four_of_five_counts() -> NDArray[np.int64]:
    """How many of the 2,598,960 five-card hands have a best four of each class."""
    cards, weights = kinds_of(np.arange(len(DECK), dtype=np.uint8), 5)
    return _tallied(four_card_rank.rank_hands(cards), weights, len(samples(FOUR_CARD)))


def _tallied(
    classes: NDArray[np.integer], weights: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    counts = np.zeros(size, dtype=np.int64)
    np.add.at(counts, classes, weights)
    return counts
