"""A ledger in one SQLite file, in write-ahead mode, every commit on the disk before it is told."""

from __future__ import annotations

import functools
import os
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec

from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.migrations import SQLITE, Session, migrate
from croupier.ledger.store.port import Damaged, Unavailable
from croupier.ledger.store.sql import INSERT, VALUES, Copied, KeyConflict, Pool, Store

LOCK_TIMEOUT_S = 10
OURS_ALONE = 0o600  # names, chips and password hashes are in it
BATCH = 64
FULL, HASTE = "PRAGMA synchronous = FULL", "PRAGMA synchronous = NORMAL"
WRITING = (
    FULL,
    "PRAGMA fullfsync = ON",  # where fsync alone leaves data in the drive, as on macOS
    "PRAGMA trusted_schema = OFF",
)
SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"

DAMAGED = ("SQLITE_CORRUPT", "UnreadableText", "SQLITE_NOTADB", "SQLITE_ERROR")
KEY_TAKEN = ("SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE")

# What SQLite's errors mean to whoever runs the table; the first name that fits is taken.
SENTENCES = (
    ("SQLITE_FULL", "the disk is full; make room and try again"),
    ("SQLITE_READONLY", "the file or its folder cannot be written to; check their permissions"),
    ("SQLITE_PERM", "the file cannot be opened; check its permissions"),
    ("SQLITE_BUSY", "another program holds the file locked; close it or wait, and try again"),
    ("SQLITE_LOCKED", "another program holds the file locked; close it or wait, and try again"),
    ("SQLITE_NOTADB", "the file is not a ledger; check its name"),
    (("SQLITE_CORRUPT", "UnreadableText"), "the file is damaged; audit it, and restore a backup"),
    ("SQLITE_IOERR", "the disk did not take or give the data; check the disk and try again"),
    ("SQLITE_CANTOPEN", "the file cannot be opened; check that its folder exists and may be used"),
    ("SQLITE_TOOBIG", "a line is larger than the file can hold"),
)


class Stamp(NamedTuple):
    """How a file stands on its disk; the log is there while somebody has it open to write."""

    has_log: bool
    changed_ns: int
    size: int


