"""A progressive link: meters that one table or many move, kept in a stream of their own.

The engine never owns a meter: readings go in with the command, and what it did to them comes back
as events. Both sides of the money stand in the table's line; the link's line has the reading.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

import msgspec

from croupier.facts.errors import Unreadable
from croupier.facts.money import in_micros
from croupier.ledger.events import (
    LINK,
    DrawDecided,
    DrawWaits,
    LinkOpened,
    LinkSnapshot,
    MeterMoved,
    read_kept,
    tag_of,
)
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger
from croupier.ledger.verification import verified, verified_line
from croupier.submission.submission import ProgressiveOffer
from croupier.table import events as ev
from croupier.table.double_entry import METER, Entry, entries, meter, reset_fund
from croupier.table.state import Round
from croupier.table.terms import overflow_of

OfTable = MeterMoved | DrawWaits | DrawDecided
Movements = tuple[OfTable | LinkSnapshot, ...]
Waiting = tuple[tuple[str, str], ...]
DECIDES = (ev.ProgressiveValidated, ev.ProgressiveRefused, ev.RoundVoided)


class LinkState(msgspec.Struct, frozen=True):
    """A link at one version of its stream; ``snapshot_line`` is its last snapshot.

    ``waiting`` are the wins that wait to be validated, by table and meter, the first one first:
    nothing is drawn for a later one before (ruling 36).
    """

    version: int = 0
    last_us: int = 0
    snapshot_line: int = 0
    readings: Mapping[str, int] = {}
    waiting: Waiting = ()

    def after(self, event: object, at_us: int, version: int = 0) -> LinkState:
        """The state after one more line, or after a line of that version."""
        version = version or self.version + 1
        snapshot_line = version if isinstance(event, LinkSnapshot) else self.snapshot_line
        readings = readings_after(self.readings, event)
        return LinkState(
            version, at_us, snapshot_line, readings, waiting_after(self.waiting, event)
        )

    def ahead_of(self, table: str, meter: str | None) -> str:
        """The table whose win waits for the same meter and came first; nothing where none does."""
        for other, drawn in self.waiting:
            if drawn == meter:
                return other if other != table else ""
        return ""

    def movements(self, moved: tuple[OfTable, ...], every: int) -> Movements:
        """The movements, and how all meters stand after them where that was last told long ago."""
        if not moved or self.version + len(moved) - self.snapshot_line < every:
            return moved
        readings, waiting = self.readings, self.waiting
        for event in moved:
            readings = readings_after(readings, event)
            waiting = waiting_after(waiting, event)
        return *moved, link_snapshot(readings, waiting)


class Link:
    """What stands on the meters of a link.

    The state is replaced as a whole, also in another thread while a command is thought over:
    whoever took one has readings and a version that belong together.
    """

    def __init__(self, ledger: Ledger, name: str) -> None:
        self.name, self.stream = name, f"{LINK}{name}"
        self.state = LinkState()
        self.opened: LinkOpened | None = None
        self._ledger = ledger
        self._lock = threading.Lock()  # whoever reads the ledger may do so in a thread of his own
        self.refresh()

    @property
    def version(self) -> int:
        return self.state.version

    @property
    def readings(self) -> Mapping[str, int]:
        return self.state.readings

    def refresh(self) -> None:
        """Read what other tables have done since; nobody waits for who reads."""
        lines = list(self._unread())
        with self._lock:
            for line in lines:
                if line.version > self.version:
                    self._turn_page(line)

    def _unread(self) -> Iterator[LedgerLine]:
        """The first line says what the meters run by; between it and the newest one that has all
        of them together nothing is missed.
        """
        ledger = self._ledger
        told = None if self.version else ledger.last_of(self.stream, tag_of(LinkSnapshot))
        if told is None:
            return verified(ledger, self.stream, after=self.version)
        alone = (*ledger.read(self.stream, most=1), told)
        after = verified(ledger, self.stream, after=told.version)
        return chain((verified_line(ledger, line) for line in alone), after)

    def _turn_page(self, line: LedgerLine) -> None:
        try:
            event = read_kept(line.body)
        except msgspec.DecodeError:
            raise Unreadable(f"{line.stream}, line {line.version}: this is no event") from None
        if isinstance(event, LinkOpened):
            self.opened = event
        self.state = self.state.after(event, line.at_us, line.version)

    def follow(self, moved: Movements, after: int, at_us: int) -> None:
        """What a table has just written after a version; who looked meanwhile has read it."""
        with self._lock:
            if self.version != after:
                return
            for event in moved:
                self.state = self.state.after(event, at_us)

    def refuse_other_terms(self, offer: ProgressiveOffer) -> None:
        """Tables on one link agree on what restarts its meters and what they grow by."""
        wanted = opened_link(self.name, offer, ())
        if self.opened is not None and (
            (wanted.resets_cents, wanted.rates_ppm)
            != (self.opened.resets_cents, self.opened.rates_ppm)
        ):
            raise Unreadable(
                f"link {self.name} runs with other meters, resets or rates than this submission"
            )


def opened_link(name: str, offer: ProgressiveOffer, clauses: tuple[str, ...]) -> LinkOpened:
    return LinkOpened(
        clauses=clauses,
        link=name,
        meters={each.name: in_micros(each.initial_cents) for each in offer.meters}
        | {overflow_of(each.name): 0 for each in offer.meters if each.limit_cents is not None},
        resets_cents={each.name: int(each.reset_cents) for each in offer.meters},
        rates_ppm={each.name: each.rate_ppm for each in offer.meters},
    )


def link_snapshot(readings: Mapping[str, int], waiting: Waiting) -> LinkSnapshot:
    return LinkSnapshot(clauses=(), meters=dict(sorted(readings.items())), waiting=waiting)


def movements(event: ev.Event) -> tuple[Entry, ...]:
    """Both sides of what an event moves; what a meter starts with is the house's money."""
    if not isinstance(event, LinkOpened):
        return entries(event)
    return tuple(
        entry
        for name, micros in event.meters.items()
        if micros
        for entry in ((reset_fund(name), -micros), (meter(name), micros))
    )


