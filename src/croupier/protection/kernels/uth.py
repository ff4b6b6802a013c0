"""Ultimate Texas Hold'em when cards are known: values and squares carried back to the hole.

The cards known to lie with the dealer or out of play are out of the deck; a known card of the board
is in it. Showdown problems are the solver's (:mod:`croupier.exact.kernels.suit_views`); only the
dealer's hands against which they are counted are others: any two cards, one known card with any
other, or two known cards.

To each pair of cards on each problem belong some numbers, all of them sums over the dealer's hands
of what a round brings in units: for each Play before the river its result and the square of it; for
the best of betting and folding at the end its result, its square and the number of deals bet; and
last the result of what is best there when nothing is known. They add up over turns and rivers as
the solver's values do. Results decide, squares and numbers follow.

Squares outgrow 64 bits when many flops are added up, so from there on they are two numbers, the
lower 32 bits and the rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import Bools, Int32s, Int64s, Integers, Uint8s, int64
from croupier.exact.kernels.poker_rank import PokerRankTables
from croupier.exact.kernels.positions import sorted_in_place
from croupier.exact.kernels.showdown_rows import (
    OUTCOMES,
    ShowdownRows,
    live_after,
    new_showdown,
    rank_pairs,
    solve_showdown,
    write_outcome,
)
from croupier.exact.kernels.suit_views import Views, pair_number, row_of, view_of_cards
from croupier.exact.kernels.uth_values import ways_to_come
from croupier.protection.kernels.compiled import kernel

LOW_BITS = (1 << 32) - 1


class KnownPays(NamedTuple):
    """What decides money: by Play (the raises, the flop, the river, then the fold), in units."""

    cell_of_class: Uint8s
    nets: Int64s  # (plays + 1, cells, outcomes)
    squares: Int64s
    first_qualifying: int


class KnownDealer(NamedTuple):
    """The dealer's cards that are known, as each family of suits sees them."""

    kinds: Int64s  # (families, known)


class HonestBets(NamedTuple):
    """What is bet at the end when nothing is known, by view of the board and pair in the hole."""

    bets: Bools  # (views, pairs)
    first: Int64s  # by family: what its rows are less the view


@kernel
def find_honest_bets(
    start: int, stop: int, views: Views, tables: PokerRankTables, pays: KnownPays, bets: Bools
) -> None:
    """Decide the end of each of these rows as the solver does."""
    showdown = new_showdown()
    river = len(pays.nets) - 2
    for row in range(start, stop):
        kinds = views.boards.kinds[row]
        bets[row] = False
        if not live_after(kinds, views.live[views.boards.families[row]], showdown.live):
            continue
        count = solve_showdown(kinds, tables, views, pays.first_qualifying, showdown)
        for at in range(count):
            pair = showdown.order[at]
            cell = pays.cell_of_class[showdown.classes[pair]]
            outcome = showdown.outcomes[pair]
            shown = _summed(outcome, pays.nets[river, cell])
            bets[row, pair] = shown > _summed(outcome, pays.nets[river + 1, cell])


@kernel
def value_rows(
    start: int, stop: int, skipped: int, views: Views, tables: PokerRankTables, pays: KnownPays,
    dealer: KnownDealer, honest: HonestBets, values: Integers,
) -> None:  # fmt: skip
    """Solve the showdown problems of these rows, each into ``values[row - skipped]``.

    As in the solver, rows seen by a suit hold the difference to the same board without regard to
    suits, so those (family 0, never skipped) come first.
    """
    showdown, by_rank = new_showdown(), np.empty(5, np.int64)
    found = np.empty(values.shape[2], np.int64)
    for row in range(start, stop):
        kinds, family = views.boards.kinds[row], views.boards.families[row]
        mine = values[row - skipped]
        mine[:] = 0
        if not live_after(kinds, views.live[family], showdown.live):
            continue
        known = dealer.kinds[family]
        if len(known) == 0:
            count = solve_showdown(kinds, tables, views, pays.first_qualifying, showdown)
            pairs = showdown.order
        else:
            count = rank_pairs(kinds, tables, views, showdown)
            pairs = showdown.spare
            meet_known_dealer(kinds, known, tables, views, pays.first_qualifying, showdown, count)
        for at in range(5):
            by_rank[at] = kinds[at] % 13
        sorted_in_place(by_rank, 5)
        plain = values[row_of(by_rank, 5, 0, views.boards)]
        less = 1 if family else 0
        bets = honest.bets[row - honest.first[family]]
        for at in range(count):
            pair = pairs[at]
            cell = pays.cell_of_class[showdown.classes[pair]]
            _write_values(showdown.outcomes[pair], cell, pays, bets[pair], found)
            same = plain[views.rank_pair[pair]]
            for value in range(len(found)):
                mine[pair, value] = found[value] - less * same[value]


