"""Who sits at which box: taken, kept while wagers are down, and left (7.C)."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.facts.errors import Refusal
from croupier.facts.money import dollars
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.feasibility import beyond_a_gap
from croupier.table.handlers.boxes import seats_of, why_no_box, why_stranger
from croupier.table.handlers.chip_requests import forgotten
from croupier.table.handlers.chips import chips_of, keep
from croupier.table.handlers.handler import (
    FLOOR,
    PLAYER,
    Asker,
    Duties,
    Duty,
    Folds,
    PowerUse,
    by_box,
)
from croupier.table.state import State, replace


def why_not_take(state: State, command: do.TakeBox) -> Refusal | None:
    box, player, rule = command.box, command.by, state.book.table.boxes_a_player
    why = why_no_box(state, box)
    if why is not None:
        return why
    if box in state.seats:
        return state.refusal(f"Box {box} is taken", state.book.procedure.seated_clause)
    own = seats_of(state, player)
    most = 1 if rule.rule == "one" else state.terms.adjacent_boxes
    if len(own) >= most:
        return state.refusal(f"A player may have {most} box(es) here", rule.clause)
    if beyond_a_gap(sorted([*own, box])):
        return state.refusal("The boxes of one player must be adjacent", rule.clause)
    return None


def take_box(state: State, command: do.TakeBox) -> Iterator[ev.Event]:
    by, rule = state.book.procedure, state.book.table.boxes_a_player
    yield ev.BoxTaken(
        clauses=state.cites(by.seated_clause, rule.clause), box=command.box, player=command.by
    )
    if command.by in state.kept:
        yield ev.KeptReturned(
            clauses=state.cites(by.seated_clause),
            box=command.box,
            player=command.by,
            cents=state.kept[command.by],
        )


def _may_take(state: State, asker: Asker) -> Iterator[do.TakeBox]:
    for seat in range(1, state.terms.boxes + 1):
        if seat not in state.seats:
            yield do.TakeBox(**asker.signed, box=seat)


def why_not_leave(state: State, command: do.LeaveBox) -> Refusal | None:
    by, box = state.book.procedure, command.box
    why = why_stranger(state, box, command.by)
    if why is not None:
        return why
    if box in state.round.boxes:
        down = "take them back first" if state.round.stage == "betting" else "the round goes on"
        return state.refusal(f"Box {box} has wagers down; {down}", by.stay_seated_clause)
    if chips_of(state, box):
        left = dollars(chips_of(state, box))
        return state.refusal(f"Box {box} has {left} in chips; cash out first", by.layout_clause)
    rest = sorted(seat for seat in seats_of(state, command.by) if seat != box)
    if beyond_a_gap(rest):
        return state.refusal(
            "The boxes of one player must be adjacent; leave an outer one first",
            state.book.table.boxes_a_player.clause,
        )
    return None


def leave_box(state: State, command: do.LeaveBox) -> Iterator[ev.Event]:
    clauses = state.cites(state.book.procedure.seated_clause)
    yield ev.BoxLeft(clauses=clauses, box=command.box)


def _may_leave(state: State, asker: Asker) -> Iterator[do.LeaveBox]:
    for seat in seats_of(state, asker.name):
        yield do.LeaveBox(**asker.signed, box=seat)


def why_not_free(state: State, command: do.FreeBox) -> Refusal | None:
    """Nobody who is connected loses his box, and no box that is in a round."""
    clause, box = state.book.procedure.seated_clause, command.box
    if box not in state.seats:
        return state.refusal(f"Nobody sits at box {box}", clause)
    player = state.seats[box]
    if command.here:
        return state.refusal(f"{player} is connected, and leaves the box himself", clause)
    if any(seat in state.round.boxes for seat in seats_of(state, player)):
        return state.refusal(f"{player} is in the round; its end comes first", clause)
    return None


def free_box(state: State, command: do.FreeBox) -> Iterator[ev.Event]:
    player = state.seats[command.box]
    yield from keep(state, player)
    for seat in seats_of(state, player):
        yield ev.BoxLeft(clauses=state.cites(state.book.procedure.seated_clause), box=seat)


def _may_free(state: State, asker: Asker) -> Iterator[do.FreeBox]:
    if asker.beyond.here is not None:
        for seat in state.seats:
            yield do.FreeBox(**asker.signed, box=seat)


DUTIES: Duties = (
    Duty(
        do.TakeBox,
        PLAYER,
        lambda by: by.seated_clause,
        why_not_take,
        take_box,
        offers=_may_take,
        shown=by_box,
    ),
    Duty(
        do.LeaveBox,
        PLAYER,
        lambda by: by.seated_clause,
        why_not_leave,
        leave_box,
        offers=_may_leave,
        shown=by_box,
    ),
    Duty(
        do.FreeBox,
        FLOOR,
        lambda by: by.seated_clause,
        why_not_free,
        free_box,
        offers=_may_free,
        shown=by_box,
        power=lambda state, command: PowerUse("free-box", command.box),
    ),
)

FOLDS: Folds = {
    ev.BoxTaken: lambda state, event: replace(
        state, seats={**state.seats, event.box: event.player}
    ),
    ev.BoxLeft: lambda state, event: replace(
        forgotten(state, event.box),
        seats={seat: name for seat, name in state.seats.items() if seat != event.box},
        requests=tuple(one for one in state.requests if one.box != event.box),
    ),
}
