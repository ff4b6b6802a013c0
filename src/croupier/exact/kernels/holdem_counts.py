"""Hold'em with one Play: count every deal under given decisions, by action, hand and outcome.

Boards are taken by the showdown problem they share (:mod:`.suit_views`). For each problem the holes
of all its boards are gathered into groups, a pair of kinds of one starting hand, with three
weights: in how many deals of board and flop such a hole bets on the flop, bets at the end, or
folds. Then each group meets the problem's outcomes once. Only sums of integers are kept, so the
order in which problems are counted, and by how many threads, changes nothing.

A board is counted with each of its ten flops: all counts together are the number of ways to deal a
hole, a flop, turn and river as a set, and the dealer's hole. No count exceeds that, 2.8e13.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import (
    Int32s,
    Int64s,
    Uint8s,
    Uint16s,
    Uint32s,
    Uint64s,
    int64,
)
from croupier.exact.kernels.compiled import kernel, leaf
from croupier.exact.kernels.holdem_values import cards_left
from croupier.exact.kernels.poker_rank import PokerRankTables, has_flush, rank_of_counts
from croupier.exact.kernels.showdown_rows import (
    LOSS,
    LOSS_QUALIFYING,
    OUTCOME_SLOTS,
    TIE,
    WIN,
    WIN_QUALIFYING,
    ShowdownRows,
    add_hands,
    hands_of,
    live_after,
    new_showdown,
    solve_showdown,
)
from croupier.exact.kernels.suit_views import Views

HIGH_RAISE, LOW_RAISE, FLOP_BET, RIVER_BET, FOLD = range(5)
ACTIONS = 5
CHECK_PREFLOP = 2  # of the three things to do before the flop: the two raises, or this
FLOPS_OF_A_BOARD = 10
WEIGHT_BITS = 21
WEIGHT_MASK = (1 << WEIGHT_BITS) - 1


class Boards(NamedTuple):
    """The canonical boards, by the row of the showdown problem that they share."""

    cards: Uint8s  # (boards, 5)
    weights: Int64s
    order: Int64s  # the boards, row by row
    first: Int64s  # (rows + 1,): where a row begins in that order
    choose: Int64s


class Groups(NamedTuple):
    """By suit (or no suit): holes that are one pair of kinds and of one starting hand."""

    group_of: Uint16s  # (5, 1326): for holes that are not in the deck one past the last
    pairs: Int64s  # (5, groups)
    starts: Int64s
    counts: Int64s  # (5,)


class Decisions(NamedTuple):
    """What the player does everywhere."""

    preflop: Uint8s  # by starting hand: HIGH_RAISE, LOW_RAISE or CHECK_PREFLOP
    flop: Uint8s  # (22100, 1326), by code of any flop: whether the hole bets
    river: Uint64s  # (boards, 17), one bit a hole


class LineTables(NamedTuple):
    """How hands are told apart: by what the base game, and then each side wager, pays for them."""

    cell_of_class: Uint8s  # the player's final hand
    board_line: Uint8s  # by row: the five cards of the board
    low_line: Uint8s  # by class: the lower of the two final hands
    dealer_line: Uint8s  # by class: low line and whether it qualifies, as one number
    low_line_of: Int64s  # by dealer line
    win_of: Int64s  # by dealer line: the outcome when the player beats it
    common_board: int  # the lines of the weakest hands: what the other lines leave is theirs
    common_low: int
    first_qualifying: int
    mirrored_rank: int  # 0 to 12: deals are also counted in which both hold a pair of it


class FlopLines(NamedTuple):
    """By code of any flop: the holes that make a hand with it that is not on the common line."""

    first: Int64s  # (22101,): where a flop begins among the holes
    holes: Uint32s  # low card, high card, line, action (FOLD: the end decides), packed


class HoldemCounts(NamedTuple):
    """Counts by line, then action, cell of the player's final hand, and outcome."""

    by_start: Int64s
    by_board: Int64s
    by_flop: Int64s
    by_low: Int64s
    mirrored: Int64s  # no line: only deals in which player and dealer have such pairs
    by_flop_low: Int64s  # by line of hole and flop and line of the lower hand; empty if not asked


class CountRoom(NamedTuple):
    """Room to count the boards of one showdown problem; made by :func:`count_room`."""

    showdown: ShowdownRows
    cells: Uint8s  # by pair
    left: Int64s
    place: Int64s
    flop_codes: Int64s
    flop_bets: Uint8s
    steps: Int64s
    weights: Int64s  # (2, groups), by group in two tallies
    pair_weights: Int64s  # (351, actions)
    spot_weights: Int64s
    spots: Int64s
    holding: Int64s  # (26, dealer lines)
    lower: Int64s  # by dealer line
    wins: Int64s  # (actions, dealer lines)