@kernel
def _write_values(
    outcome: Int64s, cell: int, pays: KnownPays, honestly: bool, found: Int64s
) -> None:
    """Results of the Plays before the river and of the end, the same of squares, deals bet, and
    the result of the honest end."""
    plays = len(pays.nets) - 2  # before the river
    river, folded = plays, plays + 1
    deals = 0
    for ending in range(OUTCOMES):
        deals += outcome[ending]
    for play in range(plays):
        found[play] = _summed(outcome, pays.nets[play, cell])
        found[plays + 1 + play] = _summed(outcome, pays.squares[play, cell])
    shown = _summed(outcome, pays.nets[river, cell])
    given_up = _summed(outcome, pays.nets[folded, cell])
    last = river if shown > given_up else folded
    found[plays] = max(shown, given_up)
    found[2 * plays + 1] = _summed(outcome, pays.squares[last, cell])
    found[2 * plays + 2] = deals if last == river else 0
    found[2 * plays + 3] = shown if honestly else given_up


@kernel
def _summed(outcome: Int64s, nets: Int64s) -> int:
    total = 0
    for ending in range(OUTCOMES):
        total += outcome[ending] * nets[ending]
    return total


@kernel
def meet_known_dealer(
    board: Uint8s, known: Int64s, tables: PokerRankTables, views: Views, qualifying: int,
    showdown: ShowdownRows, count: int,
) -> None:  # fmt: skip
    """Count the outcomes of each pair against the dealer's hands that hold the known cards."""
    live, by_rank = showdown.live, showdown.by_rank
    classes = np.full(26, -1, np.int64)
    suited, in_suit = 0, 0
    for kind in board:
        if kind >= 13:
            suited |= 1 << (kind - 13)
            in_suit += 1
    if len(known) == 2:
        both = class_of(known[0], known[1], suited, in_suit, by_rank, views, tables)
        for at in range(count):
            pair = showdown.spare[at]
            mine = showdown.classes[pair]
            write_outcome(
                mine >= qualifying, int64(both < mine), int64(both == mine),
                int64(both < qualifying), 1, showdown.outcomes[pair],
            )  # fmt: skip
        return
    hands, unqualified = 0, 0
    for kind in range(26):
        if live[kind] > 0:
            classes[kind] = class_of(known[0], kind, suited, in_suit, by_rank, views, tables)
            hands += live[kind]
            unqualified += live[kind] * (classes[kind] < qualifying)
    wins, ties = np.zeros(351, np.int64), np.zeros(351, np.int64)
    for kind in range(26):
        dealers, ways = classes[kind], live[kind]
        if ways > 0:
            for at in range(count):
                mine = showdown.classes[showdown.spare[at]]
                wins[at] += ways * (dealers < mine)
                ties[at] += ways * (dealers == mine)
    for at in range(count):
        pair = showdown.spare[at]
        mine, low, high = showdown.classes[pair], views.low[pair], views.high[pair]
        weak = unqualified - (classes[low] < qualifying) - (classes[high] < qualifying)
        won = wins[at] - (classes[low] < mine) - (classes[high] < mine)
        tied = ties[at] - (classes[low] == mine) - (classes[high] == mine)
        write_outcome(mine >= qualifying, won, tied, weak, hands - 2, showdown.outcomes[pair])


