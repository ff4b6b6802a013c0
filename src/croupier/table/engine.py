"""The table: commands in, events out, and a state that is nothing but the fold of its events.

``decide`` is pure: no clock, no chance, no files. It gives the events of a command, or raises a
Refusal with the clause that forbids it; an Unreadable is a command that makes no sense at all.
"""

from __future__ import annotations

from collections.abc import Iterable

from croupier.facts.errors import Unreadable
from croupier.table import validation
from croupier.table.commands import AnswerCall, Command, Confirm, VoidRound
from croupier.table.events import Event
from croupier.table.handlers import (
    absence,
    chips,
    deal,
    decisions,
    devices,
    floor_call,
    irregularities,
    opening,
    progressive,
    round_end,
    shuffle,
    stub_count,
    void,
    wagers,
)
from croupier.table.handlers.handler import Duties, Folds
from croupier.table.state import State, replace

_DUTIES: Duties = {
    **opening.DUTIES,
    **shuffle.DUTIES,
    **wagers.DUTIES,
    **chips.DUTIES,
    **progressive.DUTIES,
    **deal.DUTIES,
    **decisions.DUTIES,
    **stub_count.DUTIES,
    **round_end.DUTIES,
    **validation.DUTIES,
    **void.DUTIES,
    **irregularities.DUTIES,
    **floor_call.DUTIES,
    **absence.DUTIES,
    **devices.DUTIES,
}
_FOLDS: Folds = {
    **opening.FOLDS,
    **shuffle.FOLDS,
    **wagers.FOLDS,
    **chips.FOLDS,
    **progressive.FOLDS,
    **deal.FOLDS,
    **decisions.FOLDS,
    **stub_count.FOLDS,
    **round_end.FOLDS,
    **validation.FOLDS,
    **void.FOLDS,
    **irregularities.FOLDS,
    **floor_call.FOLDS,
    **absence.FOLDS,
    **devices.FOLDS,
}


def roles_of(kind: type[Command]) -> tuple[str, ...]:
    """Who may give a command."""
    return _DUTIES[kind].roles


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What a command makes happen; a refused one changes nothing and says why, with its clause."""
    duty = _DUTIES.get(type(command))
    if duty is None:
        raise Unreadable(f"{type(command).__name__} is no command of a table")
    if command.role not in duty.roles:
        clause = getattr(state.book.procedure, duty.clause)
        raise state.refusal(f"That is for {' or '.join(duty.roles)}, not {command.role}", clause)
    if command.at_s < state.at_s:
        raise Unreadable(
            f"the clock is wrong: second {command.at_s} comes after second {state.at_s}"
        )
    if state.hold is not None and not isinstance(command, Confirm | VoidRound | AnswerCall):
        raise state.refusal(
            f"Everything waits for the floorperson: {state.hold.name}", state.hold.clause
        )
    events = duty.decide(state, command)
    if not command.at_s:
        return tuple(events)
    return tuple(replace(event, at_s=command.at_s) for event in events)


def evolve(state: State, event: Event) -> State:
    """The state after an event."""
    after = _FOLDS[type(event)](state, event)
    if event.at_s > state.at_s:
        after = replace(after, at_s=event.at_s)
    return chips.with_chips(after, event) if state.terms.keeps_chips else after


def fold(state: State, events: Iterable[Event]) -> State:
    for event in events:
        state = evolve(state, event)
    return state
