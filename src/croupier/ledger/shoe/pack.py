"""A round's pack: its order fixed before wagers close, and opened one card at a time.

Each card has its own 32 random bytes, the salt, so that its hash says nothing about it until both
are shown, and an opened card says nothing about the others. The hashes, bound to ledger, stream,
round and place, stand under one root: whoever holds the root holds the house to the whole order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from croupier.facts.cards import DECK, card, written
from croupier.facts.errors import Unreadable
from croupier.ledger.shoe.entropy import fresh_order
from croupier.table.shoe import RandomBits, below, shuffled

CARD_DOMAIN = "croupier card 1"
PACK_DOMAIN = "croupier pack 1"
SALT_BYTES = 32


class SealBinding(msgspec.Struct, frozen=True):
    """What a pack belongs to: no hash or seal made for one round fits another."""

    ledger: str
    stream: str
    round: int


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


class Commitment(msgspec.Struct, frozen=True):
    """What everybody gets before wagers close: a hash a card, in order, and their root, in hex."""

    root: str
    leaves: tuple[str, ...]


class CardOpening(msgspec.Struct, frozen=True):
    """What everybody gets when a card is turned; the salt in hex."""

    place: int
    card: str
    salt: str


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


def digest(*parts: bytes) -> bytes:
    """SHA-256 over the parts, each with its length in eight bytes before it."""
    hashed = hashlib.sha256()
    for part in parts:
        hashed.update(len(part).to_bytes(8, "big"))
        hashed.update(part)
    return hashed.digest()


def bound_parts(domain: str, bound: SealBinding) -> tuple[bytes, ...]:
    """What every hash and seal of a round begins with."""
    return tuple(text.encode() for text in (domain, bound.ledger, bound.stream, str(bound.round)))


def _leaf(bound: SealBinding, place: int, card: str, salt: bytes) -> bytes:
    return digest(*bound_parts(CARD_DOMAIN, bound), str(place).encode(), card.encode(), salt)


def _root(bound: SealBinding, leaves: Iterable[bytes]) -> bytes:
    return digest(*bound_parts(PACK_DOMAIN, bound), *leaves)


def _salted(cards: tuple[str, ...], bits: RandomBits) -> Pack:
    salts = tuple(bits(8 * SALT_BYTES).to_bytes(SALT_BYTES, "big") for _ in cards)
    return Pack(cards, salts)
