"""What a player notices on the flop and at the end of Hold'em with one Play, for every position.

There are 2.3 million positions on the flop and 145 million at the end. What depends on the hole
alone comes as a table; what depends on the board alone is found once for each board: its ranks and
suits, its own hand, and how many single unseen cards make it beat each class of hands, which are
the dealer's outs. Then each feature that the rules ask for is found for all holes of the board, a
column at a time: few calls, short loops. None of them tells suits apart.

``croupier.exact.strategy.features`` says in plain code what each one means; tests hold them equal.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import Bools, Int16s, Int64s, Uint8s, Uint64s, int64
from croupier.exact.kernels.compiled import Progress, in_chunks, kernel, threads_to_use
from croupier.exact.kernels.hand_order import (
    FLUSH,
    FULL_HOUSE,
    PAIR,
    THREE,
    TWO_PAIR,
    class_strengths,
)
from croupier.exact.kernels.poker_rank import (
    CLASSES,
    PokerRankTables,
    has_flush,
    rank_of_counts,
    rank_of_flush,
    tables,
)
from croupier.exact.kernels.positions import HOLES, WORDS, Positions
from croupier.exact.kernels.rule_programs import RuleProgram, decide_columns

NAMES = (
    "start", "pocket_pair", "suited", "high", "low",
    "made", "hidden", "hidden_pair", "flush_cards", "flush_high", "straight_ranks",
    "kicker_place", "overcards", "dealer_outs", "plays_board",
    "board", "board_high", "board_flush", "board_straight",
)  # fmt: skip
(
    _START, _POCKET_PAIR, _SUITED, _HIGH, _LOW,
    _MADE, _HIDDEN, _HIDDEN_PAIR, _FLUSH_CARDS, _FLUSH_HIGH, _STRAIGHT_RANKS,
    _KICKER_PLACE, _OVERCARDS, _DEALER_OUTS, _PLAYS_BOARD,
    _BOARD, _BOARD_HIGH, _BOARD_FLUSH, _BOARD_STRAIGHT,
) = range(len(NAMES))  # fmt: skip
OF_THE_HOLE = NAMES[:_MADE]
_RANKS_THAT_MAKE = {PAIR: 1, TWO_PAIR: 2, FULL_HOUSE: 2, FLUSH: 5}  # of others one, high card none


class Holes(NamedTuple):
    """What is known before the flop."""

    values: Int16s  # (1326, features of the hole)
    asked: Bools  # (1326,): in the deck, and not raised before the flop


class Judge(NamedTuple):
    """How hands are ranked, and which of them are better in more than a kicker."""

    player: PokerRankTables  # five cards on the flop, seven at the end
    five: PokerRankTables
    six: PokerRankTables
    cores: Int64s  # by class: the category and the ranks that make it, kickers left out
    deck: Bools  # by card: whether there is one


class Board(NamedTuple):
    """What is found once for all holes of a board."""

    taken: int  # its cards, as bits
    mask: int  # its ranks, as bits
    total: np.uint64  # the sum of its cards, see evaluate.py
    own: int  # its class; -1 on the flop
    core: int  # of its own hand


class Space(NamedTuple):
    """What one thread works on: the board's cards, and the holes asked about, one a column."""

    hand: Int64s  # the board's cards and room for the player's two
    counts: Int64s  # by rank
    suits: Int64s  # by suit
    singles: Int64s  # the classes the board makes with one unseen card, rising
    outs: Int16s  # by class: how many of them are better
    low: Int64s  # the cards of each hole
    high: Int64s
    place: Int64s  # its code among the cards that are left
    values: Int16s  # (features, holes)
    chosen: Int16s  # by hole: the rule that decides
    uses: Int64s  # by rule: the positions it has decided


def _space(board_size: int, rules: int) -> Space:
    def whole(size: int) -> Int64s:
        return np.zeros(size, dtype=np.int64)

    return Space(
        whole(board_size + 2), whole(13), whole(4), whole(52), np.zeros(CLASSES, np.int16),
        whole(HOLES), whole(HOLES), whole(HOLES),
        np.zeros((len(NAMES), HOLES), np.int16), np.zeros(HOLES, np.int16), whole(rules),
    )  # fmt: skip


