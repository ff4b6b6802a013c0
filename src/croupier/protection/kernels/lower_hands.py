"""The lower of player's and dealer's hand on every view of a board, by what a wager pays it as."""

from __future__ import annotations

from croupier.exact.kernels.array_types import Int64s, Uint8s, Uint16s, int64
from croupier.exact.kernels.poker_rank import PokerRankTables
from croupier.exact.kernels.showdown_rows import (
    LOSS,
    LOSS_QUALIFYING,
    ShowdownRows,
    hands_of,
    live_after,
    rank_pairs,
    solve_showdown,
)
from croupier.exact.kernels.suit_views import Views
from croupier.protection.kernels.compiled import kernel
from croupier.protection.kernels.holdem import (
    KnownDealer,
    class_of,
    meet_known_dealer,
    new_workroom,
)


@kernel
def count_lower(
    start: int, stop: int, views: Views, tables: PokerRankTables, cells: Uint8s,
    dealer: KnownDealer, found: Int64s,
) -> None:  # fmt: skip
    """For each row: how many pairs of hands have a lower one of each cell; ties have none."""
    room = new_workroom()
    showdown = room.showdown
    for row in range(start, stop):
        kinds, family = views.boards.kinds[row], views.boards.families[row]
        mine = found[row]
        mine[:] = 0
        if not live_after(kinds, views.live[family], showdown.live):
            continue
        known = dealer.kinds[family]
        if len(known) == 0:
            count = solve_showdown(kinds, tables, views, 0, showdown)
            # Both hands are alike to come: as often as the player's the dealer's is the lower one.
            _add_losses(count, showdown.order, 2, views, cells, showdown, mine)
            continue
        count = rank_pairs(kinds, tables, views, showdown)
        for at in range(count):
            room.pairs[at] = showdown.listed[at]
            room.mine[at] = showdown.classes[showdown.listed[at]]
        meet_known_dealer(kinds, known, tables, views, 0, room, count)
        _add_losses(count, showdown.listed, 1, views, cells, showdown, mine)
        _add_dealers_losses(kinds, known, count, views, tables, cells, showdown, mine)


@kernel
def _add_losses(
    count: int, pairs: Uint16s, times: int, views: Views, cells: Uint8s, showdown: ShowdownRows,
    mine: Int64s,
) -> None:  # fmt: skip
    for at in range(count):
        pair = pairs[at]
        lost = showdown.outcomes[pair, LOSS] + showdown.outcomes[pair, LOSS_QUALIFYING]
        ways = hands_of(views.low[pair], views.high[pair], showdown.live)
        mine[cells[showdown.classes[pair]]] += times * ways * lost


@kernel
def _add_dealers_losses(
    board: Uint8s, known: Int64s, count: int, views: Views, tables: PokerRankTables, cells: Uint8s,
    showdown: ShowdownRows, mine: Int64s,
) -> None:  # fmt: skip
    """Every hand of the dealer that holds the known cards, against all higher ones."""
    live, suited, in_suit = showdown.live, int64(0), int64(0)
    for kind in board:
        if kind >= 13:
            suited |= int64(1) << (int64(kind) - 13)
            in_suit += 1
    for other in range(26 if len(known) == 1 else 1):
        ways = live[other] if len(known) == 1 else 1
        if ways == 0:
            continue
        second = other if len(known) == 1 else known[1]
        theirs = class_of(known[0], second, suited, in_suit, showdown.by_rank, views, tables)
        higher = int64(0)
        live[other] -= len(known) == 1
        for at in range(count):
            pair = showdown.listed[at]
            if showdown.classes[pair] > theirs:
                higher += hands_of(views.low[pair], views.high[pair], live)
        live[other] += len(known) == 1
        mine[cells[theirs]] += ways * higher