def count_room(groups: Groups, lines: LineTables, flop_lines: int) -> CountRoom:
    spots, dealer_lines = flop_lines * ACTIONS * 351, len(lines.win_of)
    return CountRoom(
        new_showdown(),
        np.zeros(351, np.uint8),
        np.zeros(47, np.int64),
        np.zeros(52, np.int64),
        np.zeros(FLOPS_OF_A_BOARD, np.int64),
        np.zeros(1326, np.uint8),
        np.zeros(2 * FLOPS_OF_A_BOARD + 2, np.int64),
        np.zeros((2, groups.pairs.shape[1] + 1), np.int64),
        np.zeros((351, ACTIONS), np.int64),
        np.zeros(spots, np.int64),
        np.zeros(spots, np.int64),
        np.zeros((26, dealer_lines), np.int64),
        np.zeros(dealer_lines, np.int64),
        np.zeros((ACTIONS, dealer_lines), np.int64),
    )


@leaf
def count_rows(
    start: int, stop: int, views: Views, tables: PokerRankTables, boards: Boards, groups: Groups,
    decisions: Decisions, lines: LineTables, flop_lines: FlopLines, room: CountRoom,
    counts: HoldemCounts,
) -> None:  # fmt: skip
    """Add the deals of these showdown problems to the counts."""
    showdown, cells, pair_weights = room.showdown, room.cells, room.pair_weights
    order, outcomes = showdown.order, showdown.outcomes
    for row in range(start, stop):
        if boards.first[row] == boards.first[row + 1]:
            continue
        family = views.boards.families[row]
        suit, kinds = views.suit_of[family], views.boards.kinds[row]
        live_after(kinds, views.live[family], showdown.live)
        count = solve_showdown(kinds, tables, views, lines.first_qualifying, showdown)
        for at in range(count):
            cells[order[at]] = lines.cell_of_class[showdown.classes[order[at]]]
        found = _weigh_boards(
            boards.first[row], boards.first[row + 1], suit, views.pair_of[suit], boards, groups,
            decisions, lines, flop_lines, room, counts.mirrored,
        )  # fmt: skip
        for line in range(len(counts.by_flop_low)):
            if _gather_line(line, found, room.spots, room.spot_weights, pair_weights):
                _count_low(count, room, views, lines, counts.by_flop_low[line])
        _count_flop_lines(found, room.spots, room.spot_weights, cells, outcomes, counts.by_flop)
        _count_groups(
            groups.counts[suit], groups.pairs[suit], groups.starts[suit], room.weights,
            decisions.preflop, cells, outcomes, pair_weights, counts.by_start,
        )  # fmt: skip
        board_line = lines.board_line[row]
        if board_line != lines.common_board:
            _count_board(order, count, cells, outcomes, pair_weights, counts.by_board[board_line])
        _count_low(count, room, views, lines, counts.by_low)


@leaf
def _weigh_boards(
    first: int, last: int, suit: int, pair_of: Uint16s, boards: Boards, groups: Groups,
    decisions: Decisions, lines: LineTables, flop_lines: FlopLines, room: CountRoom,
    mirrored: Int64s,
) -> int:  # fmt: skip
    """Weigh every hole of the boards of one problem; how many spots have a weight."""
    left, place, flop_codes, flop_bets = room.left, room.place, room.flop_codes, room.flop_bets
    group_of, no_group = groups.group_of[suit], groups.counts[suit]
    room.weights[:] = 0
    found = 0
    for at in range(first, last):
        board = boards.order[at]
        bits, weight = decisions.river[board], boards.weights[board]
        cards_left(boards.cards[board], left, place)
        write_flop_codes(boards.cards[board], boards.choose, flop_codes)
        _add_flop_bets(flop_codes, decisions.flop, flop_bets)
        _weigh_holes(left, bits, flop_bets, weight, group_of, room.steps, room.weights)
        found = _weigh_flop_lines(
            flop_codes, flop_lines, place, bits, weight, pair_of, room.spot_weights, found,
            room.spots,
        )  # fmt: skip
        _count_mirrored(
            place, bits, flop_bets, weight, pair_of, group_of, no_group, groups.starts[suit],
            decisions.preflop, lines, room.showdown.classes, mirrored,
        )  # fmt: skip
    return found


