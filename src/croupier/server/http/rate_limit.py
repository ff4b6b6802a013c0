"""ASGI middleware before everything else: who asks too much is told so before anything is done.

It counts requests by person, or by address where nobody is logged in, and lets who asks on wait:
a connection that is kept waiting costs less than one more no. Sockets are counted where
they are opened, and their messages one by one.
"""

from __future__ import annotations

import asyncio

import msgspec
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import Message, Receive, Scope, Send

from croupier.server.access.budgets import TooMany
from croupier.server.http.api import AnyConnection, address_of, claimed_token
from croupier.server.pit.messages import STATUS, Reply, later
from croupier.server.pit.pit import Pit

PAUSE_S = 0.5  # before who asks too much is told so: he asks again no sooner
HSTS = (b"strict-transport-security", b"max-age=31536000")


class Admission:
    """Around the whole service, pages and API alike."""

    def __init__(self, app: Litestar) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        sends = _kept_safe(send) if scope["scheme"] == "https" else send
        try:
            self._spend(AnyConnection(scope))
        except TooMany as error:
            await asyncio.sleep(PAUSE_S)
            await _refuse(error, sends)
            return
        await self._app(scope, receive, sends)

    def _spend(self, connection: AnyConnection) -> None:
        pit: Pit = self._app.state.pit
        name = pit.logins.whose(claimed_token(connection, pit.cookie))
        pit.budgets.request(name, address_of(connection))


async def _refuse(error: TooMany, send: Send) -> None:
    told = later(Reply("too many", sentence=str(error)), error.wait_s)
    body = msgspec.json.encode(told)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"retry-after", str(error.wait_s).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": STATUS[told.outcome], "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _kept_safe(send: Send) -> Send:
    """Who came by TLS once comes by nothing else for a year."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], HSTS]
        await send(message)

    return sent
