"""The electronic shoe of a live table: it deals a pack that was sealed before wagers closed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from croupier.facts.errors import Unreadable, quoted
from croupier.ledger.shoe.pack import Pack
from croupier.table.shoe import EmptyShoe


class SealedShoe:
    """Behind the port that every shoe has; after a restart it goes on without what is ``out``.

    A ``cut`` turns the pack after the commitment: so many cards from the top come last. Players'
    numbers may deal its places in another ``order`` (ruling 39).
    """

    def __init__(
        self, pack: Pack, out: Collection[str] = (), cut: int = 0, order: Sequence[int] = ()
    ) -> None:
        self._pack = pack
        self._places = {card: place for place, card in enumerate(pack.cards)}
        if any(card not in self._places for card in out):
            raise EmptyShoe(f"what is out did not come out of this pack of {len(pack.cards)}")
        lie = tuple(pack.cards[at] for at in order if pack.cards) if order else pack.cards
        turned = (*lie[cut:], *lie[:cut])
        self._left = tuple(card for card in turned if card not in out)

    def __repr__(self) -> str:
        return f"SealedShoe({self.drawn} of {len(self._pack.cards)} cards drawn)"

    @property
    def drawn(self) -> int:
        """How many cards are out."""
        return len(self._pack.cards) - len(self._left)

    def draw(self, count: int) -> tuple[str, ...]:
        if not 0 <= count <= len(self._left):
            raise EmptyShoe(f"{count} cards were asked for, {len(self._left)} are left")
        cards, self._left = self._left[:count], self._left[count:]
        return cards

    def place_of(self, card: str) -> int:
        """Where a card lies in the pack, counted from 0: what stands for it while face down."""
        if card not in self._places:
            raise Unreadable(f"{quoted(card)} is not a card of this pack")
        return self._places[card]
