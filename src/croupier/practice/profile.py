"""What lasts of a player beside his ledger: settings, drill scores, and counted rounds.

A SQLite file beside the ledger, which its owner alone can read. The rounds in it are a cache: they
are read from the ledger again where the file is gone, belongs to another ledger, or was written by
another version.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from croupier.disk import private_file
from croupier.practice.played_round import PlayedRound

BESIDE = ".profile"
TABLES = """
create table if not exists notes (name text primary key, body blob not null);
create table if not exists rounds (
    at_table text, number integer, at_us integer not null, body blob not null,
    primary key (at_table, number)
);
"""
IN_MEMORY = ":memory:"
LEDGER = "ledger"
T = TypeVar("T")


class Profile:
    """``ledger_id`` is the ledger whose rounds are kept; without a file nothing lasts."""

    def __init__(self, ledger_id: str, file: Path | None = None) -> None:
        self._turn = threading.Lock()
        self._store = _opened(file)
        with self._turn:
            if self._note(LEDGER, str) != ledger_id or not self._is_readable():
                self._store.execute("delete from rounds")
                self._keep(LEDGER, ledger_id)
                self._store.commit()

    def close(self) -> None:
        with self._turn:
            self._store.close()

    # Notes: one value by name

    def note(self, name: str, kind: type[T]) -> T | None:
        """What was kept under this name; None where it is not there or cannot be read any more."""
        with self._turn:
            return self._note(name, kind)

    def keep_note(self, name: str, value: object) -> None:
        with self._turn, suppress(sqlite3.Error):  # a full disk loses a setting, and no round
            self._keep(name, value)
            self._store.commit()

    # Rounds

    def rounds(self) -> list[PlayedRound]:
        """All that are kept, the oldest first."""
        with self._turn:
            rows = self._store.execute("select body from rounds order by at_us, number")
            return [_ROUND.decode(body) for (body,) in rows]

    def round(self, table: str, number: int) -> PlayedRound | None:
        with self._turn:
            row = self._store.execute(
                "select body from rounds where at_table = ? and number = ?", (table, number)
            ).fetchone()
        return _ROUND.decode(row[0]) if row is not None else None

    def last_round(self, table: str) -> int:
        """The number of the last round of a table that is kept, 0 where there is none."""
        with self._turn:
            (number,) = self._store.execute(
                "select coalesce(max(number), 0) from rounds where at_table = ?", (table,)
            ).fetchone()
        return int(number)

    def keep_rounds(self, rounds: Iterable[PlayedRound]) -> None:
        rows = [(each.table, each.round, each.at_us, msgspec.json.encode(each)) for each in rounds]
        with self._turn, suppress(sqlite3.Error):
            self._store.executemany("insert or replace into rounds values (?, ?, ?, ?)", rows)
            self._store.commit()

    # While it is our turn

    def _note(self, name: str, kind: type[T]) -> T | None:
        row = self._store.execute("select body from notes where name = ?", (name,)).fetchone()
        try:
            return msgspec.json.decode(row[0], type=kind) if row is not None else None
        except msgspec.DecodeError:
            return None

    def _keep(self, name: str, value: object) -> None:
        body = msgspec.json.encode(value)
        self._store.execute("insert or replace into notes values (?, ?)", (name, body))

    def _is_readable(self) -> bool:
        row = self._store.execute("select body from rounds limit 1").fetchone()
        with suppress(msgspec.DecodeError):
            return row is None or bool(_ROUND.decode(row[0]))
        return False


def profile_beside(ledger: Path, ledger_id: str) -> Profile:
    """The profile of whoever plays on this ledger; one that cannot be kept lasts for this run."""
    file = ledger.with_name(ledger.name + BESIDE)
    try:
        return Profile(ledger_id, file)
    except (sqlite3.Error, OSError):
        return Profile(ledger_id)


def _opened(file: Path | None) -> sqlite3.Connection:
    if file is not None:
        with suppress(FileExistsError), private_file(file):
            pass
    store = sqlite3.connect(str(file or IN_MEMORY), check_same_thread=False)
    store.executescript(TABLES)
    return store


_ROUND = msgspec.json.Decoder(PlayedRound)
