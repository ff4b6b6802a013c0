"""Appends, readings and proofs a second, on both stores, as a ledger grows to a million lines.

An append waits for the disk, so it is told as a share of what the same disk does in the same run
with plain writes of that length, each followed by fsync.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path

from croupier.audit.chain import prove_chain
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import LineDraft
from croupier.ledger.store.port import Ledger, Writing
from tests.ledger.stores import postgresql_server

SIZES = (1_000, 10_000, 100_000, 1_000_000)
LENGTHS = (1, 8)
APPENDS = 300
TABLE = "table 1"
BODY = '{"event":"wager_settled","box":3,"wager":"trips","stake_cents":1000,"paid_cents":3000}'
LINE_BYTES = 400  # about what a line takes with its hashes
_numbers = count()


def main() -> None:
    with tempfile.TemporaryDirectory() as name, postgresql_server(Path(name)) as server:
        for store, address in (
            ("SQLite", str(Path(name) / "ledger.db")),
            ("PostgreSQL", server.new_database()),
        ):
            with closing(open_ledger(address, create=True)) as ledger:
                for size in SIZES:
                    grow(ledger, size)
                    print(f"{store}, {size:,} lines: {measured(ledger, Path(name) / 'plain')}")


def measured(ledger: Ledger, plain: Path) -> str:
    one, eight = (appends(ledger, plain, lines) for lines in LENGTHS)
    reads = ledger.head(TABLE).version / seconds(lambda: sum(1 for _ in ledger.read(TABLE)))
    lines = sum(head.version for head in ledger.heads().values())
    proved = lines / seconds(lambda: prove_chain(ledger))
    return (
        f"{one} appends a second, {eight} of eight lines; "
        f"{reads:,.0f} lines read and {proved:,.0f} proved a second"
    )


def appends(ledger: Ledger, plain: Path, lines: int) -> str:
    """Measured one right after the other: a disk has other things to do as well."""
    ours, theirs = appends_a_second(ledger, lines), plain_writes(plain, lines)
    return f"{ours:,.0f} ({ours / theirs:.0%} of plain writes with fsync)"


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
    main()
