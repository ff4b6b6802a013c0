"""``croupier audit`` of a log: differences, totals, statistics, the report, and bad input."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pypdfium2  # type: ignore[import-untyped]
import pytest

from croupier.audit.log.finding import KINDS
from croupier.cli import main
from tests.audit.log.log_files import the_files
from tests.cli.ledger_commands import run, sentence

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "auditing-logs.md").read_text("utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A good log of each kind of table, a wrong one, a fair one, and the submissions."""
    for name, content in the_files().items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_a_good_log(folder: Path) -> None:
    ran = run("audit", folder / "fcp.jsonl", "--submission", folder / "fcp.toml")
    assert ran.status == 0
    assert "261; 260 rounds at 1 table" in ran.out
    assert ran.out.endswith("Everything is as it must be.\n")


def test_a_wrong_log_lists_every_difference_and_adds_up(folder: Path) -> None:
    ran = run("audit", folder / "wrong.jsonl", "--submission", folder / "uth.toml", "--json")
    assert ran.status == 1
    document = ran.document
    assert document["clean"] is False
    counts: dict[str, int] = {}
    for finding in document["findings"]:
        counts[finding["kind"]] = counts.get(finding["kind"], 0) + 1
    assert counts == {kind: total["count"] for kind, total in document["totals"].items()}
    assert set(counts) > {"payout", "envy-missed", "card-twice", "stub-count", "needs"}
    told = run("audit", folder / "wrong.jsonl", "--submission", folder / "uth.toml")
    assert told.status == 1
    for kind in counts:
        assert KINDS[kind] in told.out
    assert told.out.endswith(f"{sum(counts.values())} differences\n")


def test_a_log_of_two_tables_takes_two_submissions(folder: Path) -> None:
    both = folder / "both.jsonl"
    both.write_bytes((folder / "uth.jsonl").read_bytes() + (folder / "fcp.jsonl").read_bytes())
    given = ["--submission", folder / "uth.toml", "--submission", folder / "fcp.toml"]
    assert run("audit", both, *given).status == 0
    alone = run("audit", both, *given[:2])
    assert alone.status == 1
    assert "no submission that was given is for FCP-14" in alone.out
    assert run("audit", both).status == 0


def test_the_report_says_what_was_found_and_how_to_repeat_it(folder: Path) -> None:
    page, pdf = folder / "report.html", folder / "report.pdf"
    given = ["--submission", folder / "uth.toml", "--html", page, "--pdf", pdf]
    assert run("audit", folder / "wrong.jsonl", *given).status == 1
    html = page.read_text("utf-8")
    text = "".join(sheet.get_textpage().get_text_range() for sheet in pypdfium2.PdfDocument(pdf))
    document = run("audit", folder / "wrong.jsonl", "--json").document
    for told in (html, re.sub(r"\s+", " ", text)):
        assert "croupier audit wrong.jsonl --submission uth.toml" in told
        assert "wager without the one it needs" in told
        assert "What was checked" in told
    assert document["sha256"] in html
    assert "Draft" not in html
    for finding in document["findings"]:
        assert finding["clause"] in html


def test_statistics_are_told(folder: Path) -> None:
    given = ["--submission", folder / "fcp.toml", "--statistics"]
    ran = run("audit", folder / "fcp.jsonl", *given)
    assert "cost of skill" in ran.out
    assert "theoretical win" in ran.out
    assert "FCP-14: cards dealt" in ran.out
    document = run("audit", folder / "fcp.jsonl", *given, "--json").document
    statistics = document["statistics"]
    assert (ran.status == 0) is statistics["verdict"]["passed"]
    assert statistics["groups"][0]["rounds"] == 260