@leaf
def write_flop_codes(board: Uint8s, choose: Int64s, codes: Int64s) -> None:
    at = 0
    for third in range(2, 5):
        for second in range(1, third):
            for first in range(second):
                codes[at] = (
                    choose[board[first], 1] + choose[board[second], 2] + choose[board[third], 3]
                )
                at += 1


@leaf
def _add_flop_bets(codes: Int64s, bets: Uint8s, total: Uint8s) -> None:
    """By hole: on how many of the board's flops it bets."""
    total[:] = 0
    for code in codes:
        row = bets[code]
        for hole in range(1326):
            total[hole] += row[hole]


@leaf
def _weigh_holes(
    left: Int64s, bits: Uint64s, flop_bets: Uint8s, weight: int, group_of: Uint16s, steps: Int64s,
    weights: Int64s,
) -> None:  # fmt: skip
    """Add each hole of a board to its group: flops on which it bets, bets at the end, folds.

    The three weights share one number, of which each has 21 bits: in one problem a group has at
    most 12 holes on 4 ** 5 boards of ten flops.
    """
    for flops in range(FLOPS_OF_A_BOARD + 1):
        others = (FLOPS_OF_A_BOARD - flops) * weight
        steps[2 * flops] = flops * weight + (others << (2 * WEIGHT_BITS))
        steps[2 * flops + 1] = flops * weight + (others << WEIGHT_BITS)
    word, bit = bits[0], 0
    for high in range(47):
        first = left[high] * (left[high] - 1) // 2
        groups, bets = group_of[first : first + 52], flop_bets[first : first + 52]
        for at in range(high):
            low = np.uint64(left[at])  # what has no sign is looked up without asking for it
            step = np.uint64(2) * np.uint64(bets[low]) + (word & np.uint64(1))
            # Neighbours are often of one group: two tallies in turn need not wait for each other.
            weights[at & 1, groups[low]] += steps[step]
            word >>= np.uint64(1)
            bit += 1
            if bit & 63 == 0:
                word = bits[bit >> 6]


@leaf
def _count_groups(
    count: int, pairs: Int64s, starts: Int64s, weights: Int64s, preflop: Uint8s, cells: Uint8s,
    outcomes: Int32s, pair_weights: Int64s, by_start: Int64s,
) -> None:  # fmt: skip
    """Count each group's outcomes for its starting hand; gather the weights by pair and action."""
    pair_weights[:] = 0
    for group in range(count):
        packed = weights[0, group] + weights[1, group]
        if packed == 0:
            continue
        on_flop = packed & WEIGHT_MASK
        at_end = (packed >> WEIGHT_BITS) & WEIGHT_MASK
        folded = packed >> (2 * WEIGHT_BITS)
        pair, start = pairs[group], starts[group]
        mine, counts = pair_weights[pair], by_start[start]
        cell, outcome = cells[pair], outcomes[pair]
        if preflop[start] != CHECK_PREFLOP:
            raised = on_flop + at_end + folded
            mine[preflop[start]] += raised
            add_times(counts[preflop[start], cell], raised, outcome)
            continue
        mine[FLOP_BET] += on_flop
        mine[RIVER_BET] += at_end
        mine[FOLD] += folded
        add_times(counts[FLOP_BET, cell], on_flop, outcome)
        add_times(counts[RIVER_BET, cell], at_end, outcome)
        add_times(counts[FOLD, cell], folded, outcome)


@leaf
def add_times(total: Int64s, weight: int, outcome: Int32s) -> None:
    """Add the outcomes of a pair so many times."""
    if weight:
        times = np.int32(weight)  # two numbers of 32 bits are multiplied several at a time
        for at in range(OUTCOME_SLOTS):
            total[at] += times * outcome[at]


@leaf
def _count_board(
    order: Uint16s, count: int, cells: Uint8s, outcomes: Int32s, weights: Int64s, counts: Int64s
) -> None:
    for at in range(count):
        pair = order[at]
        for action in range(ACTIONS):
            add_times(counts[action, cells[pair]], weights[pair, action], outcomes[pair])


