"""Change notifications between processes (LISTEN/NOTIFY): that something changed, never what.

Who hears one reads the ledger. After a cut it cannot know what it missed, and looks at everything.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any

from croupier.facts.errors import Unavailable
from croupier.ledger.events import LINK, PIT, TABLE
from croupier.ledger.store.ownership import News, Owners
from croupier.server.access.logins import STREAM as ACCESS
from croupier.server.access.logins import Logins
from croupier.server.access.people import STREAM as PEOPLE
from croupier.server.access.people import People
from croupier.server.pit.key_acceptance import STREAM as KEYS
from croupier.server.pit.key_acceptance import KeyAcceptance
from croupier.server.pit.progressive_links import STREAM as LINKS
from croupier.server.pit.progressive_links import Links
from croupier.server.self_check import STREAM as PROGRAM
from croupier.server.self_check import SelfCheck

LOG = logging.getLogger("croupier")
AGAIN_S = 1.0
LINKS_EVERY_S = 5.0
TOUCHES_EVERY_S = 10.0
TOUCH = f"{PIT}touched/"
ALL = ""


async def _nobody() -> None:
    pass


class ChangeListener:
    """``tables_moved`` when some table was taken or given up, ``find_tables`` (in a thread of its
    own) when there may be new ones, ``meters_moved`` with the links that it happened to.
    """

    def __init__(
        self,
        owners: Owners,
        people: People,
        logins: Logins,
        links: Links,
        program: SelfCheck,
        keys: KeyAcceptance,
        *,
        tables_moved: Callable[[], None],
        find_tables: Callable[[], None],
        meters_moved: Callable[[set[str]], None],
    ) -> None:
        self._owners, self._people, self._logins, self._links = owners, people, logins, links
        self._program, self._keys = program, keys
        self._tables_moved, self._find_tables = tables_moved, find_tables
        self._meters_moved = meters_moved
        self.logins_ended: Callable[[], Awaitable[None]] = _nobody
        self._reached: dict[str, int] = {}
        self._news = asyncio.Event()
        self._is_away = False  # the ledger, as the log was told

    def open(self) -> tuple[Coroutine[Any, Any, None], ...]:
        """What has to run from now on."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop,), daemon=True).start()
        return self._follow_news(), self._broadcast_touches(), self._watch_links()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError):  # the loop is closed, and nobody listens any more
            for news in self._owners.heard():
                loop.call_soon_threadsafe(self._hear, news)

    def _hear(self, news: News | None) -> None:
        if news is not None and news.stream.startswith(TOUCH):
            self._logins.touched_elsewhere(news.stream.removeprefix(TOUCH), news.version)
            return
        if news is None or news.stream.startswith(TABLE):
            self._tables_moved()
        if news is None or news.stream != TABLE:
            stream, version = (ALL, 0) if news is None else (news.stream, news.version)
            self._reached[stream] = max(version, self._reached.get(stream, 0))
            self._news.set()

    async def _follow_news(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            reached, self._reached = self._reached, {}
            try:
                await self._follow(reached)
                self._is_away = False
            except Exception as error:
                # Whatever it was, who stops listening would be wrong about everything from then on.
                was_away, self._is_away = self._is_away, isinstance(error, Unavailable)
                if not (was_away and self._is_away):
                    LOG.warning("news not followed", exc_info=None if self._is_away else error)
                self._reached[ALL] = 0
                await asyncio.sleep(AGAIN_S)
                self._news.set()

    async def _follow(self, reached: Mapping[str, int]) -> None:
        """``reached``: streams that were written to, and how far they have come."""
        everything = ALL in reached
        # Whoever may no longer be here is gone first, whatever else cannot be followed.
        if everything or PEOPLE in reached or ACCESS in reached:
            await self._follow_people()
        if everything or PROGRAM in reached:
            await asyncio.to_thread(self._program.follow)
            self._tables_moved()
        if everything or KEYS in reached:
            await asyncio.to_thread(self._keys.follow)
        if everything or any(stream.startswith(TABLE) for stream in reached):
            await asyncio.to_thread(self._find_tables)
            self._tables_moved()
        if everything or LINKS in reached:
            await asyncio.to_thread(self._links.follow)
            await self._look_at_links()
        else:
            self._meters_moved(await asyncio.to_thread(self._links.moved, _links_in(reached)))

    async def _follow_people(self) -> None:
        await asyncio.to_thread(self._people.refresh)
        await asyncio.to_thread(self._logins.follow)
        await self.logins_ended()

    async def _broadcast_touches(self) -> None:
        """Who works at one process is not idle to the others."""
        while True:
            await asyncio.sleep(TOUCHES_EVERY_S)
            touches = self._logins.touches().items()
            with suppress(Unavailable):
                news = [News(f"{TOUCH}{mark}", at_us) for mark, at_us in touches]
                await asyncio.to_thread(self._owners.shout, *news)

    async def _watch_links(self) -> None:
        """Others are heard when they move a meter; a link that is lost is noticed all the same."""
        while True:
            await asyncio.sleep(LINKS_EVERY_S)
            await self._look_at_links()

    async def _look_at_links(self) -> None:
        reached = None
        with suppress(Unavailable):
            heads = await asyncio.to_thread(self._owners.heads)
            reached = _links_in({head.stream: head.version for head in heads.values()})
        self._meters_moved(await asyncio.to_thread(self._links.moved, reached))


def _links_in(reached: Mapping[str, int]) -> dict[str, int]:
    return {
        stream.removeprefix(LINK): version
        for stream, version in reached.items()
        if stream.startswith(LINK)
    }
