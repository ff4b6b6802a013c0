"""A floor of tables with everybody logged in, on one process or on several that share it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from argon2 import PasswordHasher

from bench.processor import family_s, resident_mib, used_s
from bench.script import BOXES, Person, TableScript
from croupier.games.registry import the_registry
from croupier.ledger.installation import install
from croupier.ledger.kept_table import system_clock
from croupier.ledger.shoe.entropy import Chance
from croupier.ledger.shoe.key_ring import KeyRing, create_ring
from croupier.ledger.shoe.pack import fresh_pack
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.shared_postgres import SharedLedger
from croupier.server.access.people import People
from croupier.submission.check import shipped_submission
from croupier.table.powers import Preset
from tests.ledger.stores import postgresql_server
from tests.server.service import PASSWORD, Service

SQLITE = ""
PATIENCE_S = 120
POLICY: Preset = "home"  # the dealer of a script sells chips alone


class Used(NamedTuple):
    """Seconds of CPU; ``database_s`` is None where the database has no process to look at."""

    services_s: tuple[float, ...]
    generator_s: float
    database_s: float | None = None

    def __sub__(self, other: Used) -> Used:
        apart = self.database_s is None or other.database_s is None
        return Used(
            tuple(a - b for a, b in zip(self.services_s, other.services_s, strict=True)),
            self.generator_s - other.generator_s,
            None if apart else (self.database_s or 0) - (other.database_s or 0),
        )


class Floor:
    """``postmaster`` is the process of the database, where it is ours; ``ring`` has the keys of the
    pit, for whoever writes into its ledger from outside."""

    def __init__(
        self,
        address: str,
        services: Sequence[Service],
        tables: list[TableScript],
        postmaster: int | None = None,
        ring: KeyRing | None = None,
    ) -> None:
        self.address, self.services, self.tables = address, services, tables
        self.ring = ring
        self._postmaster = postmaster

    def used(self) -> Used:
        pids = [each.process.pid for each in self.services if each.process is not None]
        return Used(
            tuple(used_s(pid) for pid in pids),
            time.process_time(),
            family_s(self._postmaster) if self._postmaster is not None else None,
        )

    def memory_mib(self) -> list[float]:
        return [resident_mib(each.process.pid) for each in self.services if each.process]

    def owners(self) -> dict[str, int]:
        """Which table is played at which port, by the locks themselves."""
        with closing(SharedLedger(self.address, "http://bench", create=False)) as eye:
            found = eye.roster([table.name for table in self.tables]).owners
        return {name: int(at.address.rpartition(":")[2]) for name, at in found.items()}

    def forwarded(self) -> float:
        """The share of sockets that are at another process than their table."""
        if len(self.services) == 1:
            return 0.0
        owners = self.owners()
        wrong = [port != owners.get(t.name) for t in self.tables for port in t.ports]
        return sum(wrong) / len(wrong)

    def missing(self, command_ids: Sequence[str]) -> int:
        """How many of these commands, all of them answered, are not in the ledger."""
        with closing(open_ledger(self.address, read_only=True)) as ledger:
            return sum(not ledger.answered(command_id) for command_id in command_ids)

    def shared_out(self) -> None:
        """Wait until every process has its share."""
        until = time.monotonic() + PATIENCE_S
        while True:
            ports = list(self.owners().values())
            shares = [ports.count(each.port) for each in self.services]
            if len(ports) == len(self.tables) and max(shares) - min(shares) <= 1:
                return
            assert time.monotonic() < until, f"tables are not shared out: {shares}"
            time.sleep(0.2)


@contextmanager
def floor(size: int) -> Iterator[Floor]:
    """So many tables in one process, on SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pit.db"
        fill(str(file), Path(f"{file}.keys"), table_names(size))
        with Service(Path(folder), str(file), policy=POLICY).running() as service:
            yield Floor(str(file), [service], _scripts([service], size))


@contextmanager
def floor_on_postgresql(
    size: int,
    processes: int,
    address: str = "",
    *,
    link: str = "",
) -> Iterator[Floor]:
    """The tables shared by processes; without an address on a server of its own, on the disk."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postmaster = None
        if not address:
            server = stack.enter_context(postgresql_server(folder))
            address = server.new_database()
            postmaster = int((server.folder / "postmaster.pid").read_text().split()[0])
        keys = folder / "keys"
        ring = fill(address, keys, table_names(size), link)
        services = [_process(folder / str(n), address, keys) for n in range(processes)]
        for service in services:
            stack.enter_context(service.running())
        found = Floor(address, services, _scripts(services, size), postmaster, ring)
        found.shared_out()
        yield found


def table_names(size: int) -> list[str]:
    return [f"T{n:03}" for n in range(1, size + 1)]


def _process(folder: Path, address: str, keys: Path) -> Service:
    folder.mkdir()
    return Service(folder, address, "--keys", str(keys), policy=POLICY)


def _scripts(services: Sequence[Service], size: int) -> list[TableScript]:
    """Sockets go round the processes; whoever is cut off at one goes on to the next."""
    ports = [service.port for service in services]

    def doors(n: int) -> list[list[int]]:
        return [_turned(ports, n + seat) for seat in range(1 + BOXES)]

    return [
        TableScript(name, doors(n), _logged_in(services[0], name))
        for n, name in enumerate(table_names(size))
    ]


def _turned(ports: list[int], by: int) -> list[int]:
    return ports[by % len(ports) :] + ports[: by % len(ports)]


def _people(table: str) -> list[str]:
    return [f"{table} dealer", *(f"{table} player {seat}" for seat in range(1, BOXES + 1))]


def _logged_in(service: Service, table: str) -> list[Person]:
    return [Person(name, service.log_in(name).token) for name in _people(table)]


def fill(address: str, keys: Path, names: Sequence[str], link: str = "") -> KeyRing:
    """Tables and people, written before anybody measures."""
    ring, chance = create_ring(keys), Chance()
    with closing(open_ledger(address, create=True)) as ledger:
        people = People(ledger, system_clock, PasswordHasher(1, 64, 1))
        submission = shipped_submission("UTH-S")
        for name in names:
            install(
                ledger, submission, the_registry(), ring, lambda: fresh_pack(chance),
                by="bench", name=name, link=link, policy=POLICY,
            )  # fmt: skip
            for person in _people(name):
                role = "dealer" if person.endswith("dealer") else "player"
                people.add(person, role, PASSWORD, by="bench")
    return ring
