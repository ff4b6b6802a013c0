"""Chips on request: a player asks, the house sells or declines, and he says that he has them.

A sale of any sum is the answer to what was asked. Nothing waits for an acknowledgment; one that is
missing is seen by the house. What is for practice costs nothing and is asked of nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.facts.errors import Refusal
from croupier.facts.money import dollars
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.handlers.boxes import seats_of, why_stranger
from croupier.table.handlers.handler import (
    PLAYER,
    STAFF,
    Asker,
    Duties,
    Duty,
    Folds,
    by_box,
)
from croupier.table.options import Option
from croupier.table.state import State, replace


def why_not_ask(state: State, command: do.AskChips) -> Refusal | None:
    if state.terms.practice or not state.terms.keeps_chips:
        return _refusal(state, "Nobody sells chips at this table")
    if command.box in state.asked:
        waits = dollars(state.asked[command.box])
        return _refusal(state, f"Box {command.box} has asked for {waits} already")
    return why_stranger(state, command.box, command.by)


def ask(state: State, command: do.AskChips) -> Iterator[ev.Event]:
    if not command.cents:
        raise _refusal(state, f"{dollars(0)} is nothing to ask for")
    yield ev.ChipsAsked(clauses=_cited(state), box=command.box, cents=command.cents)


def _may_ask(state: State, asker: Asker) -> Iterator[do.AskChips]:
    for seat in seats_of(state, asker.name):
        yield do.AskChips(**asker.signed, box=seat, cents=1)


def why_not_decline(state: State, command: do.DeclineChips) -> Refusal | None:
    if command.box not in state.asked:
        return _refusal(state, f"Box {command.box} has not asked for chips")
    return None


def decline(state: State, command: do.DeclineChips) -> Iterator[ev.Event]:
    yield ev.ChipsDeclined(clauses=_cited(state), box=command.box, by=command.by)


def _may_decline(state: State, asker: Asker) -> Iterator[do.DeclineChips]:
    for seat in state.asked:
        yield do.DeclineChips(**asker.signed, box=seat)


def _asked_for(state: State, asker: Asker, commands: Sequence[do.DeclineChips]) -> Iterator[Option]:
    for command in commands:
        yield Option(do="decline-chips", box=command.box, cents=(state.asked[command.box],))


def why_not_acknowledge(state: State, command: do.AcknowledgeChips) -> Refusal | None:
    if not state.bought.get(command.box) and not state.cashed.get(command.box):
        return _refusal(state, f"There is nothing to acknowledge at box {command.box}")
    return why_stranger(state, command.box, command.by)


def acknowledge(state: State, command: do.AcknowledgeChips) -> Iterator[ev.Event]:
    yield ev.ChipsAcknowledged(
        clauses=_cited(state),
        box=command.box,
        bought_cents=state.bought.get(command.box, 0),
        cashed_cents=state.cashed.get(command.box, 0),
    )


def _may_acknowledge(state: State, asker: Asker) -> Iterator[do.AcknowledgeChips]:
    for seat in sorted(seats_of(state, asker.name)) if state.bought or state.cashed else ():
        yield do.AcknowledgeChips(**asker.signed, box=seat)


def _owed(state: State, asker: Asker, commands: Sequence[do.AcknowledgeChips]) -> Iterator[Option]:
    for command in commands:
        sums = state.bought.get(command.box, 0), state.cashed.get(command.box, 0)
        yield Option(do="acknowledge-chips", box=command.box, cents=sums)


def _refusal(state: State, sentence: str) -> Refusal:
    return state.refusal(sentence, state.book.procedure.seated_clause)


def _cited(state: State) -> tuple[str, ...]:
    return state.cites(state.book.procedure.seated_clause)


def answered(state: State, box: int) -> State:
    """Nothing is asked for at this box any more."""
    if box not in state.asked:
        return state
    return replace(state, asked={seat: has for seat, has in state.asked.items() if seat != box})


def forgotten(state: State, box: int) -> State:
    """Whoever asked or owed a word at this box does so no more."""
    bought, cashed = (
        {seat: cents for seat, cents in owed.items() if seat != box}
        for owed in (state.bought, state.cashed)
    )
    return replace(answered(state, box), bought=bought, cashed=cashed)


DUTIES: Duties = (
    Duty(
        do.AskChips,
        PLAYER,
        lambda by: by.seated_clause,
        why_not_ask,
        ask,
        offers=_may_ask,
        shown=by_box,
    ),
    Duty(
        do.DeclineChips,
        STAFF,
        lambda by: by.seated_clause,
        why_not_decline,
        decline,
        offers=_may_decline,
        shown=_asked_for,
    ),
    Duty(
        do.AcknowledgeChips,
        PLAYER,
        lambda by: by.seated_clause,
        why_not_acknowledge,
        acknowledge,
        offers=_may_acknowledge,
        shown=_owed,
    ),
)

FOLDS: Folds = {
    ev.ChipsAsked: lambda state, event: replace(
        state, asked={**state.asked, event.box: event.cents}
    ),
    ev.ChipsDeclined: lambda state, event: answered(state, event.box),
    ev.ChipsAcknowledged: lambda state, event: replace(
        forgotten(state, event.box), asked=state.asked
    ),
}
