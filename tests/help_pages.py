"""``python -m tests.help_pages``: write what the program says of itself into the docs.

Each command's ``--help`` goes into docs/commands.md, so every option has its line there, what many
commands take once; the totals of the traceability matrix go into docs/by-the-book.md, the settings
of a pit into docs/pit.md, who may do what into docs/security.md; the layouts of the shipped
submissions and the strategy chart become pictures. A test says when any is stale.
"""

from __future__ import annotations

import itertools
import os
import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from croupier.cli import ROLES, main
from croupier.cli.program import app
from croupier.documents.layout.svg import felt
from croupier.games.registry import the_registry
from croupier.rulebook.loader import shipped_books
from croupier.rulebook.trace import STATUSES, totals
from croupier.submission.check import shipped_submission
from croupier.table.powers import CASINO, in_words
from tests.citing import regulated_books
from website.formats import settings_table
from website.pictures import FILE as CHART
from website.pictures import strategy_chart

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "commands.md"
PICTURES = ROOT / "docs" / "pictures"
BOOK = ROOT / "docs" / "by-the-book.md"
PIT = ROOT / "docs" / "pit.md"
SECURITY = ROOT / "docs" / "security.md"
SHARED_BY = 3
HEAD = """# Commands

Written from the program itself by `make pages`. Exit status: 0 when all is well, 1 when the answer
is "no", 2 for bad usage, unreadable input or a round that could not have been, 130 when Ctrl-C
stopped it: whatever runs then ends within a second, and leaves nothing half-written.
"""


def page() -> str:
    by_role = {
        role: [command.partition(":")[2] for command in commands]
        for role, commands in ROLES.items()
    }
    names = [name for commands in by_role.values() for name in commands]
    at = names.index("lab") + 1
    names[at:at] = ["lab deals", "lab raw"]
    helps = {name: _help(*name.split()) for name in names}
    told = Counter(entry for text in helps.values() for entry, _ in _entries(text) if entry)
    shared = [entry for entry, commands in told.items() if commands >= SHARED_BY]
    common = "\n".join(
        textwrap.fill(entry, 88, initial_indent=" ", subsequent_indent="   ")
        for entry in sorted(shared)
    )
    roles = [
        f"- **{role}**: {', '.join(f'[{name}](#croupier-{name})' for name in commands)}"
        for role, commands in by_role.items()
    ]
    parts = [HEAD, "\n".join(roles) + "\n"]
    parts += [f"## What many commands take\n\n```text\n{common}\n```\n"]
    for name, text in helps.items():
        parts.append(f"## croupier {name}\n\n```text\n{_without(shared, text)}\n```\n")
    return "\n".join(parts)


def _without(shared: list[str], text: str) -> str:
    """The help of a command; of what many take, the names alone."""
    entries = [(entry, lines) for entry, lines in _entries(text)]
    names = [entry.split()[0] for entry, _ in entries if entry in shared]
    kept = "\n".join(lines for entry, lines in entries if entry not in shared)
    told = re.sub(r"\n(Arguments|Parameters):\n*(?=\n\w|$)", "", re.sub(r"\n{3,}", "\n\n", kept))
    return "\n\n".join([told.rstrip(), *([f"As above: {', '.join(names)}."] if names else [])])


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """A help in pieces: one argument or option on one line and as it stands, or any other line."""
    lines = text.splitlines()
    while lines:
        if lines[0] not in ("Arguments:", "Parameters:"):
            yield "", lines.pop(0)
            continue
        yield "", lines.pop(0)
        panel = list(itertools.takewhile(str.strip, lines))
        del lines[: len(panel)]
        depth = min(map(_depth, panel))
        begins = [at for at, line in enumerate(panel) if _depth(line) == depth]
        for begin, end in itertools.pairwise([*begins, len(panel)]):
            name, *told = panel[begin].strip(" *").split("  ", 1)
            words = " ".join([*told, *panel[begin + 1 : end]]).split()
            yield f"{name}  {' '.join(words)}", "\n".join(panel[begin:end])


def _depth(line: str) -> int:
    """How far it is indented; a star before it marks what is required."""
    return len(line) - len(line.lstrip(" *"))


def by_the_book() -> str:
    """The page about the rulebooks with the totals of the matrix as they are now."""
    return _with(BOOK, "totals", _totals())


def pit() -> str:
    """The page about running a pit with the settings as they are now."""
    return _with(PIT, "settings", settings_table().rstrip())


def security() -> str:
    """The page about security with the policy of powers as it is now."""
    lines = ["| act | done or begun by | seconded by | above |", "|---|---|---|---:|"]
    lines += [f"| {' | '.join(line)} |" for line in in_words(CASINO)]
    return _with(SECURITY, "powers", "\n".join(lines))


def _with(file: Path, name: str, text: str) -> str:
    """The page with this text between its two remarks."""
    begin, end = f"<!-- {name}, written by make pages -->", f"<!-- end of {name} -->"
    before, _, rest = file.read_text("utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    assert closed, f"{file.name} has no place for its {name}"
    return f"{before}{begin}\n{text}\n{end}{after}"


def pictures() -> dict[Path, str]:
    """The layout of each shipped submission, as it goes to the Commission."""
    return {
        PICTURES / f"layout-{book.id}.svg": felt(shipped_submission(book.id), the_registry())
        for book in shipped_books()
    }


def _totals() -> str:
    columns = {book.id: list(book.trace.values()) for book in regulated_books()}
    columns["all"] = [row for rows in columns.values() for row in rows]
    lines = ["| clauses | " + " | ".join(columns) + " |", "|---|" + "---:|" * len(columns)]
    for status in STATUSES:
        counts = [totals(rows)[status] for rows in columns.values()]
        lines.append(f"| {status} | " + " | ".join(f"{count:,}" for count in counts) + " |")
    coming = [sum(bool(row.awaits) for row in rows) for rows in columns.values()]
    lines.append("| *of these still to come* | " + " | ".join(map(str, coming)) + " |")
    lines.append("| **all** | " + " | ".join(f"{len(rows):,}" for rows in columns.values()) + " |")
    return "\n".join(lines)


def _help(*command: str) -> str:
    """As a terminal of this width shows it, without frames and what is the same below each."""
    before = dict(os.environ)
    os.environ |= {"COLUMNS": "88", "NO_COLOR": "1", "TERM": "dumb"}
    try:
        with redirect_stdout(StringIO()) as told:
            assert main([*command, "--help"]) == 0
    finally:
        os.environ.clear()
        os.environ.update(before)
    lines = [_unframed(line) for line in told.getvalue().strip().splitlines()]
    text = "\n".join(line for line in lines if line is not None).removesuffix(
        app.help_epilogue or ""
    )
    return re.sub(r"\n\n\n+", "\n\n", text.rstrip())


def _unframed(line: str) -> str | None:
    """A panel becomes its title, and its lines indented."""
    if line.startswith("╭─ "):
        return f"\n{line.strip('╭╮─ ')}:"
    if line.startswith("╰"):
        return None
    return line.strip("│").rstrip()


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    BOOK.write_text(by_the_book(), "utf-8")
    PIT.write_text(pit(), "utf-8")
    SECURITY.write_text(security(), "utf-8")
    PICTURES.mkdir(exist_ok=True)
    for picture, drawn in pictures().items():
        picture.write_text(drawn, "utf-8")
    CHART.write_text(strategy_chart(), "utf-8")
    print("docs: commands, by-the-book, pit, security and pictures are written")
