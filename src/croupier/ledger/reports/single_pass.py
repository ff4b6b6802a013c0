"""One pass over a ledger for all its reports: the books, and what each table's events add up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import get_args

import msgspec

from croupier.facts.errors import Unreadable
from croupier.facts.progress import CountDone
from croupier.games.registry import Registry
from croupier.ledger.books import Books, Interval, LinkBooks, TableBooks, read_books
from croupier.ledger.events import (
    LINK,
    PIT,
    REFUSALS,
    TABLE,
    Kept,
    LineRefused,
    StaffPower,
    read_kept,
    tag_of,
)
from croupier.ledger.replay import kept_submission
from croupier.ledger.reports.awards import Awards
from croupier.ledger.reports.incidents import Incidents
from croupier.ledger.reports.sheet import ReportHeading, StreamRead
from croupier.ledger.reports.tally import Tally
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Head, Ledger
from croupier.submission.submission import Submission

# Lines with nothing in them that a report asks for; some are long, and most are of these kinds.
UNREAD = {
    "cards-opened",
    "cards-dealt",
    "cards-turned",
    "dealer-revealed",
    "place-turned",
    "box-turned",
    "box-settled",
    "progressive-accepted",
    "progressive-collected",
    "wager-withdrawn",
    "meter-moved",
    "table-stands",
    "link-stands",
}
OF_THE_PIT = StaffPower | LineRefused
TOLD_OF_THE_PIT = {tag_of(kind) for kind in get_args(OF_THE_PIT)}


@dataclass
class TableReading:
    """One table as the reports see it."""

    books: TableBooks
    submission: Submission
    tally: Tally
    awards: Awards
    incidents: Incidents

    @property
    def name(self) -> str:
        return self.books.installed.table


@dataclass
class Reading:
    """A ledger over an interval; ``asked`` are the tables that reports are wanted of."""

    books: Books
    tables: dict[str, TableReading]
    asked: list[TableReading]
    generated_us: int
    link_incidents: dict[str, Incidents] = field(default_factory=dict)
    pit_incidents: list[Incidents] = field(default_factory=list)

    def heading(self, title: str, table: TableReading, *heads: Head) -> ReportHeading:
        filed, installed = table.submission, table.books.installed
        return self._heading(
            title,
            filed,
            heads or (table.books.head,),
            installed.practice,
            table=table.name,
            link=installed.link,
            rulebook=filed.rulebook,
            version=filed.version or "",
        )

    def link_heading(self, title: str, link: LinkBooks) -> ReportHeading:
        tables = [self.tables[each.table] for each in link.tables]
        heads = (link.head, *(each.books.head for each in tables))
        named = ", ".join(each.name for each in tables)
        filed = tables[0].submission
        return self._heading(title, filed, heads, link.is_practice, link=link.name, table=named)

    def house_heading(
        self, title: str, tables: list[TableReading], practice: bool
    ) -> ReportHeading:
        links = {each.books.installed.link for each in tables} - {""}
        heads = [each.books.head for each in tables]
        heads += [self.books.links[name].head for name in sorted(links) if name in self.books.links]
        named = ", ".join(each.name for each in tables)
        return self._heading(title, tables[0].submission, heads, practice, table=named)

    def pit_heading(self, title: str) -> ReportHeading:
        tables = list(self.tables.values())
        practice = all(each.books.installed.practice for each in tables)
        named = ", ".join(each.name for each in tables)
        return self._heading(title, tables[0].submission, self.books.pit, practice, table=named)

    def _heading(
        self, title: str, filed: Submission, heads: Sequence[Head], practice: bool, **more: str
    ) -> ReportHeading:
        return ReportHeading(
            title=title,
            operator=filed.operator,
            facility=filed.facility,
            ledger=self.books.ledger,
            heads=tuple(StreamRead(h.stream, h.version, h.hash.hex()) for h in heads),
            generated_us=self.generated_us,
            from_us=self.books.interval.from_us,
            until_us=self.books.interval.until_us,
            practice=practice,
            **more,
        )


class _Clerk:
    """Follows every line and hands it to those who count; read once, seen by all."""

    def __init__(self, large_cents: int, progress: CountDone) -> None:
        self._large_cents, self._progress = large_cents, progress
        self.tallies: dict[str, Tally] = {}
        self.awards: dict[str, Awards] = {}
        self.incidents: dict[str, Incidents] = {}

    def __call__(self, line: LedgerLine, within: bool) -> None:
        self._progress(1)
        room, _, name = line.stream.partition("/")
        if line.kind in UNREAD or (f"{room}/" == PIT and line.kind not in TOLD_OF_THE_PIT):
            return
        try:
            self._see(line, f"{room}/", name, within)
        except (msgspec.DecodeError, LookupError, StopIteration):
            raise Unreadable(
                f"{line.stream}, line {line.version} does not follow from the lines above it; "
                "croupier audit says what is wrong"
            ) from None

    def _see(self, line: LedgerLine, room: str, name: str, within: bool) -> None:
        event: Kept | StaffPower | LineRefused
        if room == PIT:
            event = msgspec.json.decode(line.body, type=OF_THE_PIT)
        else:
            event = read_kept(line.body)
        self.incidents_of(room, name).see(line, event, within)
        if room == TABLE:
            self.tallies.setdefault(name, Tally()).see(event, within)
            awards = self.awards.setdefault(name, Awards(self._large_cents))
            awards.see(line, event, within)

    def incidents_of(self, room: str, name: str) -> Incidents:
        """Commands that were refused are their table's; a link's lines stand apart."""
        key = f"{TABLE if room == REFUSALS else room}{name}"
        return self.incidents.setdefault(key, Incidents(self._large_cents))


def read_for_reports(
    ledger: Ledger,
    registry: Registry,
    interval: Interval,
    generated_us: int,
    *,
    table: str = "",
    large_cents: int,
    progress: CountDone = lambda lines: None,
) -> Reading:
    """Everything the reports need; with a table's name its own and its link's alone."""
    clerk = _Clerk(large_cents, progress)
    books = read_books(ledger, interval, table, clerk)
    tables = {
        name: TableReading(
            books=each,
            submission=kept_submission(each.installed, registry),
            tally=clerk.tallies.get(name, Tally()),
            awards=clerk.awards.get(name, Awards(large_cents)),
            incidents=clerk.incidents_of(TABLE, name),
        )
        for name, each in books.tables.items()
    }
    return Reading(
        books=books,
        tables=tables,
        asked=[each for name, each in tables.items() if not table or name == table],
        generated_us=generated_us,
        link_incidents={name: clerk.incidents_of(LINK, name) for name in books.links},
        pit_incidents=[found for key, found in clerk.incidents.items() if key.startswith(PIT)],
    )
