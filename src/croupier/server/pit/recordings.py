"""The index over recordings of a pit, kept up beside the tables in a thread of its own."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterable

import msgspec

from croupier.facts.errors import Unavailable
from croupier.games.registry import Registry
from croupier.ledger.recordings.index import RecordingIndex, RecordingQuery, open_index
from croupier.ledger.recordings.recording import Recording
from croupier.ledger.store.port import Ledger

LOG = logging.getLogger("croupier")
EVERY_S, BEHIND_S = 5.0, 0.2
"""How long it rests: when it is up to date, and between two batches, for the tables' sake."""


class RecordingsFound(msgspec.Struct, frozen=True):
    """The newest first; ``behind``: rounds that are over are still being put into the index."""

    found: tuple[Recording, ...]
    behind: bool


class PitRecordings:
    """``tables`` are those that are played in this process: each looks after its own."""

    def __init__(
        self, ledger: Ledger, registry: Registry, tables: Callable[[], Iterable[str]]
    ) -> None:
        self._ledger, self._registry, self._tables = ledger, registry, tables
        self._index: RecordingIndex | None = None
        self._behind, self._is_over = True, False
        self._turn = threading.Lock()

    async def run(self) -> None:
        while True:
            try:
                await asyncio.to_thread(self._catch_up)
            except Unavailable as error:
                LOG.warning("recordings wait to be put into their index", extra={"why": str(error)})
            except Exception:
                LOG.exception("recordings wait to be put into their index")
            await asyncio.sleep(BEHIND_S if self._behind else EVERY_S)

    async def find(self, query: RecordingQuery) -> RecordingsFound:
        """What ended a moment ago is found, too, where nothing else waits."""
        if not self._behind:
            await asyncio.to_thread(self._catch_up)
        found = await asyncio.to_thread(self._find, query)
        return RecordingsFound(tuple(found), self._behind)

    def close(self) -> None:
        self._is_over = True
        if self._index is not None:
            self._index.close()

    def _find(self, query: RecordingQuery) -> list[Recording]:
        return self._opened().find(query)

    def _catch_up(self) -> None:
        self._behind = self._opened().catch_up(list(self._tables()))

    def _opened(self) -> RecordingIndex:
        with self._turn:  # whoever looks and whoever catches up open one index
            if self._index is None:
                self._index = open_index(self._ledger, self._registry)
        if self._is_over:  # closed while a thread was at work
            self._index.close()
            raise Unavailable("the pit is closing")
        return self._index
