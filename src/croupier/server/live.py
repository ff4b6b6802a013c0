"""A socket at a table: its viewer's whole view after each change, and answers to commands."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect

from croupier.facts.errors import Unreadable
from croupier.server.actor import TableActor
from croupier.server.api import AnyConnection, login_of, pit_of, token_of, viewer_of
from croupier.server.asking import Forbidden, Told, answered, as_command, excused, read_ask
from croupier.server.logins import Login, Logins, NotAdmitted
from croupier.server.metrics import Metrics

LOG = logging.getLogger("croupier")
LOOK_AGAIN_S = 5.0
GOING_AWAY, NOT_ADMITTED, NO_SUCH_TABLE = 1001, 4401, 4404
Socket = WebSocket[Any, Any, State]


class Sockets:
    """Every socket that is open, and under which login."""

    def __init__(self, metrics: Metrics) -> None:
        self._open: dict[Socket, Login | None] = {}
        self._metrics = metrics

    def add(self, socket: Socket, login: Login | None = None) -> None:
        self._open[socket] = login
        self._metrics.sockets.set(len(self._open))

    def discard(self, socket: Socket) -> None:
        self._open.pop(socket, None)
        self._metrics.sockets.set(len(self._open))

    async def close_ended(self, logins: Logins) -> None:
        """Whoever may no longer be here is gone at once."""
        for socket, login in list(self._open.items()):
            why = logins.why_closed(login) if login is not None else ""
            if why:
                self.discard(socket)
                await socket.close(code=NOT_ADMITTED, reason=why)

    async def watch(self, logins: Logins) -> None:
        """Idle terminals and old logins are noticed within seconds, also where nothing happens."""
        while True:
            await asyncio.sleep(LOOK_AGAIN_S)
            await asyncio.to_thread(logins.sweep)
            await self.close_ended(logins)

    async def close_all(self) -> None:
        for socket in list(self._open):
            self.discard(socket)
            await socket.close(code=GOING_AWAY, reason="the service stops")

    def has(self, socket: Socket) -> bool:
        return socket in self._open


def sockets_of(connection: AnyConnection) -> Sockets:
    sockets: Sockets = connection.app.state.sockets
    return sockets


@websocket("/api/tables/{name:str}/live")
async def live(socket: Socket, name: str) -> None:
    """Views come after each change; commands may be sent, and each is answered by its id."""
    await socket.accept()
    try:
        login = login_of(socket) if token_of(socket) else None
        actor = pit_of(socket).table(name)
    except (Unreadable, Forbidden) as error:
        await socket.send_text(msgspec.json.encode(excused(error)).decode())
        away = NOT_ADMITTED if isinstance(error, NotAdmitted) else NO_SUCH_TABLE
        await socket.close(code=away, reason=str(error)[:100])
        return
    sockets = sockets_of(socket)
    sockets.add(socket, login)
    sending = asyncio.ensure_future(_send_views(socket, actor, login))
    try:
        await _hear(socket, actor, login)
    except WebSocketDisconnect:
        return
    finally:
        sockets.discard(socket)
        sending.cancel()


async def _send_views(socket: Socket, actor: TableActor, login: Login | None) -> None:
    """However fast the table changes, a slow reader gets the newest view, not all of them."""
    viewer, sockets = viewer_of(login), sockets_of(socket)
    with actor.watched() as watch:
        while sockets.has(socket):
            table = await watch.next()
            frame = actor.frame(viewer) if table else actor.meters_frame()
            await socket.send_text(frame.decode())


async def _hear(socket: Socket, actor: TableActor, login: Login | None) -> None:
    while True:
        text = await socket.receive_text()
        told = await answer(socket, text, actor, login)
        if not sockets_of(socket).has(socket):
            return
        await socket.send_text(msgspec.json.encode(told).decode())


async def answer(
    connection: AnyConnection, text: str | bytes, actor: TableActor, login: Login | None
) -> Told:
    """What comes of a command, however it was sent; counted, and told to the log."""
    pit, began = pit_of(connection), time.perf_counter()
    command_id, asked = "", ""
    try:
        ask = read_ask(text)
        command_id = ask.id
        if login is None:
            raise NotAdmitted("log in first")
        pit.logins.by_token(login.token)
        pit.logins.spend(login)
        command = as_command(ask, login)
        asked = str(command.__struct_config__.tag)
        told = answered(await actor.ask(command, ask.id, ask.seen), ask.id)
    except Exception as error:
        no = excused(error, command_id)
        if no is None:
            LOG.exception("a command failed", extra={"table": actor.name, "do": asked})
            no = Told("unavailable", command_id, sentence="something went wrong here; try again")
        told = no
    took = time.perf_counter() - began
    pit.metrics.commands.labels(told.outcome).inc()
    pit.metrics.seconds.observe(took)
    if LOG.isEnabledFor(logging.INFO):
        who = login.name if login is not None else ""
        said = {"who": who, "table": actor.name, "do": asked, "outcome": told.outcome}
        LOG.info("command", extra=said | {"ms": round(1000 * took, 1)})
    return told
