"""``croupier ledger``: what it holds, heads signed and checked, backups made and restored."""

from __future__ import annotations

import json
import shutil
import stat
from contextlib import closing
from pathlib import Path

import pytest

from croupier.ledger.store.address import open_ledger
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


def test_a_key_is_made_the_first_time_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    first = run("ledger", "heads", the_night().file)
    key = tmp_path / "croupier" / "signing" / "heads.key"
    assert f"A new key that signs heads was put into {key}" in first.err
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert first.document["public_key"] in first.err
    second = run("ledger", "heads", the_night().file)
    assert second.err == ""
    assert second.document["public_key"] == first.document["public_key"]


def test_heads_are_checked(tmp_path: Path) -> None:
    copy = Path(shutil.copyfile(the_night().file, tmp_path / "copy.db"))
    heads, key = tmp_path / "heads.json", tmp_path / "signing" / "heads.key"
    key.parent.mkdir()
    assert run("ledger", "heads", copy, "--key", key, "--out", heads).status == 0
    signer = json.loads(heads.read_text("utf-8"))["public_key"]
    held = run("ledger", "heads", copy, "--check", heads, "--signer", signer)
    assert (held.status, "holds every line" in held.out) == (0, True)
    other = sentence(run("ledger", "heads", copy, "--check", heads, "--signer", "ab" * 32))
    assert "not signed with the key that was named" in other
    alter(copy, "DELETE FROM lines WHERE stream = 'link/2' AND version > 3")
    cut = run("ledger", "heads", copy, "--check", heads)
    assert (cut.status, "lines were cut off" in cut.out) == (1, True)
    found = run("ledger", "heads", copy, "--check", heads, "--json")
    assert (found.status, found.document["holds"]) == (1, False)
    assert "not written over" in sentence(
        run("ledger", "heads", copy, "--key", key, "--out", heads)
    )


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
    assert "no signed heads" in sentence(run("ledger", "heads", night.file, "--check", text))
    text.chmod(0o600)
    assert "not a key" in sentence(run("ledger", "heads", night.file, "--key", text))
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