def test_decisions_are_valued_as_played(folder: Path) -> None:
    log, out = folder / "fcp.jsonl", folder / "played.csv"
    given = ["--submission", folder / "fcp.toml", "--as-played"]
    ran = run("audit", log, *given, "--csv", out, "--html", folder / "report.html")
    assert ran.status == 0
    assert "Edge as played" in ran.out
    assert "What players really do" in (folder / "report.html").read_text("utf-8")
    document = run("audit", log, *given, "--json").document["as_played"]
    (played,) = document["rulebooks"]
    assert (played["rulebook"], document["not_valued"]) == ("FCP-14", {})
    whole, *rows = csv.DictReader(out.read_text("utf-8").splitlines())
    assert float(whole["given_away"]) == pytest.approx(
        played["whole"]["given_away_cents"] / 100, abs=1e-3
    )
    assert len(rows) == sum(len(played[group]) for group in ("tables", "players", "streets"))
    assert sentence(run("audit", log, "--csv", out)) == (
        "--csv writes the figures of --as-played; ask for it as well"
    )
    assert "is what is audited" in sentence(run("audit", log, "--as-played", "--csv", log))


def test_it_tests_itself(folder: Path) -> None:
    ran = run("audit", folder / "fcp.jsonl", "--self-test")
    assert ran.status == 0
    assert "envy paid to the holder           found" in ran.out
    assert "Blind paid on a push              no opportunity in this log" in ran.out


@pytest.mark.prove
def test_it_finds_every_mutant_of_a_log_with_all_opportunities(folder: Path) -> None:
    found = run("audit", folder / "uth.jsonl", "--self-test", "--json").document["found"]
    assert set(found.values()) == {True}


def test_bad_lines_are_differences(folder: Path) -> None:
    log = folder / "uth.jsonl"
    log.write_bytes(log.read_bytes()[:-100])
    ran = run("audit", log)
    assert ran.status == 1
    assert "line 261: this is no round record: Input data was truncated" in ran.out
    assert "260 rounds" not in ran.out


def test_bad_input_is_one_sentence(folder: Path) -> None:
    log = folder / "fcp.jsonl"
    ledgers = {"checkpoint": "c", "key": "ab", "keys": "k.json", "table": "1"}
    for name, value in ledgers.items():
        assert f"--{name} is for a ledger" in sentence(run("audit", log, f"--{name}", value))
    assert "no such file" in sentence(run("audit", log, "--submission", folder / "none.toml"))
    broken = folder / "broken.toml"
    broken.write_text("rulebook = 7", "utf-8")
    assert "broken.toml" in sentence(run("audit", log, "--submission", broken))
    assert "is not clean" in sentence(run("audit", folder / "wrong.jsonl", "--self-test"))
    ran = run("audit", log, "--pdf", folder / "none" / "report.pdf")
    assert (ran.status, "cannot be written" in ran.err) == (2, True)


def test_an_empty_log_says_so(folder: Path) -> None:
    empty = folder / "empty.jsonl"
    empty.write_bytes(b"")
    ran = run("audit", empty, "--html", folder / "empty.html")
    assert ran.status == 0
    assert ran.out.endswith("No Activity: there is no round in this log.\n")
    assert "No Activity: the log holds no round." in (folder / "empty.html").read_text("utf-8")
    assert json.loads(run("audit", empty, "--json").out)["rounds"] == 0
    nothing = folder / "empty.db"
    nothing.write_bytes(b"")
    assert "nor a log" in sentence(run("audit", nothing))


def test_a_log_that_fails_its_statistics_does_not_end_well(folder: Path) -> None:
    """Every third pack of a made log is stacked."""
    page = folder / "report.html"
    given = ["--submission", folder / "fcp.toml", "--statistics", "--html", page]
    ran = run("audit", folder / "fcp.jsonl", *given)
    assert ran.status == 1
    *_, last = ran.out.splitlines()
    assert re.fullmatch(
        r"Every round is as it must be, but \d statistical tests? failed\.", last
    ), last
    assert "But 3 statistical tests failed: see Statistics." in page.read_text("utf-8")
    document = run("audit", folder / "fcp.jsonl", *given, "--json").document
    assert (document["clean"], document["fair"]) == (True, False)


