"""``croupier --help`` and the completion of a shell: what is offered, to whom, in which order."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from croupier.cli import ROLES, UNLISTED
from tests.cli.ledger_commands import run, sentence

PANEL = re.compile(r"╭─ (.+?) ─+╮\n(.*?)╰", re.DOTALL)
ROW = re.compile(r"^│ ([a-z]\S*) +\S.*│$", re.MULTILINE)
LISTED = {role: [name.partition(":")[2] for name in names] for role, names in ROLES.items()}
NAMES = [name for names in LISTED.values() for name in names]
LABORATORY = [command.partition(":")[2].replace("_", "-") for command in UNLISTED]


def test_commands_stand_under_the_roles_that_need_them() -> None:
    told = run("--help", columns=80)
    panels = {title: ROW.findall(rows) for title, rows in PANEL.findall(told.out)}
    assert panels == LISTED
    assert list(panels)[:4] == ["Play", "Run a table", "The mathematics", "Prove"]


def test_at_80_columns_a_command_takes_one_line() -> None:
    lines = run("--help", columns=80).out.splitlines()
    rows = [line for line in lines if line.startswith("│")]
    assert len(rows) == len([*NAMES, "--help", "--version"])


@pytest.mark.parametrize("name", [*NAMES, *LABORATORY])
@pytest.mark.parametrize("columns", [80, 40])
def test_help_keeps_to_the_width_of_the_terminal(name: str, columns: int) -> None:
    told = run(name, "--help", columns=columns)
    assert (told.status, told.err) == (0, "")
    assert max(map(len, told.out.splitlines())) <= columns
    assert "…" not in told.out


def test_what_is_for_a_laboratory_stands_under_lab() -> None:
    top, lab = run("--help").out, run("lab", "--help").out
    assert not [name for name in LABORATORY if name in top]
    assert {"deals", "raw"} <= set(ROW.findall(lab))


@pytest.mark.parametrize(
    ("long", "short", "option"),
    [("collect-deals", "deals", "--count"), ("collect-raw", "raw", "--bytes")],
)
def test_a_collector_answers_to_both_its_names(
    long: str, short: str, option: str, tmp_path: Path
) -> None:
    for number, words in enumerate(([long], ["lab", short])):
        out = tmp_path / f"{number}"
        assert run(*words, option, 3, "--out", out).status == 0
        assert out.stat().st_size


def completed(script: str, *words: str) -> list[str]:
    """What bash offers for the last of these words."""
    line = " ".join(f"'{word}'" for word in words)
    asked = f"COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _croupier"
    told = subprocess.run(
        ["bash", "-c", f'{script}\n{asked}; printf "%s\\n" "${{COMPREPLY[@]}}"'],
        capture_output=True, text=True, check=True, timeout=20,
    )  # fmt: skip
    assert told.stderr == ""
    return sorted(told.stdout.split())


def test_bash_completes_commands_options_and_choices() -> None:
    script = run("completion", "bash").out
    assert completed(script, "croupier", "") == sorted(NAMES)
    assert completed(script, "croupier", "so") == ["solve"]
    assert completed(script, "croupier", "solve", "uth", "--pay") == ["--paytable"]
    assert completed(script, "croupier", "keys", "r") == ["retire", "rotate"]
    assert completed(script, "croupier", "lab", "deals", "--c") == ["--count"]


@pytest.mark.parametrize(("shell", "sign"), [("zsh", "#compdef croupier"), ("fish", "complete -c")])
def test_other_shells_have_a_script_with_every_command(shell: str, sign: str) -> None:
    script = run("completion", shell).out
    assert sign in script
    assert [name for name in NAMES if name not in script] == []
    assert [name for name in LABORATORY if name in script] == []


def test_a_shell_that_nobody_knows_is_refused() -> None:
    said = sentence(run("completion", "tcsh"))
    assert '"bash", "zsh", "fish"' in said
