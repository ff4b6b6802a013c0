"""A wire between a ledger and its server that can be cut at the worst moment."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from tests.ledger.stores import Server

Fault = Literal["", "request", "answer", "answer, then dead", "answer, then asleep"]
COMMIT = b"COMMIT"


class Wire:
    """Passes everything on until a commit goes by while ``fault`` is set; that happens once."""

    def __init__(self, server: Server) -> None:
        self._behind = str(Path(server.socket) / ".s.PGSQL.5432")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.fault: Fault = ""
        self.dead = False
        self._unanswered: list[socket.socket] = []
        self.asleep = threading.Event()  # who comes then is let in and never answered

    def serve(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self.dead:
                client.close()
                continue
            if self.asleep.is_set():
                self._unanswered.append(client)
                continue
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._behind)
            cut = threading.Event()
            for way in (self._requests, self._answers):
                threading.Thread(target=way, args=(client, server, cut), daemon=True).start()

    def close(self) -> None:
        for client in self._unanswered:
            hang_up(client)
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _requests(self, client: socket.socket, server: socket.socket, cut: threading.Event) -> None:
        with suppress(OSError):
            while request := client.recv(65536):
                if self.fault and COMMIT in request:
                    cut.set()
                    if self.fault == "request":
                        break
                server.sendall(request)
        hang_up(server)

    def _answers(self, client: socket.socket, server: socket.socket, cut: threading.Event) -> None:
        with suppress(OSError):
            while (answer := server.recv(65536)) and not cut.is_set():
                client.sendall(answer)
        if cut.is_set():
            self.dead = "dead" in self.fault
            if "asleep" in self.fault:
                self.asleep.set()
                self._unanswered.append(client)
            self.fault = ""
        if not self.asleep.is_set():
            hang_up(client)
        hang_up(server)


def hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextmanager
def wire_to(server: Server) -> Iterator[Wire]:
    wire = Wire(server)
    thread = threading.Thread(target=wire.serve)
    thread.start()
    try:
        yield wire
    finally:
        wire.close()
        thread.join()
