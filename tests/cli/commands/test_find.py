"""``croupier find``: rounds of a ledger by what somebody remembers of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.ledger_commands import run, sentence


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three rounds of the practice table, played by itself."""
    file = tmp_path_factory.mktemp("find") / "evening.db"
    for seed in (7, 8, 9):
        played = run("play", "--terminal", "--example", "--seed", seed, "--ledger", file)
        assert played.status == 0, played.err
    return file


def test_rounds_are_found_and_told_with_their_time(evening: Path) -> None:
    ran = run("find", evening, "--player", "you")
    assert ran.status == 0
    assert "3 found in ledger" in ran.out
    assert ran.out.count(" UTC") == 3
    told = run("find", evening, "--hand", "three of a kind", "--json").document["found"]
    assert [(one["round"], one["player"]) for one in told] == [(1, "You")]
    assert told[0]["at"].endswith("+00:00")
    assert run("find", evening, "--rebuild", "--json").document["found"][-1]["round"] == 1


def test_nothing_found_is_a_no(evening: Path) -> None:
    ran = run("find", evening, "--least", "100000")
    assert (ran.status, "Nothing of this kind was found" in ran.out) == (1, True)
    assert run("find", evening, "--player", "YOU", "--least", "100000").status == 1


def test_what_cannot_be_understood_is_one_sentence(evening: Path) -> None:
    assert "did you mean full house?" in sentence(run("find", evening, "--hand", "fullhouse"))
    assert "is no time; write 2027-01-15" in sentence(run("find", evening, "--since", "noon"))
    assert sentence(run("find", evening, "--rows", 0)) == "--rows is 1 to 1,000, not 0"
    assert "choose one of won, lost" in sentence(run("find", evening, "--outcome", "win"))
