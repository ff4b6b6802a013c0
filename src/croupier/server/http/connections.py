"""Caps and time limits of connections, below HTTP: how many there are, and how long one may take.

A request has to arrive whole, and what is sent has to be read, each within some seconds; a
connection that does neither is aborted, and its place is free. One sweep a second looks at all of
them, so a request costs no timer.

What arrives at once is parsed in slices and counted: thousands of tiny chunks, or of frames that
are no message, fit into one read of a socket, and nobody else is served while they are parsed.

These are subclasses of uvicorn's inner protocols, written against 0.54, because its settings have
no such limits: ``limit_concurrency`` counts everybody together, once a request has arrived;
``timeout_keep_alive`` begins when a request has ended; ``ws_max_size`` looks at one message. None
knows an address, a request that arrives byte by byte, frames that are no message, or a peer that
does not read. What they hang on (``data_received``, ``handle_websocket_upgrade``,
``handle_ping``, ``handle_pong``, ``handle_cont``, ``headers``, ``conn.their_state``, ``queue``) is
tried by ``tests/server/http/test_connections.py``, so another release that lacks it fails there.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Iterator
from typing import ClassVar, NamedTuple, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from croupier.server.access.token_buckets import network
from croupier.server.settings import Settings

LOG = logging.getLogger("croupier")
HEADERS_WITHIN_S = 10.0
BODY_WITHIN_S = 20.0
READ_WITHIN_S = 10.0  # what waits to be sent gets less in this time, or nobody reads it
CLOSE_WITHIN_S = 10.0
SWEEP_S = 1.0
SLICE = 1024  # bytes that are parsed before anybody counts what came of them
MOST_OTHER_FRAMES = 20  # between two sweeps: pings, pongs and parts of messages
MOST_WAITING = 256  # messages of one socket that nobody has looked at
RETRY_AFTER_S = 5
FULL = (
    b"HTTP/1.1 %d %s\r\ncontent-type: application/json\r\nretry-after: %d\r\n"
    b"connection: close\r\ncontent-length: %d\r\n\r\n%s"
)
SAID = (
    b'{"outcome":"too many","sentence":"too many connections; come again in a moment",'
    b'"wait_s":%d}' % RETRY_AFTER_S
)
NO_LENGTH = b'{"outcome":"unreadable","sentence":"say how long the request is: Content-Length"}'
NO_LENGTH_HEAD = (
    b"HTTP/1.1 411 Length Required\r\ncontent-type: application/json\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n"
)


class Backlog:
    """Whether what waits to be sent on a transport gets less."""

    def __init__(self, now_s: float) -> None:
        self._size, self._since_s = 0, now_s

    def stands_for_s(self, size: int, now_s: float) -> float:
        if not size or size < self._size:
            self._since_s = now_s
        self._size = size
        return now_s - self._since_s


class _Bounded(asyncio.Protocol):
    """What a protocol of either kind has for the register."""

    register: ClassVar[ConnectionRegister]
    transport: asyncio.Transport
    backlog: Backlog
    closing_since_s: float | None = None

    def why_overdue(self, now_s: float) -> str:
        """Why this connection has to end; nothing where it may go on."""
        if self.transport.is_closing():
            self.closing_since_s = self.closing_since_s or now_s
            if now_s - self.closing_since_s > CLOSE_WITHIN_S:
                return "it did not close"
        waits = self.transport.get_write_buffer_size()
        if self.backlog.stands_for_s(waits, now_s) > READ_WITHIN_S:
            return "nobody reads what is sent"
        return ""


class BoundedHttp(_Bounded, H11Protocol):
    is_over = False  # refused, or a socket from now on: nothing more is read here
    asked_since_s: float | None = None
    """Since when a request has been arriving that is not yet whole."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.asked_since_s = now_s = time.monotonic()
        self.backlog = Backlog(now_s)
        self.is_over = not self.register.enter(self)
        if self.is_over:
            transport.write(FULL % (503, b"Service Unavailable", RETRY_AFTER_S, len(SAID), SAID))
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.register.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        for piece in _slices(data):
            if self.is_over or self.transport.is_closing():
                return
            super().data_received(piece)
            self._refuse_chunks()
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self.asked_since_s = self.asked_since_s or time.monotonic()
        else:
            self.asked_since_s = None

    def _refuse_chunks(self) -> None:
        """A body in chunks costs far more to parse than to send, and no client of ours has one."""
        if not self.is_over and any(name == b"transfer-encoding" for name, _ in self.headers or ()):
            self.is_over = True
            self.transport.write(NO_LENGTH_HEAD % len(NO_LENGTH) + NO_LENGTH)
            self.transport.close()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.is_over = True
        self.register.leave(self)
        super().handle_websocket_upgrade(event)

    def why_overdue(self, now_s: float) -> str:
        if self.asked_since_s is not None:
            in_headers = self.conn.their_state is h11.IDLE
            limit_s = HEADERS_WITHIN_S + (0 if in_headers else BODY_WITHIN_S)
            if now_s - self.asked_since_s > limit_s:
                return "its request did not arrive"
        return super().why_overdue(now_s)


