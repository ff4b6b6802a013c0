"""Where every table is: whoever plays one has its lock, and everybody else passes on to him.

For a moment after something moved a process may be wrong about it, and for as long as it cannot
reach the ledger; not longer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.ledger.store.shared_postgres import SharedLedger
from croupier.server.pit.shared_pit import SharedPit
from soak.clockwork import Process
from soak.judge import Failed

if TYPE_CHECKING:
    from soak.hosts import Host
    from soak.world import World

EVERY_S = 1.0
WITHIN_S = 12.0  # a silence that ends a session, the next look, and a table that is read back


class Places:
    def __init__(self, world: World) -> None:
        self._world = world
        self._since_s: dict[tuple[Process, str, str], float] = {}
        self.checked = 0

    async def watch(self) -> None:
        while not self._world.is_over:
            await asyncio.sleep(EVERY_S)
            self.look()

    def look(self) -> None:
        now_s, before, self._since_s = self._world.loop.time(), self._since_s, {}
        for host in self._world.hosts:
            for process, table, wrong in self._wrongs(host):
                since_s = max(before.get((process, table, wrong), now_s), host.troubled_s)
                self._since_s[process, table, wrong] = since_s
                if now_s - since_s > WITHIN_S:
                    raise Failed(f"{host.name} {wrong} {table}")

    def _wrongs(self, host: Host) -> Iterator[tuple[Process, str, str]]:
        pit, process = host.pit, host.process
        if not isinstance(pit, SharedPit) or process is None or not host.ready or pit.why_not_ready:
            return
        ledger = pit.ledger
        assert isinstance(ledger, SharedLedger)
        for name, table in pit.tables.items():
            self.checked += 1
            held = self._world.server.locks.get(ledger._number(name))
            has, plays = held is not None and held.process is process, name in pit._tables
            if plays and not has:
                yield process, name, "plays without having it"
            elif has and not plays:
                yield process, name, "has, and does not play,"
            elif held is not None and not plays:
                there = self._world.host_at(held.process)
                said = table.owner.address if table.owner is not None else ""
                if there is not None and there.address != said:
                    yield process, name, f"does not pass on to {there.name} what is asked of"
