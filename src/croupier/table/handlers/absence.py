"""A player who leaves during a round: reported, then ruled on by the floorperson (ruling 34).

Whoever leaves, leaves all his boxes; what is said of one of them is said of them all (7.C).
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.handlers.handler import FLOOR, STAFF, Duties, Duty, Folds
from croupier.table.state import Box, State, in_box


def report(state: State, command: do.ReportAbsence) -> Iterator[ev.Event]:
    by = state.book.procedure
    box = _in_the_round(state, command.box)
    own = [seat for seat in boxes_to_leave(state) if state.round.boxes[seat].player == box.player]
    if not own or box.absent:
        raise state.refusal(f"Box {box.seat} is ruled on or settled already", by.abandoned_clause)
    for seat in own:
        yield ev.PlayerLeft(clauses=state.cites(by.stay_seated_clause), box=seat)


def rule(state: State, command: do.RuleOnAbsence) -> Iterator[ev.Event]:
    """The submission's policy is the preset; the floorperson may rule otherwise."""
    clause = state.book.procedure.abandoned_clause
    box = _in_the_round(state, command.box)
    if box.absent != "left":
        raise state.refusal(f"The player of box {box.seat} was not reported absent", clause)
    for own in state.round.boxes.values():
        if own.player == box.player and own.absent == "left":
            yield ev.AbsenceRuled(
                clauses=state.cites(clause),
                rulings=(34,),
                box=own.seat,
                outcome=command.outcome or state.terms.absence,
                by=command.by,
            )


def boxes_to_leave(state: State) -> list[int]:
    """The boxes whose players may still walk off."""
    won = state.round.won
    waits = won.box if won is not None else 0  # all but its Progressive is settled
    boxes = state.round.boxes.items()
    return [seat for seat, box in boxes if not box.absent and not box.settled and seat != waits]


def _in_the_round(state: State, seat: int) -> Box:
    clause = state.book.procedure.abandoned_clause
    if state.round.stage not in ("play", "salvage") or seat not in state.round.boxes:
        raise state.refusal(f"Box {seat} is in no round", clause)
    return state.round.boxes[seat]


def _ruled(state: State, event: ev.AbsenceRuled) -> State:
    if event.outcome == "default":
        return in_box(state, event.box, absent="default")
    return in_box(state, event.box, absent="abandoned", answered=len(state.book.streets))


DUTIES: Duties = {
    do.ReportAbsence: Duty(report, (*STAFF, "device"), "stay_seated_clause"),
    do.RuleOnAbsence: Duty(rule, FLOOR, "abandoned_clause"),
}

FOLDS: Folds = {
    ev.PlayerLeft: lambda state, event: in_box(state, event.box, absent="left"),
    ev.AbsenceRuled: _ruled,
}
