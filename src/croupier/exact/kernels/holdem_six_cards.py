"""Hold'em with one Play beside a wager on the player's two cards and four of its own.

The four lie neither with the player nor on the board nor with the dealer. How many sets of four of
the other cards make what with the player's two depends on the nine that are out, and is a sum of
parts that need little of them:

- of a kind, full houses, straights whatever their suits: on how many cards of each rank are left;
- a flush in a suit of the player's, and whether it holds a straight: on which cards of that suit
  are left; and on each rank's cards of other suits, where one of these completes a straight.

Showdown problems are taken as in :mod:`.holdem_counts`, all of the same ranks together. For each
pair of kinds one walk over the dealer's pairs adds up the first part by how the round ends. The
second is added for each suit of the player's and each set of its cards on the board: over the
dealer's pairs with two, one and no card of that suit. Sets of four are so counted without being
dealt.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.kernels.array_types import Bools, Int64s, Uint8s, Uint64s, int64
from croupier.exact.kernels.compiled import Progress, in_chunks, leaf, threads_to_use
from croupier.exact.kernels.holdem import (
    HoldemGame,
    HoldemStrategy,
    SideLines,
    boards_by_row,
    by_size,
    decisions_of,
    fill,
    flop_lines_of,
    lines_of,
    prepared,
)
from croupier.exact.kernels.holdem_counts import (
    ACTIONS,
    CHECK_PREFLOP,
    FLOP_BET,
    FLOPS_OF_A_BOARD,
    FOLD,
    Boards,
    Decisions,
    FlopLines,
    HoldemCounts,
    LineTables,
    river_bit,
    unpacked,
    write_flop_codes,
)
from croupier.exact.kernels.holdem_values import cards_left
from croupier.exact.kernels.poker_rank import PokerRankTables, tables
from croupier.exact.kernels.positions import FULL_DECK
from croupier.exact.kernels.showdown_rows import (
    LOSS,
    LOSS_QUALIFYING,
    OUTCOMES,
    TIE,
    ShowdownRows,
    live_after,
    new_showdown,
    rank_pairs,
    sort_by_class,
)
from croupier.exact.kernels.six_card_tables import (
    FLUSH,
    FOUR,
    FULL_HOUSE,
    HALF,
    LESS,
    ROYAL,
    ROYAL_AT,
    SETS_OF_RANKS,
    SIXES,
    STRAIGHT,
    STRAIGHT_FLUSH,
    SUPER_AT,
    SUPER_ROYAL,
    THREE,
    RankSets,
    SuitTables,
    rank_sets,
    suit_tables,
    ways_to_take,
)
from croupier.exact.kernels.suit_views import PAIRS, RANK_PAIRS, Views, pair_number

_LOW, _HIGH, _BOTH = range(3)  # which cards of a pair are of the suit at hand
_MOST_VIEWS = 72  # of a problem's boards by one suit: at most 16 sets of two cards, four suits
_TASKS = PAIRS * (1 + 3 * _MOST_VIEWS)


class SixLines(NamedTuple):
    """What is told apart: the lines of other wagers, and by problem their order."""

    lines: LineTables
    flop_lines: FlopLines
    order: Int64s  # problems, those of the same ranks together
    first: Int64s  # where each ranks' problems begin
    out: Int64s  # (4,): the ranks of each suit that the deck has not
    cards: int  # of the deck


class SixRoom(NamedTuple):
    """Room of one thread."""

    showdown: ShowdownRows
    left: Int64s
    place: Int64s
    flop_codes: Int64s
    live: Int64s
    counts: Int64s  # (13,): cards left of each rank
    by_ranks: Int64s  # [player's ranks, dealer's ranks, 2]
    with_one: Int64s  # [rank, 2]
    with_two: Int64s  # [rank, rank, 2]
    views: Int64s  # [view, 2]: the ranks of a suit that are out, whether it is the board's suit
    view_of: Int64s  # (4,): by suit
    tasks: Int64s  # (3,): of a hole
    weights: Int64s  # [task, action]
    is_touched: Bools
    heads: Int64s  # by task: the first weight of a line of the flop, or -1
    nodes: Int64s  # [number, 3]: line and action, weight, the next
    touched: Int64s  # tasks with a weight
    first_task: Int64s  # by pair, or -1
    next_task: Int64s
    slots: Int64s  # by pair: how the round ends against it
    dealers: Int64s  # by slot
    holding: Int64s  # [slot, kind]: the dealer's pairs that hold one card of it
    sums: Int64s  # [slot, 2]
    suited: Int64s  # [slot, 2]
    ones: Int64s  # [slot, rank]
    twos: Int64s  # by slot
    fillers: Int64s  # ranks of another suit that may complete a straight
    filled: Int64s  # by rank: how many such cards are left
    sixes: Int64s  # [slot, SIXES]


class SixTallies(NamedTuple):
    """Counts of all deals with four cards of the wager, by line of the flop and all together."""

    by_flop: Int64s  # [line, lower hand's line, action, cell, outcome, SIXES]
    whole: Int64s  # the same of one line


def count_with_six(
    game: HoldemGame,
    strategy: HoldemStrategy,
    side: SideLines,
    deck: tuple[int, ...] = FULL_DECK,
    threads: int | None = None,
    progress: Progress = lambda stage, done: None,
    chosen: NDArray[np.bool_] | None = None,
) -> Int64s:
    """Count every deal, the four cards of the wager too, under a strategy: by what the six cards
    make, line of flop and hole, line of the lower hand, action, cell and outcome."""
    all_positions, deck_views, board_rows = prepared(deck)
    crew = threads_to_use(threads)
    lines = lines_of(game, side, all_positions, board_rows, len(deck_views.boards.kinds))
    boards = boards_by_row(all_positions, deck_views, board_rows, chosen)
    order, first = _rows_by_ranks(deck_views)
    suits, sets = suit_tables(len(deck)), rank_sets()

    def counted(plain: HoldemStrategy) -> HoldemCounts:
        decisions = decisions_of(plain, all_positions, crew)
        flop_lines, common = flop_lines_of(side, all_positions, decisions)
        told = SixLines(lines, flop_lines, order, first, _ranks_out(deck), len(deck))
        most = int(np.diff(boards.first).max()) * FLOPS_OF_A_BOARD
        nodes = 3 * most * int(np.diff(flop_lines.first).max()) + 1
        low, cells = int(side.low.max()) + 1, len(game.stakes)
        shape = low, ACTIONS, cells, OUTCOMES, SIXES
        spaces = [
            (
                _room(len(lines.win_of) + 3, nodes),
                SixTallies(
                    np.zeros((side.flop_lines, *shape), np.int64), np.zeros((1, *shape), np.int64)
                ),
            )
            for _ in range(crew)
        ]
        in_chunks(
            lambda space, start, stop: count_ranks(
                start, stop, deck_views, tables(7), boards, decisions, told,
                all_positions.start_of, suits, sets, *space,
            ),
            spaces, len(first) - 1, 16, lambda done: progress("deals with four cards more", done),
        )  # fmt: skip
        by_flop = sum((tally.by_flop for _, tally in spaces[1:]), spaces[0][1].by_flop)
        whole = sum((tally.whole for _, tally in spaces[1:]), spaces[0][1].whole)
        fill(by_flop, common, whole[0])
        found = np.ascontiguousarray(np.moveaxis(by_flop, -1, 0))
        nothing = np.zeros((0, *found.shape[-3:]), np.int64)
        return HoldemCounts(nothing, nothing, nothing, nothing, nothing, found)

    return by_size(game, strategy, counted).by_flop_low


def _rows_by_ranks(deck_views: Views) -> tuple[Int64s, Int64s]:
    """All problems, those of the same ranks together; and where each ranks' begin."""
    ranks = np.sort(deck_views.boards.kinds % 13, axis=1).astype(np.int64)
    names = (ranks * 13 ** np.arange(5)).sum(axis=1)
    order = np.argsort(names, kind="stable")
    _, first = np.unique(names[order], return_index=True)
    return order, np.append(first, len(order))


