"""How often a fair deck shows each class of hand: exact counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from croupier.exact.classes import five_card_counts, four_of_five_counts, kinds, samples
from croupier.exact.kernels import four
from croupier.exact.kernels.ranks import (
    class_strengths,
    rank_counts,
    strengths_of_counts,
    strengths_of_flushes,
)
from croupier.exact.uth import start_name
from croupier.facts.cards import DECK
from croupier.facts.hands import FIVE_CARD, FOUR_CARD, Ranking
from croupier.games.rules import Rules

FLUSH = 5


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
    for suited in range(FLUSH, size + 1):
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
    flushes: NDArray[np.int64] = ways - 4 * of_suit[:, FLUSH:].sum(axis=1)
    return flushes


@cache
def best_four_of_six_counts() -> NDArray[np.int64]:
    """How many of the 20,358,520 six-card hands have a best four of each class."""
    cards, weights = kinds(5)
    counts = np.zeros(len(samples(FOUR_CARD)), dtype=np.int64)
    for sixth in range(len(DECK)):
        able = (cards != sixth).all(axis=1)
        hands = np.column_stack([cards[able], np.full(np.count_nonzero(able), sixth, np.uint8)])
        np.add.at(counts, four.rank_hands(hands), weights[able])
    return counts // 6


def player_counts(rules: Rules) -> NDArray[np.int64]:
    return best_five_counts(7) if rules.game.id == "uth" else four_of_five_counts()


def dealer_counts(rules: Rules) -> NDArray[np.int64]:
    return best_five_counts(7) if rules.game.id == "uth" else best_four_of_six_counts()


def by_category(ranking: Ranking, counts: Sequence[int] | NDArray[np.int64]) -> dict[str, int]:
    """Counts of classes added up by category, the weakest first."""
    found: Counter[str] = Counter()
    for hand, count in zip(samples(ranking), counts, strict=True):
        found[str(hand.category)] += int(count)
    return dict(found)


@cache
def starts(game: str) -> dict[str, float]:
    """The chance of each starting hand: two cards by rank and suit, or five by their category."""
    if game != "uth":
        counted = by_category(FIVE_CARD, five_card_counts())
        return {name: count / comb(52, 5) for name, count in counted.items()}
    two: Counter[str] = Counter()
    for high in range(len(DECK)):
        for low in range(high):
            two[start_name(DECK[high], DECK[low])] += 1
    return {name: count / comb(52, 2) for name, count in two.items()}
