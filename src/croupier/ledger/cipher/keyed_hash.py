"""HMAC-SHA256 (RFC 2104) under one key, for many short messages."""

from __future__ import annotations

from hashlib import sha256

_BLOCK_BYTES = 64
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


class KeyedHash:
    """The key is hashed once: half the cost of the library's copied objects, a third of its calls
    that begin with the key.
    """

    def __init__(self, key: bytes) -> None:
        block = (sha256(key).digest() if len(key) > _BLOCK_BYTES else key).ljust(
            _BLOCK_BYTES, b"\0"
        )
        self._inner, self._outer = (sha256(block.translate(pad)).copy for pad in (_INNER, _OUTER))

    def digest(self, message: bytes) -> bytes:
        inner, outer = self._inner(), self._outer()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()
