"""Rounds of any game whose hands are few enough to stand in a list.

Cards come in the order dealer, an up card last, then the boxes. What class a hand is of and what is
done with it stand in tables, by the code of its cards.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier.exact.kernels.array_types import Int64s, Uint8s
from croupier.simulate.kernels.compiled import part
from croupier.simulate.kernels.counter_shoe import DealBatch, code_of
from croupier.simulate.kernels.round_loop import round_loops
from croupier.simulate.kernels.settlement import (
    RoundArrays,
    StakedRules,
    end_case,
    settle,
)


class ListedDeal(NamedTuple):
    """How many cards make a hand, and what codes them."""

    own_cards: int
    dealer_cards: int
    choose: Int64s


class ListedHands(NamedTuple):
    """What ranks hands."""

    deal: ListedDeal
    own: Int64s  # by code of a box's cards: the class of its hand
    dealer: Int64s  # by code of the dealer's cards: the class of the dealer's


class ListedDecisions(NamedTuple):
    """How the boxes play."""

    deal: ListedDeal
    of_box: Int64s  # by box: its strategy
    actions: Uint8s  # [strategy, code of a box's cards, up card or 0 where none is]


@part
def decide(hand: DealBatch, rounds: int, minds: ListedDecisions) -> None:
    """The action of every box in a handful of rounds, by the cards in sight."""
    for row in range(rounds):
        cards = hand.dealt[row]
        up = cards[minds.deal.dealer_cards - 1] if minds.actions.shape[2] > 1 else 0
        for box in range(len(minds.of_box)):
            code = code_of_box(cards, box, minds.deal)
            hand.actions[row, box] = minds.actions[minds.of_box[box], code, up]


@part
def play(
    cards: Int64s, actions: Int64s, staked: StakedRules, hands: ListedHands, seen: RoundArrays
) -> None:
    """Look at the cards of a round whose decisions are made, and settle."""
    deal = hands.deal
    dealer = hands.dealer[code_of(cards, 0, deal.dealer_cards, deal.choose)]
    for box in range(len(actions)):
        own = hands.own[code_of_box(cards, box, deal)]
        seen.looks[box, :] = own
        end_case(staked, seen, box, actions[box], own, dealer)
    settle(staked, seen)


@part
def code_of_box(cards: Int64s, box: int, deal: ListedDeal) -> int:
    first = deal.dealer_cards + deal.own_cards * box
    return code_of(cards, first, deal.own_cards, deal.choose)


play_rounds, note_rounds = round_loops(__name__, decide, play)
