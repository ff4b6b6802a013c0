"""The SQL that both stores share: the lines as one table, read and written.

A store adds how it connects, what a transaction is, and how its errors read as one sentence.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from typing import Generic, NamedTuple, TypeVar

import msgspec

from croupier.facts.errors import Unreadable, quoted
from croupier.ledger.store.line import (
    Break,
    Broken,
    LedgerLine,
    chained,
    followed,
    genesis,
    unsigned,
)
from croupier.ledger.store.line_mac import LineMacs
from croupier.ledger.store.log import StoredLog
from croupier.ledger.store.migrations import LATEST, Dialect, Session, applied, migrate, standing
from croupier.ledger.store.port import (
    NEWEST,
    WRITTEN,
    Applied,
    Damaged,
    Head,
    Moved,
    Repeated,
    Unavailable,
    Writing,
)

PAGE = 1000  # lines fetched at a time: a reader never holds a transaction or a whole stream
COLUMNS = ", ".join(LedgerLine.__struct_fields__)
INSERT = f"INSERT INTO lines ({COLUMNS}) VALUES "
VALUES = f"({', '.join('?' * len(LedgerLine.__struct_fields__))})"
HEAD = "SELECT version, hash FROM lines WHERE stream = ? ORDER BY version DESC LIMIT 1"
# The stores look each place up by its key where the places stand first.
ENDS = """WITH ends (stream, version) AS (VALUES {places})
SELECT lines.stream, lines.hash FROM ends CROSS JOIN lines
WHERE lines.stream = ends.stream AND lines.version = ends.version"""
# The streams are found by hopping from name to name, so that the cost is theirs, not the lines'.
HEADS = """WITH RECURSIVE names (stream) AS (
    SELECT min(stream) FROM lines
    UNION ALL
    SELECT (SELECT min(lines.stream) FROM lines WHERE lines.stream > names.stream)
    FROM names WHERE names.stream IS NOT NULL)
