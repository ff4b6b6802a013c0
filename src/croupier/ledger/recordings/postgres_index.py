"""An index in a schema of its own, in the database of its ledger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors

from croupier.facts.errors import Unavailable
from croupier.ledger.recordings.index import FORMAT, INDEXES, MADE, IndexStore
from croupier.ledger.store.migrations import POSTGRESQL

SCHEMA = "croupier_recordings"
MAKING = 0x63726F7570696578  # the number of the lock under which an index is made
NO_ANSWER = "the index of recordings cannot be reached or made there; check the user's rights"


class PostgresIndex(IndexStore):
    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._line: psycopg.Connection[tuple[Any, ...]] | None = None
        self._is_over = False

    def _connected(self) -> psycopg.Connection[tuple[Any, ...]]:
        """Anew where the line was cut; a thread that is at work when it is closed opens none."""
        if self._line is None or (self._line.closed and not self._is_over):
            self._line = psycopg.connect(self._conninfo, autocommit=True)
            self._line.execute(f"SET search_path TO {SCHEMA}")
            self._line.execute("SET synchronous_commit TO off")
        if self._is_over:
            self._line.close()
            raise Unavailable("the index of recordings is closed")
        return self._line

    @contextmanager
    def writing(self) -> Iterator[None]:
        with _clear_errors(), self._connected().transaction():
            yield

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with _clear_errors():
            cursor = self._connected().execute(_spoken(sql), values or None)
            return cursor.fetchall() if cursor.description else []

    def many(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        with _clear_errors(), self._connected().cursor() as cursor:
            cursor.executemany(_spoken(sql), rows)

    def is_made_for(self, ledger_id: str) -> bool:
        try:
            return self.rows("SELECT ledger, format FROM made_for") == [(ledger_id, FORMAT)]
        except (errors.UndefinedTable, errors.InvalidSchemaName):
            return False

    def make(self, ledger_id: str) -> None:
        """Of processes that start together one makes it."""
        with self.writing():
            self.rows("SELECT pg_advisory_xact_lock(?)", MAKING)
            self.rows(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
            self.rows(f"CREATE SCHEMA {SCHEMA}")
            for statement in (*MADE, *INDEXES):
                types = {"text": POSTGRESQL.text, "integer": POSTGRESQL.integer}
                self.rows(statement.format(**types))
            self.rows("INSERT INTO made_for VALUES (?, ?)", ledger_id, FORMAT)

    def close(self) -> None:
        self._is_over = True
        if self._line is not None:
            self._line.close()


def _spoken(sql: str) -> str:
    return sql.replace("%", "%%").replace("?", "%s")


@contextmanager
def _clear_errors() -> Iterator[None]:
    try:
        yield
    except (errors.UndefinedTable, errors.InvalidSchemaName):
        raise
    except psycopg.Error as error:
        raise Unavailable(f"{NO_ANSWER}: {str(error).splitlines()[0]}") from None
