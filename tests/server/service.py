"""A real service on a real socket, and people who use it as any client would."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from itertools import count
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from websockets.sync.client import ClientConnection, connect

PASSWORD = "correct horse battery"
START_WITHIN_S = 300  # on a machine that has much else to do
ADMINISTRATOR = "ada"
KEPT_ALIVE_S = 2  # less than a service keeps a line that nobody speaks on
MANAGERS: dict[str, str] = {}  # the first of each pit, who seconds what waits
# Passwords cost little here, nobody is too quick, and nobody who edits the code stops a test.
QUICK = {
    "CROUPIER_ARGON2_MEMORY_KIB": "64",
    "CROUPIER_ARGON2_ROUNDS": "1",
    "CROUPIER_LOGINS_A_MINUTE": "100000",
    "CROUPIER_COMMANDS_A_SECOND": "100000",
    "CROUPIER_ANONYMOUS_REQUESTS_A_SECOND": "100000",
    "CROUPIER_CONNECTIONS": "10000",
    "CROUPIER_CONNECTIONS_AN_ADDRESS": "10000",
    "CROUPIER_REFUSALS_AN_HOUR": "100000",
    "CROUPIER_LOGINS_A_PERSON": "100000",
    "CROUPIER_SOCKETS_A_PERSON": "100000",
    "CROUPIER_SELF_CHECK": "false",
}


class Service:
    """``croupier serve`` in a process of its own."""

    program = "croupier"

    def __init__(
        self,
        folder: Path,
        address: str = "",
        *options: str,
        trusting: ssl.SSLContext | None = None,
        environment: Mapping[str, str] | None = None,
        **setting: object,
    ) -> None:
        self.folder, self.port = folder, _free_port()
        self.address = address or str(folder / "pit.db")
        self._options = options
        said = {f"CROUPIER_{name.upper()}": str(value) for name, value in setting.items()}
        self.trusting = trusting
        self._environment = {**os.environ, **QUICK, **said, "COLUMNS": "200"}
        self._environment |= {"XDG_CONFIG_HOME": str(folder / "config"), **(environment or {})}
        self._log = folder / "serve.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.clients: list[Client] = []

    @property
    def url(self) -> str:
        scheme, host = ("https", "localhost") if self.trusting else ("http", "127.0.0.1")
        return f"{scheme}://{host}:{self.port}"

    def start(self) -> Service:
        script = [sys.executable, "-m", self.program, "serve", "--ledger", self.address]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [*script, "--port", str(self.port), *self._options],
                stderr=log,
                stdout=log,
                env=self._environment,
            )
        deadline = time.monotonic() + START_WITHIN_S
        while time.monotonic() < deadline:
            try:
                urlopen(f"{self.url}/health", timeout=5, context=self.trusting).read()
                return self
            except OSError:
                assert self.process.poll() is None, self._log.read_text()
                time.sleep(0.05)
        raise AssertionError(self._log.read_text())

    def line(self) -> HTTPConnection:
        if self.trusting is not None:
            return HTTPSConnection("localhost", self.port, timeout=60, context=self.trusting)
        return HTTPConnection("127.0.0.1", self.port, timeout=60)

    def kill(self) -> None:
        assert self.process is not None
        self._hang_up()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        assert self.process is not None
        self._hang_up()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)

    def _hang_up(self) -> None:
        for client in self.clients:
            client.hang_up()

    @contextmanager
    def running(self) -> Iterator[Service]:
        try:
            yield self.start()
        finally:
            if self.process is not None and self.process.poll() is None:
                self.stop()

    def said(self) -> str:
        return self._log.read_text()

    def set_up(self) -> Client:
        """The first administrator, logged in."""
        codes = re.findall(r"setup code: (\S+)", self.said())
        assert codes, self.said()
        Client(self).post(
            "/api/setup",
            {"name": ADMINISTRATOR, "password": PASSWORD},
            headers={"X-Setup-Code": codes[-1]},
        )
        return self.log_in(ADMINISTRATOR)

    def seconded(self, name: str) -> Any:
        """The manager's word on what waits about somebody."""
        manager = self.log_in(MANAGERS[self.address])
        return manager.post(f"/api/people/{name}/second", {"upheld": True})

    def confirm(self, told: Any) -> None:
        """The manager's word on a table or a link that waits."""
        manager = self.log_in(MANAGERS[self.address])
        manager.post(f"/api/waiting/{told['act']}/{told['name']}", {"upheld": True})
        manager.post("/api/logout")

    def log_in(self, name: str) -> Client:
        client = Client(self)
        told = client.post("/api/login", {"name": name, "password": PASSWORD})
        client.token, client.name = told["token"], name
        return client


