"""Signed heads: what somebody else keeps, so that a ledger cannot be cut short or written anew.

A chain proves that its lines belong together, not that they are all there. A head that left the
house, signed with a key that is not in the database, proves that the ledger held this line then.
The format is told in docs/ledger.md.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from croupier.disk import flush_to_disk, private_file
from croupier.facts.errors import Unreadable
from croupier.ledger.store.line import Break
from croupier.ledger.store.port import Head, Ledger

FORMAT = "croupier signed heads 1"
OTHERS = stat.S_IRWXG | stat.S_IRWXO


class StreamHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stream: str
    version: int
    hash: str


class SignedHeads(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bytes are written as hexadecimal digits. The signature is over everything before it."""

    format: str
    ledger: str
    at_us: int
    streams: tuple[StreamHead, ...]
    public_key: str
    signature: str = ""

    def signed_bytes(self) -> bytes:
        """The document as compact JSON, with an empty signature."""
        return (
            FORMAT.encode()
            + b"\n"
            + msgspec.json.encode(msgspec.structs.replace(self, signature=""))
        )


def create_key(file: Path) -> Ed25519PrivateKey:
    """A new key in a new file that only its owner can read."""
    key = Ed25519PrivateKey.generate()
    written = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        with private_file(file) as opened:
            opened.write(written)
            flush_to_disk(opened)
    except FileExistsError:
        raise Unreadable(f"{file}: there is such a file already; it is left alone") from None
    except OSError as error:
        raise Unreadable(f"{file}: the key cannot be written: {error.strerror}") from None
    return key


def read_key(file: Path) -> Ed25519PrivateKey:
    """The key in a file; refused while anybody but the file's owner could read or change it."""
    try:
        with file.open("rb") as opened:
            mode, content = os.fstat(opened.fileno()).st_mode, opened.read()
    except OSError as error:
        raise Unreadable(f"{file}: the key cannot be read: {error.strerror}") from None
    if os.name == "posix" and mode & OTHERS:
        raise Unreadable(
            f"{file}: others can read or change this key; run chmod 600 {file}, "
            "and make a new one if others could have read it"
        )
    try:
        key = load_pem_private_key(content, password=None)
    except (ValueError, TypeError):
        raise Unreadable(f"{file}: this is not a key") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise Unreadable(f"{file}: this is not a key that signs heads")
    return key


def public_text(key: Ed25519PrivateKey) -> str:
    """What an auditor is given once, to know the house's signature by."""
    return key.public_key().public_bytes_raw().hex()


def signed_heads(ledger: Ledger, key: Ed25519PrivateKey, at_us: int) -> str:
    """Where every stream ends now, as a JSON document of one line."""
    unsigned = SignedHeads(
        format=FORMAT,
        ledger=ledger.id,
        at_us=at_us,
        streams=tuple(_stream_head(head) for head in ledger.heads().values()),
        public_key=public_text(key),
    )
    signature = key.sign(unsigned.signed_bytes()).hex()
    return msgspec.json.encode(msgspec.structs.replace(unsigned, signature=signature)).decode()


def read_heads(text: str | bytes, signer: str | None = None) -> SignedHeads:
    """Heads whose signature holds; with ``signer``, the public key that has to be theirs.

    Without it the heads say only that they were not altered since somebody signed them.
    """
    try:
        heads = msgspec.json.decode(text, type=SignedHeads)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Unreadable("these are no signed heads, or they were altered") from None
    if heads.format != FORMAT:
        raise Unreadable(f"these heads are not in the format this program knows, {FORMAT}")
    if signer is not None and heads.public_key != signer.strip().lower():
        raise Unreadable("these heads were not signed with the key that was named")
    if not _holds(heads):
        raise Unreadable("the signature under these heads does not hold: they were altered")
    return heads


def head_break(ledger: Ledger, heads: SignedHeads) -> Break | None:
    """Where a ledger first lacks what it held when the heads were signed."""
    if heads.ledger != ledger.id:
        return Break("", 0, f"the heads were signed for ledger {heads.ledger}, not {ledger.id}")
    return next(filter(None, (_missing(ledger, head) for head in heads.streams)), None)


def _missing(ledger: Ledger, head: StreamHead) -> Break | None:
    found = next(ledger.read(head.stream, after=head.version - 1, most=1), None)
    if found is None or found.version != head.version:
        end = ledger.head(head.stream).version
        why = f"it ends at line {end}, but line {head.version} was signed: lines were cut off"
        return Break(head.stream, min(end + 1, head.version), why)
    if found.hash.hex() != head.hash:
        return Break(head.stream, head.version, "it is not the line that was signed")
    return None


def _stream_head(head: Head) -> StreamHead:
    return StreamHead(head.stream, head.version, head.hash.hex())


def _holds(heads: SignedHeads) -> bool:
    try:
        public, signature = bytes.fromhex(heads.public_key), bytes.fromhex(heads.signature)
        if (public.hex(), signature.hex()) != (heads.public_key, heads.signature):
            return False  # one way to write a signature, so that no other document passes for it
        Ed25519PublicKey.from_public_bytes(public).verify(signature, heads.signed_bytes())
    except (ValueError, InvalidSignature):
        return False
    return True
