"""Ctrl-C: whatever runs ends within a second, with one sentence and exit status 130.

The main thread unwinds first, so that everything is put away as after any error. What it cannot
leave by itself - a kernel, a compiler, threads and processes that are waited for - is cut off by a
watcher thread: the operating system's signal handler wakes it through a pipe, whatever the main
thread is doing. Files are written under temporary names (:mod:`croupier.disk`) and those are
removed; ledgers stand any end.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from croupier.disk import remove_unfinished

STOPPED = 130
CLEANUP_TIMEOUT_S = 0.4  # for what can be put away; the rest of a second is for ending
SAID = "croupier: stopped"
LONG_S = 60.0
SHOW_CURSOR = "\x1b[?25h"


class Stop:
    """A request to stop, from the first Ctrl-C to the end of the process."""

    def __init__(self) -> None:
        self.is_asked = False
        self._pipe: tuple[int, int] | None = None
        self._is_unwinding = False
        self._cutting = threading.Lock()

    def obey(self) -> None:
        """From now on Ctrl-C ends this process; only a program of its own may ask for this."""
        self._pipe = os.pipe()
        if sys.platform != "win32":  # which lets a signal handler write to any pipe
            os.set_blocking(self._pipe[1], False)
        signal.signal(signal.SIGINT, self._unwind)
        signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        threading.Thread(target=self._watch, args=self._pipe[:1], daemon=True).start()

    def ask(self) -> None:
        """Wake the watcher, for an event loop that took the pipe of the signal handler."""
        if self._pipe is not None:
            os.write(self._pipe[1], bytes([signal.SIGINT]))
            self.is_asked = True

    @contextmanager
    def taken_as_answer(self) -> Iterator[None]:
        """While a question is put Ctrl-C is one of the answers: it is raised, and nothing ends."""
        if self._pipe is None:
            yield
            return
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, self._unwind)
            signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)

    def unwound(self) -> None:
        """The main thread is done: there is nothing left that an exception could get it out of.

        What obeyed ignores the signal from here on: an interpreter that takes itself apart gives
        it back to the operating system, which would end by it what has answered already.
        """
        self._is_unwinding = True
        if self._pipe is not None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end(self) -> int:
        """One sentence, and the exit status 130: of the process, if it obeys, at once.

        Everything is put away by now; the interpreter would take its time to take itself apart.
        """
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        if self._pipe is not None:
            self._cut_off()
        print(SAID, file=sys.stderr)
        return STOPPED

    def _unwind(self, number: int, frame: FrameType | None) -> None:
        """The main thread leaves what it does; a second Ctrl-C does not disturb it."""
        if not self._is_unwinding:
            self._is_unwinding = self.is_asked = True
            _say_nothing_more()
            raise KeyboardInterrupt

    def _watch(self, waked: int) -> None:
        while signal.SIGINT not in os.read(waked, 1):
            pass
        self.is_asked = True
        _say_nothing_more()
        time.sleep(CLEANUP_TIMEOUT_S)
        self._cut_off()

    def _cut_off(self) -> None:
        """End the process, with nothing left behind that it began."""
        if not self._cutting.acquire(blocking=False):
            time.sleep(LONG_S)  # another thread is at it
        try:
            # Who has not loaded it has no children; to load it now might wait for a lock for ever.
            processes = sys.modules.get("multiprocessing")
            for child in processes.active_children() if processes is not None else ():
                child.kill()
            remove_unfinished()
            cursor = SHOW_CURSOR if os.isatty(2) else ""  # a progress bar hides it
            # Not by way of sys.stderr, which a thread that was cut off may be writing to.
            os.write(2, f"{cursor}{SAID}\n".encode())
        finally:
            os._exit(STOPPED)


def _say_nothing_more() -> None:
    """What is cut off in a callback or in another thread would tell its whole story."""
    sys.unraisablehook = lambda unraisable: None
    threading.excepthook = lambda args: None


STOP = Stop()
"""The one of this process."""
