"""The network between people and processes: sockets that are cut, requests lost or doubled.

A socket keeps its order, as TCP does; between sockets and requests there is none. What is on its
way when a line is cut never arrives.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from soak.clockwork import Loop, Process

App = Any
Headers = tuple[tuple[str, str], ...]
APART_S = 1e-6  # what is due at one moment has no order


class Lost(Exception):
    """The line is dead, or nobody answers: what was asked may have happened."""


@dataclass
class Roads:
    """How the network is now: the share of messages lost or doubled, and how long they take."""

    lost: float = 0.0
    doubled: float = 0.0
    slow_s: float = 0.02

    def delay(self, chance: Random) -> float:
        return chance.expovariate(1 / self.slow_s)


class Line:
    """One WebSocket to a process, from a person or from another process."""

    def __init__(self, loop: Loop, roads: Roads, chance: Random) -> None:
        self._loop, self._roads, self._chance = loop, roads, chance
        self._inward: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._outward: asyncio.Queue[str | bytes | None] = asyncio.Queue()
        self._last = {"in": 0.0, "out": 0.0}
        self.accepted: asyncio.Future[None] = loop.create_future()
        self.is_cut, self.why = False, ""
        self.shows: Callable[[], None] = _nobody_minds

    def open(
        self, process: Process, app: App, path: str, token: str = "", headers: Headers = ()
    ) -> None:
        self._carry("in", {"type": "websocket.connect"})
        scope = _scope("websocket", path, token, headers) | {"scheme": "ws", "subprotocols": []}
        self._loop.spawn(process, app(scope, self._inward.get, self._send))

    def send(self, said: str | bytes) -> None:
        kind = "text" if isinstance(said, str) else "bytes"
        self._carry("in", {"type": "websocket.receive", kind: said})

    async def receive(self, patience_s: float | None = None) -> str | bytes | None:
        """What came; None where nothing did in time."""
        try:
            said = await asyncio.wait_for(self._outward.get(), patience_s)
        except TimeoutError:
            return None
        if said is None:
            raise Lost(self.why or "the line was cut")
        return said

    def cut(self) -> None:
        """Both ends notice, each in its own time; what was under way is gone."""
        if self.is_cut:
            return
        self.is_cut = True
        gone = {"type": "websocket.disconnect", "code": 1006}
        self._loop.outside(self._roads.delay(self._chance), self._inward.put_nowait, gone)
        self._loop.outside(self._roads.delay(self._chance), self._outward.put_nowait, None)

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.accept":
            self._carry("out", message)
        elif message["type"] == "websocket.send":
            text = message.get("text")
            if text is not None and '"view":' in text and not self.is_cut:
                self.shows()
            self._carry("out", text if text is not None else message["bytes"])
        elif message["type"] == "websocket.close":
            self.why = message.get("reason") or "closed"
            self._carry("out", None)

    def _carry(self, way: str, message: Any) -> None:
        """In order: nothing overtakes what was sent before it."""
        at_s = max(self._last[way] + APART_S, self._loop.time() + self._roads.delay(self._chance))
        self._last[way] = at_s
        self._loop.outside(at_s - self._loop.time(), self._arrive, way, message)

    def _arrive(self, way: str, message: Any) -> None:
        if self.is_cut:
            return
        if isinstance(message, dict) and message["type"] == "websocket.accept":
            if not self.accepted.done():
                self.accepted.set_result(None)
        else:
            (self._inward if way == "in" else self._outward).put_nowait(message)


def _nobody_minds() -> None:
    pass


async def request(
    loop: Loop,
    roads: Roads,
    chance: Random,
    process: Process,
    app: App,
    call: tuple[str, str, Any, str],
    headers: Headers = (),
    patience_s: float = 10.0,
) -> tuple[int, Any]:
    """One request over a line of its own: ``call`` is method, path, data and token."""
    answer: asyncio.Future[tuple[int, Any]] = loop.create_future()

    def heard(told: tuple[int, Any]) -> None:
        if not answer.done():
            answer.set_result(told)

    copies = 2 if chance.random() < roads.doubled else 1
    for _ in range(copies):
        if chance.random() < roads.lost:
            continue
        back_s = None if chance.random() < roads.lost else roads.delay(chance)
        reach = partial(_reach, loop, process, app, call, headers, heard, back_s)
        loop.outside(roads.delay(chance), reach)
    try:
        return await asyncio.wait_for(answer, patience_s)
    except TimeoutError:
        raise Lost("nobody answers") from None


def _reach(loop: Loop, process: Process, *exchange: Any) -> None:
    if process.alive:
        loop.spawn(process, _exchange(loop, *exchange))


async def _exchange(
    loop: Loop,
    app: App,
    call: tuple[str, str, Any, str],
    headers: Headers,
    heard: Any,
    back_s: float | None,
) -> None:
    method, path, data, token = call
    body = [{"type": "http.request", "body": json.dumps(data).encode(), "more_body": False}]
    status, said = 500, b""

    async def receive() -> dict[str, Any]:
        if body:
            return body.pop()
        await asyncio.get_running_loop().create_future()
        raise AssertionError

    async def send(message: Any) -> None:
        nonlocal status, said
        if message["type"] == "http.response.start":
            status = message["status"]
        else:
            said += message.get("body", b"")

    extra = (*headers, ("content-type", "application/json"))
    await app(_scope("http", path, token, extra) | {"method": method}, receive, send)
    if back_s is not None:
        loop.outside(back_s, heard, (status, json.loads(said) if said else None))


def _scope(kind: str, path: str, token: str, extra: Headers = ()) -> dict[str, Any]:
    said = [("host", "pit"), *extra]
    if token:
        said.append(("authorization", f"Bearer {token}"))
    return {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in said],
        "client": ("127.0.0.1", 40000),
        "server": ("pit", 80),
        "state": {},
    }
