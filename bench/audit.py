"""Records audited a second on one core: four-box logs of fair decks, with all they may say.

Some thousand rounds are made and repeated under new numbers until the file is long enough to
measure; the time is that of the processor, so that other programs do not count.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bench.processor import cpu_s
from bench.report import Row
from croupier.audit.log.log_audit import LogAudit
from croupier.audit.records import schema as rec
from croupier.audit.records.reader import write_record
from croupier.games.registry import the_registry
from croupier.submission.check import shipped_submission
from tests.audit.log.log_generator import LogMaker

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
MADE, TIMES = 1_000, 20


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        for book in BOOKS:
            file = Path(folder) / f"{book}.jsonl"
            write(file, LogMaker(shipped_submission(book), the_registry(), seed=1, stacked=False))
            _audited(file, book)  # the first time kernels are loaded or compiled
            yield _audited(file, book)


def _audited(file: Path, book: str) -> Row:
    audit = LogAudit(the_registry(), [shipped_submission(book)])
    found = list[object]()
    taken_s = cpu_s(lambda: found.extend(audit.file(file)))
    assert not found, "the log is clean"
    lines = file.read_bytes().splitlines()
    bare_s = cpu_s(lambda: sum(1 for line in lines if msgspec.json.decode(line)))  # kept nowhere
    rounds = audit.audited.rounds
    judged = 1 - audit.audited.passed_fast / rounds
    told = f"{rounds / taken_s:,.0f} records a second, {judged:.1%} of them by the judge"
    what = f"audit of a log, {book}, four boxes, one core"
    return Row(what, told, taken_s / bare_s, "time to decode its JSON and do nothing with it")


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
