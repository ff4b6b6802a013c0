"""Load shedding: a limit on commands in flight that falls when they get slow (AIMD, as TCP's).

What is beyond the limit is told "too many" at once, and nothing is done: whoever is let in is
answered in time, however many ask. A command is as slow as its answer and as late as the event loop
was when it came, which is a queue that nobody sees. Of the limit everybody who has a command in
flight has the same share, so whoever sends many waits for his own. Who was told so and did not wait
as long as he was told to has a part of the limit only: the rest is for those who come at their own
pace.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from croupier.server.access.token_buckets import TooMany

TARGET_S = 0.05
LEAST, MOST, FIRST = 8.0, 256.0, 64.0
WAIT_S = 1.0  # as TooMany says it
FOR_HURRIED = 0.5  # the share of the limit that those who do not wait may fill
FALLS_TO = 0.5  # as TCP: what is let in while it still falls is late
LOOK_S = 0.05  # between two looks at how late the loop is


class CommandLimit:
    def __init__(self, clock_s: Callable[[], float] = time.perf_counter) -> None:
        self._clock_s = clock_s
        self.most, self.in_flight = FIRST, 0
        self._of: Counter[str] = Counter()
        self._told_s: dict[str, float] = {}  # when each person was last told to wait
        self._late_s = (0.0, 0.0)
        self._fell_s = 0.0

    def refuse_beyond(self, who: str) -> None:
        """TooMany where there are enough; asked first, so that what is shed costs little."""
        share = self.most / (len(self._of) + (who not in self._of))
        is_full = self.in_flight >= self.most * (FOR_HURRIED if self._hurries(who) else 1)
        if is_full or self._of[who] >= max(1, share):
            self._told_s[who] = self._clock_s()
            raise TooMany("too many commands are waiting; nothing was done, try again in a moment")

    def _hurries(self, who: str) -> bool:
        told_s = self._told_s.get(who)
        if told_s is not None and self._clock_s() - told_s >= WAIT_S:
            del self._told_s[who]
        return who in self._told_s

    @contextmanager
    def admitted(self, who: str) -> Iterator[None]:
        """While a command is carried out."""
        self.refuse_beyond(who)
        self.in_flight += 1
        self._of[who] += 1
        began_s = self._clock_s()
        try:
            yield
        finally:
            self.in_flight -= 1
            self._of[who] -= 1
            if not self._of[who]:
                del self._of[who]
            self._learn(began_s)

    async def watch(self) -> None:
        """How late the loop comes back to whoever waits for it."""
        while True:
            due_s = self._clock_s() + LOOK_S
            await asyncio.sleep(LOOK_S)
            self.note_lag(self._clock_s() - due_s)

    def note_lag(self, late_s: float) -> None:
        self._late_s = (self._late_s[1], late_s)

    @property
    def lag_s(self) -> float:
        """The least of two looks: a pause is over by the second, a queue is not (as CoDel)."""
        return max(0.0, min(self._late_s))

    def _learn(self, began_s: float) -> None:
        """Those that were let in together fall together: one that began before the last fall says
        nothing new."""
        now_s = self._clock_s()
        if now_s - began_s + self.lag_s <= TARGET_S:
            self.most = min(MOST, self.most + 1 / self.most)
        elif began_s >= self._fell_s:
            self.most, self._fell_s = max(LEAST, self.most * FALLS_TO), now_s
