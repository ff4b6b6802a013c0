"""Rounds of any game whose hands are few enough to stand in a list.

Cards come in the order dealer, an up card last, then the boxes. What class a hand is of and what is
done with it stand in tables, by the code of its cards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import Int64s, Uint8s, int64
from croupier.simulate.kernels.compiled import part
from croupier.simulate.kernels.counter_shoe import CounterShoe, DealBatch, code_of, deal_rounds
from croupier.simulate.kernels.settlement import (
    CompiledRules,
    RoundArrays,
    RoundCounts,
    count,
    end_case,
    note,
    settle,
)


class ListedHands(NamedTuple):
    """What ranks hands, and how many cards make one."""

    own: Int64s  # by code of a box's cards: the class of its hand
    dealer: Int64s  # by code of the dealer's cards: the class of the dealer's
    own_cards: int
    dealer_cards: int


class ListedDecisions(NamedTuple):
    """How the boxes play."""

    of_box: Int64s  # by box: its strategy
    actions: Uint8s  # [strategy, code of a box's cards, up card or 0 where none is]
    choose: Int64s


@part
def play(
    cards: Int64s,
    compiled: CompiledRules,
    minds: ListedDecisions,
    hands: ListedHands,
    seen: RoundArrays,
) -> None:
    """Decide each box by the cards in sight, look at all of them, and settle."""
    dealer = hands.dealer[code_of(cards, 0, hands.dealer_cards, minds.choose)]
    up = cards[hands.dealer_cards - 1] if minds.actions.shape[2] > 1 else 0
    for box in range(len(minds.of_box)):
        first = hands.dealer_cards + hands.own_cards * box
        code = code_of(cards, first, hands.own_cards, minds.choose)
        own = hands.own[code]
        seen.looks[box, :] = own
        action = int64(minds.actions[minds.of_box[box], code, up])
        end_case(compiled, seen, box, action, own, dealer)
    settle(compiled, seen)


@part
def play_rounds(
    seed: np.uint64, start: int, stop: int, compiled: CompiledRules, minds: ListedDecisions,
    hands: ListedHands, shoe: CounterShoe, hand: DealBatch, seen: RoundArrays, tally: RoundCounts,
    hits: Int64s,
) -> int:  # fmt: skip
    """Deal, play and count the rounds from ``start`` to before ``stop``; the number of hits."""
    cards = hands.dealer_cards + hands.own_cards * len(minds.of_box)
    found = 0
    for first in range(start, stop, len(hand.dealt)):
        rounds = min(len(hand.dealt), stop - first)
        deal_rounds(seed, first, cards, rounds, shoe, hand.dealt)
        for row in range(rounds):
            play(hand.dealt[row], compiled, minds, hands, seen)
            found = count(compiled, seen, first + row, tally, hits, found)
    return found


@part
def note_rounds(
    hand: DealBatch,
    compiled: CompiledRules,
    minds: ListedDecisions,
    hands: ListedHands,
    seen: RoundArrays,
    noted: RoundArrays,
) -> None:
    """Play the rounds of given cards, and keep how each ended."""
    for row in range(len(hand.dealt)):
        play(hand.dealt[row], compiled, minds, hands, seen)
        note(seen, row, noted)
