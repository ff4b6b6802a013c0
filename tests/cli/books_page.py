"""The evening of docs/books.md: a table at which everything happens that moves money."""

from __future__ import annotations

from pathlib import Path

from croupier.ledger.store.address import open_ledger
from tests.ledger.accountant import Watched, eventful

PAGE = Path(__file__).parents[2] / "docs" / "books.md"


def play(path: Path) -> None:
    ledger = open_ledger(str(path), create=True)
    eventful(Watched(seed=6), ledger, "UTH-S", "UTH-1", link="pit")
    ledger.close()
