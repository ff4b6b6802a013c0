"""What a round takes in the database, indexes included, and what looking after it costs.

Full tables of both games are played on both stores, with ids as long as a client's. Databases lie
in memory where there is room: nobody waits for a disk, and a byte is a byte.
"""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import uuid4

import msgspec
import psycopg

from bench.processor import cpu_s
from bench.report import Row
from bench.tables import bytes_
from croupier.audit.ledger_audit import audited
from croupier.games.registry import the_registry
from croupier.ledger.events import LINK
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.backup import back_up
from croupier.ledger.store.port import Ledger
from tests.ledger.evenings import Evening
from tests.ledger.stores import in_memory, postgresql_server

BOOKS = ("UTH-S", "FCP-14")
BOXES = 6
ROUNDS = 150
LINES = """SELECT pg_table_size('croupier.lines'), pg_indexes_size('croupier.lines'),
    pg_current_wal_lsn() - '0/0'::pg_lsn"""


class Size(msgspec.Struct, frozen=True):
    """Of one game on one store, a round. ``disk_bytes`` are all that the database grew by."""

    book: str
    store: str
    boxes: int
    commands: float
    lines: float
    link_appends: float
    text_bytes: float
    disk_bytes: float
    index_bytes: float | None = None
    log_bytes: float | None = None


class Upkeep(msgspec.Struct, frozen=True):
    """CPU a line, and its bytes in a compressed backup."""

    audit_us: float
    backup_us: float
    packed_bytes: float


class RegularEvening(Evening):
    """With ids such as the service writes: who, and what his client chose."""

    def next_id(self) -> str:
        return f"player 12345/{uuid4()}"


def rows(rounds: int = 50) -> Iterator[Row]:
    line_bytes = 0.0
    for found in measured(rounds):
        if isinstance(found, Size):
            line_bytes = found.disk_bytes / found.lines
            yield from _of_size(found)
        else:
            yield from _of_upkeep(found, line_bytes)


def _of_size(size: Size) -> Iterator[Row]:
    what = f"a round of {size.boxes} boxes, {size.book}, {size.store}"
    told = f"{bytes_(size.disk_bytes)} for {size.lines:.0f} lines of {size.commands:.0f} commands"
    beside = f"bytes of its text ({bytes_(size.text_bytes)})"
    yield Row(what, told, size.disk_bytes / size.text_bytes, beside)
    if size.log_bytes is not None:
        told, beside = bytes_(size.log_bytes), "bytes it takes in the database"
        yield Row(f"{what}, write-ahead log", told, size.log_bytes / size.disk_bytes, beside)


def _of_upkeep(upkeep: Upkeep, line_bytes: float) -> Iterator[Row]:
    told, beside = f"{upkeep.audit_us:,.0f} us", f"CPU to back it up ({upkeep.backup_us:,.0f} us)"
    yield Row("a line, CPU to audit it", told, upkeep.audit_us / upkeep.backup_us, beside)
    told, beside = bytes_(upkeep.packed_bytes), f"bytes in the database ({bytes_(line_bytes)})"
    yield Row("a line in a packed backup", told, upkeep.packed_bytes / line_bytes, beside)


def measured(rounds: int = ROUNDS) -> Iterator[Size | Upkeep]:
    with tempfile.TemporaryDirectory(dir=in_memory()) as name, postgresql_server() as server:
        folder = Path(name)
        for book in BOOKS:
            file = str(folder / f"{book}.db")
            with _evening(file, book) as (ledger, table, evening):
                yield _size(ledger, table, evening, rounds, lambda: _file(file))  # noqa: B023
            address = server.new_database()
            with _evening(address, book) as (ledger, table, evening):
                with closing(psycopg.connect(address, autocommit=True)) as line:
                    size = _size(ledger, table, evening, rounds, lambda: _database(line))
                yield size
                if book == BOOKS[0]:
                    yield _upkeep(ledger, evening, folder / "backup.db")


@contextmanager
def _evening(address: str, book: str) -> Iterator[tuple[Ledger, KeptTable, Evening]]:
    evening = RegularEvening()
    with closing(open_ledger(address, create=True)) as ledger:
        table = evening.install(ledger, book, "T001", "harbor")
        evening.sit(table, BOXES)
        evening.play(table, 10)  # what is written once, and half-empty pages, count little then
        yield ledger, table, evening


def _size(
    ledger: Ledger,
    table: KeptTable,
    evening: Evening,
    rounds: int,
    weigh: Callable[[], tuple[float, ...]],
) -> Size:
    before = {name: head.version for name, head in ledger.heads().items()}
    weighed = weigh()
    evening.play(table, rounds)
    grown = [after - begun for after, begun in zip(weigh(), weighed, strict=True)]
    lines = [
        line for name in ledger.heads() for line in ledger.read(name, after=before.get(name, 0))
    ]
    text = sum(
        sum(len(str(field)) for field in msgspec.structs.astuple(line)[:10]) for line in lines
    )
    asked = {line.command_id for line in lines if line.command}
    moved = {line.command_id for line in lines if line.stream.startswith(LINK)}
    disk, *apart = [grown[0] + grown[1], *grown[1:]] if len(grown) > 1 else grown
    return Size(
        table.installed.rulebook,
        "PostgreSQL" if apart else "SQLite",
        BOXES,
        len(asked) / rounds,
        len(lines) / rounds,
        len(moved) / rounds,
        (text + 64 * len(lines)) / rounds,
        disk / rounds,
        *(each / rounds for each in apart),
    )


def _file(file: str) -> tuple[float, ...]:
    """The file with all that still lies in its write-ahead log."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        copy = Path(folder) / "copy.db"
        with closing(open_ledger(file, read_only=True)) as ledger:
            back_up(ledger, copy)
        return (copy.stat().st_size,)


def _database(line: psycopg.Connection[tuple[object, ...]]) -> tuple[float, ...]:
    found = line.execute(LINES).fetchone()
    assert found is not None
    return tuple(float(str(each)) for each in found)


def _upkeep(ledger: Ledger, evening: Evening, backup: Path) -> Upkeep:
    lines = sum(head.version for head in ledger.heads().values())
    back_up_s = cpu_s(lambda: back_up(ledger, backup))
    with closing(open_ledger(str(backup), read_only=True)) as copy:
        audit_s = cpu_s(lambda: audited(copy, the_registry(), ring=evening.ring))
    return Upkeep(
        1e6 * audit_s / lines,
        1e6 * back_up_s / lines,
        len(zlib.compress(backup.read_bytes())) / lines,
    )
