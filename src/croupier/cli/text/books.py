"""A report of the books as sections for a terminal, and as lines of CSV."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from croupier.cli.terminal import TerminalSection
from croupier.documents.blocks import AnyBlock, Grid, Heading, Prose
from croupier.facts.csv_text import csv_text
from croupier.ledger.reports.sheet import (
    NO_ACTIVITY,
    Report,
    Sheet,
    SheetCell,
    SumCheck,
    finely,
    iso,
    plain,
    shown,
)

HASH_SHOWN = 16
WRAPS = "what"
HEADINGS = (
    "report title operator facility table link rulebook version practice from until generated "
    "ledger head activity holds"
)


def books_report(report: Report) -> Iterator[TerminalSection]:
    yield _heading(report)
    for sheet in report.sheets:
        yield (_grid(sheet),)
    if report.checks or report.notes:
        notes = (Prose(note, tone="note") for note in report.notes)
        yield *map(_check, report.checks), *notes


def _heading(report: Report) -> Iterator[AnyBlock]:
    heading = report.heading
    yield Heading(f"{'PRACTICE - ' if heading.practice else ''}{heading.title}")
    yield Prose(", ".join(part for part in (heading.operator, heading.facility) if part))
    terms = f"{heading.rulebook}, submission {heading.version or 'without a version'}"
    link = f"link {heading.link}" if heading.link else ""
    of = (f"table {heading.table}", terms if heading.rulebook else "", link)
    yield Prose(", ".join(part for part in of if part))
    begins = iso(heading.from_us) if heading.from_us is not None else "the beginning"
    ends = iso(heading.until_us) if heading.until_us is not None else "the last line"
    made = f"made {iso(heading.generated_us - heading.generated_us % 1_000_000)}"
    yield Prose(f"from {begins} until {ends}, {made}", tone="note")
    yield Prose(f"ledger {heading.ledger}", tone="note")
    for head in heading.heads:
        line = f"{head.stream} up to line {head.version:,}, hash {head.hash[:HASH_SHOWN]}..."
        yield Prose(line, tone="note")
    if not report.active:
        yield Prose(NO_ACTIVITY, tone="lead")


def _grid(sheet: Sheet) -> Grid:
    kinds = [column.kind for column in sheet.columns]
    return Grid(
        tuple(column.title for column in sheet.columns),
        tuple(tuple(map(shown, row, kinds)) for row in sheet.rows),
        "".join("l" if column.is_text else "r" for column in sheet.columns),
        sheet.title,
        marked=(len(sheet.rows) - 1,) if sheet.total else (),
        widths=tuple(int(column.key == WRAPS) for column in sheet.columns),
    )


def _check(check: SumCheck) -> Prose:
    sums = finely(check.left_micros)
    if check.holds:
        return Prose(f"{check.what}: {sums}", head=f"{'agrees':8}", tone="pass")
    differs = f"{check.what}: {sums} is not {finely(check.right_micros)}"
    return Prose(differs, head=f"{'DIFFERS':8}", tone="fail")


# CSV


def books_csv(reports: list[Report]) -> str:
    """Each sheet under its own header, the report before each row; an empty line between sheets."""
    return csv_text(chain((HEADINGS.split(),), map(_heading_row, reports), _sheet_rows(reports)))


def _sheet_rows(reports: list[Report]) -> Iterator[list[str]]:
    for report in reports:
        head = report.heading
        before: tuple[SheetCell, ...] = (report.name, head.table, head.link)
        for sheet in report.sheets:
            yield []
            yield ["report", "table", "link", *(column.name for column in sheet.columns)]
            for row in sheet.rows:
                cells = map(plain, row, (column.kind for column in sheet.columns))
                yield [*(plain(cell, "text") for cell in before), *cells]


def _heading_row(report: Report) -> list[str]:
    head = report.heading
    ends = "; ".join(f"{each.stream} {each.version} {each.hash}" for each in head.heads)
    texts = (report.name, head.title, head.operator, head.facility, head.table, head.link)
    times = (head.from_us, head.until_us, head.generated_us)
    return [
        *(plain(text, "text") for text in (*texts, head.rulebook, head.version)),
        "yes" if head.practice else "no",
        *(plain(at_us, "time") for at_us in times),
        head.ledger,
        ends,
        "yes" if report.active else NO_ACTIVITY,
        "yes" if report.holds else "no",
    ]