class SqliteLedger(Store):
    """``read_only`` leaves file and folder exactly as they are, and needs no right to write."""

    dialect = SQLITE

    def __init__(
        self,
        path: Path | str,
        create: bool = False,
        read_only: bool = False,
        lock_timeout_s: int = LOCK_TIMEOUT_S,
        copied: Copied | None = None,
    ) -> None:
        self.path = Path(path)
        self.address = self.conninfo = str(self.path)
        self._read_only, self._lock_timeout_s = read_only, lock_timeout_s
        self._turn = threading.Lock()
        self._closed = False
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        self._pool = Pool(self._connect, self._sound)
        self._look(create)
        try:
            if not read_only:
                self._prepare()
            self._file = _place(self.path)
            self._begin(create, read_only, copied)
        except BaseException:
            self.close()
            raise

    def flaws(self) -> Sequence[str]:
        with self._reading() as session:
            found = [row[0] for row in session.rows("PRAGMA integrity_check(1)")]
            tables = session.rows(SCHEMA)
        flaws = [f"SQLite finds the file damaged: {line}" for line in found if line != "ok"]
        if not flaws and tables != _right_tables():
            flaws = ["a table, an index or a trigger is not the one that Croupier made"]
        return flaws

    def copy_to(self, path: Path) -> None:
        """SQLite's own online copy: one moment of the ledger, while others go on writing."""
        with (
            clear_errors(str(path)),
            self.lent() as connection,
            closing(sqlite3.connect(path, isolation_level=None)) as target,
        ):
            connection.backup(target)
        settle(path)

    def close(self) -> None:
        self._closed = True
        for connection in self._pool.drained():
            connection.close()
        if self._copy is not None:
            self._copy.cleanup()

    def stamp(self) -> Stamp:
        state = self.path.stat()
        return Stamp(self._log().exists(), state.st_mtime_ns, state.st_size)

    @contextmanager
    def lent(self) -> Iterator[sqlite3.Connection]:
        with self._pool.lent() as connection:
            yield connection

    # Opening

    def _look(self, create: bool) -> None:
        if self.path.is_dir():
            raise Unavailable(f"{self.address} is a folder; name a file in it")
        if not self.path.exists() and self._log().exists():
            raise Unavailable(
                f"{self._log()} is the log of a ledger that is not there; put the ledger back "
                "beside it, or choose another name"
            )
        if not self.path.exists() and (self._read_only or not create):
            raise Unavailable(
                f"there is no ledger at {self.address}; check the name, or create one"
            )
        if not self.path.parent.is_dir():
            raise Unavailable(f"{self.address} cannot be made: its folder does not exist")

    def _prepare(self) -> None:
        """Make the file if need be, and set it to write ahead; other people's are left alone."""
        is_new = not self.path.exists()
        if is_new:
            with suppress(OSError):  # what is wrong with the place SQLite says in a moment
                self.path.touch(mode=OURS_ALONE)
        with clear_errors(self.address), closing(self._opened("mode=rwc")) as connection:
            ((tables,),) = connection.execute("SELECT count(*) FROM sqlite_master")
            ((ours,),) = connection.execute(SQLITE.count_tables)
            if tables and not ours:
                raise Unavailable(f"{self.address} is a file of another program, not a ledger")
            if not _writes_ahead(connection):
                raise Unavailable(
                    f"{self.address} lies on a disk that cannot keep a ledger; use a local disk"
                )
            if is_new:
                sync_folder(self.path)

    def _connect(self) -> sqlite3.Connection:
        if self._closed:
            raise Unavailable(f"{self.address} is closed")
        if self._read_only:
            return self._connect_reading()
        connection = self._opened("mode=rw")
        for pragma in WRITING:
            connection.execute(pragma)
        return connection

    def _connect_reading(self) -> sqlite3.Connection:
        """Nobody has the file open when there is no log beside it: then nothing is left behind
        by reading it as it stands. A log is read too, in a copy where its folder cannot be used.
        """
        if not self._log().exists():
            return self._opened("mode=ro&immutable=1")
        connection = self._opened("mode=ro")
        try:
            connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.OperationalError as error:
            connection.close()
            if error.sqlite_errorname not in ("SQLITE_CANTOPEN", "SQLITE_READONLY_DIRECTORY"):
                raise
            return self._opened("mode=ro", self._copied())
        return connection

    def _opened(self, how: str, path: Path | None = None) -> sqlite3.Connection:
        where = quote(str((path or self.path).absolute()))
        return sqlite3.connect(
            f"file:{where}?{how}",
            uri=True,
            timeout=self._lock_timeout_s,
            isolation_level=None,
            check_same_thread=False,
        )

    def _copied(self) -> Path:
        if self._copy is None:
            self._copy = tempfile.TemporaryDirectory(prefix="croupier-")
            for path in filter(Path.exists, (self.path, self._log())):
                shutil.copyfile(path, Path(self._copy.name) / path.name)
        return Path(self._copy.name) / self.path.name

    def _log(self) -> Path:
        return self.path.with_name(self.path.name + "-wal")

    def _sound(self, connection: sqlite3.Connection) -> bool:
        if self._closed or self._read_only or connection.in_transaction:
            connection.close()
            return False
        return True

    # Statements

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        with clear_errors(self.address):
            if self._read_only:
                yield _Undisturbed(self)
            else:
                with self.lent() as connection:
                    yield _SqliteSession(connection)

    def _writing(self) -> AbstractContextManager[Session]:
        return self._transaction(self.lent)

    @contextmanager
    def _transaction(
        self, lent: Callable[[], AbstractContextManager[sqlite3.Connection]]
    ) -> Iterator[Session]:
        if self._read_only:
            raise Unavailable(f"{self.address} was opened for reading only")
        with self._turn, clear_errors(self.address), lent() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                if _place(self.path) != self._file:
                    raise Unavailable(
                        f"{self.address} was moved or removed while it was open; put it back"
                    )
                yield _SqliteSession(connection)
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def _migrating(self) -> AbstractContextManager[Session]:
        return self._writing()

    def _sequencing(self, *, may_be_lost: bool) -> AbstractContextManager[Session]:
        return self._transaction(self._lent_in_haste if may_be_lost else self.lent)

    @contextmanager
    def _lent_in_haste(self) -> Iterator[sqlite3.Connection]:
        """A connection whose commits wait for no disk; they reach it with the next that does."""
        with self.lent() as connection:
            connection.execute(HASTE)
            try:
                yield connection
            finally:
                connection.execute(FULL)


