"""``croupier audit`` of a log: differences, totals, statistics, the report, and bad input."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from pathlib import Path

import pypdfium2  # type: ignore[import-untyped]
import pytest

from croupier.audit.log.finding import KINDS
from croupier.audit.log.mutants import mutants
from croupier.audit.records import shapes as rec
from croupier.submission.check import shipped_text
from tests.audit.logs import HOUSE, good_log, written
from tests.cli.ledger_commands import run, sentence

PAGE = (Path(__file__).parents[2] / "docs" / "auditing-logs.md").read_text("utf-8")
CONSOLE = re.compile(r"```console\n\$ (.*?)\n(.*?)```", re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A good log of each kind of table, a wrong one, and the submissions."""
    for book, name in (("UTH-S", "uth"), ("FCP-14", "fcp")):
        (tmp_path / f"{name}.toml").write_text(shipped_text(book), "utf-8")
        written(tmp_path / f"{name}.jsonl", good_log(book, 260, seed=4))
    written(tmp_path / "wrong.jsonl", wrong_log())
    torn = b"\n".join((tmp_path / "fcp.jsonl").read_bytes().splitlines()[:8])
    (tmp_path / "torn.jsonl").write_bytes(torn[:-200])
    return tmp_path


def wrong_log() -> list[rec.AnyRecord]:
    """Several corruptions in one log."""
    log = list(good_log("UTH-S", 260, seed=4))
    for mutant in mutants(log, HOUSE, seed=2):
        log[mutant.at] = mutant.log[mutant.at]
    return log


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


def test_it_tests_itself(folder: Path) -> None:
    ran = run("audit", folder / "fcp.jsonl", "--self-test")
    assert ran.status == 0
    assert "envy paid to the holder           found" in ran.out
    assert "Blind paid on a push              no opportunity in this log" in ran.out
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
    ledgers = {"heads": "h.json", "signer": "ab", "keys": "k.json", "table": "1"}
    for name, value in ledgers.items():
        assert f"--{name} is for a ledger" in sentence(run("audit", log, f"--{name}", value))
    assert "no such file" in sentence(run("audit", log, "--submission", folder / "none.toml"))
    broken = folder / "broken.toml"
    broken.write_text("rulebook = 7", "utf-8")
    assert "broken.toml" in sentence(run("audit", log, "--submission", broken))
    written(folder / "unclean.jsonl", wrong_log())
    assert "is not clean" in sentence(run("audit", folder / "unclean.jsonl", "--self-test"))
    ran = run("audit", log, "--pdf", folder / "none" / "report.pdf")
    assert (ran.status, "cannot be written" in ran.err) == (2, True)


def test_an_empty_log_says_so(folder: Path) -> None:
    empty = folder / "empty.jsonl"
    empty.write_bytes(b"")
    ran = run("audit", empty)
    assert (ran.status, "No Activity" in ran.out) == (0, True)
    assert json.loads(run("audit", empty, "--json").out)["rounds"] == 0


def test_every_transcript_on_the_page(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block shows how the output begins; ``...`` stands for what is left out."""
    monkeypatch.chdir(folder)
    blocks = CONSOLE.findall(PAGE)
    assert len(blocks) >= 4
    for command, expected in blocks:
        program, *arguments = shlex.split(command)
        ran = run(*arguments)
        said = "".join(f"{line.rstrip()}\n" for line in (ran.out or ran.err).splitlines())
        checker = doctest.OutputChecker()
        assert program == "croupier"
        assert checker.check_output(expected, said, doctest.ELLIPSIS), f"{command}\n{said}"


def test_every_kind_has_its_line_on_the_page() -> None:
    assert [kind for kind in KINDS if f"`{kind}`" not in PAGE] == []