SELECT lines.stream, lines.version, lines.hash FROM names JOIN lines ON lines.stream = names.stream
AND lines.version = (SELECT max(last.version) FROM lines last WHERE last.stream = names.stream)"""
INTEGERS = range(-(2**63), 2**63)

C = TypeVar("C")


class KeyConflict(Exception):
    """A unique key is taken: the store has a line at this place, or an answer to this command."""


class Copied(NamedTuple):
    """Another ledger, to be taken over whole by a new one; without ``blinding`` it gets its own."""

    ledger_id: str
    lines: Iterable[LedgerLine]
    blinding: bytes | None = None
    log: StoredLog | None = None


class Pool(Generic[C]):
    """Connections lent to one thread at a time, and kept for the next while they are sound."""

    def __init__(self, connect: Callable[[], C], sound: Callable[[C], bool]) -> None:
        self._connect, self._sound = connect, sound
        self._idle: list[C] = []

    @contextmanager
    def lent(self) -> Iterator[C]:
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._connect()
        try:
            yield connection
        finally:
            if self._sound(connection):
                self._idle.append(connection)

    def drained(self) -> Iterator[C]:
        while self._idle:
            yield self._idle.pop()


class Store(ABC):
    """A ledger in six tables: ``ledger`` (its id), ``migrations``, ``lines``, and its log in
    three."""

    address: str
    dialect: Dialect
    macs: LineMacs | None = None
    _id: str = ""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Session]:
        """A connection for one statement that reads."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Session]:
        """A transaction that is on disk when the context ends, or never was."""

    @abstractmethod
    def _migrating(self) -> AbstractContextManager[Session]:
        """The same, entered by one process at a time."""

    @abstractmethod
    def _sequencing(self, *, may_be_lost: bool) -> AbstractContextManager[Session | None]:
        """A transaction for the log, beside those that write lines; None while another is in it.
        What ``may_be_lost`` waits for no disk: it is there with the next commit that does.
        """

    @abstractmethod
    def flaws(self) -> Sequence[str]: ...

    @abstractmethod
    def close(self) -> None: ...

    @property
    def id(self) -> str:
        return self._id

    @property
    def log(self) -> StoredLog:
        return StoredLog(self._reading, self._sequencing)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.address!r})"

    def authenticate(self, macs: LineMacs) -> None:
        self.macs = macs

    def try_writing(self) -> None:
        with self._writing():
            pass

    def append(self, *writings: Writing) -> tuple[LedgerLine, ...]:
        checked(writings)
        try:
            with self._writing() as session:
                lines = self._laid(session, writings)
        except (Moved, KeyConflict) as why:
            raise self._turned_away(writings, why) from None
        self.written.extend(lines)
        return lines

    def append_each(
        self, batches: Sequence[Sequence[Writing]]
    ) -> Sequence[tuple[LedgerLine, ...] | Exception]:
        """Where the whole cannot be written each is tried alone, and says for itself why not."""
        if len(batches) > 1:
            try:
                told = self._together(batches)
            except Unavailable:
                pass
            else:
                for lines in told:
                    self.written.extend(lines if isinstance(lines, tuple) else ())
                return told
        return [self._alone(writings) for writings in batches]

    def read(self, stream: str, after: int = 0, most: int | None = None) -> Iterator[LedgerLine]:
        left = most
        while left is None or left > 0:
            size = PAGE if left is None else min(PAGE, left)
            lines = self._page(stream, after, size)
            yield from lines
            if len(lines) < size:
                return
            after = lines[-1].version
            left = None if left is None else left - len(lines)

    def heads(self) -> Mapping[str, Head]:
        with self._reading() as session:
            return {row[0]: Head(*row) for row in session.rows(HEADS)}

    def head(self, stream: str) -> Head:
        with self._reading() as session:
            return self._head(session, stream)

    def answered(self, command_id: str) -> Sequence[LedgerLine]:
        with self._reading() as session:
            lines = _records(
                session.rows(
                    f"SELECT {COLUMNS} FROM lines WHERE command_id = ? AND command_id <> '' "
                    "ORDER BY stream, version",
                    command_id,
                )
            )
        asked = {line.stream for line in lines if line.command}
        return tuple(sorted(lines, key=lambda line: line.stream not in asked))

    def last_of(self, stream: str, kind: str, until: int = NEWEST) -> LedgerLine | None:
        with self._reading() as session:
            lines = _records(
                session.rows(
                    f"SELECT {COLUMNS} FROM lines WHERE stream = ? AND kind = ? "
                    "AND version <= ? ORDER BY version DESC LIMIT 1",
                    stream,
                    kind,
                    until,
                )
            )
        return lines[0] if lines else None

    def migrations(self) -> Sequence[Applied]:
        with self._reading() as session:
            return applied(session)

    @functools.cached_property
    def written(self) -> deque[LedgerLine]:
        return deque(maxlen=WRITTEN)

    def _begin(
        self,
        create: bool,
        read_only: bool,
        copied: Copied | None,
    ) -> None:
        """Find the ledger here, or make it, or let it take over another one's id and lines."""
        if copied is None:
            self._find(create, read_only)
        else:
            self._take_over(copied)
        self._id = self._only_id()

    def _find(self, create: bool, read_only: bool) -> None:
        with self._reading() as session:
            number = standing(session, self.dialect, self.address)
        if not number and (read_only or not create):
            raise Unavailable(f"{self.address} holds no ledger; check the address, or create one")
        if number < LATEST and read_only:
            raise Unavailable(
                f"{self.address} was written by an older Croupier; open it once for writing, "
                "which brings its tables up to date, or a copy of it"
            )
        if number < LATEST:
            with self._migrating() as session:
                migrate(session, self.dialect, self.address)

    def whole(self) -> Copied:
        """All that the ledger held when its heads were read: what stands before them never changes.
        The log is read up to where it ended before, so that it names no line that is not there.
        """
        log = self.log.up_to_now()
        heads = self.heads().values()
        lines = (line for head in heads for line in self._up_to(head))
        return Copied(self.id, lines, log.blinding, log)

    def _up_to(self, head: Head) -> Iterator[LedgerLine]:
        version = 0
        for line in followed(self.id, head.stream, self.read(head.stream, most=head.version)):
            yield line
            version = line.version
        if version != head.version:
            raise Broken(Break(head.stream, version + 1, "the line cannot be found"))

    def _take_over(self, copied: Copied) -> None:
        """In one transaction with the tables: a copy is there whole, or not at all."""
        try:
            with self._migrating() as session:
                if standing(session, self.dialect, self.address):
                    raise Unavailable(f"{self.address} holds a ledger; it is not written over")
                migrate(session, self.dialect, self.address, copied.ledger_id, copied.blinding)
                if copied.log is not None:
                    copied.log.copy_to(session)
                session.insert(copied.lines)
        except KeyConflict:
            raise Broken(Break("", 0, "a command is answered twice")) from None

    def _only_id(self) -> str:
        with self._reading() as session:
            ids = session.rows("SELECT id FROM ledger")
        if len(ids) != 1:
            raise Damaged(f"{self.address} is damaged: it names {len(ids)} ledgers, not one")
        return str(ids[0][0])

    def _laid(self, session: Session, writings: Sequence[Writing]) -> tuple[LedgerLine, ...]:
        """Put the lines in, in the order of their streams: no two writers wait for each other."""
        hashes = self._ends(session, writings)
        lines = {each.stream: self._chained(each, hashes[each.stream]) for each in writings}
        session.insert(line for stream in sorted(lines) for line in lines[stream])
        return tuple(line for writing in writings for line in lines[writing.stream])

    def _chained(self, each: Writing, previous: bytes) -> tuple[LedgerLine, ...]:
        mac = self.macs.made if self.macs is not None else unsigned
        return chained(each.stream, each.expected, previous, each.drafts, mac)

    def _ends(self, session: Session, writings: Sequence[Writing]) -> dict[str, bytes]:
        """The hash of the line that each writer takes for the last one.

        Where there is a later one, the store itself turns the writer away.
        """
        begun = [writing for writing in writings if writing.expected]
        places = [part for writing in begun for part in (writing.stream, writing.expected)]
        sql = ENDS.format(places=", ".join(["(?, ?)"] * len(begun)))
        hashes: dict[str, bytes] = dict(session.rows(sql, *places)) if begun else {}
        for writing in writings:
            if not writing.expected:
                hashes[writing.stream] = genesis(self._id, writing.stream)
            elif writing.stream not in hashes:
                found = self._head(session, writing.stream).version
                raise Moved(writing.stream, writing.expected, found)
        return hashes

    def _together(
        self, batches: Sequence[Sequence[Writing]]
    ) -> Sequence[tuple[LedgerLine, ...] | Exception]:
        """Nothing is told before all of it is on the disk."""
        try:
            with self._writing() as session:
                return self._laid_in_one(session, batches)
        except (Unreadable, Moved, KeyConflict):
            pass  # something stands against one of them, and that is no fault of the others
        with self._writing() as session:
            laid = [self._laid_apart(session, writings) for writings in batches]
        return [
            self._turned_away(writings, found) if isinstance(found, Exception) else found
            for writings, found in zip(batches, laid, strict=True)
        ]

    def _laid_in_one(
        self, session: Session, batches: Sequence[Sequence[Writing]]
    ) -> Sequence[tuple[LedgerLine, ...]]:
        """All of them with two statements, or none: nearly always nothing stands against any."""
        for batch in batches:
            checked(batch)
        writings = [writing for batch in batches for writing in batch]
        if len({writing.stream for writing in writings}) < len(writings):
            raise KeyConflict
        lines = iter(self._laid(session, writings))
        counts = [sum(len(writing.drafts) for writing in batch) for batch in batches]
        return [tuple(islice(lines, count)) for count in counts]

    def _laid_apart(
        self, session: Session, writings: Sequence[Writing]
    ) -> tuple[LedgerLine, ...] | Exception:
        """One of several in a transaction: what is wrong with it is undone without the others."""
        session.rows("SAVEPOINT one")
        found: tuple[LedgerLine, ...] | Exception
        try:
            checked(writings)
            found = self._laid(session, writings)
        except (Unreadable, Moved, KeyConflict) as why:
            session.rows("ROLLBACK TO SAVEPOINT one")
            found = why
        session.rows("RELEASE SAVEPOINT one")
        return found

    def _alone(self, writings: Sequence[Writing]) -> tuple[LedgerLine, ...] | Exception:
        try:
            return self.append(*writings)
        except (Unreadable, Moved, Repeated, Unavailable) as why:
            return why

    def _turned_away(self, writings: Sequence[Writing], why: Exception) -> Exception:
        """A command that was answered before comes first, then which stream another was on."""
        if not isinstance(why, Moved | KeyConflict):
            return why
        try:
            self._look_for(checked(writings))
            return why if isinstance(why, Moved) else self._moved(writings)
        except (Repeated, Unavailable) as found:
            return found

    def _look_for(self, commands: Iterable[str]) -> None:
        """Whoever asks again wants the first answer."""
        for command_id in commands:
            if self.answered(command_id):
                raise Repeated(command_id) from None

    def _moved(self, writings: Sequence[Writing]) -> Moved:
        """Which stream another writer was quicker on, after the store turned this one away."""
        found = [(writing, self.head(writing.stream).version) for writing in writings]
        writing, version = next((pair for pair in found if pair[1] != pair[0].expected), found[0])
        return Moved(writing.stream, writing.expected, version)

    def _head(self, session: Session, stream: str) -> Head:
        rows = session.rows(HEAD, stream)
        return Head(stream, *rows[0]) if rows else Head(stream, 0, genesis(self._id, stream))

    def _page(self, stream: str, after: int, size: int) -> list[LedgerLine]:
        with self._reading() as session:
            return _records(
                session.rows(
                    f"SELECT {COLUMNS} FROM lines WHERE stream = ? AND version > ? "
                    "ORDER BY version LIMIT ?",
                    stream,
                    after,
                    size,
                )
            )


