"""Hold'em with one Play when cards are known: values and squares carried back to the hole.

The cards known to lie with the dealer or out of play are out of the deck; a known card of the board
is in it. Showdown problems are the solver's (:mod:`croupier.exact.kernels.suit_views`); only the
dealer's hands against which they are counted are others: any two cards, one known card with any
other, or two known cards.

To each pair of cards on each problem belong some numbers, all of them sums over the dealer's hands
of what a round brings in units: for the flop's Play its result and the square of it; for the best
of betting and folding at the end its result, its square and the number of deals bet; and last the
result of what is best there when nothing is known. They add up over turns and rivers as the
solver's values do. Results decide, squares and numbers follow. A raise before the flop decides
nothing later, so its results and squares are added up at once, over all boards of a row.

Rows seen by a suit hold differences to the same board without regard to suits. Where the dealer
cannot have a flush these are nothing for all holes but those that make one, so only such holes are
kept, counted and added up: pairs stand in an order of *places*, no card of the suit first, then
one, then both. Only honest play may differ on all of them, and is kept apart.

Squares outgrow 64 bits when many flops or boards are added up, so from there on they are two
numbers, the lower 32 bits and the rest.

Whatever is called for each row, flop or hole makes no arrays, so that nobody counts who holds them:
both threads would write those counts at every step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import (
    Bools,
    Int32s,
    Int64s,
    Integers,
    Uint8s,
    Uint16s,
    int64,
)
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
from croupier.exact.kernels.suit_views import (
    KINDS,
    PAIRS,
    RANK_PAIRS,
    Views,
    pair_number,
    row_of,
)
from croupier.protection.kernels.compiled import kernel, lean, part

PLACES = PAIRS
FLOP, END, FLOP_SQUARE, END_SQUARE, BET = range(5)
NUMBERS = 5
ANY = KINDS  # among kinds of a card on the board: it may be any
WITH_SUIT, BOTH_SUITED = RANK_PAIRS, RANK_PAIRS + 13 * 13  # the first such places


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


class KnownRows(NamedTuple):
    """The numbers of each place of each row, from the first place that is kept on."""

    first: Int64s  # (rows,)
    last: Int64s  # past the last
    starts: Int64s  # where place 0 would begin
    slots: Int64s  # the row of ``honest``
    numbers: Integers  # end to end
    honest: Integers  # (slots, places)


class Raises(NamedTuple):
    """What raises bring over all boards of a family, and what they bring on each by ranks.

    ``sums`` are by a kind of card that is on the board, of which one is known, or by none. Of each
    raise there are the result and its square, the lower 32 bits and the rest.
    """

    sums: Int64s  # (kinds + 1, places, 3 x raises)
    plain: Int64s  # (rows of family 0, pairs of ranks, 2 x raises)
    by_kind: bool


class Workroom(NamedTuple):
    """Room for one row or flop; made by :func:`new_workroom`."""

    showdown: ShowdownRows
    pairs: Int64s  # those that are counted
    mine: Int64s  # and their classes
    wins: Int64s
    ties: Int64s
    dealers: Int64s  # the class of the dealer's hand by its other card
    board: Int64s
    live: Int64s
    kinds: Int64s  # the board's, rising
    on_board: Int64s  # by kind: how many cards of it the board has


@kernel
def new_workroom() -> Workroom:
    return Workroom(
        new_showdown(),
        np.zeros(351, np.int64),
        np.zeros(351, np.int64),
        np.zeros(351, np.int64),
        np.zeros(351, np.int64),
        np.zeros(26, np.int64),
        np.zeros(5, np.int64),
        np.zeros(26, np.int64),
        np.zeros(5, np.int64),
        np.zeros(26, np.int64),
    )


@part
def place_of(one: int, other: int) -> int:
    """The place of a pair of kinds."""
    low, high = min(one, other), max(one, other)
    if high < 13:
        return high * (high + 1) // 2 + low
    if low < 13:
        return WITH_SUIT + (high - 13) * 13 + low
    return BOTH_SUITED + (high - 13) * (high - 12) // 2 + low - 13


@kernel
def find_honest_bets(
    start: int, stop: int, views: Views, tables: PokerRankTables, pays: KnownPays, bets: Bools
) -> None:
    """Decide the end of each of these rows as the solver does."""
    showdown = new_showdown()
    for row in range(start, stop):
        kinds = views.boards.kinds[row]
        bets[row] = False
        if live_after(kinds, views.live[views.boards.families[row]], showdown.live):
            count = solve_showdown(kinds, tables, views, pays.first_qualifying, showdown)
            _find_bets(row, count, pays, showdown, bets)


@lean
def _find_bets(row: int, count: int, pays: KnownPays, showdown: ShowdownRows, bets: Bools) -> None:
    river = len(pays.nets) - 2
    for at in range(count):
        pair = showdown.order[at]
        cell = pays.cell_of_class[showdown.classes[pair]]
        shown = _summed(showdown.outcomes, pair, pays.nets, river, cell)
        bets[row, pair] = shown > _summed(showdown.outcomes, pair, pays.nets, river + 1, cell)


@kernel
def value_rows(
    start: int, stop: int, views: Views, tables: PokerRankTables, pays: KnownPays,
    dealer: KnownDealer, honest: HonestBets, rows: KnownRows, raises: Raises,
) -> None:  # fmt: skip
    """Solve the showdown problems of these rows; those of family 0 come first."""
    room = new_workroom()
    showdown = room.showdown
    for row in range(start, stop):
        kinds, family = views.boards.kinds[row], int64(views.boards.families[row])
        begin = rows.starts[row]
        rows.numbers[begin + rows.first[row] * NUMBERS : begin + rows.last[row] * NUMBERS] = 0
        rows.honest[rows.slots[row]] = 0
        if live_after(kinds, views.live[family], showdown.live):
            if dealer.kinds.shape[1] == 0:
                count = solve_showdown(kinds, tables, views, pays.first_qualifying, showdown)
            else:
                count = rank_pairs(kinds, tables, views, showdown)
            _value_row(row, count, views, tables, pays, dealer, honest, rows, raises, room)


@lean
def _value_row(
    row: int, count: int, views: Views, tables: PokerRankTables, pays: KnownPays,
    dealer: KnownDealer, honest: HonestBets, rows: KnownRows, raises: Raises, room: Workroom,
) -> None:  # fmt: skip
    """All pairs of a row, ranked and, if no card of the dealer is known, counted already."""
    kinds, family = views.boards.kinds[row], int64(views.boards.families[row])
    showdown, first, known = room.showdown, rows.first[row], dealer.kinds[family]
    for at in range(5):
        room.board[at] = kinds[at] % 13
    sorted_in_place(room.board, 5)
    plain = row_of(room.board, 5, 0, views.boards)
    bets, plain_bets = honest.bets[row - honest.first[family]], honest.bets[plain - honest.first[0]]
    pairs = showdown.order if len(known) == 0 else showdown.listed
    needed = 0
    for at in range(count):
        pair = pairs[at]
        kept = place_of(int64(views.low[pair]), int64(views.high[pair])) >= first
        if kept or bets[pair] != plain_bets[views.rank_pair[pair]]:
            room.pairs[needed], room.mine[needed] = pair, showdown.classes[pair]
            needed += 1
    if len(known) > 0:
        meet_known_dealer(kinds, known, tables, views, pays.first_qualifying, room, needed)
    room.on_board[:] = 0
    for at in range(5):
        room.kinds[at] = kinds[at]
        room.on_board[kinds[at]] += 1
    for at in range(needed):
        pair = room.pairs[at]
        cell = pays.cell_of_class[room.mine[at]]
        place = place_of(int64(views.low[pair]), int64(views.high[pair]))
        _write_values(
            row, plain, pair, place, cell, views, pays, bets[pair], showdown.outcomes, rows
        )
        if place >= first:
            _add_raises(row, plain, pair, place, cell, views, pays, room, raises)


@part
def _write_values(
    row: int, plain: int, pair: int, place: int, cell: int, views: Views, pays: KnownPays,
    honestly: bool, outcomes: Int32s, rows: KnownRows,
) -> None:  # fmt: skip
    """Results of the flop's Play and of the end, the same of squares, and deals bet; and the
    result of the honest end. Seen by a suit: less those of the row by ranks."""
    flop, river, folded = len(pays.nets) - 3, len(pays.nets) - 2, len(pays.nets) - 1
    same = int64(views.rank_pair[pair])
    shown = _summed(outcomes, pair, pays.nets, river, cell)
    given_up = _summed(outcomes, pair, pays.nets, folded, cell)
    slot, less = rows.slots[row], 1 if row != plain else 0
    honest = shown if honestly else given_up
    rows.honest[slot, place] = honest - less * int64(rows.honest[rows.slots[plain], same])
    if place < rows.first[row]:
        return
    at, under = rows.starts[row] + place * NUMBERS, rows.starts[plain] + same * NUMBERS
    target, plainly = rows.numbers[at : at + NUMBERS], rows.numbers[under : under + NUMBERS]
    last = river if shown > given_up else folded
    bet = _deals(outcomes, pair) if last == river else 0
    result = _summed(outcomes, pair, pays.nets, flop, cell)
    square = _summed(outcomes, pair, pays.squares, flop, cell)
    end_square = _summed(outcomes, pair, pays.squares, last, cell)
    target[FLOP] = result - less * int64(plainly[FLOP])
    target[END] = max(shown, given_up) - less * int64(plainly[END])
    target[FLOP_SQUARE] = square - less * int64(plainly[FLOP_SQUARE])
    target[END_SQUARE] = end_square - less * int64(plainly[END_SQUARE])
    target[BET] = bet - less * int64(plainly[BET])


@part
def _add_raises(
    row: int, plain: int, pair: int, place: int, cell: int, views: Views, pays: KnownPays,
    room: Workroom, raises: Raises,
) -> None:  # fmt: skip
    """Add a raise with this pair over all boards of the row; seen by a suit, the difference."""
    low, high = int64(views.low[pair]), int64(views.high[pair])
    ways, before = int64(1), int64(-1)
    for at in range(5):
        kind = room.kinds[at]
        if kind != before:
            ways *= views.boards.choose[_left(kind, low, high, room), room.on_board[kind]]
        before = kind
    same, seen_by_suit = int64(views.rank_pair[pair]), row != plain
    for number in range(len(pays.nets) - 3):
        result = _summed(room.showdown.outcomes, pair, pays.nets, number, cell)
        square = _summed(room.showdown.outcomes, pair, pays.squares, number, cell)
        plainly = raises.plain[plain, same, 2 * number : 2 * number + 2]
        if seen_by_suit:
            result, square = result - plainly[0], square - plainly[1]
        else:
            plainly[0], plainly[1] = result, square
        _add_raise(raises.sums[ANY, place], number, ways, result, square)
        before = int64(-1)
        for at in range(5 if raises.by_kind else 0):
            kind = room.kinds[at]
            if kind != before:
                with_one = ways * room.on_board[kind] // _left(kind, low, high, room)
                _add_raise(raises.sums[kind, place], number, with_one, result, square)
            before = kind


@part
def _left(kind: int, low: int, high: int, room: Workroom) -> int:
    """How many cards of this kind the board may have beside a hole of these kinds."""
    there = room.showdown.live[kind] + room.on_board[kind]
    return there - int64(kind == low) - int64(kind == high)


@part
def _add_raise(sums: Int64s, number: int, ways: int, result: int, square: int) -> None:
    sums[3 * number] += ways * result
    sums[3 * number + 1] += ways * (square & 0xFFFFFFFF)
    sums[3 * number + 2] += ways * (square >> 32)


@part
def _summed(outcomes: Int32s, pair: int, nets: Int64s, play: int, cell: int) -> int:
    total = int64(0)
    for ending in range(OUTCOMES):
        total += outcomes[pair, ending] * nets[play, cell, ending]
    return total


@part
def _deals(outcomes: Int32s, pair: int) -> int:
    total = int64(0)
    for ending in range(OUTCOMES):
        total += outcomes[pair, ending]
    return total


@lean
def meet_known_dealer(
    board: Uint8s, known: Int64s, tables: PokerRankTables, views: Views, qualifying: int,
    room: Workroom, count: int,
) -> None:  # fmt: skip
    """Count the outcomes of each pair against the dealer's hands that hold the known cards."""
    showdown, classes, wins, ties = room.showdown, room.dealers, room.wins, room.ties
    live, by_rank = showdown.live, showdown.by_rank
    suited, in_suit = int64(0), int64(0)
    for kind in board:
        if kind >= 13:
            suited |= int64(1) << (int64(kind) - 13)
            in_suit += 1
    if len(known) == 2:
        both = class_of(known[0], known[1], suited, in_suit, by_rank, views, tables)
        for at in range(count):
            mine = room.mine[at]
            write_outcome(
                mine >= qualifying, int64(both < mine), int64(both == mine),
                int64(both < qualifying), 1, showdown.outcomes[room.pairs[at]],
            )  # fmt: skip
        return
    hands, unqualified = int64(0), int64(0)
    classes[:], wins[:], ties[:] = -1, 0, 0
    for kind in range(26):
        ways = live[kind]
        if ways > 0:
            theirs = class_of(known[0], kind, suited, in_suit, by_rank, views, tables)
            classes[kind] = theirs
            hands += ways
            unqualified += ways * int64(theirs < qualifying)
            for at in range(count):
                wins[at] += ways * int64(theirs < room.mine[at])
                ties[at] += ways * int64(theirs == room.mine[at])
    for at in range(count):
        pair, mine = room.pairs[at], room.mine[at]
        low, high = classes[views.low[pair]], classes[views.high[pair]]
        weak = unqualified - int64(low < qualifying) - int64(high < qualifying)
        won = wins[at] - int64(low < mine) - int64(high < mine)
        tied = ties[at] - int64(low == mine) - int64(high == mine)
        write_outcome(mine >= qualifying, won, tied, weak, hands - 2, showdown.outcomes[pair])


@part
def class_of(
    one: int, other: int, suited: int, in_suit: int, by_rank: Uint16s, views: Views,
    tables: PokerRankTables,
) -> int:  # fmt: skip
    """The class of two cards on a board whose rank pairs are ranked already."""
    if in_suit + int64(one >= 13) + int64(other >= 13) < 5:
        return int64(by_rank[views.rank_pair[pair_number(one, other)]])
    return int64(tables.flushes[suited | (1 << one) >> 13 | (1 << other) >> 13])