class Client:
    """Somebody at a terminal."""

    ids = count(1)

    def __init__(self, service: Service, token: str = "", name: str = "") -> None:
        self.service, self.token, self.name = service, token, name
        self._line: HTTPConnection | None = None
        self._used = 0.0
        self.headers: dict[str, str] = {}
        service.clients.append(self)

    def hang_up(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None

    def get(self, path: str) -> Any:
        return self.send("GET", path)[1]

    def post(self, path: str, data: Any = None, headers: dict[str, str] | None = None) -> Any:
        return self.send("POST", path, data, headers)[1]

    def put(self, path: str, data: Any = None) -> Any:
        return self.send("PUT", path, data)[1]

    def delete(self, path: str) -> Any:
        return self.send("DELETE", path)[1]

    def hire(self, name: str, role: str, tables: list[str] | None = None) -> Client:
        """Let somebody in; the first manager seconds whoever waits for a second person."""
        said = {"name": name, "role": role, "password": PASSWORD, "tables": tables}
        told = self.post("/api/people", said)
        if told.get("waits"):
            self.service.seconded(name)
        if role == "manager":
            MANAGERS.setdefault(self.service.address, name)
        return self.service.log_in(name)

    def ask(self, table: str, do: str, seen: int | None = None, **fields: Any) -> Any:
        """Give a command; what comes back is the outcome, whatever it is."""
        asked = {"id": self.next_id(), "command": {"do": do, **fields}, "seen": seen}
        return self.post(f"/api/tables/{table}/commands", asked)

    def done(self, table: str, do: str, **fields: Any) -> Any:
        """Give a command that has to be carried out."""
        told = self.ask(table, do, **fields)
        assert told["outcome"] == "done", told
        return told

    def next_id(self) -> str:
        return f"{os.getpid()}-{next(self.ids)}"

    def look(self, table: str) -> Any:
        return self.get(f"/api/tables/{table}")

    @contextmanager
    def watching(
        self, table: str, headers: dict[str, str] | None = None
    ) -> Iterator[ClientConnection]:
        url = f"ws{self.service.url.removeprefix('http')}/api/tables/{table}/live"
        said = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        whole, safely = said | (headers or {}), self.service.trusting
        with connect(url, additional_headers=whole, open_timeout=20, ssl=safely) as socket:
            yield socket

    def send(
        self, method: str, path: str, data: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        """The status and what was said; bytes are sent as they are."""
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        said = {"Content-Type": "application/json"}
        if self.token:
            said["Authorization"] = f"Bearer {self.token}"
        whole = said | (headers or {})
        if time.monotonic() - self._used > KEPT_ALIVE_S:
            self.hang_up()
        self._line = self._line or self.service.line()
        try:
            self._line.request(method, path, None if data is None else body, whole)
            answer = self._line.getresponse()
            text = answer.read()
        except (HTTPException, OSError):
            self.hang_up()
            raise
        self._used = time.monotonic()
        self.headers = dict(answer.headers)
        is_json = "json" in answer.headers.get("content-type", "")
        return answer.status, json.loads(text) if is_json and text else text.decode()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
