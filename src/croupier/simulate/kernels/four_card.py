"""Rounds of Four Card Poker: the cards as they lie, and what a strategy's table decides.

Cards come in the order dealer, the up card last, then the boxes, then the one of the Six Card
Bonus. A decision is a number for each kind of five cards and each up card; any hand's kind and the
exchange of suits that leads there stand in one table of 2,598,960 numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.kernels import four_card_rank
from croupier.exact.kernels.array_types import Int64s, Uint8s, Uint32s, int64
from croupier.exact.kernels.card_sets import NO_EXCHANGE, exchanged, walk
from croupier.exact.kernels.poker_rank import PokerRankTables, tables
from croupier.exact.kernels.positions import next_set
from croupier.simulate.kernels.compiled import kernel, part
from croupier.simulate.kernels.counter_shoe import (
    DECK,
    DealBatch,
    code_of,
)
from croupier.simulate.kernels.holdem import gathered, ranked, six_cards
from croupier.simulate.kernels.round_loop import round_loops
from croupier.simulate.kernels.settlement import (
    RoundArrays,
    StakedRules,
    end_case,
    settle,
)

FOUR, FIVE, SIX = range(3)
LOOKS = ("four-card hand", "five cards", "six cards")
DEALER = 6
NO_SIXTH = -1  # where no card of the Six Card Bonus is dealt


class FourCardHands(NamedTuple):
    """What ranks hands: the solver's tables for four cards and for the best five of five or six."""

    four: four_card_rank.FourCardRankTables
    five: PokerRankTables
    six: PokerRankTables


def rank_tables() -> FourCardHands:
    return FourCardHands(four_card_rank.tables(), tables(5), tables(6))


class FourCardDecisions(NamedTuple):
    """How the boxes play."""

    of_box: Int64s  # by box: its strategy
    actions: Uint8s  # [strategy, kind of hand, up card]
    places: Uint32s  # by code of five cards: kind of hand and exchange
    choose: Int64s


@kernel
def find_hands(steps: Uint32s, first_kind: int, choose: Int64s, places: Uint32s) -> None:
    """By code of any five cards: the kind of hand, times 256, and the exchange of suits."""
    at = np.arange(5)
    while True:
        kind, exchange = 0, NO_EXCHANGE
        for place in range(5):
            kind, exchange = walk(steps, kind, exchange, at[place])
        places[code_of(at, 0, 5, choose)] = (kind - first_kind) * 256 + exchange
        if not next_set(at, 5, DECK):
            return


@part
def decide(hand: DealBatch, rounds: int, minds: FourCardDecisions) -> None:
    """The action of every box in a handful of rounds.

    First all are looked for, then all are read: the tables are large, and while one answer is on
    its way from memory the next are asked for.
    """
    boxes = len(minds.of_box)
    for row in range(rounds):
        for box in range(boxes):
            code = code_of(hand.dealt[row], DEALER + 5 * box, 5, minds.choose)
            hand.spots[row * boxes + box] = minds.places[code]
    for row in range(rounds):
        up = hand.dealt[row, DEALER - 1]
        for box in range(boxes):
            spot = hand.spots[row * boxes + box]
            column = exchanged(up, spot & 255)
            hand.actions[row, box] = minds.actions[minds.of_box[box], spot >> 8, column]


@part
def play(
    cards: Int64s, actions: Int64s, staked: StakedRules, hands: FourCardHands, seen: RoundArrays
) -> None:
    """Look at the cards of a round whose decisions are made, and settle."""
    dealer = class_of_dealer(cards, hands)
    boxes = len(actions)
    sixth = cards[DEALER + 5 * boxes] if staked.six >= 0 else NO_SIXTH
    for box in range(boxes):
        own = look_at_box(cards, DEALER + 5 * box, sixth, hands, seen.looks[box])
        end_case(staked, seen, box, actions[box], own, dealer)
    settle(staked, seen)


@part
def class_of_dealer(cards: Int64s, hands: FourCardHands) -> int:
    total, held = gathered(cards, 0, DEALER, hands.four.cards, hands.four.bits)
    return int64(four_card_rank.class_of(total, held, hands.four))


@part
def look_at_box(cards: Int64s, first: int, sixth: int, hands: FourCardHands, looks: Int64s) -> int:
    """Write the looks of a box whose five cards begin there; the class of its best four."""
    numbers, bits = hands.five.cards, hands.four.bits
    total, held = gathered(cards, first, first + 5, hands.four.cards, bits)
    number, _ = gathered(cards, first, first + 5, numbers, bits)
    own = int64(four_card_rank.class_of(total, held, hands.four))
    looks[FOUR] = own
    looks[FIVE] = ranked(number, held, hands.five)
    if sixth != NO_SIXTH:
        looks[SIX] = six_cards(number + numbers[sixth], held | bits[sixth], hands.six)
    return own


play_rounds, note_rounds = round_loops(__name__, decide, play)


@part
def dealt_cards(boxes: int, with_six: bool) -> int:
    """How many cards a round takes."""
    return DEALER + 5 * boxes + (with_six)
