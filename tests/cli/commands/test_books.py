"""``croupier books`` as its users run it: tables, one JSON document, CSV, and clear errors."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from croupier.cli import main
from croupier.facts.money import dollars
from croupier.ledger.books import CHART
from croupier.ledger.reports.incidents import kinds
from croupier.ledger.store.address import open_ledger
from croupier.table import double_entry
from tests.cli.books_page import PAGE
from tests.ledger.accountant import Watched, eventful, model_of

REPORTS = ("trial", "win", "wagers", "meters", "events", "large-wins", "tips")
FIRST = "2027-01-15T08:00:00"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Watched]:
    path = tmp_path_factory.mktemp("books") / "evening.db"
    ledger, evening = open_ledger(str(path), create=True), Watched(seed=3)
    eventful(evening, ledger, "UTH-S", "UTH-1", link="pit")
    eventful(evening, ledger, "UTH-S", "UTH-2", link="pit")
    eventful(evening, ledger, "FCP-14", "FCP-1")
    ledger.close()
    return path, evening


@pytest.fixture
def ledger(played: tuple[Path, Watched]) -> str:
    return str(played[0])


@pytest.fixture(autouse=True)
def screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("NO_COLOR", "1")


def answer(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main(["books", *words]) == status
    told = capsys.readouterr()
    assert (told.err == "") == (status != 2)
    return told.out if status != 2 else told.err


def as_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return json.loads(answer(capsys, *words, "--json"))


@pytest.mark.parametrize("report", REPORTS)
def test_each_report_names_what_it_is_of(
    report: str, ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = answer(capsys, ledger, report)
    for words in ("Croupier Practice Room", "table FCP-1", "from the beginning", "made 2", "hash"):
        assert words in told
    assert "DIFFERS" not in told


def test_all_reports_agree_and_are_one_document(
    ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = as_json(capsys, ledger)
    assert said["holds"] is True
    assert {each["report"] for each in said["reports"]} == set(REPORTS)
    checks = [check for each in said["reports"] for check in each["checks"]]
    assert len(checks) > 50
    assert all(check["holds"] and check["left_micros"] == check["right_micros"] for check in checks)


def test_win_is_the_accountants(
    ledger: str, played: tuple[Path, Watched], capsys: pytest.CaptureFixture[str]
) -> None:
    seen = [each for each in played[1].seen if each.table == "UTH-2"]
    model = model_of(seen)
    said = as_json(capsys, ledger, "win", "--table", "UTH-2")
    (report,) = said["reports"]
    figures = {row["figure"]: row["amount_micros"] for row in report["sheets"][0]["rows"]}
    assert figures["Table win: drop and change of inventory"] == model.win_micros
    assert dollars(sum(model.bought.values())) in answer(capsys, ledger, "win", "--table", "UTH-2")


def test_amounts_stand_right_aligned_also_on_a_narrow_screen(
    ledger: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for width in (60, 80, 200):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = answer(capsys, ledger, "trial", "--table", "FCP-1").splitlines()
        at = next(n for n, line in enumerate(lines) if line.startswith("Account"))
        rows = [line.rstrip() for line in lines[at : at + 5]]
        assert len({len(row) for row in rows}) == 1
        assert all(len(line) <= width for line in lines if "$" in line and ":" not in line)


def test_csv_can_be_read_again(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = answer(capsys, ledger, "win", "--table", "UTH-1", "--csv")
    said = as_json(capsys, ledger, "win", "--table", "UTH-1")["reports"][0]
    heading, figures, boxes = (list(csv.DictReader(io.StringIO(p))) for p in told.split("\n\n"))
    assert heading[0]["operator"] == said["operator"]
    assert heading[0]["holds"] == "yes"
    for row, due in zip(figures, said["sheets"][0]["rows"], strict=True):
        assert row["figure"] == due["figure"]
        whole, _, fine = row["amount_micros"].removeprefix("-").partition(".")
        micros = int(whole) * 1_000_000 + int(fine.ljust(6, "0"))
        assert micros == abs(due["amount_micros"])
    assert [row["box"] for row in boxes] == ["1", "2", "3", ""]
    assert {row["table"] for row in boxes} == {"UTH-1"}


def test_an_interval_and_a_gaming_day(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    whole = as_json(capsys, ledger, "tips")["reports"]
    day = as_json(capsys, ledger, "tips", "--day", "2027-01-15", "--day-starts", "06:00")["reports"]
    assert [each["sheets"] for each in day] == [each["sheets"] for each in whole]
    assert (day[0]["from"], day[0]["until"]) == ("2027-01-15T06:00:00Z", "2027-01-16T06:00:00Z")
    early = answer(capsys, ledger, "tips", "--until", FIRST)
    assert early.count("No activity") == 3
    zone = as_json(capsys, ledger, "tips", "--from", "2027-01-15T09:00:00+01:00")["reports"]
    assert zone[0]["from"] == f"{FIRST}Z"
    assert [each["sheets"] for each in zone] == [each["sheets"] for each in whole]


def test_events_are_searched_by_kind(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = as_json(capsys, ledger, "events", "--kind", "void", "--table", "FCP-1")
    (sheet,) = said["reports"][0]["sheets"]
    assert [row["kind"] for row in sheet["rows"]] == ["void"] * 3
    assert "a card too many" in answer(capsys, ledger, "events", "--kind", "void")


def test_the_theory_is_computed_when_asked_for(
    ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["books", ledger, "wagers", "--table", "FCP-1", "--theory"]) == 0
    assert "In theory: the base game at its best play" in capsys.readouterr().out
    said = as_json(capsys, ledger, "wagers", "--table", "FCP-1")
    *_, base, _ = said["reports"][0]["sheets"][1]["rows"]
    assert base["theory"] == pytest.approx(0.987, abs=0.01)


def test_large_wins_from_another_amount(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    few = as_json(capsys, ledger, "large-wins", "--large", "1,000,000")["reports"][0]["sheets"]
    more = as_json(capsys, ledger, "large-wins", "--large", "$50")["reports"][0]["sheets"]
    assert 0 < len(few[0]["rows"]) < len(more[0]["rows"])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["win", "--table", "T-9"], "no table"),
        (["win", "--from", "yesterday"], "is no time"),
        (["win", "--day", "2027-13-01"], "is no day"),
        (["win", "--day", "2027-01-15", "--day-starts", "six"], "no time of day"),
        (["win", "--day", "2027-01-15", "--day-starts", "06:00+02:00"], "no time of day"),
        (["win", "--day", "9999-12-31"], "is the last day there is"),
        (["win", "--day", "2027-01-15", "--from", FIRST], "interval of its own"),
        (["win", "--day-starts", "06:00"], "name the --day"),
        (["win", "--from", FIRST, "--until", FIRST], "ends before it begins"),
        (["win", "--json", "--csv"], "choose one"),
        (["events", "--kind", "earthquake"], "no kind"),
        (["large-wins", "--large", "much"], "not an amount"),
        (["profit"], "profit"),
    ],
)
def test_bad_usage_is_one_sentence(
    words: list[str], sentence: str, ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = answer(capsys, ledger, *words, status=2)
    assert sentence in told
    assert told.count("\n") == 1


def test_the_page_tells_every_report() -> None:
    told = re.findall(r"^`croupier books LEDGER ([a-z-]+)`", PAGE.read_text("utf-8"), re.MULTILINE)
    assert told == list(REPORTS)


def test_the_page_names_every_account_event_and_kind() -> None:
    page = PAGE.read_text("utf-8")
    for kind in CHART:
        assert f"`{kind}" in page
    for event in double_entry._MOVES:
        assert f"`{event.__struct_config__.tag}`" in page
    for kind in kinds():
        assert f"`{kind}`" in page


def test_what_is_no_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no file" in answer(capsys, str(tmp_path / "none.db"), status=2)


def test_books_that_do_not_agree_say_where(
    played: tuple[Path, Watched], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Entries that somebody altered in the file no longer fit what happened: the answer is no."""
    copy = tmp_path / "altered.db"
    with sqlite3.connect(played[0]) as source, sqlite3.connect(copy) as target:
        source.backup(target)
        triggers = target.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            target.execute(f"DROP TRIGGER {name}")
        target.execute(
            "UPDATE lines SET entries = replace(entries, '50000000', '60000000') "
            "WHERE kind = 'wager-settled' AND entries LIKE '%50000000%'"
        )
    told = answer(capsys, str(copy), "win", status=1)
    assert "DIFFERS" in told
    assert " is not " in told
    assert main(["books", str(copy), "win", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["holds"] is False
