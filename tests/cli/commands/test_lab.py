"""``croupier lab`` and its collectors as a test lab runs them."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import numpy as np
import pytest

import croupier
from croupier.audit.lab.collect import as_text, dealt
from croupier.cli import main
from croupier.cli.commands import collect_deals
from croupier.facts.cards import DECK, cards
from croupier.ledger.shoe.entropy import Chance


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    capsys.readouterr()
    status = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Deals of the production shuffle on seeded bytes, so that the verdict is always the same."""
    file = tmp_path_factory.mktemp("deals") / "deals.txt"
    decks = np.concatenate(list(dealt(10_000, Chance(random.Random(1).randbytes))))
    file.write_bytes(as_text(decks))
    return file


def test_deals_are_collected_as_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out_file = tmp_path / "deals.txt"
    status, out, _ = ran(capsys, "collect-deals", "--count", 1_001, "--out", out_file)
    lines = out_file.read_text("utf-8").splitlines()
    assert (status, len(lines), len(set(lines))) == (0, 1_001, 1_001)
    assert all(sorted(cards(line)) == sorted(DECK) for line in lines[::100])
    assert out.startswith(hashlib.sha256(out_file.read_bytes()).hexdigest())
    shoe = Path(croupier.__file__).parent / "table" / "shoe.py"
    assert f"{hashlib.sha256(shoe.read_bytes()).hexdigest()}  table/shoe.py" in out
    assert "Deals: none; the collector calls croupier.ledger.shoe.entropy.fresh_order" in out
    assert "Seeding: None of our own" in out


def test_deals_are_collected_as_bytes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out_file = tmp_path / "deals.bin"
    arguments = ("--count", 7, "--out", out_file, "--format", "bytes")
    assert ran(capsys, "collect-deals", *arguments)[0] == 0
    content = out_file.read_bytes()
    assert len(content) == 7 * 52
    assert all(sorted(content[at : at + 52]) == list(range(52)) for at in range(0, 364, 52))


def test_raw_output_is_collected(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out_file = tmp_path / "raw.bin"
    status, out, _ = ran(capsys, "collect-raw", "--bytes", 100_001, "--out", out_file)
    assert (status, len(out_file.read_bytes())) == (0, 100_001)
    assert out.startswith(hashlib.sha256(out_file.read_bytes()).hexdigest())
    assert len(set(out_file.read_bytes())) == 256


def test_a_file_that_is_there_is_left_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out_file = tmp_path / "mine"
    out_file.write_text("mine", "utf-8")
    for command in (("collect-deals", "--count", 3), ("collect-raw", "--bytes", 3)):
        status, _, err = ran(capsys, *command, "--out", out_file)
        assert (status, "there is such a file already" in err) == (2, True)
    assert out_file.read_text("utf-8") == "mine"


def test_what_cannot_be_done_is_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, collected: Path
) -> None:
    new = tmp_path / "new"
    (tmp_path / "bad").write_text("Ah Kd", "utf-8")
    for arguments, sentence in (
        (("collect-deals", "--count", 0, "--out", new), "0 decks cannot be collected"),
        (("collect-raw", "--bytes", -1, "--out", new), "-1 bytes cannot be collected"),
        (("collect-raw", "--bytes", 9, "--out", new / "no"), "this file cannot be written"),
        (("collect-deals", "--count", 1, "--out", new, "--format", "xml"), "xml"),
        (("lab", "--decks", 9_999), "at least 10,000 decks, not 9,999"),
        (("lab", collected, "--decks", 20_000), "not both"),
        (("lab", "--raw"), "name the file that holds the raw output"),
        (("lab", tmp_path / "none"), "this file cannot be opened"),
        (("lab", tmp_path / "bad"), "no collection of deals"),
        (("lab", tmp_path / "bad", "--raw"), "at least 10,000 bytes"),
    ):
        status, out, err = ran(capsys, *arguments)
        assert (status, out, len(err.splitlines())) == (2, "", 1), (arguments, err)
        assert sentence in err
    assert not new.exists()


def test_a_collection_is_tested_and_told(
    capsys: pytest.CaptureFixture[str], collected: Path
) -> None:
    status, out, _ = ran(capsys, "lab", collected)
    assert status == 0
    assert out.startswith(f"{collected}: 10,000 decks")
    assert "At 99% confidence all 28 trials passed together." in out
    assert "at 95% (COMAR 36.05.02.17F): passed." in out
    assert "would have found" in out
    status, out, err = ran(capsys, "lab", collected, "--json")
    report = json.loads(out)
    assert (status, err, report["verdict"]["passed"]) == (0, "", True)
    assert {
        "name",
        "statistic",
        "degrees",
        "size",
        "p",
        "adjusted",
        "passed",
        "finds",
        "seen",
    } == set(report["verdict"]["lines"][0])
    assert {file["path"] for file in report["key_files"]} >= {"ledger/shoe/entropy.py"}
    assert report["differences"]


def test_a_bad_collection_is_the_answer_no(
    capsys: pytest.CaptureFixture[str], collected: Path, tmp_path: Path
) -> None:
    """Ten thousand times the same hundred decks."""
    lines = collected.read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "bad.txt").write_text("".join(lines[:100] * 100), "utf-8")
    status, out, _ = ran(capsys, "lab", tmp_path / "bad.txt")
    assert status == 1
    assert "FAILED" in out
    (tmp_path / "raw.bin").write_bytes(random.Random(2).randbytes(50) * 1_000)
    assert ran(capsys, "lab", tmp_path / "raw.bin", "--raw")[0] == 1
    (tmp_path / "fair.bin").write_bytes(random.Random(2).randbytes(50_000))
    assert ran(capsys, "lab", tmp_path / "fair.bin", "--raw")[0] == 0


@pytest.mark.prove
def test_fresh_decks_are_tested(capsys: pytest.CaptureFixture[str]) -> None:
    """From the operating system, so a fair shuffle may fail, once in a hundred: both are told."""
    status, out, _ = ran(capsys, "lab", "--decks", 10_000, "--json")
    report = json.loads(out)
    assert report["tested"] == "10,000 fresh decks and 4,000,000 bytes of raw output"
    assert len(report["verdict"]["lines"]) == 34
    assert status == (0 if report["verdict"]["passed"] else 1)


def test_a_stuck_source_stops_the_collector(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collect_deals, "Chance", lambda: Chance(bytes))
    status, _, err = ran(capsys, "collect-deals", "--count", 3, "--out", tmp_path / "none.txt")
    assert (status, "the source of chance stands still" in err) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_more_decks_than_anybody_can_wait_for(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = ran(capsys, "lab", "--decks", 10**14)
    assert (status, out) == (2, "")
    most = "at most 100,000,000 decks are tested at once, not 100,000,000,000,000"
    assert err == f"croupier: {most}\n"
