"""``croupier prove`` and ``croupier verify FILE``: a round as one file, made and checked."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path

from croupier.ledger.store.address import open_ledger
from tests.audit.nights import the_night, write_ring
from tests.cli.ledger_commands import run, sentence
from tests.ledger.evenings import Evening
from tests.ledger.recordings.test_recordings import dispute


def test_a_round_is_proved_in_a_file_and_verified_without_the_ledger(tmp_path: Path) -> None:
    copy = Path(shutil.copyfile(the_night().file, tmp_path / "copy.db"))
    file, asked = tmp_path / "round.round-proof", ("--table", "1", "--as", "player:Ann")
    early = run("prove", copy, "1", *asked, "--out", file)
    assert "not under a checkpoint yet" in sentence(early)
    made = run("prove", copy, "1", *asked, "--keys", the_night().keys, "-o", file)
    assert (made.status, made.out) == (0, "")
    assert "not written over" in sentence(run("prove", copy, "1", *asked, "-o", file))
    copy.unlink()
    ran = run("verify", file)
    assert ran.status == 0, ran.out
    assert "no --key: compare the key" in ran.out
    assert "3 boxes settled again to the cent, 5 wagers line by line" in ran.out
    assert ran.out.endswith("The proof holds.\n")
    told = run("verify", file, "--json").document
    assert (told["fits"], told["table"], told["round"], told["lines"]) == (True, "1", 1, 75)
    assert run("verify", file, "--key", told["key"]).status == 0
    foreign = run("verify", file, "--number", "5a" * 32)
    assert (foreign.status, "no box had committed itself to it" in foreign.out) == (1, True)


def test_a_changed_file_proves_nothing(tmp_path: Path) -> None:
    copy = Path(shutil.copyfile(the_night().file, tmp_path / "copy.db"))
    file = tmp_path / "round.round-proof"
    run("prove", copy, "1", "--table", "1", "--keys", the_night().keys, "-o", file)
    file.write_bytes(file.read_bytes().replace(b'cents\\":1000', b'cents\\":9000', 1))
    ran = run("verify", file)
    assert (ran.status, "proves nothing: line at" in ran.out) == (1, True)
    assert run("verify", file, "--json").document["fits"] is False


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    night, text = the_night(), tmp_path / "text"
    text.write_text("x", "utf-8")
    assert run("verify", text).status == 1
    assert "name the number of the round" in sentence(run("verify", night.file))
    assert "there is no file" in sentence(run("verify", tmp_path / "none"))
    assert "no verifier key" in sentence(run("verify", text, "--key", "ab"))
    assert "--table is for a ledger" in sentence(run("verify", text, "--table", "1"))
    assert "--key is for a proof" in sentence(run("verify", night.file, "1", "--key", "ab"))
    assert "64 hexadecimal digits" in sentence(run("verify", text, "--number", "5A" * 32))
    assert "name a table" in sentence(run("prove", night.file, "1"))
    asked = ("--table", "1", "--out", tmp_path / "out")
    assert "no round 99" in sentence(run("prove", night.file, "99", *asked))
    assert "viewer" in sentence(run("prove", night.file, "1", *asked, "--as", "nobody"))


def test_the_evidence_of_a_dispute_is_one_file(tmp_path: Path) -> None:
    """Opened by the dealer on a round that was over, and ended by the floor; anything else that is
    asked for gets one sentence."""
    file, keys, out = tmp_path / "l.db", tmp_path / "keys", tmp_path / "case.json"
    evening = Evening(seed=3)
    with closing(open_ledger(str(file), create=True)) as ledger:
        table = evening.install(ledger)
        evening.sit(table, 1)
        evening.play(table, 1)
        dispute(evening, table)
        evening.play(table, 1)
    write_ring(keys, evening.ring)
    asked = ("--as", "surveillance", "--keys", keys, "-o", out)
    made = run("prove", file, "--dispute", "1", *asked)
    assert (made.status, made.out) == (0, ""), made.err
    told = json.loads(out.read_bytes())
    assert (told["case"]["number"], told["case"]["round"], told["case"]["box"]) == (1, 1, 1)
    assert told["case"]["state"] == "stands"
    assert all(wager["clause"] for wager in told["wagers"])
    assert {"cards-dealt", "wager-settled"} <= {event["event"] for event in told["events"]}
    assert told["proof"]["format"].startswith("croupier round proof")
    assert "no dispute 2" in sentence(run("prove", file, "--dispute", "2", "-o", tmp_path / "x"))
    assert "name the number of a round" in sentence(run("prove", file, "1", "--dispute", "1"))
    assert "name the number of a round" in sentence(run("prove", file))
