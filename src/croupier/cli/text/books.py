"""A report of the books on a screen, and as lines for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from croupier.ledger.reports.sheet import (
    NO_ACTIVITY,
    Cell,
    Column,
    Report,
    ReportHeading,
    Sheet,
    finely,
    iso,
    plain,
    shown,
)

HASH_SHOWN = 16
GAP = 2
WRAPS, MOST_WRAPPED = "what", 40
HEADINGS = (
    "report title operator facility table link rulebook version practice from until generated "
    "ledger head activity holds"
)


def tell_report(report: Report, console: Console) -> None:
    _tell_heading(report.heading, console)
    if not report.active:
        console.print(Text(NO_ACTIVITY, style="bold"))
    for sheet in report.sheets:
        for table in _tables(sheet, console.width):
            console.print()
            console.print(table)
    if report.checks:
        console.print()
    for check in report.checks:
        verdict = "agrees" if check.holds else "DIFFERS"
        style = "green" if check.holds else "bold red"
        both = finely(check.left_micros)
        if not check.holds:
            both += f" is not {finely(check.right_micros)}"
        line = Text(f"{verdict:8}", style=style).append(f"{check.what}: {both}", "default not bold")
        console.print(line, soft_wrap=True)
    for note in report.notes:
        console.print(Text(note, style="dim"))
    console.print()


def _tell_heading(heading: ReportHeading, console: Console) -> None:
    practice = "PRACTICE - " if heading.practice else ""
    console.print(Text(f"{practice}{heading.title}", style="bold"))
    terms = f"{heading.rulebook}, submission {heading.version or 'without a version'}"
    link = f"link {heading.link}" if heading.link else ""
    of = (f"table {heading.table}", terms if heading.rulebook else "", link)
    console.print(Text(", ".join(part for part in (heading.operator, heading.facility) if part)))
    console.print(Text(", ".join(part for part in of if part)), soft_wrap=True)
    begins = iso(heading.from_us) if heading.from_us is not None else "the beginning"
    ends = iso(heading.until_us) if heading.until_us is not None else "the last line"
    made = f"made {iso(heading.generated_us - heading.generated_us % 1_000_000)}"
    console.print(Text(f"from {begins} until {ends}, {made}", style="dim"), soft_wrap=True)
    console.print(Text(f"ledger {heading.ledger}", style="dim"), soft_wrap=True)
    for head in heading.heads:
        line = f"{head.stream} up to line {head.version:,}, hash {head.hash[:HASH_SHOWN]}..."
        console.print(Text(line, style="dim"), soft_wrap=True)


def _tables(sheet: Sheet, width: int) -> Iterator[Table]:
    """Rows under columns; turned where that fits better; else in parts below one another."""
    rows = [tuple(map(shown, row, (c.kind for c in sheet.columns))) for row in sheet.rows]
    wide = [
        min(MOST_WRAPPED, _widest(at, column, rows)) if column.key == WRAPS else
        _widest(at, column, rows)
        for at, column in enumerate(sheet.columns)
    ]  # fmt: skip
    turned = max(len(column.title) for column in sheet.columns)
    turned += sum(GAP + max(map(len, row)) for row in rows)
    if sum(wide) + GAP * (len(wide) - 1) <= width:
        yield _straight(sheet, rows, range(len(wide)))
    elif turned <= width:
        yield _turned(sheet, rows)
    else:
        for part in _parts(wide, width):
            yield _straight(sheet, rows, part)


def _widest(at: int, column: Column, rows: list[tuple[str, ...]]) -> int:
    return max([len(column.title), *(len(row[at]) for row in rows)])


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


def _straight(sheet: Sheet, rows: list[tuple[str, ...]], part: Sequence[int]) -> Table:
    table = _empty(sheet.title)
    for at in part:
        column = sheet.columns[at]
        justify: JustifyMethod = "left" if column.is_text else "right"
        table.add_column(
            column.title, justify=justify, no_wrap=column.key != WRAPS, overflow="fold"
        )
    for number, row in enumerate(rows, 1):
        last = sheet.total and number == len(rows)
        table.add_row(*(Text(row[at]) for at in part), style="bold" if last else "")
    return table


def _turned(sheet: Sheet, rows: list[tuple[str, ...]]) -> Table:
    table = _empty(sheet.title)
    table.add_column(sheet.columns[0].title)
    for row in rows:
        table.add_column(Text(row[0] or "Total"), justify="right", no_wrap=True)
    for at, column in enumerate(sheet.columns[1:], 1):
        table.add_row(Text(column.title), *(Text(row[at]) for row in rows))
    return table


def _empty(title: str) -> Table:
    return Table(
        title=title, title_justify="left", title_style="bold", box=None, pad_edge=False,
        header_style="dim",
    )  # fmt: skip


class RowWriter(Protocol):
    """What ``csv.writer`` makes."""

    def writerow(self, row: Iterable[object], /) -> object: ...


def write_csv(reports: list[Report], out: RowWriter) -> None:
    """Each sheet under its own header, the report before each row; an empty line between sheets."""
    _write_headings(reports, out)
    for report in reports:
        head = report.heading
        before: tuple[Cell, ...] = (report.name, head.table, head.link)
        for sheet in report.sheets:
            out.writerow([])
            out.writerow(["report", "table", "link", *(column.name for column in sheet.columns)])
            for row in sheet.rows:
                cells = map(plain, row, (column.kind for column in sheet.columns))
                out.writerow([*(plain(cell, "text") for cell in before), *cells])


def _write_headings(reports: list[Report], out: RowWriter) -> None:
    out.writerow(HEADINGS.split())
    for report in reports:
        head = report.heading
        ends = "; ".join(f"{each.stream} {each.version} {each.hash}" for each in head.heads)
        texts = (report.name, head.title, head.operator, head.facility, head.table, head.link)
        times = (head.from_us, head.until_us, head.generated_us)
        out.writerow(
            [
                *(plain(text, "text") for text in (*texts, head.rulebook, head.version)),
                "yes" if head.practice else "no",
                *(plain(at_us, "time") for at_us in times),
                head.ledger,
                ends,
                "yes" if report.active else NO_ACTIVITY,
                "yes" if report.holds else "no",
            ]
        )
