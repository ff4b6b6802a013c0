"""A place where the service runs: started, killed, stopped, woken, and always the real app."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from croupier.games.registry import Registry
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.shared_postgres import SILENCE_S, SharedLedger
from croupier.server.access.console_admin import Setup
from croupier.server.app import make_app
from croupier.server.pit.pit import Pit
from croupier.server.pit.shared_pit import SharedPit
from croupier.server.settings import Settings
from soak.clockwork import Loop, Process
from soak.judge import Failed
from soak.postgres import ADDRESS, Server
from soak.shaky import Shaky, Weather

START_US = 1_900_000_000_000_000
SECOND_US = 1_000_000
START_AGAIN_S = 1.0
SNAPSHOT_EVERY = 40
GHOSTS = 0.3  # of the killings are so sudden that the server does not notice
CHOSEN = Settings(
    decision_seconds=20,
    commands_a_second=100_000,
    logins_a_minute=100_000,
    self_check=False,
    argon2_memory_kib=64,
    argon2_rounds=1,
)


@dataclass(frozen=True)
class Building:
    """What all hosts share: one ledger, one ring, one loop."""

    loop: Loop
    path: Path
    registry: Registry
    ring: KeyRing
    happened: Callable[[str], None]
    wrote: Callable[[Process, list[LedgerLine]], None]
    server: Server | None = None
    """Where several processes share the pit; otherwise one has it in a file."""


class Host:
    """One machine with its own clock and its own way to the ledger."""

    def __init__(self, name: str, building: Building, chance: Random) -> None:
        self.name, self._building = name, building
        self.weather = Weather(chance, building.happened)
        self.offset_us = 0
        self.slow_s = 0.002
        self._chance = chance
        self._lives = 0
        self.process: Process | None = None
        self.dead: list[Process] = []
        self.app: Any = None
        self.pit: Pit | None = None
        self.ready, self.busy = False, False
        self.disturbed_s = 0.0
        self.address = f"http://{name}"
        self._troubles, self._troubled_s = 0, 0.0
        self._stop: asyncio.Event | None = None
        self._run: asyncio.Task[None] | None = None

    def clock(self) -> int:
        return START_US + round(self._building.loop.time() * SECOND_US) + self.offset_us

    @property
    def troubled_s(self) -> float:
        """When it was last kept from hearing, reading or doing anything."""
        away = self.process is None or self.process.paused or not self.ready
        is_now = self._troubles or away
        return self._building.loop.time() if is_now else max(self._troubled_s, self.disturbed_s)

    @contextmanager
    def troubled(self) -> Iterator[None]:
        self._troubles += 1
        try:
            yield
        finally:
            self._troubles -= 1
            self._troubled_s = self._building.loop.time()

    def wait_s(self) -> float:
        return self._chance.expovariate(1 / self.slow_s)

    def start(self) -> None:
        self._lives += 1
        process = self.process = Process(f"{self.name}.{self._lives}", self.wait_s)
        self.disturbed_s = self._building.loop.time()
        self._run = self._building.loop.spawn(process, self._serve(process))

    def kill(self) -> None:
        """Without a word: what it had in memory is gone."""
        if self.process is not None:
            self.process.kill()
            self.dead.append(self.process)
            if self._building.server is not None:
                ghosts = self._chance.random() < GHOSTS
                self._building.server.part(self.process, leaving_ghosts=ghosts)
        self.process, self.pit, self.ready = None, None, False

    def pause(self) -> None:
        if self.process is not None:
            self.process.paused = True
            self.disturbed_s = self._building.loop.time()

    def wake(self) -> None:
        if self.process is not None and self.process.paused:
            self._building.loop.wake(self.process)
            self.disturbed_s = self._building.loop.time()

    def refuse_strays(self) -> None:
        """When all is calm, what a process has locked is what it plays."""
        if isinstance(self.pit, SharedPit):
            locked, played = set(self.pit.owners.mine), set(self.pit._tables)
            if locked != played:
                raise Failed(f"{self.name} has {sorted(locked)} locked and plays {sorted(played)}")

    def calm(self) -> None:
        """Everything works here again."""
        self.wake()
        now = self.weather
        now.full = now.cut = False
        now.before = now.during = now.after = now.reading = 0.0
        self.slow_s, self.busy = 0.002, False

    async def stop(self) -> None:
        """As it is asked to: what was begun is finished first, and then it is gone."""
        if self._stop is not None and self._run is not None:
            self._stop.set()
            await self._run
        self.kill()

    async def _serve(self, process: Process) -> None:
        def opened(pit: Pit, setup: Setup) -> None:
            self.pit = pit

        loop, self._stop = self._building.loop, asyncio.Event()
        app: Any = make_app(lambda: self._open(process), opened)
        self.app = app
        started = loop.create_future()
        inward: list[str] = ["lifespan.startup"]
        stop = self._stop

        async def receive() -> dict[str, Any]:
            if inward:
                return {"type": inward.pop()}
            await stop.wait()
            return {"type": "lifespan.shutdown"}

        async def send(message: Any) -> None:
            if message["type"].startswith("lifespan.startup") and not started.done():
                started.set_result(message["type"].endswith("complete"))
                self.ready = message["type"].endswith("complete")
                self.disturbed_s = loop.time()

        try:
            await app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, send)
        except Exception:
            if process.alive:
                self._building.happened("start failed")
                self.ready = False
                self._building.loop.outside(START_AGAIN_S, self._start_again, process)

    def _start_again(self, process: Process) -> None:
        """Whoever watches over the service tries once more, as long as it takes."""
        if self.process is process:
            self.dead.append(process)
            process.kill()
            self.start()

    def _open(self, process: Process) -> Pit:
        """A pit that writes down often where its tables stand, to be read back from there."""
        pit = self._connected(process)
        pit.snapshot_every = SNAPSHOT_EVERY
        return pit

    def _connected(self, process: Process) -> Pit:
        """Every process has connections of its own."""
        building = self._building
        if building.server is None:
            ledger = Shaky(building.path, self.weather, partial(building.wrote, process))
            return Pit(ledger, building.registry, building.ring, CHOSEN, self.clock)
        building.server.admit(process, self.weather)
        shared = SharedLedger(ADDRESS, self.address, SILENCE_S)
        return SharedPit(shared, building.registry, building.ring, CHOSEN, self.clock)