def readings_after(readings: Mapping[str, int], event: object) -> dict[str, int]:
    if isinstance(event, LinkOpened | LinkSnapshot):
        return dict(event.meters)
    if isinstance(event, MeterMoved):
        return {**readings, event.meter: event.reading_micros}
    return dict(readings)


def waiting_after(waiting: Waiting, event: object) -> Waiting:
    if isinstance(event, LinkSnapshot):
        return event.waiting
    if isinstance(event, DrawWaits):
        return (*waiting, (event.table, event.meter))
    if isinstance(event, DrawDecided):
        return tuple(each for each in waiting if each != (event.table, event.meter))
    return waiting


def drawing(
    table: str, round: int, event: ev.Event, waits: str | None
) -> DrawWaits | DrawDecided | None:
    """What an event says of a draw; ``waits`` is the meter that a win of the table waits for."""
    if isinstance(event, ev.ProgressiveWon) and event.meter is not None:
        return DrawWaits(
            clauses=event.clauses,
            rulings=event.rulings,
            table=table,
            round=round,
            meter=event.meter,
        )
    if isinstance(event, DECIDES) and waits is not None:
        return DrawDecided(
            clauses=event.clauses,
            rulings=event.rulings,
            table=table,
            round=round,
            meter=waits,
            why=tag_of(event),
        )
    return None


def moves(
    table: str, round: Round, events: Iterable[ev.Event], readings: Mapping[str, int]
) -> Iterator[OfTable]:
    """What a table's events did to the meters, one line a movement, and what waits for them.

    ``round`` is the one they happened in, as it was before.
    """
    standing, number = dict(readings), round.number
    waits = round.won.meter if round.won is not None else None
    for event in events:
        drawn = drawing(table, number, event, waits)
        if drawn is not None:
            yield drawn
        for account, micros in meter_movements(event):
            standing[account] += micros
            yield MeterMoved(
                clauses=event.clauses,
                rulings=event.rulings,
                table=table,
                round=number,
                meter=account,
                by_micros=micros,
                reading_micros=standing[account],
                why=tag_of(event),
            )


def meter_movements(event: ev.Event) -> Iterator[tuple[str, int]]:
    """By how much an event moves each meter, all its entries together."""
    total: dict[str, int] = {}
    for account, micros in entries(event):
        if account.startswith(METER):
            name = account.removeprefix(METER)
            total[name] = total.get(name, 0) + micros
    yield from ((name, micros) for name, micros in total.items() if micros)
