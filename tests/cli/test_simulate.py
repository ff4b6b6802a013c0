"""``croupier simulate``: what it says, and one clear sentence where it cannot."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from croupier.cli import main
from croupier.submission.check import shipped_text

Told = pytest.CaptureFixture[str]
PAGE = Path(__file__).parents[2] / "docs" / "simulating.md"
CONSOLE = re.compile(r"```console\n\$ croupier (.*?)\n(.*?)```", re.DOTALL)
ROUNDS = "20,000"


def document(told: Told, *arguments: str) -> dict[str, Any]:
    assert main(["simulate", *arguments, "--json"]) == 0
    answer = told.readouterr()
    assert answer.err == "croupier: dealing (the first run also compiles)\n"
    found: dict[str, Any] = json.loads(answer.out)
    return found


def refused(told: Told, *arguments: str) -> str:
    assert main(["simulate", *arguments]) == 2
    answer = told.readouterr()
    assert answer.out == ""
    sentence = answer.err.splitlines()[-1]
    assert sentence.startswith("croupier: ")
    return sentence


@pytest.mark.parametrize(("command", "shown"), CONSOLE.findall(PAGE.read_text("utf-8")))
def test_the_docs_show_what_it_says(
    command: str, shown: str, capsys: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seed deals the same rounds everywhere, so a transcript is true to the last digit."""
    monkeypatch.setenv("COLUMNS", "100")
    assert main(shlex.split(command)) == 0
    told = capsys.readouterr().out
    assert [line.rstrip() for line in told.rstrip().splitlines()] == shown.rstrip().splitlines()


@pytest.mark.parametrize("game", ["uth", "four-card"])
def test_the_report(game: str, capsys: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "130")
    assert main(["simulate", game, "--rounds", ROUNDS, "--hours", "2", "--bankroll", "400"]) == 0
    page = capsys.readouterr().out
    for said in (
        "20,000 rounds simulated, seed 1",
        "Box 1, optimal play",
        "Base game and Six Card Bonus in one round",
        "250 sessions of 80 rounds, $400.00 brought along",
        "risk of ruin",
        "Longest run of rounds without a win",
        "What the house wins, 640 rounds a day",
        "no cards tell",
        "Rounds from one emptying to the next" if game == "uth" else "Meters",
    ):
        assert said in page


def test_the_document(capsys: Told) -> None:
    found = document(capsys, "uth", "--rounds", ROUNDS, "--boxes", "2")
    assert (found["game"], found["rulebook"], found["rounds"]) == ("uth", "UTH-S", 20_000)
    assert [box["box"] for box in found["boxes"]] == [1, 2]
    wagers = [wager["wager"] for wager in found["boxes"][0]["wagers"]]
    assert wagers[:2] == ["base", "trips"]
    assert wagers[-1] == "envy"
    base = found["boxes"][0]["wagers"][0]
    assert abs(base["z"]) < 4
    assert base["exact"] == pytest.approx(-0.02185, abs=1e-5)
    assert set(found["meters"]) == {"mega", "major", "minor"}
    assert "sessions" not in found


def test_the_same_seed_the_same_answer(capsys: Told) -> None:
    one = document(capsys, "four-card", "--rounds", ROUNDS, "--seed", "5", "--workers", "1")
    more = document(capsys, "four-card", "--rounds", ROUNDS, "--seed", "5", "--workers", "3")
    other = document(capsys, "four-card", "--rounds", ROUNDS, "--seed", "6")
    assert one == more != other


