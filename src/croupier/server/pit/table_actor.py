"""An actor for one table: commands one after the other, and frames to every viewer.

A command is finished once it is begun, whoever asked for it and whether or not he still waits.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, TypeVar, TypeVarTuple
from uuid import uuid4

import msgspec

from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.ledger.envelope import SYSTEM
from croupier.ledger.kept_table import Answer, AppendPlan, KeptTable, LedgerTable
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Moved, Repeated, Writing
from croupier.server.access.token_buckets import Budgets, TooMany
from croupier.server.pit.frames import (
    KEPT_CHANGES,
    MetersFrame,
    SentFrame,
    TableChange,
    events_json,
    unheard,
)
from croupier.server.pit.progressive_links import PitLink
from croupier.table import commands as do
from croupier.table.agenda import moment
from croupier.table.beyond import Beyond
from croupier.table.due import Due
from croupier.table.handlers.numbers import SHOW_WITHIN_S, unshown
from croupier.table.handlers.opening import change_at_s
from croupier.table.option_cache import OptionCache
from croupier.table.options import Viewing
from croupier.table.views import TableSight, Viewer

LOG = logging.getLogger("croupier")
LOOK_AGAIN_S = 1.0
STAFF: tuple[Viewing, ...] = ("dealer", "floorperson", "manager")
T = TypeVar("T")
Given = TypeVarTuple("Given")
FrameKey = tuple[Viewer, int, Due | None]
"""By what frames of one moment differ: whose, the version of his last, and what is due."""
BoxQuestion = tuple[int, int, int]
"""What a box is asked: in which round, which box, and how often it has answered."""


class Publisher:
    """Fan-out of changes to viewers, round-robin over tables: commands that wait come first.

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
                try:
                    table.notify_viewers()
                except Exception:
                    # What is wrong with one table is no reason to leave the others untold.
                    LOG.exception("a table cannot be shown", extra={"table": table.name})
                await asyncio.sleep(0)


class Subscription:
    """One viewer's conflating queue: what is new since he last looked, however often it changed.

    ``heard`` is the version of the last frame that he was sent.
    """

    def __init__(self) -> None:
        self.heard: int | None = None
        self._news = asyncio.Event()
        self._news.set()
        self._table = True

    def notify(self, *, table: bool) -> None:
        self._table |= table
        self._news.set()

    async def next(self) -> bool:
        """Wait for news; whether the table itself changed, or its meters alone."""
        await self._news.wait()
        self._news.clear()
        table, self._table = self._table, False
        return table


class LiveTable(Protocol):
    """A table as people meet it, wherever it is played."""

    @property
    def name(self) -> str: ...

    @property
    def kept(self) -> LedgerTable: ...

    async def ask(
        self, command: do.Command, command_id: str, seen: int | None = None
    ) -> Answer: ...

    def frame(self, viewer: Viewer, watch: Subscription | None = None) -> bytes: ...

    def meters_frame(self) -> bytes: ...


class LedgerWriter(Protocol):
    """Who appends for a table, alone or together with others."""

    async def append(self, writings: Sequence[Writing], /) -> tuple[LedgerLine, ...]: ...


class EventCounter(Protocol):
    def inc(self, amount: float = 1, /) -> None: ...


class TableMetrics(Protocol):
    """What a table counts of itself."""

    @property
    def rounds(self) -> EventCounter: ...

    @property
    def unkept(self) -> EventCounter: ...


class TableServices(NamedTuple):
    """What all tables of a pit share: who writes, who counts, how long a box may think.

    ``gate`` raises where nothing is played now, or nothing at that table; a ledger that ``is_far``
    lies on a server.
    """

    writer: LedgerWriter
    metrics: TableMetrics
    decision_seconds: float | None
    gate: Callable[[str], None]
    publisher: Publisher
    budgets: Budgets
    is_far: bool = False


