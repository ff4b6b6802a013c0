"""Many finished boards, each with a player's hole: how all hands of the dealer end against it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from croupier.exact.kernels.array_types import Int64s, Uint8s, Uint16s
from croupier.exact.kernels.compiled import in_chunks, kernel, threads_to_use
from croupier.exact.kernels.poker_rank import (
    PokerRankTables,
    rank_on_board,
    tables,
)

WIN_OPEN, WIN, TIE, LOSS_OPEN, LOSS = range(5)  # the player wins and the dealer opens, ...


def meet_dealers(
    hands: Uint8s,
    first_opening: int,
    progress: Callable[[float], None] = lambda done: None,
    threads: int | None = None,
) -> tuple[Uint16s, Int64s]:
    """By row of two hole cards and a board: the player's class, and how many of the 990 dealer's
    hands end in each of the five ways."""
    classes = np.zeros(len(hands), dtype=np.uint16)
    ends = np.zeros((len(hands), 5), dtype=np.int64)
    known = tables(7)

    def work(_: None, start: int, stop: int) -> None:
        _meet(start, stop, hands, first_opening, known, classes, ends)

    in_chunks(work, [None] * threads_to_use(threads), len(hands), 512, progress)
    return classes, ends


@kernel
def _meet(
    first: int, last: int, hands: Uint8s, first_opening: int, tables: PokerRankTables,
    classes: Uint16s, ends: Int64s,
) -> None:  # fmt: skip
    unseen, seven = np.empty(45, np.uint8), np.empty(7, np.uint8)
    for row in range(first, last):
        seen = np.uint64(0)
        board = np.uint64(0)
        for place in range(7):
            seven[place] = hands[row, place]
            seen |= np.uint64(1) << np.uint64(hands[row, place])
            if place > 1:
                board += tables.cards[hands[row, place]]
        count = 0
        for card in range(52):
            if not seen >> np.uint64(card) & np.uint64(1):
                unseen[count] = card
                count += 1
        player = rank_on_board(board, seven, tables)
        classes[row] = player
        for high in range(1, 45):
            seven[0] = unseen[high]
            for low in range(high):
                seven[1] = unseen[low]
                dealer = rank_on_board(board, seven, tables)
                opens = dealer >= first_opening
                if player > dealer:
                    end = WIN_OPEN if opens else WIN
                elif player == dealer:
                    end = TIE
                else:
                    end = LOSS_OPEN if opens else LOSS
                ends[row, end] += 1