class BoundedWebSocket(_Bounded, WebSocketsSansIOProtocol):
    other_frames = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.backlog = Backlog(time.monotonic())
        self.register.enter(self, is_known=True)

    def connection_lost(self, exc: Exception | None) -> None:
        self.register.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """While a message waits the transport is not read, but this read may hold many more; and
        what is no message is never waited for."""
        for piece in _slices(data):
            super().data_received(piece)
            if self.transport.is_closing():
                return
            if self.other_frames > MOST_OTHER_FRAMES or self.queue.qsize() > MOST_WAITING:
                self.register.cut(self, "it sends more than it waits for")
                return

    def handle_ping(self) -> None:
        self.other_frames += 1
        super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        self.other_frames += 1
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        self.other_frames += 1
        super().handle_cont(event)

    def why_overdue(self, now_s: float) -> str:
        self.other_frames = 0
        return super().why_overdue(now_s)


def _slices(data: bytes) -> Iterator[bytes]:
    return (data[at : at + SLICE] for at in range(0, len(data), SLICE))


class Protocols(NamedTuple):
    http: type[BoundedHttp]
    websocket: type[BoundedWebSocket]


class ConnectionRegister:
    """Every connection of a service, by address."""

    def __init__(self, chosen: Settings) -> None:
        self._most, self._most_here = chosen.connections, chosen.connections_an_address
        self._proxies = {network(name.strip()) for name in chosen.proxies.split(",")}
        self._open: dict[_Bounded, str] = {}
        self._here: Counter[str] = Counter()
        self._sweeping: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def protocols(self) -> Protocols:
        """The protocols of a service whose connections are counted here."""
        own = {"register": self}
        return Protocols(
            cast(type[BoundedHttp], type("Http", (BoundedHttp,), own)),
            cast(type[BoundedWebSocket], type("WebSocket", (BoundedWebSocket,), own)),
        )

    def enter(self, one: _Bounded, *, is_known: bool = False) -> bool:
        """Whether there is a place; a connection that only changes its protocol has its own. Who
        is told that there is none is watched until it is gone."""
        peer = one.transport.get_extra_info("peername")
        address = network(peer[0]) if isinstance(peer, tuple) else ""
        # Whoever comes by a proxy has its address: there the whole service's cap is all there is.
        is_full_here = self._here[address] >= self._most_here and address not in self._proxies
        is_full = not is_known and (len(self._open) >= self._most or is_full_here)
        self._open[one] = address
        self._here[address] += 1
        if self._sweeping is None:
            self._sweeping = asyncio.get_running_loop().call_later(SWEEP_S, self._sweep)
        return not is_full

    def leave(self, one: _Bounded) -> None:
        address = self._open.pop(one, None)
        if address is not None:
            self._here[address] -= 1
            if not self._here[address]:
                del self._here[address]

    def cut(self, one: _Bounded, why: str) -> None:
        LOG.info("a connection was cut", extra={"address": self._open.get(one, ""), "why": why})
        one.transport.abort()

    def _sweep(self) -> None:
        now_s = time.monotonic()
        for one in list(self._open):
            why = one.why_overdue(now_s)
            if why:
                self.cut(one, why)
        again = asyncio.get_running_loop().call_later
        self._sweeping = again(SWEEP_S, self._sweep) if self._open else None
