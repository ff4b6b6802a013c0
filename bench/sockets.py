"""A WebSocket client that costs little, so that a generator beside a service measures the service.

It speaks just what is needed: whole text frames both ways, and pings answered.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
LONG, LONGER = 126, 127
NO_MASK = bytes(4)  # a client must mask; a mask of zeros leaves the text as it is


class CutOff(Exception):
    """The service is gone from the other end."""


class LightSocket(asyncio.Protocol):
    """``hear`` gets every text frame; ``opened`` is done when the service has agreed; ``cut`` is
    called when the service is gone."""

    def __init__(
        self,
        path: str,
        token: str,
        hear: Callable[[bytes], None],
        cut: Callable[[], None] = lambda: None,
    ) -> None:
        self._path, self._token, self.hear, self._cut = path, token, hear, cut
        self._transport: asyncio.Transport | None = None
        self._left = b""
        self.frames = self.heard_bytes = 0
        self.closed = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport = cast(asyncio.Transport, transport)
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
        self.heard_bytes += len(data)
        if not self.opened.done():
            head, found, rest = self._left.partition(b"\r\n\r\n")
            if not found:
                return
            self._left = rest
            if b" 101 " not in head.split(b"\r\n")[0]:
                self.opened.set_exception(CutOff(head.decode()))
                return
            self.opened.set_result(None)
        self._read_frames()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(CutOff("the service hung up"))
        elif not self.closed:
            self.closed = True
            self._cut()

    def send(self, text: bytes, kind: int = TEXT) -> None:
        if self._transport is None or self.closed:
            raise CutOff
        size = len(text)
        length = bytes([0x80 | size]) if size < LONG else bytes([0x80 | LONG, *divmod(size, 256)])
        self._transport.write(bytes([0x80 | kind]) + length + NO_MASK + text)

    def close(self) -> None:
        self.closed = True
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
            self.hear(text)
        elif kind == PING:
            self.send(text, PONG)
