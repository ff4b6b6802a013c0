"""The tables of a ledger, as numbered migrations: one list, and what each dialect says its own way.

A migration is applied in one transaction together with the row that records it, and never edited
afterwards: a change to the tables is a new number at the end of the list. Each row carries a hash
over the ledger's id, its number, its time and the row before, so that a changed row shows.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import msgspec

from croupier.ledger.store.line import Break, LedgerLine, hashed
from croupier.ledger.store.port import Applied, Unavailable


class Session(Protocol):
    """Statements on one connection, written with ``?`` for a value on every store."""

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]: ...

    def insert(self, lines: Iterable[LedgerLine]) -> None: ...


class Dialect(msgspec.Struct, frozen=True):
    """Where the two stores differ: names of types, and statements that only one of them needs."""

    text: str
    integer: str
    octets: str
    table_end: str
    before: tuple[str, ...]
    append_only: tuple[str, ...]
    """Statements for one table, which is named ``{table}`` in them."""
    count_tables: str


class Migration(msgspec.Struct, frozen=True):
    number: int
    what: str
    statements: tuple[str, ...]
    """Formatted with the dialect's types; ``{append_only}`` stands for all statements of that."""


REFUSED = "a line of the ledger is never changed or removed"
APPENDED = ("lines", "log_entries", "log_nodes", "checkpoints")
TABLE_NAMES = ", ".join(f"'{name}'" for name in ("ledger", "migrations", *APPENDED))

SQLITE = Dialect(
    text="TEXT",
    integer="INTEGER",
    octets="BLOB",
    table_end=" STRICT",
    before=(),
    append_only=(
        "CREATE TRIGGER {table}_stay BEFORE UPDATE ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END",
        "CREATE TRIGGER {table}_remain BEFORE DELETE ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END",
    ),
    count_tables="SELECT count(*) FROM sqlite_master "
    f"WHERE type = 'table' AND name IN ({TABLE_NAMES})",
)

# Text is compared by its bytes, as SQLite does, so that both give streams in the same order.
POSTGRESQL = Dialect(
    text='TEXT COLLATE "C"',
    integer="BIGINT",
    octets="BYTEA",
    table_end="",
    before=(
        "CREATE SCHEMA IF NOT EXISTS croupier",
        "CREATE FUNCTION keep_lines() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{REFUSED}'; END $$",
    ),
    append_only=(
        "CREATE TRIGGER {table}_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION keep_lines()",
    ),
    count_tables="SELECT count(*) FROM pg_catalog.pg_tables WHERE schemaname = 'croupier' "
    f"AND tablename IN ({TABLE_NAMES})",
)

MIGRATIONS = (
    Migration(
        1,
        "the ledger and its lines",
        (
            "CREATE TABLE ledger (id {text} NOT NULL PRIMARY KEY, "
            "blinding {octets} NOT NULL){table_end}",
            "CREATE TABLE migrations (number {integer} NOT NULL PRIMARY KEY, "
            "at_us {integer} NOT NULL, hash {octets} NOT NULL){table_end}",
            "CREATE TABLE lines (stream {text} NOT NULL, "
            "version {integer} NOT NULL CHECK (version > 0), at_us {integer} NOT NULL, "
            "actor {text} NOT NULL, role {text} NOT NULL, command_id {text} NOT NULL, "
            "command {text} NOT NULL, kind {text} NOT NULL, body {text} NOT NULL, "
            "entries {text} NOT NULL, previous {octets} NOT NULL, hash {octets} NOT NULL, "
            "mac {octets} NOT NULL, PRIMARY KEY (stream, version)){table_end}",
            # One command is answered once; the index is what makes that true between processes.
            "CREATE UNIQUE INDEX lines_of_commands ON lines (command_id) WHERE command <> ''",
            "CREATE INDEX lines_of_answers ON lines (command_id) WHERE command_id <> ''",
            "CREATE INDEX lines_of_kinds ON lines (stream, kind, version)",
            # The transparency log: its leaves, every eighth level above them, and what was signed.
            "CREATE TABLE log_entries (place {integer} NOT NULL PRIMARY KEY, "
            "stream {text} NOT NULL, version {integer} NOT NULL, hash {octets} NOT NULL, "
            "UNIQUE (stream, version)){table_end}",
            "CREATE TABLE log_nodes (level {integer} NOT NULL, place {integer} NOT NULL, "
            "hash {octets} NOT NULL, PRIMARY KEY (level, place)){table_end}",
            "CREATE TABLE checkpoints (size {integer} NOT NULL PRIMARY KEY, "
            "at_us {integer} NOT NULL, note {text} NOT NULL, key {text} NOT NULL){table_end}",
            "{append_only}",
        ),
    ),
)
TABLES = 2 + len(APPENDED)
BLINDING_BYTES = 32
LATEST = MIGRATIONS[-1].number


