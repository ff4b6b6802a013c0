"""``croupier audit``: what it proves, what it finds, and what it says to bad input."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from croupier.ledger.keyring import create_ring
from tests.audit.nights import LEDGER_ID, the_night
from tests.cli.ledger_commands import alter, altered, run, sentence


def test_a_whole_night_is_proved() -> None:
    night = the_night()
    ran = run("audit", night.file, "--keys", night.keys)
    assert ran.status == 0, ran.out
    assert "no head given: a ledger cut short or rewritten whole would not be noticed" in ran.out
    assert "every sealed pack was opened" in ran.out
    assert ran.out.endswith("Everything is proved.\n")


def test_the_document_counts_what_was_proved() -> None:
    found = run("audit", the_night().file, "--json").document
    assert (found["proved"], found["differences"]) == (True, [])
    assert (found["ledger"], found["tables"], found["rounds"]) == (LEDGER_ID, 2, 15)
    assert sum(found["accounts_micros"].values()) == 0
    assert found["accounts_micros"]["outside"] == 10_000_400_000
    assert found["wagers_settled"] > 100
    assert (found["heads"], found["seals_opened"]) == (None, False)
    assert set(found["meters_micros"]) == {"mega of 1", "major of 1", "minor of 1", "main of 2"}


def test_the_first_difference_is_told_with_its_line(tmp_path: Path) -> None:
    copy = altered(
        tmp_path,
        "UPDATE lines SET body = replace(body, '\"paid_cents\":0', '\"paid_cents\":500') "
        "WHERE stream = 'table/1' AND version = 55",
    )
    ran = run("audit", copy)
    assert ran.status == 1
    assert "chain        table/1, line 55: its content does not have the hash" in ran.out
    assert "line 55, round 1: wager-settled: paid_cents is 500, due is 0" in ran.out
    found = run("audit", copy, "--json").document
    first = found["differences"][0]
    assert (found["proved"], first["stream"], first["version"]) == (False, "table/1", 55)
    other = run("audit", copy, "--table", "2")
    assert (other.status, "Everything is proved." in other.out) == (0, True)


def test_a_cut_ledger_is_noticed_with_a_head(tmp_path: Path) -> None:
    copy = Path(shutil.copyfile(the_night().file, tmp_path / "copy.db"))
    heads = tmp_path / "heads.json"
    made = run("ledger", "heads", copy, "--key", tmp_path / "heads.key", "--out", heads)
    assert made.status == 0
    assert run("audit", copy, "--heads", heads).status == 0
    last = "(SELECT max(version) FROM lines WHERE stream = 'link/2')"
    alter(copy, f"DELETE FROM lines WHERE stream = 'link/2' AND version = {last}")
    ran = run("audit", copy, "--heads", heads)
    assert ran.status == 1
    assert "lines were cut off" in ran.out


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    night = the_night()
    foreign, text = tmp_path / "foreign.json", tmp_path / "text.db"
    create_ring(foreign)
    text.write_text("not a ledger", "utf-8")
    assert "there is no file" in sentence(run("audit", tmp_path / "none.db"))
    assert "is a folder" in sentence(run("audit", tmp_path))
    assert "is not a ledger" in sentence(run("audit", text))
    assert "ftp:// is neither" in sentence(run("audit", "ftp://x/y"))
    assert "not those of this ledger" in sentence(run("audit", night.file, "--keys", foreign))
    assert "keys cannot be read" in sentence(run("audit", night.file, "--keys", tmp_path / "no"))
    assert "no signed heads" in sentence(run("audit", night.file, "--heads", text))
    assert "no such file" in sentence(run("audit", night.file, "--heads", tmp_path / "no"))
    assert "no heads" in sentence(run("audit", night.file, "--signer", "ab"))
    assert 'no table "9"' in sentence(run("audit", night.file, "--table", "9"))
    with closing(sqlite3.connect(text.with_name("other.db"))) as other:
        other.execute("CREATE TABLE notes (text)")
        other.commit()
    assert sentence(run("audit", text.with_name("other.db")))
