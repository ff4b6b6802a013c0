"""What every event has: when it happened, and the clauses it stands on."""

from __future__ import annotations

from typing import Any

import msgspec

CITED = frozenset({"event", "clause", "clauses", "rulings"})


class Event(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="event", forbid_unknown_fields=True
):
    """Without fields of its own, so that a struct that has them can be an event beside it."""

    @property
    def clauses(self) -> tuple[str, ...]:
        raise NotImplementedError

    @property
    def rulings(self) -> tuple[int, ...]:
        raise NotImplementedError

    @property
    def at_s(self) -> int:
        """When the command came that made it happen."""
        raise NotImplementedError


class CitedEvent(Event, frozen=True, kw_only=True):
    """An event with every clause that it stands on."""

    clauses: tuple[str, ...]
    rulings: tuple[int, ...] = ()
    at_s: int = 0


class BoxEvent(Event, frozen=True):
    """Something about one box."""

    @property
    def box(self) -> int:
        raise NotImplementedError


class CitedBoxEvent(CitedEvent, BoxEvent, frozen=True):
    """The same with every clause that it stands on."""

    box: int


class DeckEvent(CitedEvent, frozen=True):
    """Something about one deck."""

    color: str


def particulars(event: Event) -> dict[str, Any]:
    """What an event says beside its name and what it cites, as JSON has it."""
    stored = msgspec.to_builtins(event)
    return {name: said for name, said in stored.items() if name not in CITED}
