"""The page on auditing: every command on it is run, in a folder with the evening it tells of."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.audit.nights import the_night
from tests.cli.ledger_commands import run

PAGE = (Path(__file__).parents[2] / "docs" / "auditing.md").read_text("utf-8")
CONSOLE = re.compile(r"```console\n\$ (.*?)\n(.*?)```", re.DOTALL)


def test_every_transcript_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block shows how the output begins; ``...`` stands for what differs each time."""
    for file in (the_night().file, the_night().keys):
        shutil.copyfile(file, tmp_path / file.name).chmod(0o600)
    monkeypatch.chdir(tmp_path)
    blocks = CONSOLE.findall(PAGE)
    assert len(blocks) > 5
    for command, expected in blocks:
        program, *arguments = shlex.split(command)
        ran = run(*arguments)
        said = "".join(f"{line.rstrip()}\n" for line in (ran.out or ran.err).splitlines())
        shown = "".join(said.splitlines(keepends=True)[: expected.count("\n")])
        checker = doctest.OutputChecker()
        assert program == "croupier"
        assert checker.check_output(expected, shown, doctest.ELLIPSIS), f"{command}\n{shown}"
