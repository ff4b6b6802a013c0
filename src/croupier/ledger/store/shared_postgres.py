"""A PostgreSQL ledger with many writing processes, fenced by session-level advisory locks.

A process writes on one connection, its writer, and holds its tables' advisory locks on that same
connection. Whoever cuts the writer takes both: a process that was paused, or cut off, finds that it
cannot write before it could do any harm. The server puts down a writer that is silent for too long.

Nothing says who is there but the locks and the connections themselves, so there is no list to grow
stale: who takes part holds one shared lock, and the name of his writer tells where he is reached.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import psycopg
from psycopg import errors

from croupier.facts.errors import Unreadable, quoted
from croupier.ledger.events import LINK, PIT, TABLE
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.migrations import Session
from croupier.ledger.store.ownership import (
    OWNERS_CHANGED,
    LostTable,
    News,
    Process,
    Roster,
    guarded,
)
from croupier.ledger.store.port import Unavailable, Writing
from croupier.ledger.store.postgres import Connection, PostgresLedger

SILENCE_S = 5.0
STALE_WRITER_MS = 5000
LISTEN_S = 2.0  # how often a listener that hears nothing asks whether the line is still there
AGAIN_S = 0.5
CHANNEL = "croupier"
SHOUT = f"SELECT pg_notify('{CHANNEL}', ?)"
SHOUT_ALL = f"SELECT count(pg_notify('{CHANNEL}', news)) FROM unnest(?::text[]) AS news"
# A connection's name has room for 63 letters.
NAME, MOST_ADDRESS = "croupier {address} {nonce}", 45

PRESENT, ABSENT = "pg_advisory_lock_shared($1)", "pg_advisory_unlock_shared($1)"
HOLDERS = """SELECT (held.classid::bigint << 32) | held.objid::bigint, held.pid,
    there.application_name
FROM pg_locks held JOIN pg_stat_activity there USING (pid)
WHERE held.locktype = 'advisory' AND held.objsubid = 1 AND held.granted
AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
STALE_WRITERS = (
    "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()"
)