def judge(board_size: int, deck: tuple[int, ...]) -> Judge:
    there = np.zeros(52, dtype=np.bool_)
    there[list(deck)] = True
    return Judge(tables(board_size + 2), tables(5), tables(6), _cores(), there)


@cache
def _cores() -> Int64s:
    strengths = class_strengths()
    cores = np.zeros_like(strengths)
    for category in range(PAIR, int(strengths[-1] >> 20) + 1):
        dropped = 4 * (5 - _RANKS_THAT_MAKE.get(category, 1))
        own = strengths >> 20 == category
        cores[own] = strengths[own] >> dropped << dropped
    return cores


def decide_flops(
    spots: Positions, program: RuleProgram, holes: Holes, threads: int | None, progress: Progress
) -> tuple[Uint8s, Int64s]:
    """(canonical flops, 1326): what the rules write; and how many positions each rule decides."""
    written = np.zeros((len(spots.flops), HOLES), dtype=np.uint8)
    judging = judge(3, spots.deck)
    spaces = [_space(3, len(program.writes)) for _ in range(threads_to_use(threads))]
    in_chunks(
        lambda space, start, stop: _decide_flops(
            start, stop, spots.flops, spots.flop_weights, program, holes, judging, space, written
        ),
        spaces, len(written), 64, lambda done: progress("reading flops", done),
    )  # fmt: skip
    return written, sum((space.uses for space in spaces[1:]), spaces[0].uses)


def decide_boards(
    spots: Positions, program: RuleProgram, holes: Holes, threads: int | None, progress: Progress
) -> tuple[Uint64s, Int64s]:
    """(canonical boards, 17): a bit a hole where the rules write 1; and each rule's positions."""
    bits = np.zeros((len(spots.boards), WORDS), dtype=np.uint64)
    judging = judge(5, spots.deck)
    spaces = [_space(5, len(program.writes)) for _ in range(threads_to_use(threads))]
    in_chunks(
        lambda space, start, stop: _decide_boards(
            start, stop, spots.boards, spots.board_weights, program, holes, judging, space, bits
        ),
        spaces, len(bits), 1024, lambda done: progress("reading boards", done),
    )  # fmt: skip
    return bits, sum((space.uses for space in spaces[1:]), spaces[0].uses)


def values_on(board: tuple[int, ...], holes: Holes) -> dict[tuple[int, int], Int16s]:
    """Every feature of every hole asked about on one board, as the kernels see it."""
    space = _space(len(board), 0)
    everything = np.ones(len(NAMES), dtype=np.bool_)
    cards = np.array(board, dtype=np.uint8)
    count = _notice(cards, holes, judge(len(board), tuple(range(52))), everything, space)
    pairs = zip(space.low[:count].tolist(), space.high[:count].tolist(), strict=True)
    return {hole: space.values[:, at].copy() for at, hole in enumerate(pairs)}


@kernel
def _decide_flops(
    start: int, stop: int, flops: Uint8s, weights: Int64s, program: RuleProgram, holes: Holes,
    judge: Judge, space: Space, written: Uint8s,
) -> None:  # fmt: skip
    for row in range(start, stop):
        count = _notice(flops[row], holes, judge, program.used, space)
        decide_columns(program, space.values, count, space.chosen)
        for at in range(count):
            hole = space.high[at] * (space.high[at] - 1) // 2 + space.low[at]
            written[row, hole] = program.writes[space.chosen[at]]
            space.uses[space.chosen[at]] += weights[row]


@kernel
def _decide_boards(
    start: int, stop: int, boards: Uint8s, weights: Int64s, program: RuleProgram, holes: Holes,
    judge: Judge, space: Space, bits: Uint64s,
) -> None:  # fmt: skip
    for row in range(start, stop):
        count = _notice(boards[row], holes, judge, program.used, space)
        decide_columns(program, space.values, count, space.chosen)
        for at in range(count):
            place = space.place[at]
            bit = np.uint64(program.writes[space.chosen[at]]) << np.uint64(place & 63)
            bits[row, place >> 6] |= bit
            space.uses[space.chosen[at]] += weights[row]


