"""Hold'em with bets that add up, exactly: bet or fold before the flop, then bet or check.

A later bet stands beside the others, and what it wins depends on no other bet. So each of them is
decided alone: it is made where it wins on average, on the flop over all turns and rivers, on the
turn over all rivers. Deals are counted with turn and river in their order, 55.6 trillion of them.

Values are carried as in :mod:`.holdem_values`, and positions, views and showdowns are those of
:mod:`.holdem`. Here a board of five has twenty ways to come: five rivers, and four turns before
each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import (
    Int32s,
    Int64s,
    Uint8s,
    Uint16s,
    int64,
)
from croupier.exact.kernels.compiled import Progress, in_chunks, kernel, threads_to_use
from croupier.exact.kernels.holdem import (
    Classes,
    board_sums,
    boards_by_row,
    flop_sums,
    groups_of,
    prepared,
)
from croupier.exact.kernels.holdem_counts import Boards, Groups, add_times, spread_flop_bets
from croupier.exact.kernels.holdem_values import HoldemPays, cards_left
from croupier.exact.kernels.poker_rank import CLASSES, PokerRankTables, tables
from croupier.exact.kernels.positions import (
    CHOOSE,
    FULL_DECK,
    HOLES,
    Positions,
    code_of_sorted,
)
from croupier.exact.kernels.showdown_rows import (
    OUTCOME_SLOTS,
    OUTCOMES,
    live_after,
    new_showdown,
    solve_showdown,
)
from croupier.exact.kernels.suit_views import (
    Rows,
    Views,
    row_of,
    rows,
    view_of_cards,
)

STAKES, ON_FLOP, ON_TURN = range(3)  # the values that are carried
BET = 1  # where the bet stands that is decided, on the flop and in sums over rivers alone
NO_BET, FLOP_BET, TURN_BET, BOTH_BETS, FOLD = range(5)
ACTIONS = 5
FLOPS_OF_FOUR = 4
ORDERS = 2  # of turn and river


@dataclass(frozen=True)
class BetsGame:
    """What decides money, in units, by cell of the player's hand and by outcome.

    ``shown`` has all wagers made before the flop and the bet with which the box stays; ``flop`` and
    ``turn`` the bets that may be added, nothing but zeros where none may.
    """

    cell_of_class: Classes
    shown: Int64s  # (cells, outcomes)
    flop: Int64s
    turn: Int64s
    folded: int  # what a fold loses, whatever comes
    denominator: int  # units in one Ante
    first_qualifying: int

    def __post_init__(self) -> None:
        if len(self.cell_of_class) != CLASSES or max(self.cell_of_class) >= len(self.shown):
            raise ValueError(f"every one of the {CLASSES} classes needs a cell, and it a result")
        if {self.shown.shape, self.flop.shape, self.turn.shape} != {(len(self.shown), OUTCOMES)}:
            raise ValueError(f"a result is needed for each cell and each of {OUTCOMES} outcomes")

    @property
    def largest_result(self) -> int:
        whole = sum(np.abs(results).max() for results in (self.shown, self.flop, self.turn))
        return int(max(whole, abs(self.folded)))


class BetsStrategy(NamedTuple):
    """What the player does in every position."""

    plays: Uint8s  # (1326,): whether a hole bets before the flop, or folds
    flop: Uint8s  # (canonical flops, 1326); see Positions.flop_places
    turn: Uint8s  # (canonical boards of four, 1326); see Positions.turn_places


class BestBets(NamedTuple):
    """The best strategy and the sums that decide it, in units."""

    strategy: BetsStrategy
    start_values: Int64s  # (starts, 2): to bet and to fold, over its holes and all deals
    flop_sums: Int64s  # (views of flops, 3, 351): the values of each pair of kinds
    turn_sums: Int64s  # (views of four cards, 2, 351): those of STAKES and ON_TURN


def decide(
    game: BetsGame,
    deck: tuple[int, ...] = FULL_DECK,
    threads: int | None = None,
    progress: Progress = lambda stage, done: None,
) -> BestBets:
    """Find the best decision in every position; of equal ones the smaller wager."""
    spots, deck_views, _ = prepared(deck)
    crew = [None] * threads_to_use(threads)
    fours = rows(4, len(deck_views.live))
    results = np.stack([game.shown, game.flop, game.turn])
    cells = np.ascontiguousarray(game.cell_of_class, dtype=np.uint8)
    pays = HoldemPays(cells[None], results[None], len(results), 0, game.first_qualifying)
    largest = ORDERS * game.largest_result
    of_four, _, _ = board_sums(pays, deck_views, largest, len(crew), progress)
    of_flop = flop_sums(deck_views, of_four, crew, progress)
    turn_sums = np.ascontiguousarray(of_four[:, (STAKES, ON_TURN)], dtype=np.int64)
    flops = spots.flops, spots.flop_weights
    flop, won = _decided(spots, *flops, deck_views, deck_views.flops, of_flop, len(crew))
    turn, won_late = _decided(spots, *spots.turns, deck_views, fours, turn_sums, len(crew))
    bet = ORDERS * won.sum(axis=1) + FLOPS_OF_FOUR * won_late[:, BET]
    deals = np.bincount(spots.start_of[spots.in_deck]) * deals_a_hole(deck)
    start_values = np.stack([bet, game.folded * deals], axis=1)
    plays = (bet > start_values[:, 1]).astype(np.uint8)
    strategy = BetsStrategy(np.where(spots.in_deck, plays[spots.start_of], 0), flop, turn)
    return BestBets(strategy, start_values, of_flop, turn_sums)


def deals_a_hole(deck: tuple[int, ...]) -> int:
    """How many ways a round can come for one hole: flop, turn, river and the dealer's hole."""
    left = len(deck) - 2
    flops, late = CHOOSE[left, 3], (left - 3) * (left - 4)
    return int(flops * late * CHOOSE[left - 5, 2])


