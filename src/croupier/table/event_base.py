"""What every event has: when it happened, and the clauses it stands on."""

from __future__ import annotations

import msgspec


class Event(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="event", forbid_unknown_fields=True
):
    """``at_s`` is when the command came that made it happen."""

    clauses: tuple[str, ...]
    rulings: tuple[int, ...] = ()
    at_s: int = 0


class BoxEvent(Event, frozen=True):
    """Something about one box."""

    box: int


class DeckEvent(Event, frozen=True):
    """Something about one deck."""

    color: str
