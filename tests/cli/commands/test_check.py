"""``croupier check`` as an operator runs it, and the other commands that take a submission."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.cli import main
from croupier.games.registry import the_registry
from croupier.submission.check import shipped_text
from tests.submission.forms import edited


@pytest.fixture(scope="module", autouse=True)
def own_answers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Answers of these tests are kept apart and shared among them."""
    from croupier.exact.kernels import compiled

    compiled.cache_folder()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CROUPIER_CACHE", str(tmp_path_factory.mktemp("answers")))
        yield


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    capsys.readouterr()
    status = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return status, out, err


def asked(capsys: pytest.CaptureFixture[str], file: Path, text: str) -> tuple[int, Any]:
    file.write_text(text, "utf-8")
    status, out, _ = ran(capsys, "check", file, "--json")
    return status, json.loads(out)


def test_a_valid_submission_is_told(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text(shipped_text("FCP-14"), "utf-8")
    status, out, _ = ran(capsys, "check", file)
    assert status == 0
    for part in (
        *("Croupier Practice Room, table FCP-1", "Four Card Poker", "7 boxes", "not yet approved"),
        *("Six Card Bonus  super-A", "$5,000", "15% of each wager", "from a manual dealing shoe"),
        *("warning line 36:", "is valid, with 1 warning"),
    ):
        assert part in out


def test_errors_are_listed_with_line_and_clause(
    capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    file.write_text(edited("UTH-S", table__boxes="9", table__id=None, decks__count="3"), "utf-8")
    status, out, _ = ran(capsys, "check", file)
    assert status == 1
    first, second, *_, last = out.splitlines()
    assert first.startswith("error   line 9: table.id is missing")
    assert second == (
        "error   line 11: table.boxes is 9; a table of UTH-S has at most 6 - UTH-S 2.A"
    )
    assert last == f"{file} has 4 errors, with 1 warning"


def test_the_document(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    status, told = asked(capsys, file, shipped_text("FCP-14"))
    assert (status, told["valid"], told["file"]) == (0, True, str(file))
    assert told["submission"]["paytables"]["six_card_bonus"] == "super-A"
    assert told["submission"]["limits"]["ante"]["minimum_cents"] == 1000
    status, told = asked(capsys, file, edited("FCP-14", table__boxes="9", approved="2026-01-31"))
    assert (status, told["valid"], told["submission"]) == (1, False, None)
    assert told["findings"][0] == {
        "severity": "error",
        "sentence": "table.boxes is 9; a table of FCP-14 has at most 7",
        "clause": "FCP-14 2.A(1)",
        "line": 13,
        "key": "table.boxes",
    }


@pytest.mark.parametrize("hand", ["final", "flop"])
def test_a_wager_that_returns_too_much(
    hand: str, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    """Ruling 18: paytable C on the best of seven returns 539.89% at its resets."""
    status, told = asked(capsys, file, edited("UTH-S", progressive__hand=f'"{hand}"'))
    over = [found for found in told["findings"] if "returns" in found["sentence"]]
    assert status == 0
    if hand == "flop":
        assert over == []
        return
    (warning,) = over
    assert "539.89%" in warning["sentence"]
    assert (warning["severity"], warning["clause"]) == ("warning", "UTH-S 12.D(1)(c)")
    assert (warning["key"], warning["line"]) == ("paytables.progressive", 25)


@pytest.mark.parametrize(("minimum", "over"), [("$0.25", True), ("$1", False)])
def test_a_fixed_sum_weighs_more_on_a_small_stake(
    minimum: str, over: bool, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    """Super Royals pay $1,300,000 in 20,358,520 deals: 6.39% on $1, four times that on $0.25."""
    limit = f'{{ minimum = "{minimum}", maximum = "$5", increment = "$0.25" }}'
    status, told = asked(capsys, file, edited("FCP-14", limits__six_card_bonus=limit))
    found = [found["sentence"] for found in told["findings"] if "returns" in found["sentence"]]
    assert status == 0
    assert bool(found) is over
    if over:
        assert "106.17%" in found[0]


def test_envy_counts_where_it_tips_the_scales(
    capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    """FCP-14 C returns 55.98% at its reset, and each of six other boxes adds 8.50% by Envy C.

    Of 2,598,960 hands 48 hold four aces ($1,000) and 576 another four of a kind ($300).
    """
    meter = '{ initial = "$10,000", reset = "$10,000", rate = "1%" }'
    lines = {"paytables__progressive": '"C"', "paytables__envy": '"C"'}
    _, told = asked(capsys, file, edited("FCP-14", **lines, progressive__meters__main=meter))
    (found,) = [found for found in told["findings"] if "returns" in found["sentence"]]
    assert "106.96%" in found["sentence"]
    assert "Envy from 6 other boxes" in found["sentence"]


@pytest.mark.parametrize("text", ["table = [", "x = \x00", "a = 1\na = 2\n"])
def test_what_is_no_toml_cannot_be_read(
    text: str, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    status, told = asked(capsys, file, text)
    assert (status, told["valid"], len(told["findings"])) == (2, False, 1)


def test_bad_usage(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for arguments in (["check"], ["check", tmp_path / "none.toml"], ["check", tmp_path]):
        status, out, err = ran(capsys, *arguments)
        assert (status, out, err.count("\n")) == (2, "", 1)


def test_solve_by_a_submission(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    meter = '{ initial = "$9,000", reset = "$8,000", rate = "1%" }'
    text = edited("FCP-14", progressive__wager='"$5"', progressive__meters__main=meter)
    file.write_text(text, "utf-8")
    status, out, _ = ran(capsys, "solve", "four-card", "--submission", file, "--json")
    told = json.loads(out)
    assert (status, told["ev_exact"]) == (0, "-8840827253/317119576410")
    assert told["paytables"]["six_card_bonus"] == "super-A"
    chosen, other = (told["side_wagers"]["progressive"][letter] for letter in "AB")
    assert chosen["assumes"] == {"stake": "$5.00", "boxes": 7, "meters": {"main": "$8,000.00"}}
    assert other["assumes"]["meters"] == {"main": "$1,000.00"}
    _, out, _ = ran(capsys, "solve", "four-card", "--submission", file)
    assert "a stake of $1 (Progressive $5)" in out


def test_advise_by_a_submission(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text(edited("UTH-14", paytables__blind='"B"'), "utf-8")
    hand = ["advise", "uth", "Kd5c", "--board", "Qh8s2d3h3s", "--submission", file, "--json"]
    status, out, _ = ran(capsys, *hand)
    assert (status, json.loads(out)["best"]) == (0, "1x")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["solve", "uth"], "not a rulebook of uth"),
        (["solve", "four-card", "--rulebook", "UTH-S"], "the submission is for FCP-14"),
        (["solve", "four-card", "--paytable", "aces_up=Z"], "choose one of A, B"),
    ],
)
def test_a_submission_that_does_not_fit(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    file.write_text(shipped_text("FCP-14"), "utf-8")
    status, _, err = ran(capsys, *arguments, "--submission", file)
    assert status == 2
    assert says in err


def test_a_submission_with_errors_is_not_solved(
    capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    file.write_text(edited("FCP-14", table__boxes="9", decks__count="3"), "utf-8")
    status, _, err = ran(capsys, "solve", "four-card", "--submission", file)
    assert status == 2
    assert "line 12: table.boxes is 9" in err
    assert "and 2 more" in err


def test_a_submission_to_begin_with(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for book in the_registry().books:
        assert main(["check", "--new", book]) == 0
        mine = tmp_path / f"{book}.toml"
        mine.write_text(capsys.readouterr().out, "utf-8")
        assert main(["check", str(mine)]) == 0
        assert f"{mine.name} is valid" in capsys.readouterr().out.replace("\n", "")


@pytest.mark.parametrize("words", [[], ["table.toml", "--new", "UTH-S"], ["--new", "UTH-99"]])
def test_neither_a_submission_nor_a_rulebook(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert main(["check", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1
