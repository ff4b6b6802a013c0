"""One table of the pit: commands one after the other, and every viewer told after each.

A command is finished once it is begun, whoever asked for it and whether or not he still waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple
from uuid import uuid4

import msgspec

from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.ledger.hand import SYSTEM
from croupier.ledger.keeper import ATTEMPTS, Answer, KeptTable, Plan
from croupier.ledger.port import Moved, Repeated
from croupier.server.links import LinkDesk
from croupier.server.metrics import Metrics
from croupier.server.writer import Writer
from croupier.table import commands as do
from croupier.table.agenda import asked_box, phase
from croupier.table.views import View, Viewer, view


class Frame(msgspec.Struct, frozen=True):
    """What a viewer gets after each change: the whole table as he may see it."""

    table: str
    version: int
    view: View


class Meters(msgspec.Struct, frozen=True):
    """What a viewer gets when only the meters of the link moved, by another table's doing."""

    table: str
    meters: dict[str, int]


class Publisher:
    """Tells viewers of changes, one table a turn: commands that wait meanwhile come first.

    A table that changes faster than it can be told of is told of once, as it is then.
    """

    def __init__(self) -> None:
        self._changed: dict[TableActor, None] = {}
        self._news = asyncio.Event()

    def note(self, table: TableActor) -> None:
        self._changed[table] = None
        self._news.set()

    async def run(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            while self._changed:
                table = next(iter(self._changed))
                del self._changed[table]
                table.tell_viewers()
                await asyncio.sleep(0)


class Watch:
    """One viewer's place: what is new since he last looked, however often it changed."""

    def __init__(self) -> None:
        self._news = asyncio.Event()
        self._news.set()
        self._table = True

    def tell(self, *, table: bool) -> None:
        self._table |= table
        self._news.set()

    async def next(self) -> bool:
        """Wait for news; whether the table itself changed, or its meters alone."""
        await self._news.wait()
        self._news.clear()
        table, self._table = self._table, False
        return table


class Pace(NamedTuple):
    """What all tables of a pit share: who writes, who counts, how long a box may think.

    ``gate`` raises where nothing is played now.
    """

    writer: Writer
    metrics: Metrics
    decision_seconds: float | None
    gate: Callable[[], None]
    publisher: Publisher


class TableActor:
    """A kept table and everybody who watches it."""

    def __init__(
        self, reopen: Callable[[], KeptTable], pace: Pace, link_of: Callable[[str], LinkDesk]
    ) -> None:
        self._pace = pace
        first = reopen()
        self.link = link_of(first.installed.link) if first.installed.link else None
        self.kept = self._on_link(first)
        self._reopen = reopen
        self._in_doubt = False
        self._turn = asyncio.Lock()
        self._watches: set[Watch] = set()
        self._frames: dict[Viewer, bytes] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._asked: tuple[int, int, int] | None = None
        self._unfinished: set[asyncio.Task[Answer]] = set()

    @property
    def name(self) -> str:
        return self.kept.name

    async def ask(self, command: do.Command, command_id: str, seen: int | None = None) -> Answer:
        """The answer to a command; Refusal, Unreadable or Unavailable say why there is none."""
        self._pace.gate()
        if self.link is not None:
            self.link.refuse_wager(command)
        task = asyncio.ensure_future(self._in_turn(command, command_id, seen))
        self._unfinished.add(task)
        task.add_done_callback(self._unfinished.discard)
        return await asyncio.shield(task)

    def frame(self, viewer: Viewer) -> bytes:
        """The table for a viewer, as JSON; made once a change however many look."""
        found = self._frames.get(viewer)
        if found is None:
            shown = msgspec.structs.replace(
                view(self.kept.state, viewer), meters=self.kept.readings()
            )
            found = msgspec.json.encode(Frame(self.name, self.kept.version, shown))
            self._frames[viewer] = found
        return found

    def meters_frame(self) -> bytes:
        return msgspec.json.encode(Meters(self.name, self.kept.readings()))

    @contextmanager
    def watched(self) -> Iterator[Watch]:
        """A place among those who are told of every change."""
        watch = Watch()
        self._watches.add(watch)
        try:
            yield watch
        finally:
            self._watches.discard(watch)

    def tell_viewers(self) -> None:
        for watch in self._watches:
            watch.tell(table=True)

    def meters_moved(self) -> None:
        """Another table on the link did it, or the link itself came or went."""
        self._frames.clear()
        for watch in self._watches:
            watch.tell(table=False)

    def start(self) -> None:
        self._set_timer()

    async def close(self) -> None:
        """What was begun is finished; nobody is asked any more."""
        self._stop_timer()
        while self._unfinished:
            await asyncio.wait(self._unfinished)

    def _on_link(self, kept: KeptTable) -> KeptTable:
        """All tables of the pit look at one and the same reading of their link."""
        kept.link = self.link.link if self.link is not None else None
        return kept

    async def _in_turn(self, command: do.Command, command_id: str, seen: int | None) -> Answer:
        async with self._turn:
            if self._in_doubt:
                self.kept = self._on_link(await asyncio.to_thread(self._reopen))
                self._in_doubt = False
            before = self.kept.state.round.number
            try:
                answer = await self._written(command, command_id, seen)
            except (Refusal, Unreadable):
                raise
            except BaseException:
                # Whether it was written is not known here: the ledger is asked next time.
                self._in_doubt = True
                raise
            finally:
                self._set_timer()
            self._pace.metrics.rounds.inc(self.kept.state.round.number - before)
            if not answer.again:
                self._frames.clear()
                self._pace.publisher.note(self)
            return answer

    async def _written(self, command: do.Command, command_id: str, seen: int | None) -> Answer:
        planned = self._planned(command, command_id, seen)
        if isinstance(planned, Answer):
            return planned
        if not planned.moved or self.link is None:
            return await self._appended(planned, command, command_id, seen)
        async with self.link.turn:
            return await self._appended(None, command, command_id, seen)

    def _planned(self, command: do.Command, command_id: str, seen: int | None) -> Plan | Answer:
        """Nearly every id is new: that is looked at where the answer is no, or at the writing."""
        try:
            return self.kept.plan(command, command_id, seen, is_new=True)
        except Unreadable:
            return self.kept.plan(command, command_id, seen)

    async def _appended(
        self, planned: Plan | None, command: do.Command, command_id: str, seen: int | None
    ) -> Answer:
        for _ in range(ATTEMPTS):
            found = planned or self.kept.plan(command, command_id, seen)
            if isinstance(found, Answer):
                return found
            planned = None
            try:
                await self._pace.writer.append(found.writings)
            except Moved as moved:
                self.kept.catch_up(moved)
            except Repeated:
                continue
            else:
                return self.kept.believe(found)
        raise Unavailable("others write to this table or its link too fast; try again")

    def _set_timer(self) -> None:
        """A box that is asked has so long to answer; then the disclosed default is played.

        Nothing that anybody says meanwhile gives it more time.
        """
        state = self.kept.state
        box = asked_box(state) if phase(state) == "acting" and state.hold is None else None
        if box is None or box.absent == "left" or self._pace.decision_seconds is None:
            self._stop_timer()
            return
        asked = (state.round.number, box.seat, box.answered)
        if self._timer is not None and asked == self._asked:
            return
        self._stop_timer()
        self._asked = asked
        late = do.TimeOut(by=SYSTEM, role="device", box=box.seat)
        # Whoever was ruled to be played by the default keeps nobody waiting.
        wait_s = 0.0 if box.absent == "default" else self._pace.decision_seconds
        self._timer = asyncio.get_running_loop().call_later(wait_s, self._time_out, late)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_out(self, late: do.TimeOut) -> None:
        self._timer = None
        task = asyncio.ensure_future(self._late(late, self._asked))
        self._unfinished.add(task)
        task.add_done_callback(self._unfinished.discard)

    async def _late(self, late: do.TimeOut, asked: tuple[int, int, int] | None) -> Answer:
        try:
            self._pace.gate()
            if self._asked == asked:
                return await self._in_turn(late, f"{SYSTEM}-{uuid4()}", None)
        except (Refusal, Unreadable, Unavailable, Moved):
            # The box answered at the last moment, or the ledger is away and the clock starts anew.
            self._set_timer()
        return Answer((), self.kept.version, again=True)
