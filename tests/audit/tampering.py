"""An attacker with the whole file: he changes lines, and computes every hash anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec

from croupier.ledger.events import Kept, read_kept, tag_of, write_kept
from croupier.ledger.link import movements
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.line import LedgerLine, genesis, written_entries
from croupier.ledger.store.line_mac import LineMacs
from croupier.ledger.store.port import Ledger
from croupier.ledger.store.sql import Copied
from croupier.ledger.store.sqlite import SqliteLedger
from croupier.table import events as ev

replace = msgspec.structs.replace
Lines = dict[str, list[LedgerLine]]
Change = Callable[[Lines], None]


@contextmanager
def rewritten(
    ledger: Ledger, folder: Path, *changes: Change, ring: KeyRing | None = None
) -> Iterator[Ledger]:
    """A ledger of the same id whose chain holds, and whose lines are not what they were; with the
    ring they are those of somebody who has the keys."""
    lines = {stream: list(ledger.read(stream)) for stream in ledger.heads()}
    for change in changes:
        change(lines)
    anew = [line for stream, own in lines.items() for line in rechained(ledger.id, stream, own)]
    if ring is not None:
        macs = LineMacs(ledger.id, ring)
        anew = [replace(line, mac=macs.made(line.hash)) for line in anew]
    file = folder / f"{uuid4()}.db"
    with closing(SqliteLedger(file, create=True, copied=Copied(ledger.id, anew))) as other:
        assert other.id == ledger.id
        yield other


def rechained(ledger_id: str, stream: str, lines: list[LedgerLine]) -> Iterator[LedgerLine]:
    previous = genesis(ledger_id, stream)
    for version, line in enumerate(lines, 1):
        moved = replace(line, stream=stream, version=version, previous=previous, hash=b"")
        whole = replace(moved, hash=moved.digest())
        previous = whole.hash
        yield whole


def body(stream: str, version: int, text: str) -> Change:
    return field(stream, version, body=text)


def field(stream: str, version: int, **values: Any) -> Change:
    """Fields of one line."""

    def change(lines: Lines) -> None:
        lines[stream][version - 1] = replace(lines[stream][version - 1], **values)

    return change


def event(stream: str, version: int, **values: Any) -> Change:
    """Fields of the event of one line, its entries with it."""

    def change(lines: Lines) -> None:
        line = lines[stream][version - 1]
        lines[stream][version - 1] = _holding(line, replace(read_kept(line.body), **values))

    return change


def becomes(stream: str, version: int, other: ev.Event) -> Change:
    def change(lines: Lines) -> None:
        lines[stream][version - 1] = _holding(lines[stream][version - 1], other)

    return change


def _holding(line: LedgerLine, other: Kept | ev.Event) -> LedgerLine:
    entries = written_entries(movements(other))
    return replace(line, kind=tag_of(other), body=write_kept(other), entries=entries)


def removed(stream: str, *versions: int) -> Change:
    def change(lines: Lines) -> None:
        lines[stream] = [line for line in lines[stream] if line.version not in versions]

    return change


def moved(stream: str, version: int, to: int) -> Change:
    """A line taken out and put in again where line ``to`` was."""

    def change(lines: Lines) -> None:
        line = lines[stream].pop(version - 1)
        lines[stream].insert(to - 1, line)

    return change


def put_in(stream: str, after: int, line: LedgerLine) -> Change:
    def change(lines: Lines) -> None:
        lines.setdefault(stream, []).insert(after, line)

    return change
