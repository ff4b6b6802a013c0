"""Conduct of a table without any policy of its own: decide, fold, and say what came of it."""

from __future__ import annotations

from croupier.table.commands import Command
from croupier.table.engine import decide, fold
from croupier.table.events import Event
from croupier.table.state import State


def run(state: State, command: Command) -> tuple[State, tuple[Event, ...]]:
    """The state after a command, and the events it gave; raises what ``decide`` raises."""
    events = decide(state, command)
    return fold(state, events), events
