"""From phrases of a paytable to numbers: which classes of hands each line pays for.

Kernels know hands as class numbers. One sample hand of each class, ranked by the readable code,
tells which phrase of ``croupier.facts.showings`` is true of the class, so the kernels' tables are
filled by the same tests that settle rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from croupier.exact.kernels import four_card_rank
from croupier.exact.kernels.card_sets import CardSets, card_sets
from croupier.exact.kernels.poker_rank import rank_hands
from croupier.facts.cards import DECK, Card, Rank, Suit
from croupier.facts.hands import FIVE_CARD, FOUR_CARD, Hand, Ranking
from croupier.facts.showings import Showing, is_said_of
from croupier.rulebook.book import Paytable

Lines = NDArray[np.uint8]


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
def samples(ranking: Ranking) -> tuple[Hand, ...]:
    """One hand of each class, by class number, ranked by the readable code.

    Without a flush the ranks alone decide a hand and with one the set of ranks does, so every class
    has one of these.
    """
    mixed = combinations_with_replacement(Rank, ranking.size)
    hands = [_in_mixed_suits(ranks) for ranks in mixed if max(Counter(ranks).values()) <= len(Suit)]
    suited = combinations(Rank, ranking.size)
    hands += [tuple(Card(rank, Suit.CLUBS) for rank in ranks) for ranks in suited]
    return tuple(sorted(map(ranking.hand, hands), key=lambda hand: (hand.strength, hand.ranks)))


def _in_mixed_suits(ranks: tuple[Rank, ...]) -> tuple[Card, ...]:
    """Cards of these ranks, equal ranks side by side, no two neighbours of one suit."""
    return tuple(Card(rank, Suit(at % len(Suit))) for at, rank in enumerate(ranks))


@cache
def _is_said_of(ranking: Ranking, phrase: str) -> NDArray[np.bool_]:
    return np.array([is_said_of(phrase, Showing(hand, hand.cards)) for hand in samples(ranking)])


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
def five_card_counts() -> NDArray[np.int64]:
    """How many of the 2,598,960 five-card hands are of each class."""
    cards, weights = kinds(5)
    return _tallied(rank_hands(cards), weights, len(samples(FIVE_CARD)))


@cache
def four_of_five_counts() -> NDArray[np.int64]:
    """How many of the 2,598,960 five-card hands have a best four of each class."""
    cards, weights = kinds(5)
    return _tallied(four_card_rank.rank_hands(cards), weights, len(samples(FOUR_CARD)))


@cache
def six_card_counts() -> NDArray[np.int64]:
    """How many of the 20,358,520 six-card hands have a best five of each class.

    Each comes up six times, once with each of its cards as the sixth.
    """
    cards, weights = kinds(5)
    counts = np.zeros(len(samples(FIVE_CARD)), dtype=np.int64)
    for sixth in range(len(DECK)):
        able = (cards != sixth).all(axis=1)
        hands = np.column_stack([cards[able], np.full(np.count_nonzero(able), sixth, np.uint8)])
        counts += _tallied(rank_hands(hands), weights[able], len(counts))
    return counts // 6


def _tallied(
    classes: NDArray[np.integer], weights: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    counts = np.zeros(size, dtype=np.int64)
    np.add.at(counts, classes, weights)
    return counts
