"""One-time codes by time (TOTP, RFC 6238): six digits of an HMAC-SHA-1, new every half minute.

No secret is kept anywhere: it is derived from a key of the ring and a salt that the ledger has, so
whoever copies the database cannot make a code.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import quote, urlencode

import msgspec

from croupier.ledger.shoe.key_ring import KeyRing

DOMAIN = b"croupier one-time codes 1"
SECRET_BYTES = 20  # as long as the hash, as RFC 4226 advises
SECOND_US = 1_000_000
STEP_S = 30
DIGITS = 6
DRIFT = 1  # steps that a clock may be off, either way
ISSUER = "Croupier"


class CodeSalt(msgspec.Struct, frozen=True):
    """What the ledger has of somebody's secret: which key it comes from, and with which salt."""

    key: str
    salt: str


class Enrolment(msgspec.Struct, frozen=True):
    """A secret as an app takes it, by hand or as an address; it is shown this once."""

    secret: str
    uri: str


class CodeSecrets(NamedTuple):
    """Secrets of people, from the keys of a ring."""

    keys: dict[str, bytes]
    current: str

    @classmethod
    def of(cls, ring: KeyRing) -> CodeSecrets:
        keys = {key.id: hmac.digest(key.secret, DOMAIN, sha256) for key in ring.keys}
        return cls(keys, ring.current.id)

    def new_salt(self) -> CodeSalt:
        return CodeSalt(self.current, secrets.token_hex(SECRET_BYTES))

    def secret(self, name: str, salt: CodeSalt) -> bytes | None:
        """Nothing where its key has left the ring: the person enrols anew."""
        key = self.keys.get(salt.key)
        if key is None:
            return None
        return hmac.digest(key, f"{salt.salt} {name}".encode(), sha256)[:SECRET_BYTES]

    def enrolment(self, name: str, salt: CodeSalt) -> Enrolment:
        secret = base64.b32encode(self.secret(name, salt) or b"").decode().rstrip("=")
        words = {"secret": secret, "issuer": ISSUER, "digits": DIGITS, "period": STEP_S}
        return Enrolment(secret, f"otpauth://totp/{ISSUER}:{quote(name)}?{urlencode(words)}")


def code_at(secret: bytes, step: int, digits: int = DIGITS, algorithm: str = "sha1") -> str:
    """The code of a step: four bytes of the hash, from where its last half byte says (RFC 4226)."""
    hashed = hmac.digest(secret, step.to_bytes(8, "big"), algorithm)
    at = hashed[-1] & 0x0F
    number = int.from_bytes(hashed[at : at + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**digits:0{digits}}"


def step_at(at_us: int) -> int:
    return at_us // SECOND_US // STEP_S


def matching_step(secret: bytes, code: str, at_us: int, after: int) -> int | None:
    """The step whose code this is, if it is one of now and later than any that was used."""
    said, found = code.replace(" ", "").encode(), None
    for step in range(step_at(at_us) - DRIFT, step_at(at_us) + DRIFT + 1):
        if hmac.compare_digest(code_at(secret, step).encode(), said) and step > after:
            found = step
    return found
