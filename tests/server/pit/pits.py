"""Two services that share one pit on PostgreSQL, and somebody who can tell which has a table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from croupier.audit.ledger_audit import audited
from croupier.games.registry import the_registry
from croupier.ledger.shoe.key_ring import create_ring, read_ring
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.ownership import Process
from croupier.ledger.store.shared_postgres import SharedLedger
from tests.ledger.stores import Server
from tests.server.service import Client, Service
from tests.server.staff import Table, hire

QUIET_S = 1  # a silent process loses its tables after a second, where nobody wants to wait
PATIENCE_S = 40


class Pits:
    """``a`` and ``b``; whoever is hired at one is known at the other by the same token."""

    def __init__(self, server: Server, address: str, folder: Path) -> None:
        self.server, self.address, self.folder = server, address, folder
        self.keys = folder / "keys"
        create_ring(self.keys)
        self.a, self.b = self.service("a"), self.service("b")
        self.people: dict[str, Client] = {}
        self._eye = SharedLedger(address, "http://eye")

    def service(
        self, name: str, keys: Path | None = None, kind: type[Service] = Service
    ) -> Service:
        place = self.folder / name
        place.mkdir()
        return kind(
            place,
            self.address,
            "--keys",
            str(keys or self.keys),
            silence_seconds=QUIET_S,
            decision_seconds=0,
            log="json",
        )

    def close(self) -> None:
        self._eye.close()

    @property
    def owners(self) -> dict[str, Service]:
        """Who has which table, by the locks themselves."""
        names = [name.removeprefix("table/") for name in self._eye.heads() if "table/" in name]
        found = self._eye.roster(names).owners
        return {name: self._at(process) for name, process in found.items()}

    def backend_of(self, service: Service) -> int:
        return next(p.backend for p in self._eye.roster([]).processes if p.address == service.url)

    def _at(self, process: Process) -> Service:
        return next(each for each in (self.a, self.b) if each.url == process.address)

    def other(self, service: Service) -> Service:
        return self.b if service is self.a else self.a

    def at(self, service: Service, table: Table) -> Table:
        """The same people, at the terminals of one of the services."""
        moved = {
            who: Client(service, client.token, client.name) for who, client in self.people.items()
        }
        return Table(moved, table.name, table.game)

    def audited(self) -> Any:
        """Every line proved, every round settled again, and the books at zero."""
        ledger = open_ledger(self.address, read_only=True)
        try:
            found = audited(ledger, the_registry(), ring=read_ring(self.keys))
        finally:
            ledger.close()
        assert found.differences == [], found.differences
        return found


def soon(true: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < until, "it did not come true"
        time.sleep(0.02)


@contextmanager
def two_services(server: Server, folder: Path) -> Iterator[Pits]:
    pits = Pits(server, server.empty_database(), folder)
    try:
        with ExitStack() as stack:
            stack.enter_context(pits.a.running())
            pits.people = hire(pits.a)
            stack.enter_context(pits.b.running())
            yield pits
    finally:
        pits.close()
        server.take_back()
