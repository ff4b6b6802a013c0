"""RPC messages of processes that share a pit, and how each knows that it hears a peer.

Every message is stamped with a key that both have by configuration, bound to this one connection
and to its place in the order of messages: nobody without the key ring can say, repeat, drop or
change a word. A message names the table and the person, so a view goes to nobody else.
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256

import msgspec

from croupier.ledger.shoe.key_ring import SealKey
from croupier.server.pit.messages import Reply
from croupier.server.pit.table_summary import TableSummary
from croupier.table.views import Viewer

PATH = "/peers"
KEY_HEADER, NONCE_HEADER = "x-croupier-key", "x-croupier-nonce"
DOMAIN = b"croupier peers 1"
NONCE_BYTES, STAMP_BYTES = 32, 32
ASKING, ANSWERING = b"asks", b"answers"
MOST_BYTES = 4_000_000
STRANGER = 4401


class Forged(Exception):
    """A message that no peer said, or not now."""


class Carry(msgspec.Struct, frozen=True, tag="carry"):
    """A command for a table; who gives it, in which role, stands in its words."""

    n: int
    table: str
    command: msgspec.Raw
    command_id: str
    seen: int | None


class WatchRequest(msgspec.Struct, frozen=True, tag="watch"):
    """From now on every view of this viewer, until Leave."""

    n: int
    table: str
    viewer: Viewer


class LookRequest(msgspec.Struct, frozen=True, tag="look"):
    """The view of this viewer, once."""

    n: int
    table: str
    viewer: Viewer


class Leave(msgspec.Struct, frozen=True, tag="leave"):
    n: int


class CountRequest(msgspec.Struct, frozen=True, tag="count"):
    """Every table that is played there."""

    n: int


Asking = Carry | WatchRequest | LookRequest | Leave | CountRequest


class PeerAnswer(msgspec.Struct, frozen=True, tag="answered"):
    n: int
    told: Reply


class PeerFrame(msgspec.Struct, frozen=True, tag="seen"):
    """``table``: the whole view; otherwise the meters alone."""

    n: int
    table: bool
    frame: msgspec.Raw


class CountAnswer(msgspec.Struct, frozen=True, tag="counted"):
    n: int
    tables: tuple[TableSummary, ...]


class Gone(msgspec.Struct, frozen=True, tag="gone"):
    """The table is not here, or no longer."""

    n: int


Answering = PeerAnswer | PeerFrame | CountAnswer | Gone


class MessageMacs:
    """HMAC of each message and its sequence number, with a key for each direction."""

    def __init__(self, key: SealKey, nonces: bytes, says: bytes, hears: bytes) -> None:
        root = hmac.digest(key.secret, DOMAIN, sha256)
        self._says = hmac.digest(root, nonces + says, sha256)
        self._hears = hmac.digest(root, nonces + hears, sha256)
        self._said = self._heard = 0

    def stamped(self, word: msgspec.Struct) -> bytes:
        body = msgspec.json.encode(word)
        self._said += 1
        return _stamp(self._says, self._said, body) + body

    def opened(self, message: bytes) -> bytes:
        stamp, body = message[:STAMP_BYTES], message[STAMP_BYTES:]
        self._heard += 1
        if not hmac.compare_digest(stamp, _stamp(self._hears, self._heard, body)):
            raise Forged
        return body


def nonce() -> bytes:
    return secrets.token_bytes(NONCE_BYTES)


def _stamp(key: bytes, number: int, body: bytes) -> bytes:
    return hmac.digest(key, number.to_bytes(8, "big") + body, sha256)
