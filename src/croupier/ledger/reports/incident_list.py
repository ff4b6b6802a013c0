"""The significant-event report: what a supervisor asks about, by kind and time (GLI-19 2.8.8)."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.facts.names import known_name
from croupier.ledger.reports.incidents import Incident, Incidents, kinds
from croupier.ledger.reports.sheet import Column, Report, Sheet
from croupier.ledger.reports.single_pass import Reading, TableReading

NAME, TITLE = "events", "Significant events"
_LISTED = (
    Column("at", "Time (UTC)", "time"),
    Column("kind", "Kind"),
    Column("round", "Round", "count"),
    Column("what", "What"),
    Column("by", "By"),
    Column("role", "Role"),
    Column("clause", "Clause"),
    Column("stream", "Stream"),
    Column("version", "Line", "count"),
)
_REFUSED = (
    Column("role", "Role"),
    Column("clause", "Clause"),
    Column("refused", "Commands refused", "count"),
)


def incidents(reading: Reading, kind: str = "") -> Iterator[Report]:
    """Of each table, with its refused commands and its link, and of the pit where anything was
    done beside them; of one kind where one is named."""
    if kind:
        known_name(kind, kinds(), "kind of event")
    for table in reading.asked:
        found = [each for each in _of(reading, table) if kind in ("", each.kind)]
        refusals = table.incidents.refusals if kind in ("", "refused") else {}
        sheets = []
        if found:
            sheets.append(Sheet("Events", _LISTED, tuple(map(_row, found))))
        if refusals:
            rows = tuple((*key, count) for key, count in sorted(refusals.items()))
            sheets.append(Sheet("Refused commands", _REFUSED, rows))
        heads = [table.books.head, *([table.books.refusals] if table.books.refusals else [])]
        title = f"{TITLE}: {kind}" if kind else TITLE
        yield Report(
            NAME, reading.heading(title, table, *heads), tuple(sheets), active=bool(sheets)
        )
    beside = [each for each in _in_order(reading.pit_incidents) if kind in ("", each.kind)]
    if beside and reading.asked:
        title = f"{TITLE} beside the tables{f': {kind}' if kind else ''}"
        listed = Sheet("Events", _LISTED, tuple(map(_row, beside)))
        yield Report(NAME, reading.pit_heading(title), (listed,))


def _of(reading: Reading, table: TableReading) -> list[Incident]:
    link = reading.link_incidents.get(table.books.installed.link)
    return _in_order([table.incidents, *([link] if link is not None else [])])


def _in_order(several: list[Incidents]) -> list[Incident]:
    found = [incident for each in several for incident in each.found]
    return sorted(found, key=lambda each: (each.at_us, each.stream, each.version))


def _row(each: Incident) -> tuple[int | str | None, ...]:
    return (
        each.at_us,
        each.kind,
        each.round or None,
        each.what,
        each.by,
        each.role,
        each.clause,
        each.stream,
        each.version,
    )