def checked(writings: Sequence[Writing]) -> tuple[str, ...]:
    """The commands an append answers; Unreadable where it is not something a ledger can keep."""
    if not writings or not all(writing.drafts for writing in writings):
        raise Unreadable("an append writes at least one line to each stream it names")
    streams = [writing.stream for writing in writings]
    if len(set(streams)) < len(streams) or not all(streams):
        raise Unreadable("an append names each stream once, and every stream has a name")
    for writing in writings:
        _keepable(writing.stream, writing.expected)
    commands: dict[str, None] = {}
    for draft in (draft for writing in writings for draft in writing.drafts):
        _keepable(*msgspec.structs.astuple(draft)[:-1])
        if bool(draft.command) != (draft.command_id not in commands and draft.command_id != ""):
            raise Unreadable(
                f"of the lines with command id {quoted(draft.command_id)} exactly the first "
                "has to hold the command"
            )
        if draft.command:
            commands[draft.command_id] = None
    return tuple(commands)


def _keepable(*fields: object) -> None:
    """Neither store may be handed what the other could not hold."""
    for field in fields:
        if isinstance(field, str) and ("\0" in field or not _encodes(field)):
            raise Unreadable(f"{quoted(field)} holds a character that a ledger cannot keep")
        if isinstance(field, int) and field not in INTEGERS:
            raise Unreadable(f"{field} is too large a number for a ledger")


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _records(rows: Iterable[Sequence[object]]) -> list[LedgerLine]:
    return [LedgerLine(*row) for row in rows]  # type: ignore[arg-type]
