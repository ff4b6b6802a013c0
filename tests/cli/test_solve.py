"""``croupier solve`` and ``croupier advise`` as their users run them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.cli import main


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
    first = said(capsys, "solve", "four-card", "--json")
    (answer,) = (own_answers / "answers").iterdir()
    assert said(capsys, "solve", "four-card", "--json") == first
    answer.write_text("{", "utf-8")
    assert said(capsys, "solve", "four-card", "--json") == first
    assert said(capsys, "solve", "four-card", "--json", "--no-cache") == first
    assert json.loads(first)["ev_exact"] == "-8840827253/317119576410"


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
    told = said(capsys, "solve", "four-card")
    for part in ("2.7879%", "Element of risk", "Aces Up", "super-B", "Envy", "Even at"):
        assert part in told


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("lines = []", "at least one line"),
        ('lines = [{ for = "three jokers", pays = "1 to 1" }]', "three jokers"),
        ('lines = [{ for = "pair", pays = "much" }]', "is not odds"),
        ('lines = [{ for = "pair", pays = "50% of meter" }]', "meters"),
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
        (["solve", "uth", "--paytable", "blind=Z"], "choose A or B - UTH-S 12.B"),
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
