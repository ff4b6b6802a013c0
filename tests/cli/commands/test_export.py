"""``croupier export``: records of a ledger, of round files, and back."""

from __future__ import annotations

import json
import os
import shutil
import threading
from importlib.resources import files
from pathlib import Path

import pytest

import croupier
from croupier.ledger.shoe.key_ring import create_ring
from croupier.table.receipt import as_document
from tests.audit.nights import the_night
from tests.cli.ledger_commands import Ran, run, sentence


def records(ran: Ran) -> list[dict[str, object]]:
    assert (ran.status, ran.err) == (0, "")
    return [json.loads(line) for line in ran.out.splitlines()]


def test_a_ledger_becomes_lines_of_json() -> None:
    found = records(run("export", the_night().file))
    assert [(row["record"], row["table"]) for row in found] == [
        ("table", "1"),
        *[("round", "1")] * 9,
        ("table", "2"),
        *[("round", "2")] * 6,
    ]
    assert {row["format"] for row in found} == {"croupier-record-1"}
    assert found[1]["submission_hash"] == found[0]["submission_hash"]


@pytest.mark.parametrize(
    ("written", "rounds"), [("7", [7]), ("3-5", [3, 4, 5]), ("8-", [8, 9]), ("99", [])]
)
def test_some_rounds(written: str, rounds: list[int]) -> None:
    found = records(run("export", the_night().file, "--table", "1", "--rounds", written))
    assert [row["round"] for row in found if row["record"] == "round"] == rounds


def test_keys_name_what_was_never_turned() -> None:
    night = the_night()
    asked = ("export", night.file, "--table", "1", "--rounds", "1")
    blind, full = records(run(*asked))[1], records(run(*asked, "--keys", night.keys))[1]
    assert blind["hidden"] == [{"place": "box", "count": 2, "box": 2}]
    assert "hidden" not in full
    assert len(full["cards"]) == len(blind["cards"]) + 2  # type: ignore[arg-type]


def test_a_file_is_written_whole_and_read_again(tmp_path: Path) -> None:
    out, again = tmp_path / "night.jsonl", tmp_path / "again.jsonl"
    assert run("export", the_night().file, "--out", out) == (0, "", "")
    assert run("export", out, "--out", again) == (0, "", "")
    assert out.read_bytes() == again.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.jsonl", "night.jsonl"]


def test_what_is_no_file_is_written_to_and_stays_what_it_is(tmp_path: Path) -> None:
    pipe, found = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    assert run("export", the_night().file, "--table", "2", "--out", pipe).status == 0
    reader.join()
    assert pipe.is_fifo()
    assert found[0].count(b"\n") == 7


@pytest.mark.parametrize("example", ["uth", "four-card"])
def test_a_round_file_there_and_back_settles_alike(example: str, tmp_path: Path) -> None:
    written, record = tmp_path / "round.toml", tmp_path / "round.jsonl"
    written.write_text(croupier.example(example), "utf-8")
    assert run("export", written, "--out", record).status == 0
    back = run("export", record, "--as", "toml")
    assert back.status == 0
    before = croupier.settle(croupier.read_round(croupier.example(example)))
    after = croupier.settle(croupier.read_round(back.out))
    assert as_document(after) == as_document(before)


def test_a_round_of_a_ledger_becomes_a_round_file(tmp_path: Path) -> None:
    ran = run("export", the_night().file, "--table", "1", "--rounds", "2", "--as", "toml")
    receipt = croupier.settle(croupier.read_round(ran.out))
    (row,) = records(run("export", the_night().file, "--table", "1", "--rounds", "2"))[1:]
    lines = row["lines"]
    assert isinstance(lines, list)
    assert [(line.box, line.wager, line.paid_cents) for line in receipt.lines] == [
        (line["box"], line["wager"], line.get("paid_cents", 0)) for line in lines
    ]


def test_the_schema_is_printed() -> None:
    shipped = (files("croupier.audit.records") / "schema.json").read_text("utf-8")
    assert run("export", "--schema") == (0, shipped, "")


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    night = the_night()
    foreign, text, toml = tmp_path / "keys.json", tmp_path / "x.jsonl", tmp_path / "x.toml"
    create_ring(foreign)
    text.write_text("{}\n", "utf-8")
    toml.write_text("rulebook = 'UTH-X'\n", "utf-8")
    assert "or ask for --schema" in sentence(run("export"))
    assert "x.jsonl, line 1: this is no round record" in sentence(run("export", text))
    assert "x.toml: there is no rulebook" in sentence(run("export", toml))
    assert "there is no file" in sentence(run("export", tmp_path / "none.db"))
    assert "keys open nothing" in sentence(run("export", text, "--keys", foreign))
    assert 'no table "9"' in sentence(run("export", night.file, "--table", "9"))
    out = ("--out", tmp_path / "out.jsonl")
    assert "keys of this ledger?" in sentence(run("export", night.file, "--keys", foreign, *out))
    assert not (tmp_path / "out.jsonl").exists()
    assert "cannot be written" in sentence(
        run("export", night.file, "--out", tmp_path / "no" / "out.jsonl")
    )
    for wrong in ("0x1", "9-7", "7--", "a", "1-2-3"):
        assert "write 7, 7-9 or 7-" in sentence(run("export", night.file, "--rounds", wrong))
    many = run("export", night.file, "--as", "toml")
    assert "more than one round" in sentence(many)
    assert "no round" in sentence(run("export", night.file, "--rounds", "77", "--as", "toml"))


def test_nothing_is_written_over(tmp_path: Path) -> None:
    """Not even a file of records: least of all the ledger, or the keys of its shoe."""
    night = the_night()
    ledger = Path(shutil.copyfile(night.file, tmp_path / "evening.db"))
    keys = Path(shutil.copyfile(night.keys, tmp_path / "keys.json"))
    keys.chmod(0o600)
    records = tmp_path / "evening.jsonl"
    records.write_text("{}\n", "utf-8")
    for file in (ledger, keys, records):
        before = file.read_bytes()
        for asked in (("export", ledger), ("export", ledger, "--rounds", "1", "--as", "toml")):
            said = sentence(run(*asked, "--table", "1", "--keys", keys, "--out", file))
            assert said == f"{file} is there already and is not written over"
        assert file.read_bytes() == before


def test_an_empty_file_is_no_ledger(tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    empty.touch()
    assert "is empty: it is not a ledger" in sentence(run("export", empty))
