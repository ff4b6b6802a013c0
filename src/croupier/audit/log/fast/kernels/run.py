"""Line after line of a block, for as long as each is as it must be.

The kernel stops at the first line that it cannot vouch for, or that belongs to another table, and
says which; what it has passed stands in rows that the watch over the table goes through.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.audit.log.fast.kernels import check as checks
from croupier.audit.log.fast.kernels.check import RecordArrays, RecordRules
from croupier.audit.log.fast.kernels.compiled import inlined, kernel, part
from croupier.audit.log.fast.kernels.decisions import decisions_are_right, times_are_right
from croupier.audit.log.fast.kernels.gather import (
    BEGAN,
    BOXES,
    CLOSED,
    COUNT,
    COUNTED,
    DECK,
    ENDED,
    FOUND,
    LEDGER,
    LEFT,
    METERS,
    N_BOXES,
    N_CARDS,
    N_HIDDEN,
    N_METERS,
    NAME,
    ON_TABLE,
    OPENED,
    ROUND,
    RULEBOOK,
    STOOD,
    STUB,
    TABLE,
    TERMS,
    WAY,
    GatheredRound,
    Ids,
    gather,
)
from croupier.audit.log.fast.kernels.scan import Grammar, scan
from croupier.exact.kernels.array_types import Int64s, Uint8s, Uint64s, int64
from croupier.simulate.kernels import four_card, holdem

HOLDEM, FOUR_CARD = range(2)
PASSED, UNUSUAL, OTHER, FULL = range(4)

# A row of what passed
LINE, R_ROUND, R_CLOSED, R_DEALT, R_DECK, R_OPENED, R_FOUND, R_COUNTED, R_STUB, R_ON_TABLE = range(
    10
)
R_BOXES, R_WAGERED, R_WON, R_BEGAN, R_ENDED, R_WAY, R_METERS = range(10, 17)
ROW = R_METERS + 1 + 3 * METERS


class RankTable(NamedTuple):
    """What ranks hands, and where they lie."""

    holdem: holdem.HoldemHands
    four_card: four_card.FourCardHands
    game: int
    board: int  # places on the layout
    dealer: int
    six_box: int


class Scratch(NamedTuple):
    fields: Int64s
    values: Int64s
    sums: Int64s
    stack: Int64s
    bits: Uint64s


@part
def look_holdem(seen: GatheredRound, table: RecordArrays, hands: RankTable, places: int) -> None:
    with_six = hands.six_box >= 0 and table.dealt[hands.six_box] > 0
    board, dealer = table.cards[hands.board], table.cards[hands.dealer]
    six = table.cards[hands.six_box]  # any row where none is dealt
    common = holdem.look_at_common(board, dealer, six, with_six, hands.holdem)
    table.classes[BOXES] = common.dealer
    for box in range(seen.counts[N_BOXES]):
        table.looks[box, :] = 0
        table.classes[box] = 0
        if not table.blind[box]:
            one, other = table.cards[places + box, 0], table.cards[places + box, 1]
            table.classes[box] = holdem.look_at_box(
                min(one, other), max(one, other), common, with_six, hands.holdem, table.looks[box]
            )


@part
def look_four_card(seen: GatheredRound, table: RecordArrays, hands: RankTable, places: int) -> None:
    table.classes[BOXES] = four_card.class_of_dealer(table.cards[hands.dealer], hands.four_card)
    sixth = four_card.NO_SIXTH
    if hands.six_box >= 0 and table.dealt[hands.six_box] > 0:
        sixth = table.cards[hands.six_box, 0]
    for box in range(seen.counts[N_BOXES]):
        table.looks[box, :] = 0
        table.classes[box] = 0
        if not table.blind[box]:
            table.classes[box] = four_card.look_at_box(
                table.cards[places + box], 0, sixth, hands.four_card, table.looks[box]
            )


@part
def is_right(
    seen: GatheredRound, compiled: RecordRules, table: RecordArrays, hands: RankTable, sums: Int64s
) -> bool:
    if not checks.boxes_are_right(seen, compiled, table):
        return False
    for box in range(seen.counts[N_BOXES]):
        if not checks.wagers_are_right(seen, compiled, table, box):
            return False
        if not decisions_are_right(seen, compiled, table, box):
            return False
    if not checks.cards_are_right(seen, compiled, table):
        return False
    if not times_are_right(seen, compiled, table):
        return False
    if hands.game == HOLDEM:
        look_holdem(seen, table, hands, len(compiled.places))
    else:
        look_four_card(seen, table, hands, len(compiled.places))
    return checks.lines_are_right(seen, compiled, table, sums) and checks.sums_are_right(
        seen, compiled, table, sums
    )


@inlined
def key_of(head: Int64s) -> int:
    """One number for the table and the terms of a round; equal numbers, equal rules."""
    value = np.uint64(0x9E3779B97F4A7C15)
    for place in (LEDGER, TABLE, RULEBOOK, TERMS):
        value = (value ^ np.uint64(head[place])) * np.uint64(0x100000001B3)
        value ^= value >> np.uint64(31)
    return int64(value)


@kernel
def key_at(
    buffer: Uint8s, start: int, end: int, g: Grammar, ids: Ids, seen: GatheredRound,
    scratch: Scratch, none: int,
) -> int:  # fmt: skip
    """The table and the terms of one line, or 0 where it cannot be read here."""
    count = scan(buffer, start, end, g, scratch.fields, scratch.values, scratch.stack, scratch.bits)
    if count < 0 or not gather(
        buffer, scratch.fields, scratch.values, count, ids, seen, g.key, none
    ):
        return int64(0)
    return key_of(seen.head)


@kernel
def run(
    buffer: Uint8s, starts: Int64s, line: int, g: Grammar, ids: Ids, compiled: RecordRules,
    key: int, hands: RankTable, seen: GatheredRound, table: RecordArrays, scratch: Scratch,
    rows: Int64s,
) -> tuple[int, int, int]:  # fmt: skip
    """Where it stopped, why, and how many rows were filled."""
    passed = 0
    while line < len(starts) - 1:
        if passed == len(rows):
            return line, FULL, passed
        start, end = starts[line], starts[line + 1] - 1
        count = scan(
            buffer, start, end, g, scratch.fields, scratch.values, scratch.stack, scratch.bits
        )
        if count < 0 or not gather(
            buffer, scratch.fields, scratch.values, count, ids, seen, g.key, compiled.none
        ):
            return line, UNUSUAL, passed
        if key_of(seen.head) != key:
            return line, OTHER, passed
        if not is_right(seen, compiled, table, hands, scratch.sums):
            return line, UNUSUAL, passed
        note(seen, compiled, table, scratch.sums, rows[passed], line)
        passed += 1
        line += 1
    return line, PASSED, passed


@part
def note(
    seen: GatheredRound,
    compiled: RecordRules,
    table: RecordArrays,
    sums: Int64s,
    row: Int64s,
    line: int,
) -> None:
    head, counts = seen.head, seen.counts
    dealt = counts[N_CARDS]
    for at in range(counts[N_HIDDEN]):
        dealt += seen.hidden[at, COUNT]
    row[LINE], row[R_ROUND], row[R_CLOSED], row[R_DEALT] = line, head[ROUND], head[CLOSED], dealt
    row[R_DECK], row[R_OPENED], row[R_FOUND] = head[DECK], head[OPENED], head[FOUND]
    row[R_COUNTED], row[R_STUB], row[R_ON_TABLE] = head[COUNTED], head[STUB], head[ON_TABLE]
    row[R_BEGAN], row[R_ENDED], row[R_WAY] = head[BEGAN], head[ENDED], head[WAY]
    wagered = won = int64(0)
    for box in range(counts[N_BOXES]):
        won += sums[box]
        for wager in range(len(compiled.names)):
            wagered += table.stakes[box, wager]
    row[R_BOXES], row[R_METERS] = counts[N_BOXES], counts[N_METERS]
    row[R_WAGERED], row[R_WON] = wagered, won
    for meter in range(counts[N_METERS]):
        at = R_METERS + 1 + 3 * meter
        row[at], row[at + 1] = seen.meters[meter, NAME], seen.meters[meter, STOOD]
        row[at + 2] = seen.meters[meter, LEFT]
