"""Rounds of Hold'em with bets that add up: what the best strategy bets, street by street.

Cards lie, and hands are looked at, as in :mod:`.holdem`. An action is the number that the solver
gives to the later bets a box made, or to the fold (:mod:`croupier.exact.kernels.holdem_bets`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import Int32s, Int64s, Uint8s, Uint16s, Uint64s, int64
from croupier.exact.kernels.holdem_bets import FLOP_BET, FOLD, TURN_BET
from croupier.simulate.kernels.compiled import part
from croupier.simulate.kernels.counter_shoe import DealBatch, code_of
from croupier.simulate.kernels.holdem import LOOKS, dealt_cards, hole_of, play
from croupier.simulate.kernels.round_loop import round_loops

__all__ = ["LOOKS", "BetsTables", "dealt_cards", "decide", "note_rounds", "play_rounds"]


class BetsTables(NamedTuple):
    """How every box plays: whether it bets, a bit a hole, and where positions stand."""

    of_box: Int64s  # one strategy for all
    plays: Uint8s  # by hole: whether it bets before the flop
    flop: Uint64s  # [canonical flop, word]
    turn: Uint64s  # [canonical board of four, word]
    flop_of: Int32s  # by code of a flop
    flop_name: Uint8s
    turn_of: Int32s  # by code of four cards
    turn_name: Uint8s
    renamed_holes: Uint16s  # [renaming, hole]
    choose: Int64s


@part
def decide(hand: DealBatch, rounds: int, minds: BetsTables) -> None:
    """The action of every box in a handful of rounds."""
    for row in range(rounds):
        cards = hand.dealt[row]
        flop, four = code_of(cards, 0, 3, minds.choose), code_of(cards, 0, 4, minds.choose)
        for box in range(len(minds.of_box)):
            low, high = hole_of(cards, box)
            hole = high * (high - 1) // 2 + low
            if not minds.plays[hole]:
                hand.actions[row, box] = FOLD
                continue
            on_flop = int64(minds.renamed_holes[minds.flop_name[flop], hole])
            on_turn = int64(minds.renamed_holes[minds.turn_name[four], hole])
            hand.actions[row, box] = FLOP_BET * _bit(
                minds.flop[minds.flop_of[flop]], on_flop
            ) + TURN_BET * _bit(minds.turn[minds.turn_of[four]], on_turn)


@part
def _bit(words: Uint64s, hole: int) -> int:
    return int64((words[hole >> 6] >> np.uint64(hole & 63)) & np.uint64(1))


play_rounds, note_rounds = round_loops(__name__, decide, play)