def _ranks_out(deck: tuple[int, ...]) -> Int64s:
    held = [sum(1 << (card >> 2) for card in deck if card & 3 == suit) for suit in range(4)]
    return np.array([SETS_OF_RANKS - 1 - ranks for ranks in held], dtype=np.int64)


def _room(slots: int, nodes: int) -> SixRoom:
    def zeros(*shape: int) -> Int64s:
        return np.zeros(shape, np.int64)

    return SixRoom(
        new_showdown(), zeros(47), zeros(52), zeros(FLOPS_OF_A_BOARD), zeros(26), zeros(13),
        zeros(RANK_PAIRS, RANK_PAIRS, 2), zeros(13, 2), zeros(13, 13, 2),
        zeros(_MOST_VIEWS, 2), zeros(4), zeros(3),
        zeros(_TASKS, ACTIONS), np.zeros(_TASKS, np.bool_), zeros(_TASKS) - 1, zeros(nodes, 3),
        zeros(_TASKS), zeros(PAIRS) - 1, zeros(_TASKS), zeros(PAIRS),
        zeros(slots), zeros(slots, 26), zeros(slots, 2), zeros(slots, 2), zeros(slots, 13),
        zeros(slots), zeros(13), zeros(13), zeros(slots, SIXES),
    )  # fmt: skip


