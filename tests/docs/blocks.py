"""The blocks of code on a page, in order, and what the page says about running each.

A block's language says what becomes of it:

- ``console``: each ``$ `` line is run; what follows must come out, ``...`` standing for anything.
- ``sh``: run line by line; nothing is shown, but it has to work.
- ``python``: run, or tried as a doctest where it has ``>>>``.
- ``toml`` and ``json``: has to be readable.
- ``text``: no code. It holds no command; a command has to be run.

Words after the language say more: ``file=NAME`` puts the block into that file, ``edit=NAME`` writes
its lines of TOML into that file, as a reader with an editor does (the site shows both names above
the block), ``slow`` leaves it to ``make prove``. How a command ends, which one keeps running and
what it says anew each time the reader of the page knows by himself (`tests/docs/reader.py`).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
LANGUAGES = ("console", "sh", "python", "toml", "json", "text", "mermaid")
FENCE = re.compile(r"^( *)(```+)(\w*)(.*)$")


class Block(NamedTuple):
    """``line`` is where it begins on its page."""

    line: int
    language: str
    text: str
    file: str = ""
    edit: str = ""
    slow: bool = False


def pages() -> list[Path]:
    found = sorted((ROOT / "docs").rglob("*.md"))
    return [ROOT / "README.md", *(page for page in found if page.parent.name != "dev")]


def blocks(text: str) -> Iterator[Block]:
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        fence, begun = FENCE.match(lines[at]), at + 1
        at += 1
        if fence:
            indent, ticks, language, words = fence.groups()
            end = next(n for n in range(at, len(lines)) if lines[n].strip() == ticks)
            inside = "\n".join(each.removeprefix(indent) for each in lines[at:end])
            yield _block(begun, language, inside, words)
            at = end + 1


def _block(line: int, language: str, text: str, words: str) -> Block:
    pairs = (word.partition("=") for word in shlex.split(words))
    said = {name: value for name, _, value in pairs}
    unknown = set(said) - {"file", "edit", "slow"}
    assert not unknown, f"line {line}: nothing is known as {unknown}"
    file, edit = said.get("file", ""), said.get("edit", "")
    return Block(line, language, text, file, edit, slow="slow" in said)


class Step(NamedTuple):
    """A command and what the page shows of its output; None where it shows nothing."""

    command: str
    shown: str | None


def steps(block: Block) -> list[Step]:
    if block.language == "sh":
        joined = block.text.replace("\\\n", " ")
        return [Step(line, None) for line in joined.splitlines() if line.strip()]
    found: list[Step] = []
    lines = block.text.splitlines()
    assert lines[0].startswith("$ "), f"line {block.line}: a console block begins with a command"
    for line in lines:
        if line.startswith("$ "):
            found.append(Step(line.removeprefix("$ "), ""))
        elif found[-1].command.endswith("\\"):
            found[-1] = Step(found[-1].command[:-1] + line.strip(), "")
        else:
            found[-1] = Step(found[-1].command, f"{found[-1].shown}{line}\n")
    return found
