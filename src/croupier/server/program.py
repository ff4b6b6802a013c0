"""The program checks itself: whether its files are those that somebody answered for.

What is installed first is taken as it is. From then on a change stops play, also across restarts,
until a manager accepts it by its hash; every look is a line of the ledger.
"""

from __future__ import annotations

import hashlib
import logging
import platform
import threading
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import msgspec

import croupier
from croupier.facts.errors import Unavailable, Unreadable
from croupier.ledger.hand import SYSTEM
from croupier.ledger.happenings import PIT
from croupier.ledger.keeper import Clock
from croupier.ledger.port import Ledger
from croupier.server.journal import Journal

LOG = logging.getLogger("croupier")
STREAM = f"{PIT}program"
# What play goes through, from the socket to the disk.
LIBRARIES = (
    "argon2-cffi",
    "argon2-cffi-bindings",
    "cryptography",
    "litestar",
    "msgspec",
    "psycopg",
    "psycopg-binary",
    "uvicorn",
    "websockets",
)
NOT_PROGRAM = (".pyc", ".pyo")


class ProgramAccepted(msgspec.Struct, frozen=True, tag_field="event", tag="program-accepted"):
    digest: str
    parts: dict[str, str]


class ProgramChecked(msgspec.Struct, frozen=True, tag_field="event", tag="program-checked"):
    """``changed`` names the parts that are not those that were accepted."""

    digest: str
    changed: tuple[str, ...]


Look = ProgramAccepted | ProgramChecked


class ProgramShown(msgspec.Struct, frozen=True):
    """``changed`` names the parts that a manager has to accept before play goes on.

    The hash is empty while nobody has checked.
    """

    digest: str
    changed: tuple[str, ...]
    checked_at_us: int


class Program:
    def __init__(self, ledger: Ledger, clock: Clock) -> None:
        self._clock = clock
        self._journal: Journal[Look] = Journal(ledger, STREAM, Look, clock)
        self._accepted: ProgramAccepted | None = None
        for event in self._journal.news():
            if isinstance(event, ProgramAccepted):
                self._accepted = event
        self._desk = threading.Lock()
        self._parts: dict[str, str] = {}
        self._changed: tuple[str, ...] = ()
        self._checked_at_us = 0

    def check(self) -> ProgramShown:
        """Hash everything and hold it against what was accepted; takes a moment."""
        with self._desk:
            self._parts = parts()
            if self._accepted is None:
                self._accept(by=SYSTEM, role="device")
            accepted = self._accepted.parts if self._accepted is not None else {}
            self._changed = tuple(
                sorted(
                    name
                    for name in {*accepted, *self._parts}
                    if accepted.get(name) != self._parts.get(name)
                )
            )
            self._checked_at_us = self._clock()
            seen = ProgramChecked(digest(self._parts), self._changed)
            self._journal.write(seen, SYSTEM, "device")
        if self._changed:
            LOG.error("program changed", extra={"why": ", ".join(self._changed)})
        return self.shown()

    def accept(self, wanted: str, by: str, role: str) -> ProgramShown:
        with self._desk:
            if wanted != digest(self._parts):
                raise Unreadable("this is not the hash of the program that runs; look again")
            self._accept(by, role)
            self._changed = ()
        return self.shown()

    def shown(self) -> ProgramShown:
        known = digest(self._parts) if self._parts else ""
        return ProgramShown(known, self._changed, self._checked_at_us)

    def gate(self) -> None:
        if self._changed:
            raise Unavailable(
                f"the program has changed ({', '.join(self._changed)}); "
                "play goes on when a manager has accepted it"
            )

    def _accept(self, by: str, role: str) -> None:
        self._accepted = ProgramAccepted(digest(self._parts), self._parts)
        self._journal.write(self._accepted, by, role)


def parts() -> dict[str, str]:
    """The hash of everything that play goes through, by its name."""
    home = Path(croupier.__file__).parent
    found = {"croupier": _hashed(home, _own_files(home)), "python": platform.python_version()}
    for name in LIBRARIES:
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            continue
        where = Path(str(installed.locate_file("")))
        files = [where / str(file) for file in installed.files or () if ".." not in file.parts]
        found[name] = _hashed(where, files)
    return found


def digest(found: dict[str, str]) -> str:
    return hashlib.sha256(msgspec.json.encode(sorted(found.items()))).hexdigest()


def _own_files(home: Path) -> Iterator[Path]:
    return (path for path in home.rglob("*") if "__pycache__" not in path.parts)


def _hashed(home: Path, files: Iterator[Path] | list[Path]) -> str:
    total = hashlib.sha256()
    for path in sorted(files):
        if path.suffix not in NOT_PROGRAM and path.is_file():
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            total.update(f"{path.relative_to(home).as_posix()} {content}\n".encode())
    return total.hexdigest()
