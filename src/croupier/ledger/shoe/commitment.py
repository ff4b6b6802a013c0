"""Commitment to a pack: a salted hash of each card before wagers close, opened one card at a time.

Each card has its own 32 random bytes, the salt, so that its hash says nothing about it until both
are shown, and an opened card says nothing about the others. The hashes, bound to ledger, stream,
round and place, stand under one root: whoever holds the root holds the house to the whole order.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from croupier.ledger.shoe.pack import Pack
from croupier.table.shoe import digest

CARD_DOMAIN = "croupier card 1"
PACK_DOMAIN = "croupier pack 1"


class SealBinding(msgspec.Struct, frozen=True):
    """What a pack belongs to: no hash or seal made for one round fits another."""

    ledger: str
    stream: str
    round: int


class Commitment(msgspec.Struct, frozen=True):
    """What everybody gets before wagers close: a hash a card, in order, and their root, in hex."""

    root: str
    leaves: tuple[str, ...]


class CardOpening(msgspec.Struct, frozen=True):
    """What everybody gets when a card is turned; the salt in hex."""

    place: int
    card: str
    salt: str


def commitment(pack: Pack, bound: SealBinding) -> Commitment:
    leaves = tuple(
        _leaf(bound, place, pack.cards[place], salt) for place, salt in enumerate(pack.salts)
    )
    return Commitment(_root(bound, leaves).hex(), tuple(leaf.hex() for leaf in leaves))


def opening(pack: Pack, place: int) -> CardOpening:
    return CardOpening(place, pack.cards[place], pack.salts[place].hex())


def fits(commitment: Commitment, opening: CardOpening, bound: SealBinding) -> bool:
    """Whether this card was at this place when the house committed itself, and the root with it."""
    return is_under_root(commitment, bound) and is_leaf(commitment, opening, bound)


def is_under_root(commitment: Commitment, bound: SealBinding) -> bool:
    """Whether the hashes are those of this round, all of them and in this order."""
    try:
        leaves = [bytes.fromhex(leaf) for leaf in commitment.leaves]
        return _root(bound, leaves) == bytes.fromhex(commitment.root)
    except ValueError:
        return False


def is_leaf(commitment: Commitment, opening: CardOpening, bound: SealBinding) -> bool:
    """Whether the card has the hash that stands at its place, under whatever root."""
    if not 0 <= opening.place < len(commitment.leaves):
        return False
    try:
        leaf = _leaf(bound, opening.place, opening.card, bytes.fromhex(opening.salt))
        return bytes.fromhex(commitment.leaves[opening.place]) == leaf
    except ValueError:
        return False


def bound_parts(domain: str, bound: SealBinding) -> tuple[bytes, ...]:
    """What every hash and seal of a round begins with."""
    return tuple(text.encode() for text in (domain, bound.ledger, bound.stream, str(bound.round)))


def _leaf(bound: SealBinding, place: int, card: str, salt: bytes) -> bytes:
    return digest(*bound_parts(CARD_DOMAIN, bound), str(place).encode(), card.encode(), salt)


def _root(bound: SealBinding, leaves: Iterable[bytes]) -> bytes:
    return digest(*bound_parts(PACK_DOMAIN, bound), *leaves)
