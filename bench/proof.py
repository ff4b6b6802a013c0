"""Lines audited and events replayed a second, of an evening of both games.

python -m bench.proof --lines 1000000          # takes about half an hour
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from bench.processor import cpu_s
from bench.report import Row, as_program
from croupier.audit.ledger_audit import audited
from croupier.games.registry import the_registry
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.redaction import seen
from croupier.ledger.rounds import kept_rounds
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Ledger
from croupier.table.views import SURVEILLANCE
from tests.ledger.evenings import Evening

LINES = 10_000
BOOKS = ("UTH-S", "FCP-14")
BOXES = 3


def rows(lines: int = LINES) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        evening = Evening()
        with closing(open_ledger(str(Path(name) / "ledger.db"), create=True)) as ledger:
            tables = [evening.install(ledger, book, book) for book in BOOKS]
            for table in tables:
                evening.sit(table, BOXES)
            played_s = cpu_s(lambda: grow(ledger, evening, tables, lines))
            whole, beside = held(ledger), "time of playing them into the ledger"
            audited_s = cpu_s(lambda: audited(ledger, the_registry(), ring=evening.ring))
            told = f"{whole / audited_s:,.0f} lines a second"
            yield Row(f"audit of {whole:,} lines", told, audited_s / played_s, beside)
            replayed = 0

            def replay() -> None:
                nonlocal replayed
                for book in BOOKS:
                    for kept in kept_rounds(ledger, book, the_registry(), evening.ring):
                        replayed += sum(1 for _ in seen(kept, SURVEILLANCE))

            replay_s = cpu_s(replay)
            told = f"{replayed / replay_s:,.0f} events a second"
            yield Row("replay of their rounds", told, replay_s / played_s, beside)


def grow(ledger: Ledger, evening: Evening, tables: list[KeptTable], size: int) -> None:
    while held(ledger) < size:
        for table in tables:
            evening.play(table, 1)


def held(ledger: Ledger) -> int:
    return sum(head.version for head in ledger.heads().values())


if __name__ == "__main__":
    as_program(rows)
