"""Rounds of Hold'em with one Play in which players know cards too early, and use them.

Before the flop a table decides, by hole and what is known up to suits. Later everything that can
still come is dealt out, for with so much known that is little: both hands known leave 990 boards,
one card of the dealer 45,540 showdowns, a card out of play alone a million. A known card of the
flop tells nothing on the flop, so from there on the tables of honest play decide.

Known cards are the first of their place; a card out of play is dealt last of all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import Bools, Int64s, Uint8s, int64
from croupier.simulate.kernels.compiled import part
from croupier.simulate.kernels.counter_shoe import DECK, DealBatch
from croupier.simulate.kernels.holdem import (
    CHECKS,
    LOOKS,
    HoldemDecisions,
    HoldemHands,
    decide_later,
    hole_of,
    play,
    ranked,
)
from croupier.simulate.kernels.holdem import dealt_cards as other_cards
from croupier.simulate.kernels.round_loop import round_loops
from croupier.simulate.kernels.settlement import LOSS, TIE, WIN

__all__ = ["LOOKS", "KnowingDecisions", "dealt_cards", "decide", "note_rounds", "play_rounds"]

DEALER, FLOP, LATE, BURN = range(4)
UNKNOWN = DECK  # in the place of a card
NAMES = 32  # room for 24 renamings of suits
BETS, ENDS, FOLDS = range(3)


class ShowdownPays(NamedTuple):
    """What decides money: what a bet on the flop, one at the end and a fold bring, in whole
    numbers."""

    cells: Uint8s  # by class of the player's hand
    nets: Int64s  # [bet, cell, meeting]
    first_opening: int


class SeenEarly(NamedTuple):
    """What a player knows of dealer and board, and which other cards cannot come: a bit each."""

    one: int  # of the dealer, or UNKNOWN
    other: int
    late: int  # of turn and river
    taken: int  # own, and out of play; a known card of dealer or board is none of them


class KnowingDecisions(NamedTuple):
    """How the boxes play: who knows nothing by the tables of honest play."""

    honest: HoldemDecisions
    pays: ShowdownPays
    hands: HoldemHands
    seen: Int64s  # [strategy, place]: how many cards are known
    counts_out: Bools  # by strategy: whether what is known tells anything from the flop on
    parts: Int64s  # [strategy, two known cards]: what is known up to suits, times 32, and renaming
    starts: Int64s  # by strategy: where its first decisions begin
    widths: Int64s  # by strategy: how many decisions a hole has, by card of the flop
    firsts: Uint8s  # by strategy, part, hole and card of the flop: the action
    burnt: int  # the place of the card out of play


@part
def decide(hand: DealBatch, rounds: int, minds: KnowingDecisions) -> None:
    """The action of every box in a handful of rounds."""
    boxes = len(minds.honest.of_box)
    asked = 0
    for row in range(rounds):
        cards = hand.dealt[row]
        for box in range(boxes):
            mind = minds.honest.of_box[box]
            low, high = hole_of(cards, box)
            action = _first_action(cards, mind, low, high, minds)
            if action == CHECKS and minds.counts_out[mind]:
                known = _known_cards(cards, mind, low, high, minds)
                action = last_action(cards, low, high, known, minds)
            hand.actions[row, box] = action
            hand.asked[asked] = row * boxes + box
            asked += action == CHECKS
    decide_later(hand, asked, boxes, minds.honest)


@part
def _first_action(cards: Int64s, mind: int, low: int, high: int, minds: KnowingDecisions) -> int:
    hole = high * (high - 1) // 2 + low
    width = minds.widths[mind]
    if width == 0:
        return int64(minds.honest.preflop[mind, hole])
    seen, one, other = minds.seen[mind], UNKNOWN, UNKNOWN
    if seen[LATE]:
        one = cards[3]
    if seen[BURN]:
        one = cards[minds.burnt]
    if seen[DEALER]:
        one, other = cards[5], one
    if seen[DEALER] == 2:
        other = cards[6]
    spot = minds.parts[mind, one * (DECK + 1) + other]
    name = spot % NAMES
    hole = int64(minds.honest.renamed_holes[name, hole])
    flop = (cards[0] >> 2) * 4 + minds.honest.names[name, cards[0] & 3] if width > 1 else 0
    holes = minds.honest.renamed_holes.shape[1]
    return int64(minds.firsts[minds.starts[mind] + (spot // NAMES * holes + hole) * width + flop])


@part
def _known_cards(
    cards: Int64s, mind: int, low: int, high: int, minds: KnowingDecisions
) -> SeenEarly:
    seen = minds.seen[mind]
    one = cards[5] if seen[DEALER] else UNKNOWN
    other = cards[6] if seen[DEALER] == 2 else UNKNOWN
    late = cards[3] if seen[LATE] else UNKNOWN
    taken = int64(1) << low | int64(1) << high
    if seen[BURN]:
        taken |= int64(1) << cards[minds.burnt]
    return SeenEarly(one, other, late, taken)


@part
def last_action(
    cards: Int64s, low: int, high: int, known: SeenEarly, minds: KnowingDecisions
) -> int:
    """The action of a box that did not raise: on the flop, if it is asked there, or at the end."""
    honest = minds.honest
    if honest.first_end > honest.first_bet and bets_on_flop(
        cards, low, high, known, minds.pays, minds.hands
    ):
        return honest.first_bet
    if honest.fold > honest.first_end and bets_at_end(
        cards, low, high, known, minds.pays, minds.hands
    ):
        return honest.first_end
    return honest.fold


@part
def bets_on_flop(
    board: Int64s, low: int, high: int, known: SeenEarly, pays: ShowdownPays, hands: HoldemHands
) -> bool:
    """Whether to bet with this hole on the first three cards of a board is best."""
    numbers, bits = hands.seven.cards, hands.bits
    total = numbers[board[0]] + numbers[board[1]] + numbers[board[2]]
    held = bits[board[0]] | bits[board[1]] | bits[board[2]]
    taken = known.taken | _bit(board[0]) | _bit(board[1]) | _bit(board[2])
    taken |= _bit(known.one) | _bit(known.other)
    bets, waits = int64(0), int64(0)
    first, last = (0, DECK) if known.late == UNKNOWN else (known.late, known.late + 1)
    for turn in range(first, last):
        if (taken >> turn) & 1:
            continue
        for river in range(turn if known.late == UNKNOWN else DECK):
            if (taken >> river) & 1 or river == turn:
                continue
            bet, end, fold = _won(
                total + numbers[turn] + numbers[river], held | bits[turn] | bits[river],
                low, high, known, taken | _bit(turn) | _bit(river), pays, hands,
            )  # fmt: skip
            bets += bet
            waits += max(end, fold)
    return bets > waits


@part
def bets_at_end(
    board: Int64s, low: int, high: int, known: SeenEarly, pays: ShowdownPays, hands: HoldemHands
) -> bool:
    """Whether to bet with this hole is best when the whole board lies there."""
    total, held, taken = np.uint64(0), np.uint64(0), known.taken
    for place in range(5):
        total += hands.seven.cards[board[place]]
        held |= hands.bits[board[place]]
        taken |= _bit(board[place])
    _, end, fold = _won(total, held, low, high, known, taken, pays, hands)
    return end > fold


@part
def _bit(card: int) -> int:
    """The bit of a card; the one of no card is higher than all."""
    return int64(1) << int64(card)


@part
def _won(
    total: np.uint64, held: np.uint64, low: int, high: int, known: SeenEarly, taken: int,
    pays: ShowdownPays, hands: HoldemHands,
) -> tuple[int, int, int]:  # fmt: skip
    """What a bet on the flop, one at the end and a fold bring against all hands of the dealer on
    this board together."""
    numbers, bits, opening = hands.seven.cards, hands.bits, pays.first_opening
    mine = ranked(total + numbers[low] + numbers[high], held | bits[low] | bits[high], hands.seven)
    every, opens, won, tied = int64(0), int64(0), int64(0), int64(0)
    opens_won, opens_tied = int64(0), int64(0)
    one, other = known.one, known.other
    first_from, first_to = (0, DECK) if one == UNKNOWN else (one, one + 1)
    for first in range(first_from, first_to):
        if one == UNKNOWN and (taken >> first) & 1:
            continue
        second_from, second_to = (0, first if one == UNKNOWN else DECK)
        if other != UNKNOWN:
            second_from, second_to = other, other + 1
        with_first, held_first = total + numbers[first], held | bits[first]
        for second in range(second_from, second_to):
            if other == UNKNOWN and ((taken >> second) & 1 or second == first):
                continue
            theirs = ranked(with_first + numbers[second], held_first | bits[second], hands.seven)
            every += 1
            opens += theirs >= opening
            won += mine > theirs
            tied += mine == theirs
            opens_won += (mine > theirs) & (theirs >= opening)
            opens_tied += (mine == theirs) & (theirs >= opening)
    opens_lost = opens - opens_won - opens_tied
    shut_lost = every - won - tied - opens_lost
    nets = pays.nets[:, pays.cells[mine]]
    return (
        _sum(nets[BETS], won, tied, opens_won, opens_tied, opens_lost, shut_lost),
        _sum(nets[ENDS], won, tied, opens_won, opens_tied, opens_lost, shut_lost),
        _sum(nets[FOLDS], won, tied, opens_won, opens_tied, opens_lost, shut_lost),
    )


@part
def _sum(
    nets: Int64s, won: int, tied: int, opens_won: int, opens_tied: int, opens_lost: int,
    shut_lost: int,
) -> int:  # fmt: skip
    """By how the hands meet, see :func:`croupier.simulate.kernels.settlement.meeting_of`."""
    return (
        (won - opens_won) * nets[2 * WIN] + opens_won * nets[2 * WIN + 1]
        + (tied - opens_tied) * nets[2 * TIE] + opens_tied * nets[2 * TIE + 1]
        + shut_lost * nets[2 * LOSS] + opens_lost * nets[2 * LOSS + 1]
    )  # fmt: skip


play_rounds, note_rounds = round_loops(__name__, decide, play)


@part
def dealt_cards(boxes: int, with_six: bool) -> int:
    """How many cards a round takes, the one out of play among them."""
    return int64(other_cards(boxes, with_six)) + 1
