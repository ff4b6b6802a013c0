"""What a ledger does, whatever keeps it: the one contract of SQLite and PostgreSQL.

A stream's version is its lock: whoever appends says which version he saw, and of two writers that
saw the same one only the first is written. An append is whole or not at all, and returns only when
it would survive the loss of power.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from croupier.facts.errors import Unavailable as Unavailable
from croupier.ledger.store.line import LedgerLine, LineDraft
from croupier.ledger.store.line_mac import LineMacs
from croupier.ledger.store.log import StoredLog

NEWEST = 2**63 - 1
WRITTEN = 4000  # lines kept for the log, some megabytes: more than a pit writes in a second


class Writing(msgspec.Struct, frozen=True):
    """Lines for one stream, by somebody who saw it at version ``expected`` (0: no line yet)."""

    stream: str
    expected: int
    drafts: tuple[LineDraft, ...]


class Head(msgspec.Struct, frozen=True):
    """Where a stream ends: ``version`` 0 and its genesis hash while it is empty."""

    stream: str
    version: int
    hash: bytes


class Applied(msgspec.Struct, frozen=True):
    """A migration the ledger went through: its number, when, and a hash that binds it to the
    ledger's id and to the migration before.
    """

    number: int
    at_us: int
    hash: bytes


class Moved(Exception):
    """A lost optimistic lock: somebody else wrote first, the stream is past the version seen."""

    def __init__(self, stream: str, expected: int, found: int) -> None:
        super().__init__(f"{stream} is at version {found}, not {expected}; read it again")
        self.stream, self.expected, self.found = stream, expected, found


class Repeated(Exception):
    """An idempotency id that is already in the ledger; its first answer stands there."""

    def __init__(self, command_id: str) -> None:
        super().__init__(f"command {command_id} is already in the ledger")
        self.command_id = command_id


class Damaged(Unavailable):
    """What keeps the ledger cannot be read any more as it was written."""


def unplaced(error: Exception, ledger: Ledger) -> str:
    """The sentence for people who need not know where the ledger is kept."""
    return str(error).replace(ledger.address, "the ledger")


class Ledger(Protocol):
    """Append-only streams of lines."""

    @property
    def id(self) -> str: ...

    @property
    def address(self) -> str:
        """What to show of where it is; never a password."""

    @property
    def conninfo(self) -> str:
        """How to connect to what keeps it: a path, or what libpq takes, maybe with a password."""

    @property
    def log(self) -> StoredLog:
        """The transparency log of all streams, as far as it was written."""

    @property
    def macs(self) -> LineMacs | None:
        """What lines are authenticated with from now on; None while no ring is at hand."""

    @property
    def written(self) -> deque[LedgerLine]:
        """Lines that were written from here, for whoever takes them out: the log need not read
        them back. Of many that nobody takes the oldest are dropped.
        """

    def authenticate(self, macs: LineMacs) -> None:
        """Write a MAC beside each line, for whoever has the ring."""

    def append(self, *writings: Writing) -> tuple[LedgerLine, ...]:
        """Write to several streams at once, all or nothing; Moved, Repeated or Unavailable.

        The lines come back in the order of the drafts. An answer is written whole: of the drafts
        with one command id the first holds the command, and all are in one append.
        """

    def append_each(
        self, batches: Sequence[Sequence[Writing]]
    ) -> Sequence[tuple[LedgerLine, ...] | Exception]:
        """Many appends with one wait for the disk: each is written, or says for itself why not."""

    def read(self, stream: str, after: int = 0, most: int | None = None) -> Iterator[LedgerLine]:
        """The lines of a stream in order, after a version, without holding them all."""

    def heads(self) -> Mapping[str, Head]:
        """Where every stream ends."""

    def head(self, stream: str) -> Head: ...

    def answered(self, command_id: str) -> Sequence[LedgerLine]:
        """Every line a command caused; empty for a command never seen.

        First the stream whose line holds the command, then the others by name.
        """

    def last_of(self, stream: str, kind: str, until: int = NEWEST) -> LedgerLine | None:
        """The newest line of a kind in a stream, or the newest up to a version."""

    def migrations(self) -> Sequence[Applied]:
        """What the ledger's tables went through, oldest first."""

    def flaws(self) -> Sequence[str]:
        """What the store itself finds wrong with its files, tables and indexes."""

    def copy_to(self, path: Path) -> None:
        """One moment of the ledger as a new SQLite file, while others go on writing."""

    def try_writing(self) -> None:
        """Unavailable where no transaction can be written now; an empty one is."""

    def close(self) -> None: ...
