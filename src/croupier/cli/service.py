"""A service that obeys signals: asked to end it is done with success, and Ctrl-C stops it."""

from __future__ import annotations

import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from croupier.cli.signals import STOP

STOPS = (signal.SIGINT, signal.SIGTERM)


class Server(uvicorn.Server):
    """A signal to stop is obeyed, and not raised again afterwards.

    ``greet`` comes once it listens, and never where it cannot; ``leave`` is done first when it
    stops, while everybody is still served.
    """

    greet: Callable[[], None] | None = None
    leave: Callable[[], Awaitable[None]] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self.greet is not None:
            self.greet()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.leave is not None:
            await self.leave()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig == signal.SIGINT:
            STOP.ask()  # the event loop has the pipe that would wake the watcher
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle_exit) for number in STOPS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
