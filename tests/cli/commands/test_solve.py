"""``croupier solve`` and ``croupier advise`` as their users run them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.cli import main
from croupier.cli.commands.solve import solved
from croupier.cli.files import text_of
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.cli.text.solution import solution_report
from croupier.documents.returns import base_rules
from croupier.games.registry import the_registry
from croupier.games.rules import first_letters
from croupier.submission.check import shipped_submission, shipped_text
from croupier.submission.toml_writer import write_submission

FLOP_A = ["A", "(flop)", "main"]


@pytest.fixture(autouse=True)
def own_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Answers of these tests are kept apart; compiled kernels are found where they were."""
    from croupier.exact.kernels import compiled

    compiled.cache_folder()
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def test_json_is_the_same_from_the_cache(
    capsys: pytest.CaptureFixture[str], own_answers: Path
) -> None:
    """Shipped, counted, kept here, and counted because what was kept cannot be read or was
    changed."""
    shipped, asked = told(capsys), ("--paytable", "aces_up=B")
    assert not list(own_answers.iterdir())
    assert shipped.pop("provenance").startswith("kept, proved by tests/")
    now = told(capsys, "--no-cache")
    assert now.pop("provenance") == "counted now"
    assert now == shipped
    assert now["ev_exact"] == "-8840827253/317119576410"
    (answer,) = (own_answers / "answers").iterdir()
    answer.unlink()
    first = told(capsys, *asked)
    assert first.pop("provenance") == "counted now"
    (answer,) = (own_answers / "answers").iterdir()
    again = told(capsys, *asked)
    assert again.pop("provenance") == "kept, counted on this machine by the same rules and code"
    assert again == first
    answer.write_text("{", "utf-8")
    assert told(capsys, *asked) == {**first, "provenance": "counted now"}
    changed = answer.read_bytes().replace(b'"ways":624', b'"ways":625')
    assert changed != answer.read_bytes()
    answer.write_bytes(changed)
    assert told(capsys, *asked) == {**first, "provenance": "counted now"}


def told(capsys: pytest.CaptureFixture[str], *asked: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said(capsys, "solve", "four-card", "--json", *asked))
    return found


@pytest.mark.parametrize(
    ("asked", "provenance"),
    [
        (("solve", "uth"), "kept, proved by tests/exact/test_shipped_solutions.py"),
        (("advise", "uth", "Kd 5c"), "kept, proved by tests/exact/test_shipped_solutions.py"),
        (("advise", "uth", "Kd 5c", "--board", "Qh 8s 2d"), "counted now"),
    ],
)
def test_every_answer_says_where_it_is_from(
    capsys: pytest.CaptureFixture[str], asked: tuple[str, ...], provenance: str
) -> None:
    assert f"Values: {provenance}" in said(capsys, *asked).splitlines()


def test_a_paytable_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    own = tmp_path / "generous.toml"
    own.write_text('lines = [{ for = "pair of aces", pays = "3 to 1" }]\n', "utf-8")
    told = json.loads(said(capsys, "solve", "four-card", "--json", "--paytable", f"aces_up={own}"))
    aces_up = told["side_wagers"]["aces_up"]
    assert aces_up["generous"]["outcomes"]["pair of aces"]["odds"] == "3 to 1"
    assert aces_up["generous"]["ev"] == pytest.approx(4 * 81096 / 2598960 - 1)
    own.write_text('lines = [{ for = "pair of aces", pays = "4 to 1" }]\n', "utf-8")
    told = json.loads(said(capsys, "solve", "four-card", "--json", "--paytable", f"aces_up={own}"))
    assert told["side_wagers"]["aces_up"]["generous"]["ev"] == pytest.approx(
        5 * 81096 / 2598960 - 1
    )


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "solve", "four-card", "--csv").splitlines()
    assert lines[0].startswith("wager,paytable")
    assert lines[1].startswith("base,")
    assert any(line.startswith("aces_up,A,,-0.0277") for line in lines)


def test_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "solve", "four-card", "--all")
    for part in ("2.7879%", "Element of risk", "Aces Up", "super-B", "Envy", "Even at"):
        assert part in told


def test_a_screen_gets_the_edge_of_every_paytable_and_no_reading_that_nobody_offers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = said(capsys, "solve", "uth")
    assert len(told.splitlines()) < 50
    counted = json.loads(said(capsys, "solve", "uth", "--json"))["side_wagers"]
    edges = [-100 * side["ev"] for sides in counted.values() for side in _each(sides)]
    for edge in edges:
        assert (f" {edge:.3f}%" in told) == (edge > 0)
    assert "Left out: Progressive (final), which would return 493% to 559%" in told
    assert main(["solve", "uth", "--all", "--json"]) == 2


