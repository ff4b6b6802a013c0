"""Backup and restore: the same ledger elsewhere, whole or not at all, and nothing written over."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from croupier.audit.chain import prove_chain
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.backup import back_up, restore
from croupier.ledger.store.line import Broken, LedgerLine
from croupier.ledger.store.port import Ledger, Unavailable, Writing
from tests.ledger.lines import answer, checkpoint, loose, writing

TABLE, LINK = "table 1", "link house"


@pytest.fixture
def kept(address: str) -> str:
    with closing(open_ledger(address, create=True)) as ledger:
        asked, caused = answer("a", 2)
        ledger.append(Writing(TABLE, 0, (asked,)), Writing(LINK, 0, (caused,)))
        ledger.append(Writing(TABLE, 1, tuple(loose(f"♠ {n}") for n in range(2_300))))
    return address


def all_lines(ledger: Ledger) -> list[LedgerLine]:
    return [line for stream in ledger.heads() for line in ledger.read(stream)]


def test_a_backup_is_the_ledger_in_one_file(kept: str, tmp_path: Path) -> None:
    target = tmp_path / "backups" / "monday.db"
    target.parent.mkdir()
    with closing(open_ledger(kept)) as ledger:
        back_up(ledger, target)
        lines, ledger_id = all_lines(ledger), ledger.id
    assert os.listdir(target.parent) == ["monday.db"]
    with closing(open_ledger(str(target), read_only=True)) as copy:
        assert copy.id == ledger_id
        assert all_lines(copy) == lines
        assert prove_chain(copy) is None
    assert os.listdir(target.parent) == ["monday.db"]


def test_a_restored_ledger_goes_on_where_it_stopped(
    kept: str, tmp_path: Path, new_address: Callable[[], str]
) -> None:
    backup = tmp_path / "backup.db"
    with closing(open_ledger(kept)) as ledger:
        signed = checkpoint(ledger)
        back_up(ledger, backup)
        lines, ledger_id = all_lines(ledger), ledger.id
    for address in (new_address(), str(tmp_path / "restored.db")):
        restore(backup, address)
        with closing(open_ledger(address)) as restored:
            assert restored.id == ledger_id
            assert all_lines(restored) == lines
            restored.append(writing(LINK, 1, "new"))
            assert prove_chain(restored, signed) is None


def test_an_empty_ledger_is_backed_up_too(new_address: Callable[[], str], tmp_path: Path) -> None:
    with closing(open_ledger(new_address(), create=True)) as ledger:
        back_up(ledger, tmp_path / "empty.db")
    target = new_address()
    restore(tmp_path / "empty.db", target)
    with closing(open_ledger(target)) as restored:
        assert (restored.id, restored.heads()) == (ledger.id, {})


def test_nothing_is_written_over(kept: str, tmp_path: Path, new_address: Callable[[], str]) -> None:
    there, backup, target = tmp_path / "there.db", tmp_path / "backup.db", new_address()
    there.write_text("precious")
    with closing(open_ledger(target, create=True)) as other:
        other.append(writing(TABLE, 0, "theirs"))
        with closing(open_ledger(kept)) as ledger:
            back_up(ledger, backup)
            with pytest.raises(Unavailable, match="not written over"):
                back_up(ledger, there)
        for address in (target, str(there)):
            with pytest.raises(Unavailable, match="not written over"):
                restore(backup, address)
        assert len(all_lines(other)) == 1
    assert there.read_text() == "precious"
    (tmp_path / "lost.db-wal").touch()
    with pytest.raises(Unavailable, match="not written over"):
        restore(backup, str(tmp_path / "lost.db"))


def test_a_tampered_backup_is_not_restored(
    kept: str, tmp_path: Path, new_address: Callable[[], str]
) -> None:
    backup = tmp_path / "backup.db"
    with closing(open_ledger(kept)) as ledger:
        back_up(ledger, backup)
    with closing(sqlite3.connect(backup, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER lines_stay")
        connection.execute(
            "UPDATE lines SET actor = 'Eve' WHERE stream = ? AND version = 7", [TABLE]
        )
    for address in (new_address(), str(tmp_path / "restored.db")):
        with pytest.raises(Broken) as broken:
            restore(backup, address)
        assert (broken.value.first.stream, broken.value.first.version) == (TABLE, 7)
        with pytest.raises(Unavailable, match="no ledger"):
            open_ledger(address)
    assert not [name for name in os.listdir(tmp_path) if name.startswith((".", "restored"))]


def test_a_backup_that_cannot_be_written_leaves_nothing(kept: str, tmp_path: Path) -> None:
    with closing(open_ledger(kept)) as ledger:
        with pytest.raises(Unavailable, match="cannot be written"):
            back_up(ledger, tmp_path / "none" / "backup.db")
        with pytest.raises(Unavailable, match="there already"):
            back_up(ledger, tmp_path)
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_a_backup_is_of_one_moment(kept: str, tmp_path: Path) -> None:
    """A writer who always writes to both streams at once, and backups taken meanwhile."""
    stop = threading.Event()

    def write() -> None:
        with closing(open_ledger(kept)) as ledger:
            while not stop.is_set():
                ends = [ledger.head(stream).version for stream in (LINK, TABLE)]
                asked, caused = answer(f"n {ends[0]}", 2)
                ledger.append(Writing(LINK, ends[0], (asked,)), Writing(TABLE, ends[1], (caused,)))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        with closing(open_ledger(kept)) as ledger:
            for n in range(5):
                back_up(ledger, tmp_path / f"{n}.db")
    finally:
        stop.set()
        writer.join()
    for n in range(5):
        with closing(open_ledger(str(tmp_path / f"{n}.db"), read_only=True)) as copy:
            assert prove_chain(copy) is None
            assert copy.head(TABLE).version == copy.head(LINK).version + 2_300
