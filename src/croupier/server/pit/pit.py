"""The pit: every table of a ledger, the links between them, and the people who work there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar

from croupier.facts.errors import Unreadable, quoted
from croupier.games.registry import Registry
from croupier.ledger.events import TABLE
from croupier.ledger.installation import install, installation, link_to_join, refuse_unfit
from croupier.ledger.kept_table import (
    Clock,
    KeptTable,
    LedgerTable,
    refuse_set_back,
    system_clock,
)
from croupier.ledger.shoe.entropy import Chance
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.shoe.pack import Pack, fresh_pack
from croupier.ledger.snapshot import EVERY
from croupier.ledger.store.port import Ledger, Writing
from croupier.ledger.verification import ForgedLine
from croupier.server.access.logins import Logins
from croupier.server.access.people import People
from croupier.server.access.token_buckets import Budgets
from croupier.server.access.yielding_hasher import YieldingHasher
from croupier.server.analysis.jobs import Analyses
from croupier.server.metrics import Metrics
from croupier.server.pit.clock import PitClock
from croupier.server.pit.group_commit import GroupCommitter
from croupier.server.pit.integrity import Integrity
from croupier.server.pit.key_acceptance import KeyAcceptance
from croupier.server.pit.load_shedder import CommandLimit
from croupier.server.pit.log_publisher import LogPublisher
from croupier.server.pit.pit_policy import policy_of
from croupier.server.pit.progressive_links import Links, LinkShown
from croupier.server.pit.recall import Recall
from croupier.server.pit.recordings import PitRecordings
from croupier.server.pit.table_actor import (
    LiveTable,
    Publisher,
    Subscription,
    TableActor,
    TableServices,
)
from croupier.server.pit.table_summary import TableSummary, shown_table
from croupier.server.pit.waiting_acts import TableWanted, WaitingAct, WaitingActs, wanted
from croupier.server.self_check import SelfCheck
from croupier.server.settings import AT_HOME, Settings
from croupier.server.threads import password_threads
from croupier.submission.check import check
from croupier.submission.submission import Submission
from croupier.table.powers import Actor
from croupier.table.views import Viewer

LOG = logging.getLogger("croupier")
T = TypeVar("T")
P = ParamSpec("P")
METERS_EVERY_S = 0.5
PROGRAM_EVERY_S = 24 * 60 * 60


class SocketRegister(Protocol):
    """Every open socket of this process, as the pit needs to know it."""

    async def close_ended(self, logins: Logins) -> None: ...

    def send_away(self, why: str) -> None: ...


class Pit:
    """Opened on a ledger and a key ring; tables that were in the middle of a round go on."""

    is_shared = False
    cookie = "croupier"
    """A browser keeps cookies by host, not by port: what runs beside a pit needs another name."""
    snapshot_every = EVERY
    """Lines after which a table or a link writes down once more how it stands."""

    def __init__(
        self,
        ledger: Ledger,
        registry: Registry,
        ring: KeyRing,
        chosen: Settings = AT_HOME,
        clock: Clock = system_clock,
        *,
        keys_are_lost: bool = False,
    ) -> None:
        self._keys_are_lost = keys_are_lost
        self.ledger, self.registry, self.ring = ledger, registry, ring
        self.integrity = Integrity(ledger, ring, clock, keys_are_lost=keys_are_lost)
        self.chosen = chosen
        self.metrics = Metrics()
        self.clock = PitClock(ledger, clock)
        self.policy = policy_of(ledger, clock, chosen.policy, codes=chosen.staff_codes)
        self.program = SelfCheck(ledger, clock)
        if chosen.self_check:
            self.program.check()
        elif chosen is not AT_HOME and not chosen.home:
            self.program.leave_unchecked()
        self._hasher = YieldingHasher(chosen.argon2_rounds, chosen.argon2_memory_kib)
        self.people = People(ledger, clock, self._hasher, self.policy)
        self.keys = KeyAcceptance(ledger, clock, ring, self.policy, self.people)
        self.logins = Logins(
            self.people,
            ledger,
            clock,
            chosen.logins_a_person,
            ring,
            shared=self.is_shared,
            locks=not chosen.home,  # where nobody has a password none opens it again
        )
        folder = Path(chosen.log_folder) if chosen.log_folder else None
        self.log = LogPublisher(ledger, ring, self.clock.now, folder)
        self.budgets = Budgets(chosen, clock)
        self.load = CommandLimit()
        self._passwords = password_threads()
        self.links = Links(ledger, clock)
        self.acts = WaitingActs(ledger, clock, self.policy, self.people)
        self.analyses = Analyses(registry, chosen.analysis_seconds)
        self._chance = Chance()
        self._writer = GroupCommitter(ledger, self.metrics)
        thinking_s = chosen.decision_seconds or None
        self._publisher = Publisher()
        self._pace = TableServices(
            self._writer,
            self.metrics,
            thinking_s,
            self.gate,
            self._publisher,
            self.budgets,
            self.is_shared,
        )
        self._watchmen: list[asyncio.Future[None]] = []
        self.recordings = PitRecordings(ledger, registry, lambda: self.actors)
        self._recalls: dict[str, Recall] = {}
        self._tables: dict[str, TableActor] = {}
        self._find_tables()
        self.integrity.write_down()

    @property
    def why_not_ready(self) -> str:
        """Why this process takes no table, or not all of them, now."""
        return next(iter(self.integrity.refused.values()), "")

    @property
    def unknown_tables(self) -> Mapping[str, str]:
        """Tables that this program cannot play, and why."""
        return {}

    def gate(self, table: str = "") -> None:
        """Unavailable while the program or the key that seals is not one that was accepted, the
        log is not the one that was signed, or something of the pit, or of this table, was forged.
        """
        self.integrity.gate(table)
        self.program.gate()
        self.keys.gate()
        self.log.gate()

    def send_away_by(self, sockets: SocketRegister) -> None:
        """Whom to ask when people who look on here have to go: only who shares a pit has to."""

    def is_brought_in(self, name: str) -> bool:
        """Whether somebody else brought this table in meanwhile."""
        return False

    @property
    def why_away(self) -> str:
        """Why nobody is shown anything here now; only who shares a pit can be cut off from it."""
        return ""

    @property
    def actors(self) -> Mapping[str, TableActor]:
        """The tables that are played in this process."""
        return self._tables

    @property
    def tables(self) -> Mapping[str, LiveTable]:
        """Every table of the pit."""
        return self._tables

    async def hear_of(self, name: str) -> None:
        """Before a table is asked for: whoever shares the pit may have brought it in just now."""

    def table(self, name: str) -> LiveTable:
        if name not in self.tables:
            raise Unreadable(f"there is no table {quoted(name)} in this pit")
        return self.tables[name]

    def watching(self, table: LiveTable, viewer: Viewer) -> AbstractContextManager[Subscription]:
        """A place at a table for somebody who looks on."""
        return self._tables[table.name].watched(viewer=viewer)

    async def look(self, name: str, viewer: Viewer) -> bytes:
        """A table as it is now, for a viewer."""
        return self._tables[name].frame(viewer)

    async def kept_now(self, name: str) -> LedgerTable:
        """A table with its round as it stands; its owner has it in hand."""
        return self._tables[name].kept

    async def shown(self) -> list[TableSummary]:
        return [shown_table(actor.kept) for actor in self._tables.values()]

    def recall(self, name: str) -> Recall:
        if name not in self._recalls:
            self._recalls[name] = Recall(self.ledger, name, self.registry, self.ring)
        return self._recalls[name]

    def start(self) -> None:
        """Clocks run from here on."""
        for actor in self._tables.values():
            actor.start()
        self._watch(self._publisher.run())
        self._watch(self._watch_meters())
        self._watch(self.clock.watch())
        self._watch(self.log.run())
        self._watch(self.integrity.watch())
        if self.chosen is not AT_HOME:
            self._watch(self.load.watch())
            self._watch(self.recordings.run())
        if self.chosen.self_check:
            self._watch(self._watch_program())

    def begin_table(
        self, text: str, by: Actor, name: str = "", link: str = "", *, training: bool = False
    ) -> TableActor | WaitingAct:
        """A new table that somebody of the pit asks for: what could not be brought in is refused at
        once, and a real one waits for a second person where the policy wants one."""
        filed, waiting = self._filed(text), None
        if filed.electronic and not training:
            name = name or filed.table
            refuse_unfit(name, link)
            event = installation(filed, self.registry, name, link, practice=False)
            link_to_join(self.ledger, event, filed, self.registry)
            waiting = self.acts.begin(wanted(event), by)
        return waiting or self.install(text, by.name, name, link, training=training)

    def begin_link(self, name: str, by: Actor, *, is_open: bool, reason: str) -> WaitingAct | None:
        """Close a link or open it; what waits for a second person, where the policy wants one."""
        said = self.links.change(name, is_open=is_open, reason=reason)
        waiting = self.acts.begin(said, by)
        if waiting is None:
            self.links.run(said, by.name, "", by.role)
        return waiting

    def second(self, kind: str, name: str, upheld: bool, by: Actor) -> TableActor | None:
        """A second person's word on a table or a link that waits; the table, where it comes in."""

        def do(waiting: WaitingAct, word: Callable[[], Writing]) -> TableActor | None:
            act, first = waiting.act, waiting.began.name
            if isinstance(act, TableWanted):
                self.gate()
                self._refuse_other_rules(act)
                return self.install(
                    act.submission, first, act.table, act.link, second=by.name, beside=word
                )
            self.links.run(act, first, by.name, by.role, word)
            return None

        return self.acts.second(kind, name, upheld, by, do)

    def _refuse_other_rules(self, act: TableWanted) -> None:
        """The program may have changed since somebody asked for the table."""
        now = installation(
            self._filed(act.submission), self.registry, act.table, act.link, practice=False
        )
        if wanted(now) != act:
            raise Unreadable(
                f"table {act.table} would come in under other rules than it was asked for with: "
                "send it back and begin again"
            )

    def install(
        self,
        text: str,
        by: str,
        name: str = "",
        link: str = "",
        *,
        training: bool = False,
        second: str = "",
        beside: Callable[[], Writing] | None = None,
    ) -> TableActor:
        """A new table from an operator's submission; for practice only where it files no screen,
        and one for training has a name of its own."""
        filed = self._filed(text)
        name = name or (training_name(filed) if training else filed.table)
        return self._installed(
            filed, by, name, link, training=training, second=second, beside=beside
        )

    def _filed(self, text: str) -> Submission:
        checked = check(text, self.registry)
        if checked.submission is None:
            raise Unreadable(f"the submission cannot be used: {checked.errors[0]}")
        return checked.submission

    def shown_links(self) -> list[LinkShown]:
        tables = self.tables.values()
        return self.links.shown((table.name, table.kept.installed.link) for table in tables)

    async def seats_of(self, name: str) -> list[str]:
        """The tables where this person has a box."""
        return [table.name for table in await self.shown() if name in table.seats.values()]

    async def with_password(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """What hashes a password, in threads of its own: the ledger's are for the tables."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._passwords, partial(work, *given, **named))

    def look_again(self) -> None:
        """Somebody seems to have taken or left a table: only who shares a pit has to look."""

    async def leave(self) -> None:
        """What is done before anybody is sent away: there is nobody to hand tables to here."""

    async def close(self) -> None:
        """Every command that was begun is finished and on the disk."""
        for watchman in self._watchmen:
            watchman.cancel()
        await self.analyses.close()
        await asyncio.gather(*(actor.close() for actor in self._tables.values()))
        self._passwords.shutdown(wait=False, cancel_futures=True)
        self._hasher.close()
        self._writer.close()
        self.recordings.close()
        self.ledger.close()

    def prove_ledger(self) -> None:
        """Unavailable unless commands can be written: the ledger takes a transaction, the clock is
        not behind it, and after a writing that failed a line is tried."""
        self.ledger.heads()
        newest_us = max((actor.kept.last_us for actor in self._tables.values()), default=0)
        refuse_set_back(self.clock.now(), newest_us)
        self.ledger.try_writing()
        if self._writer.failed:
            self.program.try_ledger()
            self._writer.failed = ""

    def _with_numbers(self, filed: Submission) -> Submission:
        """What is not an electronic table is for practice, where numbers are always taken."""
        return filed if filed.electronic else replace(filed, players_numbers=True)

    def _installed(
        self,
        filed: Submission,
        by: str,
        name: str,
        link: str,
        *,
        training: bool,
        second: str,
        beside: Callable[[], Writing] | None,
    ) -> TableActor:
        kept = install(
            self.ledger,
            filed if training else self._with_numbers(filed),
            self.registry,
            self.ring,
            self._pack,
            by=by,
            name=name,
            link=link,
            practice=not filed.electronic,
            sealed=filed.electronic,
            training=training,
            policy=self.policy.name,
            second=second,
            clock=self.clock.now,
            beside=beside,
        )
        return self._keep(self._opened(kept.name))

    def _find_tables(self) -> None:
        for stream in sorted(self.ledger.heads()):
            if stream.startswith(TABLE):
                with suppress(
                    ForgedLine
                ):  # the integrity of the pit has it, and the others play on
                    self._keep(self._opened(stream.removeprefix(TABLE)))

    def _watch(self, what: Coroutine[Any, Any, None]) -> None:
        self._watchmen.append(asyncio.ensure_future(what))

    async def _watch_meters(self) -> None:
        """Every table shows what others did to its meters within a second."""
        while True:
            await asyncio.sleep(METERS_EVERY_S)
            try:
                moved = await asyncio.to_thread(self.links.moved)
            except Exception:
                LOG.exception("the meters of other tables were not looked at")
                continue
            for actor in list(self._tables.values()):
                if actor.kept.installed.link in moved:
                    actor.meters_moved()
                    await asyncio.sleep(0)

    async def _watch_program(self) -> None:
        while True:
            await asyncio.sleep(PROGRAM_EVERY_S)
            try:
                await asyncio.to_thread(self.program.check)
            except Exception:
                LOG.exception("the program was not checked")

    def _opened(self, name: str) -> TableActor:
        def reopen() -> KeptTable:
            return KeptTable(
                self.ledger,
                name,
                self.registry,
                self.ring,
                self._pack,
                self.clock.now,
                keys_are_lost=self._keys_are_lost,
                snapshot_every=self.snapshot_every,
            )

        return TableActor(reopen, self._pace, self.links.named)

    def _keep(self, actor: TableActor) -> TableActor:
        self._tables[actor.name] = actor
        self.metrics.tables.set(len(self._tables))
        return actor

    def _pack(self) -> Pack:
        return fresh_pack(self._chance)


def training_name(filed: Submission) -> str:
    """What a training table is called beside the table that it trains for."""
    return f"{filed.table}-training"
