"""The advisory lock beside a ledger: who holds it, who is turned away, and with which sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.facts.errors import Unavailable
from croupier.ledger.store.file_lock import FileLock, service_lock
from croupier.practice.table import Occupied, practice_ledger


class Taken(Unavailable):
    pass


def test_one_holds_it_and_the_next_when_it_is_let_go(tmp_path: Path) -> None:
    ledger = tmp_path / "pit.db"
    for _ in range(2):
        with FileLock(ledger, Taken):
            with pytest.raises(Taken), FileLock(ledger, Taken):
                pass
            with FileLock(tmp_path / "other.db", Taken):
                pass


def test_a_service_and_a_practice_table_never_share_a_file(tmp_path: Path) -> None:
    ledger = tmp_path / "practice.db"
    with practice_ledger(ledger, 3), pytest.raises(Unavailable, match="or a practice table"):
        service_lock(ledger).__enter__()
    with service_lock(ledger), pytest.raises(Occupied), practice_ledger(ledger, 3):
        pass


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    lock = service_lock(tmp_path / "nowhere" / "pit.db")
    with pytest.raises(Unavailable, match=r"pit\.db\.lock cannot be written: No such file"), lock:
        pass
