"""A wall clock that never goes back: what tables are stamped with, and how a wrong one is mended.

Times in a ledger only grow. After a clock ran ahead and was set right, a manager lets play go on:
the tables' time stands still where the ledger has it, until the clock has caught up. Logins go by
the clock of the machine, so that terminals still lock.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time

import msgspec

from croupier.facts.errors import Unreadable
from croupier.ledger.envelope import MICROS_A_SECOND, SYSTEM
from croupier.ledger.events import LINK, PIT, REFUSALS, TABLE, StaffPowerUsed
from croupier.ledger.kept_table import TOLERATED_US, Clock
from croupier.ledger.store.port import Ledger
from croupier.server.pit.journal import Journal

LOG = logging.getLogger("croupier")
STREAM = f"{PIT}clock"
LOOK_EVERY_S = 5.0
STAMPED = (TABLE, LINK, REFUSALS)


class ClockCorrected(msgspec.Struct, frozen=True, tag_field="event", tag="clock-corrected"):
    """The tables' time stands until the clock, which was at ``clock_us``, has caught up."""

    stands_at_us: int
    clock_us: int


class ClockJumped(msgspec.Struct, frozen=True, tag_field="event", tag="clock-jumped"):
    """The machine's clock was set, forward or (below zero) back."""

    by_us: int


ClockEvent = ClockCorrected | ClockJumped | StaffPowerUsed


class ClockShown(msgspec.Struct, frozen=True):
    """``waits_seconds`` is how long the tables' time still stands."""

    stands_at_us: int
    waits_seconds: int


class PitClock:
    def __init__(self, ledger: Ledger, clock: Clock) -> None:
        self._ledger, self._clock = ledger, clock
        self._journal: Journal[ClockEvent] = Journal(ledger, STREAM, ClockEvent, clock)
        self._desk = threading.Lock()
        self._stands_us = 0
        self.follow()

    def now(self) -> int:
        """For the lines of tables and links."""
        return max(self._clock(), self._stands_us)

    def follow(self) -> None:
        """What a manager said, here or at another process."""
        for event in self._journal.news():
            if isinstance(event, ClockCorrected):
                self._stands_us = max(self._stands_us, event.stands_at_us)

    def correct(self, by: str, role: str) -> ClockShown:
        """Let play go on though the ledger is ahead of the clock."""
        with self._desk:
            self.follow()
            now, newest = self._clock(), max(self._newest(), self._stands_us)
            if newest <= now + TOLERATED_US:
                raise Unreadable("the clock is right: no table is ahead of it")
            stands = f"the tables' time stands for {_seconds(newest - now)}"
            used = StaffPowerUsed("clock", "clock", stands, SYSTEM, by)
            self._journal.write_all((ClockCorrected(newest, now), used), by, role)
            self.follow()
        LOG.warning("clock corrected", extra={"who": by, "why": _seconds(newest - now)})
        return ClockShown(newest, (newest - now) // MICROS_A_SECOND)

    async def watch(self) -> None:
        """A clock that is set is written down within seconds (R40)."""
        apart_us = self._clock() - time.monotonic_ns() // 1000
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            now_us = self._clock() - time.monotonic_ns() // 1000
            by_us, apart_us = now_us - apart_us, now_us
            try:
                await asyncio.to_thread(self._look, by_us)
            except Exception as error:
                LOG.error("the clock was not written down", extra={"why": str(error)})

    def _look(self, by_us: int) -> None:
        if abs(by_us) > TOLERATED_US:
            LOG.warning("clock jumped", extra={"why": _seconds(by_us)})
            self._journal.write(ClockJumped(by_us), SYSTEM, "device")
        with self._desk:
            self.follow()

    def _newest(self) -> int:
        """The latest time that any table, its refusals or its link was stamped with."""
        latest = 0
        for stream, head in self._ledger.heads().items():
            if stream.startswith(STAMPED) and head.version:
                last = next(self._ledger.read(stream, after=head.version - 1, most=1))
                latest = max(latest, last.at_us)
        return latest


def _seconds(micros: int) -> str:
    return f"{micros / MICROS_A_SECOND:.0f} seconds"
