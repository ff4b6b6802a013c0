"""A proxy for a table of a shared pit: played here, by a peer over RPC, or being handed over.

Whoever watches or asks does not notice where. A view is made by the table's owner alone; a command
that was cut off on the way is given again with its id, which is answered once.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, TypeVar

import msgspec

from croupier.facts.errors import Unavailable
from croupier.ledger.kept_table import Answer, LedgerTable
from croupier.ledger.store.ownership import LostTable, Process
from croupier.server.access.token_buckets import TooMany
from croupier.server.pit.frames import (
    KEPT_CHANGES,
    HeardFrame,
    SentFrame,
    events_json,
    unheard,
)
from croupier.server.pit.peer_client import PeerLost, Peers
from croupier.server.pit.table_actor import Subscription, TableActor
from croupier.table import commands as do
from croupier.table.views import Viewer

TAKEOVER_TIMEOUT_S = 15.0
AGAIN_S = 0.25
T = TypeVar("T")


class LateWatch(Subscription):
    """A place where nothing can be seen yet: the first news is the first view that comes."""

    def __init__(self) -> None:
        super().__init__()
        self._news.clear()


class RemoteView:
    """Fan-out of a peer's frames for one viewer to everybody here who looks on as he."""

    def __init__(self) -> None:
        self._sent: SentFrame | None = None
        self._heard: deque[HeardFrame] = deque(maxlen=KEPT_CHANGES)
        self.watches: dict[Subscription, None] = {}  # in the order they came
        self.following: asyncio.Task[None] | None = None

    @property
    def is_seen(self) -> bool:
        return self._sent is not None

    def take(self, frame: bytes) -> bool:
        """Keep what the owner sent, unless what was seen here before is newer: then he has yet to
        hear that it is written."""
        sent = msgspec.json.decode(frame, type=SentFrame)
        if self._sent is not None and sent.version < self._sent.version:
            return False
        self._sent = sent
        self._heard.append(HeardFrame(sent.since, sent.version, bytes(sent.events)[1:-1]))
        return True

    def frame(self, watch: Subscription | None) -> bytes:
        """The same for one who looks on here, with what happened since he was last sent one."""
        sent = self._sent
        assert sent is not None
        told = unheard(self._heard, sent.version, watch.heard if watch is not None else None)
        if watch is not None:
            watch.heard = sent.version
        since = told[0].since if told else sent.version
        events = events_json(one.events for one in told)
        return msgspec.json.encode(msgspec.structs.replace(sent, since=since, events=events))


