"""ASGI middleware before everything else: who asks too much is told so before anything is done.

It counts requests by person, or by address where nobody is logged in, and lets who asks on wait:
a connection that is kept waiting costs less than one more no. A command that comes by a request
is shed here, before it is routed and read. Sockets are counted where they are opened, and their
messages one by one.
"""

from __future__ import annotations

import asyncio

import msgspec
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import HTTPScope, Message, Receive, Scope, Send

from croupier.server.access.token_buckets import TooMany
from croupier.server.http.api import AnyConnection, address_of, claimed_token
from croupier.server.pit.messages import STATUS, Reply, later
from croupier.server.pit.pit import Pit

PAUSE_S = 0.5  # before who asks too much is told so: he asks again no sooner
HSTS = (b"strict-transport-security", b"max-age=31536000")


class AskedId(msgspec.Struct):
    """Of a command that is shed nothing else is read."""

    id: str = ""


class Admission:
    """Around the whole service, pages and API alike."""

    def __init__(self, app: Litestar) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        pit: Pit = self._app.state.pit
        sends = _kept_safe(send) if scope["scheme"] == "https" else send
        try:
            name = _spend(pit, AnyConnection(scope))
        except TooMany as error:
            await asyncio.sleep(PAUSE_S)
            await _refuse(error, "", sends)
            return
        try:
            if name and _gives_command(scope):
                pit.load.refuse_beyond(name)
        except TooMany as error:
            pit.metrics.answered("too many", 0.0)
            await _refuse(error, await _id_in(receive), sends)
            return
        await self._app(scope, receive, sends)


def _spend(pit: Pit, connection: AnyConnection) -> str:
    """Who asks, where that is known; nobody's name is empty."""
    name = pit.logins.whose(claimed_token(connection, pit.cookie))
    pit.budgets.request(name, address_of(connection))
    return name


def _gives_command(scope: HTTPScope) -> bool:
    path = scope["path"]
    is_command = path.startswith("/api/tables/") and path.endswith("/commands")
    return is_command and scope["method"] == "POST"


async def _id_in(receive: Receive) -> str:
    """The id of a command that has arrived whole: whoever is told it may send it again."""
    message = await receive()
    if message["type"] != "http.request" or message["more_body"]:
        return ""
    try:
        return msgspec.json.decode(message["body"], type=AskedId).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""


async def _refuse(error: TooMany, command_id: str, send: Send) -> None:
    told = later(Reply("too many", command_id, sentence=str(error)), error.wait_s)
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
