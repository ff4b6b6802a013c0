"""The pit at several times its capacity: what is accepted is answered in time, the rest is shed.

First the capacity is found: a few players at each table give one command after the other. Then
many times as many are offered by all of them, whether or not they are answered, beside an
anonymous flood of pages, requests that are half sent, sockets that nobody reads and a flood of
logins. Latency is that of commands that were accepted, of one more player a table in a process of
his own, who waits as long as he is told to: whoever sends a flood waits for himself.

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
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec
import uvloop
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from bench.processor import used_s
from bench.report import Row, as_program, progress
from bench.script import ANSWER
from bench.sockets import CutOff, LightSocket
from tests.server.service import Service
from tests.server.staff import hire, install

TABLES, SOCKETS = 20, 200
CALM_EVERY_S = 0.2  # how often each of the players whose waiting is measured gives a command
FEW = (1, 2)  # players a table with which the most may come through
TIMES, SECONDS = 5.0, 20.0
MOST_UNANSWERED = 20  # commands of one socket of the flood: what is beyond is held back
TICK_S = 0.005
FLOODERS, HALF_SENT, DEAF, LOGINS = 20, 200, 20, 4
TIP = b'{"id":"%s","command":{"do":"tip","box":%d,"cents":100}}'


class Told(msgspec.Struct):
    """What came of the commands of one run."""

    outcomes: Counter[str]
    took_ms: list[float]
    offered: int = 0
    held_back: int = 0

    def p_ms(self, share: float) -> float:
        found = sorted(self.took_ms) or [0.0]
        return found[min(len(found) - 1, int(share * len(found)))]


class Answer(msgspec.Struct):
    outcome: str
    id: str = ""
    wait_s: float = 0


class Player:
    """One socket of a player."""

    def __init__(self, number: int, box: int, told: Told) -> None:
        self.told = told
        self._number, self._box = number, box
        self._sent_s: dict[str, float] = {}
        self._heard = asyncio.Event()
        self._last = Answer("")

    async def sit_down(self, port: int, token: str) -> None:
        path = f"/api/tables/F{self._number % TABLES}/live"
        self.line = LightSocket(path, token, self._hear)
        make = partial(_same, self.line)
        await asyncio.get_running_loop().create_connection(make, "127.0.0.1", port)
        await self.line.opened

    def offer(self) -> None:
        """One more command, unless too many are unanswered."""
        self.told.offered += 1
        if len(self._sent_s) >= MOST_UNANSWERED:
            self.told.held_back += 1
            return
        command_id = f"{self._box}-{self._number}-{time.time_ns()}"
        self._sent_s[command_id] = time.perf_counter()
        self.line.send(TIP % (command_id.encode(), self._box))

    async def play(self, until_s: float, every_s: float = 0) -> None:
        """One after the other; whoever is told to wait does."""
        due_s = time.perf_counter() + every_s * self._number / TABLES
        while (now_s := time.perf_counter()) < until_s:
            if now_s < due_s:
                await asyncio.sleep(due_s - now_s)
            self._heard.clear()
            self.offer()
            await self._heard.wait()
            due_s = max(due_s + every_s, time.perf_counter() + self._last.wait_s)

    def _hear(self, text: bytes) -> None:
        """A view is only counted."""
        if not text.startswith(ANSWER.encode()):
            return
        self._last = answer = msgspec.json.decode(text, type=Answer)
        sent_s = self._sent_s.pop(answer.id, None)
        self.told.outcomes[answer.outcome] += 1
        if answer.outcome == "done" and sent_s is not None:
            self.told.took_ms.append(1000 * (time.perf_counter() - sent_s))
        self._heard.set()


def _same(line: LightSocket) -> LightSocket:
    return line


async def _played(players: list[Player], seconds: float, every_s: float = 0) -> Told:
    told, until_s = Told(Counter(), []), time.perf_counter() + seconds
    for player in players:
        player.told = told
    await asyncio.gather(*(player.play(until_s, every_s) for player in players))
    return told


async def _flooded(players: list[Player], seconds: float, rate: float) -> Told:
    """An open loop: so many a second by all of them in turn, whatever is answered."""
    told, began_s = Told(Counter(), []), time.perf_counter()
    for player in players:
        player.told = told
    while (passed_s := time.perf_counter() - began_s) < seconds:
        while told.offered < passed_s * rate:
            players[told.offered % len(players)].offer()
        await asyncio.sleep(TICK_S)
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
    except (OSError, ConnectionClosed, CutOff, asyncio.IncompleteReadError):
        return


async def _seated(port: int, tokens: list[str], box: int, how_many: int) -> list[Player]:
    players = [Player(number, box, Told(Counter(), [])) for number in range(how_many)]
    for number, player in enumerate(players):
        await player.sit_down(port, tokens[number % TABLES])
    return players


def _calm(port: int, tokens: list[str], seconds: float, answer: Connection) -> None:
    """In a process of its own: one more player a table, who gives a command now and then."""

    async def told() -> Told:
        players = await _seated(port, tokens, 2, TABLES)
        answer.send("seated")
        answer.recv()
        return await _played(players, seconds, CALM_EVERY_S)

    answer.send(uvloop.run(told()))


async def measured(
    service: Service, tokens: dict[int, list[str]], times: float, seconds: float
) -> list[Row]:
    assert service.process is not None
    players = await _seated(service.port, tokens[1], 1, SOCKETS)
    calm = [await _played(players[: few * TABLES], seconds / 4) for few in FEW]
    best = max(calm, key=lambda told: told.outcomes["done"])
    capacity = best.outcomes["done"] / (seconds / 4)
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
    began_s = used_s(service.process.pid)
    loud = await _flooded(players, seconds, times * capacity)
    busy = (used_s(service.process.pid) - began_s) / seconds
    calm_told: Told = await asyncio.to_thread(here.recv)
    calm_ones.join()
    for flood in floods:
        flood.cancel()
    await asyncio.gather(*floods, return_exceptions=True)
    for player in players:
        player.line.close()
    progress(f"  overload: {loud.outcomes}; calm: {calm_told.outcomes}; floods: {told}")
    what = f"{times:g} times the capacity, beside floods"
    beside = f"commands done at capacity ({capacity:,.0f} a second)"
    offered, done = loud.offered / seconds, loud.outcomes["done"] / seconds
    shed, held = loud.outcomes["too many"] / seconds, loud.held_back / seconds
    said = f"{offered:,.0f} a second: {shed:,.0f} shed, {held:,.0f} held back as nobody read them"
    taken = f"{done:,.0f} of the flood a second, {busy:.0%} of a core used"
    through = calm_told.outcomes["done"] / max(1, calm_told.offered)
    return [
        Row(f"{what}: offered", said, offered / capacity, beside),
        Row(f"{what}: done", taken, done / capacity, beside),
        Row(f"{what}: a calm player is let in", f"{through:.0%}", through, "commands he gave"),
        *_waited(f"{what}: a calm player's wait", calm_told, best),
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
