"""The pit under load: an open loop of commands at many tables, a socket for each box and dealer.

Latency is counted from when a command should have been sent, so a service that falls behind is not
asked more gently. The service runs in a process of its own, on SQLite with durable commits; what
generates the load runs beside it, in this one.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
from argon2 import PasswordHasher

from bench.sockets import LightSocket
from croupier.games.house import the_house
from croupier.ledger.chance import Chance
from croupier.ledger.installing import install
from croupier.ledger.keeper import system_clock
from croupier.ledger.keyring import create_ring
from croupier.ledger.opening import open_ledger
from croupier.ledger.pack import fresh_pack
from croupier.server.people import People
from croupier.submission.check import shipped_submission
from tests.server.service import PASSWORD, Service

BOXES = 6
RATE, TABLES, SECONDS = 1_000, 100, 60
LIMIT_MS = 100
RATES = (1_250, 1_500, 2_000, 2_500, 3_000)
SIZES = (10, 50, 100, 200, 500)
BUY_IN_CENTS = 100_000_000_00
STAKES = {"ante": 10_00, "blind": 10_00, "trips": 5_00}
DEALERS = ("reveal", "settle-box", "clear-cards", "deal", "no-more-bets")
ALL_BOARD = 5
BACK = "??"


class _Option(msgspec.Struct):
    do: str
    box: int = 0


class _View(msgspec.Struct):
    phase: str
    round: int
    turn: int = 0
    may: tuple[_Option, ...] = ()
    places: dict[str, tuple[str, ...]] = {}


class _Frame(msgspec.Struct):
    """A view or an answer, as far as the generator looks."""

    version: int = 0
    view: _View | None = None
    outcome: str = ""
    sentence: str = ""


class Next(NamedTuple):
    """A command, and which socket of the table sends it: 0 is the dealer, then the boxes."""

    by: int
    command: dict[str, object]


class TableScript:
    """One table's evening: whoever is next, as the dealer's own screen tells it."""

    def __init__(self, name: str, port: int, tokens: list[str]) -> None:
        self.name, self._port, self._tokens = name, port, tokens
        self.sockets: list[LightSocket] = []
        self.latencies_s: list[float] = []
        self.errors: list[str] = []
        self._ids = itertools.count()
        self._seen = _Frame()
        self._answer: asyncio.Future[_Frame] | None = None
        self._news = asyncio.Event()
        self._placed = (0, 0)
        self._round: list[Next] = []
        self._at = 0
        self._told = (0, 0.0)
        self.lags_s: list[float] = []

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        for seat, token in enumerate(self._tokens):
            hear = self._hear_dealer if seat == 0 else self._hear_player
            path = f"/api/tables/{self.name}/live"
            socket = LightSocket(path, token, hear)
            await loop.create_connection(partial(_same, socket), "127.0.0.1", self._port)
            await socket.opened
            self.sockets.append(socket)
        await self._until(lambda: self._seen.view is not None)

    async def sit_down(self) -> None:
        await self.give(Next(0, {"do": "open-table"}))
        for seat in range(1, BOXES + 1):
            await self.give(Next(seat, {"do": "take-box", "box": seat}))
            await self.give(Next(0, {"do": "buy-in", "box": seat, "cents": BUY_IN_CENTS}))
        await self.learn()

    async def learn(self) -> None:
        """One round as the dealer's screen leads through it; every other goes the same way."""
        while not self._round or self._round[-1].command["do"] != "clear-cards":
            self._round.append(self._next())
            told = await self.give(self._round[-1])
            await self._until(lambda: self._seen.version >= told.version)  # noqa: B023

    async def run(self, first_s: float, every_s: float, until_s: float) -> None:
        """A command each ``every_s``; one that could not go out in time is late from then on."""
        for number in itertools.count():
            due_s = first_s + number * every_s
            if due_s >= until_s:
                return
            await asyncio.sleep(max(0.0, due_s - time.perf_counter()))
            await self.give(self._round[self._at])
            self._at = (self._at + 1) % len(self._round)
            self.latencies_s.append(time.perf_counter() - due_s)

    async def give(self, asked: Next) -> _Frame:
        ask = {"id": f"{self.name}-{os.getpid()}-{next(self._ids)}", "command": asked.command}
        self._answer = asyncio.get_running_loop().create_future()
        self.sockets[asked.by].send(msgspec.json.encode(ask))
        told = await asyncio.wait_for(self._answer, 60)
        if told.outcome != "done":
            self.errors.append(f"{self.name} {asked.command}: {told.sentence}")
        return told

    def _next(self) -> Next:
        shown = self._seen.view
        assert shown is not None
        if shown.phase == "betting":
            number, seat = self._placed
            seat = seat + 1 if number == shown.round else 1
            if seat <= BOXES:
                self._placed = (shown.round, seat)
                return Next(seat, {"do": "place-wagers", "box": seat, "stakes": STAKES})
        if shown.phase == "acting":
            up = [card for card in shown.places.get("board", ()) if card != BACK]
            choice = "fold" if len(up) == ALL_BOARD else "check"
            return Next(shown.turn, {"do": choice, "box": shown.turn})
        may = {option.do: option for option in shown.may}
        option = may[next(do for do in DEALERS if do in may)]
        return Next(0, {"do": option.do} | ({"box": option.box} if option.box else {}))

    def _hear_dealer(self, text: bytes) -> None:
        frame = msgspec.json.decode(text, type=_Frame)
        if frame.view is not None:
            self._seen = frame
            self._news.set()
            if frame.version >= self._told[0] > 0:
                self.lags_s.append(time.perf_counter() - self._told[1])
                self._told = (0, 0.0)
        elif frame.outcome:
            self._answered(frame)

    def _hear_player(self, text: bytes) -> None:
        """A view is only counted; what a player reads in it is his own affair."""
        if text.startswith(b'{"outcome"'):
            self._answered(msgspec.json.decode(text, type=_Frame))

    def _answered(self, frame: _Frame) -> None:
        if frame.version > self._seen.version:
            self._told = (frame.version, time.perf_counter())
        else:
            self.lags_s.append(0.0)
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(frame)

    async def _until(self, so: Callable[[], bool]) -> None:
        while not so():
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), 60)