def test_strategies_by_box(capsys: Told, tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('game = "four-card"\n[[play]]\ndo = "3x"\n', encoding="utf-8")
    found = document(
        capsys, "four-card", "--rounds", ROUNDS, "--strategy", "optimal", "--strategy", str(own)
    )
    best, mine = found["boxes"]
    assert (best["strategy"], mine["strategy"]) == ("optimal", str(own))
    assert mine["actions"] == {"3x": 1.0, "1x": 0.0, "fold": 0.0}
    assert mine["wagers"][0]["exact"] < best["wagers"][0]["exact"]


def test_files_are_written(capsys: Told, tmp_path: Path) -> None:
    table, charts = tmp_path / "wagers.csv", tmp_path / "charts"
    found = document(
        capsys, "uth", "--rounds", ROUNDS, "--hours", "1", "--csv", str(table), "--svg", str(charts)
    )
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["wager"] for row in rows] == [w["wager"] for w in found["boxes"][0]["wagers"]]
    assert float(rows[0]["mean"]) == found["boxes"][0]["wagers"][0]["mean"]
    names = {path.name for path in charts.iterdir()}
    assert names >= {"means.svg", "sessions.svg", "house.svg", "meter-minor.svg"}
    assert all(path.read_text("utf-8").startswith("<svg") for path in charts.iterdir())


def test_a_submission_and_stakes(capsys: Told, tmp_path: Path) -> None:
    filed = tmp_path / "table.toml"
    filed.write_text(re.sub('trips = "A"', 'trips = "C"', shipped_text("UTH-14")), encoding="utf-8")
    found = document(
        capsys, "uth", "--rounds", ROUNDS, "--submission", str(filed), "--stake", "ante=25",
        "--stake", "six_card_bonus=0",
    )  # fmt: skip
    assert (found["rulebook"], found["paytables"]["trips"]) == ("UTH-14", "C")
    wagers = {wager["wager"]: wager["stake"] for wager in found["boxes"][0]["wagers"]}
    assert wagers["base"] == "$25.00"
    assert "six_card_bonus" not in wagers
    assert "base_with_six_card_bonus" not in found["boxes"][0]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["uth", "--rounds", "many"], "is no number of rounds"),
        (["uth", "--rounds", "-5"], "is no number of rounds"),
        (["uth", "--rounds", "0"], "1 to 100,000,000,000 rounds can be played"),
        (["baccarat", "--rounds", "10"], 'there is no game "baccarat"'),
        (["uth", "--rounds", "10", "--boxes", "7"], "1 to 6 boxes"),
        (["uth", "--rounds", "10", "--boxes", "-1"], "1 to 6 boxes"),
        (["uth", "--rounds", "10", "--boxes", "3", *["--strategy", "optimal"] * 2], "for 2 boxes"),
        (["uth", "--rounds", "10", "--strategy", "clever"], 'there is no file "clever"'),
        (["uth", "--rounds", "10", "--strategy", "four-card-simple"], "a strategy for four-card"),
        (["uth", "--rounds", "10", "--stake", "ante"], "names no amount"),
        (["uth", "--rounds", "10", "--bankroll", "100"], "say how long with --hours"),
        (["uth", "--rounds", "10", "--hours", "1"], "not one session of 40"),
        (["uth", "--rounds", "10", "--hours", "soon"], "no number of hours"),
        (["uth", "--rounds", "10", "--hours", "1", "--hours-a-day", "25"], "at most 24"),
        (["uth", "--rounds", "10", "--hours", "1", "--hands-an-hour", "0"], "1 to 10,000 hands"),
        (["uth", "--rounds", "10", "--hours", "1", "--bankroll", "lots"], "is not an amount"),
        (["uth", "--rounds", "10", "--workers", "0"], "workers can play"),
        (["uth", "--rounds", "10", "--seed", "-1"], "a seed is a whole number"),
        (["uth", "--rounds", "10", "--submission", "none.toml"], "there is no such file"),
        (["uth", "--rounds", "10", "--rulebook", "FCP-14"], "is not a rulebook of uth"),
    ],
)
def test_nonsense_gets_one_sentence(arguments: list[str], sentence: str, capsys: Told) -> None:
    assert sentence in refused(capsys, *arguments)


@pytest.mark.parametrize(
    "arguments", [["uth", "--rounds", "1"], ["four-card", "--rounds", "2", "--seed", "6"]]
)
def test_rounds_that_all_end_alike_have_no_deviation(arguments: list[str], capsys: Told) -> None:
    assert main(["simulate", *arguments]) == 0
    assert "simulated, seed" in capsys.readouterr().out
