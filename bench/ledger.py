"""Appends, readings and proofs a second, on both stores, as a ledger grows.

An append waits for the disk, so it is told as a share of what the same disk does in the same run
with plain writes of that length, each followed by fsync.

    python -m bench.ledger --lines 1000000
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

from bench.report import Row, as_program
from croupier.audit.chain import prove_chain
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import LineDraft
from croupier.ledger.store.port import Ledger, Writing
from tests.ledger.stores import postgresql_server

YOUNG, GROWN = 1_000, 20_000
LENGTHS = {1: "one line", 8: "eight lines"}
APPENDS = 200
TABLE = "table 1"
BODY = '{"event":"wager_settled","box":3,"wager":"trips","stake_cents":1000,"paid_cents":3000}'
LINE_BYTES = 400  # about what a line takes with its hashes
_numbers = count()


def rows(lines: int = GROWN) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name, postgresql_server(Path(name)) as server:
        for store, address in (
            ("SQLite", str(Path(name) / "ledger.db")),
            ("PostgreSQL", server.new_database()),
        ):
            with closing(open_ledger(address, create=True)) as ledger:
                yield from _grown(store, ledger, Path(name) / "plain", lines)


def _grown(store: str, ledger: Ledger, plain: Path, lines: int) -> Iterator[Row]:
    grow(ledger, YOUNG)
    young = _lines_a_second(ledger)
    grow(ledger, lines)
    for length, told in LENGTHS.items():  # one right after the other: a disk is never idle
        ours, theirs = appends_a_second(ledger, length), plain_writes(plain, length)
        beside = f"plain writes with fsync ({theirs:,.0f} a second)"
        what = f"{store}, {lines:,} lines: appends of {told}"
        yield Row(what, f"{ours:,.0f} a second", ours / theirs, beside)
    for what, a_second in _lines_a_second(ledger).items():
        beside = f"the same where it has {YOUNG:,} lines"
        told = f"{a_second:,.0f} a second"
        yield Row(f"{store}, {lines:,} lines: {what}", told, a_second / young[what], beside)


def _lines_a_second(ledger: Ledger) -> dict[str, float]:
    lines = sum(head.version for head in ledger.heads().values())
    read_s = seconds(lambda: sum(1 for _ in ledger.read(TABLE)))
    proved_s = seconds(lambda: prove_chain(ledger))
    return {"lines read": ledger.head(TABLE).version / read_s, "lines proved": lines / proved_s}


def appends_a_second(ledger: Ledger, lines: int) -> float:
    stream = f"appends of {lines}"
    begin = ledger.head(stream).version
    writings = [Writing(stream, begin + n * lines, answer(lines)) for n in range(APPENDS)]
    return APPENDS / seconds(lambda: [ledger.append(writing) for writing in writings])


def plain_writes(file: Path, lines: int) -> float:
    content = bytes(lines * LINE_BYTES)

    def write() -> None:
        with file.open("ab", buffering=0) as opened:
            for _ in range(APPENDS):
                opened.write(content)
                os.fsync(opened.fileno())

    return APPENDS / seconds(write)


def grow(ledger: Ledger, size: int) -> None:
    while (version := ledger.head(TABLE).version) < size:
        ledger.append(Writing(TABLE, version, answer(min(1_000, size - version))))


def answer(lines: int) -> tuple[LineDraft, ...]:
    command_id = f"{next(_numbers):032x}"
    first = LineDraft("wager_settled", BODY, 1, "Ann", "player", command_id, '{"do":"settle"}')
    rest = LineDraft("wager_settled", BODY, 1, "Ann", "player", command_id)
    return (first, *[rest] * (lines - 1))


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    as_program(rows)
