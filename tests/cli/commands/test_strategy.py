"""``croupier strategy`` as its users run it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.cli import main
from croupier.cli.commands.solve import COUNTING
from croupier.exact.strategy.strategy_file import shipped
from croupier.submission.check import shipped_text

SIMPLE = shipped()["four-card-simple"]


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["strategy", *arguments])
    out, err = capsys.readouterr()
    said = [line for line in err.splitlines() if line != COUNTING]
    return status, out, " ".join(" ".join(said).split())


def test_a_shipped_strategy_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = told(capsys, "four-card-simple")
    assert (status, err) == (0, "")
    assert "1. 3x when the hand is two pair or better" in out
    for name, mine, best in (("House edge, of the Ante", "2.8649%", "2.7879%"),):
        assert [mine, best] == next(
            line.removeprefix(name).split()[:2] for line in out.splitlines() if name in line
        )
    assert "Exact value of one Ante: -2126333389/74219475330" in out


def test_the_name_of_a_game_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "four-card") == told(capsys, "four-card-simple")


def test_a_submission_chooses_paytables_and_rulebook(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    filed = tmp_path / "table.toml"
    filed.write_text(shipped_text("TCP-1"), "utf-8")
    status, out, _ = told(capsys, "three-card", "--submission", str(filed), "--json")
    assert (status, json.loads(out)["rulebook"]) == (0, "TCP-1")
    status, _, err = told(capsys, "four-card", "--submission", str(filed))
    assert (status, err) == (2, "croupier: TCP-1 is not a rulebook of four-card; choose FCP-14")


def test_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = told(capsys, "four-card-simple", "--json")
    document = json.loads(out)
    assert (status, err, document["warnings"]) == (0, "", [])
    assert (document["game"], document["rulebook"]) == ("four-card", "FCP-14")
    assert list(document["rules"]) == ["play"]
    assert document["rules"]["play"][-1] == "fold otherwise"
    value, best = Fraction(document["ev_exact"]), Fraction(document["optimum"]["ev_exact"])
    assert Fraction(document["cost_exact"]) == best - value == Fraction(268856950, 348831534051)
    assert document["cost"] == float(best - value)
    assert document["house_edge"] == float(-value)
    assert sum(document["actions"].values()) == pytest.approx(1)
    assert document["element_of_risk"] == pytest.approx(0.013347, abs=1e-6)


def test_a_file_of_ones_own_and_a_rule_that_never_decides(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(f'{SIMPLE}\n[[play]]\ndo = "1x"\n', "utf-8")
    status, out, err = told(capsys, str(mine))
    assert status == 0
    assert "2.8649%" in out
    assert err == (
        f"croupier: {mine}: with five cards and an up card, rule 7 never decides: "
        "no hand is left for it"
    )


BAD = {
    "there is no feature": SIMPLE.replace("up_held", "up_hold"),
    "is not a number": SIMPLE.replace('"1 or more"', "true"),
    "the rules have a hole": SIMPLE.replace('[[play]]\ndo = "fold"', ""),
    "names its game": SIMPLE.replace('game = "four-card"', 'game = "whist"'),
    'a strategy for uth has no "play"': SIMPLE.replace('game = "four-card"', 'game = "uth"'),
    "this is not TOML": SIMPLE.replace("]]", "]"),
}


@pytest.mark.parametrize("sentence", BAD)
def test_a_bad_file_is_one_sentence(
    sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(BAD[sentence], "utf-8")
    status, out, err = told(capsys, str(mine), "--json")
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.startswith(f"croupier: {mine}: ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["four-card-simpel"], "choose one of four-card-simple, uth-simple"),
        (["nowhere.toml"], "nowhere.toml: there is no such file"),
        (["four-card-simple", "--rulebook", "UTH-S"], "UTH-S is not a rulebook of four-card"),
        (["four-card-simple", "--paytable", "blind"], "chooses no paytable"),
        ([], "requires an argument"),
    ],
)
def test_bad_usage(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = told(capsys, *arguments)
    assert (status, out) == (2, "")
    assert sentence in err
