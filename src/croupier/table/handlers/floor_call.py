"""The floorperson is called to the table, and comes: nothing stops for it, and nothing is declared.

No clause says whom a dealer asks; the one cited is the one that knows of a question or dispute.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.facts.errors import Refusal
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.handlers.handler import DEALER, FLOOR, Asker, Duties, Duty, Folds
from croupier.table.state import Call, State, replace


def why_not_call(state: State, command: do.CallFloor) -> Refusal | None:
    """One call is enough: whoever comes for it hears the rest."""
    clause = state.book.procedure.clear_clause
    if state.call is not None:
        return state.refusal("The floor is called already; nobody has come yet", clause)
    return None


def call(state: State, command: do.CallFloor) -> Iterator[ev.Event]:
    clause = state.book.procedure.clear_clause
    yield ev.FloorCalled(clauses=state.cites(clause), by=command.by, reason=command.reason)


def _may_call(state: State, asker: Asker) -> Iterator[do.CallFloor]:
    yield do.CallFloor(**asker.signed)


def why_not_answer(state: State, command: do.AnswerCall) -> Refusal | None:
    clause = state.book.procedure.clear_clause
    return state.refusal("Nobody has called the floor", clause) if state.call is None else None


def answer(state: State, command: do.AnswerCall) -> Iterator[ev.Event]:
    clause = state.book.procedure.clear_clause
    yield ev.FloorAnswered(clauses=state.cites(clause), by=command.by)


def _may_answer(state: State, asker: Asker) -> Iterator[do.AnswerCall]:
    yield do.AnswerCall(**asker.signed)


def _called(state: State, event: ev.FloorCalled) -> State:
    return replace(state, call=Call(at_s=event.at_s, by=event.by, reason=event.reason))


DUTIES: Duties = (
    Duty(
        do.CallFloor,
        DEALER,
        lambda by: by.clear_clause,
        why_not_call,
        call,
        offers=_may_call,
    ),
    Duty(
        do.AnswerCall,
        FLOOR,
        lambda by: by.clear_clause,
        why_not_answer,
        answer,
        offers=_may_answer,
        ruled=True,
    ),
)

FOLDS: Folds = {
    ev.FloorCalled: _called,
    ev.FloorAnswered: lambda state, event: replace(state, call=None),
}
