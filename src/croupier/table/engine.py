"""The table: commands in, events out, and a state that is nothing but the fold of its events.

``decide`` is pure: no clock, no chance, no files. It gives the events of a command, or raises a
Refusal with the clause that forbids it; an Unreadable is a command that makes no sense at all.
"""

from __future__ import annotations

from collections.abc import Iterable

from croupier.facts.errors import Unreadable
from croupier.table import (
    absence,
    acting,
    closing,
    dealing,
    devices,
    irregularities,
    opening,
    progressive,
    shuffling,
    stub,
    voiding,
    wagering,
)
from croupier.table.commands import Command, Confirm
from croupier.table.events import Event
from croupier.table.handling import Duties, Folds
from croupier.table.state import State

_DUTIES: Duties = {
    **opening.DUTIES,
    **shuffling.DUTIES,
    **wagering.DUTIES,
    **progressive.DUTIES,
    **dealing.DUTIES,
    **acting.DUTIES,
    **stub.DUTIES,
    **closing.DUTIES,
    **irregularities.DUTIES,
    **absence.DUTIES,
    **devices.DUTIES,
}
_FOLDS: Folds = {
    **opening.FOLDS,
    **shuffling.FOLDS,
    **wagering.FOLDS,
    **progressive.FOLDS,
    **dealing.FOLDS,
    **acting.FOLDS,
    **stub.FOLDS,
    **closing.FOLDS,
    **voiding.FOLDS,
    **irregularities.FOLDS,
    **absence.FOLDS,
    **devices.FOLDS,
}


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What a command makes happen; a refused one changes nothing and says why, with its clause."""
    duty = _DUTIES.get(type(command))
    if duty is None:
        raise Unreadable(f"{type(command).__name__} is no command of a table")
    if command.role not in duty.roles:
        clause = getattr(state.book.procedure, duty.clause)
        raise state.refusal(f"That is for {' or '.join(duty.roles)}, not {command.role}", clause)
    if state.hold is not None and not isinstance(command, Confirm):
        raise state.refusal(
            f"Everything waits for the floorperson: {state.hold.name}", state.hold.clause
        )
    return tuple(duty.decide(state, command))


def evolve(state: State, event: Event) -> State:
    """The state after an event."""
    return _FOLDS[type(event)](state, event)


def fold(state: State, events: Iterable[Event]) -> State:
    for event in events:
        state = evolve(state, event)
    return state
