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
    Int16s,
    Int64s,
    Integers,
    Uint8s,
    Uint16s,
    Uint64s,
    int64,
)
from croupier.exact.kernels.compiled import kernel
from croupier.exact.kernels.hand_order import (
    cards_in,
    held_at_least,
    highest,
    leading,
    rank_counts,
    straight_tops,
    without,
)

CLASSES = 2535
HAND_SIZES = (4, 5, 6)
HIGH_CARD, PAIR, TWO_PAIR, STRAIGHT, FLUSH, THREE, STRAIGHT_FLUSH, FOUR = range(8)

LOW_RANKS = 6
_MOST_CARDS = 6
_UPPER_BITS = np.array([1 << (34 + 3 * suit) for suit in range(4)], dtype=np.uint64)
_SETS_OF_RANKS = np.arange(1 << 13)
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
        low = rank < LOW_RANKS
        place = 5**rank if low else 5 ** (rank - LOW_RANKS) << 15
        cards[card] = place | 1 << (32 + 3 * suit)
        bits[card] = 1 << (16 * suit + rank)
    return FourCardRankTables(cards, bits, *_class_tables())


def _class_tables() -> tuple[Uint16s, Uint16s, Int16s, Int16s, Uint8s]:
    strengths, categories = _strengths()
    low, low_size = _counts(LOW_RANKS)
    high, high_size = _counts(13 - LOW_RANKS)
    columns = np.zeros(1 << 15, dtype=np.uint16)
    columns[low @ 5 ** np.arange(LOW_RANKS)] = np.arange(len(low))
    # Columns are sorted by number of cards, so a row is as long as there is room for low cards.
    length = np.searchsorted(low_size, _MOST_CARDS - high_size, side="right")
    ends = np.cumsum(length)
    rows = np.zeros(1 << 17, dtype=np.uint16)
    rows[high @ 5 ** np.arange(13 - LOW_RANKS)] = ends - length
    of_row = np.repeat(np.arange(len(high)), length)
    of_column = np.arange(ends[-1]) - (ends - length)[of_row]
    counts = np.hstack([low[of_column], high[of_row]])
    enough = np.flatnonzero(counts.sum(axis=1) >= HAND_SIZES[0])
    # A tail of zeros, so that no input, however wrong, reads outside the table.
    classes = np.zeros(ends[-1] + len(low), dtype=np.int16)
    classes[enough] = strengths[_strengths_of_counts(counts[enough])]
    in_suit = _flush_strengths(_SETS_OF_RANKS)
    flushes = np.where(in_suit >= 0, strengths[in_suit], np.int16(-1))
    return rows, columns, classes, flushes, categories


def _counts(ranks: int) -> tuple[Int64s, Int64s]:
    """Every way to have up to six cards of so many ranks, fewest cards first, and their numbers."""
    counts = np.indices((5,) * ranks).reshape(ranks, -1).T
    sizes = counts.sum(axis=1)
    order = np.argsort(sizes, kind="stable")[: np.count_nonzero(sizes <= _MOST_CARDS)]
    return np.ascontiguousarray(counts[order]), sizes[order]


def _strengths() -> tuple[Int16s, Uint8s]:
    """The class of each strength as :func:`_packed` writes it, and the category of each class."""
    in_suits = _flush_strengths(_SETS_OF_RANKS[cards_in(_SETS_OF_RANKS) == HAND_SIZES[0]])
    found = np.zeros(8 * 13**4, dtype=np.bool_)
    found[_strengths_of_counts(rank_counts(HAND_SIZES[0]))] = True
    found[in_suits] = True
    strengths = np.full(len(found), -1, dtype=np.int16)
    strengths[found] = np.arange(CLASSES)
    return strengths, (np.flatnonzero(found) // 13**4).astype(np.uint8)


def _strengths_of_counts(counts: Integers) -> Int64s:
    """The best four of each row of rank counts in mixed suits: its category, then its ranks."""
    held, twice, thrice, whole = (held_at_least(counts, times) for times in (1, 2, 3, 4))
    four, three, pair = highest(whole), highest(thrice), highest(twice)
    second = highest(without(twice, pair))
    top, none = straight_tops(held, 4), np.full(len(counts), -1)
    found = none.copy()
    # From the best category to the least: which rows are in it, and the ranks that decide in it.
    for category, is_it, first, other, kickers in (
        (FOUR, four >= 0, four, none, 0),
        (THREE, three >= 0, three, none, 1),
        (STRAIGHT, top >= 0, top, none, 0),
        (TWO_PAIR, second >= 0, pair, second, 0),
        (PAIR, pair >= 0, pair, none, 2),
        (HIGH_CARD, none < 0, none, none, 4),
    ):
        rows = np.flatnonzero(is_it & (found < 0))
        found[rows] = _packed(category, held[rows], first[rows], other[rows], kickers)
    return found


def _flush_strengths(suited: Int64s) -> Int64s:
    """The best four of each set of ranks of one suit; -1 where there are not four."""
    top, none = straight_tops(suited, 4), np.full(len(suited), -1)
    straight = _packed(STRAIGHT_FLUSH, suited, top, none, 0)
    found = np.where(top >= 0, straight, _packed(FLUSH, suited, none, none, 4))
    return np.where(cards_in(suited) < HAND_SIZES[0], -1, found)


def _packed(category: int, held: Int64s, first: Int64s, second: Int64s, kickers: int) -> Int64s:
    """A strength: the category, the ranks that lead it, the highest others, in base 13."""
    apart = without(without(held, first), second)
    lead = np.where(second >= 0, first * 13 + second, np.maximum(first, 0))
    return category * 13**4 + lead * 13**kickers + leading(apart, kickers, 13, 0)


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


def classes_of(totals: Uint64s, held: Uint64s, tables: FourCardRankTables) -> Int16s:
    """What :func:`class_of` says of each hand, with NumPy alone."""
    rows = tables.rows[totals >> np.uint64(15) & np.uint64(0x1FFFF)]
    columns = tables.columns[totals & np.uint64(0x7FFF)]
    classes = tables.classes[rows.astype(np.int64) + columns]
    uppers = totals & np.uint64(0b100100100100 << 32)  # the upper bit of each suit's counter
    with_flush = np.flatnonzero(uppers)
    suits = np.searchsorted(_UPPER_BITS, uppers.reshape(-1)[with_flush]).astype(np.uint64)
    suited = held.reshape(-1)[with_flush] >> (suits << np.uint64(4)) & np.uint64(0x1FFF)
    flat = classes.reshape(-1)
    flat[with_flush] = np.maximum(flat[with_flush], tables.flushes[suited])
    return classes
