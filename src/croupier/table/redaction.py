"""Redaction of events for a viewer: hidden cards to backs, others' money and names out.

Never more is told than the view that goes with it shows. A card that is not in it stands on its
back. Chips and lines are the affair of the box's player and of the house; what the floor proposes,
and who of the house did something, the house's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import TypeVar, cast, get_origin, get_type_hints

import msgspec

from croupier.facts.cards import DECK
from croupier.table import events as ev
from croupier.table.engine import evolve
from croupier.table.event_base import CitedEvent
from croupier.table.state import State
from croupier.table.views import BACK, DEALER, HOUSE, PUBLIC, TableSight, Viewer

T = TypeVar("T")
E = TypeVar("E", bound=ev.Event)
CHIPS = (
    *(ev.ChipsBought, ev.ChipsCashed, ev.ChipsKept, ev.KeptReturned, ev.TipGiven, ev.ChipsAsked),
    *(ev.ChipsDeclined, ev.ChipsAcknowledged, ev.ShortfallPaid, ev.OverpaymentTaken),
)
OWN = (
    *(*CHIPS, ev.WagerSettled, ev.LineReversed, ev.ProgressiveWon, ev.ProgressiveRefused),
    *(ev.DisputeOpened, ev.DisputeEnded),
)
HOUSE_ALONE = (
    *(ev.RefusalProposed, ev.RefusalSentBack, ev.SecondAsked, ev.SecondDenied, ev.PowerUsed),
    *(ev.DropCounted, ev.KeptPaid),
)
WHO = ("by", "proposed_by")
CARDS = frozenset(map(str, DECK))


class RedactedEvents:
    """What one command made happen, redacted once for all viewers who may know the same of it."""

    def __init__(self, before: State, events: tuple[ev.Event, ...]) -> None:
        self._before, self._events = before, events
        self._told: dict[Viewer, tuple[ev.AnyEvent, ...]] = {}

    def of(self, viewer: Viewer) -> tuple[ev.AnyEvent, ...]:
        as_who = self.audience(viewer)
        if as_who not in self._told:
            told = (
                redacted(event, as_who, self._before, sight.cards(as_who) if sight else None)
                for event, sight in self._sights
            )
            every = tuple(event for event in told if event is not None)
            self._told[as_who] = cast("tuple[ev.AnyEvent, ...]", every)
        return self._told[as_who]

    def audience(self, viewer: Viewer) -> Viewer:
        """The viewer who is told just the same. Who has a box may have his own version, and
        surveillance, where a card is not for all to see."""
        if viewer.role in HOUSE:
            return viewer if viewer.role == "surveillance" and self._is_covered else DEALER
        return viewer if viewer.name in self._players else PUBLIC

    @cached_property
    def _players(self) -> frozenset[str]:
        """Who has his own version: of cards that lie face down every player, of money its owner."""
        before = self._before
        if self._is_covered:
            boxes = before.round.boxes.values()
            return frozenset((*before.seats.values(), *(box.player for box in boxes)))
        own = (event.box for event in self._events if isinstance(event, OWN))
        return frozenset(_player(before, box) for box in own)

    @cached_property
    def _is_covered(self) -> bool:
        """Whether some event names a card that is not for all to see."""
        return any(sight is not None for _, sight in self._sights)

    @cached_property
    def _sights(self) -> list[tuple[ev.Event, TableSight | None]]:
        """Each event, with the table after it where it names such a card."""
        if not any(map(named_cards, self._events)):
            return [(event, None) for event in self._events]
        state, found = self._before, []
        for event in self._events:
            state = evolve(state, event)
            named = named_cards(event)
            sight = TableSight(state) if named else None
            is_open = sight is None or named <= sight.cards(PUBLIC)
            found.append((event, None if is_open else sight))
        return found


def redacted(
    event: ev.Event, viewer: Viewer, before: State, shown: frozenset[str] | None
) -> ev.Event | None:
    """The event for one viewer, and itself where he may know all of it; None where it is not his
    to know.

    ``shown`` are the cards that his view has by name once the event has happened; None: all see
    whatever it names.
    """
    told = event if shown is None else face_down(event, shown)
    if viewer.role in HOUSE:
        return told
    if isinstance(told, OWN) and not (viewer.name and _player(before, told.box) == viewer.name):
        return None
    return None if isinstance(told, HOUSE_ALONE) else _unsigned(told)


def named_cards(event: ev.Event) -> frozenset[str]:
    """Every card that an event names, or has as its place in the pack."""
    return frozenset(_named(getattr(event, name) for name in _card_fields(type(event))))


def face_down(event: E, shown: frozenset[str]) -> E:
    """The event with every other card on its back, wherever in it a card is named."""
    if named_cards(event) <= shown:
        return event
    turned = {name: backs(getattr(event, name), shown) for name in _card_fields(type(event))}
    return msgspec.structs.replace(event, **turned)


def backs(cards: tuple[T, ...], shown: frozenset[str]) -> tuple[T, ...]:
    return tuple([_back(item, shown) for item in cards])


def _back(item: T, shown: frozenset[str]) -> T:
    if isinstance(item, ev.Lie):
        return msgspec.structs.replace(item, cards=backs(item.cards, shown))
    return BACK if _is_card(item) and item not in shown else item  # type: ignore[return-value]


@cache
def _card_fields(kind: type[ev.Event]) -> tuple[str, ...]:
    """The fields where a card may be named: every list but those of clauses and rulings."""
    hints = get_type_hints(kind)
    lists = (name for name in kind.__struct_fields__ if get_origin(hints[name]) is tuple)
    return tuple(name for name in lists if name not in CitedEvent.__struct_fields__)


def _named(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        if isinstance(value, tuple):
            yield from _named(value)
        elif isinstance(value, ev.Lie):
            yield from value.cards
        elif isinstance(value, str) and _is_card(value):
            yield value


def _is_card(item: object) -> bool:
    return isinstance(item, str) and (item in CARDS or item.startswith("@"))


def _player(state: State, seat: int) -> str:
    box = state.round.boxes.get(seat)
    return box.player if box is not None else state.seats.get(seat, "")


def _unsigned(event: ev.Event) -> ev.Event:
    """Who of the house did it, and why the floorperson was called, is the house's own affair."""
    kept = ("reason",) if isinstance(event, ev.FloorCalled) else ()
    names = [name for name in (*WHO, *kept) if getattr(event, name, "")]
    return msgspec.structs.replace(event, **dict.fromkeys(names, "")) if names else event
