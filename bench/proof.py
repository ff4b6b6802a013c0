"""Lines audited and events replayed a second, as evenings of both games grow.

``python -m bench.proof --million`` goes on to a million lines, which takes about half an hour.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import closing
from pathlib import Path

from bench.ledger import seconds
from croupier.audit.ledger_audit import audited
from croupier.games.registry import the_registry
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.redaction import seen
from croupier.ledger.rounds import kept_rounds
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Ledger
from croupier.table.views import SURVEILLANCE
from tests.ledger.evenings import Evening

SIZES = (1_000, 10_000, 100_000)
MILLION = 1_000_000
BOOKS = ("UTH-S", "FCP-14")
BOXES = 3


def main(sizes: tuple[int, ...] = SIZES) -> None:
    with tempfile.TemporaryDirectory() as name:
        evening = Evening()
        with closing(open_ledger(str(Path(name) / "ledger.db"), create=True)) as ledger:
            tables = [evening.install(ledger, book, book) for book in BOOKS]
            for table in tables:
                evening.sit(table, BOXES)
            for size in sizes:
                grow(ledger, evening, tables, size)
                print(f"{held(ledger):,} lines: {measured(ledger, evening)}", flush=True)


def measured(ledger: Ledger, evening: Evening) -> str:
    lines = held(ledger)
    took = seconds(lambda: audited(ledger, the_registry(), ring=evening.ring))
    replayed = 0

    def replay() -> None:
        nonlocal replayed
        for book in BOOKS:
            for kept in kept_rounds(ledger, book, the_registry(), evening.ring):
                replayed += sum(1 for _ in seen(kept, SURVEILLANCE))

    replaying = seconds(replay)
    return (
        f"audited in {took:,.1f} s, {lines / took:,.0f} lines a second; "
        f"{replayed / replaying:,.0f} events replayed a second"
    )


def grow(ledger: Ledger, evening: Evening, tables: list[KeptTable], size: int) -> None:
    while held(ledger) < size:
        for table in tables:
            evening.play(table, 1)


def held(ledger: Ledger) -> int:
    return sum(head.version for head in ledger.heads().values())


if __name__ == "__main__":
    main((*SIZES, MILLION) if "--million" in sys.argv[1:] else SIZES)