def _writes_ahead(connection: sqlite3.Connection) -> bool:
    """Whether the file is set to write ahead. Of several that set it at once SQLite turns all but
    one away without waiting: they try again for as long as any lock is waited for.
    """
    until_s = time.monotonic() + LOCK_TIMEOUT_S
    while True:
        try:
            mode: tuple[str] = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until_s:
                raise
            time.sleep(0.01)
        else:
            return mode == ("wal",)


class UnreadableText(sqlite3.DatabaseError):
    """SQLite's own words hold bytes that are no text: they came from a damaged file."""


class _SqliteSession:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except UnicodeDecodeError:
            raise UnreadableText from None
        except sqlite3.OperationalError as error:
            if "decode" not in str(error):
                raise
        # Somebody changed a text into bytes that are none: an auditor has to see them all the same.
        self._connection.text_factory = _any_text
        try:
            return self._connection.execute(sql, values).fetchall()
        finally:
            self._connection.text_factory = str

    def insert(self, lines: Iterable[LedgerLine]) -> None:
        left = iter(lines)
        try:
            while batch := [msgspec.structs.astuple(line) for line in islice(left, BATCH)]:
                values = ", ".join([VALUES] * len(batch))
                self._connection.execute(INSERT + values, list(chain.from_iterable(batch)))
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorname in KEY_TAKEN:
                raise KeyConflict from error
            raise


class _Undisturbed:
    """Reads a file that may be written meanwhile: a statement that was disturbed is asked again."""

    def __init__(self, ledger: SqliteLedger) -> None:
        self._ledger = ledger

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        while True:
            before = self._ledger.stamp()
            try:
                with self._ledger.lent() as connection:
                    found = _SqliteSession(connection).rows(sql, *values)
            except sqlite3.Error:
                if before == self._ledger.stamp():
                    raise
                continue
            if before.has_log or before == self._ledger.stamp():
                return found

    def insert(self, lines: Iterable[LedgerLine]) -> None:
        raise Unavailable(f"{self._ledger.address} was opened for reading only")


def _place(path: Path) -> tuple[int, int] | None:
    """Which file stands under this name, so that nothing is written to one that lost its name."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


@contextmanager
def clear_errors(address: str) -> Iterator[None]:
    """SQLite's and the system's errors as sentences about the file they are about."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", type(error).__name__)
        known = (sentence for start, sentence in SENTENCES if name.startswith(start))
        sentence = next(known, f"SQLite cannot go on ({error})")
        kind = Damaged if name.startswith(DAMAGED) else Unavailable
        raise kind(f"{address}: {sentence}") from error
    except OSError as error:
        raise Unavailable(f"{address} cannot be used: {error.strerror}") from error


def settle(path: Path) -> None:
    """One file that stands alone: no log belongs to it, and whoever may read it can open it."""
    with (
        clear_errors(str(path)),
        closing(sqlite3.connect(path, isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA journal_mode = DELETE")


def sync_folder(path: Path) -> None:
    """A new name is on the disk only when its folder is."""
    if os.name != "posix":
        return
    folder = os.open(path.absolute().parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@functools.cache
def _right_tables() -> list[tuple[Any, ...]]:
    """What a new ledger looks like, to hold an old one against."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        session = _SqliteSession(connection)
        migrate(session, SQLITE, "")
        return session.rows(SCHEMA)
    finally:
        connection.close()


def _any_text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
