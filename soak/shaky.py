"""A ledger that fails as disks and databases do: before a write, in the middle of it, or after.

Each process has a connection of its own to one and the same file. What fails does so beneath the
store, so that the store's own way out of it is what is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.migrations import Session
from croupier.ledger.store.port import Unavailable
from croupier.ledger.store.sqlite import SqliteLedger

FULL = "the disk is full; make room and try again"
CUT = "the connection to the ledger was lost"
Wrote = Callable[[list[LedgerLine]], None]
Happened = Callable[[str], None]


@dataclass
class Weather:
    """How a process stands with its ledger now: shares of the writes and reads that fail."""

    chance: Random
    happened: Happened
    full: bool = False
    cut: bool = False
    before: float = 0.0
    during: float = 0.0
    after: float = 0.0
    reading: float = 0.0

    def fails(self, kind: str, share: float) -> bool:
        if share and self.chance.random() < share:
            self.happened(kind)
            return True
        return False


class Shaky(SqliteLedger):
    """``wrote`` is told what was committed, also where nobody else is."""

    def __init__(self, path: Path, weather: Weather, wrote: Wrote) -> None:
        self._weather, self._wrote = weather, wrote
        super().__init__(path)

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        now = self._weather
        if now.cut or now.fails("read failed", now.reading):
            raise Unavailable(CUT)
        with super()._reading() as session:
            yield session

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        now = self._weather
        if now.cut or now.fails("cut before a write", now.before):
            raise Unavailable(CUT)
        noting = _Noting()
        with super()._writing() as session:
            noting.session = session
            yield noting
            if now.full:
                now.happened("disk full at a write")
                raise Unavailable(FULL)
            if now.fails("cut in the middle of a write", now.during):
                raise Unavailable(CUT)
        self._wrote(noting.lines)
        if now.fails("cut after a write", now.after):
            raise Unavailable(CUT)


@dataclass
class _Noting:
    """Takes note of the lines of a transaction, without those that it took back."""

    session: Any = None
    lines: list[LedgerLine] = field(default_factory=list)
    _mark: int = 0

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self.session.rows(sql, *values)
        if sql.startswith("SAVEPOINT"):
            self._mark = len(self.lines)
        elif sql.startswith("ROLLBACK TO"):
            del self.lines[self._mark :]
        return found

    def insert(self, lines: Iterable[LedgerLine]) -> None:
        kept = list(lines)
        self.session.insert(kept)
        self.lines += kept
