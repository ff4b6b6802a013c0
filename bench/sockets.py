"""A WebSocket client that costs little, so that a generator beside a service measures the service.

It speaks just what is needed: whole text frames both ways, and pings answered.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
LONG, LONGER = 126, 127
NO_MASK = bytes(4)  # a client must mask; a mask of zeros leaves the text as it is


class LightSocket(asyncio.Protocol):
    """``hear`` gets every text frame; ``opened`` is done when the service has agreed."""

    def __init__(self, path: str, token: str, hear: Callable[[bytes], None]) -> None:
        self._path, self._token, self._hear = path, token, hear
        self._transport: asyncio.Transport | None = None
        self._left = b""
        self.frames = 0
        self.closed = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            f"GET {self._path} HTTP/1.1",
            "Host: bench",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            f"Authorization: Bearer {self._token}",
        )
        transport.write("\r\n".join((*lines, "", "")).encode())

    def data_received(self, data: bytes) -> None:
        self._left += data
        if not self.opened.done():
            head, found, rest = self._left.partition(b"\r\n\r\n")
            if not found:
                return
            assert b" 101 " in head.split(b"\r\n")[0], head
            self._left = rest
            self.opened.set_result(None)
        self._read_frames()

    def connection_lost(self, error: Exception | None) -> None:
        self.closed = True

    def send(self, text: bytes, kind: int = TEXT) -> None:
        assert self._transport is not None
        size = len(text)
        length = bytes([0x80 | size]) if size < LONG else bytes([0x80 | LONG, *divmod(size, 256)])
        self._transport.write(bytes([0x80 | kind]) + length + NO_MASK + text)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def _read_frames(self) -> None:
        buffer, at = self._left, 0
        while len(buffer) - at >= 2:
            kind, size, start = buffer[at] & 0x0F, buffer[at + 1] & 0x7F, at + 2
            if size == LONG:
                size, start = int.from_bytes(buffer[start : start + 2], "big"), start + 2
            elif size == LONGER:
                size, start = int.from_bytes(buffer[start : start + 8], "big"), start + 8
            if len(buffer) < start + size:
                break
            self._take(kind, buffer[start : start + size])
            at = start + size
        self._left = buffer[at:]

    def _take(self, kind: int, text: bytes) -> None:
        if kind == TEXT:
            self.frames += 1
            self._hear(text)
        elif kind == PING:
            self.send(text, PONG)
