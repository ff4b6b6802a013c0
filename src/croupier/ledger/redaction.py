"""Redaction of a round for one viewer: never a card that the table did not show him.

``view`` decides, here as at the table: a card is told when the view after its event shows it to
the viewer, or when it was shown to him before. Whatever else is not his to know is left out as it
is at the table, by :func:`croupier.table.redaction.redacted`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from croupier.facts.names import known_name
from croupier.ledger.rounds import KeptRound, RoundEvent
from croupier.ledger.store.line import LedgerLine
from croupier.table.redaction import CARDS, backs, redacted
from croupier.table.state import State, in_round
from croupier.table.views import DEALER, FLOORPERSON, HOUSE, PUBLIC, SURVEILLANCE, Viewer, view

VIEWERS = {viewer.role: viewer for viewer in (PUBLIC, DEALER, FLOORPERSON, SURVEILLANCE)}


def viewer_called(text: str) -> Viewer:
    """``public``, ``dealer``, ``floorperson``, ``surveillance`` or ``player:NAME``."""
    role, _, name = text.partition(":")
    if role == "player" and name:
        return Viewer(role="player", name=name)
    by_role: dict[str, Viewer] = {viewer.role: viewer for viewer in VIEWERS.values()}
    known_name(text, [*by_role, "player:NAME"], "viewer")
    return by_role[text]


def refuse_stranger(viewer: Viewer, kept: KeptRound) -> None:
    """A player looks at a round that he had a box in."""
    if viewer.role != "player":
        return
    seated = {box.player for told in kept.told for box in told.after.round.boxes.values()}
    known_name(viewer.name, sorted(seated), "player", where=f"round {kept.number}")


def seen(kept: KeptRound, viewer: Viewer) -> Iterator[RoundEvent]:
    """A round's events as the viewer may be told them, with the table as he saw it."""
    known: frozenset[str] = frozenset()
    for told in kept.told:
        known |= _shown_after(told, kept.number, viewer)
        event = redacted(told.event, viewer, told.before, known)
        if event is not None:
            before, after = _table(told.before, known), _table(told.after, known)
            yield replace(told, event=event, before=before, after=after)


def visible_actor(viewer: Viewer, line: LedgerLine) -> str:
    """Who gave a command; who of the house it was is the house's own affair."""
    return line.role if line.role in HOUSE and viewer.role not in HOUSE else line.actor


def cards_shown(kept: KeptRound, viewer: Viewer) -> frozenset[str]:
    """All that a round has shown to a viewer so far."""
    shown = (_shown_after(told, kept.number, viewer) for told in kept.told)
    return frozenset().union(*shown)


def shown_at_last(kept: KeptRound, viewer: Viewer) -> frozenset[str]:
    """What a viewer may see of a round as it stands now, or as it lay when it was over."""
    return _shown_after(kept.told[-1], kept.number, viewer) if kept.told else frozenset()


def lay_to_the_end(kept: KeptRound, viewer: Viewer) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Where cards lie that no event turned, each as the viewer may see it now."""
    last = kept.told[-1].after
    round = last.round if last.round.number == kept.number else last.last
    if round is None:
        return
    known = shown_at_last(kept, viewer)
    lying = [(name.replace("_", " "), cards) for name, cards in round.places.items()]
    lying += [(f"box {seat}", box.cards) for seat, box in round.boxes.items()]
    for where, cards in lying:
        down = tuple(card for card in cards if card not in round.up)
        if down:
            yield where, backs(down, known)


def _shown_after(told: RoundEvent, number: int, viewer: Viewer) -> frozenset[str]:
    """The cards of this round that the view shows; until its first wager it shows the one before.

    A card that nobody here can know is as good as its back.
    """
    if told.after.round.number == number and not told.after.round.boxes:
        return frozenset()
    shown = view(told.after, viewer)
    lying = [*shown.places.values(), *(box.cards for box in shown.boxes), shown.set_aside]
    return frozenset(card for cards in lying for card in cards if card in CARDS)


def sees_chips(viewer: Viewer, state: State, box: int) -> bool:
    if viewer.role == "player":
        return viewer.name == state.seats.get(box)
    return viewer.role != "public"


def _table(state: State, known: frozenset[str]) -> State:
    """The table with every other card on its back."""
    round = state.round
    boxes = {
        seat: msgspec.structs.replace(box, cards=backs(box.cards, known))
        for seat, box in round.boxes.items()
    }
    places = {place: backs(cards, known) for place, cards in round.places.items()}
    return in_round(state, boxes=boxes, places=places)
