"""Hold'em with one Play: the best decisions, by adding values back from the showdown to the hole.

Values are integers: sums over the dealer's hands (then over turns and rivers, then over flops) of
the net result in units of ``1 / denominator`` Ante. To each flop and hole are carried the result of
each Play that can be made there and, last, CHECK: the result when the player checks until the end
and then bets or folds as is best. Nothing is decided after a raise before the flop: its results are
added up over all boards at once.

A decision compares two such sums exactly. The smaller wager is taken when they are equal.

Cards still to come are added up one by one: each board of five cards, as soon as it is valued, to
the views of four of its cards, in sums that each thread has of its own; then these to flops.
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
    Uint16s,
    Uint64s,
    int64,
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

CARDS = 5  # of a board


class HoldemPays(NamedTuple):
    """What decides money, in units, by cell of the player's hand and by outcome, in several games.

    A form is something that is summed over the dealer's hands: the values carried, with a fold in
    place of CHECK, then the raises, then each multiple at the end, the largest first.
    """

    cell_of_class: Uint8s  # (games, 7462): hands of one cell are paid alike by every wager
    nets: Int64s  # (games, forms, cells, outcomes)
    carried: int
    raises: int
    first_qualifying: int  # the least class with which the dealer qualifies


class ValueRoom(NamedTuple):
    """Room to solve and value one showdown problem, and what the boards seen so far sum to.

    Values stand game by game: first those that are carried, then the raises.
    """

    showdown: ShowdownRows
    by_rank: Int64s
    four: Int64s
    found: Integers  # (forms, 351): by pair, the weakest first; as wide as the values kept
    endings: Uint8s  # (351,): in that order, the last decision
    values: Integers  # (values, 351): by pair, 0 where it cannot be held
    of_four: Integers  # (views of four cards, values carried, 351)
    raised: Int64s  # (families, raises, 351)


def value_room(
    pays: HoldemPays, views: Views, fours: Rows, narrow: np.dtype[Any], wide: np.dtype[Any]
) -> ValueRoom:
    games, forms = pays.nets.shape[:2]
    kept = games * (pays.carried + pays.raises)
    return ValueRoom(
        new_showdown(),
        np.empty(CARDS, np.int64),
        np.empty(CARDS - 1, np.int64),
        np.empty((forms, PAIRS), narrow),
        np.empty(PAIRS, np.uint8),
        np.empty((kept, PAIRS), narrow),
        np.zeros((len(fours.kinds), games * pays.carried, PAIRS), wide),
        np.zeros((len(views.live), games * pays.raises, PAIRS), np.int64),
    )


@leaf
def value_rows(
    start: int, stop: int, views: Views, fours: Rows, tables: PokerRankTables, pays: HoldemPays,
    room: ValueRoom, plain: Integers, bets: Uint8s,
) -> None:  # fmt: skip
    """Solve the showdown problems of these rows, add up what they are worth, and write the last
    decision of each pair in the first of the games.

    Rows seen by a suit add the difference to the same board without regard to suits, which is
    what a flop has to add for them. They need family 0 to be solved before: its values are kept.
    """
    showdown, by_rank, values = room.showdown, room.by_rank, room.values
    order, carried = showdown.order, len(pays.nets) * pays.carried
    for row in range(start, stop):
        kinds, family = views.boards.kinds[row], views.boards.families[row]
        if not live_after(kinds, views.live[family], showdown.live):
            continue
        count = meet_dealers(kinds, tables, views, pays.first_qualifying, showdown)
        for at in range(CARDS):
            by_rank[at] = kinds[at] % 13
        sorted_in_place(by_rank, CARDS)
        of_ranks = plain[row_of(by_rank, CARDS, 0, views.boards)]
        values[:] = 0
        _value_games(count, family > 0, views.rank_pair, pays, room, of_ranks, bets[row])
        if family == 0:
            for value in range(len(values)):
                for pair in range(of_ranks.shape[1]):
                    of_ranks[value, pair] = values[value, pair]
        _add_to_fours(
            kinds, family, showdown.live, fours, room.four, values[:carried], room.of_four
        )
        _add_raises(
            order, count, kinds, views.live[family], views, showdown.live, values[carried:],
            room.raised[family],
        )  # fmt: skip


@leaf
def _value_games(
    count: int, has_suit: bool, rank_pair: Uint16s, pays: HoldemPays, room: ValueRoom,
    of_ranks: Integers, bets: Uint8s,
) -> None:  # fmt: skip
    """What each pair is worth in each game, and its last decision in the first."""
    order, found, endings = room.showdown.order, room.found, room.endings
    games, carried, raises = len(pays.nets), pays.carried, pays.raises
    for game in range(games):
        _value_pairs(
            count, room.showdown, pays.cell_of_class[game], pays.first_qualifying,
            pays.nets[game], found,
        )  # fmt: skip
        _choose_endings(count, carried - 1, carried + raises, found, endings)
        if game == 0:
            for at in range(count):
                bets[order[at]] = endings[at]
        for form in range(carried + raises):
            place = game * carried + form
            if form >= carried:
                place = games * carried + game * raises + form - carried
            mine, plain, summed = room.values[place], of_ranks[place], found[form]
            if has_suit:
                for at in range(count):
                    mine[order[at]] = summed[at] - plain[rank_pair[order[at]]]
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
def _choose_endings(
    count: int, fold: int, first_size: int, found: Integers, endings: Uint8s
) -> None:
    """Put the best ending in place of the fold, and write which bet it is, or 0.

    Sizes are tried from the smallest: of equal ones that is taken.
    """
    best = found[fold]
    endings[:count] = 0
    for size in range(len(found) - first_size, 0, -1):
        shown = found[first_size + size - 1]
        for at in range(count):
            endings[at] = size if shown[at] > best[at] else endings[at]
            best[at] = max(shown[at], best[at])


@leaf
def _add_to_fours(
    kinds: Uint8s, family: int, live: Int64s, fours: Rows, four: Int64s, values: Integers,
    of_four: Integers,
) -> None:  # fmt: skip
    """Add a board to the views of four of its cards, as often as the fifth can come to them."""
    for at in range(CARDS):
        if at and kinds[at] == kinds[at - 1]:
            continue
        for other in range(CARDS - 1):
            four[other] = kinds[other + (other >= at)]
        view = row_of(four, CARDS - 1, family, fours)
        _add_card(values, kinds[at], live[kinds[at]] + 1, 26 if family else 13, of_four[view])


@leaf
def _add_raises(
    order: Uint16s, count: int, kinds: Uint8s, in_deck: Int64s, views: Views, live: Int64s,
    values: Integers, raised: Int64s,
) -> None:  # fmt: skip
    """Add a board as often as it can come to each hole: as often as to none, and of that the share
    in which the cards of the hole are left."""
    boards, held = 1, 0
    for at in range(CARDS):
        held = held + 1 if at and kinds[at] == kinds[at - 1] else 1
        if at == CARDS - 1 or kinds[at + 1] != kinds[at]:
            boards *= views.boards.choose[in_deck[kinds[at]], held]
    for at in range(count):
        pair, ways = order[at], boards
        low, high = views.low[pair], views.high[pair]
        if live[low] < in_deck[low]:
            ways = ways * live[low] // in_deck[low]
        if live[high] < in_deck[high]:
            both = int64(low == high)
            ways = ways * (live[high] - both) // (in_deck[high] - both)
        for value in range(len(values)):
            raised[value, pair] += ways * values[value, pair]


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
    sums: Int64s, first_value: int, room: FlopRoom, bet_values: Int64s, check_values: Int64s,
    bets: Uint8s, checks: Int64s,
) -> None:  # fmt: skip
    """Decide every hole on these canonical flops, in the game whose values begin there, and add
    up by starting hand what a check is worth when each flop is decided for the best."""
    kinds, rows, found = room
    sizes = len(bet_values)
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
                        for value in range(sizes + 1):
                            found[value] += sums[rows[suit], first_value + value, pair]
                best, chosen = found[sizes], 0
                check_values[flop, hole] = best
                for size in range(sizes, 0, -1):
                    bet_values[size - 1, flop, hole] = found[size - 1]
                    if found[size - 1] > best:
                        best, chosen = found[size - 1], size
                bets[flop, hole] = chosen
                checks[starts[hole]] += weights[flop] * best


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
