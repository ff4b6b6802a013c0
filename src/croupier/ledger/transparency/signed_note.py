"""Signed notes (c2sp.org/signed-note): a text and Ed25519 signatures under it.

A note counts when a key that the reader was given beforehand has signed it; signatures by other
keys are passed over. A key is given as a verifier key, ``name+id+key`` in one word.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import NamedTuple

from croupier.facts.errors import Unreadable
from croupier.ledger.cipher.primitives import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
    InvalidSignature,
)

ED25519 = b"\x01"
DASH = "— "
MOST_BYTES = 131_072  # sixteen signatures of 5,000 bytes, as the specification wants at least
ID_BYTES = 4


class VerifierKey(NamedTuple):
    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        hashed = self.name.encode() + b"\n" + ED25519 + self.public
        return hashlib.sha256(hashed).digest()[:ID_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{_base64(ED25519 + self.public)}"


class Signer(NamedTuple):
    """A private key and the name that it signs under."""

    name: str
    key: Ed25519PrivateKey

    @property
    def verifier(self) -> VerifierKey:
        return VerifierKey(self.name, self.key.public_key().public_bytes_raw())

    def sign(self, text: str) -> str:
        signature = self.verifier.id + self.key.sign(text.encode())
        return f"{text}\n{DASH}{self.name} {_base64(signature)}\n"


class SignedNote(NamedTuple):
    """A note that was taken apart, and not believed yet; each signature is (name, id, bytes)."""

    text: str
    signatures: tuple[tuple[str, bytes, bytes], ...]

    def signed_by(self, key: VerifierKey) -> bool:
        """Whether this key signed it; one wrong signature of the key spoils the note."""
        ours = [made for name, id, made in self.signatures if (name, id) == (key.name, key.id)]
        public = Ed25519PublicKey.from_public_bytes(key.public)
        try:
            for signature in ours:
                public.verify(signature, self.text.encode())
        except InvalidSignature:
            return False
        return bool(ours)


def read_verifier_key(word: str) -> VerifierKey:
    name, _, rest = word.strip().partition("+")
    try:
        id_hex, _, material = rest.partition("+")
        raw = base64.b64decode(material, validate=True)
        key = VerifierKey(_name(name), raw[1:])
        Ed25519PublicKey.from_public_bytes(key.public)
    except (ValueError, binascii.Error):
        raise Unreadable("this is no verifier key; it reads NAME+ID+KEY in one word") from None
    if raw[:1] != ED25519 or id_hex != key.id.hex():
        raise Unreadable("this verifier key is not one of Ed25519, or a letter of it is wrong")
    return key


def read_note(note: str) -> SignedNote:
    text, blank, below = note.rpartition("\n\n")
    lines = below.split("\n")
    control = any(ord(letter) < 0x20 and letter != "\n" for letter in note)
    if not blank or lines[-1] or len(lines) < 2 or control or len(note.encode()) > MOST_BYTES:
        raise Unreadable("this is no signed note")
    return SignedNote(text + "\n", tuple(map(_signature, lines[:-1])))


def _signature(line: str) -> tuple[str, bytes, bytes]:
    try:
        name, _, encoded = line.removeprefix(DASH).partition(" ")
        made = base64.b64decode(encoded, validate=True)
        if not line.startswith(DASH) or len(made) <= ID_BYTES or _base64(made) != encoded:
            raise ValueError
        return _name(name), made[:ID_BYTES], made[ID_BYTES:]
    except (ValueError, binascii.Error):
        raise Unreadable("a signature of this note cannot be read") from None


def _name(name: str) -> str:
    if not name or "+" in name or any(letter.isspace() for letter in name):
        raise ValueError
    return name


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
