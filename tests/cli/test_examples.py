"""Every command's ``--help`` shows how it is called, and what it shows can be called so."""

from __future__ import annotations

import re
import shlex

import pytest
from cyclopts import CycloptsError

from croupier.cli import COMMANDS
from croupier.cli.program import app

NAMES = [command.partition(":")[2].replace("_", "-") for command in COMMANDS]
EXAMPLE = re.compile(r"^ +(croupier .*)$", re.MULTILINE)


def examples(name: str) -> list[str]:
    """The lines of its help that begin with the program's name, without where they lead."""
    shown = EXAMPLE.findall(str(app[name].help))
    return [line.partition(" > ")[0] for line in shown]


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_a_command_has_an_example(name: str) -> None:
    assert "For example:" in str(app[name].help)
    assert examples(name)


@pytest.mark.parametrize("line", [line for name in NAMES for line in examples(name)])
def test_an_example_can_be_called(line: str) -> None:
    """Its words fit the command; nothing is run."""
    program, *words = shlex.split(line)
    assert program == "croupier"
    app.parse_args(words, exit_on_error=False, print_error=False)


def test_an_option_that_is_not_there_is_noticed() -> None:
    with pytest.raises(CycloptsError):
        app.parse_args(["solve", "uth", "--quickly"], exit_on_error=False, print_error=False)
