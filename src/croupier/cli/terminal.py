"""Terminal renderer of the report model: sections of blocks, with an empty line between two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.documents.blocks import (
    AnyBlock,
    Columns,
    CommandLine,
    Facts,
    Grid,
    Heading,
    Picture,
    Prose,
    Steps,
)

GAP = 2
LABEL = 10
MOST_WRAPPED = 40
STYLES = {
    "plain": "",
    "lead": "bold",
    "note": "dim",
    "pass": "bold green",
    "caution": "bold yellow",
    "fail": "bold red",
}
TerminalSection = Iterable[AnyBlock | Text]


def show(sections: Iterable[TerminalSection], console: Console) -> None:
    for number, section in enumerate(sections):
        if number:
            console.print()
        for block in section:
            show_block(block, console)


def show_block(block: AnyBlock | Text, console: Console) -> None:
    match block:
        case Heading():
            _show_line(Text(block.text, style="bold"), console)
        case Prose():
            _show_prose(block, console)
        case Facts():
            width = max(LABEL, *(len(row.label) + GAP for row in block.rows))
            for row in block.rows:
                line = Text(f"  {row.label:{width}}", style="dim").append(row.value, "not dim")
                _show_line(line, console)
        case Grid():
            for number, table in enumerate(_tables(block, console.width)):
                if number:
                    console.print()
                if block.caption:
                    _show_line(Text(block.caption, style="bold"), console)
                console.print(table)
        case Steps():
            numbered = Table.grid(padding=(0, 1))
            for number, step in enumerate(block.steps, block.first):
                numbered.add_row(f"  {number}.", Text(step.text))
            console.print(numbered)
        case Columns():
            show(block.parts, console)
        case Picture():
            console.print(Text(block.alt))
        case CommandLine():
            console.print(Text(f"  {block.text}"), soft_wrap=True)
        case Text():
            console.print(block)


def _show_prose(prose: Prose, console: Console) -> None:
    """A note is a paragraph and breaks between words; any other text is one line, never broken."""
    style, text = STYLES[prose.tone], prose.text
    if prose.head:
        line = Text(prose.head, style=style).append(text, "not bold default")
    elif prose.tone == "note":
        lines = wrap(text, console.width, break_long_words=False, break_on_hyphens=False)
        line = Text("\n".join(lines), style=style)
    else:
        line = Text(text, style=style)
    _show_line(line, console)


def _show_line(line: Text, console: Console) -> None:
    """A terminal breaks a line between words, never within a number; a file gets it whole."""
    console.print(line, soft_wrap=not console.is_terminal)


def _tables(grid: Grid, width: int) -> Iterator[Table]:
    """Rows under columns; turned where that fits better; else in parts below one another."""
    wide = [_width(grid, at) for at in range(len(grid.columns))]
    turned = max(map(len, grid.columns)) + sum(GAP + max(map(len, row)) for row in grid.rows)
    if sum(wide) + GAP * (len(wide) - 1) <= width:
        yield _straight(grid, range(len(wide)))
    elif turned <= width:
        yield _turned(grid)
    else:
        for part in _parts(wide, width):
            fits = sum(wide[at] for at in part) + GAP * (len(part) - 1) <= width
            yield _straight(grid, part, fits=fits)


def _width(grid: Grid, at: int) -> int:
    widest = max(len(grid.columns[at]), *(len(row[at]) for row in grid.rows), 0)
    return min(MOST_WRAPPED, widest) if _wraps(grid, at) else widest


def _wraps(grid: Grid, at: int) -> bool:
    return bool(grid.widths and grid.widths[at])


def _parts(wide: list[int], width: int) -> list[list[int]]:
    """Columns that stand side by side; the first one leads each part."""
    parts, left = [[0]], width - wide[0]
    for at, needed in enumerate(wide[1:], 1):
        if needed + GAP > left and len(parts[-1]) > 1:
            parts.append([0])
            left = width - wide[0]
        parts[-1].append(at)
        left -= needed + GAP
    return parts


def _straight(grid: Grid, part: Sequence[int], *, fits: bool = True) -> Table:
    """Where it does not fit, words wrap and numbers stay whole."""
    table = _empty(has_header=any(grid.columns))
    for at in part:
        table.add_column(
            grid.columns[at],
            justify="right" if grid.align[at] == "r" else "left",
            no_wrap=not _wraps(grid, at) and (fits or grid.align[at] == "r"),
            overflow="fold",
        )
    for number, row in enumerate(grid.rows):
        style = "bold" if number in grid.marked else ""
        table.add_row(*(Text(row[at]) for at in part), style=style)
    return table


def _turned(grid: Grid) -> Table:
    table = _empty(has_header=True)
    table.add_column(grid.columns[0])
    for row in grid.rows:
        table.add_column(Text(row[0] or "Total"), justify="right", no_wrap=True)
    for at, column in enumerate(grid.columns[1:], 1):
        table.add_row(Text(column), *(Text(row[at]) for row in grid.rows))
    return table


def _empty(has_header: bool) -> Table:
    return Table(box=None, pad_edge=False, header_style="dim", show_header=has_header)
