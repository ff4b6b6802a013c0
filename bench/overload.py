"""The pit at several times its capacity: what is accepted is answered in time, the rest is shed.

First the capacity is found: a few players at each table give one command after the other. Then
many times as many are offered by all of them, beside an anonymous flood of pages, requests that
are half sent, sockets that nobody reads and a flood of logins. Latency is that of commands that
were accepted, of one more player a table in a process of his own, who waits as long as he is told
to: whoever sends a flood is kept waiting by himself, and that is told too.

    python -m bench.overload --times 5 --seconds 20
"""

from __future__ import annotations

import asyncio
import multiprocessing
import socket
import tempfile
import time
from collections import Counter
from collections.abc import Coroutine, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bench.report import Row, as_program, progress
from tests.server.service import Service
from tests.server.staff import hire, install

TABLES, SOCKETS = 20, 200
CALM_EVERY_S = 0.2  # how often each of the players whose waiting is measured gives a command
FEW = (1, 2)  # players a table with which the most may come through
TIMES, SECONDS = 5.0, 8.0
FLOODERS, HALF_SENT, DEAF, LOGINS = 20, 200, 20, 4
TIP = '{"id":"%s","command":{"do":"tip","box":%d,"cents":100}}'


class Told(msgspec.Struct):
    """What came of the commands of one run."""

    outcomes: Counter[str]
    took_ms: list[float]

    def p_ms(self, share: float) -> float:
        found = sorted(self.took_ms) or [0.0]
        return found[min(len(found) - 1, int(share * len(found)))]


class Player:
    """One socket of a player: at most one command of his is on its way."""

    def __init__(self, number: int, box: int, line: ClientConnection) -> None:
        self._number, self._box, self._line = number, box, line

    async def leave(self) -> None:
        await self._line.close()

    async def give(self, told: Told) -> float:
        """One command; how long he was told to wait before the next."""
        command_id, began_s = f"{self._box}-{self._number}-{time.time_ns()}", time.perf_counter()
        await self._line.send(TIP % (command_id, self._box))
        while command_id not in (said := str(await self._line.recv())):
            pass
        answer = msgspec.json.decode(said)
        outcome = answer["outcome"]
        told.outcomes[outcome] += 1
        if outcome == "done":
            told.took_ms.append(1000 * (time.perf_counter() - began_s))
        return float(answer.get("wait_s", 0))

    async def play(self, until_s: float, every_s: float, told: Told, *, heeds: bool) -> None:
        due_s = time.perf_counter() + every_s * (self._number % SOCKETS) / SOCKETS
        while (now_s := time.perf_counter()) < until_s:
            if every_s and now_s < due_s:
                await asyncio.sleep(due_s - now_s)
            due_s = max(due_s + every_s, time.perf_counter() - every_s)
            wait_s = await self.give(told)
            if heeds and wait_s:
                due_s = time.perf_counter() + wait_s


async def _run(
    players: list[Player], seconds: float, rate: float = 0, *, heeds: bool = False
) -> Told:
    told, until_s = Told(Counter(), []), time.perf_counter() + seconds
    every_s = len(players) / rate if rate else 0
    await asyncio.gather(*(player.play(until_s, every_s, told, heeds=heeds) for player in players))
    return told


async def _anonymous(port: int, told: Counter[str]) -> None:
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /sign/F0 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        said = await reader.read()
        told[f"page {said[9:12].decode() or 'cut'}"] += 1
        writer.close()


async def _half_sent(port: int, told: Counter[str]) -> None:
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /api/login HTTP/1.1\r\nhost: x\r\n")
        await reader.read()
        told["half-sent request cut"] += 1
        writer.close()


async def _deaf(port: int, told: Counter[str]) -> None:
    while True:
        tap = socket.create_connection(("127.0.0.1", port))
        uri = f"ws://127.0.0.1:{port}/api/tables/F0/live"
        async with connect(uri, sock=tap, compression=None, ping_interval=None) as line:
            line.transport.pause_reading()
            await asyncio.sleep(3600)


async def _log_in(port: int, told: Counter[str]) -> None:
    body = b'{"name":"dealer","password":"a wrong password"}'
    head = b"POST /api/login HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
    head += b"content-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head + body)
        said = await reader.read()
        told[f"login {said[9:12].decode() or 'cut'}"] += 1
        writer.close()


async def _again(flood: Coroutine[Any, Any, None]) -> None:
    """A flood ends when its line is cut; what it did is counted by then."""
    try:
        await flood
    except (OSError, ConnectionClosed, asyncio.IncompleteReadError):
        return


