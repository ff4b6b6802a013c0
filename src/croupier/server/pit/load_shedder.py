"""Load shedding: a limit on commands in flight that falls when they get slow (AIMD, as TCP's).

What is beyond the limit is told "too many" at once, and nothing is done: whoever is let in is
answered in time, however many ask. Who was told so and did not wait has a part of the limit only:
the rest is for those who come at their own pace.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from croupier.server.access.budgets import TooMany

TARGET_S = 0.05
LEAST, MOST, FIRST = 8.0, 256.0, 64.0
FOR_HURRIED = 0.5  # the share of the limit that those who do not wait may fill
FALLS_TO = 0.5  # as TCP: what is let in while it still falls is late


class CommandLimit:
    def __init__(self, clock_s: Callable[[], float] = time.perf_counter) -> None:
        self._clock_s = clock_s
        self.most, self.in_flight = FIRST, 0
        self._fell_s = 0.0

    def refuse_beyond(self, *, hurries: bool = False) -> None:
        """TooMany where there are enough; asked first, so that what is shed costs little."""
        if self.in_flight >= self.most * (FOR_HURRIED if hurries else 1):
            raise TooMany("too many commands are waiting; nothing was done, try again in a moment")

    @contextmanager
    def admitted(self, *, hurries: bool = False) -> Iterator[None]:
        """While a command is carried out."""
        self.refuse_beyond(hurries=hurries)
        self.in_flight += 1
        began_s = self._clock_s()
        try:
            yield
        finally:
            self.in_flight -= 1
            self._learn(began_s)

    def _learn(self, began_s: float) -> None:
        """Those that were let in together fall together: one that began before the last fall says
        nothing new."""
        now_s = self._clock_s()
        if now_s - began_s <= TARGET_S:
            self.most = min(MOST, self.most + 1 / self.most)
        elif began_s >= self._fell_s:
            self.most, self._fell_s = max(LEAST, self.most * FALLS_TO), now_s
