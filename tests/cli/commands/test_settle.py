"""``croupier settle`` as its users run it: a process, its output and its exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import croupier
from croupier.cli import main

GOOD = croupier.example("uth")


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "croupier", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False)


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.toml"
    path.write_text(GOOD, "utf-8")
    return path


def test_the_issue_format(good: Path) -> None:
    ran = run("settle", str(good), "--json")
    assert (ran.returncode, ran.stderr) == (0, b"")
    document = json.loads(ran.stdout)
    assert [box["seat"] for box in document["boxes"]] == [5, 4, 2, 1]
    royal = document["boxes"][-1]
    ante = royal["lines"][0]
    assert ante["wager"] == "ante"
    assert (ante["stake_cents"], ante["outcome"], ante["odds"]) == (2500, "push", "push")
    assert (ante["paid_cents"], ante["returned_cents"]) == (0, 2500)
    assert ante["clause"] == "UTH-S 11.H(1)"
    assert royal["net_cents"] == 125000 + 10000 + 40000 + 190000 - 100
    assert document["meters"] == {
        "mega": "$25,000.10",
        "major": "$1,000.00",
        "minor": "$310.55",
    }


def test_a_bad_file_among_good_ones(good: Path, tmp_path: Path) -> None:
    twice = tmp_path / "twice.toml"
    twice.write_text(GOOD.replace("Th Jh", "Th Th"), "utf-8")
    broken = tmp_path / "broken.toml"
    broken.write_text("rulebook = ", "utf-8")
    ran = run("settle", str(twice), str(good), str(broken), "--json")
    first, second, third = map(json.loads, ran.stdout.splitlines())
    assert ran.returncode == 2
    assert first["clause"] == "UTH-S 3.A(1)"
    assert "Th appears more than once" in first["error"]
    assert len(second["boxes"]) == 4
    assert third["clause"] is None
    assert "not TOML" in third["error"]


def test_errors_are_one_sentence_on_stderr(tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    huge = tmp_path / "huge.toml"
    huge.write_bytes(b"a = 1\n" * 1_000_000)
    digits = tmp_path / "digits.toml"
    digits.write_text(f'rulebook = "UTH-S"\nseat = {"9" * 1_000_000}\n', "utf-8")
    for path in (binary, huge, digits, tmp_path, tmp_path / "missing.toml"):
        ran = run("settle", str(path))
        assert (ran.returncode, ran.stdout) == (2, b"")
        assert ran.stderr.startswith(b"croupier: ")
        assert ran.stderr.count(b"\n") == 1
        assert len(ran.stderr) < 500


def test_standard_input() -> None:
    ran = run("settle", "/dev/stdin", "--json", stdin=GOOD.encode())
    assert ran.returncode == 0
    assert len(json.loads(ran.stdout)["boxes"]) == 4


def test_a_byte_order_mark_is_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "bom.toml"
    path.write_text(GOOD, "utf-8-sig")
    assert run("settle", str(path)).returncode == 0


@pytest.mark.parametrize("game", ["uth", "four-card"])
def test_examples_settle(game: str) -> None:
    receipt = croupier.settle(croupier.read_round(croupier.example(game)))
    assert receipt.lines


def test_the_story(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settle", "--example"]) == 0
    told = capsys.readouterr().out
    assert "Box 1 (Ann)" in told
    assert "straight flush, jack high" in told
    assert "UTH-S 12.D(1)(c)(ii)" in told
    assert "Major meter: $1,000.00, was $1,900.00" in told
    assert "uth.toml" in told


@pytest.mark.parametrize(
    "arguments", [["settle"], ["settle", "--bogus"], ["nonsense"], ["rules", "UTH-S", "99.Z"]]
)
def test_bad_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("croupier: ")
    assert said.err.count("\n") == 1


def test_a_reader_that_goes_away(good: Path) -> None:
    command = f"{sys.executable} -m croupier rules --trace | head -1"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert ran.stderr == b""
