"""Who signs the log of a ledger: a key made from one of the ring that seals packs."""

from __future__ import annotations

import hashlib
import hmac

from croupier.ledger.cipher.primitives import Ed25519PrivateKey
from croupier.ledger.shoe.key_ring import KeyRing, SealKey
from croupier.ledger.transparency.checkpoint import origin_of
from croupier.ledger.transparency.signed_note import Signer

SIGNING = b"croupier log key 1"


def signer_of(ledger_id: str, ring: KeyRing) -> Signer:
    """Who signs for a ledger: a key made from the newest of the ring, so that all who share the
    ledger sign alike, and a rotated ring signs anew.
    """
    return signer_with(ledger_id, ring.current)


def signer_with(ledger_id: str, key: SealKey) -> Signer:
    seed = hmac.digest(key.secret, SIGNING + ledger_id.encode(), hashlib.sha256)
    return Signer(origin_of(ledger_id), Ed25519PrivateKey.from_private_bytes(seed))
