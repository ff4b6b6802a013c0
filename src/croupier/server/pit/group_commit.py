"""Group commit: appends of all tables in one transaction, one wait for the disk each time.

A table asks and waits for its own answer; what many tables ask at once is one transaction.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from croupier.facts.errors import Unavailable
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger, Writing

if TYPE_CHECKING:
    from croupier.server.metrics import Metrics

LOG = logging.getLogger("croupier")
MOST_AT_ONCE = 64
AppendOutcome = tuple[LedgerLine, ...] | Exception


class _QueuedAppend(NamedTuple):
    writings: Sequence[Writing]
    answer: asyncio.Future[tuple[LedgerLine, ...]]
    loop: asyncio.AbstractEventLoop


class GroupCommitter:
    """A thread of its own, so that the disk never holds up a socket."""

    def __init__(self, ledger: Ledger, metrics: Metrics) -> None:
        self._ledger, self._metrics = ledger, metrics
        self.failed = ""  # why the last writing failed, if it did
        self._asked: queue.SimpleQueue[_QueuedAppend | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="croupier-writer", daemon=True)
        self._thread.start()

    async def append(self, writings: Sequence[Writing]) -> tuple[LedgerLine, ...]:
        """Written and on the disk when it returns; raises what the ledger raises."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[tuple[LedgerLine, ...]] = loop.create_future()
        self._asked.put(_QueuedAppend(writings, answer, loop))
        return await answer

    def close(self) -> None:
        """Everything asked for is written first."""
        self._asked.put(None)
        self._thread.join()

    def _write(self) -> None:
        while batch := self._waiting():
            try:
                told = self._ledger.append_each([asked.writings for asked in batch])
            except Exception as error:
                told = [error] * len(batch)
            self._metrics.wrote(len(batch), sum(isinstance(each, Unavailable) for each in told))
            self._note(next((str(each) for each in told if type(each) is Unavailable), ""))
            batch[0].loop.call_soon_threadsafe(_resolve, batch, told)

    def _note(self, failed: str) -> None:
        """The log is told when it begins to fail, and when it works again."""
        if failed and not self.failed:
            LOG.error("the ledger cannot be written", extra={"why": failed})
        if self.failed and not failed:
            LOG.warning("the ledger is written again")
        self.failed = failed

    def _waiting(self) -> list[_QueuedAppend]:
        """All that was asked by now; nothing when it is time to go."""
        first = self._asked.get()
        batch = [first] if first is not None else []
        while batch and len(batch) < MOST_AT_ONCE:
            try:
                more = self._asked.get_nowait()
            except queue.Empty:
                break
            if more is None:
                self._asked.put(None)
                break
            batch.append(more)
        return batch


def _resolve(batch: Sequence[_QueuedAppend], told: Sequence[AppendOutcome]) -> None:
    for asked, outcome in zip(batch, told, strict=True):
        if asked.answer.done():
            continue
        if isinstance(outcome, Exception):
            asked.answer.set_exception(outcome)
        else:
            asked.answer.set_result(outcome)
