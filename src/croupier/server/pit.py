"""The pit: every table of a ledger, the links between them, and the people who work there."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from argon2 import PasswordHasher

from croupier.facts.errors import Unreadable, quoted
from croupier.games.house import House
from croupier.ledger.chance import Chance
from croupier.ledger.happenings import TABLE
from croupier.ledger.installing import install
from croupier.ledger.keeper import Clock, KeptTable, system_clock
from croupier.ledger.keyring import KeyRing
from croupier.ledger.pack import Pack, fresh_pack
from croupier.ledger.port import Ledger
from croupier.server.actor import Pace, Publisher, TableActor
from croupier.server.analysis import Analyses
from croupier.server.links import Links, LinkShown
from croupier.server.logins import Logins
from croupier.server.metrics import Metrics
from croupier.server.people import People
from croupier.server.program import Program
from croupier.server.recall import Recall
from croupier.server.settings import AT_HOME, Settings
from croupier.server.writer import Writer
from croupier.submission.check import check

METERS_EVERY_S = 0.5
PROGRAM_EVERY_S = 24 * 60 * 60


class Pit:
    """Opened on a ledger and a key ring; tables that were in the middle of a round go on."""

    def __init__(
        self,
        ledger: Ledger,
        house: House,
        ring: KeyRing,
        chosen: Settings = AT_HOME,
        clock: Clock = system_clock,
        *,
        keys_are_lost: bool = False,
    ) -> None:
        self._keys_are_lost = keys_are_lost
        self.ledger, self.house, self._ring, self._clock = ledger, house, ring, clock
        self.chosen = chosen
        self.metrics = Metrics()
        self.program = Program(ledger, clock)
        if chosen.self_check:
            self.program.check()
        self.people = People(ledger, clock, _hasher(chosen))
        self.logins = Logins(self.people, ledger, clock, chosen.commands_a_second)
        self.links = Links(ledger, clock)
        self.analyses = Analyses(house, chosen.analysis_seconds)
        self._chance = Chance()
        self._writer = Writer(ledger, self.metrics)
        thinking_s = chosen.decision_seconds or None
        self._publisher = Publisher()
        self._pace = Pace(
            self._writer, self.metrics, thinking_s, self.program.gate, self._publisher
        )
        self._watchmen: list[asyncio.Future[None]] = []
        self._recalls: dict[str, Recall] = {}
        self._tables: dict[str, TableActor] = {}
        for stream in sorted(ledger.heads()):
            if stream.startswith(TABLE):
                self._open(stream.removeprefix(TABLE))

    @property
    def tables(self) -> Mapping[str, TableActor]:
        return self._tables

    def table(self, name: str) -> TableActor:
        if name not in self._tables:
            raise Unreadable(f"there is no table {quoted(name)} in this pit")
        return self._tables[name]

    def recall(self, name: str) -> Recall:
        if name not in self._recalls:
            kept = self.table(name).kept
            self._recalls[name] = Recall(self.ledger, kept.name, self.house, self._ring)
        return self._recalls[name]

    def start(self) -> None:
        """Clocks run from here on."""
        for actor in self._tables.values():
            actor.start()
        self._watchmen.append(asyncio.ensure_future(self._publisher.run()))
        self._watchmen.append(asyncio.ensure_future(self._watch_meters()))
        if self.chosen.self_check:
            self._watchmen.append(asyncio.ensure_future(self._watch_program()))

    def install(self, text: str, by: str, name: str = "", link: str = "") -> TableActor:
        """A new table from an operator's submission; for practice only where it files no screen."""
        checked = check(text, self.house)
        if checked.submission is None:
            raise Unreadable(f"the submission cannot be used: {checked.errors[0]}")
        kept = install(
            self.ledger,
            checked.submission,
            self.house,
            self._ring,
            self._pack,
            by=by,
            name=name,
            link=link,
            practice=not checked.submission.electronic,
            clock=self._clock,
        )
        return self._open(kept.name)

    def shown_links(self) -> list[LinkShown]:
        tables = self._tables.values()
        return self.links.shown((actor.name, actor.kept.installed.link) for actor in tables)

    def seats_of(self, name: str) -> list[str]:
        """The tables where this person has a box."""
        tables = self._tables.items()
        return [table for table, actor in tables if name in actor.kept.state.seats.values()]

    async def close(self) -> None:
        """Every command that was begun is finished and on the disk."""
        for watchman in self._watchmen:
            watchman.cancel()
        await self.analyses.close()
        await asyncio.gather(*(actor.close() for actor in self._tables.values()))
        self._writer.close()
        self.ledger.close()

    async def _watch_meters(self) -> None:
        """Every table shows what others did to its meters within a second."""
        while True:
            await asyncio.sleep(METERS_EVERY_S)
            moved = self.links.moved()
            for actor in list(self._tables.values()):
                if actor.kept.installed.link in moved:
                    actor.meters_moved()
                    await asyncio.sleep(0)

    async def _watch_program(self) -> None:
        while True:
            await asyncio.sleep(PROGRAM_EVERY_S)
            await asyncio.to_thread(self.program.check)

    def _open(self, name: str) -> TableActor:
        def reopen() -> KeptTable:
            return KeptTable(
                self.ledger,
                name,
                self.house,
                self._ring,
                self._pack,
                self._clock,
                keys_are_lost=self._keys_are_lost,
            )

        actor = TableActor(reopen, self._pace, self.links.desk)
        self._tables[name] = actor
        self.metrics.tables.set(len(self._tables))
        return actor

    def _pack(self) -> Pack:
        return fresh_pack(self._chance)


def _hasher(chosen: Settings) -> PasswordHasher:
    return PasswordHasher(time_cost=chosen.argon2_rounds, memory_cost=chosen.argon2_memory_kib)
