"""The keys that seal packs: in a file of their own that only its owner can read, or handed in.

A ring holds every key that may still be needed. The newest seals; any of them opens. Losing one
loses the cards that lie face down under it, so a changed ring is on the disk before it is used.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import msgspec

from croupier.disk import flush_to_disk, private_file
from croupier.facts.errors import Unreadable, quoted
from croupier.facts.names import known_name

ENVIRONMENT = "CROUPIER_KEYS"
KEY_DOMAIN = b"croupier key 1"
KEY_BYTES = 32
MOST_BYTES = 1_000_000
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class SealKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One key. Its id is the beginning of a hash of it, so a key cannot bear another's name."""

    id: str
    made_at: str
    secret: bytes

    def __repr__(self) -> str:
        """Silent about the secret, so that no log or traceback tells it."""
        return f"Key({self.id}, made {self.made_at})"


class KeyRing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Keys from the oldest to the newest."""

    keys: tuple[SealKey, ...]

    def __post_init__(self) -> None:
        for key in self.keys:
            if len(key.secret) != KEY_BYTES or key.id != _id_of(key.secret):
                raise ValueError(f"key {quoted(key.id)} does not fit its id")
        if len({key.id for key in self.keys}) != len(self.keys) or not self.keys:
            raise ValueError("a ring holds one key or more, each once")

    @property
    def current(self) -> SealKey:
        """The key that seals."""
        return self.keys[-1]

    def key(self, key_id: str) -> SealKey | None:
        return next((key for key in self.keys if key.id == key_id), None)

    def rotated(self) -> KeyRing:
        """With a new current key; the others still open what they sealed."""
        return KeyRing((*self.keys, _new_key()))

    def retired(self, key_id: str) -> KeyRing:
        """Without a key: nothing that it sealed can be opened any more, by anybody."""
        known_name(key_id, [key.id for key in self.keys], "key", where="this ring")
        if key_id == self.current.id:
            raise Unreadable(f"key {key_id} is the current one; rotate the ring first")
        return KeyRing(tuple(key for key in self.keys if key.id != key_id))


def new_ring() -> KeyRing:
    return KeyRing((_new_key(),))


def ring_of(file: Path | None, environment: Mapping[str, str] = os.environ) -> KeyRing:
    """The ring in a file or, when none is named, the one the environment holds."""
    if file is not None:
        return read_ring(file)
    if ENVIRONMENT not in environment:
        raise Unreadable(
            f"there is no key to seal the shoe with; name a key file or set {ENVIRONMENT}"
        )
    return _ring_in(environment[ENVIRONMENT].encode(), ENVIRONMENT)


def read_ring(file: Path) -> KeyRing:
    """The ring in a file; refused while anybody but the file's owner could read or change it."""
    try:
        with file.open("rb") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            if mode & _OTHERS:
                raise Unreadable(
                    f"{file}: others can read or change these keys (mode {stat.S_IMODE(mode):04o});"
                    f" run chmod 600 {file}, and rotate the ring if others could have read it"
                )
            content = opened.read(MOST_BYTES)
    except OSError as error:
        raise Unreadable(f"{file}: the keys cannot be read: {error.strerror}") from None
    return _ring_in(content, str(file))


def create_ring(file: Path) -> KeyRing:
    """A new ring in a new file; a file that is there already is left alone."""
    ring = new_ring()
    with _new_file(file, "keys never take the place of another file") as opened:
        _write(opened, ring)
    _settle_folder(file)
    return ring


def rotate_ring(file: Path) -> KeyRing:
    return _changed(file, KeyRing.rotated)


def retire_key(file: Path, key_id: str) -> KeyRing:
    return _changed(file, lambda ring: ring.retired(key_id))


def _changed(file: Path, change: Callable[[KeyRing], KeyRing]) -> KeyRing:
    """The new ring is whole on the disk before it takes the old one's name.

    Its file, which only one can create, is the lock as well: two changes at once would lose a key.
    """
    read_ring(file)
    made = file.with_name(f"{file.name}.new")
    with _new_file(made, "the keys are being changed, or a change was cut off") as opened:
        ring = change(read_ring(file))
        _write(opened, ring)
        os.replace(made, file)
    _settle_folder(file)
    return ring


@contextmanager
def _new_file(file: Path, otherwise: str) -> Iterator[BinaryIO]:
    try:
        with private_file(file) as opened:
            yield opened
    except FileExistsError:
        raise Unreadable(f"{file}: there is such a file already; {otherwise}") from None
    except OSError as error:
        raise Unreadable(f"{file}: the keys cannot be written: {error.strerror}") from None


def _write(opened: BinaryIO, ring: KeyRing) -> None:
    opened.write(msgspec.json.format(msgspec.json.encode(ring)) + b"\n")
    flush_to_disk(opened)


def _settle_folder(file: Path) -> None:
    """A new name is on the disk only when its folder is."""
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _ring_in(content: bytes, where: str) -> KeyRing:
    """The reader's own words are not repeated: they could hold a piece of a key."""
    try:
        return msgspec.json.decode(content, type=KeyRing)
    except msgspec.DecodeError:
        raise Unreadable(f"{where}: this is not a ring of keys, or a key was altered") from None


def _new_key() -> SealKey:
    secret = secrets.token_bytes(KEY_BYTES)
    return SealKey(_id_of(secret), datetime.now(UTC).isoformat(timespec="seconds"), secret)


def _id_of(secret: bytes) -> str:
    return hashlib.sha256(KEY_DOMAIN + secret).hexdigest()[:16]
