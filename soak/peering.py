"""Lines between processes: what ``websockets`` is to them, on the simulated network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from random import Random
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosedError

from soak.clockwork import Loop, Process, current
from soak.hosts import Host
from soak.wire import Line, Lost, Roads


class Peering:
    """Everybody's lines to everybody, so that they can be cut."""

    def __init__(self, loop: Loop, roads: Roads, chance: Random) -> None:
        self.loop, self.roads, self.chance = loop, roads, chance
        self.hosts: dict[str, Host] = {}
        self.lines: dict[Line, tuple[Process | None, Process]] = {}

    def connect(self, url: str, **options: Any) -> Calling:
        """In the place of ``websockets.asyncio.client.connect``."""
        return Calling(self, url, options["additional_headers"], options["open_timeout"])

    def cut(self, process: Process | None = None) -> None:
        """All lines, or those of one process, at both ends."""
        for line, ends in list(self.lines.items()):
            if process is None or process in ends:
                line.cut()


class Calling:
    """A call to a peer, while it lasts."""

    def __init__(
        self, peering: Peering, url: str, headers: Mapping[str, str], patience_s: float
    ) -> None:
        self._peering, self._patience_s = peering, patience_s
        parts = urlsplit(url)
        self._host, self._path = peering.hosts[str(parts.hostname)], parts.path
        self._headers = tuple(headers.items())
        self._line = Line(peering.loop, peering.roads, peering.chance)

    async def __aenter__(self) -> Calling:
        host, peering = self._host, self._peering
        await asyncio.sleep(peering.roads.delay(peering.chance))
        process = host.process
        if process is None or not process.alive or not host.ready:
            raise ConnectionRefusedError("nobody is there")
        peering.lines[self._line] = (current(), process)
        self._line.open(process, host.app, self._path, "", self._headers)
        await asyncio.wait_for(asyncio.shield(self._line.accepted), self._patience_s)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._line.cut()
        self._peering.lines.pop(self._line, None)

    async def recv(self) -> bytes:
        try:
            said = await self._line.receive()
        except Lost:
            raise ConnectionClosedError(None, None) from None
        assert isinstance(said, bytes)
        return said

    async def send(self, said: bytes) -> None:
        if self._line.is_cut:
            raise ConnectionClosedError(None, None)
        self._line.send(said)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            try:
                yield await self.recv()
            except ConnectionClosedError:
                return
