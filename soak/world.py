"""One simulation: a building of hosts, a ledger, a crowd, and everything that goes wrong."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import logging
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from argon2 import PasswordHasher

from croupier.games.registry import Registry, the_registry
from croupier.ledger.envelope import SYSTEM
from croupier.ledger.events import REFUSALS, TABLE
from croupier.ledger.installation import install
from croupier.ledger.shoe.key_ring import KeyRing, new_ring
from croupier.ledger.shoe.pack import fresh_pack
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.shared_postgres import SharedLedger
from croupier.ledger.store.sqlite import SqliteLedger
from croupier.ledger.verification import authenticated
from croupier.server.access.people import People
from croupier.server.app import SAYING_NO
from croupier.submission.check import shipped_submission
from croupier.table.powers import PitRole
from soak.clockwork import Loop, Process, current
from soak.crew import Crew
from soak.door import Door
from soak.faults import Faults
from soak.hosts import CHOSEN, START_US, Building, Host
from soak.judge import Failed, Judge
from soak.manager import Manager
from soak.passes import Passes
from soak.peering import Peering
from soak.people import PASSWORD, Person, Seat
from soak.places import Places
from soak.postgres import Server, Session
from soak.seams import connected, seeded
from soak.wire import Line, Lost, Roads

HOSTS = (1, 2, 3)  # one has a file to itself; several share a server
TABLES = {"U1": ("UTH-S", "both"), "U2": ("UTH-S", "both"), "F1": ("FCP-14", "")}
WITH_NUMBERS = ("U1", "F1")
PLAYERS = ("ann", "bob", "cyd", "dan")
STAFF: dict[str, PitRole] = {
    "dora": "dealer",
    "flo": "floorperson",
    "max": "manager",
    "sue": "surveillance",
    "wes": "surveillance",
}
AT_THE_DOOR: dict[str, PitRole] = {"ada": "administrator", "eli": "player"}
OWNED = (TABLE.rstrip("/"), REFUSALS.rstrip("/"))
LOOK_EVERY = 100
LULLS, LULL_S = 10, 30.0
MEMORY = Path("/dev/shm")


@dataclass
class Report:
    """What a simulation did, and what it found."""

    seed: int
    hosts: int = 0
    steps: int = 0
    virtual_s: float = 0.0
    lines: int = 0
    rounds: int = 0
    awards: int = 0
    timed_out: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    checks: dict[str, int] = field(default_factory=dict)
    trace: str = ""
    failure: str = ""
    failed_at: int = 0

    def as_json(self) -> str:
        return msgspec.json.encode(self).decode()


class World:
    """Everything in it comes from the seed; ``tell`` hears what happens, line by line."""

    def __init__(
        self,
        seed: int,
        steps: int,
        folder: Path,
        loop: Loop,
        tell: Callable[[str], None] | None = None,
        plant: Callable[[World], None] | None = None,
    ) -> None:
        self.seed, self.loop = seed, loop
        self.report = Report(seed)
        self.roads, self.lines = Roads(), list[Line]()
        self.thinking_s = 1.0
        self.tables = tuple(TABLES)
        self._steps, self._tell = steps, tell
        self._hash = hashlib.sha256()
        self._done = asyncio.Event()
        self._error: BaseException | None = None
        self.is_over = False
        self._owned = 0
        self.registry: Registry = the_registry()
        self.ring: KeyRing = new_ring()
        self._ledger = SqliteLedger(folder / "pit.db", create=True)
        authenticated(self._ledger, self.ring)
        self._set_up()
        self.judge = Judge(
            self._ledger, self.registry, self.ring, TABLES, float(CHOSEN.decision_seconds)
        )
        path = folder / "pit.db"
        self.server = Server(loop, path, self._committed)
        self.peering = Peering(loop, self.roads, self.chance("peers"))
        hosts = self.report.hosts = self.chance("house").choice(HOSTS)
        server = self.server if hosts > 1 else None
        building = Building(loop, path, self.registry, self.ring, self.count, self._wrote, server)
        self.hosts = [Host(f"h{n}", building, self.chance(f"host {n}")) for n in range(hosts)]
        self.peering.hosts = {host.name: host for host in self.hosts}
        self.passes = Passes(loop.time, self.hosts)
        self.people = {name: self._person(name, "player") for name in PLAYERS}
        others = STAFF | AT_THE_DOOR
        self.people |= {name: self._person(name, role) for name, role in others.items()}
        self.people["public"] = self._person("public", None)
        self.manager = Manager(self, self.people["max"])
        self.door, self.places = Door(self, self.chance("door")), Places(self)
        self.seats = list(self._seated())
        self.faults = Faults(self, self.chance("faults"))
        if plant is not None:
            plant(self)

    @property
    def is_told(self) -> bool:
        return self._tell is not None

    def chance(self, what: str) -> Random:
        """A stream of its own for everybody, so that one's luck is not another's."""
        return Random(f"{self.seed} {what}")

    async def run(self) -> Report:
        self.loop.set_exception_handler(self._unhandled)
        for host in self.hosts:
            host.start()
        working = [asyncio.ensure_future(self._guarded(seat.work())) for seat in self.seats]
        working.append(asyncio.ensure_future(self._guarded(self.faults.run())))
        for work in (self._watch(), self.door.work(), self.places.watch()):
            working.append(asyncio.ensure_future(self._guarded(work)))
        try:
            await self._done.wait()
            self._raise()
            self.is_over = True
            await self.faults.end()
            await asyncio.gather(*working)
            self._raise()
            await self._finish()
        finally:
            self.is_over = True
            for task in working:
                task.cancel()
            self._conclude()
        return self.report

    async def _watch(self) -> None:
        """People can do something, whatever goes wrong: it is never wrong for long."""
        while not self.is_over:
            before = self.report.steps
            for _ in range(LULLS):
                await asyncio.sleep(LULL_S)
                self.look()
                if self.is_over or self.report.steps != before:
                    break
            else:
                raise Failed(f"for {LULLS * LULL_S:.0f} seconds nobody could do anything")

    async def _finish(self) -> None:
        """The weather is fine again: every table can be played to its end, and is in order."""
        self.note("world", "calm")
        for host in self.hosts:
            host.calm()
        await asyncio.sleep(60)
        for host in self.hosts:
            if host.process is None:
                host.start()
        await asyncio.sleep(10)
        for host in self.hosts:
            host.refuse_strays()
        await Crew(self).finish()
        for host in self.hosts:
            await host.stop()
        self.judge.last_look()
        self._raise()

    # What everybody calls

    def host_of(self, table: str, chance: Random) -> Host:
        ready = [host for host in self.hosts if host.ready]
        if not ready:
            raise Lost("nobody is there")
        return chance.choice(ready)

    def host_at(self, process: Process | None) -> Host | None:
        """Where a process runs that is still there."""
        return next((host for host in self.hosts if host.process is process is not None), None)

    def cut_lines(self, host: Host) -> None:
        if host.dead:
            self.peering.cut(host.dead[-1])
        for seat in self.seats:
            if seat.line is not None and seat.host is host:
                seat.line.cut()

    def stepped(self) -> None:
        self.report.steps += 1
        if self.report.steps % LOOK_EVERY == 0:
            self.look()
        if self.report.steps >= self._steps:
            self._done.set()

    def look(self) -> None:
        """The ledger, and whether those who watch over each process still do."""
        self.judge.look()
        for host in self.hosts:
            for watchman in host.pit._watchmen if host.pit is not None else ():
                if watchman.done() and not watchman.cancelled() and watchman.exception():
                    error = watchman.exception()
                    assert error is not None
                    raise Failed(f"a watchman of {host.name} is gone: {_told(error)}")

    def note(self, who: object, what: str, *more: str) -> None:
        self._hash.update(self.say(who, what, *more).encode())

    def say(self, who: object, what: str, *more: str) -> str:
        line = f"{self.loop.time():.6f} {who} {what} {' '.join(more)}"
        if self._tell is not None:
            self._tell(line)
        return line

    def count(self, what: str) -> None:
        self.report.counts[what] = self.report.counts.get(what, 0) + 1

    def shows(self, token: str, host: Host) -> None:
        """Heard in the middle of the service's own work, which must not notice."""
        try:
            self.passes.shown(token, host)
        except Failed as failed:
            self.failed(failed)

    def failed(self, error: BaseException) -> None:
        if self._error is None:
            self._error = error
            self.report.failed_at = self.report.steps
        self._done.set()

    def bury(self) -> None:
        self.loop.set_exception_handler(lambda loop, context: None)
        for host in self.hosts:
            host.kill()
            for process in host.dead:
                process.bury()
            host.dead.clear()
        self._ledger.close()

    # Its own

    async def _guarded(self, work: Any) -> None:
        try:
            await work
        except Exception as error:
            self.failed(error)

    def _unhandled(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, SAYING_NO):
            return  # a no to somebody who was gone before he could hear it
        why = _told(error) if error is not None else ""
        self.failed(Failed(f"nobody caught this: {context.get('message')} {why}"))

    def _raise(self) -> None:
        if self._error is not None:
            raise self._error

    def _conclude(self) -> None:
        report = self.report
        report.virtual_s = self.loop.time()
        report.lines, report.awards = self.judge.lines, self.judge.awards
        report.trace = self._hash.hexdigest()[:16]
        report.checks = dict(self.judge.checks)
        report.checks["logins let in or refused, at any process"] = self.passes.checked
        report.checks["tables looked for where a process has them"] = self.places.checked
        report.checks["writes by the process that has the table"] = self._owned

    def _committed(self, session: Session, lines: list[LedgerLine]) -> None:
        """Only who has a table writes to it."""
        process = session.process
        if process is None:
            return
        host = self.peering.hosts[process.name.partition(".")[0]]
        ledger = host.pit.ledger if host.pit is not None and host.process is process else None
        for line in lines:
            kind, _, name = line.stream.partition("/")
            if kind not in OWNED or not isinstance(ledger, SharedLedger):
                continue
            self._owned += 1
            if self.server.locks.get(ledger._number(name)) is not session:
                where = f"{line.stream}, line {line.version}"
                self.failed(Failed(f"{process.name} wrote {where}, without having the table"))
        self._wrote(process, lines)

    def _wrote(self, process: Process, lines: list[LedgerLine]) -> None:
        for line in lines:
            self.judge.wrote(line, self.loop.time())
            self.note(process.name, "wrote", line.stream, str(line.version), line.kind)
            self.report.rounds += line.kind == "cards-cleared"
            if line.actor == SYSTEM and line.command:
                self.report.timed_out += 1

    def _set_up(self) -> None:
        chance = self.chance("set-up")
        hasher = PasswordHasher(time_cost=1, memory_cost=64)
        people = People(self._ledger, lambda: START_US, hasher)
        everybody = dict.fromkeys(PLAYERS, "player") | STAFF | AT_THE_DOOR
        for name, role in everybody.items():
            people.add(name, role, PASSWORD, by="soak")
        for name, (book, link) in TABLES.items():
            install(
                self._ledger,
                replace(shipped_submission(book), players_numbers=name in WITH_NUMBERS),
                self.registry,
                self.ring,
                lambda: fresh_pack(chance.getrandbits),
                by="soak",
                name=name,
                link=link,
                clock=lambda: START_US,
            )

    def _person(self, name: str, role: PitRole | None) -> Person:
        return Person(self, name, role, self.chance(f"person {name}"))

    def _seated(self) -> Any:
        for at, table in enumerate(TABLES):
            names = [PLAYERS[(at + n) % len(PLAYERS)] for n in range(3)]
            for name in (*names, *STAFF, "public"):
                yield Seat(self.people[name], table, self.chance(f"seat {name} {table}"))


