"""A bare echo of a table's frames through the same server library: what no live table can beat.

One round of a real table is recorded, with all that each of its sockets heard after each command.
Whatever then comes from a socket of an echo table is answered with what was heard next in that
round: nothing is read, decided, viewed, encoded or kept. The generator is the same.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from litestar import Litestar, WebSocket, get, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect

from bench.floor import Floor, table_names
from bench.script import ANSWER, Next, Person, TableScript
from tests.server.service import Service

QUIET_S = 0.05  # after which every socket has heard of a command, where nobody else plays
Socket = WebSocket[Any, Any, State]


class HeardFrame(msgspec.Struct, frozen=True, array_like=True):
    """``seat`` is the socket that heard it: 0 is the dealer, then the boxes."""

    seat: int
    text: str


class Recording(msgspec.Struct, frozen=True):
    """The commands of a round, and what was heard after each of them."""

    round: list[Next]
    steps: list[list[HeardFrame]]

    def first_view(self, seat: int) -> str:
        """What a socket hears when it is opened: the view with which the round ended."""
        heard = [each.text for step in self.steps for each in step if each.seat == seat]
        return [text for text in heard if not text.startswith(ANSWER)][-1]


async def recorded(table: TableScript) -> Recording:
    """One more round at a table where nobody else plays; it ends as it began."""
    steps: list[list[HeardFrame]] = []
    hearing = [socket.hear for socket in table.sockets]

    def hear(seat: int, text: bytes) -> None:
        steps[-1].append(HeardFrame(seat, text.decode()))
        hearing[seat](text)

    for seat, socket in enumerate(table.sockets):
        socket.hear = lambda text, seat=seat: hear(seat, text)  # type: ignore[misc]
    for asked in table.round:
        steps.append([])
        told = await table.give(asked)
        await asyncio.sleep(QUIET_S)
        steps[-1] = [_for_anybody(each, told.id) for each in steps[-1]]
    for socket, before in zip(table.sockets, hearing, strict=True):
        socket.hear = before
    return Recording(table.round, steps)


def _for_anybody(heard: HeardFrame, command_id: str) -> HeardFrame:
    """An answer without the id of its command: the generator takes it for its own."""
    if not heard.text.startswith(ANSWER):
        return heard
    return HeardFrame(heard.seat, heard.text.replace(f'"{command_id}"', '""'))


class EchoService(Service):
    """Started and stopped as a pit is; its ledger is the recording."""

    program = "bench.echo"


@contextmanager
def echo_floor(size: int, recording: Recording) -> Iterator[Floor]:
    """So many echo tables in one process, each with as many sockets as a table has."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "recording.json"
        file.write_bytes(msgspec.json.encode(recording))
        with EchoService(Path(folder), str(file)).running() as service:
            tables = [_script(name, service.port, recording) for name in table_names(size)]
            yield Floor(str(file), [service], tables)


def _script(name: str, port: int, recording: Recording) -> TableScript:
    seats = range(max(each.seat for step in recording.steps for each in step) + 1)
    script = TableScript(name, [[port] for _ in seats], [Person("", str(seat)) for seat in seats])
    script.round = recording.round
    return script


class EchoTable:
    def __init__(self, recording: Recording) -> None:
        self.sockets: dict[int, Socket] = {}
        self._steps = cycle(recording.steps)

    async def answer(self) -> None:
        for heard in next(self._steps):
            await self.sockets[heard.seat].send_text(heard.text)


def echo_app(recording: Recording) -> Litestar:
    tables: dict[str, EchoTable] = {}

    @get("/health", sync_to_thread=False)
    def health() -> str:
        return "ok"

    @websocket("/api/tables/{name:str}/live")
    async def live(socket: Socket, name: str) -> None:
        await socket.accept()
        table = tables.setdefault(name, EchoTable(recording))
        seat = int(socket.headers["authorization"].removeprefix("Bearer "))
        table.sockets[seat] = socket
        await socket.send_text(recording.first_view(seat))
        try:
            while True:
                await socket.receive_text()
                await table.answer()
        except WebSocketDisconnect:
            return

    return Litestar([health, live], logging_config=None, openapi_config=None)


def _serve() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("serve", choices=["serve"])
    parser.add_argument("--ledger", type=Path, required=True)
    parser.add_argument("--port", type=int, required=True)
    said = parser.parse_args()
    recording = msgspec.json.decode(said.ledger.read_bytes(), type=Recording)
    uvicorn.run(
        echo_app(recording),
        port=said.port,
        http="h11",  # both as a pit has them
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
    )


if __name__ == "__main__":
    _serve()