@leaf
def _count_low(
    count: int, room: CountRoom, views: Views, lines: LineTables, counts: Int64s
) -> None:
    """Count by the lower hand: the player's if it loses (or ties), else the dealer's.

    The walk of :mod:`.showdown_rows` again, with a tally for each of the dealer's
    lines; what the player wins is added up for as long as the player's cell stays the same.
    It begins with the first hand that is not on the common line, which so is not counted.
    """
    showdown, weights = room.showdown, room.pair_weights
    order, classes, outcomes = showdown.order, showdown.classes, showdown.outcomes
    dealer_lines = len(lines.win_of)
    holding, lower, wins = room.holding, room.lower, room.wins
    holding[:], lower[:], wins[:] = 0, 0, 0
    first, cell = 0, np.uint8(0)
    while first < count and lines.low_line[classes[order[first]]] == lines.common_low:
        first += 1
    while first < count:
        hand = classes[order[first]]
        if lines.cell_of_class[hand] != cell:
            _add_wins(wins, cell, lines, counts)
            cell = lines.cell_of_class[hand]
        own, line = lines.low_line[hand], lines.dealer_line[hand]
        last = first
        while last < count and classes[order[last]] == hand:
            pair = order[last]
            low, high = holding[views.low[pair]], holding[views.high[pair]]
            for action in range(ACTIONS):
                weight = weights[pair, action]
                if weight == 0:
                    continue
                mine, won = counts[own, action, cell], wins[action]
                mine[TIE] += weight * outcomes[pair, TIE]
                mine[LOSS] += weight * outcomes[pair, LOSS]
                mine[LOSS_QUALIFYING] += weight * outcomes[pair, LOSS_QUALIFYING]
                for at in range(dealer_lines):
                    won[at] += weight * (lower[at] - low[at] - high[at])
            last += 1
        for at in range(first, last):
            low_kind, high_kind = views.low[order[at]], views.high[order[at]]
            lower[line] += hands_of(low_kind, high_kind, showdown.live)
            add_hands(low_kind, high_kind, showdown.live, holding[:, line])
        first = last
    _add_wins(wins, cell, lines, counts)


@leaf
def _add_wins(wins: Int64s, cell: np.uint8, lines: LineTables, counts: Int64s) -> None:
    for action in range(ACTIONS):
        for line in range(len(lines.win_of)):
            if wins[action, line]:
                place = counts[lines.low_line_of[line], action, cell]
                place[lines.win_of[line]] += wins[action, line]
                wins[action, line] = 0


