"""A folder served on this machine as a web host would, and cut off again."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType

HERE = "127.0.0.1"


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012 - as the class above has it
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *words: object) -> None:
        """Nobody reads along."""


class StaticHost:
    def __init__(self, folder: Path) -> None:
        self._server = ThreadingHTTPServer((HERE, 0), partial(Quiet, directory=str(folder)))
        self.url = f"http://{HERE}:{self._server.server_port}"

    def __enter__(self) -> StaticHost:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def cut(self) -> None:
        """From now on nobody answers at this address."""
        self._server.shutdown()
        self._server.server_close()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.cut()