class TableActor:
    """A kept table and everybody who watches it."""

    def __init__(
        self,
        reopen: Callable[[], KeptTable],
        pace: TableServices,
        link_of: Callable[[str], PitLink],
    ) -> None:
        self._pace = pace
        first = reopen()
        self.link = link_of(first.installed.link) if first.installed.link else None
        self.kept = self._on_link(first)
        self._reopen = reopen
        self._in_doubt = False
        self._turn = asyncio.Lock()
        self._watches: dict[Subscription, Viewer | None] = {}
        self._seen, self._told = self.kept.state, self.kept.version
        self._sight: TableSight | None = None
        self._options = OptionCache()
        self._link_told = self._ahead_told = ""
        self._views: dict[Viewer, msgspec.Raw] = {}
        self._frames: dict[FrameKey, bytes] = {}
        self._frames_at: tuple[int, float | None] = (0, None)
        self._changes: deque[TableChange] = deque(maxlen=KEPT_CHANGES)
        self._timer: asyncio.TimerHandle | None = None
        self._until_s, self._until_at_s = 0.0, 0
        self._asked: BoxQuestion | None = None
        self._second_look: asyncio.TimerHandle | None = None
        self._deck_timer: asyncio.TimerHandle | None = None
        self._is_closed = False
        self._unfinished: set[asyncio.Task[Answer]] = set()

    @property
    def name(self) -> str:
        return self.kept.name

    async def ask(self, command: do.Command, command_id: str, seen: int | None = None) -> Answer:
        """The answer to a command; Refusal, Unreadable or Unavailable say why there is none."""
        self._pace.gate(self.name)
        return await asyncio.shield(self._begin(self._in_turn(command, command_id, seen)))

    def frame(self, viewer: Viewer, watch: Subscription | None = None) -> bytes:
        """The table for a viewer, as JSON; his view is made once a change however often he looks,
        and so is the whole frame for all who are the same viewer, as those without a login are.

        What happened is told to a place from where it was told before. How much time is left is
        told anew: whoever comes late sees what is left then.
        """
        sight, version = self._current_sight(), self.kept.version
        changes = self.unheard(watch.heard if watch is not None else None)
        if watch is not None:
            watch.heard = version
        since = changes[0].since if changes else version
        due, left_s = self._due(sight, viewer), self._seconds_left()
        if self._frames_at != (version, left_s):
            self._frames, self._frames_at = {}, (version, left_s)
        told = (viewer, since, due)
        if told not in self._frames:
            sent = SentFrame(
                self.name,
                version,
                self._view(sight, viewer),
                since,
                events_json(change.json(viewer) for change in changes),
                due,
                left_s,
                self.kept.committed_root(),
            )
            self._frames[told] = msgspec.json.encode(sent)
        return self._frames[told]

    def _view(self, sight: TableSight, viewer: Viewer) -> msgspec.Raw:
        if viewer not in self._views:
            self._views[viewer] = msgspec.Raw(msgspec.json.encode(sight.view(viewer)))
        return self._views[viewer]

    def unheard(self, heard: int | None) -> list[TableChange]:
        """What was done since a version, as far as it is kept."""
        return unheard(self._changes, self.kept.version, heard)

    def _current_sight(self) -> TableSight:
        if self._sight is None or self._seen is not self.kept.state:
            self._seen = self.kept.state
            beyond = self._beyond()
            self._link_told, self._ahead_told = beyond.no_progressive, beyond.ahead
            self._sight = TableSight(self._seen, self.kept.readings(), beyond, self._options)
            self._views.clear()
            self._frames.clear()
        return self._sight

    def _due(self, sight: TableSight, viewer: Viewer) -> Due | None:
        step = sight.due(viewer)
        if step is None or self._timer is None:
            return step
        return msgspec.structs.replace(step, until_s=self._until_at_s)

    def _beyond(self) -> Beyond:
        return Beyond(
            seconds_left=math.ceil(self._seconds_left() or 0),
            no_progressive=self.link.why_closed if self.link is not None else "",
            at_s=self.kept.now_s(),
            ahead=self.kept.ahead(),
            here=self.players_here(),
        )

    def players_here(self) -> frozenset[str]:
        """The players who look at this table now, at whichever process."""
        looking = tuple(self._watches.values())  # at once: a command may be planned in a thread
        return frozenset(each.name for each in looking if each and each.role == "player")

    @property
    def is_dealt(self) -> bool:
        """Whether a dealer looks at this table now: the console is taken."""
        looking = (viewer for viewer in self._watches.values() if viewer is not None)
        return any(viewer.role == "dealer" for viewer in looking)

    def meters_frame(self) -> bytes:
        return msgspec.json.encode(MetersFrame(self.name, self.kept.readings()))

    @contextmanager
    def watched(
        self, watch: Subscription | None = None, viewer: Viewer | None = None
    ) -> Iterator[Subscription]:
        """A place among those who are told of every change."""
        watch = watch or Subscription()
        self._watches[watch] = viewer
        self._note_presence(viewer)
        try:
            yield watch
        finally:
            del self._watches[watch]
            self._note_presence(viewer)

    def _note_presence(self, viewer: Viewer | None) -> None:
        """Whoever sits or deals here came or went: staff are offered something else, and nobody
        else is."""
        seats = self.kept.state.seats.values()
        if viewer is not None and (viewer.role == "dealer" or viewer.name in seats):
            self._sight = None
            for watch, other in self._watches.items():
                if other is None or other.role in STAFF:
                    watch.notify(table=True)

    def notify_viewers(self) -> None:
        for watch in tuple(self._watches):
            watch.notify(table=True)

    def meters_moved(self) -> None:
        """Another table on the link did it, or the link itself came or went."""
        self._sight = None
        told = (self._link_told, self._ahead_told)
        whole = self.link is not None and (self.link.why_closed, self.kept.ahead()) != told
        for watch in tuple(self._watches):
            watch.notify(table=whole)

    def start(self) -> None:
        self._set_timer()
        self._set_deck_timer()

    async def close(self) -> None:
        """What was begun is finished; nobody is asked any more."""
        self._is_closed = True
        self._stop_timer()
        for timer in (self._second_look, self._deck_timer):
            if timer is not None:
                timer.cancel()
        while self._unfinished:
            await asyncio.wait(self._unfinished)

    def _begin(self, work: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        """It is finished whoever still waits for it."""
        task = asyncio.ensure_future(work)
        self._unfinished.add(task)
        task.add_done_callback(self._unfinished.discard)
        return task

    def _on_link(self, kept: KeptTable) -> KeptTable:
        """All tables of the pit look at one and the same reading of their link."""
        kept.link = self.link.link if self.link is not None else None
        kept.beyond = self._beyond
        return kept

    async def _in_turn(self, command: do.Command, command_id: str, seen: int | None) -> Answer:
        async with self._turn:
            await self._end_doubt()
            return await self._in_order(command, command_id, seen)

    async def _in_order(self, command: do.Command, command_id: str, seen: int | None) -> Answer:
        before = self.kept.state.round.number
        try:
            return await self._written(command, command_id, seen)
        except (Refusal, Unreadable, TooMany):
            raise
        except BaseException:
            # Whether it was written is not known here: the ledger is asked next time.
            self._in_doubt = True
            self._look_later()
            raise
        finally:
            self._pace.metrics.rounds.inc(max(0, self.kept.state.round.number - before))
            self._note_change()

    async def _end_doubt(self) -> None:
        if self._in_doubt:
            self.kept = self._on_link(await asyncio.to_thread(self._reopen))
            self._in_doubt = False
            self._note_change()

    def _look_later(self) -> None:
        """Nobody has to ask first: what was written is shown as soon as the ledger tells it."""
        if self._second_look is None and not self._is_closed:
            loop = asyncio.get_running_loop()
            self._second_look = loop.call_later(LOOK_AGAIN_S, self._look_again)

    def _look_again(self) -> None:
        self._second_look = None
        self._begin(self._looked())

    async def _looked(self) -> Answer:
        try:
            async with self._turn:
                await self._end_doubt()
        except (Unreadable, Unavailable, Moved):
            self._look_later()
        return Answer((), self.kept.version, again=True)

    def _note_change(self) -> None:
        """Whatever was answered: what the table is now may be another's doing, found on the way."""
        self._set_timer()
        if self.kept.version != self._told:
            self._told = self.kept.version
            self._set_deck_timer()
            self._pace.publisher.note(self)

    async def _written(self, command: do.Command, command_id: str, seen: int | None) -> Answer:
        planned = await self._away(self._planned, command, command_id, seen)
        if isinstance(planned, Answer):
            return planned
        if not planned.moved or self.link is None:
            return await self._appended(planned, command, command_id, seen)
        async with self.link.turn:
            return await self._appended(None, command, command_id, seen)

    async def _away(self, work: Callable[[*Given], T], *given: *Given) -> T:
        """What may read the ledger; one that is far away may not answer for long, and meanwhile
        everybody else is served."""
        return await asyncio.to_thread(work, *given) if self._pace.is_far else work(*given)

    def _planned(
        self, command: do.Command, command_id: str, seen: int | None
    ) -> AppendPlan | Answer:
        """Nearly every id is new: that is looked at where the answer is no, or at the writing."""
        try:
            return self.kept.plan(command, command_id, seen, is_new=True)
        except Unreadable:
            return self.kept.plan(command, command_id, seen)

    async def _appended(
        self, planned: AppendPlan | None, command: do.Command, command_id: str, seen: int | None
    ) -> Answer:
        retry = self.kept.append_retry(command, command_id, seen, planned)
        while isinstance(found := await self._away(retry.next_plan), AppendPlan):
            if found.refusal is not None and command.by != SYSTEM:
                await self._pay_for_refusal(found.refusal, command, command_id)
            try:
                await self._pace.writer.append(found.writings)
            except (Moved, Repeated) as rejection:
                await self._away(retry.rejected, rejection)
            else:
                return self._believed(found)
        return found

    async def _pay_for_refusal(
        self, refusal: Refusal, command: do.Command, command_id: str
    ) -> None:
        """Nobody fills the disk with what is refused: beyond his budget it is told and not kept,
        and its id stays good. What was answered before is answered so again."""
        try:
            self._pace.budgets.refusal(command.by)
        except TooMany as error:
            await self._away(self.kept.plan, command, command_id)
            self._pace.metrics.unkept.inc()
            raise TooMany(f"{refusal.sentence}; {error}", error.wait_s) from None

    def _believed(self, plan: AppendPlan) -> Answer:
        since, before = self.kept.version, self.kept.state
        answer = self.kept.believe(plan)
        self._changes.append(TableChange(since, answer.version, before, answer.events))
        return answer

    def _set_timer(self) -> None:
        """A box that is asked has so long to answer; then the disclosed default is played.

        Nothing that anybody says meanwhile gives it more time.
        """
        state = self.kept.state
        stands = state.hold is not None or state.lock is not None or self._is_closed
        if not stands and unshown(state):
            self._wait_for_numbers((state.round.number, 0, 0))
            return
        box = None if stands else moment(state).asked
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
        self._until_s = time.monotonic() + wait_s
        self._until_at_s = round(self.kept.now_s() + wait_s)
        self._timer = asyncio.get_running_loop().call_later(wait_s, self._time_out, late)

    def _set_deck_timer(self) -> None:
        """A deck that falls due to be changed is shown so, though nothing happens."""
        if self._deck_timer is not None:
            self._deck_timer.cancel()
            self._deck_timer = None
        state, now_s = self.kept.state, self.kept.now_s()
        due = [at_s for deck in state.decks if (at_s := change_at_s(state, deck)) > now_s]
        if due and not self._is_closed:
            loop = asyncio.get_running_loop()
            self._deck_timer = loop.call_later(min(due) - now_s, self._deck_is_due)

    def _deck_is_due(self) -> None:
        self._sight = None
        self.notify_viewers()
        self._set_deck_timer()

    def _wait_for_numbers(self, asked: BoxQuestion) -> None:
        """Who does not show his number in time has voided the round."""
        if self._timer is not None and asked == self._asked:
            return
        self._stop_timer()
        self._asked, wait_s = asked, SHOW_WITHIN_S + 1.0  # the engine counts whole seconds
        self._until_s = time.monotonic() + wait_s
        self._until_at_s = round(self.kept.now_s() + wait_s)
        late = do.VoidUnshown(by=SYSTEM, role="device")
        self._timer = asyncio.get_running_loop().call_later(wait_s, self._time_out, late)

    def _seconds_left(self) -> float | None:
        if self._timer is None:
            return None
        return max(0.0, round(self._until_s - time.monotonic(), 1))

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_out(self, late: do.Command) -> None:
        self._timer = None
        self._begin(self._late(late, self._asked))

    async def _late(self, late: do.Command, asked: BoxQuestion | None) -> Answer:
        """Once it is this one's turn the box may have been asked something else already."""
        try:
            self._pace.gate(self.name)
            async with self._turn:
                await self._end_doubt()
                if self._asked == asked and not self._is_closed:
                    return await self._in_order(late, f"{SYSTEM}-{uuid4()}", None)
        except (Refusal, Unreadable, Unavailable, Moved):
            # The box answered at the last moment, or the ledger is away and the clock starts anew.
            self._set_timer()
        return Answer((), self.kept.version, again=True)
