"""A viewer's socket: nothing is piled up for who does not read, and then he gets the newest."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import uvicorn
from litestar import Litestar, WebSocket, websocket
from litestar.datastructures import State
from websockets.asyncio.client import connect

from croupier.server.http.table_socket import Sockets, ViewerSocket
from croupier.server.metrics import Metrics
from croupier.server.pit.table_actor import LiveTable, Subscription
from croupier.table.views import Viewer

PIECE = 50_000
LIMIT_S = 120  # for what never ends; a machine may be busy
CHANGES = 2_000


class BigTable:
    """A table with much to show: how often it changed, and a long rest."""

    changes = 0

    def frame(self, viewer: Viewer, watch: Subscription) -> bytes:
        return b"%06d " % self.changes + b"." * PIECE


def test_who_does_not_read_is_sent_the_newest_when_he_does() -> None:
    asyncio.run(_slow_reader())


async def _slow_reader() -> None:
    table, changed, over = BigTable(), asyncio.Event(), asyncio.Event()

    @websocket("/")
    async def live(socket: WebSocket[Any, Any, State]) -> None:
        await socket.accept()
        sockets, watch = Sockets(Metrics()), Subscription()
        sockets.add(socket)
        viewer = Viewer(role="public")
        shown = ViewerSocket(sockets, socket, cast(LiveTable, table), viewer, watch)
        sending = asyncio.ensure_future(shown.send_news())
        while table.changes < CHANGES:
            table.changes += 1
            watch.notify(table=True)
            await asyncio.sleep(0)
        changed.set()
        await over.wait()
        sending.cancel()

    app = Litestar([live], logging_config=None)  # the log of this process is not its own
    config = uvicorn.Config(app, port=0, ws="websockets-sansio", lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    serving = asyncio.ensure_future(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    async with connect(f"ws://127.0.0.1:{port}", max_queue=1, compression=None) as reader:
        await asyncio.wait_for(changed.wait(), LIMIT_S)
        heard = [0]
        while heard[-1] < CHANGES:
            heard.append(int(str(await asyncio.wait_for(reader.recv(), LIMIT_S))[:6]))
        over.set()
    assert heard == sorted(set(heard))
    assert len(heard) < CHANGES // 2
    server.should_exit = True
    await serving
