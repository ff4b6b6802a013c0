"""Compiled checks of decisions and times: as its street allows, in turn, before the next card."""

from __future__ import annotations

from croupier.audit.log.fast.kernels.check import RecordArrays, RecordRules
from croupier.audit.log.fast.kernels.compiled import inlined, part
from croupier.audit.log.fast.kernels.gather import (
    ACTION,
    ASKS,
    CENTS,
    CLOSED,
    DEALT_US,
    FACE_UP,
    N_BOXES,
    N_CARDS,
    SAID_US,
    STREET,
    TURNED_US,
    UNSAID,
    GatheredRound,
)
from croupier.exact.kernels.array_types import Int64s, int64


@inlined
def size_is_right(compiled: RecordRules, street: int, play: int, ante: int) -> bool:
    least, most = compiled.streets[street, 2] * ante, compiled.streets[street, 3] * ante
    if compiled.streets[street, 4]:
        return play in (least, most)
    return least <= play <= most


@part
def decisions_are_right(
    seen: GatheredRound, compiled: RecordRules, table: RecordArrays, box: int
) -> bool:
    """Every answer of a box is one that its street knows; the last one makes Play, or folds."""
    play, ante = table.stakes[box, compiled.play], table.stakes[box, compiled.ante]
    asks, streets = seen.boxes[box, ASKS], len(compiled.streets)
    table.folded[box] = ante > 0 and play == 0
    if play and not ante:
        return False
    if asks == 0:
        fits = play == 0
        for street in range(streets):
            fits |= size_is_right(compiled, street, play, ante)
        return fits
    if asks > streets or not ante:
        return False
    for ask in range(asks):
        if not answer_is_right(seen.asked[box, ask], compiled, ask, ask == asks - 1, play, ante):
            return False
    return True


@inlined
def answer_is_right(
    asked: Int64s, compiled: RecordRules, street: int, is_last: bool, play: int, ante: int
) -> bool:
    """An answer makes Play, checks or folds: Play and a fold end the questions."""
    action, bets = asked[ACTION], asked[ACTION] == compiled.actions[1]
    if asked[STREET] != compiled.streets[street, 0]:
        return False
    if bets:
        return is_last and asked[CENTS] == play and size_is_right(compiled, street, play, ante)
    if action != compiled.streets[street, 1]:
        return False
    return not is_last or (action == compiled.actions[2] and not play)


@part
def times_are_right(seen: GatheredRound, compiled: RecordRules, table: RecordArrays) -> bool:
    """No wager after bets were closed, no decision out of turn or after a card it waits for."""
    ends_us, boxes = seen.head[CLOSED], seen.counts[N_BOXES]
    table.shown[:] = 0
    for row in range(seen.counts[N_CARDS]):
        if table.where[row, 0] >= 0:
            dealt_us = seen.cards[row, DEALT_US]
            if dealt_us and (ends_us == 0 or dealt_us < ends_us):
                ends_us = dealt_us
            note_shown(seen, compiled, table, row)
    for box in range(boxes):
        laid_us = int64(0)
        for place in range(seen.held[box]):
            if seen.names[box, place] == compiled.names[compiled.play]:
                laid_us = seen.times[box, place]
            elif ends_us and seen.times[box, place] > ends_us:
                return False
        if not box_decides_in_time(seen, compiled, table, box, laid_us):
            return False
    return boxes_decide_in_turn(seen, compiled, table)


@inlined
def note_shown(seen: GatheredRound, compiled: RecordRules, table: RecordArrays, row: int) -> None:
    """The first and the last card shown after each street."""
    turned_us, place = seen.cards[row, TURNED_US], table.where[row, 0]
    if turned_us == 0:
        return
    after = compiled.shows[place if place < len(compiled.places) else 0, table.where[row, 1]]
    if after == UNSAID:
        after = -1 if seen.cards[row, FACE_UP] else len(compiled.streets) - 1
    if after < 0:
        return
    if table.shown[after, 0] == 0 or turned_us < table.shown[after, 0]:
        table.shown[after, 0] = turned_us
    table.shown[after, 1] = max(table.shown[after, 1], turned_us)


@part
def box_decides_in_time(
    seen: GatheredRound, compiled: RecordRules, table: RecordArrays, box: int, laid_us: int
) -> bool:
    asks, play = seen.boxes[box, ASKS], table.stakes[box, compiled.play]
    for ask in range(asks):
        said_us, last_us = seen.asked[box, ask, SAID_US], seen.asked[box, ask, SAID_US]
        if seen.asked[box, ask, ACTION] == compiled.actions[1]:
            last_us = max(last_us, laid_us)
        if not is_in_time(compiled, table, ask, said_us, last_us):
            return False
    if asks == 0 and play:
        street = len(compiled.streets) - 1
        while street > 0 and not size_is_right(
            compiled, street, play, table.stakes[box, compiled.ante]
        ):
            street -= 1
        return is_in_time(compiled, table, street, laid_us, laid_us)
    return True


@inlined
def is_in_time(
    compiled: RecordRules, table: RecordArrays, street: int, said_us: int, last_us: int
) -> bool:
    for after in range(len(compiled.streets)):
        first_us, shown_us = table.shown[after, 0], table.shown[after, 1]
        if after >= street and first_us and last_us > first_us:
            return False
        if after < street and 0 < said_us < shown_us:
            return False
    return True


@part
def boxes_decide_in_turn(seen: GatheredRound, compiled: RecordRules, table: RecordArrays) -> bool:
    boxes, latest = seen.counts[N_BOXES], int64(0)
    for street in range(len(compiled.streets)):
        for turn in range(boxes):
            box = table.order[boxes - 1 - turn if compiled.asked_backward else turn]
            if street < seen.boxes[box, ASKS] and seen.asked[box, street, SAID_US]:
                if seen.asked[box, street, SAID_US] < latest:
                    return False
                latest = seen.asked[box, street, SAID_US]
    return True
