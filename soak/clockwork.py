"""Told time, and processes that live in it: nothing waits, and nothing happens by accident.

The loop jumps to the next moment at which something is due. A process is whatever runs in a context
that names it, so the service under test needs to know nothing: killed, its callbacks never run
again, not even to clean up; stopped, they pile up and run when it wakes, as after a SIGSTOP.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar
from typing import Any, TypeVar

T = TypeVar("T")


class Stuck(Exception):
    """Everybody waits for somebody else: nothing is due, now or ever."""


class Process:
    """What a killing ends and a pause holds up; ``slow_s`` is how long its disk takes now."""

    def __init__(self, name: str, slow_s: Callable[[], float]) -> None:
        self.name, self.slow_s = name, slow_s
        self.alive, self.paused = True, False
        self.backlog: list[asyncio.Handle] = []
        self.tasks: dict[asyncio.Task[Any], None] = {}

    def __repr__(self) -> str:
        return f"Process({self.name})"

    def context(self) -> Context:
        return context_of(self)

    def kill(self) -> None:
        self.alive = False
        self.backlog.clear()

    def bury(self) -> None:
        """Close what it left half done, once nobody can see it any more.

        Its clean-up belongs to nobody: whatever that says is not heard.
        """
        for task in self.tasks:
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            coroutine: Any = task.get_coro()
            try:
                coroutine.close()
            except BaseException:
                continue
        self.tasks.clear()


_WHOSE: ContextVar[Process | None] = ContextVar("process", default=None)


def current() -> Process | None:
    """The process whose code runs now; None for the world outside."""
    return _WHOSE.get()


def context_of(process: Process | None) -> Context:
    context = Context()
    context.run(_WHOSE.set, process)
    return context


class _Jumping(selectors.DefaultSelector):
    """No socket is ever ready; waiting is a jump of the clock."""

    now_s = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise Stuck("nothing is due any more")
        self.now_s += max(0.0, timeout)
        return []


class Loop(asyncio.SelectorEventLoop):
    """An event loop on told time, for one thread."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)
        self.set_task_factory(_task)

    def time(self) -> float:
        return self._jumping.now_s

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        process = _WHOSE.get() if context is None else context.get(_WHOSE)
        if process is None:
            return super().call_soon(callback, *args, context=context)
        gate = _Gate(process, callback)
        gate.handle = super().call_soon(gate, *args, context=context)
        return gate.handle

    def call_at(  # type: ignore[override]
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        process = _WHOSE.get() if context is None else context.get(_WHOSE)
        if process is None:
            return super().call_at(when, callback, *args, context=context)
        gate = _Gate(process, callback)
        handle = super().call_at(when, gate, *args, context=context)
        gate.handle = handle
        return handle

    def outside(self, delay_s: float, callback: Callable[..., object], *args: Any) -> None:
        """What the world does, whoever asked for it and whether he lives to see it."""
        super().call_at(self.time() + delay_s, callback, *args, context=context_of(None))

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """A thread of the process: it comes to it a little later, and holds nobody else up."""
        future: asyncio.Future[T] = self.create_future()

        def work() -> None:
            if future.cancelled():
                return
            asyncio._set_running_loop(None)  # no thread but one has a loop
            try:
                found = func(*args)
            except Exception as error:
                asyncio._set_running_loop(self)
                future.set_exception(error)
            else:
                asyncio._set_running_loop(self)
                future.set_result(found)

        process = current()
        self.call_later(process.slow_s() if process is not None else 0.0, work)
        return future

    def _check_closed(self) -> None:
        """What is cleared away after the end may still ask for something; nobody does it."""

    def wake(self, process: Process) -> None:
        """It goes on where it stood; what came due meanwhile comes first."""
        process.paused = False
        waiting, process.backlog = process.backlog, []
        for handle in waiting:
            if not handle.cancelled():
                self._ready.append(handle)  # type: ignore[attr-defined]

    def spawn(self, process: Process | None, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        return self.create_task(work, context=context_of(process))


class _Gate:
    """A callback of a process: dropped when that is dead, kept when it is stopped."""

    __slots__ = ("_callback", "_process", "handle")
    handle: asyncio.Handle

    def __init__(self, process: Process, callback: Callable[..., object]) -> None:
        self._process, self._callback = process, callback

    def __call__(self, *args: Any) -> None:
        if not self._process.alive:
            return
        if self._process.paused:
            self._process.backlog.append(self.handle)
            return
        self._callback(*args)


def _task(
    loop: asyncio.AbstractEventLoop, work: Any, *, context: Context | None = None
) -> asyncio.Task[Any]:
    process = _WHOSE.get() if context is None else context.get(_WHOSE)
    task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, context=context)
    if process is not None:
        process.tasks[task] = None
        task.add_done_callback(lambda done: process.tasks.pop(done, None), context=Context())
    return task
