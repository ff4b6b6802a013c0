"""Integrity check of the program: SHA-256 of its installed files against an accepted hash.

What is installed first is taken as it is. From then on a change stops play, also across restarts,
until a manager accepts it by its hash, at any process that runs it; every look is a line of the
ledger, and so is a start without one; what it cannot see is told with it. Python runs compiled
files that lie beside the sources: each has to be what its source compiles to.
"""

from __future__ import annotations

import hashlib
import logging
import marshal
import platform
import re
import sys
import threading
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import cache_from_source
from pathlib import Path
from types import CodeType

import msgspec

import croupier
from croupier.facts.errors import Unavailable, Unreadable
from croupier.ledger.envelope import SYSTEM
from croupier.ledger.events import PIT, StaffPowerUsed
from croupier.ledger.kept_table import Clock
from croupier.ledger.store.port import Ledger
from croupier.server.pit.journal import Journal

LOG = logging.getLogger("croupier")
STREAM = f"{PIT}program"
# What play goes through, from the socket to the disk, each with the libraries that it needs.
LIBRARIES = (
    "argon2-cffi",
    "cryptography",
    "cyclopts",
    "jinja2",
    "litestar",
    "msgspec",
    "prometheus-client",
    "psycopg",
    "psycopg-binary",
    "uvicorn",
    "uvloop",
    "websockets",
)
NOT_COVERED = (
    "the Python interpreter and its standard library",
    "hooks of site (.pth files, sitecustomize, usercustomize)",
    "the environment (PYTHONPATH, LD_PRELOAD and the like)",
    "the operating system",
)
COMPILED = "__pycache__"
HEADER_BYTES = 16  # of a compiled file, before its code
NEEDED = re.compile(r"[A-Za-z0-9._-]+")


class ProgramAccepted(msgspec.Struct, frozen=True, tag_field="event", tag="program-accepted"):
    digest: str
    parts: dict[str, str]


class ProgramChecked(msgspec.Struct, frozen=True, tag_field="event", tag="program-checked"):
    """``changed`` names the parts that are not those that were accepted."""

    digest: str
    changed: tuple[str, ...]


class ProgramUnchecked(msgspec.Struct, frozen=True, tag_field="event", tag="program-unchecked"):
    """The service was started without its self-check, by its settings."""


class LedgerTried(msgspec.Struct, frozen=True, tag_field="event", tag="ledger-tried"):
    """A writing had failed, and this one went through."""


ProgramEvent = ProgramAccepted | ProgramChecked | ProgramUnchecked | LedgerTried | StaffPowerUsed


class ProgramShown(msgspec.Struct, frozen=True):
    """``changed`` names the parts that a manager has to accept before play goes on.

    The hash is empty while nobody has checked. ``not_covered`` is what no look at the program's
    own files can find changed.
    """

    digest: str
    changed: tuple[str, ...]
    checked_at_us: int
    not_covered: tuple[str, ...] = NOT_COVERED


class SelfCheck:
    def __init__(self, ledger: Ledger, clock: Clock) -> None:
        self._clock = clock
        self._journal: Journal[ProgramEvent] = Journal(ledger, STREAM, ProgramEvent, clock)
        self._accepted: ProgramAccepted | None = None
        for event in self._acceptances():
            self._accepted = event
        self._desk = threading.Lock()
        self._parts: dict[str, str] = {}
        self._changed: tuple[str, ...] = ()
        self._checked_at_us = 0

    @property
    def is_checked(self) -> bool:
        return bool(self._checked_at_us)

    def leave_unchecked(self) -> None:
        """Whoever set it so is told so, and the ledger keeps it."""
        self._journal.write(ProgramUnchecked(), SYSTEM, "device")
        LOG.warning("the program is not checked", extra={"why": "self_check is false"})

    def try_ledger(self) -> None:
        self._journal.write(LedgerTried(), SYSTEM, "device")

    def check(self) -> ProgramShown:
        """Hash everything and hold it against what was accepted; takes a moment."""
        with self._desk:
            self._parts = parts()
            if self._accepted is None:  # unless another process was quicker
                self._accepted = next(self._acceptances(), None)
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

    def follow(self) -> None:
        """Whoever accepted this very program at another process has accepted it here, too.

        Another program that was accepted there leaves this one as it is: processes are upgraded
        one after the other.
        """
        with self._desk:
            running = digest(self._parts)
            for event in self._acceptances():
                if event.digest == running:
                    self._accepted, self._changed = event, ()

    def accept(self, wanted: str, by: str, role: str) -> ProgramShown:
        with self._desk:
            if wanted != digest(self._parts):
                raise Unreadable("this is not the hash of the program that runs; look again")
            used = StaffPowerUsed("program", wanted[:16], "another program", SYSTEM, by)
            self._accept(by, role, used)
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

    def _acceptances(self) -> Iterator[ProgramAccepted]:
        """Those that were written since the last look."""
        return (event for event in self._journal.news() if isinstance(event, ProgramAccepted))

    def _accept(self, by: str, role: str, *used: StaffPowerUsed) -> None:
        """What is installed first is nobody's act of the policy."""
        self._accepted = ProgramAccepted(digest(self._parts), self._parts)
        self._journal.write_all((self._accepted, *used), by, role)