def _same(socket: LightSocket) -> LightSocket:
    return socket


class Measured(NamedTuple):
    commands: int
    p50_ms: float
    p99_ms: float
    lag_ms: float
    frames: int
    cpu_us: float
    errors: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.commands:,} answered, p50 {self.p50_ms:.1f} ms, p99 {self.p99_ms:.1f} ms, "
            f"{len(self.errors)} errors; the dealer's view p99 {self.lag_ms:.0f} ms later; "
            f"{self.frames / self.commands:.1f} views and {self.cpu_us:,.0f} us of CPU a command"
        )


def main(seconds: int = SECONDS) -> None:
    with pit(TABLES) as (service, tables):
        asyncio.run(_load(service, tables, seconds))
    for size in SIZES:
        with pit(size) as (service, tables):
            rate = min(RATE, 10 * size)
            told = asyncio.run(_alone(service, tables, rate, max(5, seconds // 6)))
            print(f"{size} tables, {rate:,} commands a second: {told}")


async def _load(service: Service, tables: list[TableScript], seconds: int) -> None:
    await _open(tables)
    told = await measured(service, tables, RATE, seconds)
    print(f"{len(tables)} tables of {BOXES}, {RATE:,} commands a second offered: {told}")
    for rate in RATES:
        told = await measured(service, tables, rate, max(5, seconds // 4))
        print(f"{rate:,} commands a second offered: {told}")
        if told.p99_ms > LIMIT_MS or told.errors:
            return


async def _alone(service: Service, tables: list[TableScript], rate: int, seconds: int) -> Measured:
    await _open(tables)
    return await measured(service, tables, rate, seconds)


async def measured(
    service: Service, tables: list[TableScript], rate: int, seconds: int
) -> Measured:
    """An open loop: every table at its own moment, all together at the rate."""
    for table in tables:
        table.latencies_s.clear()
        table.lags_s.clear()
    frames, cpu_s = _frames(tables), _cpu_s(service)
    every_s, start_s = len(tables) / rate, time.perf_counter() + 0.5
    await asyncio.gather(
        *(
            table.run(start_s + n / rate, every_s, start_s + seconds)
            for n, table in enumerate(tables)
        )
    )
    taken = sorted(latency for table in tables for latency in table.latencies_s)
    lags = sorted(lag for table in tables for lag in table.lags_s)
    return Measured(
        commands=len(taken),
        p50_ms=1000 * taken[len(taken) // 2],
        p99_ms=1000 * taken[len(taken) * 99 // 100],
        lag_ms=1000 * lags[len(lags) * 99 // 100],
        frames=_frames(tables) - frames,
        cpu_us=1e6 * (_cpu_s(service) - cpu_s) / len(taken),
        errors=tuple(error for table in tables for error in table.errors),
    )


async def _open(tables: list[TableScript]) -> None:
    for table in tables:
        await table.connect()
    await asyncio.gather(*(table.sit_down() for table in tables))


def _frames(tables: list[TableScript]) -> int:
    return sum(socket.frames for table in tables for socket in table.sockets)


def _cpu_s(service: Service) -> float:
    """What the process has used so far, its threads together."""
    assert service.process is not None
    fields = Path(f"/proc/{service.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def pit(size: int) -> Iterator[tuple[Service, list[TableScript]]]:
    """A service with so many tables, and everybody logged in."""
    names = [f"T{n:03}" for n in range(1, size + 1)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pit.db"
        _fill(file, names)
        with Service(Path(folder), str(file)).running() as service:
            yield (
                service,
                [TableScript(name, service.port, _tokens(service, name)) for name in names],
            )


def _people(table: str) -> list[str]:
    return [f"{table} dealer", *(f"{table} player {seat}" for seat in range(1, BOXES + 1))]


def _tokens(service: Service, table: str) -> list[str]:
    return [service.log_in(name).token for name in _people(table)]


def _fill(file: Path, names: list[str]) -> None:
    """Tables and people, written before anybody measures."""
    ring, chance = create_ring(Path(f"{file}.keys")), Chance()
    with closing(open_ledger(str(file), create=True)) as ledger:
        people = People(ledger, system_clock, PasswordHasher(1, 64, 1))
        submission = shipped_submission("UTH-S")
        for name in names:
            install(
                ledger, submission, the_house(), ring, lambda: fresh_pack(chance),
                by="bench", name=name,
            )  # fmt: skip
            for person in _people(name):
                role = "dealer" if person.endswith("dealer") else "player"
                people.add(person, role, PASSWORD, by="bench")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--rate", type=int, default=RATE)
    parser.add_argument("--seconds", type=int, default=SECONDS)
    said = parser.parse_args()
    with pit(said.tables) as (service, tables):
        print(asyncio.run(_alone(service, tables, said.rate, said.seconds)))
