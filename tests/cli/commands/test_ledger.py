"""``croupier ledger``: what it holds, checkpoints of its log, backups made and restored."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from croupier.ledger.store.address import open_ledger
from croupier.ledger.transparency.checkpoint import read_checkpoint
from croupier.ledger.transparency.signed_note import read_verifier_key
from tests.audit.nights import LEDGER_ID, the_night
from tests.cli.ledger_commands import alter, altered, run, sentence
from tests.ledger.evenings import Evening

EVE = "UPDATE lines SET actor = 'Eve' WHERE stream = 'table/1' AND version = 9"


def test_the_streams_are_shown() -> None:
    ran = run("ledger", "show", the_night().file)
    assert (ran.status, ran.out.startswith(f"Ledger {LEDGER_ID}")) == (0, True)
    found = run("ledger", "show", the_night().file, "--json").document
    tables = {row["stream"]: row.get("rulebook") for row in found["streams"]}
    assert tables == {"link/1": None, "link/2": None, "table/1": "UTH-S", "table/2": "FCP-14"}


def test_a_checkpoint_is_signed_with_the_keys_of_the_ledger(tmp_path: Path) -> None:
    copy = Path(shutil.copyfile(the_night().file, tmp_path / "copy.db"))
    keys, out = the_night().keys, tmp_path / "kept"
    made = run("ledger", "checkpoint", copy, "--keys", keys, "--out", out)
    assert (made.status, made.out) == (0, "")
    again = run("ledger", "checkpoint", copy, "--keys", keys)
    assert again.out == out.read_text("utf-8")
    key = read_verifier_key(made.err.split("key is ")[1].split()[0])
    assert read_checkpoint(again.out, key).origin == f"croupier/{LEDGER_ID}"
    assert "not written over" in sentence(
        run("ledger", "checkpoint", copy, "--keys", keys, "--out", out)
    )
    alter(copy, "UPDATE log_entries SET hash = zeroblob(32) WHERE place = 800")
    said = run("ledger", "checkpoint", copy, "--keys", keys)
    assert "nothing is signed" in sentence(said)


def plain(text: str) -> str:
    return " ".join(text.split())


def test_a_backup_is_restored_and_proved(tmp_path: Path) -> None:
    backup, restored = tmp_path / "backup.db", tmp_path / "restored.db"
    made = run("ledger", "backup", the_night().file, backup)
    assert (made.status, f"holds ledger {LEDGER_ID}" in plain(made.out)) == (0, True)
    again = run("ledger", "restore", backup, restored, "--json").document
    assert again["ledger"] == LEDGER_ID
    assert run("audit", restored).status == 0
    assert "not written over" in sentence(run("ledger", "backup", the_night().file, backup))
    assert "not written over" in sentence(run("ledger", "restore", backup, restored))


def test_an_altered_backup_is_not_restored(tmp_path: Path) -> None:
    backup = altered(tmp_path, EVE)
    said = sentence(run("ledger", "restore", backup, tmp_path / "new.db"))
    assert "its chain does not hold" in said
    assert not (tmp_path / "new.db").exists()


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    night, text = the_night(), tmp_path / "text"
    text.write_text("x", "utf-8")
    assert "two places" in sentence(run("ledger", "backup", night.file))
    assert "two places" in sentence(run("ledger", "show", night.file, "x"))
    assert "is not a ledger" in sentence(run("ledger", "show", text))
    assert "there is no" in sentence(run("ledger", "restore", tmp_path / "no.db", tmp_path / "a"))
    assert "no key" in sentence(run("ledger", "checkpoint", night.file))
    text.chmod(0o600)
    assert "not a ring" in sentence(run("ledger", "checkpoint", night.file, "--keys", text))
    open_ledger(str(tmp_path / "new.db"), create=True).close()
    nothing = run("ledger", "checkpoint", tmp_path / "new.db", "--keys", night.keys)
    assert "holds nothing" in sentence(nothing)
    assert sentence(run("ledger", "burn", night.file))


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_no_name_is_cut_on_a_narrow_screen(tmp_path: Path, columns: int) -> None:
    file, evening = tmp_path / "ledger.db", Evening(4)
    with closing(open_ledger(str(file), create=True)) as ledger:
        evening.install(ledger, "FCP-14", "practice-FCP-14-1")
    out = run("ledger", "show", file, columns=columns).out
    assert "…" not in out
    assert max(map(len, out.splitlines())) <= columns
    assert "table/practice-FCP-14-1" in out
    assert ("Last" in out, "Head" in out) == (columns >= 60, columns >= 80)
