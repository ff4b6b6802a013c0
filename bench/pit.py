"""The pit under load: an open loop of commands at many tables, a socket for each box and dealer.

Latency is counted from when a command should have been sent, so a service that falls behind is not
asked more gently. Services run in processes of their own, one on SQLite with durable commits or
several on PostgreSQL; what generates the load runs beside them, in this one. Where processes share
the tables, each table's sockets are spread over all of them: many are at the wrong one. The same
generator then asks a bare echo of the same frames, and a plain write with fsync is measured.

    python -m bench.pit --tables 100 --rate 1000 --seconds 60
    python -m bench.pit --processes 2 --kill          # on a PostgreSQL server of its own
    python -m bench.pit --processes 2 --ledger postgresql:///empty
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
import uvloop

from bench.echo import Recording, echo_floor, recorded
from bench.floor import SQLITE, Floor, floor, floor_on_postgresql
from bench.ledger import plain_writes
from bench.report import NotMeasured, Row, as_program, progress
from bench.script import BOXES, Given, TableScript
from bench.tables import number

RATE, TABLES, SECONDS = 1_000.0, 100, 12.0
SHARED_RATE, KILL_RATE, PROCESSES = 1_200.0, 400.0, 2
T = TypeVar("T")


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """One run. CPU is in microseconds a command, by who used it; None: on another machine."""

    tables: int
    offered: float
    commands: int
    done: float
    p50_ms: float
    p99_ms: float
    max_ms: float
    lag_ms: float
    views: float
    bytes: float
    services_us: list[float]
    database_us: float | None = None
    generator_us: float
    forwarded: float
    memory_mib: list[float]
    errors: list[str]
    asked_again: int | None = None


class Takeover(msgspec.Struct, frozen=True):
    """One process of several was killed in the middle of a run."""

    tables: int
    seconds: float
    median_s: float
    asked_again: int
    answered: int
    lost: int
    errors: list[str]


class Killing(NamedTuple):
    at_s: float
    tables: frozenset[str]


def rows() -> Iterator[Row]:
    yield from one_run()
    yield from one_run(rate=SHARED_RATE, processes=PROCESSES, kill=True)


def one_run(
    tables: int = TABLES,
    rate: float = RATE,
    seconds: float = SECONDS,
    processes: int = 1,
    ledger: str = SQLITE,
    kill: bool = False,
) -> Iterator[Row]:
    if kill and processes < 2:
        raise NotMeasured("nobody takes over where there is one process: say --processes 2")
    with _floor(tables, processes, ledger) as pit:
        recording, found, takeover = run(_played_and_recorded(pit, rate, seconds, kill=kill))
    with echo_floor(tables, recording) as echo:
        bare = run(echoed(echo, rate, seconds))
    with tempfile.TemporaryDirectory() as folder:
        sync_ms = 1000 / plain_writes(Path(folder) / "plain", 1)
    for each in (found, takeover, bare):
        progress(f"  {each}")
    on = "SQLite" if processes == 1 and ledger == SQLITE else f"PostgreSQL, {processes} processes"
    what = f"{on}, {tables} tables of {BOXES}, {rate:,.0f} commands a second"
    yield from _beside_echo(what, found, bare)
    beside = f"a plain write with fsync ({sync_ms:.1f} ms)"
    yield Row(f"{what}: p50", f"{found.p50_ms:.1f} ms", found.p50_ms / sync_ms, beside)
    if takeover is not None:
        yield _beside_p99(takeover, found)


def _beside_echo(what: str, found: Measured, bare: Measured) -> Iterator[Row]:
    """The figures of a pit, each beside that of a bare echo of the same frames."""
    errors = f", {len(found.errors)} errors" if found.errors else ""
    said = f"{found.done:,.0f} a second, {found.asked_again} asked again{errors}"
    yield Row(f"{what}: done", said, found.done / bare.done, "a bare echo of the same frames")
    used_us, bare_us = (sum(each.services_us) for each in (found, bare))
    used_mib, bare_mib = (sum(each.memory_mib) for each in (found, bare))
    for name, unit, ours, theirs in (
        ("p50", "ms", found.p50_ms, bare.p50_ms),
        ("p99", "ms", found.p99_ms, bare.p99_ms),
        ("CPU of the service a command", "us", used_us, bare_us),
        ("memory", "MiB", used_mib, bare_mib),
    ):
        beside = f"a bare echo of the same frames ({number(theirs)} {unit})"
        yield Row(f"{what}: {name}", f"{number(ours)} {unit}", ours / theirs, beside)


def _beside_p99(takeover: Takeover, found: Measured) -> Row:
    what = f"one of the processes killed, {takeover.tables} tables, until all of them answer"
    told = f"{takeover.seconds:.1f} s, {takeover.lost} of {takeover.answered:,} answers lost"
    return Row(what, told, 1000 * takeover.seconds / found.p99_ms, "p99 before it")


def _floor(tables: int, processes: int, ledger: str) -> AbstractContextManager[Floor]:
    if processes == 1 and ledger == SQLITE:
        return floor(tables)
    return floor_on_postgresql(tables, processes, ledger)


def run(what: Coroutine[Any, Any, T]) -> T:
    """On the same kind of loop as the service: a generator beside it should cost little."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(what)


