"""The short way to a viewer: whole frames, and nothing piled up for who does not read."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import uvicorn
from websockets.asyncio.client import connect
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from croupier.server.http.websocket_protocol import FrameSender, text_frame, wire_of

SIZES = (0, 1, 125, 126, 127, 65_535, 65_536, 100_000)
PIECE = 50_000
MOST = 2_000


@pytest.mark.parametrize("size", SIZES)
def test_a_text_of_any_size_is_one_frame(size: int) -> None:
    text = b"x" * size
    reader = StreamReader()
    reader.feed_data(text_frame(text))
    reader.feed_eof()
    parsing = Frame.parse(reader.read_exact, mask=False)
    with pytest.raises(StopIteration) as done:
        next(parsing)
    frame = done.value.value
    assert (frame.opcode, frame.fin, bytes(frame.data)) == (Opcode.TEXT, True, text)


def test_who_does_not_read_is_told_the_newest_when_he_does() -> None:
    asyncio.run(_slow_reader())


async def _slow_reader() -> None:
    sent = 0
    full, over = asyncio.Event(), asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        """Tells until the reader is behind; then only what is the newest when he comes back."""
        nonlocal sent
        await receive()
        await send({"type": "websocket.accept"})
        wire = wire_of(scope)
        assert wire is not None
        while wire.takes_more and sent < MOST:
            wire.tell(b"%06d " % sent + b"." * PIECE)
            sent += 1
            await asyncio.sleep(0)
        wire.relieved = lambda: wire.tell(b"newest") if wire.takes_more else None
        full.set()
        await over.wait()

    config = uvicorn.Config(app, port=0, ws=FrameSender, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    serving = asyncio.ensure_future(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    async with connect(f"ws://127.0.0.1:{port}", max_queue=1, compression=None) as reader:
        await asyncio.wait_for(full.wait(), 20)
        heard = [await asyncio.wait_for(reader.recv(), 20) for _ in range(sent)]
        assert sent < MOST
        assert [int(str(text)[:6]) for text in heard] == list(range(sent))
        assert await asyncio.wait_for(reader.recv(), 20) == "newest"
        over.set()
    server.should_exit = True
    await serving