def standing(session: Session, dialect: Dialect, address: str) -> int:
    """The newest migration this ledger went through; 0 when there is no ledger here."""
    ((tables,),) = session.rows(dialect.count_tables)
    if not tables:
        return 0
    if tables != TABLES:
        raise Unavailable(f"{address} is damaged or not a ledger: a table is not there")
    ((number,),) = session.rows("SELECT coalesce(max(number), 0) FROM migrations")
    if number > LATEST:
        raise Unavailable(
            f"{address} was written by a newer Croupier: its tables are at number {number}, and "
            f"this one knows {LATEST}; use the newer program"
        )
    return int(number)


def migrate(
    session: Session,
    dialect: Dialect,
    address: str,
    ledger_id: str | None = None,
    blinding: bytes | None = None,
) -> None:
    """Bring the tables up to date, inside the caller's transaction and under its lock.

    Somebody else may have done it while the caller waited for the lock; then nothing is left to do.
    """
    done = standing(session, dialect, address)
    if done == 0:
        for statement in dialect.before:
            session.rows(statement)
    for migration in MIGRATIONS[done:]:
        for statement in _spoken(migration, dialect):
            session.rows(statement)
        if migration.number == 1:
            made = secrets.token_hex(16), secrets.token_bytes(BLINDING_BYTES)
            row = (ledger_id or made[0], blinding or made[1])
            session.rows("INSERT INTO ledger VALUES (?, ?)", *row)
        _record(session, migration.number)


def applied(session: Session) -> tuple[Applied, ...]:
    rows = session.rows("SELECT number, at_us, hash FROM migrations ORDER BY number")
    return tuple(Applied(*row) for row in rows)


def broken_migration(ledger_id: str, rows: Sequence[Applied]) -> Break | None:
    """The first migration row that is not what was written when it was applied."""
    previous = b""
    for number, row in enumerate(rows, 1):
        right = _hash(ledger_id, previous, row.number, row.at_us)
        if row.number != number or row.hash != right:
            return Break(
                "", 0, f"the record of migration {number}, or the ledger's id, was changed"
            )
        previous = row.hash
    return None if rows else Break("", 0, "the record of migration 1 is not there")


def _spoken(migration: Migration, dialect: Dialect) -> Iterable[str]:
    for statement in migration.statements:
        if statement == "{append_only}":
            for table in APPENDED:
                yield from (each.format(table=table) for each in dialect.append_only)
        else:
            yield statement.format(**msgspec.structs.asdict(dialect))


def _record(session: Session, number: int) -> None:
    ((ledger_id,),) = session.rows("SELECT id FROM ledger")
    earlier = applied(session)
    at_us = time.time_ns() // 1000
    previous = earlier[-1].hash if earlier else b""
    row = (number, at_us, _hash(ledger_id, previous, number, at_us))
    session.rows("INSERT INTO migrations VALUES (?, ?, ?)", *row)


def _hash(ledger_id: str, previous: bytes, number: int, at_us: int) -> bytes:
    return hashed(previous, "migration", ledger_id, str(number), str(at_us))
