"""What a viewer is sent after each change: the table as he may see it, what happened since the
last frame he got, and what is due.

What happened is redacted when it is first told, once for all who may know the same, and kept for a
while for those who have yet to hear of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol, TypeVar

import msgspec

from croupier.table.due import Due
from croupier.table.events import AnyEvent, Event
from croupier.table.redaction import RedactedEvents
from croupier.table.state import State
from croupier.table.views import View, Viewer

# A viewer who is further behind gets the newest of them, and learns from ``since`` of the gap.
KEPT_CHANGES = 32


class Frame(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a viewer gets after each change: the whole table as he may see it, and what happened.

    ``events`` are those after version ``since``, as he may know them: where that is not the
    version of the last frame he had, there is a gap. ``due`` is the step that is due,
    ``seconds_left`` how long the box that is asked still has, where a clock runs; ``commitment``
    what the house committed itself to for the cards of the round.
    """

    table: str
    version: int
    view: View
    since: int
    events: tuple[AnyEvent, ...]
    due: Due | None = None
    seconds_left: float | None = None
    commitment: str = ""


class SentFrame(msgspec.Struct, frozen=True, omit_defaults=True):
    """The same, with a view and events that are JSON already."""

    table: str
    version: int
    view: msgspec.Raw
    since: int
    events: msgspec.Raw
    due: Due | None = None
    seconds_left: float | None = None
    commitment: str = ""


class MetersFrame(msgspec.Struct, frozen=True):
    """What a viewer gets when only the meters of the link moved, by another table's doing."""

    table: str
    meters: dict[str, int]


class EventSpan(Protocol):
    """What happened between two versions of a table."""

    @property
    def since(self) -> int: ...

    @property
    def version(self) -> int: ...


S = TypeVar("S", bound=EventSpan)


class TableChange:
    """What one command did between two versions, as each viewer is sent it."""

    def __init__(self, since: int, version: int, before: State, events: tuple[Event, ...]) -> None:
        self.since, self.version = since, version
        self._events = RedactedEvents(before, events)
        self._json: dict[Viewer, bytes] = {}
        self._each: dict[int, bytes] = {}

    def events(self, viewer: Viewer) -> tuple[AnyEvent, ...]:
        return self._events.of(viewer)

    def json(self, viewer: Viewer) -> bytes:
        """The same, each as JSON, with commas between them."""
        as_who = self._events.audience(viewer)
        if as_who not in self._json:
            self._json[as_who] = b",".join(map(self._encoded, self.events(as_who)))
        return self._json[as_who]

    def _encoded(self, event: AnyEvent) -> bytes:
        """What several may know is one event, and encoded once; none goes away meanwhile."""
        if id(event) not in self._each:
            self._each[id(event)] = msgspec.json.encode(event)
        return self._each[id(event)]


class HeardFrame(NamedTuple):
    """What one frame told of, kept by who passes it on; ``events`` with commas between them."""

    since: int
    version: int
    events: bytes


def unheard(kept: Iterable[S], version: int, heard: int | None) -> list[S]:
    """What leads from the version a viewer heard of to this one, oldest first, as far as it is
    kept without a gap; nothing for who has not heard of any."""
    found: list[S] = []
    for span in reversed(list(kept)):
        if heard is None or span.version != version or version <= heard:
            break
        found.insert(0, span)
        version = span.since
    return found


def events_json(parts: Iterable[bytes]) -> msgspec.Raw:
    return msgspec.Raw(b"[" + b",".join(filter(None, parts)) + b"]")
