"""A ledger in a PostgreSQL database, in a schema of its own, shared by many processes.

No table is locked. The key (stream, version) is the lock: two writers that saw the same head put
in the same key, the second waits for the first, and is turned away if the first is written.
"""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec
import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus

from croupier.facts.errors import Unreadable
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.migrations import APPENDED, POSTGRESQL, Session
from croupier.ledger.store.ownership import LostTable
from croupier.ledger.store.port import Damaged, Moved, Repeated, Unavailable, Writing
from croupier.ledger.store.sql import INSERT, VALUES, Copied, KeyConflict, Pool, Store
from croupier.ledger.store.sqlite import SqliteLedger, settle
from croupier.ledger.store.timeouts import TimedConnection

Connection = TimedConnection
TIMEOUT_S = 10
# What an address may leave open: how long to wait for a server that does not answer.
TIMEOUTS = {"connect_timeout": TIMEOUT_S, "tcp_user_timeout": 1000 * TIMEOUT_S}
LONGER_S = 2  # than the server itself waits for a lock, so that it can still say so
ASLEEP_S = 2.0  # for so long nobody waits again for a server that did not even let one in
SETTINGS = (
    "SET search_path TO croupier",
    "SET synchronous_commit TO on",
    "SET lock_timeout TO '{timeout_s}s'",
    "SET idle_in_transaction_session_timeout TO '{timeout_s}s'",
)
MIGRATING = 0x63726F7570696572  # "croupier": the number of the lock that migrations take
SEQUENCING = MIGRATING + 1  # whoever has it puts lines into the log
TRIES = 5
BATCH = 500  # lines a statement: it takes 65,535 values at most

DAMAGED = "XX"

# What PostgreSQL's error codes mean to whoever runs the table; the first that fits is taken.
SENTENCES = (
    ("53100", "the server's disk is full; make room and try again"),
    ("53", "the server is short of memory or disk; look after it and try again"),
    ("25006", "the database can only be read now; use the server that takes writes"),
    ("42", "the user may not do this there; check the rights of the user"),
    ("55P03", "another program holds the stream locked; wait and try again"),
    ("57", "the server is stopping or starting; try again when it is up"),
    ("58", "the server cannot use its disk; look after it and try again"),
    (DAMAGED, "the server's data is damaged; audit it, and restore a backup"),
)
NO_ANSWER = "the server cannot be reached; check that it runs and that the address is right"

DOUBT = (
    "whether the last lines were written is known when the server is back: "
    "give the command again with the same id"
)
GUARDS = """SELECT index.relname FROM pg_index JOIN pg_class index ON index.oid = indexrelid
WHERE index.relnamespace = 'croupier'::regnamespace AND indisvalid AND indisready
UNION ALL SELECT tgname FROM pg_trigger JOIN pg_class held ON held.oid = tgrelid
WHERE held.relnamespace = 'croupier'::regnamespace AND tgenabled = 'O'"""
GUARDING = {
    *("lines_pkey", "lines_of_commands", "lines_of_answers", "lines_of_kinds"),
    *("log_entries_pkey", "log_nodes_pkey", "checkpoints_pkey"),
    *(f"{table}_stay" for table in APPENDED),
}


class ConnectionLost(Exception):
    """The connection was cut; ``committing`` when the lines may have been written all the same."""

    def __init__(self, committing: bool) -> None:
        super().__init__()
        self.committing = committing