@kernel
def class_of(
    one: int, other: int, suited: int, in_suit: int, by_rank: Int64s, views: Views,
    tables: PokerRankTables,
) -> int:  # fmt: skip
    """The class of two cards on a board whose rank pairs are ranked already."""
    if in_suit + (one >= 13) + (other >= 13) < 5:
        return by_rank[views.rank_pair[pair_number(one, other)]]
    return int64(tables.flushes[suited | (1 << one) >> 13 | (1 << other) >> 13])


@kernel
def add_up_flops(
    start: int, stop: int, skipped: int, views: Views, values: Integers, sums: Int64s
) -> None:
    """For each view of a flop: the sums over turns and rivers, for every pair in the hole."""
    live, board = np.empty(26, np.int64), np.empty(5, np.int64)
    for flop in range(start, stop):
        kinds, family = views.flops.kinds[flop], views.flops.families[flop]
        total = sums[flop]
        total[:] = 0
        if not live_after(kinds, views.live[family], live):
            continue
        suited = _suited(kinds)
        for river in range(26 if family else 13):
            for turn in range(river + 1):
                if family and suited + (turn >= 13) + (river >= 13) < 3:
                    continue
                if live[turn] == 0 or live[river] == 0 or (turn == river and live[turn] == 1):
                    continue
                board[:3] = kinds
                board[3], board[4] = turn, river
                sorted_in_place(board, 5)
                row = values[row_of(board, 5, family, views.boards) - skipped]
                _add_board(row, turn, river, live, 26 if family else 13, total)


@kernel
def _suited(kinds: Uint8s) -> int:
    suited = 0
    for kind in kinds:
        suited += kind >= 13
    return suited


