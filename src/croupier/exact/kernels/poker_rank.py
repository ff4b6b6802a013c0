"""The rank of five, six or seven cards as one number, for many hands at a time.

Poker's five-card hands fall into 7,462 classes of equal hands. A class is numbered from 0, the
weakest (7-5-4-3-2), to 7461, a royal flush, so a higher number is a better hand.

One addition a card does all the counting. Each card is a 64-bit number: the low half holds
``5 ** rank``, so that a sum of cards is the hand's rank counts written in base five; the high half
has a 4-bit counter for each suit, so that a flush shows in the same sum. Without a flush the rank
counts decide: a perfect hash turns them into a slot of a table small enough for the processor's
second-level cache. With one (five of seven cards in one suit leave no room for four of a kind or a
full house) the ranks of that suit decide, through a second table.

Both tables are computed from the order of hands in :mod:`.hand_order` when they are first needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from croupier.exact.kernels.array_types import Int64s, Integers, Uint8s, Uint16s, Uint64s
from croupier.exact.kernels.compiled import kept_arrays, kernel, leaf, part
from croupier.exact.kernels.hand_order import (
    class_strengths,
    rank_counts,
    strengths_of_counts,
    strengths_of_flushes,
)

CLASSES = 7462
HAND_SIZES = (5, 6, 7)
_SLOT_BITS = {5: 13, 6: 15, 7: 16}
_SLOTS_A_ROW = 8
LOW_RANKS = 7
_LOW, _HIGH = 5**LOW_RANKS, 5 ** (13 - LOW_RANKS)
_FIVE_OF_A_SUIT = 0x3333  # added to the suit counters, it lifts a five to eight
_FACTOR = 0x83EC603F7806ADC1  # any odd number for which no two hands of a row share a column
_NUMBERS = [5 ** (card >> 2) | 1 << (32 + 4 * (card & 3)) for card in range(52)]
_BITS = 48  # above the sum of cards: room for a bit a card
_NUMBERS_AND_BITS = {card: n | 1 << (_BITS + card) for card, n in enumerate(_NUMBERS)}
_HIGH_RANKS, SUITED = 17, 32
# Rank counts of low and high ranks side by side, each in base five.
RANK_COUNTS = [
    5**rank if rank < LOW_RANKS else 5 ** (rank - LOW_RANKS) << _HIGH_RANKS for rank in range(13)
]


class PokerRankTables(NamedTuple):
    """What a kernel needs to rank hands of one size."""

    cards: Uint64s  # by card number, 256 long: its rank in base five, its suit counter
    factor: np.uint64  # multiplies rank counts: the top bits are a row, the middle bits a column
    shifts: Uint16s  # by row: the slot of a column is the column XOR this
    classes: Uint16s  # by slot: the class of those rank counts
    flushes: Uint16s  # by 13-bit set of ranks: the class of the best flush in it


def rank_hands(hands: ArrayLike) -> Uint16s:
    """The class, 0 to 7461, of each row of five, six or seven card numbers; higher is better."""
    given = np.asarray(hands)
    if given.ndim != 2 or given.shape[1] not in HAND_SIZES:
        raise ValueError(f"hands are rows of 5, 6 or 7 card numbers, not an array {given.shape}")
    if given.dtype.kind not in "iu":
        raise ValueError(f"card numbers are integers, not {given.dtype}")
    many, size = given.shape
    if many == 1:
        return np.array([rank_hand(given.tolist()[0])], dtype=np.uint16)
    ranks = np.empty(many, dtype=np.uint16)
    wrong = _rank_rows(*_laid_out(given), tuple(range(size)), tables(size), ranks)
    if wrong >= 0:
        raise ValueError(f"hand {wrong} is not {size} different cards from 0 to 51")
    return ranks


def _laid_out(hands: Integers) -> tuple[Integers, int, int]:
    """The card numbers as they lie in memory; the steps from hand to hand and from card to card."""
    if hands.dtype != np.uint8:
        hands = hands.astype(np.int64, copy=False)
    if hands.flags.f_contiguous:
        return hands.T.reshape(-1), 1, len(hands)
    return hands.reshape(-1), hands.shape[1], 1


def rank_once(hands: Uint8s) -> Uint16s:
    """Rank rows of valid hands with NumPy alone.

    For a program that ranks a million hands and ends: loading the kernel would take it longer, and
    compiling it much longer.
    """
    known = counted_tables(hands.shape[1])
    total = _numbers_of_cards()[hands].sum(axis=1)
    high, low = np.divmod((total & np.uint64(0xFFFFFFFF)).astype(np.uint32), np.uint32(_LOW))
    ranks: Uint16s = known.classes[known.rows[high] + known.columns[low]]
    counters = (total >> np.uint64(32)) + np.uint64(_FIVE_OF_A_SUIT)
    for suit in range(4):
        flush = np.flatnonzero(counters & np.uint64(8 << (4 * suit)))
        cards = hands[flush]
        held = np.where(cards & 3 == suit, 1 << (cards.astype(np.int64) >> 2), 0)
        ranks[flush] = known.flushes[held.sum(axis=1)]
    return ranks


def rank_hand(hand: Sequence[int]) -> int:
    """The class of one hand of five, six or seven card numbers, in plain Python.

    To call a kernel, for one hand, would take longer.
    """
    try:
        rows, columns, classes, flushes = _lists(len(hand))
        total = sum([_NUMBERS_AND_BITS[card] for card in hand])
    except KeyError:
        total = 0
    if (total >> _BITS).bit_count() != len(hand):  # a bit that comes twice is carried away
        raise ValueError(f"this is not {len(hand)} different cards from 0 to 51")
    suits = (total >> 32) + _FIVE_OF_A_SUIT & 0x8888
    if suits:
        suit = suits.bit_length() // 4 - 1
        return flushes[sum(1 << (card >> 2) for card in hand if card & 3 == suit)]
    high, low = divmod(total & 0xFFFFFFFF, _LOW)
    return classes[rows[high] + columns[low]]


def classes_of_sums(sums: Int64s) -> Uint16s:
    """The classes of seven cards, from the sum of what each adds: its ``RANK_COUNTS``, and if it is
    of the one suit that may have a flush a bit for its rank, from bit ``SUITED`` on."""
    known = counted_tables(7)
    low, high = sums & (1 << _HIGH_RANKS) - 1, sums >> _HIGH_RANKS & (1 << SUITED - _HIGH_RANKS) - 1
    by_ranks = known.classes[known.rows[high] + known.columns[low]]
    found: Uint16s = np.maximum(by_ranks, known.flushes[sums >> SUITED])
    return found


class _CountedTables(NamedTuple):
    """The same classes, found without a hash: rank counts in order, by their high and low ranks.

    Hands of one size with the same high ranks stand side by side, and their low ranks, so many
    cards in all, come in the same order in each such row.
    """

    rows: Int64s  # by counts of the high ranks: where their row of classes starts
    columns: Int64s  # by counts of the low ranks: their place among those of as many cards
    classes: Uint16s  # rows end to end
    flushes: Uint16s  # by 13-bit set of ranks: the class of the best flush in it


@cache
def counted_tables(size: int) -> _CountedTables:
    keys, classes, flushes = _classes_of_counts(size)
    in_order = np.argsort(keys)
    rows = np.searchsorted(keys[in_order], np.arange(_HIGH + 1, dtype=np.uint64) * np.uint64(_LOW))
    cards = sum(np.arange(_LOW) // 5**rank % 5 for rank in range(LOW_RANKS))
    by_cards = np.argsort(cards, kind="stable")
    firsts = np.searchsorted(cards[by_cards], np.arange(cards.max() + 1))
    columns = np.empty(_LOW, dtype=np.int64)
    columns[by_cards] = np.arange(_LOW) - firsts[cards[by_cards]]
    return _CountedTables(rows, columns, classes[in_order], flushes)


@cache
def _lists(size: int) -> list[list[int]]:
    if size not in HAND_SIZES:
        raise ValueError(f"a hand is 5, 6 or 7 card numbers, not {size}")
    return [table.tolist() for table in counted_tables(size)]


@cache
def tables(size: int) -> PokerRankTables:
    """The tables that rank hands of this many cards."""
    kept = kept_arrays(f"ranks-of-{size}", lambda: _computed(size)._asdict())
    arrays = (kept[name] for name in ("shifts", "classes", "flushes"))
    return PokerRankTables(kept["cards"], np.uint64(_FACTOR), *arrays)


def _computed(size: int) -> PokerRankTables:
    keys, classes, flushes = _classes_of_counts(size)
    shifts, by_slot = _perfect_hash(keys, classes, 1 << _SLOT_BITS[size])
    return PokerRankTables(_numbers_of_cards(), np.uint64(_FACTOR), shifts, by_slot, flushes)


def _classes_of_counts(size: int) -> tuple[Uint64s, Uint16s, Uint16s]:
    """Every way to hold so many cards of 13 ranks, in base five, with its class; and flushes."""
    strengths = class_strengths()
    counts = rank_counts(size)
    keys = counts @ (5 ** np.arange(13, dtype=np.uint64))
    classes = np.searchsorted(strengths, strengths_of_counts(counts)).astype(np.uint16)
    flushes = np.searchsorted(strengths, strengths_of_flushes(np.arange(1 << 13)))
    return keys, classes, flushes.astype(np.uint16)


@cache
def _numbers_of_cards() -> Uint64s:
    """What a card adds to the sum; what is no card sets the top bit, which no sum of cards can."""
    return np.array(_NUMBERS + [1 << 63] * (256 - len(_NUMBERS)), dtype=np.uint64)


@leaf
def rank_of_counts(sum_of_cards: np.uint64, tables: PokerRankTables) -> int:
    """The class of a hand without a flush, from the sum of its cards."""
    product = (sum_of_cards & np.uint64(0xFFFFFFFF)) * tables.factor
    row, column = _place(product, len(tables.classes), len(tables.shifts))
    return tables.classes[column ^ tables.shifts[row]]


@kernel
def rank_of_flush(sum_of_cards: np.uint64, cards: Integers, tables: PokerRankTables) -> int:
    """The class of a hand of which five or more cards are of one suit."""
    counters = (sum_of_cards >> np.uint64(32)) + np.uint64(_FIVE_OF_A_SUIT)
    suit = 0
    while not counters & np.uint64(8 << (4 * suit)):
        suit += 1
    ranks = 0
    for card in cards:
        if card & 3 == suit:
            ranks |= 1 << (card >> 2)
    return tables.flushes[ranks]


@leaf
def has_flush(sum_of_cards: np.uint64) -> bool:
    counters = (sum_of_cards >> np.uint64(32)) + np.uint64(_FIVE_OF_A_SUIT)
    return counters & np.uint64(0x8888) != 0


@part
def rank_on_board(board: np.uint64, seven: Integers, tables: PokerRankTables) -> int:
    """The class of two cards and the board, whose cards come after them and whose sum is known."""
    total = board + tables.cards[seven[0]] + tables.cards[seven[1]]
    if has_flush(total):
        return rank_of_flush(total, seven, tables)
    return rank_of_counts(total, tables)


@leaf
def _rank_rows(
    hands: Integers, hand_step: int, card_step: int, places: tuple[int, ...],
    tables: PokerRankTables, ranks: Uint16s,
) -> int:  # fmt: skip
    """Rank the hands; the number of the first that is no hand, or -1.

    The places of a hand's cards come as a tuple because its length is part of its type: compiled
    for each length, the loops over one hand's cards are unrolled.
    """
    size = len(places)
    for hand in range(len(ranks)):
        first = hand * hand_step
        total, once, all_of_them, wide = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
        for place in range(size):
            card = np.uint64(hands[first + place * card_step])
            wide |= card
            total += tables.cards[card & np.uint64(255)]
            bit = np.uint64(1) << card
            once |= bit
            all_of_them += bit  # differs from the union as soon as a bit comes twice
        if once != all_of_them or total >> np.uint64(63) or wide > np.uint64(255):
            return hand
        if has_flush(total):
            counters = (total >> np.uint64(32)) + np.uint64(_FIVE_OF_A_SUIT)
            suit, suited = np.uint64(0), np.uint64(0)
            while not counters & (np.uint64(8) << (np.uint64(4) * suit)):
                suit += np.uint64(1)
            for place in range(size):
                card = np.uint64(hands[first + place * card_step])
                if card & np.uint64(3) == suit:
                    suited |= np.uint64(1) << (card >> np.uint64(2))
            ranks[hand] = tables.flushes[suited]
        else:
            ranks[hand] = rank_of_counts(total, tables)
    return -1


def _perfect_hash(keys: Uint64s, values: Uint16s, slots: int) -> tuple[Uint16s, Uint16s]:
    """Give each row the first shift that puts its keys into free slots, the fullest row first."""
    rows = slots // _SLOTS_A_ROW
    products = keys * np.uint64(_FACTOR)
    row_of = (products >> np.uint64(48) & np.uint64(rows - 1)).astype(np.int64)
    column_of = (products >> np.uint64(32) & np.uint64(slots - 1)).astype(np.int64)
    if len(np.unique(row_of * slots + column_of)) < len(keys):
        raise AssertionError("two hands of one row of the hash share a column")
    shifts, by_slot = np.zeros(rows, dtype=np.uint16), np.zeros(slots, dtype=np.uint16)
    by_row = np.argsort(row_of, kind="stable")
    first = np.searchsorted(row_of[by_row], np.arange(rows + 1))
    fullest = np.argsort(first[:-1] - first[1:], kind="stable")
    if not _shift_rows(fullest, first, column_of[by_row], values[by_row], shifts, by_slot):
        raise AssertionError("the hash has a row that fits nowhere")
    return shifts, by_slot


@kernel
def _shift_rows(
    fullest: Int64s,
    first: Int64s,
    columns: Int64s,
    values: Uint16s,
    shifts: Uint16s,
    by_slot: Uint16s,
) -> bool:
    taken = np.zeros(len(by_slot), dtype=np.bool_)
    for row in fullest:
        free = False
        for shift in range(len(by_slot)):
            free = True
            for at in range(first[row], first[row + 1]):
                free = free and not taken[columns[at] ^ shift]
            if free:
                shifts[row] = shift
                break
        if not free:
            return False
        for at in range(first[row], first[row + 1]):
            taken[columns[at] ^ shifts[row]] = True
            by_slot[columns[at] ^ shifts[row]] = values[at]
    return True


@leaf
def _place(product: np.uint64, slots: int, rows: int) -> tuple[np.uint64, np.uint64]:
    row = (product >> np.uint64(48)) & np.uint64(rows - 1)
    column = (product >> np.uint64(32)) & np.uint64(slots - 1)
    return row, column
