"""The short way to a viewer: what a table has to tell goes to his line at once, without a task.

Everything else about a socket is uvicorn's. Where another server runs the service there is no
such line, and views go the long way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

WIRE = "croupier.wire"
WHOLE_TEXT = b"\x81"  # a text that is one frame; what a server sends is not masked
SHORT, LONG = 126, 1 << 16
OPEN = State.OPEN


class FrameSender(WebSocketsSansIOProtocol):
    """uvicorn's own socket, found by a handler in its scope.

    ``relieved`` is called when a reader who was behind has read what was sent.
    """

    relieved: Callable[[], None] | None = None
    _has_room = True

    async def run_asgi(self) -> None:
        self.scope["extensions"] = {**(self.scope["extensions"] or {}), WIRE: {"line": self}}
        await super().run_asgi()

    @property
    def takes_more(self) -> bool:
        """Whether somebody is there who has read what he was sent."""
        return self._has_room and self.conn.state is OPEN and not self.disconnected

    def tell(self, text: bytes) -> None:
        self.transport.write(text_frame(text))

    def pause_writing(self) -> None:
        self._has_room = False
        super().pause_writing()

    def resume_writing(self) -> None:
        self._has_room = True
        super().resume_writing()
        if self.relieved is not None:
            self.relieved()


def text_frame(text: bytes) -> bytes:
    """A whole text as a server sends it (RFC 6455, 5.2)."""
    size = len(text)
    if size < SHORT:
        return WHOLE_TEXT + size.to_bytes(1, "big") + text
    if size < LONG:
        return WHOLE_TEXT + b"\x7e" + size.to_bytes(2, "big") + text
    return WHOLE_TEXT + b"\x7f" + size.to_bytes(8, "big") + text


def wire_of(scope: Mapping[str, Any]) -> FrameSender | None:
    line = ((scope.get("extensions") or {}).get(WIRE) or {}).get("line")
    return line if isinstance(line, FrameSender) else None
