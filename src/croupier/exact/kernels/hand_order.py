"""Poker's order of hands, as integers that compare: from it the evaluator's tables are computed.

A strength is the category's number followed by the ranks that decide within it, the most
important first, as hexadecimal digits (a two is 2, an ace is 14). It depends on how often each rank
occurs, or for flushes on the set of ranks in the suit, so it serves hands of five to seven cards.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from croupier.exact.kernels.array_types import Int64s, Integers, Uint8s
from croupier.exact.kernels.compiled import kernel

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL = range(
    10
)


@cache
def class_strengths() -> Int64s:
    """The strengths of all five-card hands in rising order: a hand's class is its place here."""
    suited = np.array([ranks for ranks in range(1 << 13) if ranks.bit_count() == 5])
    both = (strengths_of_counts(rank_counts(5)), strengths_of_flushes(suited))
    return np.unique(np.concatenate(both))


def rank_counts(size: int) -> Uint8s:
    """Every way to hold this many cards of 13 ranks, none more than four times: one row each."""
    ranks = np.array(list(combinations_with_replacement(range(13), size)), dtype=np.uint8)
    counts = np.zeros((len(ranks), 13), dtype=np.uint8)
    for column in ranks.T:
        counts[np.arange(len(ranks)), column] += 1
    possible: Uint8s = counts[counts.max(axis=1) <= 4]
    return possible


@kernel
def strengths_of_counts(counts: Integers) -> Int64s:
    """The strength of each row of rank counts when no five cards are of one suit."""
    strengths = np.empty(len(counts), dtype=np.int64)
    for row in range(len(counts)):
        strengths[row] = strength_of_counts(counts[row])
    return strengths


@kernel
def strengths_of_flushes(suited: Int64s) -> Int64s:
    """The strength of the best flush in each set of ranks of one suit; 0 for fewer than five."""
    strengths = np.empty(len(suited), dtype=np.int64)
    for row in range(len(suited)):
        strengths[row] = strength_of_flush(suited[row])
    return strengths


@kernel
def strength_of_counts(counts: Integers) -> int:
    four, three = highest(counts, 4, -1), highest(counts, 3, -1)
    pair = highest(counts, 2, three)
    top = straight_top(counts)
    if four >= 0:
        return written(FOUR, counts, four, -1, 4)
    if three >= 0 and pair >= 0:
        return written(FULL_HOUSE, counts, three, pair, 5)
    if top >= 0:
        return (STRAIGHT << 20) + ((top + 2) << 16)
    if three >= 0:
        return written(THREE, counts, three, -1, 3)
    if pair < 0:
        return written(HIGH_CARD, counts, -1, -1, 0)
    second = highest(counts, 2, pair)
    return written(PAIR if second < 0 else TWO_PAIR, counts, pair, second, 2 if second < 0 else 4)


@kernel
def strength_of_flush(suited: int) -> int:
    counts = np.zeros(13, dtype=np.uint8)
    for rank in range(13):
        counts[rank] = (suited >> rank) & 1
    if counts.sum() < 5:
        return 0
    top = straight_top(counts)
    if top >= 0:
        return ((ROYAL if top == 12 else STRAIGHT_FLUSH) << 20) + ((top + 2) << 16)
    return written(FLUSH, counts, -1, -1, 0)


@kernel
def highest(counts: Integers, least: int, other_than: int) -> int:
    """The highest rank that occurs at least so often, not counting one rank; -1 when none does."""
    for rank in range(12, -1, -1):
        if counts[rank] >= least and rank != other_than:
            return rank
    return -1


@kernel
def straight_top(counts: Integers) -> int:
    """The top rank of the best straight, 3 (a five) for ace to five; -1 when there is none."""
    for top in range(12, 2, -1):
        length = 0
        while length < 5 and counts[(top - length) % 13] > 0:  # below the two stands the ace
            length += 1
        if length == 5:
            return top
    return -1


@kernel
def written(category: int, counts: Integers, first: int, second: int, used: int) -> int:
    """The category, one or two ranks that are grouped, and kickers until there are five cards."""
    strength = category
    digits = 0
    for grouped in (first, second):
        if grouped >= 0:
            strength = (strength << 4) + grouped + 2
            digits += 1
    for rank in range(12, -1, -1):
        if used < 5 and counts[rank] > 0 and rank != first and rank != second:
            strength = (strength << 4) + rank + 2
            digits += 1
            used += 1
    return strength << (4 * (5 - digits))