def test_a_reading_that_a_submission_chose_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    book = the_registry().book("UTH-S")
    solution = solved(base_rules(the_registry(), book, first_letters(book)))
    chosen = tuple(side for side in solution.side_wagers if side.reading != "flop")
    show(solution_report(book, replace(solution, side_wagers=chosen)), Screen())
    told = capsys.readouterr().out
    assert "Progressive (final)  -458.706%*" in told
    assert "Left out" not in told


def _each(sides: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every paytable, by each reading of it."""
    for side in sides.values():
        yield from [side] if "ev" in side else side.values()


def test_an_ante_is_solved_under_the_payout_limit(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(said(capsys, "solve", "uth", "--ante", "500", "--json"))
    assert round(told["house_edge"], 4) == 0.0343
    assert told["payout_limit"]["limit"] == "$50,000.00"
    assert told["payout_limit"]["shipped"] is True
    assert "with no Trips beside it" in told["payout_limit"]["says"]
    assert told["payout_limit"]["cut"] == pytest.approx(-told["wagers"]["payout_limit"]["ev"])


@pytest.mark.prove
def test_an_ante_under_the_payout_limit_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    printed = said(capsys, "solve", "uth", "--ante", "$500")
    assert "3.4299%" in printed
    assert "At an Ante of $500, with no Trips beside it, under the shipped payout limit" in printed


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        (("uth", "--ante", "502"), "$10.00 to $500.00 in steps of $5.00"),
        (("uth", "--ante", "1,000"), "Ante $1,000.00 is no wager of table UTH-1"),
        (("uth", "--ante", "much"), '"much" is no Ante; write it in dollars, like 500'),
        (("uth", "--ante", "500", "--stake", "trips=5"), "which paytable pays Trips is not said"),
        (("four-card", "--ante", "100"), "FCP-14 has no payout limit"),
        (("three-card", "--ante", "100"), "TCP-1 has no payout limit"),
    ],
)
def test_an_ante_that_is_none_is_refused(
    capsys: pytest.CaptureFixture[str], asked: tuple[str, ...], complaint: str
) -> None:
    assert main(("solve", *asked)) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert complaint in told.err
    assert len(told.err.splitlines()) == 1


def meter_row(told: str) -> list[str]:
    (row,) = (line.split() for line in told.splitlines() if line.split()[:3] == FLOP_A)
    return row


def test_the_report_says_what_an_even_wager_leaves_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Without Envy, with the Envy of five others, and beside them what the long run gives back."""
    told = said(capsys, "solve", "uth", "--rulebook", "UTH-14", "--all")
    row = meter_row(told)
    assert row[4:] == ["0.2924%", "$150,716", "$140,979", "57.47%+", "649,740"]
    assert "without Envy, and with Envy of 5 other boxes" in " ".join(told.split())
    filed = tmp_path / "filed.toml"
    filed.write_text(write_submission(shipped_submission("UTH-14")), "utf-8")
    told = said(capsys, "solve", "uth", "--submission", str(filed), "--all")
    row = meter_row(told)
    growth = shipped_submission("UTH-14").progressive.growth  # type: ignore[union-attr]
    assert row[-2] == f"{57.4672 + 100 * float(growth):.2f}%"
    assert "which a submission says" not in " ".join(told.split())


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("lines = []", "at least one line"),
        ('lines = [{ for = "three jokers", pays = "1 to 1" }]', "three jokers"),
        ('lines = [{ for = "pair", pays = "much" }]', "is not odds"),
        ('lines = [{ for = "pair", pays = "50% of meter" }]', "meters"),
        (
            'lines = [{ for = "pair", pays = "50% of meter" }]\n'
            'meters = [{ name = "main", least = "$5" }]',
            "only the Progressive pays from a meter",
        ),
        (
            'lines = [{ for = "flush", pays = "3 to 1" }, { for = "flush", pays = "2 to 1" }]',
            "stands in it twice",
        ),
        (
            'lines = [{ for = "anything else", pays = "push" }, { for = "pair", pays = "2 to 1" }]',
            "write it last",
        ),
        ('judged_by = "moon"\nlines = [{ for = "pair", pays = "2 to 1" }]', "judged by"),
        ("lines = [" + '{ for = "pair", pays = "2 to 1" },' * 101 + "]", "101 lines"),
        ("lines = 7", "no paytable"),
        ("lines = [", "no paytable"),
        ('colour = "red"', "no paytable"),
    ],
)
def test_a_nonsense_paytable(
    content: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "nonsense.toml"
    path.write_text(content, "utf-8")
    assert main(["solve", "four-card", "--paytable", f"aces_up={path}"]) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["solve", "bridge"], "there is no game"),
        (["solve", "uth", "--rulebook", "FCP-14"], "not a rulebook of uth"),
        (["solve", "uth", "--paytable", "blind"], "like blind=B"),
        (["solve", "uth", "--paytable", "blind=Z"], "choose one of A, B - UTH-S 12.B"),
        (["solve", "uth", "--paytable", "luck=A"], "no paytable for"),
        (["solve", "uth", "--paytable", "trips=missing.toml"], "no such file"),
        (["advise", "uth", "Kd", "Xx"], "is not a card"),
        (["advise", "four-card", "AcAd9h5s2c", "--upcard", "Ac"], "more than once"),
        (["advise", "uth"], "player's cards"),
    ],
)
def test_bad_usage(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1


def test_advice(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(said(capsys, "advise", "uth", "Kd5c", "--board", "Qh8s2d3h3s", "--json"))
    assert told["best"] == "1x"
    assert told["values_exact"] == {"1x": "-85/66", "fold": "-2"}
    table = said(capsys, "advise", "four-card", "Ac Ad 9h 5s 2c", "--upcard", "Kd")
    assert table.splitlines()[1].split()[0] == "3x"


@pytest.mark.parametrize("odds", ["20,000,000 to 1", "999,999,999,989 to 999,999,999,961"])
def test_odds_nobody_can_count(
    odds: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "huge.toml"
    path.write_text(f'lines = [{{ for = "four of a kind", pays = "{odds}" }}]', "utf-8")
    assert main(["solve", "four-card", "--paytable", f"ante_bonus={path}"]) == 2
    assert "too high or too fine" in capsys.readouterr().err


@pytest.mark.prove
def test_a_meter_that_is_never_emptied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tenth.toml"
    path.write_text(
        'lines = [{ for = "four aces", pays = "10% of meter" }]\n'
        'meters = [{ name = "main", least = "$5,000" }]',
        "utf-8",
    )
    told = said(capsys, "solve", "four-card", "--paytable", f"progressive={path}", "--all")
    (line,) = [line for line in told.splitlines() if line.startswith("tenth")]
    assert line.split()[-1] == "never"


def test_other_stakes_and_meters(capsys: pytest.CaptureFixture[str]) -> None:
    """At $5 the Super Royals are worth a fifth of what they add at $1."""
    asked = (
        "solve",
        "four-card",
        "--json",
        "--stake",
        "six_card_bonus=5",
        "--meter",
        "main=10,000",
    )
    told = json.loads(said(capsys, *asked))["side_wagers"]
    assert told["six_card_bonus"]["super-A"]["ev_exact"] == "-460562/2544815"
    assert told["progressive"]["A"]["assumes"]["meters"] == {"main": "$10,000.00"}


def test_exposure(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    told = json.loads(said(capsys, "exposure", "four-card", "ante=50", "--json"))
    assert told["player"] == "$200.00"
    own = tmp_path / "own.toml"
    own.write_text('lines = [{ for = "royal flush", pays = "7 to 1" }]', "utf-8")
    asked = ("exposure", "uth", "ante=$10", "--boxes", "1", "--paytable", f"blind={own}", "--json")
    assert json.loads(said(capsys, *asked))["table_bound_by_wager"]["blind"] == "$70.00"
    assert main(["exposure", "uth", "ante"]) == 2
    assert "like ante=100" in capsys.readouterr().err


@pytest.mark.parametrize(
    "game",
    [*(pytest.param(g, marks=pytest.mark.prove) for g in ("uth", "four-card")), "three-card"],
)
def test_exposure_of_a_game_is_that_of_its_shipped_submission(
    game: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    filed = tmp_path / "table.toml"
    filed.write_text(shipped_text(the_registry().books_of(game)[0].id), "utf-8")
    told = said(capsys, "exposure", game, "--json")
    assert told == said(capsys, "exposure", game, "--submission", str(filed), "--json")


@pytest.mark.parametrize("command", ["solve", "exposure", "strategy"])
def test_a_submission_is_read_once(
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    filed, read = tmp_path / "table.toml", []
    filed.write_text(shipped_text("TCP-1"), "utf-8")

    def heard(path: Path) -> str:
        read.append(path)
        return text_of(path)

    monkeypatch.setattr("croupier.cli.files.text_of", heard)
    assert said(capsys, command, "three-card", "--submission", str(filed), "--json")
    assert read == [filed]
