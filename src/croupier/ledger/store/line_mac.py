"""A MAC beside each line: an HMAC of its hash, under a key made from the ring that seals packs.

Anybody who may write the database can chain a line of his own; without a key of the ring he cannot
write the MAC that goes with it. A MAC begins with the id of its key, so that a key that is not at
hand is told apart from a line that was forged.
"""

from __future__ import annotations

import hmac

from croupier.facts.errors import Unreadable
from croupier.ledger.cipher.keyed_hash import KeyedHash
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.line import LedgerLine

DOMAIN = b"croupier line key 1"
ID_BYTES, TAG_BYTES = 8, 16


class LineMacs:
    """Makes and checks the MACs of one ledger; the newest key of the ring writes.

    ``refused`` are the streams that something forged was read in, and what. ``keys_are_lost``:
    whoever keeps the machine said so, and lines of keys that are not on the ring are believed.
    """

    def __init__(self, ledger_id: str, ring: KeyRing, *, keys_are_lost: bool = False) -> None:
        self.ring, self.keys_are_lost = ring, keys_are_lost
        self.refused: dict[str, Unreadable] = {}
        self._keys = {
            bytes.fromhex(key.id): KeyedHash(
                hmac.digest(key.secret, DOMAIN + ledger_id.encode(), "sha256")
            )
            for key in ring.keys
        }
        self._current = bytes.fromhex(ring.current.id)

    def made(self, hash: bytes) -> bytes:
        return self._current + self._tag(self._current, hash)

    def fits(self, line: LedgerLine) -> bool | None:
        """Whether a key of the ring made it; None where its key is not on the ring."""
        key_id = line.mac[:ID_BYTES]
        if key_id not in self._keys:
            return None
        return hmac.compare_digest(line.mac, key_id + self._tag(key_id, line.hash))

    def _tag(self, key_id: bytes, hash: bytes) -> bytes:
        return self._keys[key_id].digest(hash)[:TAG_BYTES]


def key_of(mac: bytes) -> str:
    """The id of the key that a MAC names, as people are told it."""
    return mac[:ID_BYTES].hex() or "none"
