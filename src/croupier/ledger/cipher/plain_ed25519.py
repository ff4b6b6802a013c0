"""Ed25519 in plain Python (RFC 8032), with the calls of ``cryptography``.

Points are in extended coordinates ``(x, y, z, t)``: an affine point is ``(x / z, y / z)``, and
``t`` is ``x * y / z``.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE = -121665 * pow(121666, -1, PRIME) % PRIME
KEY_BYTES = 32


class CurvePoint(NamedTuple):
    x: int
    y: int
    z: int
    t: int


NOWHERE = CurvePoint(0, 1, 1, 0)


class InvalidSignature(Exception):
    """This key did not sign this text so."""


class Ed25519PublicKey(NamedTuple):
    public: bytes

    @classmethod
    def from_public_bytes(cls, public: bytes) -> Ed25519PublicKey:
        if len(public) != KEY_BYTES:
            raise ValueError("a public key of Ed25519 has 32 bytes")
        return cls(public)

    def public_bytes_raw(self) -> bytes:
        return self.public

    def verify(self, signature: bytes, text: bytes) -> None:
        try:
            key, nonce = _point(self.public), _point(signature[:KEY_BYTES])
        except ValueError:
            raise InvalidSignature from None
        scalar = int.from_bytes(signature[KEY_BYTES:], "little")
        if len(signature) != 2 * KEY_BYTES or scalar >= ORDER:
            raise InvalidSignature
        challenge = _number(signature[:KEY_BYTES], self.public, text)
        if _bytes(_times(scalar, BASE)) != _bytes(_sum(nonce, _times(challenge, key))):
            raise InvalidSignature


class Ed25519PrivateKey(NamedTuple):
    seed: bytes

    @classmethod
    def from_private_bytes(cls, seed: bytes) -> Ed25519PrivateKey:
        if len(seed) != KEY_BYTES:
            raise ValueError("a private key of Ed25519 has 32 bytes")
        return cls(seed)

    def public_key(self) -> Ed25519PublicKey:
        return Ed25519PublicKey(_bytes(_times(self._scalar(), BASE)))

    def sign(self, text: bytes) -> bytes:
        public, prefix = self.public_key().public, hashlib.sha512(self.seed).digest()[KEY_BYTES:]
        once = _number(prefix, text)
        nonce = _bytes(_times(once, BASE))
        scalar = (once + _number(nonce, public, text) * self._scalar()) % ORDER
        return nonce + scalar.to_bytes(KEY_BYTES, "little")

    def _scalar(self) -> int:
        number = int.from_bytes(hashlib.sha512(self.seed).digest()[:KEY_BYTES], "little")
        return number & (1 << 254) - 8 | 1 << 254


def _number(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def _sum(p: CurvePoint, q: CurvePoint) -> CurvePoint:
    a, b = (p.y - p.x) * (q.y - q.x) % PRIME, (p.y + p.x) * (q.y + q.x) % PRIME
    c, d = 2 * p.t * q.t * CURVE % PRIME, 2 * p.z * q.z % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return CurvePoint(e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME)


def _times(scalar: int, point: CurvePoint) -> CurvePoint:
    found = NOWHERE
    while scalar:
        if scalar & 1:
            found = _sum(found, point)
        point, scalar = _sum(point, point), scalar >> 1
    return found


def _bytes(point: CurvePoint) -> bytes:
    inverse = pow(point.z, -1, PRIME)
    x, y = point.x * inverse % PRIME, point.y * inverse % PRIME
    return (y | (x & 1) << 255).to_bytes(KEY_BYTES, "little")


def _point(raw: bytes) -> CurvePoint:
    """The point that these bytes name; a ValueError where they name none."""
    number = int.from_bytes(raw, "little")
    y, odd = number & (1 << 255) - 1, number >> 255
    if len(raw) != KEY_BYTES or y >= PRIME:
        raise ValueError
    return CurvePoint(x := _x_of(y, odd), y, 1, x * y % PRIME)


def _x_of(y: int, odd: int) -> int:
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    if (x * x - square) % PRIME or (not x and odd):
        raise ValueError
    return x if x & 1 == odd else PRIME - x


_Y = 4 * pow(5, -1, PRIME) % PRIME
BASE = CurvePoint(_x := _x_of(_Y, 0), _Y, 1, _x * _Y % PRIME)
