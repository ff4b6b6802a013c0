"""Flops, boards and holes up to a renaming of suits, and the numbers by which arrays know them.

Suits have no order, so positions that differ by a renaming of suits are one position. One of them
is *canonical*: its suits stand in falling order of how many cards they have, then of their ranks.
A full deck has 1,755 canonical flops, 134,459 canonical boards and 169 starting hands.

Numbers: a set of cards ``a < b < c ...`` has the code ``C(a, 1) + C(b, 2) + C(c, 3) ...``; a hole
is its code, 0 to 1325. What is known of a flop and a hole stands in row ``flop``, column ``hole``
of an array, after both were renamed as the canonical flop asks. What is decided on a board is one
bit a hole, at the hole's code among the 47 cards that are left, in 17 words of 64 bits.

The deck is an argument so that proofs can run on small decks. Only suits with the same ranks may
then change names: they are of one *class*.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations
from math import comb

import numpy as np

from croupier.exact.kernels.array_types import Bools, Int32s, Int64s, Integers, Uint8s, Uint16s
from croupier.exact.kernels.card_sets import kinds_of
from croupier.exact.kernels.compiled import kernel, leaf

HOLES = comb(52, 2)
WORDS = -(-comb(47, 2) // 64)
NO_SUIT = 4
SUIT_NAMES = np.array(list(permutations(range(4))), dtype=np.uint8)
CHOOSE = np.array([[comb(n, k) for k in range(7)] for n in range(53)], dtype=np.int64)

Spot = tuple[int, int]


@dataclass(frozen=True)
class Positions:
    """All positions of a deck. Arrays over concrete cards are indexed by codes."""

    deck: tuple[int, ...]
    suit_class: Int64s  # by suit: the first suit that has the same ranks
    flops: Uint8s  # (flops, 3), in the order of their codes
    flop_weights: Int64s  # how many flops are this one under another name
    boards: Uint8s  # (boards, 5), in the order of their codes
    board_weights: Int64s

    @cached_property
    def holes(self) -> Uint8s:
        """(1326, 2): the cards of each hole code, the lower first, whether in the deck or not."""
        return np.array([(a, b) for b in range(52) for a in range(b)], dtype=np.uint8)

    @cached_property
    def renamed_holes(self) -> Uint16s:
        """(24, 1326): the code of a hole after each renaming of suits."""
        ranks, suits = self.holes >> 2, self.holes & 3
        renamed = np.sort(4 * ranks + SUIT_NAMES[:, suits], axis=-1).astype(np.int64)
        codes = CHOOSE[renamed[..., 1], 2] + renamed[..., 0]
        found: Uint16s = codes.astype(np.uint16)
        return found

    @cached_property
    def starts(self) -> Uint8s:
        """(starts, 2): one hole of each starting hand."""
        return self.holes[np.unique(self._first_names[self.in_deck])]

    @cached_property
    def start_of(self) -> Int64s:
        """(1326,): the starting hand of each hole; -1 where the deck has not both cards."""
        firsts = np.unique(self._first_names[self.in_deck])
        found = np.searchsorted(firsts, self._first_names)
        return np.where(self.in_deck, found, -1)

    @cached_property
    def in_deck(self) -> Bools:
        """(1326,): whether the deck has both cards of the hole."""
        held = np.isin(self.holes, self.deck)
        both: Bools = held[:, 0] & held[:, 1]
        return both

    @cached_property
    def turns(self) -> tuple[Uint8s, Int64s]:
        """The boards of four cards, in the order of their codes, and their weights."""
        return _all_canonical(self.deck, 4)

    @cached_property
    def flop_places(self) -> tuple[Int32s, Uint8s]:
        """By code of any flop: its canonical flop (-1: not in the deck) and its renaming."""
        return self._places_of(self.flops)

    @cached_property
    def turn_places(self) -> tuple[Int32s, Uint8s]:
        """The same by code of any four cards."""
        return self._places_of(self.turns[0])

    def _places_of(self, sets: Uint8s) -> tuple[Int32s, Uint8s]:
        codes = comb(52, sets.shape[1])
        row_of, name_of = np.full(codes, -1, dtype=np.int32), np.zeros(codes, dtype=np.uint8)
        deck = np.array(self.deck, dtype=np.int64)
        _places(deck, self.suit_class, sets, CHOOSE, SUIT_NAMES, row_of, name_of)
        return row_of, name_of

    def flop_spot(self, flop: Iterable[int], hole: Iterable[int]) -> Spot:
        """The canonical flop and the renamed hole: row and column of an array of flop decisions."""
        names = self._names(flop)
        row = np.searchsorted(_codes(self.flops), _code(_renamed(flop, names)))
        return int(row), _code(_renamed(hole, names))

    def board_spot(self, board: Iterable[int], hole: Iterable[int]) -> Spot:
        """The canonical board and the bit of the hole in its row of river decisions."""
        names = self._names(board)
        canonical = _renamed(board, names)
        row = np.searchsorted(_codes(self.boards), _code(canonical))
        left = [card - sum(taken < card for taken in canonical) for card in _renamed(hole, names)]
        return int(row), _code(left)

    def _names(self, cards: Iterable[int]) -> list[int]:
        """The new name of each suit that makes these cards canonical."""
        ranks = [0, 0, 0, 0]
        for card in cards:
            ranks[card & 3] |= 1 << (card >> 2)
        names = [0, 0, 0, 0]
        for first in set(self.suit_class.tolist()):
            alike = [suit for suit in range(4) if self.suit_class[suit] == first]
            fullest = sorted(alike, key=lambda suit: (-ranks[suit].bit_count(), -ranks[suit]))
            for name, suit in zip(alike, fullest, strict=True):
                names[suit] = name
        return names

    @cached_property
    def _first_names(self) -> Uint16s:
        """By hole: the least code it can have under a renaming within classes."""
        allowed = (self.suit_class[SUIT_NAMES] == self.suit_class).all(axis=1)
        least: Uint16s = self.renamed_holes[allowed].min(axis=0)
        return least


FULL_DECK = tuple(range(52))


def positions(deck: Sequence[int] = FULL_DECK) -> Positions:
    """The positions of a deck; at least nine cards make a round of one player."""
    return _positions(tuple(sorted(set(deck))))


@cache
def _positions(deck: tuple[int, ...]) -> Positions:
    if len(deck) < 9 or deck[0] < 0 or deck[-1] > 51:
        raise ValueError("a deck is nine or more different card numbers from 0 to 51")
    ranks = [sum(1 << (card >> 2) for card in deck if card & 3 == suit) for suit in range(4)]
    suit_class = np.array([ranks.index(held) for held in ranks], dtype=np.int64)
    return Positions(deck, suit_class, *_all_canonical(deck, 3), *_all_canonical(deck, 5))


def _all_canonical(deck: tuple[int, ...], size: int) -> tuple[Uint8s, Int64s]:
    """Every canonical set of so many cards, in the order of codes; how many sets it stands for."""
    sets, weights = kinds_of(np.array(deck, dtype=np.uint8), size)
    order = np.argsort(_codes(sets))
    return sets[order], weights[order]


def _codes(sets: Uint8s) -> Int64s:
    codes: Int64s = CHOOSE[sets, np.arange(1, sets.shape[1] + 1)].sum(axis=1)
    return codes


def _code(cards: Iterable[int]) -> int:
    return sum(comb(card, place) for place, card in enumerate(sorted(cards), 1))


def _renamed(cards: Iterable[int], names: Sequence[int]) -> list[int]:
    return sorted(card & ~3 | names[card & 3] for card in cards)


@kernel
def next_set(at: Int64s, size: int, total: int) -> bool:
    """Step to the set with the next code; False after the last."""
    for place in range(size):
        limit = at[place + 1] if place + 1 < size else total
        if at[place] + 1 < limit:
            at[place] += 1
            for lower in range(place):
                at[lower] = lower
            return True
    return False


@kernel
def suit_keys(deck: Int64s, at: Int64s, size: int, keys: Int64s) -> None:
    """By suit: how many cards it has, then which ranks, as one number that compares."""
    keys[:] = 0
    for place in range(size):
        card = deck[at[place]]
        keys[card & 3] += (1 << 13) + (1 << (card >> 2))


@kernel
def _places(
    deck: Int64s, suit_class: Int64s, sets: Uint8s, choose: Int64s, suit_names: Uint8s,
    row_of: Int32s, name_of: Uint8s,
) -> None:  # fmt: skip
    """By code of so many cards: the canonical set and the number of the renaming to it."""
    size = sets.shape[1]
    for number in range(len(sets)):
        row_of[code_of_sorted(sets[number], choose)] = number
    at = np.arange(size)
    keys, names, moved = np.empty(4, np.int64), np.empty(4, np.int64), np.empty(size, np.int64)
    while True:
        suit_keys(deck, at, size, keys)
        _name_suits(keys, suit_class, names)
        code = 0
        for place in range(size):
            card = deck[at[place]]
            moved[place] = (card >> 2) * 4 + names[card & 3]
            code += choose[card, place + 1]
        sorted_in_place(moved, size)
        row_of[code] = row_of[code_of_sorted(moved, choose)]
        for number in range(len(suit_names)):
            same = True
            for suit in range(4):
                same = same and suit_names[number, suit] == names[suit]
            if same:
                name_of[code] = number
        if not next_set(at, size, len(deck)):
            return


@kernel
def code_of_sorted(cards: Integers, choose: Int64s) -> int:
    """The code of cards that stand in rising order."""
    code = 0
    for place in range(len(cards)):
        code += choose[cards[place], place + 1]
    return code


@leaf
def sorted_in_place(numbers: Int64s, size: int) -> None:
    """Sort a few numbers by insertion."""
    for end in range(1, size):
        number, at = numbers[end], end
        while at > 0 and numbers[at - 1] > number:
            numbers[at] = numbers[at - 1]
            at -= 1
        numbers[at] = number


@kernel
def _name_suits(keys: Int64s, suit_class: Int64s, names: Int64s) -> None:
    """Give each suit the name that its place in falling order within its class asks for."""
    for suit in range(4):
        place = 0
        for other in range(4):
            if suit_class[other] == suit_class[suit]:
                ahead = keys[other] > keys[suit] or (keys[other] == keys[suit] and other < suit)
                place += ahead
        for name in range(4):
            if suit_class[name] == suit_class[suit]:
                if place == 0:
                    names[suit] = name
                    break
                place -= 1