def count(
    game: BetsGame,
    strategy: BetsStrategy,
    deck: tuple[int, ...] = FULL_DECK,
    threads: int | None = None,
    progress: Progress = lambda stage, done: None,
) -> Int64s:
    """Count every deal under a strategy: by starting hand, action, cell and outcome."""
    spots, deck_views, board_rows = prepared(deck)
    crew = threads_to_use(threads)
    boards = boards_by_row(spots, deck_views, board_rows)
    groups = groups_of(spots, deck_views)
    decisions = _decisions(strategy, spots)
    cells = np.ascontiguousarray(game.cell_of_class, dtype=np.uint8)
    shape = (len(spots.starts), ACTIONS, len(game.shown), OUTCOME_SLOTS)
    tallies = [np.zeros(shape, dtype=np.int64) for _ in range(crew)]
    in_chunks(
        lambda tally, start, stop: _count_rows(
            start, stop, deck_views, tables(7), boards, groups, decisions, cells,
            game.first_qualifying, tally,
        ),
        tallies, len(deck_views.boards.kinds), 256, lambda done: progress("deals", done),
    )  # fmt: skip
    total: Int64s = sum(tallies[1:], tallies[0])[..., :OUTCOMES].copy()
    return total


def position_values(best: BestBets, holes: Uint8s, boards: Uint8s) -> tuple[Int64s, Int64s, int]:
    """Of many positions on the flop, or on the turn: what the wagers before it and the best later
    bets win, what the bet that is asked about wins, and over how many deals these are summed."""
    _, deck_views, _ = prepared(FULL_DECK)
    fours = rows(4, len(deck_views.live))
    stays, bets = np.zeros(len(holes), np.int64), np.zeros(len(holes), np.int64)
    hole, board = np.sort(holes, axis=1), np.sort(boards, axis=1)
    if boards.shape[1] == 4:
        _add_values(hole, board, deck_views, fours, best.turn_sums, 1, stays, bets)
        return stays, bets, 46 * 990
    _add_values(hole, board, deck_views, deck_views.flops, best.flop_sums, ORDERS, stays, bets)
    _add_turns(hole, board, deck_views, fours, best.turn_sums, stays)
    return stays, bets, 47 * 46 * 990


