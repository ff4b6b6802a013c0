"""Fail-stop on forged lines: the table, or the pit, takes no command, and it is written down.

A line that nobody who has the keys wrote is noted where it is read. From then on the table that it
is a line of takes no command; one of the pit itself, or of its log, stops every table.
"""

from __future__ import annotations

import asyncio
import logging

from croupier.facts.errors import Unavailable
from croupier.ledger.envelope import SYSTEM
from croupier.ledger.events import LINK, PIT, REFUSALS, TABLE, LineRefused
from croupier.ledger.kept_table import Clock
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.port import Ledger, unplaced
from croupier.ledger.verification import ForgedLine, authenticated, verify_log
from croupier.server.pit.journal import Journal

LOG = logging.getLogger("croupier")
STREAM = f"{PIT}verification"
EVERY_S = 1.0
OF_TABLES = (TABLE, LINK, REFUSALS)


class Integrity:
    def __init__(
        self, ledger: Ledger, ring: KeyRing, clock: Clock, *, keys_are_lost: bool = False
    ) -> None:
        authenticated(ledger, ring, keys_are_lost=keys_are_lost)
        self._ledger = ledger
        self._journal: Journal[LineRefused] = Journal(ledger, STREAM, LineRefused, clock)
        self._told: set[str] = set()
        verify_log(ledger)

    @property
    def refused(self) -> dict[str, str]:
        """The streams that something was not believed in, each with its sentence."""
        macs = self._ledger.macs
        assert macs is not None
        return {each: unplaced(why, self._ledger) for each, why in list(macs.refused.items())}

    def gate(self, table: str) -> None:
        """Unavailable where this table, or the pit, is stopped."""
        for stream, why in self.refused.items():
            if stream == f"{TABLE}{table}" or not stream.startswith(OF_TABLES):
                raise Unavailable(f"play stops: {why}")

    async def watch(self) -> None:
        while True:
            await asyncio.sleep(EVERY_S)
            try:
                await asyncio.to_thread(self.write_down)
            except Exception as error:
                LOG.error("what was refused was not written down", extra={"why": str(error)})

    def write_down(self) -> None:
        """Each stream once, by each process that met it."""
        macs = self._ledger.macs
        assert macs is not None
        for stream, forged in list(macs.refused.items()):
            if stream not in self._told and isinstance(forged, ForgedLine):
                first = forged.first
                self._journal.write(LineRefused(stream, first.version, first.why), SYSTEM, "device")
                self._told.add(stream)
                LOG.error("play stops", extra={"why": str(forged)})
