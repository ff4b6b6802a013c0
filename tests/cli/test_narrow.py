"""On a narrow terminal every command wraps: no number is cut, and none goes missing."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from croupier.cli.screen import Screen
from croupier.cli.terminal import show_block
from croupier.documents.blocks import Fact, Facts, Heading, Prose
from croupier.submission.check import shipped_text
from tests.audit.nights import the_night
from tests.cli.ledger_commands import run

COMMANDS = (
    "solve uth",
    "solve four-card --all",
    "advise uth KdKc",
    "strategy three-card",
    "exposure three-card",
    "deal --seed 1",
    "settle --example",
    "check TABLE",
    "rules UTH-S",
    "audit NIGHT",
    "replay NIGHT --table 1",
    "replay NIGHT 1 --table 1 --viewer surveillance",
    "verify NIGHT 1 --table 1",
    "ledger show NIGHT",
    "books NIGHT win",
    "play --example --seed 3 --others bold",
)
NUMBER = re.compile(r"\$?\d[\d,]*(?:\.\d+)?")
CUT = re.compile(r"…|\d\.\.\.")


@pytest.mark.parametrize("line", [*COMMANDS, pytest.param("exposure uth", marks=pytest.mark.prove)])
def test_no_number_is_cut(line: str, tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text(shipped_text("UTH-S"), "utf-8")
    places = {"NIGHT": str(the_night().file), "TABLE": str(table)}
    words = [places.get(word, word) for word in line.split()]
    wide = run(*words, columns=200)
    assert wide.status == 0, wide.err
    numbers = {number for number in NUMBER.findall(wide.out) if "$" in number or "." in number}
    told = run(*words, columns=40)
    assert told.status == 0
    # Of hashes the first digits are told.
    assert set(CUT.findall(told.out)) <= set(CUT.findall(wide.out))
    assert numbers <= set(NUMBER.findall(told.out))


@pytest.mark.parametrize(
    "block",
    [
        Heading("Six boxes cannot cost the table more than $3,332,994.00"),
        Prose("The ledger holds all that was wagered, and that is $3,332,994.00"),
        Facts((Fact("wagered", "by everybody on this evening $3,332,994.00"),)),
    ],
)
def test_a_terminal_breaks_lines_between_words_and_a_file_gets_them_whole(
    block: Heading | Prose | Facts,
) -> None:
    for is_terminal in (True, False):
        file = io.StringIO()
        screen = Screen(file=file, force_terminal=is_terminal, color_system=None, width=50)
        show_block(block, screen)
        lines = file.getvalue().splitlines()
        assert (len(lines) == 1) is not is_terminal
        assert max(map(len, lines)) <= 50 or not is_terminal
        assert any("$3,332,994.00" in line for line in lines)
