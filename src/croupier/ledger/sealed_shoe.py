"""The electronic shoe of a live table: it deals a pack that was sealed before wagers closed."""

from __future__ import annotations

from croupier.facts.errors import Unreadable, quoted
from croupier.ledger.pack import Pack
from croupier.table.shoe import EmptyShoe


class SealedShoe:
    """Behind the port that every shoe has; after a restart it goes on where ``drawn`` says."""

    def __init__(self, pack: Pack, drawn: int = 0) -> None:
        if not 0 <= drawn <= len(pack.cards):
            raise EmptyShoe(f"{drawn} cards cannot be out of a pack of {len(pack.cards)}")
        self._pack = pack
        self._places = {card: place for place, card in enumerate(pack.cards)}
        self._drawn = drawn

    def __repr__(self) -> str:
        return f"SealedShoe({self._drawn} of {len(self._pack.cards)} cards drawn)"

    @property
    def drawn(self) -> int:
        """How many cards are out."""
        return self._drawn

    def draw(self, count: int) -> tuple[str, ...]:
        left = len(self._pack.cards) - self._drawn
        if not 0 <= count <= left:
            raise EmptyShoe(f"{count} cards were asked for, {left} are left")
        self._drawn += count
        return self._pack.cards[self._drawn - count : self._drawn]

    def place_of(self, card: str) -> int:
        """Where a card lies in the pack, counted from 0: what stands for it while face down."""
        if card not in self._places:
            raise Unreadable(f"{quoted(card)} is not a card of this pack")
        return self._places[card]
