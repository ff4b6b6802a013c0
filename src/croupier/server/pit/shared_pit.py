"""Tables sharded over processes: each owns some, and forwards commands for the rest to their owner.

Every process looks about once a second, or when it hears of a change. What nobody has is taken by
whoever has less than his share; who has more hands tables over, between two rounds where he can.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial

from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.games.registry import Registry
from croupier.ledger.events import TABLE, ShoeCommitted, read_kept, tag_of
from croupier.ledger.kept_table import Clock, LedgerTable, described_table, read_table, system_clock
from croupier.ledger.replay import first_line
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.shoe.seal import LostKey, sealed_by
from croupier.ledger.store.ownership import OWNERS_CHANGED, Owners, Roster
from croupier.ledger.store.port import Writing
from croupier.ledger.verification import ForgedLine
from croupier.server.pit.change_listener import ChangeListener
from croupier.server.pit.peer_client import PeerLost, Peers
from croupier.server.pit.pit import METERS_EVERY_S, Pit, SocketRegister
from croupier.server.pit.shared_table import (
    AGAIN_S,
    TAKEOVER_TIMEOUT_S,
    SharedTable,
)
from croupier.server.pit.table_actor import LiveTable, Subscription, TableActor
from croupier.server.pit.table_summary import TableSummary, shown_table
from croupier.server.settings import AT_HOME, Settings
from croupier.submission.submission import Submission
from croupier.table.agenda import phase
from croupier.table.views import Viewer

LOG = logging.getLogger("croupier")
CUT_OFF = "this process cannot reach the ledger; connect again, here or at another"
NO_SIGN, NOT_SHARED = "no sign of life", "tables are not shared out"
EVERY_S = 1.0
SOONEST_S = 0.05
PATIENT_LOOKS = 15
BEATS_IN_SILENCE = 4
AT_ONCE = 4  # tables that are read back side by side: each mostly waits for the database


class SharedPit(Pit):
    """Opened on a ledger that several processes write to."""

    is_shared = True

    def __init__(
        self,
        ledger: Owners,
        registry: Registry,
        ring: KeyRing,
        chosen: Settings = AT_HOME,
        clock: Clock = system_clock,
        *,
        keys_are_lost: bool = False,
    ) -> None:
        self.owners = ledger
        self.peers = Peers(ring, chosen.certificate)
        self._why_aside = ""
        self._shared: dict[str, SharedTable] = {}
        self._strange: dict[str, str] = {}  # tables that this program cannot play, and why
        self._moved: set[str] = set()
        self._in_hand: set[str] = set()  # on their way in or out, and nobody else's to settle
        self._every_s = min(EVERY_S, chosen.silence_seconds / BEATS_IN_SILENCE)
        self._wake = asyncio.Event()
        self._closing: set[asyncio.Task[None]] = set()
        self._backend = 0
        self._over_for = 0
        self._failing: set[str] = set()
        self._beaten_s = time.monotonic()
        self._send_away: Callable[[str], None] = lambda why: None
        self._pulse = ThreadPoolExecutor(1, "croupier-pulse")
        super().__init__(ledger, registry, ring, chosen, clock, keys_are_lost=keys_are_lost)
        self.changes = ChangeListener(
            ledger,
            self.people,
            self.logins,
            self.links,
            self.program,
            self.keys,
            tables_moved=self.look_again,
            find_tables=self._find_tables,
            meters_moved=self._show_meters,
        )
        for name in self._shared:
            try:
                self._need_key(name)
            except LostKey as lost:
                raise Unavailable(
                    f"table {name}: {lost}; every process that shares a pit needs the same keys"
                ) from None

    @property
    def why_not_ready(self) -> str:
        return self._why_aside or super().why_not_ready

    def send_away_by(self, sockets: SocketRegister) -> None:
        self.changes.logins_ended = partial(sockets.close_ended, self.logins)
        self._send_away = sockets.send_away

    @property
    def tables(self) -> Mapping[str, SharedTable]:
        return self._shared

    async def hear_of(self, name: str) -> None:
        """One that another process brought in a moment ago may not have been heard of yet."""
        is_unheard = name and name not in self._shared and name.isprintable()
        if is_unheard and await asyncio.to_thread(self._is_new, name):
            self.look_again()

    def _is_new(self, name: str) -> bool:
        is_kept = self.ledger.head(f"{TABLE}{name}").version > 0
        if is_kept:
            self._know(name)
        return is_kept

    def watching(self, table: LiveTable, viewer: Viewer) -> AbstractContextManager[Subscription]:
        return self._shared[table.name].watched(viewer)

    async def look(self, name: str, viewer: Viewer) -> bytes:
        self._refuse_cut_off()
        return await self._shared[name].look(viewer)

    async def kept_now(self, name: str) -> LedgerTable:
        if name in self._tables:
            return self._tables[name].kept
        return await asyncio.to_thread(read_table, self.ledger, name, self.registry, self.ring)

    async def shown(self) -> list[TableSummary]:
        """Every table, as its owner has it; one that is on its way is waited for a while."""
        self._refuse_cut_off()
        until = time.monotonic() + TAKEOVER_TIMEOUT_S
        while True:
            found = await self._shown_now()
            if found.keys() >= self._shared.keys():
                return [found[name] for name in sorted(found)]
            if time.monotonic() > until:
                raise Unavailable("some tables are between two processes; try again")
            self.look_again()
            await asyncio.sleep(AGAIN_S)

    async def _shown_now(self) -> dict[str, TableSummary]:
        addresses = {table.owner.address for table in self._shared.values() if table.owner}
        asked = (self.peers.tables(address) for address in addresses)
        told = await asyncio.gather(*asked, return_exceptions=True)
        found = {name: shown_table(actor.kept) for name, actor in self._tables.items()}
        for tables in told:
            if not isinstance(tables, PeerLost):
                if isinstance(tables, BaseException):
                    raise tables
                found |= {table.name: table for table in tables if table.name not in self._tables}
        return found

    def is_brought_in(self, name: str) -> bool:
        """Whether the ledger has the table by now, or another process is about to write it."""
        self._find_tables()
        return name in self._shared or name in self.owners.roster([name]).owners

    def look_again(self) -> None:
        """Something is not where it was thought to be."""
        self._wake.set()

    def start(self) -> None:
        super().start()
        for task in (self._beat(), self._share(), self._watch_reach(), *self.changes.open()):
            self._watch(task)

    async def leave(self) -> None:
        """Everything begun is finished, and the tables are there for others at once; who is still
        here sees them played on elsewhere.
        """
        self._why_aside = "this process is about to stop"
        with suppress(Unavailable):
            await asyncio.to_thread(self.owners.stand_aside)
        await self._part_with(list(self._tables))

    async def close(self) -> None:
        await self.leave()
        for watchman in self._watchmen:
            watchman.cancel()
        await self.peers.close()
        await super().close()
        self._pulse.shutdown(wait=False)

    async def _watch_meters(self) -> None:
        """The change listener notes what moved; viewers are notified at a pace, not each time."""
        while True:
            await asyncio.sleep(METERS_EVERY_S)
            moved, self._moved = self._moved, set()
            for actor in list(self._tables.values()):
                if actor.kept.installed.link in moved:
                    actor.meters_moved()
                    await asyncio.sleep(0)

    def _show_meters(self, moved: set[str]) -> None:
        self._moved |= moved

    # Sharing

    async def _beat(self) -> None:
        """From the loop itself: a process that hangs is silent, and loses its tables as well."""
        loop = asyncio.get_running_loop()
        while True:
            with self._going_on(NO_SIGN):
                for name in await loop.run_in_executor(self._pulse, self.owners.beat):
                    self._lose(name)
                self._beaten_s = time.monotonic()
                backend = self.owners.me.backend
                if backend != self._backend:
                    await self._read_again()
                    self._backend = backend
            await asyncio.sleep(self._every_s)

    @property
    def why_away(self) -> str:
        """A process that cannot give a sign of life has lost its tables, for all that it knows, and
        hears of nobody who may no longer look on: it shows nothing until it can.
        """
        silent_s = time.monotonic() - self._beaten_s
        is_away = NO_SIGN in self._failing and silent_s > self.chosen.silence_seconds
        return CUT_OFF if is_away else ""

    def _refuse_cut_off(self) -> None:
        if self.why_away:
            raise Unavailable(self.why_away)

    async def _watch_reach(self) -> None:
        while True:
            await asyncio.sleep(self._every_s)
            if self.why_away:
                self._send_away(self.why_away)

    async def _share(self) -> None:
        """Whoever misses a table wakes it; while the ledger is away nobody can be helped sooner."""
        while True:
            self._wake.clear()
            with self._going_on(NOT_SHARED):
                await self._settle()
            await asyncio.sleep(self._every_s if NOT_SHARED in self._failing else SOONEST_S)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), self._every_s)

    @contextmanager
    def _going_on(self, what: str) -> Iterator[None]:
        """Whatever happens in one turn, the next comes: a process that stops looking is lost.

        The log is told when the ledger is away, and when it is back, once each.
        """
        try:
            yield
        except Exception as error:
            if not isinstance(error, Unavailable):
                LOG.exception(what)
            elif what not in self._failing:
                LOG.warning(what, extra={"why": str(error)})
            self._failing.add(what)
        else:
            if what in self._failing:
                LOG.warning("the ledger answers again", extra={"after": what})
            self._failing.discard(what)

    async def _settle(self) -> None:
        """Where every table is; then what this process should have, if it may have any."""
        await self._put_right()
        names = list(self._shared)
        is_in = self._may_play()
        if is_in:
            await asyncio.to_thread(self.owners.join)
        roster = await asyncio.to_thread(self.owners.roster, names)
        for name in names:
            owner = roster.owners.get(name) if name not in self._tables else None
            self._shared[name].belongs_to(owner)
        if not is_in:
            return
        most, least = _shares(len(names), len(roster.processes))
        refused = self.integrity.refused
        taken = {*roster.owners, *self._tables, *(each.removeprefix(TABLE) for each in refused)}
        free = [name for name in names if name not in taken]
        if free and len(self._tables) < most:
            await self._take(free, most - len(self._tables))
        await self._hand_over(roster, most, least)

    async def _put_right(self) -> None:
        """What is locked here is played here, and the other way round, whatever was cut."""
        mine = self.owners.mine
        for name in [name for name in self._tables if name not in mine | self._in_hand]:
            self._lose(name)
        strays = [name for name in mine & self._shared.keys() if name not in self._tables]
        if left := [name for name in strays if name not in self._in_hand]:
            await asyncio.to_thread(self.owners.release, left)

    def _may_play(self) -> bool:
        """A program that nobody has accepted plays nothing; other processes do."""
        if self._why_aside:
            return False
        try:
            self.gate()
        except Unavailable:
            return False
        return True

    async def _take(self, free: list[str], room: int) -> None:
        # Each begins somewhere else, so that they seldom reach for the same table.
        free.sort(key=lambda name: hash((self.owners.me.address, name)))
        wanted = iter(free[:room])
        await asyncio.gather(*(self._take_each(wanted) for _ in range(AT_ONCE)))

    async def _take_each(self, wanted: Iterator[str]) -> None:
        """One after the other; what is wrong with one is no reason to leave the next."""
        for name in wanted:
            if self._why_aside:
                return
            try:
                await self._take_one(name)
            except LostKey as lost:
                await self._stand_aside(f"table {name} is not taken: {lost}")
            except ForgedLine:
                with suppress(Unavailable):
                    await asyncio.to_thread(self.owners.release, [name])
            except Exception as error:
                is_told = isinstance(error, Unreadable | Unavailable)
                told = {"table": name, "why": str(error)}
                LOG.error("table not taken", extra=told, exc_info=None if is_told else error)
                with suppress(Unavailable):
                    await asyncio.to_thread(self.owners.release, [name])

    async def _take_one(self, name: str) -> None:
        await asyncio.to_thread(self._need_key, name)
        if name in await asyncio.to_thread(self.owners.claim, [name]):
            writer = self.owners.me.backend
            actor = await asyncio.to_thread(self._opened, name)
            # What was cut while the table was read may have been another's for a moment.
            is_ours = name in self.owners.mine and self.owners.me.backend == writer
            if self._why_aside or not is_ours:
                await asyncio.to_thread(self.owners.release, [name])
                return
            self._keep(actor)
            self._shared[name].adopt(actor)
            actor.start()
            LOG.info("table taken", extra={"table": name})
            await asyncio.to_thread(self.owners.shout, OWNERS_CHANGED)

    def _need_key(self, name: str) -> None:
        """Without the key of its pack a table is not even tried: its round is not ours to end."""
        line = self.ledger.last_of(f"{TABLE}{name}", tag_of(ShoeCommitted))
        committed = read_kept(line.body) if line is not None else None
        if isinstance(committed, ShoeCommitted) and not self._keys_are_lost:
            key_id = sealed_by(committed.sealed)
            if self.ring.key(key_id) is None:
                raise LostKey(key_id)

    async def _stand_aside(self, why: str) -> None:
        """Others must not count on who cannot take a table."""
        self._why_aside = why
        LOG.error("this process stands aside", extra={"why": why})
        with suppress(Unavailable):
            await asyncio.to_thread(self.owners.stand_aside)

    async def _hand_over(self, roster: Roster, most: int, least: int) -> None:
        have = Counter(roster.owners.values())
        somebody_lacks = any(have[process] < least for process in roster.processes)
        over = len(self._tables) - (least if somebody_lacks else most)
        if over <= 0:
            self._over_for = 0
            return
        self._over_for += 1
        idle = [
            name for name, actor in self._tables.items() if phase(actor.kept.state) == "betting"
        ]
        ready = idle if self._over_for < PATIENT_LOOKS else list(self._tables)
        await self._part_with(ready[:over])

    async def _part_with(self, names: Iterable[str]) -> None:
        """What was begun is finished here; what comes meanwhile waits for the new owner."""
        leaving = [actor for name in names if (actor := self._let_go(name)) is not None]
        parted = {actor.name for actor in leaving}
        self._in_hand |= parted
        try:
            await asyncio.gather(*(actor.close() for actor in leaving))
            if leaving:
                with suppress(Unavailable):
                    await asyncio.to_thread(self.owners.release, parted)
        finally:
            self._in_hand -= parted

    def _lose(self, name: str) -> None:
        actor = self._let_go(name)
        if actor is not None:
            LOG.warning("table lost", extra={"table": name})
            self._close_later(actor)
        self.look_again()

    def _let_go(self, name: str) -> TableActor | None:
        self._tables.pop(name, None)
        self.metrics.tables.set(len(self._tables))
        return self._shared[name].give_up()

    async def _read_again(self) -> None:
        """After a cut: another may have had a table, and written to it, and be gone again."""
        for name, actor in list(self._tables.items()):
            head = await asyncio.to_thread(self.ledger.head, f"{TABLE}{name}")
            if head.version > actor.kept.version and self._tables.get(name) is actor:
                fresh = await asyncio.to_thread(self._opened, name)
                old = self._let_go(name)
                self._keep(fresh)
                self._shared[name].adopt(fresh)
                fresh.start()
                if old is not None:
                    self._close_later(old)

    def _close_later(self, actor: TableActor) -> None:
        task = asyncio.ensure_future(actor.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    # Tables

    def _find_tables(self) -> None:
        for stream in sorted(self.ledger.heads()):
            name = stream.removeprefix(TABLE)
            if stream.startswith(TABLE) and name not in self._shared.keys() | self._strange.keys():
                try:
                    self._know(name)
                except (Unreadable, Refusal) as error:
                    self._strange[name] = str(error)
                    LOG.error("table not known here", extra={"table": name, "why": str(error)})

    def _know(self, name: str) -> SharedTable:
        if name not in self._shared:
            first = first_line(self.ledger, f"{TABLE}{name}")
            described = described_table(name, first, self.registry)
            if first.link:
                self.links.named(first.link)
            made = SharedTable(described, self.peers, self.look_again, self.integrity.gate)
            self._shared.setdefault(name, made)
        return self._shared[name]

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
        """Whoever brings a table in has it first."""
        self._in_hand.add(name)
        try:
            if name not in self._shared and name not in self.owners.claim([name]):
                raise Unavailable(f"another process brings in table {name} now; look again")
            try:
                made = partial(super()._installed, filed, by, name, link)
                actor = made(training=training, second=second, beside=beside)
            except BaseException:
                if name not in self._shared:
                    self.owners.release([name])
                raise
            self._know(name).adopt(actor)
            return actor
        finally:
            self._in_hand.discard(name)

    @property
    def unknown_tables(self) -> Mapping[str, str]:
        """Others of the pit may know them."""
        return self._strange


def _shares(tables: int, processes: int) -> tuple[int, int]:
    """The most and the least tables that one of so many processes should have."""
    least, left = divmod(tables, max(1, processes))
    return least + bool(left), least