@kernel
def _notice(cards: Uint8s, holes: Holes, judge: Judge, used: Bools, space: Space) -> int:
    """Find the features that are used, for every hole asked about; how many holes these are."""
    board = _look_at(cards, judge, used[_DEALER_OUTS], space)
    low, high, values = space.low, space.high, space.values
    count = _list_holes(board.taken, holes.asked, low, high, space.place)
    for feature in range(_MADE):
        if used[feature]:
            _of_the_hole(holes.values[:, feature], low, high, count, values[feature])
    _made(board.total, space.suits, low, high, count, space.hand, judge.player, values[_MADE])
    if used[_HIDDEN]:
        _hidden(board.core, judge.cores, values[_MADE], count, values[_HIDDEN])
    if used[_DEALER_OUTS]:
        _outs(space.outs, values[_MADE], count, values[_DEALER_OUTS])
    if used[_PLAYS_BOARD]:
        values[_PLAYS_BOARD, :count] = values[_MADE, :count] == board.own
    if used[_HIDDEN_PAIR]:
        _hidden_pairs(space.counts, low, high, count, values[_HIDDEN_PAIR])
    if used[_FLUSH_CARDS] or used[_FLUSH_HIGH]:
        _flushes(space.suits, low, high, count, values[_FLUSH_CARDS], values[_FLUSH_HIGH])
    if used[_STRAIGHT_RANKS]:
        _straight_ranks(board.mask, low, high, count, values[_STRAIGHT_RANKS])
    if used[_KICKER_PLACE]:
        _kicker_places(board.mask, high, count, values[_KICKER_PLACE])
    if used[_OVERCARDS]:
        _overcards(board.mask, low, high, count, values[_OVERCARDS])
    values[_BOARD, :count] = board.core >> 20
    if used[_BOARD_HIGH]:
        values[_BOARD_HIGH, :count] = _top(board.mask) + 1
    if used[_BOARD_FLUSH]:
        values[_BOARD_FLUSH, :count] = space.suits.max()
    if used[_BOARD_STRAIGHT]:
        values[_BOARD_STRAIGHT, :count] = _most_to_a_straight(board.mask)
    return count


@kernel
def _look_at(cards: Uint8s, judge: Judge, with_outs: bool, space: Space) -> Board:
    size = len(cards)
    space.counts[:], space.suits[:] = 0, 0
    taken, mask, total = int64(0), int64(0), np.uint64(0)
    for at in range(size):
        card = int64(cards[at])
        taken |= 1 << card
        space.hand[at] = card
        space.counts[card >> 2] += 1
        space.suits[card & 3] += 1
        mask |= 1 << (card >> 2)
        total += judge.five.cards[card]
    own, core = int64(-1), int64(0)
    if size == 5:
        own = int64(_class_of(total, space.hand[:5], judge.five))
        core = judge.cores[own]
        if with_outs:
            _count_outs(space.hand, taken, total, judge, space.singles, space.outs)
    else:
        for rank in range(13):
            if space.counts[rank] > 1:
                category = PAIR if space.counts[rank] == 2 else THREE
                core = int64((category << 20) + ((rank + 2) << 16))
    return Board(taken, mask, total, own, core)


@kernel
def _class_of(total: np.uint64, cards: Int64s, tables: PokerRankTables) -> int:
    if has_flush(total):
        return rank_of_flush(total, cards, tables)
    return rank_of_counts(total, tables)


@kernel
def _count_outs(
    hand: Int64s, taken: int, total: np.uint64, judge: Judge, singles: Int64s, outs: Int16s
) -> None:
    """By class: with how many single cards the board beats it; the player's own two never do."""
    count = 0
    for card in range(52):
        if judge.deck[card] and not taken >> card & 1:
            hand[5] = card
            singles[count] = _class_of(total + judge.six.cards[card], hand[:6], judge.six)
            count += 1
    singles[:count].sort()
    first = 0
    for at in range(count):
        outs[first : singles[at]] = count - at
        first = max(first, singles[at])
    outs[first:] = 0


@kernel
def _list_holes(taken: int, asked: Bools, low: Int64s, high: Int64s, place: Int64s) -> int:
    """Write the holes asked about that the board leaves; how many. A place is a code, too."""
    count, code, left = 0, 0, -1
    for b in range(52):
        if taken >> b & 1:
            code += b
            continue
        left += 1
        at = left * (left - 1) // 2
        for a in range(b):
            if not taken >> a & 1:
                if asked[code]:
                    low[count], high[count], place[count] = a, b, at
                    count += 1
                at += 1
            code += 1
    return count


