"""The inner protocols of uvicorn still have what our limits hang on.

Bytes go in as a socket would bring them, so a release that calls a hook by another name, or not at
all, fails here. ``tests/attack`` shows what the limits are good for.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec

import h11
import pytest
import uvicorn
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from croupier.server.http.connections import MOST_OTHER_FRAMES, ConnectionRegister
from croupier.server.settings import Settings

P = ParamSpec("P")
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
HEADERS = b"POST / HTTP/1.1\r\nHost: here\r\n"


class Wire(asyncio.Transport):
    """Nobody at the other end: what is written is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.written, self.is_over = b"", False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None: ...

    def is_closing(self) -> bool:
        return self.is_over

    def close(self) -> None:
        self.is_over = True

    def abort(self) -> None:
        self.is_over = True


async def answers_nothing(scope: object, receive: object, send: object) -> None:
    await asyncio.Event().wait()


def entered(kind: str, wire: Wire) -> Any:
    """A connection of either kind, as a service makes one."""
    protocols = ConnectionRegister(Settings()).protocols()
    config = uvicorn.Config(answers_nothing, http=protocols.http, ws=protocols.websocket)
    made = getattr(protocols, kind)(config, ServerState(), {})
    made.connection_made(wire)
    return made


def looped(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    @functools.wraps(test)
    def run(*args: P.args, **named: P.kwargs) -> None:
        asyncio.run(test(*args, **named))

    return run


def frame(opcode: Opcode, *, is_last: bool = True) -> bytes:
    return Frame(opcode, b"7", fin=is_last).serialize(mask=True)


@pytest.mark.parametrize(
    "sent",
    [
        frame(Opcode.PING),
        frame(Opcode.PONG),
        frame(Opcode.TEXT, is_last=False) + frame(Opcode.CONT),
    ],
    ids=["ping", "pong", "part"],
)
@looped
async def test_each_frame_that_is_no_message_is_counted(sent: bytes) -> None:
    socket = entered("websocket", wire := Wire())
    socket.data_received(UPGRADE + sent)
    assert socket.other_frames == 1
    socket.data_received(sent * MOST_OTHER_FRAMES)
    assert wire.is_over


@looped
async def test_messages_that_nobody_takes_wait_where_they_are_counted() -> None:
    socket = entered("websocket", wire := Wire())
    socket.data_received(UPGRADE)
    before = socket.queue.qsize()
    socket.data_received(frame(Opcode.TEXT) * 3)
    assert socket.queue.qsize() == before + 3
    assert (socket.other_frames, wire.is_over) == (0, False)


@looped
async def test_the_parser_says_what_is_still_to_come_of_a_request() -> None:
    http = entered("http", Wire())
    for sent, state, waits in (
        (HEADERS, h11.IDLE, True),
        (b"Content-Length: 2\r\n\r\n", h11.SEND_BODY, True),
        (b"{", h11.SEND_BODY, True),
        (b"}", h11.DONE, False),
    ):
        http.data_received(sent)
        assert http.conn.their_state is state
        assert (http.asked_since_s is not None) is waits


@looped
async def test_the_headers_of_a_request_are_known_before_its_body_is_parsed() -> None:
    http = entered("http", wire := Wire())
    http.data_received(HEADERS + b"Transfer-Encoding: chunked\r\n\r\n")
    assert wire.written.startswith(b"HTTP/1.1 411 ")
    assert wire.is_over


@looped
async def test_an_upgrade_leaves_the_parser_of_requests() -> None:
    http = entered("http", Wire())
    http.data_received(UPGRADE)
    assert http.is_over


@looped
async def test_a_text_waits_until_it_can_be_written() -> None:
    wire = Wire()
    socket = entered("websocket", wire)
    socket.data_received(UPGRADE)
    await socket.send({"type": "websocket.accept"})
    before = len(wire.written)
    socket.pause_writing()
    sending = asyncio.ensure_future(socket.send({"type": "websocket.send", "text": "later"}))
    await asyncio.sleep(0)
    assert len(wire.written) == before
    socket.resume_writing()
    await sending
    assert wire.written[before:].endswith(b"later")


@pytest.mark.parametrize("is_lost", [True, False])
@looped
async def test_a_text_to_nobody_says_so(is_lost: bool) -> None:
    wire = Wire()
    socket = entered("websocket", wire)
    socket.data_received(UPGRADE)
    await socket.send({"type": "websocket.accept"})
    if is_lost:
        socket.connection_lost(None)
    else:
        socket.data_received(Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True))
    before = len(wire.written)
    with pytest.raises(ClientDisconnected):
        await socket.send({"type": "websocket.send", "text": "too late"})
    assert len(wire.written) == before