class SharedLedger(PostgresLedger):
    """``here`` is where other processes reach this one; ``silence_s`` how long it may rest."""

    def __init__(
        self, address: str, here: str, silence_s: float = SILENCE_S, create: bool = True
    ) -> None:
        if len(here.encode()) > MOST_ADDRESS or " " in here or not here.isprintable():
            raise Unreadable(
                f"{quoted(here)} cannot be told to other processes; "
                f"name an address of at most {MOST_ADDRESS} letters"
            )
        self._here, self._silence_s = here, silence_s
        self._name = NAME.format(address=here, nonce=secrets.token_hex(3))
        self._turn = threading.RLock()
        self._held: Connection | None = None
        self._joined = False
        self._mine: set[str] = set()
        self._lost: set[str] = set()
        super().__init__(address, create=create)

    @property
    def me(self) -> Process:
        held = self._held
        is_up = held is not None and not held.closed
        return Process(self._here, held.info.backend_pid if held is not None and is_up else 0)

    @property
    def mine(self) -> frozenset[str]:
        return frozenset(self._mine)

    def join(self) -> None:
        if not self._joined:
            self._on_writer(lambda writer: writer.execute(f"SELECT {PRESENT}", (self._number(""),)))
            self._joined = True
            self.shout(OWNERS_CHANGED)

    def stand_aside(self) -> None:
        if self._joined:
            self._joined = False
            self._on_writer(lambda writer: writer.execute(f"SELECT {ABSENT}", (self._number(""),)))
            self.shout(OWNERS_CHANGED)

    def claim(self, tables: Iterable[str]) -> frozenset[str]:
        wanted = set(tables)

        def take(writer: Connection) -> None:
            self._mine |= self._locked(writer, wanted - self._mine)

        with self._turn:
            self._on_writer(take)
            return frozenset(self._mine & wanted)

    def release(self, tables: Iterable[str]) -> None:
        """Given up before the writer is asked: one that is cut, and taken up anew, must not take
        them up again.
        """
        with self._turn:
            given_up = self._mine & set(tables)
            self._mine -= given_up

            def give(writer: Connection) -> None:
                for table in given_up:
                    writer.execute("SELECT pg_advisory_unlock($1)", (self._number(table),))

            self._on_writer(give)
        self.shout(OWNERS_CHANGED)

    def beat(self) -> frozenset[str]:
        # Where the turn is not to be had, somebody is writing: that is a sign of life as well.
        if self._turn.acquire(timeout=1):
            try:
                self._on_writer(lambda writer: writer.execute("SELECT 1"))
            finally:
                self._turn.release()
        lost, self._lost = self._lost, set()
        return frozenset(lost)

    def roster(self, tables: Iterable[str]) -> Roster:
        numbers = {self._number(table): table for table in tables}
        there: dict[int, Process] = {}
        owners: dict[str, Process] = {}
        with self._reading() as session:
            found = session.rows(HOLDERS)
        for number, backend, name in found:
            process = Process(_address_in(name), backend)
            if number == self._number(""):
                there[backend] = process
            elif number in numbers:
                owners[numbers[number]] = process
        return Roster(tuple(sorted(there.values())), owners)

    def heard(self) -> Iterator[News | None]:
        """One connection for everything; one that was cut is opened again, and then all is news."""
        while not self._closed:
            try:
                with self._connect() as line:
                    line.execute(f"LISTEN {CHANNEL}")
                    yield None
                    while not self._closed:
                        for note in line.notifies(timeout=LISTEN_S):
                            yield _heard(note.payload)
                        line.execute("SELECT 1")
            except (psycopg.Error, Unavailable):
                time.sleep(AGAIN_S)

    def shout(self, *news: News) -> None:
        if news:
            with self._reading() as session:
                session.rows(SHOUT_ALL, [_spoken(each) for each in news])

    def close(self) -> None:
        super().close()
        with self._turn:
            if self._held is not None:
                self._held.close()

    # Writing

    def _laid(self, session: Session, writings: Sequence[Writing]) -> tuple[LedgerLine, ...]:
        for table in guarded(writings):
            if table not in self._mine:
                raise LostTable(table)
        lines = super()._laid(session, writings)
        # Only what others follow is told: notifying transactions commit one after the other, and
        # a table's own lines are nobody's business but its owner's.
        for writing in writings:
            is_new_table = writing.stream.startswith(TABLE) and not writing.expected
            if is_new_table or writing.stream.startswith((LINK, PIT)):
                reached = writing.expected + len(writing.drafts)
                session.rows(SHOUT, _spoken(News(writing.stream, reached)))
        return lines

    @contextmanager
    def _writer(self) -> Iterator[Connection]:
        if not self.id:  # a ledger that is only being opened has no tables to lock
            with self._pool.lent() as connection:
                yield connection
            return
        with self._turn:
            if self._held is None or self._held.closed:
                self._take_up()
            assert self._held is not None
            yield self._held

    def _take_up(self) -> None:
        """A new writer: the old one is surely put down, and what nobody took meanwhile is ours."""
        writer = self._connect()
        try:
            writer.execute("SELECT set_config('application_name', $1, false)", (self._name,))
            self._set_idle_timeouts(writer)
            self._end_stale_writers(writer)
            if self._joined:
                writer.execute(f"SELECT {PRESENT}", (self._number(""),))
            kept = self._locked(writer, self._mine)
        except BaseException:
            writer.close()
            raise
        self._lost |= self._mine - kept
        self._mine, self._held = kept, writer

    def _set_idle_timeouts(self, writer: Connection) -> None:
        silence = f"{1000 * self._silence_s:.0f}ms"
        try:
            for rest in ("idle_session_timeout", "idle_in_transaction_session_timeout"):
                writer.execute("SELECT set_config($1, $2, false)", (rest, silence))
        except errors.UndefinedObject:
            raise Unavailable(
                f"{self.address}: processes share a pit on PostgreSQL 14 or newer"
            ) from None

    def _end_stale_writers(self, writer: Connection) -> None:
        """An old writer of ours that the server still believes in would hold our own locks."""
        for (backend,) in writer.execute(STALE_WRITERS, (self._name,)).fetchall():
            gone = writer.execute("SELECT pg_terminate_backend($1, $2)", (backend, STALE_WRITER_MS))
            if gone.fetchone() != (True,):
                raise Unavailable(f"{self.address}: an old connection of ours does not end")

    def _locked(self, writer: Connection, tables: Iterable[str]) -> set[str]:
        """Those that nobody else has."""
        won: set[str] = set()
        for table in sorted(tables):
            number = self._number(table)
            if writer.execute("SELECT pg_try_advisory_lock($1)", (number,)).fetchone() == (True,):
                won.add(table)
        return won

    def _on_writer(self, act: Callable[[Connection], object]) -> None:
        """Something that may be done twice; a writer that turns out to be cut is taken up again."""
        with self._clear_errors():
            try:
                with self._writer() as writer:
                    act(writer)
                return
            except psycopg.OperationalError:
                if self._held is None or not self._held.closed:
                    raise
            with self._writer() as writer:
                act(writer)

    def _number(self, table: str) -> int:
        """A table's lock; the one without a name is held by everybody who is there."""
        mixed = hashlib.sha256(f"croupier table 1\0{self.id}\0{table}".encode()).digest()
        return int.from_bytes(mixed[:8], "big", signed=True)


def _spoken(news: News) -> str:
    return f"{news.stream} {news.version}"


def _heard(payload: str) -> News:
    stream, _, version = payload.rpartition(" ")
    return News(stream, int(version))


def _address_in(name: str) -> str:
    parts = name.split(" ")
    return parts[1] if len(parts) == 3 else ""