async def _played_and_recorded(
    pit: Floor, rate: float, seconds: float, *, kill: bool
) -> tuple[Recording, Measured, Takeover | None]:
    async with seated(pit):
        recording = await recorded(pit.tables[0])
        found = await measured(pit, rate, seconds)
        takeover = await taken_over(pit, min(rate, KILL_RATE), seconds) if kill else None
    return recording, found, takeover


async def echoed(echo: Floor, rate: float, seconds: float) -> Measured:
    async with connected(echo):
        return await measured(echo, rate, seconds)


async def alone(pit: Floor, rate: float, seconds: float) -> Measured:
    async with seated(pit):
        return await measured(pit, rate, seconds)


@asynccontextmanager
async def seated(pit: Floor) -> AsyncIterator[None]:
    """Everybody at his socket, with chips, after one round."""
    async with connected(pit):
        await asyncio.gather(*(table.sit_down() for table in pit.tables))
        yield


@asynccontextmanager
async def connected(pit: Floor) -> AsyncIterator[None]:
    try:
        for table in pit.tables:
            await table.connect()
        yield
    finally:
        for table in pit.tables:
            table.leave()
        await asyncio.sleep(0)


async def measured(pit: Floor, rate: float, seconds: float) -> Measured:
    before, repeats = pit.used(), _sum(pit.tables, "repeats")
    frames, sizes = _sum(pit.tables, "frames"), _sum(pit.tables, "heard_bytes")
    took_s = await _played(pit.tables, rate, seconds)
    used = pit.used() - before
    given = [each for table in pit.tables for each in table.given]
    lags = sorted(lag for table in pit.tables for lag in table.lags_s)
    count = len(given)
    late = _latencies_ms(given)
    return Measured(
        tables=len(pit.tables),
        offered=rate,
        commands=count,
        done=count / took_s,
        p50_ms=late[count // 2],
        p99_ms=late[count * 99 // 100],
        max_ms=late[-1],
        lag_ms=1000 * lags[len(lags) * 99 // 100],
        views=(_sum(pit.tables, "frames") - frames) / count - 1,  # one of the frames is the answer
        bytes=(_sum(pit.tables, "heard_bytes") - sizes) / count,
        services_us=[1e6 * seconds / count for seconds in used.services_s],
        database_us=None if used.database_s is None else 1e6 * used.database_s / count,
        generator_us=1e6 * used.generator_s / count,
        forwarded=pit.forwarded(),
        memory_mib=pit.memory_mib(),
        errors=[error for table in pit.tables for error in table.errors],
        asked_again=_sum(pit.tables, "repeats") - repeats,
    )


async def _played(tables: list[TableScript], rate: float, seconds: float) -> float:
    """An open loop: every table at its own moment, all together at the rate. How long it took."""
    for table in tables:
        table.given.clear()
        table.lags_s.clear()
    every_s, start_s = len(tables) / rate, time.perf_counter() + 0.5
    runs = (
        table.run(start_s + n / rate, every_s, start_s + seconds) for n, table in enumerate(tables)
    )
    await asyncio.gather(*runs)
    return max(seconds, time.perf_counter() - start_s)


async def taken_over(pit: Floor, rate: float, seconds: float) -> Takeover:
    """The last process dies a third into the run, and nobody tells the generator."""
    repeats = _sum(pit.tables, "repeats")
    killing = asyncio.ensure_future(_killed(pit, seconds / 3))
    await _played(pit.tables, rate, seconds)
    killed = await killing
    again_s = sorted(
        next(each.done_s for each in table.given if each.sent_s > killed.at_s) - killed.at_s
        for table in pit.tables
        if table.name in killed.tables
    )
    given = [each.id for table in pit.tables for each in table.given]
    return Takeover(
        tables=len(killed.tables),
        seconds=again_s[-1],
        median_s=again_s[len(again_s) // 2],
        asked_again=_sum(pit.tables, "repeats") - repeats,
        answered=len(given),
        lost=pit.missing(given),
        errors=[error for table in pit.tables for error in table.errors],
    )


async def _killed(pit: Floor, after_s: float) -> Killing:
    await asyncio.sleep(after_s)
    doomed = pit.services[-1]
    tables = frozenset(name for name, port in pit.owners().items() if port == doomed.port)
    at_s = time.perf_counter()
    assert doomed.process is not None
    doomed.process.kill()
    return Killing(at_s, tables)


def _latencies_ms(given: list[Given]) -> list[float]:
    return sorted(1000 * (each.done_s - each.due_s) for each in given)


def _sum(tables: list[TableScript], what: str) -> int:
    return sum(getattr(table, what) for table in tables)


if __name__ == "__main__":
    as_program(one_run)