@leaf
def count_ranks(
    start: int, stop: int, views: Views, tables_of_seven: PokerRankTables, boards: Boards,
    decisions: Decisions, told: SixLines, starts: Int64s, suits: SuitTables, sets: RankSets,
    room: SixRoom, tally: SixTallies,
) -> None:  # fmt: skip
    """Add the deals of all showdown problems of these boards' ranks."""
    showdown = room.showdown
    for number in range(start, stop):
        is_new = True
        for at in range(told.first[number], told.first[number + 1]):
            row = told.order[at]
            if boards.first[row] == boards.first[row + 1]:
                continue
            family = views.boards.families[row]
            kinds, suit = views.boards.kinds[row], views.suit_of[family]
            live_after(kinds, views.live[family], showdown.live)
            if is_new:
                _count_by_ranks(showdown.live, sets, views, room)
                is_new = False
            touched = _weigh_row(row, suit, views, boards, decisions, told, starts, room)
            count = rank_pairs(kinds, tables_of_seven, views, showdown)
            sort_by_class(showdown.keys, showdown.ends, count, showdown.order)
            _count_row(count, touched, suit, views, told, suits, room, tally)


@leaf
def _count_by_ranks(live: Int64s, sets: RankSets, views: Views, room: SixRoom) -> None:
    """By the player's ranks and the dealer's: how many sets of four of the cards left make what.

    All sets, but those with either card of the dealer's, and again those with both.
    """
    left, with_one, with_two = room.counts, room.with_one, room.with_two
    for rank in range(13):
        left[rank] = live[rank] + live[13 + rank]
    for mine in range(RANK_PAIRS):
        x, y = int64(views.low[mine]), int64(views.high[mine])
        left[x] -= 1
        left[y] -= 1
        if left[x] >= 0 and left[y] >= 0:
            with_one[:], with_two[:] = 0, 0
            whole, rare = _add_sets(sets, mine, left, with_one, with_two)
            for theirs in range(RANK_PAIRS):
                a, b = int64(views.low[theirs]), int64(views.high[theirs])
                found = room.by_ranks[mine, theirs]
                found[0] = whole - with_one[a, 0] - with_one[b, 0] + with_two[a, b, 0]
                found[1] = rare - with_one[a, 1] - with_one[b, 1] + with_two[a, b, 1]
        left[x] += 1
        left[y] += 1


@leaf
def _add_sets(
    sets: RankSets, mine: int, left: Int64s, with_one: Int64s, with_two: Int64s
) -> tuple[int, int]:
    """Add the sets that hold one given card of each rank, and one of each of two; and say how many
    there are of each half. ``with_two`` of one rank are two different cards."""
    whole, rare = 0, 0
    for at in range(sets.first[mine], sets.first[mine + 1]):
        size, ways = sets.size[at], 1
        for k in range(size):
            ways *= ways_to_take(left[sets.ranks[at, k]], int64(sets.cards[at, k]))
        if ways == 0:
            continue
        half, shift = sets.half[at], int64(sets.shift[at])
        if half:
            rare += ways << shift
        else:
            whole += ways << shift
        for k in range(size):
            a, n = sets.ranks[at, k], int64(sets.cards[at, k])
            held = ways * n // left[a]
            with_one[a, half] += held << shift
            if n > 1:
                with_two[a, a, half] += held * (n - 1) // (left[a] - 1) << shift
            for m in range(k):
                b = sets.ranks[at, m]
                with_two[b, a, half] += held * int64(sets.cards[at, m]) // left[b] << shift
    return whole, rare


