"""The floorperson is called to the table, and comes: nothing stops for it, and nothing is declared.

No clause says whom a dealer asks; the one cited is the one that knows of a question or dispute.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.handlers.handler import DEALER, FLOOR, Duties, Duty, Folds
from croupier.table.state import Call, State, replace


def call(state: State, command: do.CallFloor) -> Iterator[ev.Event]:
    """One call is enough: whoever comes for it hears the rest."""
    clause = state.book.procedure.clear_clause
    if state.call is not None:
        raise state.refusal("The floor is called already; nobody has come yet", clause)
    yield ev.FloorCalled(clauses=state.cites(clause), by=command.by, reason=command.reason)


def answer(state: State, command: do.AnswerCall) -> Iterator[ev.Event]:
    clause = state.book.procedure.clear_clause
    if state.call is None:
        raise state.refusal("Nobody has called the floor", clause)
    yield ev.FloorAnswered(clauses=state.cites(clause), by=command.by)


def _called(state: State, event: ev.FloorCalled) -> State:
    return replace(state, call=Call(at_s=event.at_s, by=event.by, reason=event.reason))


DUTIES: Duties = {
    do.CallFloor: Duty(call, DEALER, "clear_clause"),
    do.AnswerCall: Duty(answer, FLOOR, "clear_clause"),
}

FOLDS: Folds = {
    ev.FloorCalled: _called,
    ev.FloorAnswered: lambda state, event: replace(state, call=None),
}
