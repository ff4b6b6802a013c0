"""Ultimate Texas Hold'em: the best decisions, by adding values back from the showdown to the hole.

Values are integers: sums over the dealer's hands (then over turns and rivers, then over flops) of
the net result in units of ``1 / denominator`` Ante. Three values are carried to each flop and hole:

    STAKES  the result of the wagers made at once when the hand is shown down,
    PLAY    the result of a Play wager of one Ante,
    CHECK   the result when the player checks until the end and then bets or folds as is best.

Under a payout limit a round's result is not linear in Play: then one value is carried for each Play
that can be made before the river in place of STAKES and PLAY, and CHECK is last.

A decision compares two such sums exactly. The smaller wager is taken when they are equal.

Cards still to come are added up one by one: boards of five cards to views of four, these to flops.
A flop so has each turn and river in both orders, and half of that is its sum.

Bounds: with X more than any round's result in those units, a showdown sum is at most 990 X, a
flop's 1081 times that, a hole's 19,600 times that again and a starting hand's 12 times that:
2.5e11 X, and twice that for differences; inside 64 bits up to X = 1.8e7. What four cards sum is at
most 48 times a showdown's, and inside 32 bits up to X = 22,000.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import (
    Int64s,
    Integers,
    Uint8s,
    Uint64s,
)
from croupier.exact.kernels.compiled import kernel, leaf
from croupier.exact.kernels.poker_rank import PokerRankTables
from croupier.exact.kernels.positions import sorted_in_place
from croupier.exact.kernels.showdown_rows import (
    ShowdownRows,
    dealers_hands,
    live_after,
    meet_dealers,
    new_showdown,
    weigh_outcomes,
)
from croupier.exact.kernels.suit_views import (
    PAIRS,
    Rows,
    Views,
    pair_number,
    row_of,
    view_of_cards,
)

STAKES, PLAY = range(2)
LINEAR_VALUES = 3


class UthPays(NamedTuple):
    """What decides money, in units, by cell of the player's hand and by outcome.

    A form is something that is summed over the dealer's hands: the values carried but for CHECK,
    then the ends of a round that was checked: a fold, and each multiple, the largest first.
    """

    cell_of_class: Uint8s  # (7462,): hands of one cell are paid alike by every wager
    nets: Int64s  # (forms, cells, outcomes)
    first_qualifying: int  # the least class with which the dealer qualifies


class ValueRoom(NamedTuple):
    """Room to solve and value one showdown problem."""

    showdown: ShowdownRows
    by_rank: Int64s
    found: Integers  # (forms, 351): by pair, the weakest first; as wide as the values kept
    endings: Uint8s  # (351,): in that order, the last decision


def value_room(forms: int, dtype: np.dtype[Any]) -> ValueRoom:
    found: Integers = np.empty((forms, PAIRS), dtype)
    return ValueRoom(new_showdown(), np.empty(5, np.int64), found, np.empty(PAIRS, np.uint8))


@leaf
def value_rows(
    start: int, stop: int, views: Views, tables: PokerRankTables, pays: UthPays, room: ValueRoom,
    values: Integers, bets: Uint8s,
) -> None:  # fmt: skip
    """Solve the showdown problems of these rows: the values and the last decision of each pair.

    Rows seen by a suit hold the difference to the same board without regard to suits, which is
    what a flop has to add for them. They need family 0 to be solved before.
    """
    showdown, by_rank, found, endings = room
    order, rank_pair = showdown.order, views.rank_pair
    last = values.shape[1] - 1
    for row in range(start, stop):
        kinds, family = views.boards.kinds[row], views.boards.families[row]
        if not live_after(kinds, views.live[family], showdown.live):
            continue
        count = meet_dealers(kinds, tables, views, pays.first_qualifying, showdown)
        _value_pairs(count, showdown, pays.cell_of_class, pays.first_qualifying, pays.nets, found)
        _choose_endings(count, last, found, endings)
        for at in range(5):
            by_rank[at] = kinds[at] % 13
        sorted_in_place(by_rank, 5)
        plain = values[row_of(by_rank, 5, 0, views.boards)]
        made = bets[row]
        for at in range(count):
            made[order[at]] = endings[at]
        for value in range(last + 1):
            mine, of_ranks, summed = values[row, value], plain[value], found[value]
            if family:
                for at in range(count):
                    mine[order[at]] = summed[at] - of_ranks[rank_pair[order[at]]]
            else:
                for at in range(count):
                    mine[order[at]] = summed[at]


@leaf
def _value_pairs(
    count: int, showdown: ShowdownRows, cell_of_class: Uint8s, qualifying: int, nets: Int64s,
    found: Integers,
) -> None:  # fmt: skip
    """By form and pair, the weakest pair first: its sum over the dealer's hands.

    Neighbours mostly are of one cell, and all of a cell are multiplied by the same numbers.
    """
    order, classes = showdown.order, showdown.classes
    wins, ties, weak = showdown.wins, showdown.ties, showdown.weak
    dealers = dealers_hands(showdown.live)
    first = 0
    while first < count:
        hand = classes[order[first]]
        cell, qualifies = cell_of_class[hand], hand >= qualifying
        last = first + 1
        while last < count:
            other = classes[order[last]]
            if cell_of_class[other] != cell or (other >= qualifying) != qualifies:
                break
            last += 1
        for form in range(len(nets)):
            whole, win, tie, low = weigh_outcomes(qualifies, nets[form, cell], dealers)
            summed = found[form]
            for at in range(first, last):
                summed[at] = whole + win * wins[at] + tie * ties[at] + low * weak[at]
        first = last


@leaf
def _choose_endings(count: int, fold: int, found: Integers, endings: Uint8s) -> None:
    """Put the best ending in place of the fold, and write which bet it is, or 0.

    Sizes are tried from the smallest: of equal ones that is taken.
    """
    best = found[fold]
    endings[:count] = 0
    for size in range(len(found) - 1 - fold, 0, -1):
        shown = found[fold + size]
        for at in range(count):
            endings[at] = size if shown[at] > best[at] else endings[at]
            best[at] = max(shown[at], best[at])


@kernel
def add_next_card(
    start: int, stop: int, sets: Rows, larger: Rows, least_suited: int, orders: int, views: Views,
    values: Integers, sums: Integers,
) -> None:  # fmt: skip
    """For each of these views: the sums over the next card of the values of views one larger.

    A card of a kind comes as often as such cards are live, less often if the hole has some. A view
    by a suit has no part in larger ones with fewer cards of the suit than ``least_suited``. Where a
    sum has every set of cards to come in so many ``orders``, it is divided by them.
    """
    size = sets.kinds.shape[1]
    live, grown = np.empty(26, np.int64), np.empty(size + 1, np.int64)
    for view in range(start, stop):
        kinds, family = sets.kinds[view], sets.families[view]
        total = sums[view]
        total[:] = 0
        if not live_after(kinds, views.live[family], live):
            continue
        suited = 0
        for kind in kinds:
            suited += kind >= 13
        for card in range(26 if family else 13):
            if live[card] == 0 or (family and suited + (card >= 13) < least_suited):
                continue
            grown[:size] = kinds
            grown[size] = card
            sorted_in_place(grown, size + 1)
            row = values[row_of(grown, size + 1, family, larger)]
            _add_card(row, card, live[card], 26 if family else 13, total)
        if orders > 1:
            total //= orders


@leaf
def _add_card(row: Integers, card: int, live: int, kinds: int, total: Integers) -> None:
    """Add a row as often as the card can come: what a hole could not have is 0 in it."""
    times = np.int32(live)  # two numbers of 32 bits are multiplied several at a time
    pairs = kinds * (kinds + 1) // 2
    for value in range(len(row)):
        source, target = row[value], total[value]
        for pair in range(pairs):
            target[pair] += times * source[pair]
        for other in range(kinds):
            pair = pair_number(card, other)
            target[pair] -= source[pair]
        pair = pair_number(card, card)
        target[pair] -= source[pair]  # it has two of them


class FlopRoom(NamedTuple):
    """Room to decide one flop."""

    kinds: Int64s
    rows: Int64s
    found: Int64s


def flop_room(carried: int) -> FlopRoom:
    return FlopRoom(np.empty(3, np.int64), np.empty(5, np.int64), np.empty(carried, np.int64))


@leaf
def decide_flops(
    start: int, stop: int, flops: Uint8s, weights: Int64s, starts: Int64s, views: Views,
    sums: Int64s, multiples: Int64s, first_bet: int, room: FlopRoom, bet_values: Int64s,
    check_values: Int64s, bets: Uint8s, start_sums: Int64s,
) -> None:  # fmt: skip
    """Decide every hole on these canonical flops, and add the values up by starting hand.

    The CHECK of a starting hand is what remains when each flop is decided for the best. Where
    results are not linear, those of the bets here are carried from ``first_bet`` on.
    """
    kinds, rows, found = room
    carried = sums.shape[1]
    for flop in range(start, stop):
        for suit in range(5):
            suited = view_of_cards(flops[flop], 3, suit, kinds)
            rows[suit] = -1
            if suited or suit == 4:
                rows[suit] = row_of(kinds, 3, views.family_of[suit], views.flops)
        first, second, third = flops[flop, 0], flops[flop, 1], flops[flop, 2]
        hole = -1
        for high in range(52):
            for low in range(high):
                hole += 1
                taken = low in (first, second, third) or high in (first, second, third)
                if taken or starts[hole] < 0:
                    continue
                found[:] = 0
                for suit in range(5):
                    if rows[suit] >= 0:
                        pair = views.pair_of[suit, hole]
                        for value in range(carried):
                            found[value] += sums[rows[suit], value, pair]
                best, chosen = found[carried - 1], 0
                check_values[flop, hole] = best
                for size in range(len(multiples), 0, -1):
                    if first_bet < 0:
                        bet = found[STAKES] + multiples[size - 1] * found[PLAY]
                    else:
                        bet = found[first_bet + size - 1]
                    bet_values[size - 1, flop, hole] = bet
                    if bet > best:
                        best, chosen = bet, size
                bets[flop, hole] = chosen
                found[carried - 1] = best
                for value in range(carried):
                    start_sums[starts[hole], value] += weights[flop] * found[value]


@kernel
def write_river_bits(
    start: int, stop: int, boards: Uint8s, board_rows: Int64s, views: Views, bets: Uint8s,
    size: int, bits: Uint64s,
) -> None:  # fmt: skip
    """Write whether every hole on these canonical boards makes a bet of this size at the end."""
    left, place = np.empty(47, np.int64), np.empty(52, np.int64)
    for board in range(start, stop):
        row = board_rows[board]
        made = bets[row]
        pair_of = views.pair_of[views.suit_of[views.boards.families[row]]]
        cards_left(boards[board], left, place)
        bit = 0
        word = np.uint64(0)
        for high in range(47):
            first = left[high] * (left[high] - 1) // 2
            pairs = pair_of[first : first + 52]
            for low in range(high):
                is_made = made[pairs[np.uint64(left[low])]] == size
                word |= np.uint64(is_made) << np.uint64(bit & 63)
                bit += 1
                if bit & 63 == 0:
                    bits[board, (bit >> 6) - 1] = word
                    word = np.uint64(0)
        bits[board, bit >> 6] = word


@leaf
def cards_left(board: Uint8s, left: Int64s, place: Int64s) -> None:
    """The 47 cards that are not on the board, rising; by card its place among them, or -1."""
    at, taken = 0, 0
    for card in range(52):
        if taken < 5 and board[taken] == card:
            taken += 1
            place[card] = -1
        else:
            left[at] = card
            place[card] = at
            at += 1
