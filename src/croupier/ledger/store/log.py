"""The transparency log as it is stored: leaves, every eighth level of the tree, and checkpoints.

The lines say what happened, and the log only in which order they were put into the tree. Whoever
adds to it says how many leaves he saw, and is turned away where another was quicker.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from croupier.ledger.transparency.tiles import WIDTH, rows_above, subtrees
from croupier.ledger.transparency.tree import Subtree

if TYPE_CHECKING:
    from croupier.ledger.store.migrations import Session

PAGE = 1000
BELOW_ALL = -(2**63)
# The streams are found by hopping from name to name, so that the cost is theirs, not the leaves'.
ENDS = """WITH RECURSIVE names (stream) AS (
    SELECT min(stream) FROM log_entries
    UNION ALL
    SELECT (SELECT min(later.stream) FROM log_entries later WHERE later.stream > names.stream)
    FROM names WHERE names.stream IS NOT NULL)
SELECT names.stream, (SELECT max(version) FROM log_entries WHERE log_entries.stream = names.stream)
FROM names WHERE names.stream IS NOT NULL"""
SIZE = "SELECT coalesce(max(place) + 1, 0) FROM log_entries"
CHECKPOINTS = "SELECT size, at_us, note, key FROM checkpoints"


class PlacedLeaf(NamedTuple):
    """A leaf of one stream, and where in the log it stands."""

    version: int
    place: int
    hash: bytes


class LogLeaf(NamedTuple):
    """Which line stands at a place of the log, and the hash of its entry."""

    stream: str
    version: int
    hash: bytes


class KeptCheckpoint(NamedTuple):
    """A signed note, and the verifier key that it was signed with."""

    size: int
    at_us: int
    note: str
    key: str


class Adding(Protocol):
    """A transaction of whoever adds; what may be lost is there with the next that may not."""

    def __call__(self, *, may_be_lost: bool) -> AbstractContextManager[Session | None]: ...


class StoredLog:
    """``end`` is where somebody stops reading while others go on; without it at the last leaf."""

    def __init__(
        self,
        reading: Callable[[], AbstractContextManager[Session]],
        adding: Adding,
        end: int | None = None,
    ) -> None:
        self._reading, self._adding, self._end = reading, adding, end

    def up_to_now(self) -> StoredLog:
        return StoredLog(self._reading, self._adding, self.size)

    @property
    def size(self) -> int:
        if self._end is not None:
            return self._end
        ((size,),) = self._rows(SIZE)
        return int(size)

    @functools.cached_property
    def blinding(self) -> bytes:
        """The secret that the salts of hidden parts are made from; never shown to anybody."""
        ((blinding,),) = self._rows("SELECT blinding FROM ledger")
        return bytes(blinding)

    def ends(self) -> Mapping[str, int]:
        """The last version of each stream that the log has."""
        return dict(self._rows(ENDS))

    def end_of(self, stream: str, before: int | None = None) -> int:
        """The last version of one stream, or the last that stands before a place; 0 for none."""
        sql = "SELECT version FROM log_entries WHERE stream = ? AND place < ?"
        end = self.size if before is None else before
        rows = self._rows(f"{sql} ORDER BY version DESC LIMIT 1", stream, end)
        return int(rows[0][0]) if rows else 0

    def leaves(self, start: int = 0, end: int | None = None) -> Iterator[LogLeaf]:
        """From one place up to another, in order; what is not there is left out."""
        end = self.size if end is None else end
        sql = "SELECT stream, version, hash FROM log_entries WHERE place >= ? AND place < ? "
        for at in range(start, end, PAGE):
            for row in self._rows(f"{sql} ORDER BY place", at, min(end, at + PAGE)):
                yield LogLeaf(*row)

    def of_stream(self, stream: str) -> Iterator[PlacedLeaf]:
        """The leaves of one stream by version, as far as the log is read."""
        sql = "SELECT version, place, hash FROM log_entries WHERE stream = ? AND version > ? "
        after, end = BELOW_ALL, self.size
        while rows := self._rows(f"{sql} ORDER BY version LIMIT {PAGE}", stream, after):
            for row in rows:
                if row[1] >= end:
                    return
                yield PlacedLeaf(*row)
            after = rows[-1][0]

    def places(self, stream: str, first: int, last: int) -> Mapping[int, int]:
        """Where the lines of a stream from one version to another stand."""
        sql = "SELECT version, place FROM log_entries WHERE stream = ? AND version BETWEEN ? AND ?"
        return dict(self._rows(sql, stream, first, last))

    def hashes(self, level: int, start: int, end: int) -> list[bytes]:
        """A row of tiles: the leaves at level 0."""
        if not level:
            sql = "SELECT hash FROM log_entries WHERE place >= ? AND place < ? ORDER BY place"
            return [hash for (hash,) in self._rows(sql, start, end)]
        sql = "SELECT hash FROM log_nodes WHERE level = ? AND place >= ? AND place < ?"
        return [hash for (hash,) in self._rows(f"{sql} ORDER BY place", level, start, end)]

    def subtrees(self) -> Subtree:
        """The hashes of complete subtrees, each tile read once."""

        @functools.cache
        def tile(level: int, number: int) -> list[bytes]:
            return self.hashes(level, number * WIDTH, (number + 1) * WIDTH)

        def read(level: int, start: int, end: int) -> list[bytes]:
            number = start // WIDTH
            return tile(level, number)[start - number * WIDTH : end - number * WIDTH]

        return functools.cache(subtrees(read))

    def extend(self, size: int, leaves: Sequence[LogLeaf]) -> bool:
        """Put leaves in after the first ``size``; False where another adds, or was quicker. They
        may be lost with the power: nothing was signed then, and they are put in again.
        """
        nodes = list(rows_above([leaf.hash for leaf in leaves], size, self.hashes))
        with self._adding(may_be_lost=True) as session:
            if session is None or session.rows(SIZE) != [(size,)]:
                return False
            placed = ((size + at, *leaf) for at, leaf in enumerate(leaves))
            _insert(session, "log_entries", placed)
            _insert(session, "log_nodes", nodes)
        return True

    def checkpoints(self) -> list[KeptCheckpoint]:
        """The smallest first."""
        rows = self._rows(f"{CHECKPOINTS} ORDER BY size")
        return [KeptCheckpoint(*row) for row in rows if row[0] <= self.size]

    def checkpoint_of(self, least: int = 0) -> KeptCheckpoint | None:
        """The newest, where it has at least so many leaves."""
        rows = self._rows(f"{CHECKPOINTS} WHERE size >= ? ORDER BY size DESC LIMIT 1", least)
        return KeptCheckpoint(*rows[0]) if rows else None

    def checkpoint_by(self, keys: Sequence[str]) -> KeptCheckpoint | None:
        """The newest that says it was signed with one of these keys."""
        marks = ", ".join("?" * len(keys))
        sql = f"{CHECKPOINTS} WHERE key IN ({marks}) ORDER BY size DESC LIMIT 1"
        rows = self._rows(sql, *keys)
        return KeptCheckpoint(*rows[0]) if rows else None

    def keep(self, made: KeptCheckpoint) -> bool:
        """Keep a checkpoint, on the disk with all its leaves before anybody is told; False where
        another makes one now, or made a later one.
        """
        with self._adding(may_be_lost=False) as session:
            if session is None:
                return False
            if session.rows("SELECT 1 FROM checkpoints WHERE size >= ?", made.size):
                return False
            _insert(session, "checkpoints", [made])
        return True

    def copy_to(self, session: Session) -> None:
        """All of it into an empty ledger."""
        _insert(session, "log_entries", ((at, *leaf) for at, leaf in enumerate(self.leaves())))
        size, level = self.size // WIDTH, 1
        while size:
            row = self.hashes(level, 0, size)
            _insert(session, "log_nodes", ((level, at, hash) for at, hash in enumerate(row)))
            size, level = size // WIDTH, level + 1
        _insert(session, "checkpoints", self.checkpoints())

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._reading() as session:
            return session.rows(sql, *values)


def _insert(session: Session, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    left = iter(rows)
    while batch := list(islice(left, PAGE)):
        marks = ", ".join([f"({', '.join('?' * len(batch[0]))})"] * len(batch))
        values = [value for row in batch for value in row]
        session.rows(f"INSERT INTO {table} VALUES {marks}", *values)
