"""The loop over rounds, one for every game: deal, decide, play, and count or keep what came out.

A game's module of kernels has a ``decide`` for a handful of rounds and a ``play`` for one. Numba
finds what a kernel calls by its global names, and keeps no machine code of a function that was
handed in; so each game gets the loops below with these two among their globals.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, cast

import numpy as np

from croupier.exact.kernels.array_types import Int64s
from croupier.simulate.kernels.compiled import part
from croupier.simulate.kernels.counter_shoe import CounterShoe, DealBatch, deal_rounds
from croupier.simulate.kernels.settlement import (
    RoundArrays,
    RoundCounts,
    StakedRules,
    count,
    note,
)

GameArrays = tuple[object, ...]  # a game's own named tuple
Loop = Callable[..., Any]


def round_loops(game: str, decide: Loop, play: Loop) -> tuple[Loop, Loop]:
    """``play_rounds`` and ``note_rounds`` of the game whose module has this name."""
    names = {**globals(), "__name__": game, "decide": decide, "play": play}
    loops = (cast(FunctionType, loop) for loop in (play_rounds, note_rounds))
    own, noted = (FunctionType(loop.__code__, names) for loop in loops)
    return part(own), part(noted)


def decide(hand: DealBatch, rounds: int, minds: GameArrays) -> None:
    """Write the action of every box in a handful of rounds; every game has its own."""
    raise NotImplementedError


def play(
    cards: Int64s, actions: Int64s, staked: StakedRules, hands: GameArrays, seen: RoundArrays
) -> None:
    """Look at the cards of a round whose decisions are made, and settle; every game has its own."""
    raise NotImplementedError


def play_rounds(
    seed: np.uint64, start: int, stop: int, cards: int, staked: StakedRules, minds: GameArrays,
    hands: GameArrays, shoe: CounterShoe, hand: DealBatch, seen: RoundArrays, tally: RoundCounts,
    hits: Int64s,
) -> int:  # fmt: skip
    """Deal so many cards a round, play and count the rounds from ``start`` to before ``stop``; the
    number of hits."""
    found = 0
    for first in range(start, stop, len(hand.dealt)):
        rounds = min(len(hand.dealt), stop - first)
        deal_rounds(seed, first, cards, rounds, shoe, hand.dealt)
        decide(hand, rounds, minds)
        for row in range(rounds):
            play(hand.dealt[row], hand.actions[row], staked, hands, seen)
            found = count(staked, seen, first + row, tally, hits, found)
    return found


def note_rounds(
    hand: DealBatch,
    staked: StakedRules,
    minds: GameArrays,
    hands: GameArrays,
    seen: RoundArrays,
    noted: RoundArrays,
) -> None:
    """Play the rounds of given cards, and keep how each ended."""
    decide(hand, len(hand.dealt), minds)
    for row in range(len(hand.dealt)):
        play(hand.dealt[row], hand.actions[row], staked, hands, seen)
        note(seen, row, noted)