def foreign(folder: Path) -> Path:
    """A log whose words are of no font, or move the cursor, or are very many."""
    log = folder / "foreign.jsonl"
    lines = (folder / "fcp.jsonl").read_text("utf-8").splitlines()
    for at, name in enumerate(("李", "\\u001b[31m", "\\u202e", "é" * 60, "😀"), 3):
        lines[at] = lines[at].replace("FCP-1", name).replace('"won_cents":', '"won_cents":1', 1)
        lines[at] = lines[at].replace("Player 1", name)
    lines[9] = lines[9].replace("FCP-14 ", "x" * 5_000)
    log.write_text("\n".join(lines), "utf-8")
    return log


def test_words_of_a_log_cannot_move_the_cursor_nor_stop_the_report(folder: Path) -> None:
    page, pdf = folder / "report.html", folder / "report.pdf"
    given = ["--statistics", "--html", page, "--pdf", pdf]
    ran = run("audit", foreign(folder), *given)
    assert (ran.status, ran.err) == (1, "")
    assert max(map(len, ran.out.splitlines())) < 2_000
    for told in (ran.out, page.read_text("utf-8")):
        assert "\x1b" not in told
        assert "\u202e" not in told
        assert "\\x1b[31m" in told
        assert "李" in told
    text = "".join(sheet.get_textpage().get_text_range() for sheet in pypdfium2.PdfDocument(pdf))
    assert "\\u674e" in re.sub(r"\s+", "", text)


def test_a_report_names_files_and_no_folders(folder: Path) -> None:
    page, pdf = folder / "report.html", folder / "report.pdf"
    given = ["--submission", folder / "uth.toml", "--html", page, "--pdf", pdf]
    run("audit", folder / "wrong.jsonl", *given)
    text = "".join(sheet.get_textpage().get_text_range() for sheet in pypdfium2.PdfDocument(pdf))
    for told in (page.read_text("utf-8"), text):
        assert str(folder) not in told
        assert "uth.toml" in told
    run("audit", folder / "wrong.jsonl", "--html", page)
    assert "0" * 16 not in page.read_text("utf-8")


@pytest.mark.parametrize("as_json", [False, pytest.param(True, marks=pytest.mark.prove)])
def test_a_reader_who_went_away_changes_nothing(folder: Path, as_json: bool) -> None:
    """As with ``| head -1``: the exit status stays, and the report is made."""
    log = str(folder / "wrong.jsonl")
    command = [sys.executable, "-m", "croupier", "audit", log, "--html", "report.html"]
    with subprocess.Popen(
        [*command, *(["--json"] if as_json else [])],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pipesize=4096,  # less than it has to say
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.read(10)
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 1
    assert "How to repeat it" in (folder / "report.html").read_text("utf-8")


def test_a_practice_evening_with_second_thoughts_is_in_order(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wagers taken back, chips cashed, another evening at the same round, and no accusation."""
    ledger, log = folder / "practice.db", folder / "practice.jsonl"
    for seats, typed in (("3", "a 20\na 30 t 5\n\n4\na 10\nq\n"), ("2", "a 25\n\n4\n\nq\n")):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        asked = ("--terminal", "--seed", "5", "--seats", seats, "--ledger", ledger)
        assert run("play", *asked).status == 0
    assert run("export", ledger, "--out", log).status == 0
    ran = run("audit", log)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith("Everything is as it must be.\n")


def test_every_kind_has_its_line_on_the_page() -> None:
    assert [kind for kind in KINDS if f"`{kind}`" not in PAGE] == []


@pytest.mark.parametrize("report", ["--pdf", "--html"])
def test_a_report_never_takes_the_place_of_the_log(
    report: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "evening.jsonl"
    log.write_text("{}\n", "utf-8")
    assert main(["audit", str(log), report, str(log)]) == 2
    assert "is what is audited; name another file" in capsys.readouterr().err
    assert log.read_text("utf-8") == "{}\n"
