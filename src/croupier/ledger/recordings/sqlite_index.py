"""An index in a SQLite file beside the ledger's; in memory where no file can be written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from croupier.disk import private_file
from croupier.ledger.recordings.index import FORMAT, INDEXES, MADE, IndexStore
from croupier.ledger.store.migrations import SQLITE

BESIDE = ".index"
MEMORY = ":memory:"
LOCK_TIMEOUT_S = 10
CACHE_KIB = 64_000
MEASURED = 1000  # rows of each index, by which the planner chooses between them


class SqliteIndex(IndexStore):
    def __init__(self, file: Path | None) -> None:
        self._file = file if file is not None and _can_be_written(file) else None
        self._written = 0
        self._connect()

    def _connect(self) -> None:
        place = MEMORY if self._file is None else str(self._file)
        self._line = sqlite3.connect(
            place, LOCK_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        # What is lost with the power is made again from the lines.
        self._line.execute("PRAGMA synchronous = OFF")
        self._line.execute("PRAGMA case_sensitive_like = ON")  # as on PostgreSQL, and faster
        self._line.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        self._line.execute(f"PRAGMA analysis_limit = {MEASURED}")
        with suppress(sqlite3.DatabaseError):
            self._line.execute("PRAGMA journal_mode = WAL")

    @contextmanager
    def writing(self) -> Iterator[None]:
        self._line.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._line.execute("ROLLBACK")
            raise
        self._line.execute("COMMIT")
        self._written += 1
        if self._written.bit_count() == 1:  # ever rarer: what is measured changes ever less
            self._line.execute("ANALYZE")

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self._line.execute(sql, values).fetchall()

    def many(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        self._line.executemany(sql, rows)

    def is_made_for(self, ledger_id: str) -> bool:
        try:
            return self.rows("SELECT ledger, format FROM made_for") == [(ledger_id, FORMAT)]
        except sqlite3.DatabaseError:
            return False

    def make(self, ledger_id: str) -> None:
        self._line.close()
        if self._file is not None:
            for end in ("", "-wal", "-shm"):
                Path(f"{self._file}{end}").unlink(missing_ok=True)
            with private_file(self._file):
                pass
        self._connect()
        with self.writing():
            for statement in (*MADE, *INDEXES):
                self._line.execute(statement.format(text=SQLITE.text, integer=SQLITE.integer))
            self._line.execute("INSERT INTO made_for VALUES (?, ?)", (ledger_id, FORMAT))

    def close(self) -> None:
        self._line.close()


def _can_be_written(file: Path) -> bool:
    try:
        if file.exists():
            with file.open("r+b"):
                return True
        with private_file(file):
            return True
    except OSError:
        return False
