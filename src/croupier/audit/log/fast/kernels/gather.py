"""From the tape of a record to the round that it tells, in arrays of a fixed size.

What no array has room or a place for makes the round unusual: it is left to the readable code.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.audit.log.fast.kernels.compiled import inlined, part
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
# What stands in ``counts``: how many have come of each; wagers and questions in the last box
N_BOXES, N_CARDS, N_HIDDEN, N_LINES, N_METERS, N_WAGERS, N_ASKED, N_MOVES = range(8)
MOST = (BOXES, CARDS, HIDDEN, LINES, METERS, WAGERS, ASKED, MOVES)


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
    counts: Int64s  # [N_BOXES ...]


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
    box = seen.counts[N_BOXES] - 1
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
    if ids.head[field] >= 0:
        seen.head[ids.head[field]] = value
    elif ids.lines[field] == ODD:
        seen.lines[counts[N_LINES] - 1, ODD] |= value != 0
    elif ids.lines[field] >= 0:
        seen.lines[counts[N_LINES] - 1, ids.lines[field]] = value
    elif ids.meters[field] >= 0:
        seen.meters[counts[N_METERS] - 1, ids.meters[field]] = value
    elif ids.hiddens[field] >= 0:
        seen.hidden[counts[N_HIDDEN] - 1, ids.hiddens[field]] = value
    elif ids.cards[field] >= 0:
        seen.cards[counts[N_CARDS] - 1, ids.cards[field]] = value
    elif ids.moves[field] >= 0:
        seen.moves[counts[N_MOVES] - 1, ids.moves[field]] = value
    else:
        take_in_box(field, value, ids, seen)


@part
def take_in_box(field: int, value: int, ids: Ids, seen: GatheredRound) -> None:
    """A value of the last box, of its last question or of its last wager."""
    counts = seen.counts
    box, wager, ask = counts[N_BOXES] - 1, counts[N_WAGERS] - 1, counts[N_ASKED] - 1
    if ids.boxes[field] >= 0:
        seen.boxes[box, ids.boxes[field]] = value
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
    """Another box, card, line and so on; whether there is room for it, and a place at all."""
    if struct == ids.deck:
        seen.head[DECK] = 1
        return True
    if struct == ids.stub:
        seen.head[COUNTED] = 1
        return True
    kind = counted_as(struct, ids)
    if kind < 0:
        return struct not in (ids.returns, ids.irregularity, ids.void)
    if seen.counts[kind] == MOST[kind]:
        return False
    if kind in (N_BOXES, N_WAGERS, N_ASKED):
        clear_in_box(kind, seen, none)
    else:
        clear_row(kind, seen.counts[kind], seen, none)
    seen.counts[kind] += 1
    return True


@inlined
def counted_as(struct: int, ids: Ids) -> int:
    """Which of ``counts`` a struct goes into; -1 where it goes into none."""
    kind = -1
    for number, one in enumerate(
        (ids.box, ids.card, ids.hidden, ids.line, ids.meter, ids.wager, ids.decision, ids.chips)
    ):
        if struct == one:
            kind = number
    return kind


@part
def clear_row(kind: int, row: int, seen: GatheredRound, none: int) -> None:
    """A row of the round with what an absent value stands for."""
    if kind == N_CARDS:
        seen.cards[row, :] = 0
        seen.cards[row, PACK] = UNSAID
    elif kind == N_HIDDEN:
        seen.hidden[row, OF] = 0
    elif kind == N_LINES:
        seen.lines[row, :] = 0
        seen.lines[row, ODDS], seen.lines[row, CLAUSE] = UNSAID, none
    elif kind == N_METERS:
        seen.meters[row, :] = 0
        seen.meters[row, STOOD] = seen.meters[row, LEFT] = UNSAID
    else:
        seen.moves[row, :] = 0


@part
def clear_in_box(kind: int, seen: GatheredRound, none: int) -> None:
    """The next box, or the next wager or question of the last one, likewise."""
    counts = seen.counts
    if kind == N_BOXES:
        box = counts[N_BOXES]
        counts[N_WAGERS] = counts[N_ASKED] = 0
        seen.boxes[box, :] = 0
        seen.boxes[box, PLAYER] = none
        seen.boxes[box, BEFORE] = seen.boxes[box, AFTER] = UNSAID
        seen.held[box] = seen.gave[box] = 0
        return
    box, row = counts[N_BOXES] - 1, counts[kind]
    if kind == N_WAGERS:
        seen.cents[box, row] = seen.times[box, row] = 0
        seen.held[box] = row + 1
    else:
        seen.asked[box, row, CENTS] = seen.asked[box, row, SAID_US] = 0
        seen.boxes[box, ASKS] = row + 1