def _decided(
    spots: Positions, sets: Uint8s, weights: Int64s, deck_views: Views, of: Rows, sums: Int64s,
    crew: int,
) -> tuple[Uint8s, Int64s]:  # fmt: skip
    """Whether each hole bets on each of these boards; by starting hand what it wins, all in all,
    with all wagers made before, and with this bet where it is made."""
    bets = np.zeros((len(sets), HOLES), dtype=np.uint8)
    won = [np.zeros((len(spots.starts), 2), np.int64) for _ in range(crew)]
    in_chunks(
        lambda tally, start, stop: _decide_bets(
            start, stop, sets, weights, spots.start_of, deck_views, of, sums, bets, tally
        ),
        won, len(sets), 64, lambda done: None,
    )  # fmt: skip
    return bets, sum(won[1:], won[0])


class BetDecisions(NamedTuple):
    """What the player does everywhere, by any cards."""

    plays: Uint8s  # by starting hand
    flop: Uint8s  # (22100, 1326), by code of any flop: whether the hole bets
    turn: Uint8s  # (canonical boards of four, 1326)
    turn_of: Int32s  # by code of any four cards: the canonical board
    name_of: Uint8s  # and its renaming
    renamed: Uint16s  # (24, 1326)


def _decisions(strategy: BetsStrategy, spots: Positions) -> BetDecisions:
    in_deck, start_of = spots.in_deck, spots.start_of
    plays = np.zeros(len(spots.starts), dtype=np.uint8)
    plays[start_of[in_deck]] = strategy.plays[in_deck]
    if (plays[start_of[in_deck]] != strategy.plays[in_deck]).any():
        raise ValueError("the strategy tells suits apart before the flop")
    flop_of, flop_name = spots.flop_places
    spread = np.zeros((len(flop_of), HOLES), dtype=np.uint8)
    spread_flop_bets(0, len(spread), strategy.flop, flop_of, flop_name, spots.renamed_holes, spread)
    return BetDecisions(plays, spread, strategy.turn, *spots.turn_places, spots.renamed_holes)


@kernel
def _rows_seen(
    cards: Uint8s, size: int, views: Views, of: Rows, kinds: Int64s, seen: Int64s
) -> None:
    """By suit, and by none: the row of these cards in its view, -1 where it can make no flush."""
    fewest = size - 2
    for suit in range(5):
        suited = view_of_cards(cards, size, suit, kinds)
        seen[suit] = -1
        if suited >= fewest or suit == 4:
            seen[suit] = row_of(kinds, size, views.family_of[suit], of)


@kernel
def _sum_of(value: int, hole: int, views: Views, seen: Int64s, sums: Int64s) -> int:
    """A value of one hole: what its ranks alone bring, corrected for each suit."""
    total = 0
    for suit in range(5):
        if seen[suit] >= 0:
            total += sums[seen[suit], value, views.pair_of[suit, hole]]
    return total


@kernel
def _decide_bets(
    start: int, stop: int, sets: Uint8s, weights: Int64s, starts: Int64s, views: Views, of: Rows,
    sums: Int64s, bets: Uint8s, won: Int64s,
) -> None:  # fmt: skip
    """Decide the bet of every hole on these canonical boards, and add up what is won."""
    size = sets.shape[1]
    kinds, seen = np.empty(size, np.int64), np.empty(5, np.int64)
    for board in range(start, stop):
        _rows_seen(sets[board], size, views, of, kinds, seen)
        hole = -1
        for high in range(52):
            for low in range(high):
                hole += 1
                taken = starts[hole] < 0
                for card in sets[board]:
                    taken = taken or card in (low, high)
                if taken:
                    continue
                bet = _sum_of(BET, hole, views, seen, sums)
                won[starts[hole], STAKES] += weights[board] * _sum_of(
                    STAKES, hole, views, seen, sums
                )
                if bet > 0:
                    bets[board, hole] = 1
                    won[starts[hole], BET] += weights[board] * bet


