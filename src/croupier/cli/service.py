"""A service that obeys signals: asked to end it is done with success, and Ctrl-C stops it.

One for a single person shows the link that lets him in, and listens on this machine alone unless
another address is named.
"""

from __future__ import annotations

import signal
import socket
import webbrowser
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from croupier.cli.screen import Screen
from croupier.cli.signals import STOP
from croupier.facts.errors import Unavailable
from croupier.server.settings import EVERYWHERE

LOOPBACK = "127.0.0.1"
DOCUMENTATION_ADDRESS = "192.0.2.1"  # belongs to nobody
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


def listening(port: int, host: str = LOOPBACK) -> socket.socket:
    """A socket that takes connections at an address of this machine; port 0 is any that is free."""
    door = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host, port))
        door.listen()  # who follows the link at once waits in line, and is not turned away
    except OSError as error:
        door.close()
        where = f"port {port}" if host == LOOPBACK else f"{host}, port {port},"
        raise Unavailable(f"{where} cannot be used: {error.strerror}") from None
    return door


def address_of(door: socket.socket) -> str:
    """Where others reach who listens there; everywhere is told as the address in the network."""
    host, port = door.getsockname()[:2]
    if host in EVERYWHERE:
        host = network_address()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def network_address() -> str:
    """This machine's address in its network: where a datagram would leave from; none is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((DOCUMENTATION_ADDRESS, 9))
            found: str = probe.getsockname()[0]
            return found
        except OSError:
            return LOOPBACK


def show_link(console: Screen, says: str, link: str, *, browser: bool) -> None:
    """Say where the service is, and open it."""
    console.print(f"{says}: {link}", soft_wrap=True)
    if browser:
        webbrowser.open(link)