def parts() -> dict[str, str]:
    """The hash of everything that play goes through, by its name."""
    home = Path(croupier.__file__).parent
    found = {"python": platform.python_version()}
    trees = {"croupier": (home.parent, [home])} | {
        name: _trees(installed) for name, installed in sorted(_libraries().items())
    }
    for name, (where, roots) in trees.items():
        files = sorted({file for root in roots for file in _files(root)})
        found[name] = _hashed(where, files)
        for file in _foreign(files):
            wrong = file.relative_to(where).as_posix()
            found[f"compiled {wrong}"] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


def digest(found: dict[str, str]) -> str:
    return hashlib.sha256(msgspec.json.encode(sorted(found.items()))).hexdigest()


def _libraries() -> dict[str, Distribution]:
    """Every library named above that is installed, and what they need in turn."""
    found: dict[str, Distribution] = {}
    wanted = list(LIBRARIES)
    while wanted:
        name = wanted.pop().lower().replace("_", "-")
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue
        needs = (need for need in found[name].requires or () if "extra ==" not in need)
        wanted += [match.group() for need in needs if (match := NEEDED.match(need))]
    return found


def _trees(installed: Distribution) -> tuple[Path, list[Path]]:
    """Where a library lies: whole folders, so that a file that was put there is seen."""
    where = Path(str(installed.locate_file("")))
    inside = [file for file in installed.files or () if ".." not in file.parts]
    return where, sorted({where / file.parts[0] for file in inside})


def _files(root: Path) -> Iterator[Path]:
    found = root.rglob("*") if root.is_dir() else iter((root,))
    return (path for path in found if COMPILED not in path.parts and path.is_file())


def _hashed(where: Path, files: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for path in files:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{path.relative_to(where).as_posix()} {content}\n".encode())
    return total.hexdigest()


def _foreign(files: Iterable[Path]) -> Iterator[Path]:
    """Compiled files that are not what their sources say, of all that runs here."""
    run = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    for source in files:
        if source.suffix == ".py" and str(source) in run:
            compiled = Path(cache_from_source(str(source)))
            if compiled.is_file() and not _is_its_own(source, compiled):
                yield compiled


_SEEN: dict[Path, tuple[bytes, bytes]] = {}


def _is_its_own(source: Path, compiled: Path) -> bool:
    """Looked at once for each content: to compile everything takes a while."""
    text, code = source.read_bytes(), compiled.read_bytes()
    known = (hashlib.sha256(text).digest(), hashlib.sha256(code).digest())
    if _SEEN.get(compiled) == known:
        return True
    if _is_older(source, code) or _code(code) == compile(
        text, str(source), "exec", dont_inherit=True
    ):
        _SEEN[compiled] = known
        return True
    return False


def _is_older(source: Path, code: bytes) -> bool:
    """Python compiles the source anew where the compiled file is of another time or size."""
    flags, time_s, size = (int.from_bytes(code[at : at + 4], "little") for at in (4, 8, 12))
    stands = source.stat()
    return flags == 0 and (time_s, size) != (int(stands.st_mtime) & 0xFFFFFFFF, stands.st_size)


def _code(compiled: bytes) -> CodeType | None:
    try:
        found = marshal.loads(compiled[HEADER_BYTES:])
    except (ValueError, EOFError, TypeError):
        return None
    return found if isinstance(found, CodeType) else None