@kernel
def _count_rows(
    start: int, stop: int, views: Views, tables: PokerRankTables, boards: Boards, groups: Groups,
    decisions: BetDecisions, cell_of_class: Uint8s, qualifying: int, counts: Int64s,
) -> None:  # fmt: skip
    """Add the deals of these showdown problems to the counts."""
    showdown = new_showdown()
    left, place = np.empty(47, np.int64), np.empty(52, np.int64)
    ways = np.empty((4, 1326), np.uint8)
    weights = np.empty((4, groups.pairs.shape[1] + 1), np.int64)
    for row in range(start, stop):
        if boards.first[row] == boards.first[row + 1]:
            continue
        family = views.boards.families[row]
        suit = views.suit_of[family]
        kinds = views.boards.kinds[row]
        live_after(kinds, views.live[family], showdown.live)
        solve_showdown(kinds, tables, views, qualifying, showdown)
        weights[:] = 0
        for at in range(boards.first[row], boards.first[row + 1]):
            board = boards.order[at]
            cards_left(boards.cards[board], left, place)
            _ways_to_bet(boards.cards[board], boards.choose, decisions, ways)
            _weigh_holes(left, ways, boards.weights[board], groups.group_of[suit], weights)
        for group in range(groups.counts[suit]):
            pair, hand = groups.pairs[suit, group], groups.starts[suit, group]
            cell, outcome = cell_of_class[showdown.classes[pair]], showdown.outcomes[pair]
            for action in range(4):
                done = action if decisions.plays[hand] else FOLD
                add_times(counts[hand, done, cell], weights[action, group], outcome)


@kernel
def _ways_to_bet(board: Uint8s, choose: Int64s, decisions: BetDecisions, ways: Uint8s) -> None:
    """By hole: in how many of the board's twenty orders it makes no later bet, either, or both."""
    four, three = np.empty(4, np.uint8), np.empty(3, np.uint8)
    flops = np.empty(1326, np.uint8)
    ways[:] = 0
    for river in range(5):
        _without(board, river, four)
        flops[:] = 0
        for turn in range(4):
            _without(four, turn, three)
            on_flop = decisions.flop[code_of_sorted(three, choose)]
            for hole in range(1326):
                flops[hole] += on_flop[hole]
        code = code_of_sorted(four, choose)
        on_turn = decisions.turn[decisions.turn_of[code]]
        renamed = decisions.renamed[decisions.name_of[code]]
        for hole in range(1326):
            late = TURN_BET * on_turn[renamed[hole]]
            ways[late, hole] += FLOPS_OF_FOUR - flops[hole]
            ways[late + FLOP_BET, hole] += flops[hole]


@kernel
def _without(cards: Uint8s, gone: int, kept: Uint8s) -> None:
    for at in range(len(kept)):
        kept[at] = cards[at + (at >= gone)]


@kernel
def _weigh_holes(
    left: Int64s, ways: Uint8s, weight: int, group_of: Uint16s, weights: Int64s
) -> None:
    """Add each hole of a board to its group; one that is not in the deck to one past the last."""
    for high in range(47):
        first = left[high] * (left[high] - 1) // 2
        for at in range(high):
            hole = first + left[at]
            for action in range(4):
                weights[action, group_of[hole]] += weight * ways[action, hole]


@kernel
def _add_values(
    holes: Uint8s, boards: Uint8s, views: Views, of: Rows, sums: Int64s, times: int, stays: Int64s,
    bets: Int64s,
) -> None:  # fmt: skip
    """Add the sums of each position, so many times."""
    size = boards.shape[1]
    kinds, seen = np.empty(size, np.int64), np.empty(5, np.int64)
    for at in range(len(holes)):
        _rows_seen(boards[at], size, views, of, kinds, seen)
        low, high = int64(holes[at, 0]), int64(holes[at, 1])
        hole = high * (high - 1) // 2 + low
        stays[at] += times * _sum_of(STAKES, hole, views, seen, sums)
        bets[at] += times * _sum_of(BET, hole, views, seen, sums)


@kernel
def _add_turns(
    holes: Uint8s, flops: Uint8s, views: Views, fours: Rows, sums: Int64s, stays: Int64s
) -> None:
    """Add what the bets on the turn win that are made at their best after these flops."""
    kinds, seen = np.empty(4, np.int64), np.empty(5, np.int64)
    four = np.empty(4, np.uint8)
    for at in range(len(holes)):
        low, high = int64(holes[at, 0]), int64(holes[at, 1])
        hole = high * (high - 1) // 2 + low
        for turn in range(52):
            taken = turn in (low, high)
            for card in flops[at]:
                taken = taken or card == turn
            if not taken:
                four[:3] = flops[at]
                four[3] = turn
                _rows_seen(four, 4, views, fours, kinds, seen)
                stays[at] += max(_sum_of(BET, hole, views, seen, sums), 0)
