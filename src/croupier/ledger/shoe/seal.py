"""Authenticated encryption of a pack at rest, under a key that is not in the database.

Whoever has the ledger but not the key learns no card, and cannot put one pack in the place of
another: the seal is tied to ledger, stream, round and root (AES-256-GCM, a fresh random nonce each
time). The text of a seal is ``1.KEY.NONCE.BOX``: its form, the id of the key that opens it, and
two parts in base64 for addresses.
"""

from __future__ import annotations

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import NewType

from croupier.facts.errors import Unreadable
from croupier.ledger.cipher.primitives import AESGCM, InvalidTag
from croupier.ledger.shoe.commitment import SealBinding, bound_parts, commitment
from croupier.ledger.shoe.key_ring import KeyRing, SealKey
from croupier.ledger.shoe.pack import SALT_BYTES, Pack

SEAL_DOMAIN = "croupier seal 1"
FORM = "1"
NONCE_BYTES = 12
CARD_CHARACTERS = 2

Sealed = NewType("Sealed", str)


class LostKey(Unreadable):
    """The key of a seal is not on the ring. A round in progress is void with it (GLI-19 A.6.4)."""

    def __init__(self, key_id: str) -> None:
        super().__init__(
            f"key {key_id} is not on the ring, and the pack that it sealed cannot be opened"
        )
        self.key_id = key_id


class BrokenSeal(Unreadable):
    """A seal that was altered, or that was made for another round or another pack."""

    def __init__(self, bound: SealBinding) -> None:
        super().__init__(
            f"the seal of round {bound.round} of {bound.stream} is broken: "
            "it was altered, or made for another pack"
        )
        self.bound = bound


def sealed_by(seal: Sealed) -> str:
    """The id of the key that opens it; nothing where this is no seal."""
    parts = seal.split(".")
    return parts[1] if len(parts) == 4 else ""


def sealed(ring: KeyRing, pack: Pack, bound: SealBinding) -> Sealed:
    """The pack under the ring's current key."""
    key, nonce = ring.current, os.urandom(NONCE_BYTES)
    tied = _tied(key.id, bound, commitment(pack, bound).root)
    box = AESGCM(key.secret).encrypt(nonce, _flat(pack), tied)
    return Sealed(".".join((FORM, key.id, _text(nonce), _text(box))))


def opened(ring: KeyRing, seal: Sealed, bound: SealBinding, root: str) -> Pack:
    """The pack that was sealed for this round under this root; LostKey or BrokenSeal."""
    key = _key_of(ring, seal, bound)
    try:
        nonce, box = map(_raw, seal.split(".")[2:])
        pack = _unflat(AESGCM(key.secret).decrypt(nonce, box, _tied(key.id, bound, root)))
    except (InvalidTag, ValueError):
        raise BrokenSeal(bound) from None
    if commitment(pack, bound).root != root:
        raise BrokenSeal(bound)
    return pack


def _key_of(ring: KeyRing, seal: Sealed, bound: SealBinding) -> SealKey:
    form, _, rest = seal.partition(".")
    key_id = rest.partition(".")[0]
    if form != FORM or not key_id:
        raise BrokenSeal(bound)
    key = ring.key(key_id)
    if key is None:
        raise LostKey(key_id)
    return key


def _tied(key_id: str, bound: SealBinding, root: str) -> bytes:
    parts = (*bound_parts(SEAL_DOMAIN, bound), key_id.encode(), root.encode())
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def _flat(pack: Pack) -> bytes:
    """Cards, then salts: as long for one order as for any other, so the length tells nothing."""
    return "".join(pack.cards).encode() + b"".join(pack.salts)


def _unflat(flat: bytes) -> Pack:
    count, rest = divmod(len(flat), CARD_CHARACTERS + SALT_BYTES)
    if rest:
        raise ValueError("not as long as a pack")
    cards, salts = flat[: count * CARD_CHARACTERS].decode(), flat[count * CARD_CHARACTERS :]
    return Pack(
        tuple(cards[at : at + CARD_CHARACTERS] for at in range(0, len(cards), CARD_CHARACTERS)),
        tuple(salts[at : at + SALT_BYTES] for at in range(0, len(salts), SALT_BYTES)),
    )


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode()


def _raw(text: str) -> bytes:
    raw = urlsafe_b64decode(text)
    if _text(raw) != text:
        raise ValueError("one seal has one text")
    return raw
