"""The pit under load: an open loop of commands at many tables, a socket for each box and dealer.

Latency is counted from when a command should have been sent, so a service that falls behind is not
asked more gently. Services run in processes of their own, one on SQLite with durable commits or
several on PostgreSQL; what generates the load runs beside them, in this one. Where processes share
the tables, each table's sockets are spread over all of them: many are at the wrong one.

    python -m bench.pit --tables 100 --rate 1000 --seconds 60
    python -m bench.pit --processes 2 --kill          # on a PostgreSQL server of its own
    python -m bench.pit --processes 2 --ledger postgresql:///empty
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import AbstractContextManager, asynccontextmanager
from typing import Any, NamedTuple, TypeVar

import msgspec
import uvloop

from bench.floor import SQLITE, Floor, floor, floor_on_postgresql
from bench.script import BOXES, Given, TableScript

RATE, TABLES, SECONDS = 1_000, 100, 60
SHARED_RATE, PROCESSES = 400, 2
LIMIT_MS = 100
RATES = (1_250, 1_500, 2_000, 2_500, 3_000)
SIZES = (10, 50, 100, 200, 500)
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

    def __str__(self) -> str:
        each = " + ".join(f"{us:,.0f}" for us in self.services_us)
        apart = "" if self.database_us is None else f", database {self.database_us:,.0f}"
        shared = f"; {self.forwarded:.0%} of sockets forwarded" if self.forwarded else ""
        memory = " + ".join(f"{mib:,.0f}" for mib in self.memory_mib)
        return (
            f"{self.offered:,.0f} commands a second offered at {self.tables} tables, "
            f"{self.done:,.0f} done: p50 {self.p50_ms:.1f} ms, p99 {self.p99_ms:.1f} ms, "
            f"max {self.max_ms:.0f} ms, {len(self.errors)} errors; "
            f"the dealer's view p99 {self.lag_ms:.0f} ms later; "
            f"{self.views:.1f} views and {self.bytes:,.0f} bytes a command; "
            f"us of CPU a command: service {each}{apart}, "
            f"generator {self.generator_us:,.0f}; {memory} MiB{shared}"
        )


class Takeover(msgspec.Struct, frozen=True):
    """One process of several was killed in the middle of a run."""

    tables: int
    seconds: float
    median_s: float
    asked_again: int
    answered: int
    lost: int
    errors: list[str]

    def __str__(self) -> str:
        return (
            f"a process with {self.tables} tables killed: all answered again within "
            f"{self.seconds:.1f} s (half of them {self.median_s:.1f} s); "
            f"{self.asked_again} commands asked again, {self.answered:,} answered in all, "
            f"{self.lost} lost, {len(self.errors)} errors"
        )


class Killing(NamedTuple):
    at_s: float
    tables: frozenset[str]


def main(seconds: int = SECONDS) -> None:
    with floor(TABLES) as pit:
        run(_load(pit, seconds))
    for size in SIZES:
        with floor(size) as pit:
            print(run(alone(pit, min(RATE, 10 * size), max(5, seconds // 6))), flush=True)
    with floor_on_postgresql(TABLES, PROCESSES) as pit:
        print(f"PostgreSQL, {PROCESSES} processes:", flush=True)
        run(told(pit, SHARED_RATE, max(10, seconds // 4), kill=True))


def run(what: Coroutine[Any, Any, T]) -> T:
    """On the same kind of loop as the service: a generator beside it should cost little."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(what)


async def _load(pit: Floor, seconds: int) -> None:
    async with seated(pit):
        print(await measured(pit, RATE, seconds), flush=True)
        for rate in RATES:
            found = await measured(pit, rate, max(5, seconds // 4))
            print(found, flush=True)
            if found.p99_ms > LIMIT_MS or found.errors:
                return


async def told(pit: Floor, rate: float, seconds: float, *, kill: bool) -> None:
    async with seated(pit):
        print(await measured(pit, rate, seconds), flush=True)
        if kill:
            print(await taken_over(pit, rate, seconds), flush=True)


async def alone(pit: Floor, rate: float, seconds: float) -> Measured:
    async with seated(pit):
        return await measured(pit, rate, seconds)


@asynccontextmanager
async def seated(pit: Floor) -> AsyncIterator[None]:
    """Everybody at his socket, with chips, after one round."""
    try:
        for table in pit.tables:
            await table.connect()
        await asyncio.gather(*(table.sit_down() for table in pit.tables))
        yield
    finally:
        for table in pit.tables:
            table.leave()
        await asyncio.sleep(0)


async def measured(pit: Floor, rate: float, seconds: float) -> Measured:
    before = pit.used()
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


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--rate", type=float, default=RATE, help="commands a second, all together")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--processes", type=int, default=1, help="more than one: on PostgreSQL")
    parser.add_argument("--ledger", default=SQLITE, help="an empty database: postgresql://...")
    parser.add_argument("--kill", action="store_true", help="then kill a process in another run")
    said = parser.parse_args()
    if said.kill and said.processes < 2:
        parser.error("nobody takes over where there is one process: say --processes 2")
    return said


def _floor(said: argparse.Namespace) -> AbstractContextManager[Floor]:
    if said.processes == 1 and said.ledger == SQLITE:
        return floor(said.tables)
    return floor_on_postgresql(said.tables, said.processes, said.ledger)


if __name__ == "__main__":
    said = _asked()
    with _floor(said) as pit:
        print(f"{said.tables} tables of {BOXES}, {said.processes} processes", flush=True)
        run(told(pit, said.rate, said.seconds, kill=said.kill))
