"""An LRU cache of what is costly to draw, by content hash, made in one worker thread.

Nothing that takes more than a millisecond is made on the event loop, where every table would wait
for it. The queue of the worker is bounded: who finds it full is told to come again.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from croupier.server.http.api import AnyConnection, pit_of
from croupier.server.pages.table_facts import PageFacts, page_facts
from croupier.server.pit.table_actor import LiveTable
from croupier.server.threads import page_threads

MOST_KEPT = 2_000
T = TypeVar("T")


class RenderCache:
    """Whoever asks for what is being made waits for that: nothing is made twice at once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Any] = OrderedDict()
        self._making: dict[str, asyncio.Future[Any]] = {}
        self._worker = page_threads()

    async def kept(self, key: str, make: Callable[[], T]) -> T:
        """What has this key; made once, and kept as long as it is asked for."""
        if key in self._kept:
            self._kept.move_to_end(key)
            found: T = self._kept[key]
            return found
        making = self._making.get(key) or self._begin(key, make)
        made: T = await asyncio.shield(making)
        self._kept[key] = made
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return made

    async def made(self, make: Callable[[], T]) -> T:
        """Made anew for one who asks, in the same queue."""
        made: T = await asyncio.shield(self._begin(f"once {id(make)}", make))
        return made

    def _begin(self, key: str, make: Callable[[], T]) -> asyncio.Future[T]:
        making = asyncio.get_running_loop().run_in_executor(self._worker, make)
        self._making[key] = making
        making.add_done_callback(lambda _: self._making.pop(key, None))
        return making

    def close(self) -> None:
        self._worker.shutdown(wait=False, cancel_futures=True)


def cache_of(connection: AnyConnection) -> RenderCache:
    cache: RenderCache = connection.app.state.render_cache
    return cache


def content_key(kind: str, table: LiveTable, *more: object) -> str:
    """The hash of all that a drawing of a table depends on: what was filed and installed."""
    told = msgspec.json.encode([kind, table.name, table.kept.installed, *more])
    return hashlib.sha256(told).hexdigest()


async def facts_for(
    connection: AnyConnection, table: LiveTable, *, at_home: bool = False
) -> PageFacts:
    """What a page about a table begins with."""
    kept, registry = table.kept, pit_of(connection).registry
    key = content_key("facts", table, at_home)
    return await cache_of(connection).kept(key, lambda: page_facts(kept, registry, at_home=at_home))