@leaf
def _weigh_row(
    row: int, suit: int, views: Views, boards: Boards, decisions: Decisions, told: SixLines,
    starts: Int64s, room: SixRoom,
) -> int:  # fmt: skip
    """Weigh every hole of the boards of one problem, as a pair of kinds and by each of its suits;
    how many tasks have a weight."""
    left, place, codes = room.left, room.place, room.flop_codes
    seen, touched, nodes = 0, 0, 0
    for at in range(boards.first[row], boards.first[row + 1]):
        board = boards.order[at]
        bits, weight, cards = decisions.river[board], boards.weights[board], boards.cards[board]
        cards_left(cards, left, place)
        write_flop_codes(cards, boards.choose, codes)
        for own in range(4):
            out = told.out[own]
            for card in cards:
                if card & 3 == own:
                    out |= 1 << (card >> 2)
            view = 0
            while view < seen and not (
                room.views[view, 0] == out and room.views[view, 1] == (own == suit)
            ):
                view += 1
            if view == seen:
                room.views[view, 0], room.views[view, 1] = out, own == suit
                seen += 1
            room.view_of[own] = view
        for high in left:
            for low in left:
                if low >= high:
                    break
                hole = high * (high - 1) // 2 + low
                start = starts[hole]
                if start < 0:
                    continue
                _write_tasks(low, high, int64(views.pair_of[suit, hole]), suit, room)
                raised = int64(decisions.preflop[start])
                flops = 0
                if raised == CHECK_PREFLOP:
                    for code in codes:
                        flops += int64(decisions.flop[code, hole])
                at_end = FOLD - river_bit(bits, place[low], place[high])
                for task in room.tasks:
                    if task < 0:
                        continue
                    mine = room.weights[task]
                    if not room.is_touched[task]:
                        room.is_touched[task] = True
                        room.touched[touched] = task
                        touched += 1
                    if raised == CHECK_PREFLOP:
                        mine[FLOP_BET] += flops * weight
                        mine[at_end] += (FLOPS_OF_A_BOARD - flops) * weight
                    else:
                        mine[raised] += FLOPS_OF_A_BOARD * weight
        nodes = _weigh_flops(weight, suit, bits, views, told.flop_lines, nodes, room)
    return touched


@leaf
def _write_tasks(low: int, high: int, pair: int, suit: int, room: SixRoom) -> None:
    """The tasks of a hole: its pair of kinds, and that pair seen by each suit of its cards."""
    tasks, view_of = room.tasks, room.view_of
    tasks[0] = pair
    if low & 3 == high & 3:
        tasks[1] = PAIRS * (1 + 3 * view_of[low & 3] + _BOTH) + pair
        tasks[2] = -1
        return
    low_kind = (low >> 2) + (13 if low & 3 == suit else 0)
    high_kind = (high >> 2) + (13 if high & 3 == suit else 0)
    first = _LOW if low_kind <= high_kind else _HIGH
    tasks[1] = PAIRS * (1 + 3 * view_of[low & 3] + first) + pair
    tasks[2] = PAIRS * (1 + 3 * view_of[high & 3] + _HIGH - first) + pair


