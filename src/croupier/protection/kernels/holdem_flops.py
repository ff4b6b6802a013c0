"""Hold'em with one Play when cards are known: rows added up by flop, and the flop decided."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import Bools, Int32s, Int64s, Uint8s, int64
from croupier.exact.kernels.positions import sorted_in_place
from croupier.exact.kernels.showdown_rows import live_after
from croupier.exact.kernels.suit_views import Views, row_of, view_of_cards
from croupier.protection.kernels.compiled import kernel, lean, part
from croupier.protection.kernels.holdem import (
    BET,
    END,
    END_SQUARE,
    FLOP,
    FLOP_SQUARE,
    NUMBERS,
    PLACES,
    KnownRows,
    Workroom,
    new_workroom,
    place_of,
)

WAITED, BET_ON_FLOP, BET_AT_END, WAITED_SQUARE, _, WAITED_HONESTLY, BET_HONESTLY = range(7)
TALLIES = 7


class KnownSums(NamedTuple):
    """The numbers of each place by flop, over turns and rivers."""

    numbers: Int64s  # (flops, places x NUMBERS)
    honest: Int64s  # (flops, places)


@kernel
def add_up_flops(start: int, stop: int, views: Views, rows: KnownRows, sums: KnownSums) -> None:
    """For each view of a flop: the sums over turns and rivers, for every pair in the hole."""
    room = new_workroom()
    for flop in range(start, stop):
        kinds, family = views.flops.kinds[flop], int64(views.flops.families[flop])
        sums.numbers[flop], sums.honest[flop] = 0, 0
        if live_after(kinds, views.live[family], room.live):
            _add_up_flop(flop, views, rows, sums, room)


@lean
def _add_up_flop(flop: int, views: Views, rows: KnownRows, sums: KnownSums, room: Workroom) -> None:
    kinds, family = views.flops.kinds[flop], int64(views.flops.families[flop])
    live, board = room.live, room.board
    suited = _suited(kinds)
    every = 26 if family else 13
    for river in range(every):
        for turn in range(river + 1):
            if family and suited + (turn >= 13) + (river >= 13) < 3:
                continue
            if live[turn] == 0 or live[river] == 0 or (turn == river and live[turn] == 1):
                continue
            for at in range(3):
                board[at] = kinds[at]
            board[3], board[4] = turn, river
            sorted_in_place(board, 5)
            row = row_of(board, 5, family, views.boards)
            ways = ways_to_come(turn, river, live, 0, 0)
            _add_times(rows, row, ways, sums, flop)
            for other in range(every):
                fewer = _fewer(turn, other, turn, river, live, ways)
                _add_fewer(rows, row, turn, other, fewer, sums, flop)
                if river != turn and other != turn:
                    fewer = _fewer(river, other, turn, river, live, ways)
                    _add_fewer(rows, row, river, other, fewer, sums, flop)


@part
def _suited(kinds: Uint8s) -> int:
    suited = int64(0)
    for kind in kinds:
        suited += kind >= 13
    return suited


@part
def _fewer(held: int, other: int, turn: int, river: int, live: Int64s, ways: int) -> int:
    """How often less turn and river can come if the hole has cards of these kinds."""
    turns = int64(held == turn) + int64(other == turn)
    rivers = int64(held == river) + int64(other == river)
    return ways_to_come(turn, river, live, turns, rivers) - ways


@part
def _add_times(rows: KnownRows, row: int, ways: int, sums: KnownSums, flop: int) -> None:
    """Add a row so many times."""
    first, last = rows.first[row] * NUMBERS, rows.last[row] * NUMBERS
    start = rows.starts[row]
    source, target = rows.numbers[start + first : start + last], sums.numbers[flop, first:last]
    for at in range(last - first):
        target[at] += ways * int64(source[at])
    honest, honest_sums = rows.honest[rows.slots[row]], sums.honest[flop]
    for place in range(PLACES):
        honest_sums[place] += ways * int64(honest[place])


@part
def _add_fewer(
    rows: KnownRows, row: int, held: int, other: int, fewer: int, sums: KnownSums, flop: int
) -> None:
    """Correct a hole that has a card that is to come."""
    place = place_of(held, other)
    sums.honest[flop, place] += fewer * int64(rows.honest[rows.slots[row], place])
    if rows.first[row] <= place < rows.last[row]:
        at = rows.starts[row] + place * NUMBERS
        for value in range(NUMBERS):
            sums.numbers[flop, place * NUMBERS + value] += fewer * int64(rows.numbers[at + value])


@kernel
def add_up_late(
    start: int, stop: int, first: int, late: int, views: Views, rows: KnownRows, sums: KnownSums
) -> None:
    """The same when one of turn and river is known, a card of kind ``late``: over the other.

    The flop of row ``first`` is at the beginning of the sums. Where one card more makes no flush a
    suit has nothing to add, and its sums are left as they are: memory nobody writes takes no room.
    """
    room, four = new_workroom(), np.empty(4, np.uint8)
    for flop in range(start, stop):
        family = int64(views.flops.families[flop])
        four[:3], four[3] = views.flops.kinds[flop], late
        if family and _suited(four) < 2:
            continue
        sums.numbers[flop - first], sums.honest[flop - first] = 0, 0
        if live_after(four, views.live[family], room.live):
            _add_up_late(flop, first, late, views, rows, sums, room, four)


@lean
def _add_up_late(
    flop: int, first: int, late: int, views: Views, rows: KnownRows, sums: KnownSums,
    room: Workroom, four: Uint8s,
) -> None:  # fmt: skip
    kinds, family = views.flops.kinds[flop], int64(views.flops.families[flop])
    live, board = room.live, room.board
    suited = _suited(four)
    every = 26 if family else 13
    for other in range(every):
        if (family and suited + (other >= 13) < 3) or live[other] == 0:
            continue
        for at in range(3):
            board[at] = kinds[at]
        board[3], board[4] = late, other
        sorted_in_place(board, 5)
        row = row_of(board, 5, family, views.boards)
        _add_times(rows, row, live[other], sums, flop - first)
        for beside in range(every):
            fewer = -1 - int64(beside == other)
            _add_fewer(rows, row, other, beside, fewer, sums, flop - first)


class FlopDecisions(NamedTuple):
    """The flops of a problem, and what is known on them.

    ``infos`` is by hole, or by hole and known card of the flop. ``late`` is the known card of turn
    or river, or -1; the suit of that card finds its sums in the late ones, from that row on.
    ``deals`` is the number of ways in which a hole's flop can go on.
    """

    flops: Uint8s
    weights: Int64s
    infos: Int32s
    by_flop_card: bool
    late: int
    late_first: int
    deals: int
    places: Int64s  # (5, holes): as each suit sees them, and none
    honest: Bools  # by flop and hole: what is bet when nothing is known
    decided: Bools  # is told what is bet now, if it has room for these flops


@kernel
def decide_flops(
    start: int, stop: int, asked: FlopDecisions, views: Views, sums: KnownSums,
    late_sums: KnownSums, tally: Int64s,
) -> None:  # fmt: skip
    """Decide every hole on these flops and add up by what is known before the flop."""
    kinds, rows = np.empty(3, np.int64), np.empty(5, np.int64)
    found = np.empty(NUMBERS + 1, np.int64)
    for flop in range(start, stop):
        _decide_flop(flop, asked, views, sums, late_sums, kinds, rows, found, tally)


@lean
def _decide_flop(
    flop: int, asked: FlopDecisions, views: Views, sums: KnownSums, late_sums: KnownSums,
    kinds: Int64s, rows: Int64s, found: Int64s, tally: Int64s,
) -> None:  # fmt: skip
    late = asked.late
    cards = asked.flops[flop]
    for suit in range(5):
        suited = view_of_cards(cards, 3, suit, kinds)
        rows[suit] = -1
        if suited or suit == 4:
            rows[suit] = row_of(kinds, 3, views.family_of[suit], views.flops)
    first, second, third = int64(cards[0]), int64(cards[1]), int64(cards[2])
    late_suit = late & 3 if late >= 0 else -1
    weight = asked.weights[flop]
    hole = -1
    for high in range(52):
        if high in (first, second, third, late):
            hole += high
            continue
        for low in range(high):
            hole += 1
            if low in (first, second, third, late) or asked.infos[hole, 0] == -1:
                continue
            found[:] = 0
            for suit in range(5):
                if rows[suit] >= 0:
                    place = asked.places[suit, hole]
                    if suit == late_suit:
                        _gather(late_sums, rows[suit] - asked.late_first, place, found)
                    else:
                        _gather(sums, rows[suit], place, found)
            if flop < len(asked.decided):
                asked.decided[flop, hole] = _bets(found)
            honestly = asked.honest[flop, hole]
            if asked.by_flop_card:
                for card in cards:
                    info = asked.infos[hole, card]
                    _add_decided(found, weight, asked.deals, honestly, tally[info])
            else:
                info = asked.infos[hole, 0]
                _add_decided(found, weight, asked.deals, honestly, tally[info])


@part
def _gather(sums: KnownSums, flop: int, place: int, found: Int64s) -> None:
    source = sums.numbers[flop, place * NUMBERS : (place + 1) * NUMBERS]
    for value in range(NUMBERS):
        found[value] += source[value]
    found[NUMBERS] += sums.honest[flop, place]


@part
def _bets(found: Int64s) -> bool:
    return found[FLOP] > found[END]


@part
def _add_decided(found: Int64s, weight: int, deals: int, honestly: bool, total: Int64s) -> None:
    """Add what waiting brings when the flop is decided for the best, and how often it is bet there
    and at the end; then the square, low bits and the rest; last what waiting brings when flop and
    end are decided as if nothing were known, and how often the flop is bet then."""
    bets = _bets(found)
    total[WAITED] += weight * (found[FLOP] if bets else found[END])
    total[BET_ON_FLOP] += weight * (deals if bets else 0)
    total[BET_AT_END] += weight * (0 if bets else found[BET])
    _add_square(found[FLOP_SQUARE] if bets else found[END_SQUARE], weight, total, WAITED_SQUARE)
    total[WAITED_HONESTLY] += weight * found[FLOP if honestly else NUMBERS]
    total[BET_HONESTLY] += weight * (deals if honestly else 0)


@part
def _add_square(square: int, weight: int, total: Int64s, at: int) -> None:
    total[at] += weight * (square & 0xFFFFFFFF)
    total[at + 1] += weight * (square >> 32)


@lean
def ways_to_come(turn: int, river: int, live: Int64s, turns_held: int, rivers_held: int) -> int:
    """How many pairs of live cards of these kinds can come, some of them held."""
    if turn == river:
        left = live[turn] - turns_held
        return left * (left - 1) // 2 if left > 0 else 0
    return max(live[turn] - turns_held, 0) * max(live[river] - rivers_held, 0)
