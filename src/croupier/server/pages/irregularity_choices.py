"""What may have gone wrong at a table just now, and which cards that lie there it may have shown.

A console never names a card: who guesses would learn from what is refused. It points at one that
lies face down, and that card's place in the pack stands for it.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from litestar import get
from litestar.params import FromPath

from croupier.ledger.kept_table import LedgerTable
from croupier.ledger.shoe.card_tokens import token
from croupier.server.http.api import AnyRequest, login_of, pit_of, table_of, viewer_of
from croupier.server.pit.messages import Forbidden
from croupier.table import commands as do
from croupier.table.agenda import moment
from croupier.table.engine import duty_of, offered
from croupier.table.handlers.handler import Asker
from croupier.table.handlers.irregularities import showable
from croupier.table.state import State


class Lying(msgspec.Struct, frozen=True):
    """A card face down: ``at`` is its place in the pack, ``nth`` counts from 1 where it lies."""

    at: str
    place: str
    box: int
    nth: int


class Accident(msgspec.Struct, frozen=True):
    """An irregularity that may be declared; ``shows`` are the cards it may have shown, if any."""

    name: str
    shows: tuple[Lying, ...]


@get("/tables/{name:str}/accidents", include_in_schema=False)
async def accidents(request: AnyRequest, name: FromPath[str]) -> list[Accident]:
    if viewer_of(request, login_of(request), name).role not in ("dealer", "floorperson", "manager"):
        raise Forbidden("what goes wrong is declared by the dealer or the floorperson")
    return list(possible(await pit_of(request).kept_now(table_of(request, name).name)))


def possible(kept: LedgerTable) -> Iterator[Accident]:
    state = kept.state
    lying = {} if not state.round.out else dict(_lying(kept, state))
    dealer = Asker("dealer", "", moment(state))
    for declared in offered(state, dealer, duty_of(do.Declare)):
        rule = state.book.irregularity(declared.name)
        seen = (showable(state, rule) if rule is not None else None) or ()
        yield Accident(declared.name, tuple(lie for card, lie in lying.items() if card in seen))


def _lying(kept: LedgerTable, state: State) -> Iterator[tuple[str, Lying]]:
    shoe = kept.shoe()
    places = [(place, 0, cards) for place, cards in state.round.places.items()]
    boxes = [("box", seat, box.cards) for seat, box in sorted(state.round.boxes.items())]
    for place, box, cards in (*places, *boxes):
        for nth, card in enumerate(cards, 1):
            yield card, Lying(token(shoe.place_of(card)), place, box, nth)