@kernel
def _of_the_hole(by_hole: Int16s, low: Int64s, high: Int64s, count: int, values: Int16s) -> None:
    for at in range(count):
        values[at] = by_hole[high[at] * (high[at] - 1) // 2 + low[at]]


@kernel
def _made(
    total: np.uint64, suits: Int64s, low: Int64s, high: Int64s, count: int, hand: Int64s,
    tables: PokerRankTables, values: Int16s,
) -> None:  # fmt: skip
    """The class of each hole with the board. Only the suit of three board cards can make a flush,
    so what matters of a card is its rank and whether it is of that suit: 26 kinds, 351 pairs."""
    suit = np.argmax(suits) if suits.max() >= 3 else 4
    other = (suit + 1) & 3
    kinds = 13 if suit == 4 else 26
    by_pair = np.empty((26, 26), np.int16)
    for second in range(kinds):
        for first in range(second + 1):
            hand[-2] = 4 * (first % 13) + (other if first < 13 else suit)
            hand[-1] = 4 * (second % 13) + (other if second < 13 else suit)
            with_hole = total + tables.cards[hand[-2]] + tables.cards[hand[-1]]
            made = _class_of(with_hole, hand, tables)
            by_pair[first, second] = by_pair[second, first] = made
    for at in range(count):
        one = (low[at] >> 2) + (13 if low[at] & 3 == suit else 0)
        two = (high[at] >> 2) + (13 if high[at] & 3 == suit else 0)
        values[at] = by_pair[one, two]


@kernel
def _hidden(core: int, cores: Int64s, made: Int16s, count: int, values: Int16s) -> None:
    for at in range(count):
        mine = cores[made[at]]
        values[at] = mine >> 20 if mine > core else 0


@kernel
def _outs(outs: Int16s, made: Int16s, count: int, values: Int16s) -> None:
    for at in range(count):
        values[at] = outs[made[at]]


@kernel
def _hidden_pairs(counts: Int64s, low: Int64s, high: Int64s, count: int, values: Int16s) -> None:
    for at in range(count):
        one, other = low[at] >> 2, high[at] >> 2
        if one == other or counts[other]:
            values[at] = other + 1
        else:
            values[at] = one + 1 if counts[one] else 0


@kernel
def _flushes(
    suits: Int64s, low: Int64s, high: Int64s, count: int, cards: Int16s, ranks: Int16s
) -> None:
    """The cards of the hole's fullest suit, and its highest rank in the hole."""
    for at in range(count):
        one, other = low[at], high[at]
        both = one & 3 == other & 3
        of_one, of_other = suits[one & 3] + 1, suits[other & 3] + 1 + both
        cards[at] = max(of_one, of_other)
        ranks[at] = 1 + ((one if of_one > of_other else other) >> 2)


@kernel
def _straight_ranks(mask: int, low: Int64s, high: Int64s, count: int, values: Int16s) -> None:
    for at in range(count):
        held = mask | 1 << (low[at] >> 2) | 1 << (high[at] >> 2)
        values[at] = 0
        if not _has_straight(held):
            for rank in range(13):
                values[at] += _has_straight(held | 1 << rank)


@kernel
def _has_straight(mask: int) -> bool:
    ranks = _with_low_ace(mask)
    return ranks & ranks >> 1 & ranks >> 2 & ranks >> 3 & ranks >> 4 != 0


@kernel
def _with_low_ace(mask: int) -> int:
    return mask << 1 | mask >> 12


@kernel
def _kicker_places(mask: int, high: Int64s, count: int, values: Int16s) -> None:
    for at in range(count):
        above = -(2 << (high[at] >> 2))
        values[at] = 1 + _bits(~mask & 0x1FFF & above)


@kernel
def _overcards(mask: int, low: Int64s, high: Int64s, count: int, values: Int16s) -> None:
    for at in range(count):
        values[at] = (mask >> (low[at] >> 2) == 0) + (mask >> (high[at] >> 2) == 0)


@kernel
def _top(mask: int) -> int:
    rank = 12
    while not mask >> rank & 1:
        rank -= 1
    return rank


@kernel
def _most_to_a_straight(mask: int) -> int:
    most = 0
    for first in range(10):
        most = max(most, _bits(_with_low_ace(mask) >> first & 31))
    return most


@kernel
def _bits(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
