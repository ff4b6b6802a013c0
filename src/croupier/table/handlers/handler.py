"""How the parts of a table's life are put together: small tables of who may do what, and how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from croupier.facts.cards import card
from croupier.facts.errors import Unreadable, quoted
from croupier.facts.money import Micros
from croupier.table.commands import Command, Role
from croupier.table.events import Event
from croupier.table.state import State

FLOOR: tuple[Role, ...] = ("floorperson", "manager")
MANAGER: tuple[Role, ...] = ("manager",)
DEALER: tuple[Role, ...] = ("dealer",)
PLAYER: tuple[Role, ...] = ("player",)
STAFF: tuple[Role, ...] = (*DEALER, *FLOOR)


class Duty(NamedTuple):
    """Who may give a command, how it is decided, and the clause that says whose duty it is.

    ``clause`` names a line of the book's procedure.
    """

    decide: Callable[[State, Any], Iterable[Event]]
    roles: tuple[Role, ...]
    clause: str


Duties = Mapping[type[Command], Duty]
Folds = Mapping[type[Event], Callable[[State, Any], State]]


def read_cards(names: tuple[str, ...]) -> tuple[str, ...]:
    """Cards as they are kept, whatever way they were written."""
    return tuple(str(card(name)) for name in names)


def readings(state: State, given: Mapping[str, int]) -> dict[str, Micros]:
    """What stands on every meter of this table, as the command says it."""
    known, beside = state.terms.meters, state.terms.overflows
    for name in given:
        if name not in known and name not in beside:
            raise Unreadable(f"there is no meter {quoted(name)}; there is {', '.join(known)}")
    for name in known:
        if name not in given:
            raise Unreadable(f"the reading of the {name} meter is missing")
    pools = {name: Micros(given.get(name, 0)) for name in beside}
    return {name: Micros(given[name]) for name in known} | pools
