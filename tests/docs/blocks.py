"""The blocks of code on a page, in order, and what the page says about running each.

A block's language says what becomes of it:

- ``console``: each ``$ `` line is run; what follows must come out, ``...`` standing for anything.
- ``sh``: run line by line; nothing is shown, but it has to work.
- ``python``: run, or tried as a doctest where it has ``>>>``.
- ``toml`` and ``json``: has to be readable.
- ``text``: no code. It holds no command; a command has to be run.

A remark before the block, ``<!-- run: ... -->``, says more: ``file=NAME`` puts the block into that
file, ``edit=NAME`` writes its lines of TOML into that file, as a reader with an editor does,
``exit=1`` is how its commands end, ``slow`` leaves it to ``make prove``, ``serve`` keeps the
command running until the page ends, ``learns="words (.*)"`` reads from here on, for what the page
shows at the group, what really came. ``<!-- hidden`` lines, or ``<!-- hidden python``, up to
``-->``, are run and not shown: they make the empty folder like that of the project, nothing more.
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
REMARK = re.compile(r"^ *<!-- run: (.*?) -->$")
HIDDEN = "<!-- hidden"


class Block(NamedTuple):
    """``line`` is where it begins on its page."""

    line: int
    language: str
    text: str
    file: str = ""
    edit: str = ""
    learns: str = ""
    exit: int = 0
    slow: bool = False
    serve: bool = False
    hidden: bool = False


def pages() -> list[Path]:
    found = sorted((ROOT / "docs").rglob("*.md"))
    return [ROOT / "README.md", *(page for page in found if page.parent.name != "dev")]


def blocks(text: str) -> Iterator[Block]:
    lines = text.splitlines()
    said: dict[str, str] = {}
    at = 0
    while at < len(lines):
        line, begun = lines[at], at + 1
        at += 1
        if line.startswith(HIDDEN):
            end = lines.index("-->", at)
            language = line.removeprefix(HIDDEN).strip() or "sh"
            yield Block(begun, language, "\n".join(lines[at:end]), hidden=True)
            at = end + 1
        elif remark := REMARK.match(line):
            said = _said(remark[1])
        elif fence := FENCE.match(line):
            indent, ticks, language, _ = fence.groups()
            end = next(n for n in range(at, len(lines)) if lines[n].strip() == ticks)
            inside = "\n".join(each.removeprefix(indent) for each in lines[at:end])
            yield _block(begun, language, inside, said)
            at, said = end + 1, {}
        elif line.strip():
            assert not said, f"line {begun}: a remark about running stands right before its block"
    assert not said


def _said(words: str) -> dict[str, str]:
    pairs = (word.partition("=") for word in shlex.split(words))
    return {name: value or "yes" for name, _, value in pairs}


def _block(line: int, language: str, text: str, said: dict[str, str]) -> Block:
    unknown = set(said) - {"file", "edit", "learns", "exit", "slow", "serve"}
    assert not unknown, f"line {line}: nothing is known as {unknown}"
    return Block(
        line,
        language,
        text,
        file=said.get("file", ""),
        edit=said.get("edit", ""),
        learns=said.get("learns", ""),
        exit=int(said.get("exit", "0")),
        slow="slow" in said,
        serve="serve" in said,
    )


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
