"""Logins, followed across processes: who is let in, and who must be refused, wherever he knocks.

A login holds at every process from the moment it was given, and ends at every process soon after
somebody was told of its end. Between a question and its answer nobody can know; such a login is in
doubt, and may be taken either way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server.access.logins import IDLE_US, LOCKED_OUT_US, TERMINAL_IDLE_US, TERMINALS
from soak.judge import Failed

if TYPE_CHECKING:
    from soak.hosts import Host

WITHIN_S = 3.0  # "within a second or two", and the way of the question
UNSETTLED_S = 30.0  # what was asked, lost or doubled may still arrive for so long
SLACK_US = 120_000_000  # clocks that differ, and touches that a process could not hear of


class Moment(NamedTuple):
    at_s: float
    at_us: int
    """By the clock that is behind all others."""


@dataclass
class Pass:
    """One login, and what is known of it outside."""

    name: str
    role: str
    touched_us: int
    doubtful: bool
    process: str
    """The one that it is good at; none is named where it is good at all."""
    ended_s: float | None = None


class Passes:
    """``now_s`` is told time; every host has a clock of its own beside it."""

    def __init__(self, now_s: Callable[[], float], hosts: Sequence[Host]) -> None:
        self._now_s, self._hosts = now_s, hosts
        self._given: dict[str, Pass] = {}
        self._unsettled_s: dict[str, float] = {}
        self._latest_us = 0
        self.checked = 0

    # What people do

    def asks(self) -> Moment:
        """When somebody asks, by all clocks."""
        return Moment(self._now_s(), min(self._clocks()))

    def given(self, token: str, name: str, role: str, asked: Moment, process: str) -> None:
        unsettled = asked.at_s <= self._unsettled_s.get(name, -1.0)
        self._given[token] = Pass(name, role, asked.at_us, unsettled, process)

    def doubt(self, *tokens: str) -> None:
        """Somebody asks that they end."""
        for token in tokens:
            self._given[token].doubtful = True

    def end(self, *tokens: str) -> None:
        """Somebody was told that they have ended."""
        for token in tokens:
            found = self._given[token]
            found.ended_s = self._now_s() if found.ended_s is None else found.ended_s

    def unsettle(self, name: str) -> list[str]:
        """Somebody's role, password or being admitted is changed; the logins that he has now."""
        self._unsettled_s[name] = self._now_s() + UNSETTLED_S
        own = [token for token, given in self._given.items() if given.name == name]
        self.doubt(*own)
        return own

    # What they are answered

    def answered(self, token: str, host: Host, status: int, told: Any, asked: Moment) -> None:
        """To a request; what cannot be done now says nothing of a login."""
        if token not in self._given or status >= 500:
            return
        if status == 401:
            self.refused(token, host, told.get("sentence", ""))
        else:
            self._admitted(token, host, asked.at_s, "is still let in")

    def touched(self, token: str, asked: Moment) -> None:
        if token in self._given:
            self._given[token].touched_us = asked.at_us

    def obeyed(self, token: str, host: Host, asked: Moment) -> None:
        """A command over a socket that was opened under it."""
        if token in self._given:
            self._admitted(token, host, asked.at_s, "is still obeyed")
            self.touched(token, asked)

    def shown(self, token: str, host: Host) -> None:
        """Something is sent to a socket that was opened under it."""
        if token in self._given:
            self._admitted(token, host, self._now_s(), "is still shown the table")

    def refused(self, token: str, host: Host, why: str) -> None:
        """Whoever was let in is known everywhere, as long as nobody ended it and he is awake."""
        given = self._given.get(token)
        now = host.process.name if host.process is not None else ""
        if given is None or given.process not in ("", now):
            return
        self.checked += 1
        idle_us = TERMINAL_IDLE_US if given.role in TERMINALS else IDLE_US
        asleep = self._ever_us() - given.touched_us > idle_us - SLACK_US
        if not (given.doubtful or given.ended_s is not None or asleep):
            raise Failed(f"{given.name} is logged in, and {host.name} says: {why}")
        given.doubtful = True

    def _admitted(self, token: str, host: Host, asked_s: float, how: str) -> None:
        given = self._given[token]
        if given.ended_s is None:
            return
        self.checked += 1
        late_s = asked_s - max(given.ended_s, host.troubled_s)
        if late_s > WITHIN_S:
            raise Failed(f"{given.name} has no login any more, and {how} by {host.name}")

    # Clocks

    def is_locked_out(self, since_us: int) -> bool:
        return self._ever_us() - since_us < LOCKED_OUT_US - SLACK_US

    def _clocks(self) -> list[int]:
        """By every host; what one did while it was ahead, it does not take back."""
        clocks = [host.clock() for host in self._hosts]
        self._latest_us = max(self._latest_us, *clocks)
        return clocks

    def _ever_us(self) -> int:
        return max(self._latest_us, *self._clocks())
