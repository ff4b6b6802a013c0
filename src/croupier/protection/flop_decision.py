"""The decision on the flop at Hold'em with one Play: what betting and waiting bring who knows."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from croupier.exact.kernels.array_types import Uint8s
from croupier.exact.kernels.poker_rank import tables
from croupier.games.rules import Rules
from croupier.protection.kernels.flop_values import FlopValues, value_flop
from croupier.protection.known_game import known_game
from croupier.protection.last_decision import Numbers

EVERY = 23  # of 47 cards: so many on either side are all others
SOME = 4
NO_SETS: Uint8s = np.zeros((0, 0), np.uint8)
FlopDecider = Callable[[Numbers, Numbers, Uint8s], FlopValues]
"""By a box's own cards, the flop, and sets of cards that others may hold: in Antes."""


@lru_cache(maxsize=4)
def flop_decisions(rules: Rules, beside: int) -> FlopDecider:
    """What values the decision on the flop, with so many cards on either side of each that comes;
    ``EVERY`` is exact, fewer are near enough to tell how a player who knows would choose."""
    game = known_game(rules)

    def decide(own: Numbers, flop: Numbers, sets: Uint8s = NO_SETS) -> FlopValues:
        seen = np.array(own + flop, np.uint8)
        unseen = np.setdiff1d(np.arange(52, dtype=np.uint8), seen)
        found = value_flop(seen, unseen, beside, tables(7), game.pays, np.sort(sets, axis=1))
        return FlopValues(*(values / game.denominator for values in found))

    return decide
