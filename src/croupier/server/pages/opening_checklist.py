"""The opening checklist of a table that deals from an electronic shoe: what it is spared, and why.

With a fresh sealed shuffle each round no card is touched, so these duties do not apply (ruling
38); the dealer reads that once, before the table opens, with the clause of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from croupier.table.handlers.opening import change_hours
from croupier.table.state import State


class Spared(NamedTuple):
    duty: str
    clause: str


def checklist(state: State) -> tuple[Spared, ...]:
    """Nothing, once the table is open, or where the cards are handled after all."""
    if state.open or not state.terms.electronic_shoe:
        return ()
    return tuple(Spared(duty, state.cite(clause)) for duty, clause in _spared(state))


def _spared(state: State) -> Iterator[tuple[str, str]]:
    by, hours = state.book.procedure, change_hours(state)
    yield "Inspect the deck and have it verified", by.inspect_clause
    yield "Spread, wash and stack the cards", by.wash_clause
    yield "Shuffle and cut before the first card", by.must_cut_clause
    stub = state.dealing.stub_count
    if stub is not None:
        yield f"Count the stub every {stub.rounds} rounds", stub.clause
    yield f"Change the deck every {hours.count} hours", hours.clause
