"""Canonical card sets under suit permutation, found by a transition table, a step a card.

Suits never decide a hand, so sets that turn into each other by exchanging suits are one kind: the
2,598,960 hands of five cards are 134,459 kinds. Each kind has one representative, the set whose
ranks by suit, read as numbers, fall from clubs to spades. In a deck from which cards are missing
only suits that still hold the same ranks are exchanged.

Kinds are numbered by size from 0, the empty set. ``steps[kind, card]`` says where a representative
goes when a card is added: to which kind, and by which exchange of suits the enlarged set becomes
the representative of that kind. So the kind of a set is found in as many steps as it has cards, in
any order, while the exchanges made so far tell how to read the next card.

An exchange is one byte, two bits for each suit: where clubs go in the lowest two, and so on.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import Int64s, Uint8s, Uint32s, int64
from croupier.exact.kernels.compiled import kernel, leaf

MOST_CARDS = 5
NO_EXCHANGE = 0b11100100
_RANKS = 13


class CardSets(NamedTuple):
    """Every kind of set of up to five cards of a deck."""

    deck: Uint8s  # the cards there are, in order
    starts: Int64s  # by size: the number of the first kind; last, how many there are
    cards: Uint8s  # by kind: the representative's cards, lowest first
    weights: Int64s  # by kind: how many sets it stands for
    steps: Uint32s  # by kind of up to four cards and card: kind << 8 | exchange, or 0
    parents: Uint32s  # by kind: the kinds that remain when one card is taken away

    def kind_of(self, cards: tuple[int, ...]) -> tuple[int, int]:
        """The kind of these cards, and the exchange that makes them its representative."""
        kind, exchange = 0, NO_EXCHANGE
        for card in cards:
            kind, exchange = walk(self.steps, kind, exchange, card)
        return int(kind), int(exchange)


def card_sets(deck: Uint8s) -> CardSets:
    """Number the kinds of sets of this deck."""
    twins = _twins(deck)
    parts, part_starts = _parts_by_suit(deck)
    kinds = [_listed(size, len(deck), twins, parts, part_starts) for size in range(MOST_CARDS + 1)]
    starts = np.cumsum([0, *map(len, kinds)])
    suits = np.concatenate(kinds)
    cards, weights = _describe(suits, twins)
    steps = np.zeros((starts[MOST_CARDS], 52), dtype=np.uint32)
    _link(suits, twins, deck, steps)
    parents = np.zeros((len(suits), MOST_CARDS), dtype=np.uint32)
    _find_parents(cards, starts, steps, parents)
    return CardSets(deck, starts, cards, weights, steps, parents)


def kinds_of(deck: Uint8s, size: int) -> tuple[Uint8s, Int64s]:
    """One set of each kind of this size, its cards rising, and how many sets it stands for.

    Unlike a representative it has the suit with the most cards before others; of suits with as many
    that with the higher ranks.
    """
    twins = _twins(deck)
    parts, starts = _parts_by_suit(deck)
    for held in range(MOST_CARDS + 1):
        for suit in range(4):
            parts[suit, starts[suit, held] : starts[suit, held + 1]] |= held << _RANKS
    cards, weights = _describe(_listed(size, len(deck), twins, parts, starts), twins)
    return cards[:, :size], weights


def _listed(size: int, deck: int, twins: Int64s, parts: Int64s, starts: Int64s) -> Int64s:
    found = np.empty((comb(deck, size) + 1, 4), dtype=np.int64)  # room is touched as needed
    return found[: _list_kinds(size, twins, parts, starts, found)]


def _twins(deck: Uint8s) -> Int64s:
    """By suit: the nearest earlier suit that holds the same ranks in this deck, or -1."""
    ranks = [sorted(deck[deck % 4 == suit] // 4) for suit in range(4)]
    twins = [-1, -1, -1, -1]
    for earlier, later in combinations(range(4), 2):
        if ranks[earlier] == ranks[later]:
            twins[later] = earlier
    return np.array(twins)


def _parts_by_suit(deck: Uint8s) -> tuple[Int64s, Int64s]:
    """By suit: its sets of ranks, fewest ranks first; and where those of each number start."""
    every = np.arange(1 << _RANKS)
    sizes = np.array([int(ranks).bit_count() for ranks in every])
    every, sizes = every[order := np.argsort(sizes, kind="stable")], sizes[order]
    parts = np.zeros((4, len(every)), dtype=np.int64)
    starts = np.zeros((4, MOST_CARDS + 2), dtype=np.int64)
    for suit in range(4):
        held = sum(1 << int(card // 4) for card in deck if card % 4 == suit)
        inside = every & ~held == 0
        parts[suit, : np.count_nonzero(inside)] = every[inside]
        starts[suit] = np.searchsorted(sizes[inside], np.arange(MOST_CARDS + 2))
    return parts, starts


@leaf
def _list_kinds(size: int, twins: Int64s, parts: Int64s, starts: Int64s, found: Int64s) -> int:
    """Write the ranks by suit of each representative of this size, and say how many there are."""
    count = 0
    for a in range(starts[0, size + 1]):
        first = parts[0, a]
        left_a = size - _cards_in(starts, 0, a)
        for b in range(starts[1, left_a + 1]):
            second = parts[1, b]
            if twins[1] >= 0 and second > first:
                continue
            left_b = left_a - _cards_in(starts, 1, b)
            for c in range(starts[2, left_b + 1]):
                third = parts[2, c]
                if twins[2] >= 0 and third > (second if twins[2] == 1 else first):
                    continue
                left_c = left_b - _cards_in(starts, 2, c)
                for d in range(starts[3, left_c], starts[3, left_c + 1]):
                    chosen = found[count]
                    chosen[0], chosen[1], chosen[2], chosen[3] = first, second, third, parts[3, d]
                    count += not _too_high(chosen, twins, 3)
    return count


@leaf
def _cards_in(starts: Int64s, suit: int, part: int) -> int:
    size = 0
    while part >= starts[suit, size + 1]:
        size += 1
    return size


@leaf
def _too_high(chosen: Int64s, twins: Int64s, suit: int) -> bool:
    """Whether a representative would have this suit before its twin."""
    return twins[suit] >= 0 and chosen[suit] > chosen[twins[suit]]


@kernel
def _describe(suits: Int64s, twins: Int64s) -> tuple[Uint8s, Int64s]:
    """The cards of each representative, and how many sets it stands for.

    So many ways there are to give its ranks to the suits that may be exchanged: a multinomial,
    built up suit by suit, since suits that hold the same ranks of the set make no difference.
    """
    cards = np.zeros((len(suits), MOST_CARDS), dtype=np.uint8)
    weights = np.ones(len(suits), dtype=np.int64)
    for kind in range(len(suits)):
        at = 0
        for card in range(4 * _RANKS):
            if suits[kind, card & 3] >> (card >> 2) & 1:
                cards[kind, at] = card
                at += 1
        for suit in range(4):
            alike, same, before = 1, 1, twins[suit]
            while before >= 0:
                alike += 1
                same += suits[kind, before] == suits[kind, suit]
                before = twins[before]
            weights[kind] *= alike
            weights[kind] //= same
    return cards, weights


@kernel
def _link(suits: Int64s, twins: Int64s, deck: Uint8s, steps: Uint32s) -> None:
    """Fill ``steps``: add each card of the deck to each representative and look up the result."""
    keys = np.full(1 << 19, -1, dtype=np.int64)  # three places for each kind, so that few collide
    kinds = np.zeros(len(keys), dtype=np.int32)
    for kind in range(len(suits)):
        at = _slot(keys, _key(suits[kind]))
        keys[at], kinds[at] = _key(suits[kind]), kind
    grown = np.zeros(4, dtype=np.int64)
    for kind in range(len(steps)):
        for card in deck:
            suit, rank = int64(card & 3), 1 << int64(card >> 2)
            if not suits[kind, suit] & rank:
                grown[:] = suits[kind]
                grown[suit] |= rank
                exchange = _settle(grown, twins, suit)
                steps[kind, card] = kinds[_slot(keys, _key(grown))] << 8 | exchange


@kernel
def _key(suits: Int64s) -> int:
    return suits[0] | suits[1] << 13 | suits[2] << 26 | suits[3] << 39


@kernel
def _slot(keys: Int64s, key: int) -> int:
    """Where this key is kept, or the free place where it will be."""
    at = int64(np.uint64(key) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(45))
    while keys[at] >= 0 and keys[at] != key:
        at = (at + 1) & (len(keys) - 1)
    return at


@kernel
def _settle(grown: Int64s, twins: Int64s, suit: int) -> int:
    """Let the suit that grew rise among its twins to its place; return the exchange this makes."""
    exchange = NO_EXCHANGE
    while _too_high(grown, twins, suit):
        above = twins[suit]
        grown[suit], grown[above] = grown[above], grown[suit]
        exchange = compose(exchange, _swap(suit, above))
        suit = above
    return exchange


@kernel
def _swap(one: int, other: int) -> int:
    moved = one ^ other
    return NO_EXCHANGE ^ (moved << (2 * one)) ^ (moved << (2 * other))


@kernel
def _find_parents(cards: Uint8s, starts: Int64s, steps: Uint32s, parents: Uint32s) -> None:
    for size in range(1, MOST_CARDS + 1):
        for kind in range(starts[size], starts[size + 1]):
            for missing in range(size):
                parent, exchange = 0, NO_EXCHANGE
                for at in range(size):
                    if at != missing:
                        parent, exchange = walk(steps, parent, exchange, cards[kind, at])
                parents[kind, missing] = parent


@kernel
def walk(steps: Uint32s, kind: int, exchange: int, card: int) -> tuple[int, int]:
    """Add a card to a set that this exchange makes the representative of this kind."""
    step = int64(steps[kind, exchanged(card, exchange)])
    return step >> 8, compose(exchange, step & 255)


@kernel
def exchanged(card: int, exchange: int) -> int:
    """The card this one becomes."""
    return card & ~3 | exchange >> (2 * (card & 3)) & 3


@kernel
def compose(first: int, then: int) -> int:
    """The exchange that does one after the other."""
    both = 0
    for suit in range(4):
        both |= (then >> (2 * (first >> (2 * suit) & 3)) & 3) << (2 * suit)
    return both
