"""Records audited a second on one core: four-box logs of fair decks, with all they may say.

Some thousand rounds are made and repeated under new numbers until the file is long enough to
measure; the time is that of the processor, so that other programs do not count.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from croupier.audit.log.log_audit import LogAudit
from croupier.audit.records import schema as rec
from croupier.audit.records.reader import write_record
from croupier.games.registry import the_registry
from croupier.submission.check import shipped_submission
from tests.audit.log.log_generator import LogMaker

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
MADE, TIMES = 2_000, 20
WANTED = 20_000


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for book in BOOKS:
            file = Path(folder) / f"{book}.jsonl"
            write(file, LogMaker(shipped_submission(book), the_registry(), seed=1, stacked=False))
            measured(file, book)  # the first time kernels are loaded or compiled
            print(f"audit of a log, {book}, four boxes: {measured(file, book)}")


def measured(file: Path, book: str) -> str:
    audit = LogAudit(the_registry(), [shipped_submission(book)])
    began = time.process_time()
    found = sum(1 for _ in audit.file(file))
    a_second = audit.audited.rounds / (time.process_time() - began)
    assert not found, "the log is clean"
    size = file.stat().st_size / audit.audited.rounds
    judged = audit.audited.rounds - audit.audited.passed_fast
    return (
        f"{a_second:,.0f} records a second ({WANTED:,} wanted), {size:,.0f} bytes each; "
        f"{judged:,} of {audit.audited.rounds:,} went to the judge"
    )


def write(file: Path, maker: LogMaker) -> None:
    table, rounds = maker.table(), list(maker.rounds(MADE))
    with file.open("wb") as opened:
        opened.write(write_record(table) + b"\n")
        for record in repeated(rounds):
            opened.write(write_record(record) + b"\n")


def repeated(rounds: list[rec.RoundRecord]) -> Iterator[rec.RoundRecord]:
    """The same rounds again under new numbers, each table's meters left out after the first time:
    they would have to go on from where they stood."""
    for number in range(MADE * TIMES):
        record = msgspec.structs.replace(rounds[number % MADE], round=number + 1)
        yield record if number < MADE else _without_history(record)


def _without_history(record: rec.RoundRecord) -> rec.RoundRecord:
    meters = tuple(
        msgspec.structs.replace(meter, before_micros=None, after_micros=None)
        for meter in record.meters
    )
    return msgspec.structs.replace(record, meters=meters)


if __name__ == "__main__":
    main()
