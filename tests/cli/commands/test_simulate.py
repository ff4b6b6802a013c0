"""``croupier simulate``: what it says, and one clear sentence where it cannot."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from croupier.cli import main
from croupier.submission.check import shipped_text

Told = pytest.CaptureFixture[str]
ROUNDS = "20,000"


def document(told: Told, *arguments: str) -> dict[str, Any]:
    assert main(["simulate", *arguments, "--json"]) == 0
    answer = told.readouterr()
    assert answer.err == "croupier: dealing (the first run also compiles)\n"
    found: dict[str, Any] = json.loads(answer.out)
    return found


def refused(told: Told, *arguments: str) -> str:
    """One sentence, before anything is dealt."""
    assert main(["simulate", *arguments]) == 2
    answer = told.readouterr()
    assert answer.out == ""
    (sentence,) = answer.err.splitlines()
    assert sentence.startswith("croupier: ")
    return sentence


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
        "What the house holds of the handle",
        "What the house holds of the drop, $400.00 bought by each box for each session",
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
    table, charts = tmp_path / "numbers.csv", tmp_path / "charts"
    found = document(
        capsys, "uth", "--rounds", ROUNDS, "--hours", "1", "--bankroll", "300",
        "--csv", str(table), "--svg", str(charts),
    )  # fmt: skip
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    wagers = [row for row in rows if row["part"] == "wager"]
    assert [row["name"] for row in wagers] == [w["wager"] for w in found["boxes"][0]["wagers"]]
    assert float(wagers[0]["mean"]) == found["boxes"][0]["wagers"][0]["mean"]
    by_part = {(row["part"], row["name"]): row for row in rows}
    house, session = found["house"], found["sessions"]["boxes"][0]
    for part, told in (
        (("win", "day"), house["win_cents"]["day"]),
        (("hold on handle", "week"), house["hold"]["week"]),
        (("hold on drop", "month"), house["hold_on_drop"]["month"]),
        (("session", "longest drought"), session["longest_drought"]),
        (("jackpot", "minor"), found["meters"]["minor"]["jackpot_cents"]),
    ):
        row = by_part[part]
        assert int(row["count"]) == told["count"]
        assert float(row["5%"]) == told["at_most"]["5%"]
    assert float(by_part["session", "risk of ruin"]["mean"]) == session["risk_of_ruin"]
    names = {path.name for path in charts.iterdir()}
    assert names >= {
        *("means.svg", "sessions.svg", "droughts.svg", "house-win.svg", "house-hold.svg"),
        *("house-drop.svg", "meter-minor.svg", "meter-minor-rounds.svg"),
    }
    assert all(path.read_text("utf-8").startswith("<svg") for path in charts.iterdir())


@pytest.mark.parametrize(
    ("option", "place", "sentence"),
    [
        ("--csv", "none/numbers.csv", "cannot be written: no folder"),
        ("--csv", "folder", "is a folder; name a file in it"),
        ("--csv", "file/numbers.csv", "cannot be written: Not a directory"),
        ("--svg", "file", "is no folder; name one that can be written into"),
    ],
)
def test_files_are_tried_before_anything_is_dealt(
    option: str, place: str, sentence: str, capsys: Told, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("kept", "utf-8")
    told = refused(capsys, "uth", "--rounds", ROUNDS, option, str(tmp_path / place))
    assert sentence in told
    assert str(tmp_path / place) in told
    assert (tmp_path / "file").read_text("utf-8") == "kept"


def test_a_file_that_fails_in_the_end_is_named(capsys: Told) -> None:
    assert main(["simulate", "four-card", "--rounds", "10", "--csv", "/dev/full"]) == 2
    assert '"/dev/full" cannot be written: No space left' in capsys.readouterr().err


def test_sessions_without_a_whole_day(capsys: Told) -> None:
    found = document(capsys, "uth", "--rounds", "160", "--hours", "4")
    assert found["sessions"]["count"] == 1
    assert found["house"] == {"rounds_a_day": 640, "win_cents": {}, "hold": {}}
    assert main(["simulate", "uth", "--rounds", "160", "--hours", "4"]) == 0
    told = capsys.readouterr().out
    assert "1 session of 160 rounds" in told
    assert "Not one whole day was played; it takes 640 rounds" in told


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
        (["baccarat"], 'there is no game "baccarat"'),
        (["uth", "--boxes", "7"], "1 to 6 boxes, not 7"),
        (["uth", "--boxes", "1000"], "1 to 6 boxes, not 1,000"),
        (["uth", "--boxes", "-1"], "1 to 6 boxes"),
        (["uth", "--boxes", "two"], "unable to convert"),
        (["uth", "--boxes", "3", *["--strategy", "optimal"] * 2], "for 2 boxes"),
        (["uth", *["--strategy", "optimal"] * 7], "1 to 6 boxes, not 7"),
        (["uth", "--strategy", "clever"], 'there is no strategy "clever"'),
        (["uth", "--strategy", "clever.toml"], "there is no such file"),
        (["uth", "--strategy", ""], "this is a folder"),
        (["uth", "--strategy", "four-card-simple"], "a strategy for four-card"),
        (["uth", "--stake", "ante"], "names no amount"),
        (["uth", "--stake", "ante=10", "--stake", "ante=20"], "named twice"),
        (["uth", "--stake", "ante=0"], "it needs Ante and Blind - UTH-S 7.F(1)"),
        (["uth", "--stake", "ante=5"], "$5.00 is not within this table's limits, $10.00 to"),
        (["uth", "--stake", "ante=-5"], "is not an amount"),
        (["uth", "--stake", "blind="], "is not an amount"),
        (["uth", "--stake", "blind=20"], "not equal to the Ante of $10.00 - UTH-S 7.F(1)"),
        (["uth", "--stake", "play=40"], 'this table has no wager "play"'),
        (["uth", "--bankroll", "100"], "--bankroll is for sessions: say how long one is"),
        (["uth", "--hands-an-hour", "30"], "--hands-an-hour is for sessions"),
        (["uth", "--hours-a-day", "8"], "--hours-a-day is for sessions"),
        (["uth", "--hours", "1"], "not one session of 40"),
        (["uth", "--hours", "soon"], "no number of hours"),
        (["uth", "--hours", "1e99999999"], "no number of hours"),
        (["uth", "--hours", "0.001"], "a session has 1 to"),
        (["uth", "--hours", "1", "--hours-a-day", "25"], "at most 24"),
        (["uth", "--hours", "1", "--hands-an-hour", "0"], "1 to 10,000 hands"),
        (["uth", "--hours", "1", "--bankroll", "lots"], "is not an amount"),
        (["uth", "--hours", ".2", "--bankroll", "50"], "does not cover one round"),
        (["uth", "--workers", "0"], "workers can play"),
        (["uth", "--workers", "2", "--cluster", "127.0.0.1:1"], "leave them out with --cluster"),
        (["uth", "--cluster", "somewhere"], "is no address"),
        (["uth", "--seed", "-1"], "is no seed"),
        (["uth", "--seed", "luck"], "is no seed"),
        (["uth", "--seed", "18446744073709551616"], "a seed is a whole number from 0"),
        (["uth", "--submission", "none.toml"], "there is no such file"),
        (["uth", "--rulebook", "FCP-14"], "is not a rulebook of uth"),
    ],
)
def test_nonsense_gets_one_sentence(arguments: list[str], sentence: str, capsys: Told) -> None:
    assert sentence in refused(capsys, *arguments, "--rounds", "10")


@pytest.mark.parametrize(
    ("rounds", "sentence"),
    [
        ("many", "is no number of rounds"),
        ("-5", "is no number of rounds"),
        ("1e6", "is no number of rounds"),
        ("1,00", "is no number of rounds"),
        ("9" * 30, "is no number of rounds"),
        ("0", "1 to 100,000,000,000 rounds can be played"),
        ("100,000,000,001", "1 to 100,000,000,000 rounds can be played"),
    ],
)
def test_rounds_are_a_number_of_them(rounds: str, sentence: str, capsys: Told) -> None:
    assert sentence in refused(capsys, "uth", "--rounds", rounds)


@pytest.mark.parametrize(
    "arguments", [["uth", "--rounds", "1"], ["four-card", "--rounds", "2", "--seed", "6"]]
)
def test_rounds_that_all_end_alike_have_no_deviation(arguments: list[str], capsys: Told) -> None:
    assert main(["simulate", *arguments]) == 0
    assert "simulated, seed" in capsys.readouterr().out
