"""One hole on one flop: what betting and waiting bring who knows a card, or cards out of play.

Turns and rivers are taken so that every card that can come has as many others beside it. On each
board all hands of the dealer are ranked once and counted by how they end: in all, by each card that
they hold, and by both. Hands with a known card, or without some, are then sums of such counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.kernels.array_types import Int64s, Uint8s, int64
from croupier.exact.kernels.poker_rank import (
    PokerRankTables,
    rank_on_board,
)
from croupier.exact.kernels.showdown_rows import (
    LOSS,
    LOSS_QUALIFYING,
    OUTCOMES,
    TIE,
    WIN,
    WIN_QUALIFYING,
)
from croupier.protection.kernels.compiled import kernel, lean, part
from croupier.protection.kernels.holdem import KnownPays

BETS, WAITS = 0, 1


class FlopValues(NamedTuple):
    """What betting and waiting bring in units; not a number for cards that cannot lie there."""

    by_dealer: NDArray[np.float64]  # (52, 2): by a known card of the dealer
    by_late: NDArray[np.float64]  # (52, 2): by a known card of turn and river
    by_set: NDArray[np.float64]  # (sets, 2): by cards out of play


class BoardEnds(NamedTuple):
    """The dealer's hands on one board, by how they end."""

    every: Int64s  # (outcomes,)
    by_card: Int64s  # (52, outcomes)
    ends: Uint8s  # (52, 52)
    some: Int64s  # (outcomes,)


@kernel
def value_flop(
    seen: Uint8s, unseen: Uint8s, beside: int, tables: PokerRankTables, pays: KnownPays,
    sets: Uint8s,
) -> FlopValues:  # fmt: skip
    """``seen`` are hole and flop; each card that comes has ``beside`` others on either side."""
    found = FlopValues(np.zeros((52, 2)), np.zeros((52, 2)), np.zeros((len(sets), 2)))
    times_dealer, times_late = np.zeros(52), np.zeros(52)
    times_set = np.zeros(len(sets))
    room = BoardEnds(
        np.zeros(OUTCOMES, np.int64), np.zeros((52, OUTCOMES), np.int64),
        np.zeros((52, 52), np.uint8), np.zeros(OUTCOMES, np.int64),
    )  # fmt: skip
    seven, left = np.empty(7, np.uint8), np.empty(len(unseen) - 2, np.uint8)
    seven[2:5] = seen[2:]
    for step in range(1, beside + 1):
        for at in range(len(unseen)):
            turn, river = unseen[at], unseen[(at + step) % len(unseen)]
            seven[5], seven[6] = turn, river
            count = 0
            for card in unseen:
                if card not in (turn, river):
                    left[count] = card
                    count += 1
            mine = _meet_board(seen, seven, left, tables, pays.first_qualifying, room)
            cell = int64(pays.cell_of_class[mine])
            for card in left:
                _add(room.by_card[card], pays, cell, found.by_dealer[card])
                times_dealer[card] += 1
            for card in (turn, river):
                _add(room.every, pays, cell, found.by_late[card])
                times_late[card] += 1
            for number in range(len(sets)):
                if _beside_set(sets[number], turn, river, room):
                    _add(room.some, pays, cell, found.by_set[number])
                    times_set[number] += 1
    for play in range(2):
        found.by_dealer[:, play] /= times_dealer
        found.by_late[:, play] /= times_late
        found.by_set[:, play] /= times_set
    return found


@lean
def _meet_board(
    seen: Uint8s, seven: Uint8s, left: Uint8s, tables: PokerRankTables, qualifying: int,
    room: BoardEnds,
) -> int:  # fmt: skip
    """Count the dealer's hands on a board; the player's class."""
    board = np.uint64(0)
    for at in range(2, 7):
        board += tables.cards[seven[at]]
    seven[0], seven[1] = seen[0], seen[1]
    mine = rank_on_board(board, seven, tables)
    room.every[:], room.by_card[:] = 0, 0
    for high in range(1, len(left)):
        seven[0] = left[high]
        for low in range(high):
            seven[1] = left[low]
            theirs = rank_on_board(board, seven, tables)
            if mine > theirs:
                end = WIN_QUALIFYING if theirs >= qualifying else WIN
            elif mine == theirs:
                end = TIE
            else:
                end = LOSS_QUALIFYING if theirs >= qualifying else LOSS
            room.every[end] += 1
            room.by_card[left[high], end] += 1
            room.by_card[left[low], end] += 1
            room.ends[left[low], left[high]] = end
    return mine


@lean
def _beside_set(cards: Uint8s, turn: int, river: int, room: BoardEnds) -> bool:
    """Count the hands without any of these cards, which rise; False if the board has one."""
    for end in range(OUTCOMES):
        room.some[end] = room.every[end]
    for high in range(len(cards)):
        if cards[high] in (turn, river):
            return False
        for end in range(OUTCOMES):
            room.some[end] -= room.by_card[cards[high], end]
        for low in range(high):
            room.some[room.ends[cards[low], cards[high]]] += 1
    return True


@part
def _add(counts: Int64s, pays: KnownPays, cell: int, values: NDArray[np.float64]) -> None:
    """Add what a Play of the flop brings, and the best at the end, over the hands of a board."""
    flop, river, fold = len(pays.nets) - 3, len(pays.nets) - 2, len(pays.nets) - 1
    bet, shown, given_up, hands = int64(0), int64(0), int64(0), int64(0)
    for end in range(OUTCOMES):
        bet += counts[end] * pays.nets[flop, cell, end]
        shown += counts[end] * pays.nets[river, cell, end]
        given_up += counts[end] * pays.nets[fold, cell, end]
        hands += counts[end]
    values[BETS] += bet / hands
    values[WAITS] += max(shown, given_up) / hands
