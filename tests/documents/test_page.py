"""docs/documents.md tells every document, every file and the commands as they are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from croupier.cli import main
from croupier.documents.document_set import MAKERS
from tests.submission.forms import edited

PAGE = (Path(__file__).parents[2] / "docs" / "documents.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"```console[ \w]*\n\$ croupier (.*?)\n(.*?)```", PAGE, re.DOTALL))
ROWS = re.findall(r"^\| `([a-z][a-z-]+)` \| (.*?) \|", PAGE, re.MULTILINE)


def test_every_document_and_every_file_has_its_line() -> None:
    assert [name for name, _ in ROWS] == list(MAKERS)
    shown = re.findall(r"table-12/(\S+)\n", BLOCKS["print table-12.toml --out table-12"])
    assert shown == [file for _, files in ROWS for file in re.findall(r"`(.+?)`", files)]


def test_the_folder_as_the_page_lists_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("table-12.toml").write_text(edited("UTH-S"), "utf-8")
    arguments = ["print", "table-12.toml", "--out", "table-12", "--only", "dealer-card"]
    assert main(arguments) == 0
    (line,) = capsys.readouterr().out.splitlines()
    shown = BLOCKS["print table-12.toml --out table-12"]
    _, kept, name = line.split()
    assert f"... {kept}  {name}" in shown.splitlines()
    assert main([*arguments, "--json"]) == 0
    (answer,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    said, told = (json.loads(text)["tables"][0] for text in (answer, capsys.readouterr().out))
    assert list(said) == list(told)
    assert list(said["files"]) == list(told["files"])


def test_what_is_wrong_is_told_as_on_the_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.toml").write_text(edited("UTH-S", table__boxes="9"), "utf-8")
    command = "print wrong.toml --out wrong"
    assert main(command.split()) == 1
    out = capsys.readouterr().out
    lines = (re.sub(r"line \d+", "line N", text) for text in (out, BLOCKS[command]))
    assert len(set(lines)) == 1
