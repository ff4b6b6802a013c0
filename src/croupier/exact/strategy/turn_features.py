"""What a player notices on the turn of Hold'em where bets add up, for every position.

There are 18 million positions. Their charts ask for few features, so NumPy finds them, one board of
four cards after the other. ``croupier.exact.strategy.features`` says in plain code what each one
means; tests hold the charts equal.
"""

from __future__ import annotations

import numpy as np

from croupier.exact.kernels.array_types import Bools, Int16s, Uint8s, Uint16s
from croupier.exact.kernels.holdem_features import NAMES
from croupier.exact.kernels.poker_rank import rank_hands
from croupier.exact.kernels.positions import HOLES, Positions
from croupier.exact.kernels.rule_programs import RuleProgram, decide_columns
from croupier.facts.progress import Progress

_FLUSH_CARDS, _BOARD_FLUSH, _DEALER_OUTS = map(
    NAMES.index, ("flush_cards", "board_flush", "dealer_outs")
)
_BOARDS_A_REPORT = 64


def decide_turns(
    spots: Positions, program: RuleProgram, asked: Bools, progress: Progress
) -> Uint8s:
    """(canonical boards of four, 1326): what the rules write; 0 where a hole is not asked."""
    boards, _ = spots.turns
    written = np.zeros((len(boards), HOLES), dtype=np.uint8)
    deck = np.array(spots.deck, dtype=np.uint8)
    holes_with = (spots.holes == np.arange(52)[:, None, None]).any(axis=2)
    for at, board in enumerate(boards):
        left = np.flatnonzero(asked & ~holes_with[board].any(axis=0))
        chosen = np.zeros(len(left), dtype=np.int16)
        noticed = _noticed(board, spots.holes[left], np.setdiff1d(deck, board))
        decide_columns(program, noticed, len(left), chosen)
        written[at, left] = program.writes[chosen]
        if at % _BOARDS_A_REPORT == 0:
            progress("reading turns", at / len(boards))
    return written


def _noticed(board: Uint8s, holes: Uint8s, unseen: Uint8s) -> Int16s:
    """(features, holes). A single card of the player's own never beats him, so it is no out."""
    suits = np.bincount(board & 3, minlength=4)
    alike = holes[:, 0] & 3 == holes[:, 1] & 3
    singles = np.sort(_classes(board, unseen[:, None]))
    values = np.zeros((len(NAMES), len(holes)), dtype=np.int16)
    values[_FLUSH_CARDS] = suits[holes & 3].max(axis=1) + 1 + alike
    values[_BOARD_FLUSH] = suits.max()
    values[_DEALER_OUTS] = len(singles) - singles.searchsorted(_classes(board, holes), "right")
    return values


def _classes(board: Uint8s, others: Uint8s) -> Uint16s:
    """The hands that each row of other cards makes with the board."""
    return rank_hands(np.hstack([np.broadcast_to(board, (len(others), len(board))), others]))
