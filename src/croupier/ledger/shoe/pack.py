"""A round's pack: all its cards in a fresh random order, each with a salt of its own.

A salt is 32 random bytes; a card is committed to as the hash of both (`commitment.py`).
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from croupier.facts.cards import DECK, card, written
from croupier.facts.errors import Unreadable
from croupier.ledger.shoe.entropy import fresh_order
from croupier.table.shoe import RandomBits, below, shuffled

SALT_BYTES = 32


class Pack(msgspec.Struct, frozen=True):
    """Cards from the top, place 0, each with its salt. Whoever holds this knows what will come."""

    cards: tuple[str, ...]
    salts: tuple[bytes, ...]

    def __post_init__(self) -> None:
        if len(self.cards) != len(self.salts) or len(set(self.cards)) != len(self.cards):
            raise ValueError("a pack holds every card once, each with its salt")

    def __repr__(self) -> str:
        """Silent about the cards, so that no log or traceback tells them."""
        return f"Pack({len(self.cards)} cards)"


def fresh_pack(bits: RandomBits) -> Pack:
    """A fresh shuffle with fresh salts."""
    return _salted(tuple(map(str, fresh_order(bits))), bits)


def pack_of(cards: Iterable[str], bits: RandomBits) -> Pack:
    """The cards somebody wrote down, from the top; the others follow them, shuffled."""
    script = [card(name) for name in cards]
    if twice := {known for known in script if script.count(known) > 1}:
        raise Unreadable(f"{written(sorted(twice))}: a pack holds every card once")
    rest = shuffled(below(bits), [known for known in DECK if known not in script])
    return _salted(tuple(map(str, (*script, *rest))), bits)


def _salted(cards: tuple[str, ...], bits: RandomBits) -> Pack:
    salts = tuple(bits(8 * SALT_BYTES).to_bytes(SALT_BYTES, "big") for _ in cards)
    return Pack(cards, salts)