class SharedTable:
    """``look_again`` is called when the owner seems to be another than was thought; ``gate`` raises
    where nobody will have the table, for something in it was forged.
    """

    def __init__(
        self,
        described: LedgerTable,
        peers: Peers,
        look_again: Callable[[], None],
        gate: Callable[[str], None],
    ) -> None:
        self._described, self._peers, self._look_again = described, peers, look_again
        self._gate = gate
        self._actor: TableActor | None = None
        self.owner: Process | None = None
        self._moved = asyncio.Event()
        self._meters = b""
        self._remote: dict[Viewer, RemoteView] = {}
        self._places: dict[Subscription, tuple[Viewer, ExitStack]] = {}

    @property
    def name(self) -> str:
        return self._described.name

    @property
    def kept(self) -> LedgerTable:
        return self._actor.kept if self._actor is not None else self._described

    # Where it is

    def adopt(self, actor: TableActor) -> None:
        """It is played here from now on."""
        self._actor, self.owner = actor, None
        self._move()
        self._remote.clear()

    def give_up(self) -> TableActor | None:
        """It is no longer played here; nobody knows yet where it will be."""
        actor, self._actor = self._actor, None
        if actor is not None:
            self._meters = actor.meters_frame()
            for viewer in dict.fromkeys(viewer for viewer, _ in self._places.values()):
                self._remote.setdefault(viewer, RemoteView()).take(actor.frame(viewer))
            self._move()
            actor.notify_viewers()
        return actor

    def belongs_to(self, owner: Process | None) -> None:
        if self._actor is None and owner != self.owner:
            self.owner = owner
            self._move()

    def _move(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()
        for remote in self._remote.values():
            if remote.following is not None:
                remote.following.cancel()
                remote.following = None
        for watch, (viewer, stack) in self._places.items():
            stack.close()
            self._place(watch, viewer, stack)
            if self._actor is not None:
                watch.notify(table=True)

    # Asking

    async def ask(self, command: do.Command, command_id: str, seen: int | None = None) -> Answer:
        until = time.monotonic() + TAKEOVER_TIMEOUT_S
        is_in_doubt = False  # whether something may have come of it where it was cut off
        while True:
            moved = self._moved
            try:
                if self._actor is not None:
                    return await self._actor.ask(command, command_id, seen)
                if self.owner is None:
                    self._gate(self.name)
                else:
                    asking = self._peers.ask(
                        self.owner.address, self.name, command, command_id, seen
                    )
                    return await _unless(moved, asking)
            except (LostTable, PeerLost):
                is_in_doubt = True
                self._look_again()
            except TooMany:
                if not is_in_doubt:
                    raise
            await self._wait(moved, until)

    async def look(self, viewer: Viewer) -> bytes:
        until = time.monotonic() + TAKEOVER_TIMEOUT_S
        while True:
            moved = self._moved
            try:
                if self._actor is not None:
                    return self._actor.frame(viewer)
                if self.owner is not None:
                    looking = self._peers.look(self.owner.address, self.name, viewer)
                    return await _unless(moved, looking)
            except PeerLost:
                self._look_again()
            await self._wait(moved, until)

    async def _wait(self, moved: asyncio.Event, until: float) -> None:
        left = until - time.monotonic()
        if left <= 0:
            raise Unavailable(
                f"table {self.name} is between two processes; "
                "give the command again with the same id"
            )
        with suppress(TimeoutError):
            await asyncio.wait_for(moved.wait(), min(left, AGAIN_S))

    # Watching

    @contextmanager
    def watched(self, viewer: Viewer) -> Iterator[Subscription]:
        watch = Subscription() if self._actor is not None else LateWatch()
        stack = ExitStack()
        self._place(watch, viewer, stack)
        self._places[watch] = (viewer, stack)
        try:
            yield watch
        finally:
            del self._places[watch]
            stack.close()

    def frame(self, viewer: Viewer, watch: Subscription | None = None) -> bytes:
        if self._actor is not None:
            return self._actor.frame(viewer, watch)
        return self._remote[viewer].frame(watch)

    def meters_frame(self) -> bytes:
        return self._actor.meters_frame() if self._actor is not None else self._meters

    def _place(self, watch: Subscription, viewer: Viewer, stack: ExitStack) -> None:
        if self._actor is not None:
            stack.enter_context(self._actor.watched(watch, viewer))
        else:
            stack.enter_context(self._watched_remote(watch, viewer))

    @contextmanager
    def _watched_remote(self, watch: Subscription, viewer: Viewer) -> Iterator[None]:
        remote = self._remote.setdefault(viewer, RemoteView())
        remote.watches[watch] = None
        if remote.following is None:
            remote.following = asyncio.ensure_future(self._follow(viewer, remote))
        elif remote.is_seen:
            watch.notify(table=True)
        try:
            yield
        finally:
            remote.watches.pop(watch, None)
            if not remote.watches and remote.following is not None:
                remote.following.cancel()
                remote.following = None

    async def _follow(self, viewer: Viewer, remote: RemoteView) -> None:
        """The views of one viewer, from whoever has the table; a move begins it anew."""

        def take_frame(table: bool, frame: bytes) -> None:
            if table and not remote.take(frame):
                return
            if not table:
                self._meters = frame
            for watch in remote.watches:
                watch.notify(table=table)

        while True:
            with suppress(PeerLost):
                if self.owner is not None:
                    await self._peers.watch(self.owner.address, self.name, viewer, take_frame)
            self._look_again()
            await asyncio.sleep(AGAIN_S)


async def _unless(moved: asyncio.Event, asking: Coroutine[Any, Any, T]) -> T:
    """The answer, or PeerLost as soon as the table is elsewhere: a paused owner never answers."""
    task = asyncio.ensure_future(asking)
    news = asyncio.ensure_future(moved.wait())
    try:
        await asyncio.wait((task, news), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise PeerLost
    finally:
        task.cancel()
        news.cancel()
