"""The best four of four, five or six cards as one number, for many hands at a time.

Four-card hands fall into 2,535 classes of equal hands. A class is numbered from 0, the weakest
(6-4-3-2), to 2534, four aces, in the order of Four Card Poker, so a higher number is a better hand.

One addition a card does all the counting. Each card is a 64-bit number: the counts of the six low
ranks in base five, the counts of the seven high ranks in base five, a 3-bit counter for each suit.
The high ranks choose a row and the low ranks a column of one table of classes, with a cell for each
way to have up to six cards of thirteen ranks. A second number has a bit for each card, by suits.
The ranks of the suit with four cards or more (the upper bit of its counter) ask a second table; any
other suit gets no answer there. The better of the two answers is the class: no branch is taken.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from croupier.exact.kernels.array_types import (
    Bools,
    Int16s,
    Int64s,
    Uint8s,
    Uint16s,
    Uint64s,
    int64,
)
from croupier.exact.kernels.compiled import kernel

CLASSES = 2535
HAND_SIZES = (4, 5, 6)
HIGH_CARD, PAIR, TWO_PAIR, STRAIGHT, FLUSH, THREE, STRAIGHT_FLUSH, FOUR = range(8)

_LOW_RANKS = 6
_MOST_CARDS = 6
_NOT_A_CARD = np.uint64(1 << 60)  # high enough to stay apart from six cards' sum


class FourCardRankTables(NamedTuple):
    """What a kernel needs to rank four-card hands."""

    cards: Uint64s  # by card number, 256 long: rank counts in base five, suit counters
    bits: Uint64s  # by card number, 256 long: one bit, 16 for each suit
    rows: Uint16s  # by counts of the high ranks: where their row of classes starts
    columns: Uint16s  # by counts of the low ranks: their place in a row
    classes: Int16s  # rows end to end: the class of these ranks in mixed suits
    flushes: Int16s  # by 13-bit set of ranks: the class of the best flush, or -1
    categories: Uint8s  # by class: its category, 0 for high card to 7 for four of a kind


def rank_hands(hands: ArrayLike) -> Int16s:
    """The class, 0 to 2534, of the best four of each row of 4, 5 or 6 cards; higher is better."""
    given = np.asarray(hands)
    if given.ndim != 2 or given.shape[1] not in HAND_SIZES:
        raise ValueError(f"hands come as rows of 4, 5 or 6 card numbers, not {given.shape}")
    if given.dtype.kind not in "iu":
        raise ValueError(f"card numbers are integers, not {given.dtype}")
    if given.dtype != np.uint8 and given.size and (given.min() < 0 or given.max() > 51):
        raise ValueError("card numbers go from 0 to 51")
    rows = np.ascontiguousarray(given, dtype=np.uint8)
    ranks = np.empty(len(rows), dtype=np.int16)
    wrong = _rank_rows(rows, tables(), ranks)
    if wrong >= 0:
        raise ValueError(f"hand {wrong} is not {rows.shape[1]} different cards from 0 to 51")
    return ranks


@cache
def tables() -> FourCardRankTables:
    """The tables that rank four-card hands, computed from the rules when first needed."""
    cards = np.full(256, _NOT_A_CARD, dtype=np.uint64)
    bits = np.zeros(256, dtype=np.uint64)
    for card in range(52):
        rank, suit = card >> 2, card & 3
        low = rank < _LOW_RANKS
        place = 5**rank if low else 5 ** (rank - _LOW_RANKS) << 15
        cards[card] = place | 1 << (32 + 3 * suit)
        bits[card] = 1 << (16 * suit + rank)
    return FourCardRankTables(cards, bits, *_class_tables())


def _class_tables() -> tuple[Uint16s, Uint16s, Int16s, Int16s, Uint8s]:
    strengths, categories = _strengths()
    low, low_size = _counts(_LOW_RANKS)
    high, high_size = _counts(13 - _LOW_RANKS)
    columns = np.zeros(1 << 15, dtype=np.uint16)
    columns[low @ 5 ** np.arange(_LOW_RANKS)] = np.arange(len(low))
    # Columns are sorted by number of cards, so a row is as long as there is room for low cards.
    length = np.searchsorted(low_size, _MOST_CARDS - high_size, side="right")
    ends = np.cumsum(length)
    rows = np.zeros(1 << 17, dtype=np.uint16)
    rows[high @ 5 ** np.arange(13 - _LOW_RANKS)] = ends - length
    # A tail of zeros, so that no input, however wrong, reads outside the table.
    classes = np.zeros(ends[-1] + len(low), dtype=np.int16)
    flushes = np.full(1 << 13, -1, dtype=np.int16)
    _fill(strengths, low, high, ends - length, length, classes, flushes)
    return rows, columns, classes, flushes, categories


def _counts(ranks: int) -> tuple[Int64s, Int64s]:
    """Every way to have up to six cards of so many ranks, fewest cards first, and their numbers."""
    counts = np.indices((5,) * ranks).reshape(ranks, -1).T
    sizes = counts.sum(axis=1)
    order = np.argsort(sizes, kind="stable")[: np.count_nonzero(sizes <= _MOST_CARDS)]
    return np.ascontiguousarray(counts[order]), sizes[order]


def _strengths() -> tuple[Int16s, Uint8s]:
    """The class of each strength as :func:`_strength` packs it, and the category of each class."""
    found = np.zeros(8 * 13**4, dtype=np.bool_)
    _mark_strengths(found)
    strengths = np.full(len(found), -1, dtype=np.int16)
    strengths[found] = np.arange(CLASSES)
    return strengths, (np.flatnonzero(found) // 13**4).astype(np.uint8)


@kernel
def _mark_strengths(found: Bools) -> None:
    """Mark the strength of every four-card hand: all four ranks, in mixed suits and in one."""
    counts = np.zeros(13, dtype=np.int64)
    for a in range(13):
        for b in range(a, 13):
            for c in range(b, 13):
                for d in range(c, 13):
                    counts[:] = 0
                    for rank in (a, b, c, d):
                        counts[rank] += 1
                    found[_strength(counts)] = True
                    if a < b < c < d:
                        found[_flush_strength(1 << a | 1 << b | 1 << c | 1 << d)] = True


@kernel
def _fill(
    strengths: Int16s, low: Int64s, high: Int64s, starts: Int64s, lengths: Int64s, classes: Int16s,
    flushes: Int16s,
) -> None:  # fmt: skip
    counts = np.zeros(13, dtype=np.int64)
    for row in range(len(high)):
        counts[low.shape[1] :] = high[row]
        for column in range(lengths[row]):
            counts[: low.shape[1]] = low[column]
            if counts.sum() >= 4:
                classes[starts[row] + column] = strengths[_strength(counts)]
    for ranks in range(len(flushes)):
        best = _flush_strength(ranks)
        if best >= 0:
            flushes[ranks] = strengths[best]


@kernel
def _strength(counts: Int64s) -> int:
    """The best four of these ranks in mixed suits: its category, then its ranks in base 13."""
    ranks = 0
    tops = np.full(5, -1, dtype=np.int64)  # the highest rank held at least 1, 2, 3, 4 times
    for rank in range(13):
        ranks |= (counts[rank] > 0) << rank
        for times in range(1, counts[rank] + 1):
            tops[times] = rank
    if tops[4] >= 0:
        return _packed(FOUR, 1 << tops[4], 1, 0)
    if tops[3] >= 0:
        return _packed(THREE, ranks & ~(1 << tops[3]), 1, tops[3] + 1)
    top = _straight_top(ranks)
    if top >= 0:
        return _packed(STRAIGHT, 1 << top, 1, 0)
    if tops[2] >= 0:
        pairs = 0
        for rank in range(tops[2]):
            pairs |= (counts[rank] > 1) << rank
        if pairs:
            return _packed(TWO_PAIR, pairs, 1, tops[2] + 1)
        return _packed(PAIR, ranks & ~(1 << tops[2]), 2, tops[2] + 1)
    return _packed(HIGH_CARD, ranks, 4, 0)


@kernel
def _flush_strength(ranks: int) -> int:
    """The best four of these ranks of one suit; -1 when there are not four."""
    count = 0
    for rank in range(13):
        count += ranks >> rank & 1
    if count < 4:
        return -1
    top = _straight_top(ranks)
    if top >= 0:
        return _packed(STRAIGHT_FLUSH, 1 << top, 1, 0)
    return _packed(FLUSH, ranks, 4, 0)


@kernel
def _straight_top(ranks: int) -> int:
    """The top rank of the best straight among these ranks; -1 when there is none."""
    for top in range(12, 2, -1):
        if ranks >> (top - 3) & 15 == 15:
            return top
    return 2 if ranks & 0b1000000000111 == 0b1000000000111 else -1


@kernel
def _packed(category: int, ranks: int, wanted: int, lead: int) -> int:
    """A strength: the category, the rank that leads it (one more than it), the highest others."""
    digits = lead - 1 if lead else 0
    for rank in range(12, -1, -1):
        if wanted and ranks >> rank & 1:
            digits = digits * 13 + rank
            wanted -= 1
    return category * 13**4 + digits


@kernel
def _rank_rows(hands: Uint8s, tables: FourCardRankTables, ranks: Int16s) -> int:
    """Rank each row; the number of the first row that is no hand of different cards, or -1."""
    cards, bits = tables.cards, tables.bits
    more_than_four, more_than_five = hands.shape[1] > 4, hands.shape[1] > 5
    for hand in range(len(hands)):
        a, b, c, d = hands[hand, 0], hands[hand, 1], hands[hand, 2], hands[hand, 3]
        total = cards[a] + cards[b] + cards[c] + cards[d]
        added = bits[a] + bits[b] + bits[c] + bits[d]
        held = bits[a] | bits[b] | bits[c] | bits[d]
        if more_than_four:
            card = hands[hand, 4]
            total += cards[card]
            added += bits[card]
            held |= bits[card]
        if more_than_five:
            card = hands[hand, 5]
            total += cards[card]
            added += bits[card]
            held |= bits[card]
        if (added ^ held) | total >> np.uint64(60):  # a card twice carries into another bit
            return hand
        ranks[hand] = class_of(total, held, tables)
    return -1


@kernel
def class_of(total: np.uint64, held: np.uint64, tables: FourCardRankTables) -> int:
    """The class of a hand: from the sum of its cards' numbers and the set of its cards' bits."""
    row = tables.rows[total >> np.uint64(15) & np.uint64(0x1FFFF)]
    column = tables.columns[total & np.uint64(0x7FFF)]
    # Of the suits' upper bits at most one is set; without one, clubs are asked and have no flush.
    suit = total >> np.uint64(37) & np.uint64(1)
    suit += (total >> np.uint64(40) & np.uint64(1)) << np.uint64(1)
    suit += (total >> np.uint64(43) & np.uint64(1)) * np.uint64(3)
    suited = held >> (suit << np.uint64(4)) & np.uint64(0x1FFF)
    return max(tables.classes[int64(row) + int64(column)], tables.flushes[suited])