async def _seated(port: int, tokens: list[str], box: int, how_many: int) -> list[Player]:
    players = []
    for number in range(how_many):
        uri = f"ws://127.0.0.1:{port}/api/tables/F{number % TABLES}/live"
        said = {"Authorization": f"Bearer {tokens[number % TABLES]}"}
        line = await connect(uri, additional_headers=said, compression=None, max_queue=None)
        players.append(Player(number, box, line))
    return players


def _calm(port: int, tokens: list[str], seconds: float, answer: Connection) -> None:
    """In a process of its own: one more player a table, who gives a command now and then."""

    async def told() -> Told:
        players = await _seated(port, tokens, 2, TABLES)
        answer.send("seated")
        answer.recv()
        return await _run(players, seconds, TABLES / CALM_EVERY_S, heeds=True)

    answer.send(uvloop.run(told()))


async def measured(
    service: Service, tokens: dict[int, list[str]], times: float, seconds: float
) -> list[Row]:
    players = await _seated(service.port, tokens[1], 1, SOCKETS)
    calm = [await _run(players[: few * TABLES], seconds / 2) for few in FEW]
    best = max(calm, key=lambda told: told.outcomes["done"])
    capacity = best.outcomes["done"] / (seconds / 2)
    told: Counter[str] = Counter()
    here, there = multiprocessing.Pipe()
    given = (service.port, tokens[2], seconds, there)
    calm_ones = multiprocessing.get_context("spawn").Process(target=_calm, args=given)
    calm_ones.start()
    await asyncio.to_thread(here.recv)
    kinds = ((_anonymous, FLOODERS), (_half_sent, HALF_SENT), (_deaf, DEAF), (_log_in, LOGINS))
    floods = [
        asyncio.ensure_future(_again(kind(service.port, told)))
        for kind, how_many in kinds
        for _ in range(how_many)
    ]
    here.send("go")
    loud = await _run(players, seconds, times * capacity)
    calm_told: Told = await asyncio.to_thread(here.recv)
    calm_ones.join()
    for flood in floods:
        flood.cancel()
    await asyncio.gather(*floods, return_exceptions=True)
    for player in players:
        await player.leave()
    progress(f"  overload: {dict(loud.outcomes)}; floods: {dict(told)}")
    done = loud.outcomes["done"] / seconds
    shed, sent = loud.outcomes["too many"] / seconds, sum(loud.outcomes.values()) / seconds
    what = f"{times:g} times the capacity wanted, beside floods"
    said = f"{done:,.0f} done, {shed:,.0f} shed of {sent:,.0f} sent a second"
    beside = f"commands done at capacity ({capacity:,.0f} a second)"
    return [
        Row(f"{what}: commands", said, done / capacity, beside),
        *_waited(f"{what}: a calm player's wait", calm_told, best),
        *_waited(f"{what}: a wait in the sending process", loud, best),
    ]


def _waited(what: str, told: Told, best: Told) -> Iterator[Row]:
    for name, share in (("p50", 0.5), ("p99", 0.99)):
        ms, calm_ms = told.p_ms(share), best.p_ms(share)
        beside = f"{name} at capacity ({calm_ms:.0f} ms)"
        yield Row(f"{what}, {name} of {len(told.took_ms):,}", f"{ms:.0f} ms", ms / calm_ms, beside)


def rows(times: float = TIMES, seconds: float = SECONDS) -> Iterator[Row]:
    setting = {
        "policy": "home",  # one dealer sells what a whole run tips
        "anonymous_requests_a_second": 50,
        "logins_a_minute": 100_000,
        "people_an_address": 100_000,
        "argon2_memory_kib": 65_536,
        "argon2_rounds": 3,
    }
    with (
        tempfile.TemporaryDirectory() as folder,
        Service(Path(folder), **setting).running() as service,  # type: ignore[arg-type]
    ):
        people = hire(service)
        tokens: dict[int, list[str]] = {1: [], 2: []}
        for number in range(TABLES):
            table = install(people, f"F{number}")
            table.done("dealer", "open-table")
            for box, known in tokens.items():
                name = f"tipper {number}-{box}"
                people[name] = people["admin"].hire(name, "player")
                known.append(people[name].token)
                table.done(name, "take-box", box=box)
                table.done("dealer", "buy-in", box=box, cents=10**9, taken="cash")
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            yield from runner.run(measured(service, tokens, times, seconds))


if __name__ == "__main__":
    as_program(rows)