@leaf
def _weigh_flops(
    weight: int, suit: int, bits: Uint64s, views: Views, flop_lines: FlopLines, nodes: int,
    room: SixRoom,
) -> int:  # fmt: skip
    """Weigh the holes on lines of their own with a flop, each line and action in a node."""
    place = room.place
    for code in room.flop_codes:
        for at in range(flop_lines.first[code], flop_lines.first[code + 1]):
            low, high, line, action = unpacked(int64(flop_lines.holes[at]))
            if place[low] < 0 or place[high] < 0:
                continue
            if action == FOLD:
                action -= river_bit(bits, place[low], place[high])
            pair = int64(views.pair_of[suit, high * (high - 1) // 2 + low])
            _write_tasks(low, high, pair, suit, room)
            for task in room.tasks:
                if task < 0:
                    continue
                node = room.heads[task]
                while node >= 0 and room.nodes[node, 0] != line * ACTIONS + action:
                    node = room.nodes[node, 2]
                if node < 0:
                    node, nodes = nodes, nodes + 1
                    room.nodes[node, 0], room.nodes[node, 1] = line * ACTIONS + action, 0
                    room.nodes[node, 2] = room.heads[task]
                    room.heads[task] = node
                room.nodes[node, 1] += weight
    return nodes


@leaf
def _count_row(
    count: int, touched: int, suit: int, views: Views, told: SixLines, suits: SuitTables,
    room: SixRoom, tally: SixTallies,
) -> None:  # fmt: skip
    """Count one problem: its pairs one by one, each with the tasks that are seen of it."""
    for at in range(touched):
        task = room.touched[at]
        pair = task % PAIRS
        room.next_task[task] = room.first_task[pair]
        room.first_task[pair] = task
    for at in range(count):
        pair = int64(room.showdown.order[at])
        task = room.first_task[pair]
        room.first_task[pair] = -1
        if task < 0:
            continue
        low, high = int64(views.low[pair]), int64(views.high[pair])
        for kind in range(len(room.live)):
            room.live[kind] = room.showdown.live[kind]
        room.live[low] -= 1
        room.live[high] -= 1
        _meet_dealers(count, pair, views, told.lines, room)
        while task >= 0:
            seen = task // PAIRS - 1
            room.sixes[:] = 0
            if seen < 0:
                _write_by_ranks(told.cards, room)
            else:
                view, of_suit = seen // 3, seen % 3
                _add_suited(view, of_suit, low, high, suits, room)
                _write_suited(room)
            _tally_task(task, pair, told.lines, room, tally)
            room.is_touched[task] = False
            room.weights[task] = 0
            room.heads[task] = -1
            task = room.next_task[task]


@leaf
def _meet_dealers(count: int, pair: int, views: Views, lines: LineTables, room: SixRoom) -> None:
    """Walk over the dealer's pairs: how many there are by slot, how many hold one card of each
    kind, and what all of them leave by ranks."""
    showdown, live, slots = room.showdown, room.live, room.slots
    dealers, holding, sums = room.dealers, room.holding, room.sums
    dealers[:], holding[:], sums[:] = 0, 0, 0
    mine, ties = showdown.classes[pair], len(lines.win_of)
    by_ranks = room.by_ranks[views.rank_pair[pair]]
    for at in range(count):
        other = showdown.order[at]
        hand = showdown.classes[other]
        if hand < mine:
            slot = int64(lines.dealer_line[hand])
        elif hand == mine:
            slot = ties
        else:
            slot = ties + (1 if int64(hand) >= lines.first_qualifying else 2)
        slots[other] = slot
        low, high = views.low[other], views.high[other]
        if low == high:
            ways = live[low] * (live[low] - 1) // 2
            holding[slot, low] += live[low] - 1
        else:
            ways = live[low] * live[high]
            holding[slot, low] += live[high]
            holding[slot, high] += live[low]
        dealers[slot] += ways
        found = by_ranks[views.rank_pair[other]]
        sums[slot, 0] += ways * found[0]
        sums[slot, 1] += ways * found[1]


@leaf
def _write_by_ranks(cards: int, room: SixRoom) -> None:
    """Slot by slot what ranks alone decide; what is nothing is what they leave of all sets."""
    left = cards - 9
    every = left * (left - 1) * (left - 2) * (left - 3) // 24
    half = (1 << HALF) - 1
    for slot in range(len(room.sums)):
        first, second, found = room.sums[slot, 0], room.sums[slot, 1], room.sixes[slot]
        found[THREE], found[STRAIGHT] = first & half, first >> HALF
        found[FULL_HOUSE], found[FOUR] = second & half, second >> HALF
        made = found[THREE] + found[STRAIGHT] + found[FULL_HOUSE] + found[FOUR]
        found[LESS] = room.dealers[slot] * every - made


@leaf
def _write_suited(room: SixRoom) -> None:
    """Slot by slot what a suit decides: its flushes were counted as straights, or as nothing."""
    for slot in range(len(room.suited)):
        first, second, found = room.suited[slot, 0], room.suited[slot, 1], room.sixes[slot]
        found[FLUSH] = first & (1 << HALF) - 1
        found[STRAIGHT] = -(first >> HALF)
        found[STRAIGHT_FLUSH] = second & (1 << ROYAL_AT) - 1
        found[ROYAL] = second >> ROYAL_AT & (1 << SUPER_AT - ROYAL_AT) - 1
        found[SUPER_ROYAL] = second >> SUPER_AT
        made = found[FLUSH] + found[STRAIGHT_FLUSH] + found[ROYAL] + found[SUPER_ROYAL]
        found[LESS] = -made - found[STRAIGHT]


@leaf
def _add_suited(
    view: int, of_suit: int, low: int, high: int, suits: SuitTables, room: SixRoom
) -> None:
    """Slot by slot the flushes in one suit of the player's, for one set of its cards on the board.

    The dealer has two cards of the suit, one, or none.
    """
    out, kind = room.views[view, 0], 13 * room.views[view, 1]
    dealers, holding, slots = room.dealers, room.holding, room.slots
    suited, ones = room.suited, room.ones
    suited[:], ones[:], room.twos[:] = 0, 0, 0
    x, y, filled = low % 13, high % 13, 0
    if of_suit == _BOTH:
        table, filling = suits.two[pair_number(x, y)], suits.filling[pair_number(x, y)]
        own = 1 << x | 1 << y
        filled = _find_fillers(filling[out], out, room)
    else:
        mine = x if of_suit == _LOW else y
        table, filling = suits.one[mine, y if of_suit == _LOW else x], suits.filling[0]
        own = 1 << mine
    for a in range(13):
        if (out | own) >> a & 1:
            continue
        for b in range(a):
            if (out | own) >> b & 1:
                continue
            slot = slots[pair_number(kind + a, kind + b)]
            cards = out | 1 << a | 1 << b
            found = table[cards]
            suited[slot, 0] += found[0]
            suited[slot, 1] += found[1]
            if filled:
                suited[slot, 0] += _fill(filled, filling[cards], room) << HALF
            ones[slot, a] -= 1
            ones[slot, b] -= 1
            room.twos[slot] += 1
    for slot in range(len(dealers)):
        none = dealers[slot] - room.twos[slot]
        for a in range(13):
            if (out | own) >> a & 1:
                continue
            ways = holding[slot, kind + a] + ones[slot, a]
            if ways == 0:
                continue
            none -= ways
            cards = out | 1 << a
            straights = _fill(filled, filling[cards], room)
            suited[slot, 0] += ways * (table[cards, 0] + (straights << HALF))
            suited[slot, 1] += ways * table[cards, 1]
        straights = _fill(filled, filling[out], room)
        suited[slot, 0] += none * (table[out, 0] + (straights << HALF))
        suited[slot, 1] += none * table[out, 1]
    if filled:
        _take_fillers(filled, out, own, kind, filling, room)


@leaf
def _find_fillers(filling: Uint8s, out: int, room: SixRoom) -> int:
    """The ranks whose cards of other suits can complete a straight, and how many these are."""
    found, live = 0, room.showdown.live
    for rank in range(13):
        left = live[rank] + live[13 + rank] - (1 - (out >> rank & 1))
        if filling[rank] and left:
            room.fillers[found], room.filled[found] = rank, left
            found += 1
    return found


@leaf
def _fill(filled: int, filling: Uint8s, room: SixRoom) -> int:
    """Straights of three of the suit and one of another, none of these with the dealer."""
    found = 0
    for at in range(filled):
        found += room.filled[at] * int64(filling[room.fillers[at]])
    return found


@leaf
def _take_fillers(
    filled: int, out: int, own: int, kind: int, filling: Uint8s, room: SixRoom
) -> None:
    """Take those away whose card of another suit the dealer has, beside any card and, as fewer
    cards of the suit are left then, beside one of the suit."""
    suited, live = room.suited, room.live
    for at in range(filled):
        rank = room.fillers[at]
        for other in (rank, 13 + rank):
            cards = live[other]
            if other == kind + rank and not out >> rank & 1:
                cards -= 1
            if cards <= 0:
                continue
            alone = int64(filling[out, rank])
            for slot in range(len(suited)):
                suited[slot, 0] -= cards * room.holding[slot, other] * alone << HALF
            for a in range(13):
                if (out | own) >> a & 1:
                    continue
                fewer = alone - int64(filling[out | 1 << a, rank])
                if fewer:
                    slot = room.slots[pair_number(kind + a, other)]
                    suited[slot, 0] += cards * fewer << HALF


@leaf
def _tally_task(task: int, pair: int, lines: LineTables, room: SixRoom, tally: SixTallies) -> None:
    """Count what one task makes, as often as it weighs."""
    hand, ties, nodes = room.showdown.classes[pair], len(lines.win_of), room.nodes
    cell, own = lines.cell_of_class[hand], int64(lines.low_line[hand])
    for slot in range(len(room.sixes)):
        if room.dealers[slot] == 0:
            continue
        found, low, outcome = room.sixes[slot], own, TIE
        if slot < ties:
            low, outcome = lines.low_line_of[slot], lines.win_of[slot]
        elif slot > ties:
            outcome = LOSS_QUALIFYING if slot == ties + 1 else LOSS
        for action in range(ACTIONS):
            weight = room.weights[task, action]
            if weight:
                counted = tally.whole[0, low, action, cell, outcome]
                for six in range(SIXES):
                    counted[six] += weight * found[six]
        node = room.heads[task]
        while node >= 0:
            line, action = nodes[node, 0] // ACTIONS, nodes[node, 0] % ACTIONS
            counted = tally.by_flop[line, low, action, cell, outcome]
            for six in range(SIXES):
                counted[six] += nodes[node, 1] * found[six]
            node = nodes[node, 2]
