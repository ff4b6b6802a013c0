"""Files of records, line by line: of a ledger, of a round file, or of another file of records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from croupier.audit.records.blocks import LONGEST_LINE, UTF8_MARK
from croupier.audit.records.reader import read_record, record_of
from croupier.audit.records.schema import AnyRecord, RoundRecord
from croupier.audit.records.writer import round_record, table_record
from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry
from croupier.ledger.events import TABLE
from croupier.ledger.replay import chapters, installed_in
from croupier.ledger.rounds import kept_rounds
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.port import Ledger
from croupier.table.round_file import read_round


def ledger_records(
    ledger: Ledger,
    tables: list[str],
    registry: Registry,
    ring: KeyRing | None = None,
    rounds: range | None = None,
) -> Iterator[AnyRecord]:
    """Each table and then its rounds; no more than one round is held at a time."""
    for table in tables:
        stream = f"{TABLE}{table}"
        first = next(ledger.read(stream, most=1))
        yield table_record(ledger.id, installed_in(next(chapters([first])), stream), first)
        for kept in kept_rounds(ledger, table, registry, ring, wanted=rounds):
            if kept.has_begun and (rounds is None or kept.number in rounds):
                yield round_record(ledger.id, kept)


def round_file_record(text: str, registry: Registry) -> RoundRecord:
    """A round file, as ``croupier settle`` reads it, as a record."""
    return record_of(read_round(text, registry))


def read_records(file: Path) -> Iterator[tuple[int, AnyRecord]]:
    """Every record of a file with the number of its line; Unreadable names the first bad one."""
    try:
        with file.open("rb") as lines:
            number = 0
            while line := lines.readline(LONGEST_LINE + 1):
                number += 1
                if len(line) > LONGEST_LINE:
                    raise Unreadable(f"{file}, line {number}: longer than any record")
                if line.strip():
                    yield number, _read(file, number, line)
    except OSError as error:
        raise Unreadable(f"{file} cannot be read: {error.strerror}") from None


def _read(file: Path, number: int, line: bytes) -> AnyRecord:
    try:
        return read_record(line.removeprefix(UTF8_MARK))
    except Unreadable as error:
        raise Unreadable(f"{file}, line {number}: {error}") from None
