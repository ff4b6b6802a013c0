"""Poker's order of hands, as integers that compare: from it the evaluator's tables are computed.

A strength is the category's number followed by the ranks that decide within it, the most
important first, as hexadecimal digits (a two is 2, an ace is 14). It depends on how often each rank
occurs, or for flushes on the set of ranks in the suit, so it serves hands of five to seven cards.

Here whole columns of hands are ordered at once, by NumPy alone: nothing is compiled for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from croupier.exact.kernels.array_types import Int64s, Integers, Uint8s

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL = range(
    10
)
_LOW_RANKS = 7


@cache
def class_strengths() -> Int64s:
    """The strengths of all five-card hands in rising order: a hand's class is its place here."""
    suited = np.array([ranks for ranks in range(1 << 13) if ranks.bit_count() == 5])
    both = (strengths_of_counts(rank_counts(5)), strengths_of_flushes(suited))
    return np.sort(np.concatenate(both))


def strength_of(category: int, ranks: Sequence[int]) -> int:
    """The least strength of a category in which these ranks, a two being 2, come first."""
    return (category << 20) + sum(rank << 4 * (4 - place) for place, rank in enumerate(ranks))


def rank_counts(size: int) -> Uint8s:
    """Every way to hold this many cards of 13 ranks, none more than four times: one row each."""
    low, high = (_counts_up_to(size, ranks) for ranks in (_LOW_RANKS, 13 - _LOW_RANKS))
    parts = []
    for cards in range(size + 1):
        below, above = low[low.sum(axis=1) == cards], high[high.sum(axis=1) == size - cards]
        tiled = np.tile(below, (len(above), 1)), np.repeat(above, len(below), axis=0)
        parts.append(np.hstack(tiled))
    return np.concatenate(parts)


def _counts_up_to(size: int, ranks: int) -> Uint8s:
    """Every way to hold at most so many cards of some ranks."""
    counts = np.zeros((1, 0), dtype=np.uint8)
    for _ in range(ranks):
        more = np.repeat(np.arange(5, dtype=np.uint8), len(counts))
        counts = np.hstack([np.tile(counts, (5, 1)), more[:, None]])
        counts = counts[counts.sum(axis=1) <= size]
    return counts


def strengths_of_counts(counts: Integers) -> Int64s:
    """The strength of each row of rank counts when no five cards are of one suit."""
    held, twice, thrice, whole = (held_at_least(counts, times) for times in (1, 2, 3, 4))
    four, three = highest(whole), highest(thrice)
    pairs = without(twice, three)
    pair = highest(pairs)
    second = highest(without(pairs, pair))
    top = straight_tops(held)
    none = np.full(len(counts), -1)
    found = none.copy()
    # From the best category to the least: which rows are in it, its groups, how many kickers.
    for category, is_it, first, other, kickers in (
        (FOUR, four >= 0, four, none, 1),
        (FULL_HOUSE, (three >= 0) & (pair >= 0), three, pair, 0),
        (STRAIGHT, top >= 0, top, none, 0),
        (THREE, three >= 0, three, none, 2),
        (TWO_PAIR, second >= 0, pair, second, 1),
        (PAIR, pair >= 0, pair, none, 3),
        (HIGH_CARD, none < 0, none, none, 5),
    ):
        rows = np.flatnonzero(is_it & (found < 0))
        found[rows] = _written(category, held[rows], first[rows], other[rows], kickers)
    return found


def strengths_of_flushes(suited: Int64s) -> Int64s:
    """The strength of the best flush in each set of ranks of one suit; 0 for fewer than five."""
    top, none = straight_tops(suited), np.full(len(suited), -1)
    straight = _written(STRAIGHT_FLUSH, suited, top, none, 0) + ((top == 12) << 20)
    found = np.where(top >= 0, straight, _written(FLUSH, suited, none, none, 5))
    return np.where(cards_in(suited) < 5, 0, found)


# Sets of ranks, 13 bits each


def held_at_least(counts: Integers, times: int) -> Int64s:
    """By row of rank counts: the ranks that are held so often."""
    bits = np.packbits(counts >= times, axis=1, bitorder="little")
    return bits[:, 0] + (bits[:, 1].astype(np.int64) << 8)


def highest(held: Int64s) -> Int64s:
    """The highest rank of each set; -1 of none."""
    return _highest_of_sets()[held]


@cache
def _highest_of_sets() -> Int64s:
    return np.repeat(np.arange(-1, 13), [1, *(1 << np.arange(13))])


def without(held: Int64s, rank: Int64s) -> Int64s:
    """Each set without a rank; the whole of it where the rank is -1."""
    return held & ~(1 << rank + 1 >> 1)


def cards_in(held: Int64s) -> Int64s:
    """How many ranks each set has."""
    return (held[:, None] >> np.arange(13) & 1).sum(axis=1, dtype=np.int64)


def straight_tops(held: Int64s, length: int = 5) -> Int64s:
    """The top rank of the best straight in each set, an ace also below the two; -1 without one."""
    runs = with_low_ace = held << 1 | held >> 12
    for below in range(1, length):
        runs = runs & with_low_ace >> below
    return np.where(runs > 0, highest(runs) + length - 2, -1)


def leading(held: Int64s, wanted: int, base: int, least: int) -> Int64s:
    """The highest ranks of each set, so many as wanted, as digits in a base; a two is ``least``.

    Sets have so many, or the last digits are missing.
    """
    return _leading_of_sets(wanted, base, least)[held]


@cache
def _leading_of_sets(wanted: int, base: int, least: int) -> Int64s:
    left = np.arange(1 << 13)
    digits = np.zeros_like(left)
    for _ in range(wanted):
        rank = highest(left)
        digits = digits * base + np.where(rank < 0, 0, rank + least)
        left = without(left, rank)
    return digits


def _written(category: int, held: Int64s, first: Int64s, second: Int64s, kickers: int) -> Int64s:
    """The category, one or two ranks that are grouped, and kickers: five digits in all."""
    apart = without(without(held, first), second)
    groups = np.where(first >= 0, first + 2, 0)
    groups = np.where(second >= 0, groups * 16 + second + 2, groups)
    digits = (first >= 0).astype(np.int64) + (second >= 0) + kickers
    grouped = groups * 16**kickers + leading(apart, kickers, 16, 2)
    return (category << 20) + grouped * 16 ** (5 - digits)
