"""One table of what was measured: who is in it, how it is told, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from bench import __main__ as program
from bench.report import NotMeasured, Row, as_program

ROW = Row("a hand ranked", "2 us", 0.5, "time of eval7 (4 us)")
FOLDER = Path(program.__file__).parent


def measured(hands: int = 3, fast: bool = False) -> Iterator[Row]:
    """How long hands take."""
    if not hands:
        raise NotMeasured("there is no hand")
    yield Row(f"{hands} hands", "fast" if fast else "slow", 2.0, "time of eval7")


def absent() -> Iterator[Row]:
    raise NotMeasured("it is not there")
    yield ROW


@pytest.fixture
def benches(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"absent": absent, "one": lambda: iter([ROW]), "other": measured}
    monkeypatch.setattr(program, "BENCHES", known)


def test_every_module_that_has_rows_is_in_the_table() -> None:
    modules = {
        path.stem for path in FOLDER.glob("*.py") if "\ndef rows(" in path.read_text("utf-8")
    }
    assert modules == set(program.BENCHES)
    for name, rows in program.BENCHES.items():
        assert rows in vars(import_module(f"bench.{name}")).values()


@pytest.mark.usefixtures("benches")
def test_only_what_is_named_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    program.main(["one", "--json"])
    said = capsys.readouterr()
    assert json.loads(said.out) == [
        {"what": ROW.what, "figure": ROW.figure, "ratio": ROW.ratio, "beside": ROW.beside}
    ]
    assert "one ..." in said.err
    assert "other ..." not in said.err


@pytest.mark.usefixtures("benches")
def test_what_cannot_be_measured_here_says_why_and_the_others_go_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    program.main([])
    said = capsys.readouterr()
    assert "absent: not measured, it is not there" in said.err
    assert said.out.count("┏") == 1, "one table"
    for cell in ("a hand ranked", "2 us", "0.500", "3 hands", "slow", "2.00"):
        assert cell in said.out


@pytest.mark.usefixtures("benches")
def test_an_unknown_name_is_refused_with_those_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        program.main(["one", "nobody"])
    said = capsys.readouterr()
    assert "no benchmark is called nobody; there are absent, one, other" in said.err
    assert not said.out


def test_what_was_measured_before_a_fault_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def halfway() -> Iterator[Row]:
        yield ROW
        raise ZeroDivisionError

    monkeypatch.setattr(program, "BENCHES", {"halfway": halfway})
    with pytest.raises(ZeroDivisionError):
        program.main(["--markdown"])
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("Measured on ")
    assert told[-1] == "| a hand ranked | 2 us | 0.500 | time of eval7 (4 us) |"


def test_what_rows_may_be_told_are_options(capsys: pytest.CaptureFixture[str]) -> None:
    as_program(measured, ["--hands", "7", "--fast"])
    said = capsys.readouterr().out
    assert "7 hands" in said
    assert "fast" in said
    with pytest.raises(SystemExit):
        as_program(measured, ["--hands", "0"])
    assert "there is no hand" in capsys.readouterr().err
