"""From the tape of a record to the round that it tells, in arrays of a fixed size.

What no array has room or a place for makes the round unusual: it is left to the readable code.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.audit.log.fast.kernels.compiled import part
from croupier.audit.log.fast.kernels.scan import BEGIN, END, KEY, VALUE, hashed
from croupier.exact.kernels.array_types import Int64s, Uint8s, int64

BOXES, WAGERS, CARDS, LINES, METERS, ASKED, HIDDEN, MOVES = 8, 16, 64, 96, 4, 4, 16, 16
UNSAID = -(1 << 62)  # where a number may be absent, and 0 says something else

# What stands in ``head``
STATUS, ROUND, LEDGER, TABLE, RULEBOOK, WAY, TERMS, CLOSED = range(8)
ENDED, DECK, OPENED, FOUND, COUNTED, STUB, ON_TABLE, BEGAN = range(8, 16)
HEAD = 16
# What stands in a row of ``boxes``, ``lines``, ``meters`` and ``hidden``
SEAT, PLAYER, ABSENT, WAGERED, WON, BEFORE, AFTER, ASKS, REFUSED = range(9)
BOX, WAGER, STAKE, OUTCOME, ODDS, PAID, RETURNED, CLAUSE, VALIDATION, ODD = range(10)
NAME, AT, STOOD, LEFT, GREW, SHRANK = range(6)
PLACE, OF, COUNT = range(3)
CARD, LIES, AT_BOX, PACK, DEALT_US, TURNED_US, FACE_UP = range(7)
STREET, ACTION, CENTS, SAID_US = range(4)


class Ids(NamedTuple):
    """The numbers of structs and fields on the tape."""

    terms: int
    box: int
    wager: int
    decision: int
    card: int
    hidden: int
    line: int
    meter: int
    deck: int
    stub: int
    returns: int
    chips: int
    irregularity: int
    void: int
    head: Int64s  # by field: where it stands in ``head``, or -1
    boxes: Int64s  # by field: where it stands in a row of ``boxes``, or -1
    lines: Int64s
    meters: Int64s
    hiddens: Int64s
    moves: Int64s
    wager_name: int
    wager_cents: int
    wager_at: int
    cards: Int64s
    asked: Int64s
    still_settles: int


class GatheredRound(NamedTuple):
    """One round; scratch."""

    head: Int64s
    boxes: Int64s  # [box, SEAT ...]
    names: Int64s  # [box, place]: the wager's name
    cents: Int64s  # [box, place]
    times: Int64s  # [box, place]
    held: Int64s  # by box: how many wagers
    asked: Int64s  # [box, question, STREET ...]
    given: Int64s  # [box, meter, name / micros]
    gave: Int64s  # by box: to how many meters
    cards: Int64s  # [card, CARD ...]
    hidden: Int64s  # [row, PLACE ...]
    lines: Int64s  # [line, BOX ...]
    meters: Int64s  # [meter, NAME ...]
    moves: Int64s  # [chips that came or went, box / time]
    counts: Int64s  # boxes, cards, hidden, lines, meters, wagers, questions, moves


def new_seen() -> GatheredRound:
    def numbers(*shape: int) -> Int64s:
        return np.zeros(shape, dtype=np.int64)

    return GatheredRound(
        head=numbers(HEAD),
        boxes=numbers(BOXES, 9),
        names=numbers(BOXES, WAGERS),
        cents=numbers(BOXES, WAGERS),
        times=numbers(BOXES, WAGERS),
        held=numbers(BOXES),
        asked=numbers(BOXES, ASKED, 4),
        given=numbers(BOXES, METERS, 2),
        gave=numbers(BOXES),
        cards=numbers(CARDS, 7),
        hidden=numbers(HIDDEN, 3),
        lines=numbers(LINES, 10),
        meters=numbers(METERS, 6),
        moves=numbers(MOVES, 2),
        counts=numbers(8),
    )


@part
def gather(
    buffer: Uint8s, fields: Int64s, values: Int64s, count: int, ids: Ids, seen: GatheredRound,
    key: np.uint64, none: int,
) -> bool:  # fmt: skip
    """Fill ``seen`` from the tape; whether there was a place for everything.

    ``none`` is the hash of an empty text, which an absent text stands for.
    """
    head = seen.head
    head[:] = 0
    head[LEDGER] = head[TABLE] = head[WAY] = none
    head[FOUND] = UNSAID
    seen.counts[:] = 0
    in_terms, terms_from, name = False, int64(0), int64(0)
    for at in range(count):
        field, value = fields[at], values[at]
        if field >= 0:
            if field == ids.still_settles:
                return False
            take(field, value, ids, seen)
        elif field == KEY:
            name = value
        elif field == VALUE:
            if not in_terms and not contribute(name, value, seen):
                return False
        elif field == END - ids.terms:
            in_terms = False
            head[TERMS] = int64(hashed(buffer, terms_from, value, key))
        elif field == BEGIN - ids.terms:
            in_terms, terms_from = True, value
        elif field > END and not begin(BEGIN - field, ids, seen, none):
            return False
    return True


@part
def contribute(name: int, micros: int, seen: GatheredRound) -> bool:
    """What a box put on a meter; a meter named twice is unusual."""
    box = seen.counts[0] - 1
    gave = seen.gave[box]
    if gave == METERS:
        return False
    for before in range(gave):
        if seen.given[box, before, 0] == name:
            return False
    seen.given[box, gave, 0], seen.given[box, gave, 1] = name, micros
    seen.gave[box] = gave + 1
    return True


@part
def take(field: int, value: int, ids: Ids, seen: GatheredRound) -> None:
    """A value goes where its field has its place; most fields have none."""
    counts = seen.counts
    box, card, hidden, line = counts[0] - 1, counts[1] - 1, counts[2] - 1, counts[3] - 1
    meter, wager, ask = counts[4] - 1, counts[5] - 1, counts[6] - 1
    if ids.head[field] >= 0:
        seen.head[ids.head[field]] = value
    elif ids.boxes[field] >= 0:
        seen.boxes[box, ids.boxes[field]] = value
    elif ids.lines[field] == ODD:
        seen.lines[line, ODD] |= value != 0
    elif ids.lines[field] >= 0:
        seen.lines[line, ids.lines[field]] = value
    elif ids.meters[field] >= 0:
        seen.meters[meter, ids.meters[field]] = value
    elif ids.hiddens[field] >= 0:
        seen.hidden[hidden, ids.hiddens[field]] = value
    elif ids.cards[field] >= 0:
        seen.cards[card, ids.cards[field]] = value
    elif ids.moves[field] >= 0:
        seen.moves[counts[7] - 1, ids.moves[field]] = value
    elif ids.asked[field] >= 0:
        seen.asked[box, ask, ids.asked[field]] = value
    elif field == ids.wager_name:
        seen.names[box, wager] = value
    elif field == ids.wager_cents:
        seen.cents[box, wager] = value
    elif field == ids.wager_at:
        seen.times[box, wager] = value


@part
def begin(struct: int, ids: Ids, seen: GatheredRound, none: int) -> bool:
    """Another box, card, line and so on: its row with what an absent value stands for."""
    counts = seen.counts
    if struct == ids.box:
        box = counts[0]
        if box == BOXES:
            return False
        counts[0], counts[5], counts[6] = box + 1, 0, 0
        seen.boxes[box, :] = 0
        seen.boxes[box, PLAYER] = none
        seen.boxes[box, BEFORE] = seen.boxes[box, AFTER] = UNSAID
        seen.held[box] = seen.gave[box] = 0
        return True
    if struct in (ids.wager, ids.decision):
        return begin_in_box(struct, ids, seen, counts[0] - 1)
    if struct == ids.card:
        if counts[1] == CARDS:
            return False
        seen.cards[counts[1], :] = 0
        seen.cards[counts[1], PACK] = UNSAID
        counts[1] += 1
    elif struct == ids.hidden:
        if counts[2] == HIDDEN:
            return False
        seen.hidden[counts[2], OF] = 0
        counts[2] += 1
    elif struct == ids.line:
        if counts[3] == LINES:
            return False
        seen.lines[counts[3], :] = 0
        seen.lines[counts[3], ODDS], seen.lines[counts[3], CLAUSE] = UNSAID, none
        counts[3] += 1
    elif struct == ids.meter:
        if counts[4] == METERS:
            return False
        seen.meters[counts[4], :] = 0
        seen.meters[counts[4], STOOD] = seen.meters[counts[4], LEFT] = UNSAID
        counts[4] += 1
    elif struct == ids.chips:
        if counts[7] == MOVES:
            return False
        seen.moves[counts[7], :] = 0
        counts[7] += 1
    elif struct == ids.deck:
        seen.head[DECK] = 1
    elif struct == ids.stub:
        seen.head[COUNTED] = 1
    else:
        return struct not in (ids.returns, ids.irregularity, ids.void)
    return True


@part
def begin_in_box(struct: int, ids: Ids, seen: GatheredRound, box: int) -> bool:
    """Another wager or another question of a box."""
    counts = seen.counts
    if struct == ids.wager:
        if counts[5] == WAGERS:
            return False
        seen.cents[box, counts[5]] = seen.times[box, counts[5]] = 0
        counts[5] += 1
        seen.held[box] = counts[5]
        return True
    if counts[6] == ASKED:
        return False
    seen.asked[box, counts[6], CENTS] = seen.asked[box, counts[6], SAID_US] = 0
    counts[6] += 1
    seen.boxes[box, ASKS] = counts[6]
    return True
