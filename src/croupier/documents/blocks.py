"""The report model: headings, prose, tables, facts, stories, figures and steps, without a look.

Each medium has one renderer: ``documents/pdf.py`` (Typst), ``documents/html.py``, and for the
terminal ``cli/terminal.py``; a figure is therefore said once however it is shown.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import msgspec


class Block(msgspec.Struct, frozen=True, tag_field="kind", tag=str.lower):
    """One piece of a document, in the order of reading."""


class Heading(Block, frozen=True):
    text: str
    level: int = 1
    clause: str | None = None


class Prose(Block, frozen=True):
    """A paragraph; ``tone`` is lead, plain or note, what a rulebook says (rule, ruling), or a
    verdict: pass, caution or fail.

    ``head`` are its first words where they stand out; ``indent`` sets it in, by letters.
    """

    text: str
    clause: str | None = None
    tone: str = "plain"
    head: str = ""
    indent: int = 0


class Grid(Block, frozen=True):
    """A table: ``align`` has a letter a column, l or r; ``marked`` rows are the chosen ones.

    ``widths`` are shares of the line, 0 for a column as wide as it needs; ``beneath`` is what is
    remarked below each row, over all columns.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    align: str
    caption: str = ""
    marked: tuple[int, ...] = ()
    widths: tuple[int, ...] = ()
    beneath: tuple[str, ...] = ()


class Fact(msgspec.Struct, frozen=True):
    """A label, what holds, and the clause or remark that stands beside it."""

    label: str
    value: str
    beside: str = ""


class Facts(Block, frozen=True):
    rows: tuple[Fact, ...]


class StoryLine(msgspec.Struct, frozen=True):
    """Who did what, the clause and the ruling behind it, and where it matters the time."""

    who: str
    text: str
    cited: str
    time: str = ""


class Story(Block, frozen=True):
    """What happened, line after line; a name is written when it changes."""

    lines: tuple[StoryLine, ...]


class Picture(Block, frozen=True, tag="figure"):
    """A drawing as SVG, with what it shows in words for those who cannot see it."""

    svg: str
    alt: str
    caption: str = ""


class StepText(msgspec.Struct, frozen=True):
    text: str
    clause: str = ""


class Steps(Block, frozen=True):
    """What is done one after another; numbers go on from ``first``."""

    steps: tuple[StepText, ...]
    first: int = 1


class CommandLine(Block, frozen=True, tag="command"):
    """A line to type."""

    text: str


class Columns(Block, frozen=True):
    """Columns beside each other where the page is wide enough."""

    parts: tuple[tuple[AnyBlock, ...], ...]


AnyBlock = Heading | Prose | Grid | Facts | Story | Picture | Steps | CommandLine | Columns


class Imprint(msgspec.Struct, frozen=True, kw_only=True):
    """What every page says of the document it belongs to.

    ``digest`` and ``submission`` are the hashes of the Rules and of all that was submitted, empty
    where there is not one. Without an approval date the document is a draft and says so across each
    page.
    """

    title: str
    game: str
    place: str
    version: str
    digest: str
    submission: str
    approved: datetime.date | None

    @property
    def standing(self) -> str:
        return standing(self.approved)


class Document(msgspec.Struct, frozen=True):
    """An imprint and the blocks under it; ``form`` is the page it is laid out on."""

    imprint: Imprint
    blocks: tuple[AnyBlock, ...]
    form: str = "report"


def changes(block: Story) -> Iterator[StoryLine]:
    """The lines of a story, without the names that stand in the line above."""
    before = ""
    for line in block.lines:
        yield msgspec.structs.replace(line, who=line.who if line.who != before else "")
        before = line.who


def balanced(grids: list[Grid], across: int) -> Columns:
    """Tables in so many columns of about the same height, in the order of reading."""
    heights = [len(grid.rows) + 2 for grid in grids]
    parts: list[list[AnyBlock]] = [[] for _ in range(across)]
    filled, column = 0, 0
    for grid, height in zip(grids, heights, strict=True):
        fair = sum(heights) * (column + 1) / across
        if parts[column] and column < across - 1 and filled + height / 2 > fair:
            column += 1
        parts[column].append(grid)
        filled += height
    return Columns(tuple(tuple(part) for part in parts))


def standing(approved: datetime.date | None) -> str:
    """What a draft says of itself, and an approved document."""
    return f"Approved {long_date(approved)}" if approved else "Draft: not yet approved"


def long_date(day: datetime.date) -> str:
    """A date as Americans write it out, which nobody can take for another day."""
    return f"{day:%B} {day.day}, {day.year}"