class _Ear(logging.Handler):
    """What the service logs as an error is a fault that it does not know: that is a failure."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.INFO)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        process = current()
        said = [str(getattr(record, name, "")) for name in ("table", "why", "outcome", "who")]
        self._world.say(process.name if process else "", "logs", record.getMessage(), *said)
        if error is not None:
            why = f"{record.getMessage()}: {_told(error)}"
            self._world.failed(Failed(f"the service met a fault it does not know: {why}"))


def simulate(
    seed: int,
    steps: int,
    tell: Callable[[str], None] | None = None,
    plant: Callable[[World], None] | None = None,
) -> Report:
    """One whole simulation; what fails is in the report."""
    loop = Loop()
    asyncio.set_event_loop(loop)
    where = MEMORY if MEMORY.is_dir() else None
    try:
        with (
            tempfile.TemporaryDirectory(prefix="soak", dir=where) as folder,
            seeded(loop, Random(f"{seed} entropy")),
            _unseen(),
            closing(loop),
        ):
            return _simulated(World(seed, steps, Path(folder), loop, tell, plant))
    finally:
        asyncio.set_event_loop(None)


def _simulated(world: World) -> Report:
    logger, ear = logging.getLogger("croupier"), _Ear(world)
    logger.addHandler(ear)
    before = logger.level, logger.propagate
    logger.setLevel(logging.INFO if world.is_told else logging.WARNING)
    logger.propagate = False
    try:
        with connected(world.server, world.peering):
            world.loop.run_until_complete(world.run())
    except Exception as error:
        world.report.failure = str(error) if isinstance(error, Failed) else _told(error)
        world.report.failed_at = world.report.failed_at or world.report.steps
    finally:
        logger.removeHandler(ear)
        logger.setLevel(before[0])
        logger.propagate = before[1]
        with _unheard():
            world.bury()
    return world.report


def _told(error: BaseException) -> str:
    """What nobody foresaw, with the place where it happened."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{error!r} at {Path(frame.filename).name}:{frame.lineno}"


@contextmanager
def _unseen() -> Iterator[None]:
    """What is left of the dead is cleared away here, once nobody holds on to it."""
    try:
        yield
    finally:
        with _unheard():
            gc.collect()


@contextmanager
def _unheard() -> Iterator[None]:
    """What the dead say while they are cleared away belongs to nobody."""
    heard, sys.unraisablehook = sys.unraisablehook, lambda unraisable: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.unraisablehook = heard
