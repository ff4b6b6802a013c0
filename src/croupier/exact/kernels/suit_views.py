"""Boards reduced to equivalence classes by their one flush suit: 42,783 instead of 134,459.

At the end at most one suit can make a flush: the one with three or more cards on the board. Only
that suit matters, and of every other card only the rank. So from a suit's view there are 26 *kinds*
of cards: kinds 0 to 12 are the ranks in any other suit, of which there can be several cards, and
kinds 13 to 25 are the cards of the suit. A board with no flush in sight is seen by no suit; its
cards are of kinds 0 to 12 only. Two cards are one of 351 *pairs* of kinds.

All boards that look alike from their suit are one showdown problem: 6,175 without a flush and
36,608 with one, instead of 134,459 canonical boards, with at most 338 pairs instead of 1,081 holes.

A flop, too, is seen by each of its suits. What is still to come on it splits exactly: count all
turns and rivers as if there were no flushes, then for each suit correct those that bring it to
three or more cards. Each part depends on one view only: 455 flops by rank and 2,483 by suit.

Rows number the views. *Family* 0 is the view of no suit; then one family for each class of suits
that may change names (see :mod:`.positions`), of which a full deck has one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain, combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import Int64s, Uint8s, Uint16s
from croupier.exact.kernels.compiled import kernel, leaf
from croupier.exact.kernels.positions import CHOOSE, NO_SUIT, Positions, sorted_in_place

KINDS = 26
PAIRS = KINDS * (KINDS + 1) // 2
RANK_PAIRS = 13 * 14 // 2
FEWEST_SUITED = {3: 1, 4: 2, 5: 3}  # by cards: of one suit that may still come to a flush


class Rows(NamedTuple):
    """The views of flops (three cards), of four cards, or of boards (five)."""

    kinds: Uint8s  # (rows, 3 to 5), rising: the cards of each row
    families: Uint8s  # (rows,)
    offsets: Int64s  # (families, suited cards): the first row of such views
    choose: Int64s  # binomials, for numbering


class Views(NamedTuple):
    """All that kernels need to look at a deck through its suits."""

    low: Uint8s  # (351,): the two kinds of each pair
    high: Uint8s
    rank_pair: Uint16s  # (351,): the same pair when suits do not matter
    live: Int64s  # (families, 26): how many cards of each kind the deck has
    pair_of: Uint16s  # (5, 1326): the pair of each hole, seen by each suit and by none
    family_of: Int64s  # (5,): the family of each suit, of no suit
    suit_of: Int64s  # (families,): the first suit of each family, or no suit
    flops: Rows
    boards: Rows


def views(positions: Positions) -> Views:
    """The views of a deck."""
    firsts = sorted(set(positions.suit_class.tolist()))
    families = 1 + len(firsts)
    low, high = np.array([(a, b) for b in range(KINDS) for a in range(b + 1)]).T
    return Views(
        low.astype(np.uint8),
        high.astype(np.uint8),
        _pair(low % 13, high % 13),
        np.array([_live(positions.deck, suit) for suit in (NO_SUIT, *firsts)]),
        np.array([_pairs_of_holes(positions.holes, suit) for suit in (0, 1, 2, 3, NO_SUIT)]),
        np.array([1 + firsts.index(first) for first in positions.suit_class] + [0]),
        np.array([NO_SUIT, *firsts]),
        rows(3, families),
        rows(5, families),
    )


@cache
def rows(size: int, families: int) -> Rows:
    """Number the views of three to five cards, in the order that :func:`row_of` computes."""
    views: list[Uint8s] = []
    offsets = np.zeros((families, size + 1), dtype=np.int64)
    ends = [0]
    for family in range(families):
        for suited in range(FEWEST_SUITED[size], size + 1) if family else (0,):
            offsets[family, suited] = sum(map(len, views))
            views.append(_views_with(suited, size - suited))
        ends.append(sum(map(len, views)))
    of_family = np.repeat(np.arange(families, dtype=np.uint8), np.diff(ends))
    return Rows(np.concatenate(views), of_family, offsets, CHOOSE)


def _views_with(suited: int, others: int) -> Uint8s:
    """So many cards of the suit and so many others: the highest card counts most in the order."""
    sets = _highest_first(combinations(range(13, 26), suited), suited)
    ranks = _highest_first(combinations_with_replacement(range(13), others), others)
    return np.hstack([np.tile(ranks, (len(sets), 1)), np.repeat(sets, len(ranks), axis=0)])


def _highest_first(kinds: Iterable[tuple[int, ...]], size: int) -> Uint8s:
    """Rising kinds, in the order of their highest, then of the next."""
    found = np.fromiter(chain.from_iterable(kinds), np.uint8).reshape(-1 if size else 1, size)
    return found[np.lexsort(found.T)] if size else found


def _live(deck: tuple[int, ...], suit: int) -> Int64s:
    counts = np.zeros(KINDS, dtype=np.int64)
    for card in deck:
        counts[(card >> 2) + 13 * (card & 3 == suit)] += 1
    return counts


def _pairs_of_holes(holes: Uint8s, suit: int) -> Uint16s:
    kinds = (holes >> 2) + 13 * ((holes & 3) == suit)
    return _pair(kinds[:, 0].astype(np.int64), kinds[:, 1].astype(np.int64))


def _pair(one: Int64s, other: Int64s) -> Uint16s:
    low, high = np.minimum(one, other), np.maximum(one, other)
    pairs: Uint16s = (high * (high + 1) // 2 + low).astype(np.uint16)
    return pairs


@leaf
def row_of(kinds: Int64s, size: int, family: int, rows: Rows) -> int:
    """The row of cards given as kinds in rising order."""
    others, suited, number = 0, 0, 0
    other_number = 0
    for at in range(size):
        if kinds[at] < 13:
            others += 1
            other_number += rows.choose[kinds[at] + others - 1, others]
        else:
            suited += 1
            number += rows.choose[kinds[at] - 13, suited]
    multisets = rows.choose[12 + others, others]
    return rows.offsets[family, suited] + number * multisets + other_number


@leaf
def pair_number(one: int, other: int) -> int:
    if one < other:
        return other * (other + 1) // 2 + one
    return one * (one + 1) // 2 + other


@leaf
def view_of_cards(cards: Uint8s, size: int, suit: int, kinds: Int64s) -> int:
    """Write the kinds of these cards as a suit sees them, rising; how many are of the suit."""
    suited = 0
    for at in range(size):
        own = cards[at] & 3 == suit
        kinds[at] = (cards[at] >> 2) + (13 if own else 0)
        suited += own
    sorted_in_place(kinds, size)
    return suited


@leaf
def flush_suit(board: Uint8s, no_suit: int) -> int:
    """The suit of three or more of five cards, or no suit."""
    for suit in range(4):
        count = 0
        for card in board:
            count += card & 3 == suit
        if count >= 3:
            return suit
    return no_suit


@kernel
def rows_of_boards(boards: Uint8s, views: Views, no_suit: int) -> Int64s:
    """The row of each canonical board, seen by the suit that may have a flush."""
    found = np.empty(len(boards), dtype=np.int64)
    kinds = np.empty(5, dtype=np.int64)
    for at in range(len(boards)):
        suit = flush_suit(boards[at], no_suit)
        view_of_cards(boards[at], 5, suit, kinds)
        found[at] = row_of(kinds, 5, views.family_of[suit], views.boards)
    return found
