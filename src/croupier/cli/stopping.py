"""A service that obeys signals: having stopped when asked is success."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

STOPS = (signal.SIGINT, signal.SIGTERM)


class Server(uvicorn.Server):
    """A signal to stop is obeyed, and not raised again afterwards."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle_exit) for number in STOPS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
