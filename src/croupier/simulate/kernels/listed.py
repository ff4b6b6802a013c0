"""Rounds of any game whose hands are few enough to stand in a list.

Cards come in the order dealer, an up card last, then the boxes. What class a hand is of and what is
done with it stand in tables, by the code of its cards.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.simulate.kernels.compiled import part
from croupier.simulate.kernels.counter_shoe import code_of, deal_rounds
from croupier.simulate.kernels.settlement import count, end_case, note, settle


class ListedHands(NamedTuple):
    """What ranks hands, and how many cards make one."""

    own: NDArray[np.int64]  # by code of a box's cards: the class of its hand
    dealer: NDArray[np.int64]  # by code of the dealer's cards: the class of the dealer's
    own_cards: int
    dealer_cards: int


class ListedDecisions(NamedTuple):
    """How the boxes play."""

    of_box: NDArray[np.int64]  # by box: its strategy
    actions: NDArray[np.uint8]  # [strategy, code of a box's cards, up card or 0 where none is]
    choose: NDArray[np.int64]


@part
def play(cards: Any, felt: Any, minds: Any, hands: Any, seen: Any) -> None:
    """Decide each box by the cards in sight, look at all of them, and settle."""
    dealer = hands.dealer[code_of(cards, 0, hands.dealer_cards, minds.choose)]
    up = cards[hands.dealer_cards - 1] if minds.actions.shape[2] > 1 else 0
    for box in range(len(minds.of_box)):
        first = hands.dealer_cards + hands.own_cards * box
        code = code_of(cards, first, hands.own_cards, minds.choose)
        own = hands.own[code]
        seen.looks[box, :] = own
        action = np.int64(minds.actions[minds.of_box[box], code, up])
        end_case(felt, seen, box, action, own, dealer)
    settle(felt, seen)


@part
def play_rounds(
    seed: Any, start: Any, stop: Any, felt: Any, minds: Any, hands: Any,
    shoe: Any, hand: Any, seen: Any, tally: Any, hits: Any,
) -> Any:  # fmt: skip
    """Deal, play and count the rounds from ``start`` to before ``stop``; the number of hits."""
    cards = hands.dealer_cards + hands.own_cards * len(minds.of_box)
    found = 0
    for first in range(start, stop, len(hand.dealt)):
        rounds = min(len(hand.dealt), stop - first)
        deal_rounds(seed, first, cards, rounds, shoe, hand.dealt)
        for row in range(rounds):
            play(hand.dealt[row], felt, minds, hands, seen)
            found = count(felt, seen, first + row, tally, hits, found)
    return found


@part
def note_rounds(hand: Any, felt: Any, minds: Any, hands: Any, seen: Any, noted: Any) -> None:
    """Play the rounds of given cards, and keep how each ended."""
    for row in range(len(hand.dealt)):
        play(hand.dealt[row], felt, minds, hands, seen)
        note(seen, row, noted)
