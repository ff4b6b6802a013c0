"""What goes wrong, and how often: one fault after the other, many at once, all from the seed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from random import Random
from typing import TYPE_CHECKING

from soak.hosts import SECOND_US, Host
from soak.judge import Failed

if TYPE_CHECKING:
    from soak.world import World

EVERY_S = (6.0, 3.0, 1.5)  # some evenings are worse than others
TAIL = 8  # what a slow disk has begun may take so much longer than usual, after it is quick again
# Whoever suffers one of these cannot hear for a while what others do.
DEAFENING = ("killed", "stopped and woken", "restarted", "ledger cut", "disk slow", "reads fail",
             "sessions ended")  # fmt: skip


class Faults:
    """A calendar of misfortunes."""

    def __init__(self, world: World, chance: Random) -> None:
        self._world, self._chance = world, chance
        self._kinds: dict[str, tuple[int, Callable[[Host], Awaitable[None]]]] = {
            "killed": (3, self._kill),
            "stopped and woken": (3, self._pause),
            "restarted": (2, self._restart),
            "ledger cut": (3, self._cut),
            "disk full": (2, self._full),
            "disk slow": (2, self._slow),
            "writes fail": (4, self._shaky),
            "reads fail": (2, self._unreadable),
            "lines cut": (5, self._lines),
            "network bad": (4, self._network),
            "clock ahead": (2, self._ahead),
            "clock back": (3, self._back),
            "link closed": (1, self._link),
        }
        if len(world.hosts) > 1:
            self._kinds |= {
                "sessions ended": (3, self._terminate),
                "peers cut": (3, self._peers),
            }
        self._running: set[asyncio.Task[None]] = set()

    def only(self, *names: str) -> None:
        """Nothing else goes wrong."""
        self._kinds = {name: self._kinds[name] for name in names}

    async def run(self) -> None:
        names = [*self._kinds]
        weights = [self._kinds[name][0] for name in names]
        every_s = self._chance.choice(EVERY_S)
        while not self._world.is_over:
            await asyncio.sleep(self._chance.expovariate(1 / every_s))
            name = self._chance.choices(names, weights)[0]
            host = self._chance.choice(self._world.hosts)
            self._world.note("fault", name, host.name)
            self._world.count(name)
            task = asyncio.ensure_future(self._suffered(name, host))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _suffered(self, name: str, host: Host) -> None:
        try:
            with host.troubled() if name in DEAFENING else nullcontext():
                await self._kinds[name][1](host)
        except Failed as failed:
            self._world.failed(failed)

    async def end(self) -> None:
        """Everything that went wrong is put right again."""
        while self._running:
            await asyncio.wait(self._running)

    async def _while(self, least_s: float, most_s: float) -> None:
        await asyncio.sleep(self._chance.uniform(least_s, most_s))

    async def _kill(self, host: Host) -> None:
        if host.busy:
            return
        host.busy = True
        host.kill()
        self._world.cut_lines(host)
        await self._while(0.2, 10)
        host.start()
        host.busy = False

    async def _pause(self, host: Host) -> None:
        if host.busy:
            return
        host.busy = True
        host.pause()
        await self._while(0.5, 20)
        host.wake()
        host.busy = False

    async def _restart(self, host: Host) -> None:
        if host.busy or not host.ready:
            return
        host.busy = True
        await host.stop()
        self._world.cut_lines(host)
        await self._while(0.1, 3)
        host.start()
        host.busy = False

    async def _cut(self, host: Host) -> None:
        host.weather.cut = True
        await self._while(0.2, 8)
        host.weather.cut = False
        self._world.server.catch_up(host.process)

    async def _terminate(self, host: Host) -> None:
        if host.process is not None:
            self._world.server.terminate(host.process)
            self._world.server.catch_up(host.process)

    async def _peers(self, host: Host) -> None:
        self._world.peering.cut(self._chance.choice((None, host.process)))

    async def _full(self, host: Host) -> None:
        host.weather.full = True
        await self._while(0.5, 8)
        host.weather.full = False

    async def _slow(self, host: Host) -> None:
        slow_s = host.slow_s = self._chance.choice((0.1, 0.5, 2.0))
        await self._while(1, 15)
        host.slow_s = 0.002
        await asyncio.sleep(TAIL * slow_s)

    async def _shaky(self, host: Host) -> None:
        now = host.weather
        now.before, now.during, now.after = (self._chance.uniform(0, 0.4) for _ in range(3))
        await self._while(1, 15)
        now.before = now.during = now.after = 0.0

    async def _unreadable(self, host: Host) -> None:
        host.weather.reading = self._chance.uniform(0.05, 0.5)
        await self._while(0.5, 8)
        host.weather.reading = 0.0

    async def _lines(self, host: Host) -> None:
        for line in list(self._world.lines):
            if self._chance.random() < 0.5:
                line.cut()

    async def _network(self, host: Host) -> None:
        roads = self._world.roads
        roads.lost, roads.doubled = self._chance.uniform(0, 0.4), self._chance.uniform(0, 0.4)
        roads.slow_s = self._chance.choice((0.05, 0.3, 2.0))
        await self._while(2, 20)
        roads.lost, roads.doubled, roads.slow_s = 0.0, 0.0, 0.02

    async def _ahead(self, host: Host) -> None:
        """A whole house is set right at once; one machine runs ahead for a while."""
        if self._chance.random() < 0.3:
            by_us = round(self._chance.choice((60, 400, 50_000)) * SECOND_US)
            for each in self._world.hosts:
                each.offset_us += by_us
            return
        by_us = round(self._chance.uniform(0.1, 10) * SECOND_US)
        host.offset_us += by_us
        await self._while(1, 20)
        host.offset_us -= by_us

    async def _back(self, host: Host) -> None:
        by_us = round(self._chance.choice((0.5, 2, 5, 20)) * SECOND_US)
        host.offset_us -= by_us
        await self._while(1, 15)
        host.offset_us += by_us

    async def _link(self, host: Host) -> None:
        await self._world.manager.close_link(False)
        await self._while(1, 10)
        await self._world.manager.close_link(True)