class PostgresLedger(Store):
    dialect = POSTGRESQL

    def __init__(
        self,
        address: str,
        create: bool = False,
        read_only: bool = False,
        copied: Copied | None = None,
    ) -> None:
        self.conninfo, self.address = understood(address)
        self._timeout_s = int(conninfo_to_dict(self.conninfo).get("connect_timeout") or 0)
        self._asleep_until = 0.0
        self._read_only, self._closed = read_only, False
        self._pool = Pool(self._connect, self._sound)
        try:
            self._begin(create, read_only, copied)
        except ConnectionLost:
            self.close()
            raise Unavailable(f"{self.address}: {NO_ANSWER}") from None
        except BaseException:
            self.close()
            raise

    def copy_to(self, path: Path) -> None:
        SqliteLedger(path, create=True, copied=self.whole()).close()
        settle(path)

    def append(self, *writings: Writing) -> tuple[LedgerLine, ...]:
        """A cut connection is opened again. Where the answer to a commit was lost, the same lines
        are put in once more: their keys are refused if they are there, and then they are ours.
        """
        return self._appended(writings, in_doubt=False)

    def append_each(
        self, batches: Sequence[Sequence[Writing]]
    ) -> Sequence[tuple[LedgerLine, ...] | Exception]:
        """What was cut, or met another writer crosswise, is put in again one by one."""
        in_doubt = False
        try:
            return super().append_each(batches)
        except errors.DeadlockDetected:
            pass
        except ConnectionLost as lost:
            in_doubt = lost.committing
            self._drain()
        return [self._one_by_one(writings, in_doubt) for writings in batches]

    def _one_by_one(
        self, writings: Sequence[Writing], in_doubt: bool
    ) -> tuple[LedgerLine, ...] | Exception:
        try:
            return self._appended(writings, in_doubt)
        except (Unreadable, Moved, Repeated, Unavailable) as why:
            return why

    def _appended(self, writings: Sequence[Writing], in_doubt: bool) -> tuple[LedgerLine, ...]:
        for _ in range(TRIES):
            try:
                return super().append(*writings)
            except errors.DeadlockDetected:
                continue
            except ConnectionLost as lost:
                in_doubt = in_doubt or lost.committing
                self._drain()
            except (Moved, Repeated, LostTable):
                # Whoever lost a table has lost his old connection, too: it writes no more.
                if in_doubt and (ours := self._found(writings)):
                    return ours
                raise
            except Unavailable as error:
                if in_doubt:
                    raise _doubtful(error) from None
                raise
        raise Unavailable(f"{self.address}: {DOUBT if in_doubt else NO_ANSWER}")

    def flaws(self) -> Sequence[str]:
        """The server checks pages as it reads them; what guards the lines has to be in force."""
        with self._reading() as session:
            found = {name for (name,) in session.rows(GUARDS)}
        return [f"{name} is not in force in the database" for name in sorted(GUARDING - found)]

    def close(self) -> None:
        self._closed = True
        self._drain()

    def _found(self, writings: Sequence[Writing]) -> tuple[LedgerLine, ...]:
        """The same as ours; where nobody can look, the doubt stays one."""
        try:
            return self._ours(writings)
        except Unavailable as error:
            raise _doubtful(error) from None

    def _ours(self, writings: Sequence[Writing]) -> tuple[LedgerLine, ...]:
        """The lines of an append in doubt as they stand in the ledger; none if they do not."""
        found: list[LedgerLine] = []
        for writing in writings:
            lines = tuple(self.read(writing.stream, writing.expected, len(writing.drafts)))
            before = lines[0].previous if lines else b""
            if lines != self._chained(writing, before):
                return ()
            found.extend(lines)
        return tuple(found)

    # Connections

    def _connect(self) -> Connection:
        if self._closed:
            raise Unavailable(f"{self.address} is closed")
        if time.monotonic() < self._asleep_until:
            raise Unavailable(f"{self.address}: {NO_ANSWER}")
        try:
            connection = TimedConnection.connect(
                self.conninfo, autocommit=True, cursor_factory=psycopg.RawCursor
            )
        except errors.ConnectionTimeout:
            self._asleep_until = time.monotonic() + ASLEEP_S
            raise
        try:
            self._set_up(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _set_up(self, connection: Connection) -> None:
        if self._timeout_s:
            connection.answer_s = self._timeout_s + LONGER_S
        for setting in SETTINGS:
            connection.execute(setting.format(timeout_s=self._timeout_s).encode())
        if self._read_only:
            connection.execute("SET default_transaction_read_only TO on")
        elif connection.execute("SHOW fsync").fetchone() != ("on",):
            raise Unavailable(
                f"{self.address}: the server does not wait for its disk; set fsync to on there"
            )

    def _drain(self) -> None:
        """When one connection was cut the others most likely were too."""
        for connection in self._pool.drained():
            connection.close()

    def _sound(self, connection: Connection) -> bool:
        if self._closed or connection.info.transaction_status != TransactionStatus.IDLE:
            connection.close()
            return False
        return True

    # Statements

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        with self._clear_errors():
            yield _Reader(self._pool, self._drain)

    def _writing(self) -> AbstractContextManager[_PostgresSession]:
        return self._transaction(self._writer)

    @contextmanager
    def _transaction(
        self, lent: Callable[[], AbstractContextManager[Connection]]
    ) -> Iterator[_PostgresSession]:
        if self._read_only:
            raise Unavailable(f"{self.address} was opened for reading only")
        with self._clear_errors(), lent() as connection:
            committing = False
            try:
                connection.execute("BEGIN")
                yield _PostgresSession(connection)
                committing = True
                connection.execute("COMMIT")
            except psycopg.OperationalError as error:
                if connection.closed:
                    raise ConnectionLost(committing) from error
                raise
            finally:
                if connection.info.transaction_status != TransactionStatus.IDLE:
                    with suppress(psycopg.Error):
                        connection.execute("ROLLBACK")

    def _writer(self) -> AbstractContextManager[Connection]:
        """What is written with; here anybody's, for the versions alone are the lock."""
        return self._pool.lent()

    @contextmanager
    def _migrating(self) -> Iterator[Session]:
        with self._writing() as session, session.unhurried():
            session.rows("SELECT pg_advisory_xact_lock(?)", MIGRATING)
            yield session

    @contextmanager
    def _sequencing(self, *, may_be_lost: bool) -> Iterator[Session | None]:
        """On a connection of its own: whoever writes lines never waits for it."""
        try:
            with self._transaction(self._pool.lent) as session:
                if may_be_lost:
                    session.rows("SET LOCAL synchronous_commit TO off")
                ((ours,),) = session.rows("SELECT pg_try_advisory_xact_lock(?)", SEQUENCING)
                yield session if ours else None
        except ConnectionLost:
            raise Unavailable(f"{self.address}: {NO_ANSWER}") from None

    @contextmanager
    def _clear_errors(self) -> Iterator[None]:
        try:
            yield
        except errors.DeadlockDetected:
            raise
        except psycopg.Error as error:
            kind = Damaged if (error.sqlstate or "").startswith(DAMAGED) else Unavailable
            raise kind(f"{self.address}: {_sentence(error)}") from None


class _PostgresSession:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        cursor = self._connection.execute(numbered(sql), values)
        return cursor.fetchall() if cursor.description else []

    def unhurried(self) -> AbstractContextManager[None]:
        return self._connection.unhurried()

    def insert(self, lines: Iterable[LedgerLine]) -> None:
        left = iter(lines)
        try:
            while batch := [msgspec.structs.astuple(line) for line in islice(left, BATCH)]:
                self.rows(INSERT + ", ".join([VALUES] * len(batch)), *chain.from_iterable(batch))
        except errors.UniqueViolation as error:
            raise KeyConflict from error


class _Reader:
    """One statement that reads, asked again on a new connection when the first was cut."""

    def __init__(self, pool: Pool[Connection], drain: Callable[[], None]) -> None:
        self._pool, self._drain = pool, drain

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._pool.lent() as connection:
            try:
                return _PostgresSession(connection).rows(sql, *values)
            except psycopg.OperationalError:
                if not connection.closed:
                    raise
        self._drain()
        with self._pool.lent() as connection:
            return _PostgresSession(connection).rows(sql, *values)

    def insert(self, lines: Iterable[LedgerLine]) -> None:
        raise Unavailable("this ledger was opened for reading only")


def _doubtful(error: Unavailable) -> Unavailable:
    return Unavailable(f"{error}; {DOUBT}")


def understood(address: str) -> tuple[str, str]:
    """What to connect with, and what to show of it: never a password, whatever was written."""
    try:
        parts = conninfo_to_dict(address)
        [int(str(parts.get(number) or 0)) for number in ("port", "connect_timeout")]
        complete = make_conninfo(address, **{k: v for k, v in TIMEOUTS.items() if k not in parts})
    except (psycopg.Error, ValueError):
        raise Unreadable(
            "the PostgreSQL address cannot be read; "
            "write postgresql://user@host:port/database, special characters as %XX"
        ) from None
    user, port = parts.get("user"), parts.get("port")
    host = str(parts.get("host") or parts.get("hostaddr") or "localhost")
    who, door = (f"{user}@" if user else ""), (f":{port}" if port else "")
    return complete, f"postgresql://{who}{host}{door}/{parts.get('dbname') or user or ''}"


def _sentence(error: psycopg.Error) -> str:
    """The code of an error tells; one while connecting has none, only the server's own words."""
    code = error.sqlstate
    if code is None:
        turned_away = re.search(r"FATAL: +(.+)", str(error))
        return f"the server turned the user away ({turned_away[1]})" if turned_away else NO_ANSWER
    known = (sentence for start, sentence in SENTENCES if code.startswith(start))
    return next(known, f"PostgreSQL cannot go on (error {code})")


@functools.cache
def numbered(sql: str) -> bytes:
    """With the numbers of its values, as the server wants it: the driver would else cut a statement
    of many lines into pieces anew each time, at a quarter of the cost of an append."""
    first, *rest = sql.split("?")
    return "".join([first, *(f"${at}{part}" for at, part in enumerate(rest, 1))]).encode()