@kernel
def _add_board(
    row: Integers, turn: int, river: int, live: Int64s, kinds: int, total: Int64s
) -> None:
    """Add a board as often as turn and river can come: less often if the hole has such cards."""
    _add_times(row, kinds * (kinds + 1) // 2, ways_to_come(turn, river, live, 0, 0), total)
    for other in range(kinds):
        _add_fewer(row, turn, other, turn, river, live, total)
        if river != turn and other != turn:
            _add_fewer(row, river, other, turn, river, live, total)


@kernel
def _add_times(row: Integers, pairs: int, ways: int, total: Int64s) -> None:
    source, target = row.reshape(-1), total.reshape(-1)
    for at in range(pairs * row.shape[1]):
        target[at] += ways * int64(source[at])


@kernel
def _add_fewer(
    row: Integers, held: int, other: int, turn: int, river: int, live: Int64s, total: Int64s
) -> None:
    """Correct a hole that has a card of the turn's or the river's kind."""
    turns = (held == turn) + (other == turn)
    rivers = (held == river) + (other == river)
    fewer = ways_to_come(turn, river, live, turns, rivers) - ways_to_come(turn, river, live, 0, 0)
    pair = pair_number(held, other)
    for value in range(row.shape[1]):
        total[pair, value] += fewer * int64(row[pair, value])


@kernel
def add_up_late(
    start: int, stop: int, first: int, late: int, views: Views, values: Integers, sums: Int64s
) -> None:
    """The same when one of turn and river is known, a card of kind ``late``: over the other.

    The flop of row ``first`` is at the beginning of the sums.
    """
    live, board, four = np.empty(26, np.int64), np.empty(5, np.int64), np.empty(4, np.uint8)
    for flop in range(start, stop):
        kinds, family = views.flops.kinds[flop], views.flops.families[flop]
        total = sums[flop - first]
        total[:] = 0
        four[:3] = kinds
        four[3] = late
        if not live_after(four, views.live[family], live):
            continue
        suited = _suited(four)
        every = 26 if family else 13
        for other in range(every):
            if (family and suited + (other >= 13) < 3) or live[other] == 0:
                continue
            board[:3] = kinds
            board[3], board[4] = late, other
            sorted_in_place(board, 5)
            row = values[row_of(board, 5, family, views.boards)]
            _add_times(row, every * (every + 1) // 2, live[other], total)
            for beside in range(every):
                fewer = 1 + (beside == other)
                pair = pair_number(other, beside)
                for value in range(row.shape[1]):
                    total[pair, value] -= fewer * int64(row[pair, value])


@kernel
def decide_flops(
    start: int, stop: int, flops: Uint8s, weights: Int64s, infos: Int32s, by_flop_card: bool,
    late: int, views: Views, sums: Int64s, late_sums: Int64s, late_first: int, deals: int,
    honest: Bools, decided: Bools, tally: Int64s,
) -> None:  # fmt: skip
    """Decide every hole on these flops and add up by what is known before the flop.

    ``infos`` is by hole, or by hole and known card of the flop. ``late`` is the known card of turn
    or river, or -1; the suit of that card finds its sums in ``late_sums``, from that row on.
    ``deals`` is the number of ways in which a hole's flop can go on. ``honest`` says by flop and
    hole what is bet when nothing is known, ``decided`` is told what is bet now.
    """
    kinds, rows = np.empty(3, np.int64), np.empty(5, np.int64)
    found = np.empty(sums.shape[2], np.int64)
    late_suit = late & 3 if late >= 0 else -1
    for flop in range(start, stop):
        for suit in range(5):
            suited = view_of_cards(flops[flop], 3, suit, kinds)
            rows[suit] = -1
            if suited or suit == 4:
                rows[suit] = row_of(kinds, 3, views.family_of[suit], views.flops)
        first, second, third = flops[flop]
        hole = -1
        for high in range(52):
            if high in (first, second, third) or high == late:
                hole += high
                continue
            for low in range(high):
                hole += 1
                if low in (first, second, third) or low == late or infos[hole, 0] == -1:
                    continue
                found[:] = 0
                for suit in range(5):
                    if rows[suit] >= 0:
                        pair = views.pair_of[suit, hole]
                        if suit == late_suit:
                            source = late_sums[rows[suit] - late_first, pair]
                        else:
                            source = sums[rows[suit], pair]
                        for value in range(len(found)):
                            found[value] += source[value]
                decided[flop, hole] = _bets(found)
                honestly = honest[flop, hole]
                if by_flop_card:
                    for card in flops[flop]:
                        _add_decided(
                            found, weights[flop], deals, honestly, tally[infos[hole, card]]
                        )
                else:
                    _add_decided(found, weights[flop], deals, honestly, tally[infos[hole, 0]])


@kernel
def _bets(found: Int64s) -> bool:
    plays = (len(found) - 4) // 2
    return found[plays - 1] > found[plays]


@kernel
def _add_decided(found: Int64s, weight: int, deals: int, honestly: bool, total: Int64s) -> None:
    """Add what each raise brings, then what waiting brings when the flop is decided for the best.

    After results and deals come the squares, low bits and the rest; last what waiting brings when
    flop and end are decided as if nothing were known.
    """
    plays = (len(found) - 4) // 2
    raises = plays - 1
    bets = _bets(found)
    for raised in range(raises):
        total[raised] += weight * found[raised]
        _add_square(found[plays + 1 + raised], weight, total, raises + 3 + 2 * raised)
    total[raises] += weight * (found[plays - 1] if bets else found[plays])
    total[raises + 1] += weight * (deals if bets else 0)
    total[raises + 2] += weight * (0 if bets else found[2 * plays + 2])
    square = found[2 * plays] if bets else found[2 * plays + 1]
    _add_square(square, weight, total, 3 * raises + 3)
    total[3 * raises + 5] += weight * found[plays - 1 if honestly else 2 * plays + 3]


@kernel
def _add_square(square: int, weight: int, total: Int64s, at: int) -> None:
    total[at] += weight * (square & 0xFFFFFFFF)
    total[at + 1] += weight * (square >> 32)
