"""A player who leaves during a round: reported, then ruled on by the floorperson (ruling 34).

Whoever leaves, leaves all his boxes; what is said of one of them is said of them all (7.C).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.facts.errors import Refusal
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, next_to_settle
from croupier.table.handlers.handler import FLOOR, STAFF, Asker, Duties, Duty, Folds, by_box
from croupier.table.options import Option
from croupier.table.state import State, in_box
from croupier.table.terms import ABSENCES


def why_not_report(state: State, command: do.ReportAbsence) -> Refusal | None:
    why = _why_in_no_round(state, command.box)
    if why is None and not _may_leave(state, command.box):
        return state.refusal(
            f"Box {command.box} is ruled on or settled already",
            state.book.procedure.abandoned_clause,
        )
    return why


def report(state: State, command: do.ReportAbsence) -> Iterator[ev.Event]:
    clause = state.book.procedure.stay_seated_clause
    for seat in _left_with(state, command.box):
        yield ev.PlayerLeft(clauses=state.cites(clause), box=seat)


def _may_report(state: State, asker: Asker) -> Iterator[do.ReportAbsence]:
    for seat in boxes_to_leave(state):
        yield do.ReportAbsence(**asker.signed, box=seat)


def why_not_rule(state: State, command: do.RuleOnAbsence) -> Refusal | None:
    why = _why_in_no_round(state, command.box)
    if why is None and state.round.boxes[command.box].absent != "left":
        return state.refusal(
            f"The player of box {command.box} was not reported absent",
            state.book.procedure.abandoned_clause,
        )
    return why


def rule(state: State, command: do.RuleOnAbsence) -> Iterator[ev.Event]:
    """The submission's policy is the preset; the floorperson may rule otherwise."""
    player = state.round.boxes[command.box].player
    for own in state.round.boxes.values():
        if own.player == player and own.absent == "left":
            yield ev.AbsenceRuled(
                clauses=state.cites(state.book.procedure.abandoned_clause),
                rulings=(34,),
                box=own.seat,
                outcome=command.outcome or state.terms.absence,
                by=command.by,
            )


def _may_rule(state: State, asker: Asker) -> Iterator[do.RuleOnAbsence]:
    for seat, box in sorted(state.round.boxes.items()):
        if box.absent == "left":
            yield do.RuleOnAbsence(**asker.signed, box=seat)


def _rulings(state: State, asker: Asker, commands: Sequence[do.RuleOnAbsence]) -> Iterator[Option]:
    """What was filed stands first."""
    filed = state.terms.absence
    names = (filed, *(way for way in ABSENCES if way != filed))
    for command in commands:
        yield Option(do="rule-on-absence", box=command.box, names=names)


def _is_awaited(state: State, command: do.RuleOnAbsence) -> bool:
    """The round cannot go on without the ruling: the box is asked, or is to be settled."""
    awaited = asked_box(state) or next_to_settle(state)
    return awaited is not None and awaited.seat == command.box


def boxes_to_leave(state: State) -> list[int]:
    """The boxes whose players may still walk off."""
    won = state.round.won
    waits = won.box if won is not None else 0  # all but its Progressive is settled
    boxes = state.round.boxes.items()
    return [seat for seat, box in boxes if not box.absent and not box.settled and seat != waits]


def _may_leave(state: State, seat: int) -> bool:
    """Whether the player of a box that is not ruled on has one that is not settled."""
    box, won = state.round.boxes[seat], state.round.won
    if box.absent or (won is not None and won.box == seat):
        return False
    return not box.settled or bool(_left_with(state, seat))


def _left_with(state: State, seat: int) -> list[int]:
    """The boxes that a player leaves with this one."""
    boxes = state.round.boxes
    return [own for own in boxes_to_leave(state) if boxes[own].player == boxes[seat].player]


def _why_in_no_round(state: State, seat: int) -> Refusal | None:
    if state.round.stage not in ("play", "salvage") or seat not in state.round.boxes:
        clause = state.book.procedure.abandoned_clause
        return state.refusal(f"Box {seat} is in no round", clause)
    return None


def _ruled(state: State, event: ev.AbsenceRuled) -> State:
    if event.outcome == "default":
        return in_box(state, event.box, absent="default")
    return in_box(state, event.box, absent="abandoned", answered=len(state.book.streets))


DUTIES: Duties = (
    Duty(
        do.ReportAbsence,
        (*STAFF, "device"),
        lambda by: by.stay_seated_clause,
        why_not_report,
        report,
        offers=_may_report,
        shown=by_box,
    ),
    Duty(
        do.RuleOnAbsence,
        FLOOR,
        lambda by: by.abandoned_clause,
        why_not_rule,
        rule,
        offers=_may_rule,
        shown=_rulings,
        automatic="floorperson",
        due=_is_awaited,
    ),
)

FOLDS: Folds = {
    ev.PlayerLeft: lambda state, event: in_box(state, event.box, absent="left"),
    ev.AbsenceRuled: _ruled,
}
