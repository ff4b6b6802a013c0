"""Cards from a counter: the deal of a round is a function of the seed and the round's number.

The generator is Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as
1, 2, 3", 2011): ten rounds of multiplication turn a counter of four 32-bit words, under a key of
two, into four words that pass every known test. The seed is the key. The counter is the number of
the block within the round and the number of the round, so any round can be dealt by anybody, in any
order, and always comes out the same.

A block gives eight draws of 16 bits. A draw below ``n`` is the upper half of ``word * n``; the few
words that would make some values likelier than others are thrown away (Lemire, "Fast Random Integer
Generation in an Interval", 2019), so every card of the deck that is left is equally likely.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import Int64s, Integers, Uint64s, int64
from croupier.simulate.kernels.compiled import part

DECK = 52


class CounterShoe(NamedTuple):
    """Where one thread deals: the deck being shuffled, and the draws at hand."""

    deck: Int64s
    words: Uint64s


class DealBatch(NamedTuple):
    """A handful of rounds, dealt and decided together; the room of one thread."""

    dealt: Int64s  # [round, card]
    actions: Int64s  # [round, box]
    asked: Int64s  # the decisions still open, each as round times boxes plus box
    spots: Int64s  # by open decision: where it stands in a table


def new_shoe() -> CounterShoe:
    return CounterShoe(np.zeros(DECK, np.int64), np.zeros(8, np.uint64))


def new_hand(rounds: int, boxes: int, dealt: Int64s | None = None) -> DealBatch:
    """Room for so many rounds, of given cards or of cards to come."""
    cards = np.zeros((rounds, DECK), dtype=np.int64) if dealt is None else dealt
    actions = np.zeros((rounds, boxes), dtype=np.int64)
    return DealBatch(
        cards, actions, np.zeros(actions.size, np.int64), np.zeros(actions.size, np.int64)
    )


@part
def code_of(cards: Integers, first: int, size: int, choose: Int64s) -> int:
    """The code of a set of cards in any order (see :mod:`croupier.exact.kernels.positions`).

    Each card's place is how many of the others are lower; to sort them would take longer.
    """
    code = int64(0)
    for one in range(first, first + size):
        place = 1
        for other in range(first, first + size):
            place += cards[other] < cards[one]
        code += choose[cards[one], place]
    return code


@part
def philox(
    block: np.uint64,
    low: np.uint64,
    high: np.uint64,
    fourth: np.uint64,
    key_low: np.uint64,
    key_high: np.uint64,
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Philox 4x32-10: four words of a counter under two of a key, each in 64 bits."""
    mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    for _ in range(10):
        first = np.uint64(0xD2511F53) * block
        second = np.uint64(0xCD9E8D57) * high
        block, low = (second >> half) ^ low ^ key_low, second & mask
        high, fourth = (first >> half) ^ fourth ^ key_high, first & mask
        key_low = (key_low + np.uint64(0x9E3779B9)) & mask
        key_high = (key_high + np.uint64(0xBB67AE85)) & mask
    return block, low, high, fourth


@part
def deal(seed: np.uint64, round: int, count: int, shoe: CounterShoe, dealt: Int64s) -> None:
    """Draw so many cards without bias; the seed and the round alone decide which."""
    deck, words = shoe.deck, shoe.words
    for card in range(DECK):
        deck[card] = card
    mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    key_low, key_high = np.uint64(seed) & mask, np.uint64(seed) >> half
    low, high = np.uint64(round) & mask, np.uint64(round) >> half
    block, used = np.uint64(0), 8
    for place in range(count):
        left = np.uint64(DECK - place)
        product = np.uint64(0)
        while True:
            if used == 8:
                _unpack(philox(block, low, high, np.uint64(0), key_low, key_high), words)
                block += np.uint64(1)
                used = 0
            product = words[used] * left
            used += 1
            # Only a remainder below the deck can be one to throw away, so the division is rare.
            rest = product & np.uint64(0xFFFF)
            if rest >= left or rest >= np.uint64(65536) % left:
                break
        drawn = place + int64(product >> np.uint64(16))
        dealt[place], deck[drawn] = deck[drawn], deck[place]


@part
def _unpack(four: tuple[np.uint64, np.uint64, np.uint64, np.uint64], words: Uint64s) -> None:
    """Eight 16-bit numbers of four words."""
    for at in range(4):
        words[2 * at] = four[at] & np.uint64(0xFFFF)
        words[2 * at + 1] = four[at] >> np.uint64(16)


@part
def deal_rounds(
    seed: np.uint64, first: int, count: int, rounds: int, shoe: CounterShoe, dealt: Int64s
) -> None:
    """Deal so many rounds from ``first`` on, a row each."""
    for row in range(rounds):
        deal(seed, first + row, count, shoe, dealt[row])
