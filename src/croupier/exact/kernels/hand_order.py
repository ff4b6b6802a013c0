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

from croupier.exact.kernels.array_types import Bools, Int64s, Integers, Uint8s

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL = range(
    10
)


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
    counts = np.zeros((1, 0), dtype=np.uint8)
    for ranks_left in range(12, -1, -1):
        more = np.repeat(np.arange(5, dtype=np.uint8), len(counts))
        counts = np.hstack([np.tile(counts, (5, 1)), more[:, None]])
        held = counts.sum(axis=1)
        counts = counts[(held <= size) & (held + 4 * ranks_left >= size)]
    return counts


def strengths_of_counts(counts: Integers) -> Int64s:
    """The strength of each row of rank counts when no five cards are of one suit."""
    four, three = highest(counts >= 4), highest(counts >= 3)
    pairs = (counts >= 2) & (np.arange(13) != three[:, None])
    pair = highest(pairs)
    second = highest(pairs & (np.arange(13) != pair[:, None]))
    top = straight_tops(counts > 0)
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
        found[rows] = _written(category, counts[rows] > 0, first[rows], other[rows], kickers)
    return found


def strengths_of_flushes(suited: Int64s) -> Int64s:
    """The strength of the best flush in each set of ranks of one suit; 0 for fewer than five."""
    held = suited[:, None] >> np.arange(13) & 1 > 0
    top, none = straight_tops(held), np.full(len(suited), -1)
    straight = _written(STRAIGHT_FLUSH, held, top, none, 0) + ((top == 12) << 20)
    found = np.where(top >= 0, straight, _written(FLUSH, held, none, none, 5))
    return np.where(held.sum(axis=1) < 5, 0, found)


def highest(held: Bools) -> Int64s:
    """By row: the highest rank held; -1 when none is."""
    return np.where(held.any(axis=1), 12 - held[:, ::-1].argmax(axis=1), -1)


def straight_tops(held: Bools, length: int = 5) -> Int64s:
    """By row: the top rank of the best straight, an ace also below the two; -1 without one."""
    lowest = np.arange(length - 2, 13)[:, None] - np.arange(length)  # below the two stands the ace
    runs: Bools = np.all(held[:, lowest % 13], axis=2)
    return np.where(runs.any(axis=1), 12 - runs[:, ::-1].argmax(axis=1), -1)


def leading(held: Bools, wanted: int, base: int, least: int) -> Int64s:
    """By row: the highest ranks held, so many as wanted, as digits in a base; a two is ``least``.

    Rows have so many, or the last digits are missing.
    """
    place = held[:, ::-1].cumsum(axis=1)[:, ::-1]
    weights = base ** np.clip(wanted - place, 0, None)
    digits = np.where(held & (place <= wanted), (np.arange(13) + least) * weights, 0)
    return digits.sum(axis=1, dtype=np.int64)


def _written(category: int, held: Bools, first: Int64s, second: Int64s, kickers: int) -> Int64s:
    """The category, one or two ranks that are grouped, and kickers: five digits in all."""
    apart = held & (np.arange(13) != first[:, None]) & (np.arange(13) != second[:, None])
    groups = np.where(first >= 0, first + 2, 0)
    groups = np.where(second >= 0, groups * 16 + second + 2, groups)
    digits = (first >= 0).astype(np.int64) + (second >= 0) + kickers
    grouped = groups * 16**kickers + leading(apart, kickers, 16, 2)
    return (category << 20) + grouped * 16 ** (5 - digits)
