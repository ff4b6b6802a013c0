"""As much of a PostgreSQL server as the ledger speaks to, on one SQLite file and in told time.

Connections, sessions, advisory locks, silence that ends a session, notifications and the errors of
psycopg are as the real ones are; the ledger's own code for them is what runs. A connection that is
cut may leave its session behind: the server believes in it, and in its locks, until it is silent
for too long.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from psycopg import errors
from psycopg.pq import TransactionStatus

from croupier.ledger.store import shared_postgres
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.migrations import POSTGRESQL, TABLES
from croupier.ledger.store.ownership import News
from croupier.ledger.store.postgres import numbered
from soak.clockwork import Loop, Process, current
from soak.shaky import Weather

ADDRESS = "postgresql://soak@pit/pit"
GONE = "the connection was lost"
NUMBERED = re.compile(r"\$\d+")
NOTE = re.compile(r"(table|link|pit)/[\w.-]*(/[\w-]+)? \d+")
FIELDS = len(LedgerLine.__struct_fields__)
Rows = list[tuple[Any, ...]]
Wrote = Callable[["Session", list[LedgerLine]], None]
Heard = Callable[[News | None], None]


class Session:
    """One backend of the server: what it holds, and when it was last heard."""

    def __init__(self, server: Server, process: Process | None, backend: int) -> None:
        self.server, self.process, self.backend = server, process, backend
        self.name = ""
        self.silence_s: float | None = None
        self.heard_s = server.loop.time()
        self.over = False
        self.file = sqlite3.connect(server.path, isolation_level=None)
        self.lines: list[LedgerLine] = []
        self.notes: list[str] = []

    def end(self) -> None:
        """Whatever was not committed never was, and its locks are free."""
        if self.over:
            return
        self.over = True
        self.file.close()
        self.server.locks = {n: s for n, s in self.server.locks.items() if s is not self}
        for holders in self.server.shared.values():
            holders.pop(self, None)


class Server:
    """``wrote`` is told every commit, with the session that made it."""

    def __init__(self, loop: Loop, path: Path, wrote: Wrote) -> None:
        self.loop, self.path, self.wrote = loop, path, wrote
        self.sessions: dict[int, Session] = {}
        self.locks: dict[int, Session] = {}
        self.shared: dict[int, dict[Session, None]] = {}
        self.listeners: dict[Process, Heard] = {}
        self._weather: dict[Process, Weather] = {}
        self._backends = count(100)

    def admit(self, process: Process, weather: Weather) -> None:
        """Which weather a process has on its way here."""
        self._weather[process] = weather

    def connect(self, conninfo: str = "", **options: Any) -> Connection:
        """In the place of a real connection."""
        process = current()
        weather = self._weather.get(process) if process is not None else None
        if weather is not None and (weather.cut or weather.fails("no connection", weather.reading)):
            raise psycopg.OperationalError("connection failed")
        session = Session(self, process, next(self._backends))
        self.sessions[session.backend] = session
        return Connection(self, session, weather)

    def expire(self) -> None:
        """Whoever is silent for too long is no longer believed in."""
        now_s = self.loop.time()
        for session in list(self.sessions.values()):
            if session.silence_s is not None and now_s - session.heard_s > session.silence_s:
                session.end()
            if session.over:
                del self.sessions[session.backend]

    def part(self, process: Process, *, leaving_ghosts: bool) -> None:
        """A process is gone; a machine that lost its power does not even say so."""
        self.listeners.pop(process, None)
        if not leaving_ghosts:
            for session in list(self.sessions.values()):
                if session.process is process:
                    session.end()

    def terminate(self, process: Process) -> None:
        """An administrator ends every session of a process; it finds out when it next speaks."""
        for session in list(self.sessions.values()):
            if session.process is process:
                session.end()

    def notify(self, note: str) -> None:
        if not NOTE.fullmatch(note):
            raise AssertionError(f"a notification says more than a stream and a version: {note}")
        for process, heard in list(self.listeners.items()):
            weather = self._weather[process]
            if not weather.cut:
                self._tell(process, heard, shared_postgres._heard(note))

    def catch_up(self, process: Process | None) -> None:
        """A listener that was cut is back, and knows that it may have missed something."""
        heard = self.listeners.get(process) if process is not None else None
        if process is not None and heard is not None:
            self._tell(process, heard, None)

    def listen(self, heard: Heard) -> None:
        process = current()
        assert process is not None
        self.listeners[process] = heard
        self._tell(process, heard, None)

    def _tell(self, process: Process, heard: Heard, news: News | None) -> None:
        at_s = self.loop.time() + process.slow_s()
        self.loop.call_at(at_s, heard, news, context=process.context())


class _Info:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def backend_pid(self) -> int:
        return self._connection.session.backend

    @property
    def transaction_status(self) -> TransactionStatus:
        return self._connection.status


class _Cursor:
    def __init__(self, rows: Rows | None) -> None:
        self._rows = rows

    @property
    def description(self) -> object:
        return self._rows is not None or None

    def fetchall(self) -> Rows:
        return self._rows or []

    def fetchone(self) -> tuple[Any, ...] | None:
        return self._rows[0] if self._rows else None


class Connection:
    """What psycopg gives to the ledger, as far as the ledger uses it."""

    def __init__(self, server: Server, session: Session, weather: Weather | None) -> None:
        self._server, self.session, self._weather = server, session, weather
        self.closed = False
        self.status = TransactionStatus.IDLE
        self._mark = 0
        self.info = _Info(self)

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.session.end()

    def unhurried(self) -> AbstractContextManager[None]:
        """Here nobody waits: what is asked is answered, or cut."""
        return nullcontext()

    def execute(self, sql: str | bytes, values: Sequence[Any] = ()) -> _Cursor:
        self._server.expire()
        if self.closed or self.session.over:
            raise self._lost()
        self._suffer(text := sql.decode() if isinstance(sql, bytes) else sql)
        self.session.heard_s = self._server.loop.time()
        own = _OWN.get(text) or _OWN.get(text.split("(")[0])
        if own is not None:
            return _Cursor(own(self, text, tuple(values)))
        return _Cursor(self._lines(text, tuple(values)))

    # What goes wrong

    def _suffer(self, text: str) -> None:
        now = self._weather
        if now is None or text.startswith("ROLLBACK"):
            return
        if now.cut:
            raise self._lost()
        if text == "BEGIN" and now.fails("cut before a write", now.before):
            raise self._lost()
        if text == "COMMIT" and now.fails("cut in the middle of a write", now.during):
            raise self._lost()
        if text.startswith("INSERT") and now.full:
            now.happened("disk full at a write")
            self.status = TransactionStatus.INERROR
            raise errors.DiskFull("no space left on device")
        is_alone = self.status == TransactionStatus.IDLE and text.startswith("SELECT")
        if is_alone and now.fails("read failed", now.reading):
            raise self._lost()

    def _lost(self) -> psycopg.OperationalError:
        """The client knows; the server perhaps not, and rolls back only what was not committed."""
        self.closed = True
        self.status = TransactionStatus.UNKNOWN
        if not self.session.over and self.session.file.in_transaction:
            self.session.file.execute("ROLLBACK")
            self.session.lines, self.session.notes = [], []
        return psycopg.OperationalError(GONE)

    # What is asked of the server itself

    def _begin(self, sql: str, values: tuple[Any, ...]) -> Rows | None:
        self.session.file.execute("BEGIN IMMEDIATE")
        self.status = TransactionStatus.INTRANS
        return None

    def _commit(self, sql: str, values: tuple[Any, ...]) -> Rows | None:
        session = self.session
        session.file.execute("COMMIT")
        self.status = TransactionStatus.IDLE
        lines, session.lines = session.lines, []
        self._server.wrote(session, lines)
        self._tell()
        now = self._weather
        if now is not None and now.fails("cut after a write", now.after):
            raise self._lost()
        return None

    def _rollback(self, sql: str, values: tuple[Any, ...]) -> Rows | None:
        if self.session.file.in_transaction:
            self.session.file.execute("ROLLBACK")
        self.session.lines, self.session.notes = [], []
        self.status = TransactionStatus.IDLE
        return None

    def _configure(self, sql: str, values: tuple[Any, ...]) -> Rows:
        if "application_name" in sql:
            self.session.name = values[0]
        elif values[0] == "idle_session_timeout":
            self.session.silence_s = int(values[1].removesuffix("ms")) / 1000
        return [(values[-1],)]

    def _try_lock(self, sql: str, values: tuple[Any, ...]) -> Rows:
        holder = self._server.locks.setdefault(values[0], self.session)
        return [(holder is self.session,)]

    def _unlock(self, sql: str, values: tuple[Any, ...]) -> Rows:
        if self._server.locks.get(values[0]) is not self.session:
            return [(False,)]
        del self._server.locks[values[0]]
        return [(True,)]

    def _share(self, sql: str, values: tuple[Any, ...]) -> Rows:
        self._server.shared.setdefault(values[0], {})[self.session] = None
        return [("",)]

    def _unshare(self, sql: str, values: tuple[Any, ...]) -> Rows:
        self._server.shared.setdefault(values[0], {}).pop(self.session, None)
        return [(True,)]

    def _holders(self, sql: str, values: tuple[Any, ...]) -> Rows:
        exclusive = [(n, s.backend, s.name) for n, s in self._server.locks.items()]
        shared = [(n, s.backend, s.name) for n, all_ in self._server.shared.items() for s in all_]
        return exclusive + shared

    def _ghosts(self, sql: str, values: tuple[Any, ...]) -> Rows:
        others = (s for s in self._server.sessions.values() if s is not self.session)
        return [(s.backend,) for s in others if s.name == values[0] and not s.over]

    def _terminate(self, sql: str, values: tuple[Any, ...]) -> Rows:
        found = self._server.sessions.get(values[0])
        if found is not None:
            found.end()
        return [(True,)]

    def _notify(self, sql: str, values: tuple[Any, ...]) -> Rows:
        notes = values[0] if isinstance(values[0], list) else [values[0]]
        self.session.notes += notes
        if self.status == TransactionStatus.IDLE:
            self._tell()
        return [(len(notes),)]

    def _tell(self) -> None:
        notes, self.session.notes = self.session.notes, []
        for note in notes:
            self._server.notify(note)

    # What is asked of the tables

    def _lines(self, sql: str, values: tuple[Any, ...]) -> Rows | None:
        if sql.startswith(("SET ", "LISTEN")):
            return None
        if sql == POSTGRESQL.count_tables:
            return [(TABLES,)]
        session = self.session
        try:
            found = session.file.execute(NUMBERED.sub("?", sql), values).fetchall()
        except sqlite3.IntegrityError as error:
            raise errors.UniqueViolation(str(error)) from None
        except sqlite3.Error as error:
            raise AssertionError(f"the simulated server cannot do this: {sql} ({error})") from error
        if sql.startswith("INSERT INTO lines"):
            rows = (values[at : at + FIELDS] for at in range(0, len(values), FIELDS))
            session.lines += [LedgerLine(*row) for row in rows]
        elif sql.startswith("SAVEPOINT"):
            self._mark = len(session.lines)
        elif sql.startswith("ROLLBACK TO"):
            del session.lines[self._mark :]
        return found if sql.lstrip().startswith(("SELECT", "WITH")) else None


_OWN: dict[str, Callable[[Connection, str, tuple[Any, ...]], Rows | None]] = {
    "BEGIN": Connection._begin,
    "COMMIT": Connection._commit,
    "ROLLBACK": Connection._rollback,
    "SHOW fsync": lambda connection, sql, values: [("on",)],
    "SELECT set_config": Connection._configure,
    "SELECT pg_try_advisory_lock": Connection._try_lock,
    # A transaction is alone here from its beginning to its end.
    "SELECT pg_try_advisory_xact_lock": lambda connection, sql, values: [(True,)],
    "SELECT pg_advisory_unlock": Connection._unlock,
    "SELECT pg_advisory_lock_shared": Connection._share,
    "SELECT pg_advisory_unlock_shared": Connection._unshare,
    "SELECT pg_terminate_backend": Connection._terminate,
    "SELECT pg_notify": Connection._notify,
    numbered(shared_postgres.SHOUT_ALL).decode(): Connection._notify,
    shared_postgres.HOLDERS: Connection._holders,
    shared_postgres.STALE_WRITERS: Connection._ghosts,
}
