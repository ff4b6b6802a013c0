"""How often a second one progressive link can move, by how many processes move it.

A link is one stream: whoever moves its meters saw its last line, so movements come one after the
other, each with a wait for the disk. A process lets its own tables take turns; between processes
the slower one is turned away, looks again and tries anew.
"""

from __future__ import annotations

import multiprocessing as mp
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from queue import Queue

import msgspec

from bench.ledger import plain_writes
from bench.report import Row
from croupier.ledger.events import LINK, TABLE
from croupier.ledger.store.line import LineDraft
from croupier.ledger.store.port import Moved, Writing
from croupier.ledger.store.shared_postgres import SharedLedger
from tests.ledger.stores import postgresql_server

PROCESSES = (1, 2, 4, 8, 16)
SECONDS = 5.0
STREAM = f"{LINK}harbor"
BODY = (
    '{"event":"meter-moved","clauses":["36.05.17"],"table":"T001","round":1,"meter":"main",'
    '"by_micros":1000,"reading_micros":10000000,"why":"progressive-collected"}'
)


class Linked(msgspec.Struct, frozen=True):
    """``syncs`` is what plain writes with fsync did a second on the same disk right after."""

    processes: int
    moves: float
    tries: float
    syncs: float


def rows(seconds: float = 2.0) -> Iterator[Row]:
    for found in measured((1, 2, 8), seconds):
        many = "one process" if found.processes == 1 else f"{found.processes} processes"
        told = f"{found.moves:,.0f} a second, {found.tries:.2f} tries each"
        beside = f"plain writes with fsync ({found.syncs:,.0f} a second)"
        yield Row(f"movements of one link by {many}", told, found.moves / found.syncs, beside)


def measured(sizes: tuple[int, ...] = PROCESSES, seconds: float = SECONDS) -> list[Linked]:
    with tempfile.TemporaryDirectory() as name, postgresql_server(Path(name)) as server:
        return [
            _together(server.new_database(), size, seconds, Path(name) / "plain") for size in sizes
        ]


def _together(address: str, size: int, seconds: float, plain: Path) -> Linked:
    SharedLedger(address, "http://bench").close()
    spawn = mp.get_context("spawn")
    told: Queue[tuple[int, int]] = spawn.Manager().Queue()
    ready = spawn.Barrier(size)
    workers = [
        spawn.Process(target=_move, args=(address, n, seconds, ready, told)) for n in range(size)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    found = [told.get() for _ in workers]
    moves, tries = (sum(each[n] for each in found) for n in range(2))
    return Linked(size, moves / seconds, tries / moves, plain_writes(plain, 1))


def _move(
    address: str, n: int, seconds: float, ready: object, told: Queue[tuple[int, int]]
) -> None:
    table, moves, tries = f"T{n}", 0, 0
    with closing(SharedLedger(address, f"http://bench:{n}")) as ledger:
        ledger.claim([table])
        at = ledger.head(STREAM).version
        ready.wait()  # type: ignore[attr-defined]
        until_s = time.monotonic() + seconds
        for tries in count(1):  # noqa: B007
            try:
                ledger.append(*_writings(table, moves, at))
                moves, at = moves + 1, at + 1
            except Moved:
                at = ledger.head(STREAM).version
            if time.monotonic() > until_s:
                break
    told.put((moves, tries))


def _writings(table: str, version: int, at: int) -> tuple[Writing, Writing]:
    command_id = f"{table}/{version}"
    asked = LineDraft(
        "no-more-bets", BODY, 1, "dealer", "dealer", command_id, '{"do":"no-more-bets"}'
    )
    moved = LineDraft("meter-moved", BODY, 1, "dealer", "dealer", command_id)
    return Writing(f"{TABLE}{table}", version, (asked,)), Writing(STREAM, at, (moved,))
