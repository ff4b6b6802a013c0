"""Standards and threats: every one has its line, and what is named as proof exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.cli import COMMANDS
from tests.docs.blocks import ROOT

PAGE = (ROOT / "docs" / "standards.md").read_text("utf-8")
LISTED = {"R": 67, "M": 17, "T": 10, "P": 7}
NUMBERS = [f"{letter}{n}" for letter, last in LISTED.items() for n in range(1, last + 1)]
STATUSES = ("met", "partly", "not met", "not ours")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if re.match(r"\| [RMTP]\d", line)
]
THREATS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "security.md")
    .read_text("utf-8")
    .partition("## Who may")[0]
    .splitlines()
    if line.startswith("| ") and not line.startswith("| who |")
]
NAMED = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")
TESTS = [*NAMED.findall(PAGE), *(named for row in THREATS for named in NAMED.findall(row[-1]))]
NAMES = {command.partition(":")[2].replace("_", "-") for command in COMMANDS}


def test_every_requirement_has_its_line_once_and_in_order() -> None:
    assert [row[0] for row in ROWS] == NUMBERS


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row[0]))
def test_a_line_says_whether_how_and_by_what(row: list[str]) -> None:
    number, asked, status, how, proof = row
    assert status in STATUSES
    assert asked
    assert how
    assert proof or status in ("not met", "not ours"), f"{number}: what proves it?"


@pytest.mark.parametrize(("file", "name"), sorted(set(TESTS)))
def test_the_tests_it_names_exist(file: str, name: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    assert not name or f"def {name}(" in text


@pytest.mark.parametrize("row", THREATS, ids=lambda row: f"{row[0]}: {row[1]}")
def test_a_threat_says_who_what_how_and_by_which_test(row: list[str]) -> None:
    assert len(row) == 5
    assert all(row)
    assert all(name for _, name in NAMED.findall(row[-1]))
    assert row[-1].startswith("`tests/")


def test_every_attack_is_told_of() -> None:
    tried = {path.name for path in (ROOT / "tests" / "attack").glob("test_*.py")}
    assert tried == {Path(file).name for file, _ in TESTS if file.startswith("tests/attack/")}


def test_the_commands_it_names_exist() -> None:
    named = re.findall(r"`croupier ([\w-]+)", PAGE)
    assert named
    assert set(named) <= NAMES
