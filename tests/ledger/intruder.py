"""Somebody who may write the database and has no key: he chains his lines as well as we do."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import msgspec
import psycopg

from croupier.ledger.store.address import is_postgresql, open_ledger
from croupier.ledger.store.line import LedgerLine
from tests.audit.tampering import rechained

Run = Callable[..., list[tuple[Any, ...]]]
COLUMNS = LedgerLine.__struct_fields__


@contextmanager
def intruder(address: str) -> Iterator[Run]:
    """Somebody who may do anything to the database."""
    if is_postgresql(address):
        with closing(psycopg.connect(address, autocommit=True)) as server:
            server.execute("SET search_path TO croupier")
            server.execute("SET session_replication_role TO replica")  # no trigger stops them
            server.execute("ALTER TABLE lines DROP CONSTRAINT IF EXISTS lines_version_check")

            def run(sql: str, *values: object) -> list[tuple[Any, ...]]:
                cursor = server.execute(sql.replace("?", "%s").encode(), values)
                return cursor.fetchall() if cursor.description else []

            yield run
    else:
        with closing(sqlite3.connect(address, isolation_level=None)) as file:
            file.execute("PRAGMA ignore_check_constraints = ON")
            triggers = file.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            stopped = triggers.fetchall()
            for name, _ in stopped:
                file.execute(f"DROP TRIGGER {name}")
            yield lambda sql, *values: file.execute(sql, values).fetchall()
            for _, sql in stopped:
                file.execute(sql)


def rewrite(address: str, stream: str, change: Callable[[list[LedgerLine]], object]) -> None:
    """A stream as he likes it, each line with the hash that it has to have."""
    with closing(open_ledger(address, read_only=True)) as ledger:
        lines = list(ledger.read(stream))
        change(lines)
        anew = list(rechained(ledger.id, stream, lines))
    replace_stream(address, stream, anew)


def replace_stream(address: str, stream: str, lines: Sequence[LedgerLine]) -> None:
    with intruder(address) as run:
        run("DELETE FROM lines WHERE stream = ?", stream)
        marks = ", ".join("?" * len(COLUMNS))
        for line in lines:
            run(f"INSERT INTO lines ({', '.join(COLUMNS)}) VALUES ({marks})", *_values(line))


def _values(line: LedgerLine) -> tuple[object, ...]:
    return msgspec.structs.astuple(line)
