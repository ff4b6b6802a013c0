"""A link proved against its tables: its lines are what they did to its meters, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from croupier.audit.difference import Difference, at
from croupier.audit.line_text import OTHERWISE, LineTexts
from croupier.audit.refusals_proof import goes_back
from croupier.audit.table_proof import MeterMovement, TableProof
from croupier.ledger.events import (
    LINK,
    DrawDecided,
    Kept,
    LinkOpened,
    LinkSnapshot,
    MeterMoved,
    tag_of,
    write_kept,
)
from croupier.ledger.link import (
    LinkState,
    OfTable,
    Waiting,
    link_snapshot,
    movements,
    opened_link,
    waiting_after,
)
from croupier.ledger.replay import read_line
from croupier.ledger.store.line import LedgerLine, written_entries
from croupier.table import events as ev
from croupier.table.double_entry import METER

PART = "meters"
VALIDATED = tag_of(ev.ProgressiveValidated)


class LinkProof:
    """The meters of a link as its lines say they must stand; both sides stand in the tables."""

    def __init__(self, stream: str, tables: Sequence[TableProof]) -> None:
        self.stream, self._tables = stream, tables
        self.lines = 0
        self.accounts: dict[str, int] = {}
        self._readings: dict[str, int] = {}
        self._waiting: Waiting = ()
        self._texts = LineTexts()
        self._newest_us = 0
        self._above: LedgerLine | None = None
        self._newest_of: dict[str, int] = {}
        self._due: dict[tuple[str, str], list[MeterMovement]] = {}
        for table in tables:
            for movement in table.moved:
                caused = (movement.line.command_id, movement.event.meter)
                self._due.setdefault(caused, []).append(movement)

    def prove(self, lines: Iterable[LedgerLine]) -> Iterator[Difference]:
        """First what a table did and the link does not say, then line by line."""
        found: list[Difference] = []

        def strange(line: LedgerLine, why: str) -> None:
            found.append(at(line, PART, why))

        for line in lines:
            self.lines += 1
            event = read_line(line, strange)
            if event is not None:
                found.extend(self._line(line, event))
                self._above = line
        for movement in (one for group in self._due.values() for one in group):
            why = f"the link has no line for what moved its {movement.event.meter} meter"
            yield at(movement.line, PART, why, movement.event.round)
        if self._tables and not self.lines:
            yield Difference(PART, self.stream, 0, "the link was never opened")
        yield from found

    def _line(self, line: LedgerLine, event: Kept) -> Iterator[Difference]:
        if line.kind != tag_of(event):
            yield at(line, PART, f"it is called {line.kind} and holds another event")
        if not self._texts.fit(line.body, event):
            yield at(line, PART, OTHERWISE)
        if goes_back(line, self._newest_us):
            yield at(line, "time", "its time lies before the line above it")
        self._newest_us = max(self._newest_us, line.at_us)
        if line.entries != written_entries(movements(event)):
            yield at(line, "books", "its entries are not what the event moves")
        if line.command:
            yield at(line, "command", "the words of a command stand with its table")
        if isinstance(event, LinkOpened):
            yield from self._opened(line, event)
        elif isinstance(event, OfTable):
            yield from self._of_table(line, event)
            yield from self._in_turn(line, event)
            if isinstance(event, MeterMoved):
                yield from self._moved(line, event)
            self._waiting = waiting_after(self._waiting, event)
        elif isinstance(event, LinkSnapshot):
            yield from self._snapshot_differences(line)
        else:
            yield at(line, PART, f"{tag_of(event)} has no place in a link")

    def _opened(self, line: LedgerLine, event: LinkOpened) -> Iterator[Difference]:
        """The first table on a link opens it, with the meters of its submission."""
        first = next((table for table in self._tables if _opened_by(table, line)), None)
        if line.version != 1 or first is None or first.installed is None:
            yield at(line, PART, "no table opened the link here")
        elif first.submission is not None and first.submission.progressive is not None:
            name, clauses = self.stream.removeprefix(LINK), first.installed.clauses
            if event != opened_link(name, first.submission.progressive, clauses):
                yield at(line, PART, "the meters do not start as the table filed them")
        for table in self._tables:
            yield from self._joined(table, event)
        self._readings = dict(event.meters)
        for account, micros in movements(event):
            self.accounts[account] = self.accounts.get(account, 0) + micros

    def _joined(self, table: TableProof, event: LinkOpened) -> Iterator[Difference]:
        offer = table.submission.progressive if table.submission is not None else None
        if offer is None:
            return
        filed = opened_link("", offer, ())
        if (filed.resets_cents, filed.rates_ppm) != (event.resets_cents, event.rates_ppm):
            why = f"{self.stream} runs with other meters, resets or rates than it filed"
            yield Difference(PART, table.stream, 1, why)

    def _of_table(self, line: LedgerLine, event: OfTable) -> Iterator[Difference]:
        due = self._due.get((line.command_id, event.meter))
        if not due:
            yield at(line, PART, "no table moved the meter like this", event.round)
        else:
            movement = due.pop(0)
            theirs = (movement.line.at_us, movement.line.actor, movement.line.role)
            if event != movement.event or theirs != (line.at_us, line.actor, line.role):
                where = f"{movement.line.stream}, line {movement.line.version}"
                yield at(line, PART, f"it is not what {where} did to the meter", event.round)
            newest = self._newest_of.get(movement.line.stream, 0)
            if movement.line.version < newest:
                yield at(line, PART, "the table had moved a meter after that already", event.round)
            self._newest_of[movement.line.stream] = max(newest, movement.line.version)

    def _in_turn(self, line: LedgerLine, event: OfTable) -> Iterator[Difference]:
        """A win is validated once no other table's waits before it for the same meter."""
        if isinstance(event, DrawDecided) and event.why == VALIDATED:
            ahead = LinkState(waiting=self._waiting).ahead_of(event.table, event.meter)
            if ahead:
                why = f"a win of table {ahead} came first on the {event.meter} meter"
                yield at(line, PART, why, event.round)

    def _moved(self, line: LedgerLine, event: MeterMoved) -> Iterator[Difference]:
        reading = self._readings.get(event.meter, 0) + event.by_micros
        if reading != event.reading_micros:
            yield at(line, PART, f"the {event.meter} meter reads wrong", event.round)
        self._readings[event.meter] = event.reading_micros
        account = f"{METER}{event.meter}"
        self.accounts[account] = self.accounts.get(account, 0) + event.by_micros

    def _snapshot_differences(self, line: LedgerLine) -> Iterator[Difference]:
        """All meters together, told by whoever moved one in the line above."""
        if line.body != write_kept(link_snapshot(self._readings, self._waiting)):
            yield at(line, PART, "the lines before it make other readings than it tells of")
        if self._above is None or _hand(line) != _hand(self._above):
            yield at(line, PART, "nobody moved a meter here")


def _hand(line: LedgerLine) -> tuple[str, int, str, str]:
    return line.command_id, line.at_us, line.actor, line.role


def _opened_by(table: TableProof, line: LedgerLine) -> bool:
    """Whether the line came with a table's installation: one command, one giver, one time."""
    first = table.installed_in
    return first is not None and (
        (first.command_id, first.actor, first.role, first.at_us)
        == (line.command_id, line.actor, line.role, line.at_us)
    )