@leaf
def _weigh_flop_lines(
    codes: Int64s, flop_lines: FlopLines, place: Int64s, bits: Uint64s, weight: int,
    pair_of: Uint16s, weights: Int64s, found: int, spots: Int64s,
) -> int:  # fmt: skip
    """Weigh the holes whose five cards with one of the flops are on a line of their own.

    A spot is line, action and pair as one number; ``spots`` lists those with a weight.
    """
    for code in codes:
        for at in range(flop_lines.first[code], flop_lines.first[code + 1]):
            low, high, line, action = unpacked(int64(flop_lines.holes[at]))
            if place[low] < 0 or place[high] < 0:
                continue
            if action == FOLD:
                action -= river_bit(bits, place[low], place[high])
            pair = int64(pair_of[high * (high - 1) // 2 + low])
            spot = (line * ACTIONS + action) * 351 + pair
            if weights[spot] == 0:
                spots[found] = spot
                found += 1
            weights[spot] += weight
    return found


@leaf
def _gather_line(
    line: int, found: int, spots: Int64s, weights: Int64s, pair_weights: Int64s
) -> bool:
    """The weights of one line by pair and action; whether it has any."""
    pair_weights[:] = 0
    has_any = False
    for at in range(found):
        line_and_action, pair = spots[at] // 351, spots[at] % 351
        if line_and_action // ACTIONS == line:
            pair_weights[pair, line_and_action % ACTIONS] += weights[spots[at]]
            has_any = True
    return has_any


@leaf
def _count_flop_lines(
    found: int, spots: Int64s, weights: Int64s, cells: Uint8s, outcomes: Int32s, counts: Int64s
) -> None:
    """Count what was weighed, and clear the weights."""
    for at in range(found):
        spot = spots[at]
        line_and_action, pair = spot // 351, spot % 351
        line, action = line_and_action // ACTIONS, line_and_action % ACTIONS
        add_times(counts[line, action, cells[pair]], weights[spot], outcomes[pair])
        weights[spot] = 0


@leaf
def river_bit(bits: Uint64s, low_place: int, high_place: int) -> int:
    """The last decision of a hole, from the places of its cards among those left: 1 to bet."""
    bit = high_place * (high_place - 1) // 2 + low_place
    return int64((bits[bit >> 6] >> np.uint64(bit & 63)) & np.uint64(1))


@leaf
def _count_mirrored(
    place: Int64s, bits: Uint64s, flop_bets: Uint8s, weight: int, pair_of: Uint16s,
    group_of: Uint16s, no_group: int, starts: Int64s, preflop: Uint8s, lines: LineTables,
    classes: Uint16s, counts: Int64s,
) -> None:  # fmt: skip
    """Count the deals in which the player and the dealer each have a pair of the mirrored rank."""
    first = 4 * lines.mirrored_rank
    for card in range(first, first + 4):
        if place[card] < 0:
            return  # not all four are in the two hands
    for high in range(first, first + 4):
        for low in range(first, high):
            other_low = first
            while other_low in (low, high):
                other_low += 1
            other_high = 4 * first + 6 - low - high - other_low
            hole = high * (high - 1) // 2 + low
            other = other_high * (other_high - 1) // 2 + other_low
            if group_of[hole] == no_group or group_of[other] == no_group:
                continue  # not in the deck
            mine, dealers = classes[pair_of[hole]], classes[pair_of[other]]
            outcome = outcome_of(mine, dealers, lines.first_qualifying)
            cell, raised = lines.cell_of_class[mine], preflop[starts[group_of[hole]]]
            if raised != CHECK_PREFLOP:
                counts[raised, cell, outcome] += weight * FLOPS_OF_A_BOARD
                continue
            at_end = FOLD - river_bit(bits, place[low], place[high])
            counts[FLOP_BET, cell, outcome] += weight * flop_bets[hole]
            counts[at_end, cell, outcome] += weight * (FLOPS_OF_A_BOARD - flop_bets[hole])


@leaf
def outcome_of(player: int, dealer: int, first_qualifying: int) -> int:
    if player == dealer:
        return TIE
    if player > dealer:
        return WIN_QUALIFYING if dealer >= first_qualifying else WIN
    return LOSS_QUALIFYING if dealer >= first_qualifying else LOSS


@kernel
def flop_classes(flops: Uint8s, starts: Int64s, tables: PokerRankTables) -> Uint16s:
    """(flops, 1326): the class of the hole with the flop; 7462 where both cannot be dealt."""
    classes = np.full((len(flops), 1326), 7462, dtype=np.uint16)
    for flop in range(len(flops)):
        first, second, third = flops[flop]
        total = tables.cards[first] + tables.cards[second] + tables.cards[third]
        ranks = 1 << (first >> 2) | 1 << (second >> 2) | 1 << (third >> 2)
        hole = -1
        for high in range(52):
            for low in range(high):
                hole += 1
                taken = low in (first, second, third) or high in (first, second, third)
                if taken or starts[hole] < 0:
                    continue
                five = total + tables.cards[low] + tables.cards[high]
                if has_flush(five):
                    suited = ranks | 1 << (low >> 2) | 1 << (high >> 2)
                    classes[flop, hole] = tables.flushes[suited]
                else:
                    classes[flop, hole] = rank_of_counts(five, tables)
    return classes


@kernel
def spread_flop_bets(
    start: int, stop: int, bets: Uint8s, flop_of: Int32s, name_of: Uint8s, renamed: Uint16s,
    spread: Uint8s,
) -> None:  # fmt: skip
    """From canonical flops to every flop, by code, so that a board can add up rows of its flops."""
    for code in range(start, stop):
        if flop_of[code] >= 0:
            row, names = bets[flop_of[code]], renamed[name_of[code]]
            for hole in range(1326):
                spread[code, hole] = row[names[hole]]


@kernel
def list_flop_lines(
    first_spot: Int64s, spot_holes: Int64s, spot_lines: Int64s, flop_of: Int32s, name_of: Uint8s,
    original: Int64s, cards: Int64s, start_of: Int64s, preflop: Uint8s, bets: Uint8s,
) -> tuple[Int64s, Uint32s]:  # fmt: skip
    """From holes with a line of their own on canonical flops to those on every flop, packed."""
    first = np.zeros(len(flop_of) + 1, np.int64)
    for code in range(len(flop_of)):
        flop = flop_of[code]
        here = first_spot[flop + 1] - first_spot[flop] if flop >= 0 else 0
        first[code + 1] = first[code] + here
    holes = np.empty(first[-1], np.uint32)
    for code in range(len(flop_of)):
        at = first[code]
        for spot in range(
            first_spot[flop_of[code]], first_spot[flop_of[code]] + first[code + 1] - at
        ):
            hole = original[name_of[code], spot_holes[spot]]
            action = int(preflop[start_of[hole]])
            if action == CHECK_PREFLOP:
                action = FLOP_BET if bets[code, hole] else FOLD
            holes[at] = cards[hole, 0] | cards[hole, 1] << 6 | spot_lines[spot] << 12 | action << 20
            at += 1
    return first, holes


@leaf
def unpacked(packed: int) -> tuple[int, int, int, int]:
    return packed & 63, (packed >> 6) & 63, (packed >> 12) & 255, packed >> 20
