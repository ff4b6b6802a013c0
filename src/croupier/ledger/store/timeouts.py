"""Timeouts of a connection to a server that may hang without hanging up."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen

T = TypeVar("T")
HANGS = "the server does not answer"


class TimedConnection(psycopg.Connection[tuple[Any, ...]]):
    """Whoever waited for ``answer_s`` hangs up himself: the connection is over then, as if it had
    been cut. A server that wakes finds nobody there, and undoes what was not committed.
    """

    answer_s: float | None = None

    def wait(self, gen: PQGen[T], *given: Any, **named: Any) -> T:  # noqa: ANN401 - the driver's
        return super().wait(self._hurried(gen), *given, **named)

    @contextmanager
    def unhurried(self) -> Generator[None]:
        """For what may well take long."""
        before, self.answer_s = self.answer_s, None
        try:
            yield
        finally:
            self.answer_s = before

    def _hurried(self, gen: PQGen[T]) -> PQGen[T]:
        until = None if self.answer_s is None else time.monotonic() + self.answer_s
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if not ready and until is not None and time.monotonic() > until:
                    self.pgconn.finish()
                    raise psycopg.OperationalError(HANGS)
                wanted = gen.send(ready)
        except StopIteration as over:
            found: T = over.value
            return found
