"""What it takes to read a table back at a takeover, against how long its ledger is.

The same table of a PostgreSQL ledger is read from its first line, and from where it last told how
it stands; of its link likewise. A start reads the pit's own streams from their first line: here
that of the people, as long as the table. Databases lie in memory where there is room.

    python -m bench.reading_back --lines 50000
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import msgspec

from bench.processor import cpu_s
from bench.report import Row, as_program
from bench.sizes import RegularEvening
from croupier.ledger.events import LINK, LinkSnapshot, TableSnapshot, tag_of
from croupier.ledger.kept_table import KeptTable, system_clock
from croupier.ledger.link import Link
from croupier.ledger.replay import restored
from croupier.ledger.shoe.key_ring import KeyRing, new_ring
from croupier.ledger.store.line import LedgerLine, LineDraft
from croupier.ledger.store.port import NEWEST, Ledger, Writing
from croupier.ledger.store.postgres import PostgresLedger
from croupier.ledger.transparency.sequencer import checkpoint_now
from croupier.ledger.verification import authenticated
from croupier.server.access.people import STREAM as PEOPLE
from croupier.server.access.people import PersonAdded
from croupier.server.pit.integrity import Integrity
from croupier.server.pit.journal import Journal
from tests.ledger.stores import postgresql_server

APPEND = 1000
BOXES = 6
LENGTHS = (2_000, 10_000, 50_000)
MOMENTS = 20
SNAPSHOTS = (tag_of(TableSnapshot), tag_of(LinkSnapshot))


class ReadBack(msgspec.Struct, frozen=True):
    """CPU of the process that reads, in milliseconds, for a table of so many lines.

    ``from_standing_ms`` is the most of many moments of a few rounds: just before a table tells
    anew how it stands, there is most to read. ``believed_ms`` is what it takes where nothing is
    verified, ``verified_ms`` at the same moment with it.
    """

    lines: int
    link_lines: int
    from_first_ms: float
    from_standing_ms: float
    believed_ms: float
    verified_ms: float


class FromFirst(PostgresLedger):
    """The ledger as a program sees it that knows of no line that tells how a table stands."""

    def last_of(self, stream: str, kind: str, until: int = NEWEST) -> LedgerLine | None:
        return None if kind in SNAPSHOTS else super().last_of(stream, kind, until)


def rows(lines: int = 10_000) -> Iterator[Row]:
    for found in measured((lines,)):
        what, plain_ms = f"a table of {found.lines:,} lines read back", found.believed_ms
        ms, first_ms = found.from_standing_ms, found.from_first_ms
        beside = f"CPU from its first line ({first_ms:,.0f} ms)"
        yield Row(f"{what}, at most", f"{ms:,.1f} ms of CPU", ms / first_ms, beside)
        ms, beside = found.verified_ms, f"CPU where nothing is verified ({plain_ms:,.1f} ms)"
        yield Row(f"{what} and verified", f"{ms:,.1f} ms of CPU", ms / plain_ms, beside)
    yield from starts(lines)


def starts(lines: int) -> Iterator[Row]:
    """What a service reads of its pit before it opens a table, the signed log included."""
    ring = new_ring()
    with postgresql_server() as server:
        address = server.new_database()
        with (
            closing(PostgresLedger(address, create=True)) as ledger,
            closing(PostgresLedger(address)) as plain,
        ):
            authenticated(ledger, ring)
            _let_in(ledger, lines)
            checkpoint_now(ledger, ring, 1)
            plain_ms = _least_ms(lambda: _people(plain))
            ms = _least_ms(lambda: _verified_people(ledger, ring))
    what = f"a start, {lines:,} lines of people read and verified"
    beside = f"CPU where nothing is verified ({plain_ms:,.1f} ms)"
    yield Row(what, f"{ms:,.1f} ms of CPU", ms / plain_ms, beside)


def _verified_people(ledger: Ledger, ring: KeyRing) -> None:
    Integrity(ledger, ring, system_clock)
    _people(ledger)


def _let_in(ledger: Ledger, lines: int) -> None:
    for at in range(0, lines, APPEND):
        drafts = (
            LineDraft(
                "person-added",
                msgspec.json.encode(PersonAdded(f"Player {n}", "player", "")).decode(),
                system_clock(),
                "Ada",
                "administrator",
                "",
            )
            for n in range(at, min(lines, at + APPEND))
        )
        ledger.append(Writing(PEOPLE, at, tuple(drafts)))


def _people(ledger: Ledger) -> None:
    """Each was let in by a line of his own."""
    journal = Journal(ledger, PEOPLE, PersonAdded, system_clock)
    assert sum(1 for _ in journal.news()) == ledger.head(PEOPLE).version


def measured(lengths: tuple[int, ...] = LENGTHS) -> Iterator[ReadBack]:
    evening = RegularEvening()
    with postgresql_server() as server:
        address = server.new_database()
        with closing(PostgresLedger(address, create=True)) as ledger:
            table = evening.install(ledger, "UTH-S", "T001", "harbor")
            evening.sit(table, BOXES)
            for length in lengths:
                while table.version < length:
                    evening.play(table, 1)
                yield _measured(address, table, evening)


def _measured(address: str, table: KeptTable, evening: RegularEvening) -> ReadBack:
    with closing(FromFirst(address)) as plain:
        first = _cpu_ms(plain, table, evening)
    lines, link_lines = table.version, table.ledger.head(f"{LINK}harbor").version
    checkpoint_now(table.ledger, evening.ring, 1)
    believed, verified = (
        _believed_ms(address, table, evening),
        _cpu_ms(table.ledger, table, evening),
    )
    most = 0.0
    for _ in range(MOMENTS):
        most = max(most, _cpu_ms(table.ledger, table, evening))
        evening.play(table, 1)
    return ReadBack(lines, link_lines, first, most, believed, verified)


def _believed_ms(address: str, table: KeptTable, evening: RegularEvening) -> float:
    """The same by a reader who was given no ring to verify with."""
    with closing(PostgresLedger(address)) as plain:

        def read() -> None:
            restored(plain, table.stream, evening.registry, evening.ring)
            Link(plain, "harbor")

        return _least_ms(read)


def _cpu_ms(ledger: Ledger, table: KeptTable, evening: RegularEvening) -> float:
    return _least_ms(lambda: evening.resumed(ledger, table.name))


def _least_ms(read: Callable[[], object]) -> float:
    """Of three times: whatever else goes on only adds to it."""
    return min(1000 * cpu_s(read) for _ in range(3))


if __name__ == "__main__":
    as_program(rows)
