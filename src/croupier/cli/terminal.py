"""Terminal renderer of the report model: sections of blocks, with an empty line between two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from rich.columns import Columns as SideBySide
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from croupier.cli.screen import Screen
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
    Story,
    changes,
)

GAP = 2
LABEL = 10
REMARK = 4
MOST_WRAPPED = 40
NARROW = 60
TIME, WHO, CITED, WIDELY_CITED = 12, 12, 22, 36  # a day stands above its time
RED_CARDS, BLACK_CARDS = r"\b[2-9TJQKA][♦♥]", r"\b[2-9TJQKA][♣♠]"
CALLS = r"“[^”]*”"
WON, LOST = r"^(\+\$[\d,.]+|win)$", r"^(-\$[\d,.]+|lose|forfeit|cut)$"
NEITHER = r"^(push|returned)$"
STYLES = {
    "plain": "",
    "lead": "bold",
    "note": "dim",
    "rule": "green",
    "ruling": "yellow",
    "pass": "bold green",
    "caution": "bold yellow",
    "fail": "bold red",
}
TerminalSection = Iterable[AnyBlock | Text]


def show(sections: Iterable[TerminalSection], console: Screen) -> None:
    for number, section in enumerate(sections):
        if number:
            console.print()
        for block in section:
            show_block(block, console)


def show_block(block: AnyBlock | Text, console: Screen) -> None:  # noqa: C901 (a case a block)
    match block:
        case Heading():
            _show_line(Text(block.text, style="bold"), console)
        case Prose():
            _show_prose(block, console)
        case Facts():
            _show_facts(block, console)
        case Grid():
            _show_grid(block, console)
        case Steps():
            _show_steps(block, console)
        case Story():
            _show_story(block, console)
        case Columns():
            _show_columns(block, console)
        case Picture():
            console.print(Text(block.alt))
        case CommandLine():
            console.print(Text(f"  {block.text}"), soft_wrap=True)
        case Text():
            _show_line(block, console)


def _show_prose(prose: Prose, console: Screen) -> None:
    """A note is a paragraph and breaks between words; any other text is one line, never broken."""
    style, text = STYLES[prose.tone], prose.text
    if prose.head:
        line = Text(prose.head, style=style).append(text, "not bold default")
    elif prose.tone == "note" and not prose.indent:
        lines = wrap(text, console.width, break_long_words=False, break_on_hyphens=False)
        line = Text("\n".join(lines), style=style)
    else:
        line = Text(text, style=style)
    if prose.indent:
        console.print(Padding(_colored(line, console), (0, 0, 0, prose.indent)))
    else:
        _show_line(line, console)


def _show_line(line: Text, console: Screen) -> None:
    """A terminal breaks a line between words, never within a number; a file gets it whole."""
    console.print(_colored(line, console), soft_wrap=not console.is_terminal)


def _colored(text: Text, console: Screen) -> Text:
    """Cards, and amounts won or lost, in colour; with the symbols of suits that can be written."""
    text.highlight_regex(WON, "green")
    text.highlight_regex(LOST, "red")
    text.highlight_regex(NEITHER, "yellow")
    text.highlight_regex(RED_CARDS, "bold red")
    text.highlight_regex(BLACK_CARDS, "bold")
    if console.shows_suits:
        return text
    from croupier.table.narration import written_for  # commands that tell no round load no table

    plain = Text(written_for(text.plain, shows_suits=False), style=text.style)
    plain.spans.extend(text.spans)
    return plain


def _show_facts(facts: Facts, console: Screen) -> None:
    width = max(LABEL, *(len(row.label) + GAP for row in facts.rows))
    for row in facts.rows:
        line = Text(f"  {row.label:{width}}", style="dim").append(row.value, "not dim")
        _show_line(line, console)


def _show_grid(grid: Grid, console: Screen) -> None:
    if grid.beneath:
        return _show_remarked(grid, console)
    for number, table in enumerate(_tables(grid, console)):
        if number:
            console.print()
        if grid.caption:
            _show_line(Text(grid.caption, style="bold"), console)
        console.print(table)


def _show_remarked(grid: Grid, console: Screen) -> None:
    """Rows with a remark below each; where they do not fit, broken between words, without gaps."""
    wide = [_width(grid, at) for at in range(len(grid.columns))]
    fits = not console.is_terminal or sum(wide) + GAP * (len(wide) - 1) <= console.width

    def line(cells: Sequence[str], style: str = "") -> Text:
        texts = [_colored(Text(cell), console) for cell in cells]
        if fits:
            for text, letter, width in zip(texts, grid.align, wide, strict=True):
                text.align("right" if letter == "r" else "left", width)
        joined = Text(" " * GAP, style=style).join(text for text in texts if text)
        joined.rstrip()
        return joined

    if grid.caption:
        _show_line(Text(grid.caption, style="bold"), console)
    if fits and any(grid.columns):
        console.print(line(grid.columns, "dim"), soft_wrap=True)
    for number, (row, remark) in enumerate(zip(grid.rows, grid.beneath, strict=True)):
        style = "bold" if number in grid.marked else ""
        console.print(line(row, style), soft_wrap=fits)
        told = _colored(Text(remark, style="dim"), console)
        console.print(Padding(told, (0, 0, 0, REMARK), expand=False))


def _show_steps(steps: Steps, console: Screen) -> None:
    numbered = Table.grid(padding=(0, 1))
    for number, step in enumerate(steps.steps, steps.first):
        numbered.add_row(f"  {number}.", _colored(Text(step.text), console))
    console.print(numbered)


def _show_story(story: Story, console: Screen) -> None:
    """Every line with its clause at the edge; below one another where the screen is narrow."""
    timed = any(line.time for line in story.lines)
    grid = Table.grid(padding=(0, 2, 0, 0), expand=True)
    for width in ([TIME] if timed else []) + [WHO]:
        grid.add_column(width=width)
    grid.add_column(ratio=1)
    grid.add_column(width=CITED if console.width < 100 else WIDELY_CITED)
    for line in changes(story):
        heads = [*([Text(line.time, style="dim")] if timed else []), Text(line.who, style="cyan")]
        words, cited = Text(line.text), Text(line.cited, style="dim")
        words.highlight_regex(CALLS, "bold")
        words = _colored(words, console)
        if console.width >= NARROW:
            grid.add_row(*heads, words, cited)
            continue
        if head := Text("  ").join(each for each in heads if each):
            console.print(head)
        console.print(Padding(words, (0, 0, 0, 2)))
        console.print(Padding(cited, (0, 0, 0, 4)))
    if grid.row_count:
        console.print(grid)


def _show_columns(columns: Columns, console: Screen) -> None:
    """Tables beside each other as long as there is room; anything else below one another."""
    grids = [part[0] for part in columns.parts if len(part) == 1 and isinstance(part[0], Grid)]
    if len(grids) < len(columns.parts):
        return show(columns.parts, console)
    tables = []
    for grid in grids:
        table = _straight(grid, range(len(grid.columns)), console)
        table.title, table.title_style, table.title_justify = grid.caption, "bold", "left"
        tables.append(table)
    console.print(SideBySide(tables, padding=(0, 3)))


def _tables(grid: Grid, console: Screen) -> Iterator[Table]:
    """Rows under columns; turned where that fits better; else in parts below one another."""
    width = console.width
    wide = [_width(grid, at) for at in range(len(grid.columns))]
    turned = max(map(len, grid.columns)) + sum(GAP + max(map(len, row)) for row in grid.rows)
    if sum(wide) + GAP * (len(wide) - 1) <= width:
        yield _straight(grid, range(len(wide)), console)
    elif turned <= width:
        yield _turned(grid, console)
    else:
        for part in _parts(wide, width):
            fits = sum(wide[at] for at in part) + GAP * (len(part) - 1) <= width
            yield _straight(grid, part, console, fits=fits)


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


def _straight(grid: Grid, part: Sequence[int], console: Screen, *, fits: bool = True) -> Table:
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
        table.add_row(*(_colored(Text(row[at]), console) for at in part), style=style)
    return table


def _turned(grid: Grid, console: Screen) -> Table:
    table = _empty(has_header=True)
    table.add_column(grid.columns[0])
    for row in grid.rows:
        table.add_column(Text(row[0] or "Total"), justify="right", no_wrap=True)
    for at, column in enumerate(grid.columns[1:], 1):
        table.add_row(Text(column), *(_colored(Text(row[at]), console) for row in grid.rows))
    return table


def _empty(has_header: bool) -> Table:
    return Table(box=None, pad_edge=False, header_style="dim", show_header=has_header)
