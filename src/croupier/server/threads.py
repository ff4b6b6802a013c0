"""Thread pools with a bounded queue: who finds it full is told to come again.

Passwords, their hashes, pages and the ledger have one each, so that a flood at one keeps nobody
waiting at another. What yields holds no lock that a table waits for.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from croupier.server.access.token_buckets import TooMany

CORES = os.cpu_count() or 1
LEDGER_THREADS, LEDGER_WAITING = min(32, CORES + 4), 512
PASSWORD_THREADS, PASSWORDS_WAITING = max(1, CORES // 2), 32
PAGE_THREADS, PAGES_WAITING = 1, 64
LEAST_PRIORITY = 19
T = TypeVar("T")
P = ParamSpec("P")


class BoundedExecutor(ThreadPoolExecutor):
    """``most_waiting`` may wait for one of its ``workers``; those that yield run when no table
    has anything to do."""

    def __init__(self, what: str, workers: int, most_waiting: int, *, yields: bool = False) -> None:
        super().__init__(workers, f"croupier-{what}", _yield_to_tables if yields else None)
        self._what, self._most = what, workers + most_waiting
        self._begun, self._count = 0, threading.Lock()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with self._count:
            if self._begun >= self._most:
                raise TooMany(f"too much is asked of the {self._what} at once; wait a moment")
            self._begun += 1
        try:
            future = super().submit(fn, *args, **kwargs)
        except BaseException:
            self._end(None)
            raise
        future.add_done_callback(self._end)
        return future

    def _end(self, done: object) -> None:
        with self._count:
            self._begun -= 1


def _yield_to_tables() -> None:
    """On Linux a thread has a priority of its own; elsewhere it stays as it is."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LEAST_PRIORITY)


def ledger_threads() -> BoundedExecutor:
    return BoundedExecutor("ledger", LEDGER_THREADS, LEDGER_WAITING)


def password_threads() -> BoundedExecutor:
    """For whoever comes in by a password. They write to the ledger, so they do not yield: a table
    would wait for a lock that is held by who gives way to everybody."""
    return BoundedExecutor("passwords", PASSWORD_THREADS, PASSWORDS_WAITING)


def hashing_threads() -> BoundedExecutor:
    """Half of the processors at most: a password costs a good part of a second of one. Nothing is
    locked meanwhile."""
    return BoundedExecutor("hashing", PASSWORD_THREADS, PASSWORDS_WAITING, yields=True)


def page_threads() -> BoundedExecutor:
    return BoundedExecutor("pages", PAGE_THREADS, PAGES_WAITING, yields=True)
