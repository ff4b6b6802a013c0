"""Face-down cards in the ledger: written as places in the pack, and read back by who may.

Only a deal lays cards face down; every other event that names cards tells what all can see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from croupier.ledger.events import CardsOpened, Kept
from croupier.ledger.shoe.card_tokens import is_token, place, token
from croupier.ledger.shoe.commitment import CardOpening
from croupier.ledger.shoe.pack import Pack
from croupier.table import events as ev

replace = msgspec.structs.replace
_TURNS = (ev.CardsTurned, ev.DealerRevealed, ev.PlaceTurned, ev.BoxTurned)


def masked(event: ev.Event, places: Mapping[str, int]) -> ev.Event:
    """The event as it is stored; ``places`` says where in the pack each card lies."""
    if not isinstance(event, ev.CardsDealt) or event.face_up:
        return event
    lies = tuple(
        replace(lie, cards=tuple(token(places[card]) for card in lie.cards)) for lie in event.lies
    )
    return replace(event, lies=lies)


def shown_cards(event: ev.Event) -> tuple[str, ...]:
    """The cards that an event turns, or finds turned, for all to see."""
    if isinstance(event, ev.CardsDealt):
        return tuple(card for lie in event.lies for card in lie.cards) if event.face_up else ()
    if isinstance(event, ev.IrregularityDeclared):
        return (*event.cards, *event.exposed)
    return event.cards if isinstance(event, _TURNS) else ()


def unmasked(event: Kept, cards: Mapping[int, str]) -> Kept:
    """The event with every card that is known; the others stay places."""
    if not isinstance(event, ev.CardsDealt) or event.face_up:
        return event
    lies = tuple(
        replace(lie, cards=tuple(_known(card, cards) for card in lie.cards)) for lie in event.lies
    )
    return replace(event, lies=lies)


def opened_cards(events: Iterable[Kept]) -> dict[int, str]:
    """What the openings of a round tell: place by place."""
    return {
        opening.place: opening.card
        for event in events
        if isinstance(event, CardsOpened)
        for opening in event.openings
    }


def all_cards(pack: Pack) -> dict[int, str]:
    return dict(enumerate(pack.cards))


def opened_after(event: ev.Event, round: int, openings: tuple[CardOpening, ...]) -> CardsOpened:
    """The line after an event that shows cards."""
    return CardsOpened(clauses=event.clauses, rulings=(39,), round=round, openings=openings)


def openings_of(pack: Pack, places: Iterable[int]) -> tuple[CardOpening, ...]:
    return tuple(CardOpening(at, pack.cards[at], pack.salts[at].hex()) for at in places)


def _known(card: str, cards: Mapping[int, str]) -> str:
    return cards.get(place(card), card) if is_token(card) else card
