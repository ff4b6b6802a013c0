"""Logins: random tokens that live in memory only, expire, and lock at an idle dealer's terminal.

Every attempt is a line of the ledger. After three failures a name is locked out for a while; a
terminal that deals locks after five minutes without a touch until its password is given again.
"""

from __future__ import annotations

import logging
import secrets
import threading
from dataclasses import dataclass, field

import msgspec

from croupier.facts.errors import Unavailable, Unreadable
from croupier.ledger.happenings import PIT
from croupier.ledger.keeper import Clock
from croupier.ledger.port import Ledger
from croupier.server.journal import Journal
from croupier.server.people import MOST_NAME, People, Person
from croupier.server.roles import DUTIES, Duties, PitRole

LOG = logging.getLogger("croupier")
STREAM = f"{PIT}access"
SECOND = 1_000_000
MOST_FAILURES = 3
MOST_NAMES = 10_000  # that are remembered for having failed, so that nobody fills the memory
LOCKED_OUT_US = 15 * 60 * SECOND
LIVES_US = 12 * 60 * 60 * SECOND
IDLE_US = 60 * 60 * SECOND
TERMINAL_IDLE_US = 5 * 60 * SECOND
BURST_S = 2.0  # seconds' worth of commands that may come at once
TERMINALS: tuple[PitRole, ...] = ("dealer", "floorperson", "manager")


class NotAdmitted(Unreadable):
    """No login, or none any more; the sentence says what to do."""


class TooMany(Unavailable):
    """Somebody asks faster than anybody can; nothing was done."""


class Access(msgspec.Struct, frozen=True, tag_field="event", tag="access"):
    """What came of an attempt: ``admitted``, ``refused`` or ``locked out``; later ``left``,
    ``locked`` (an idle terminal), ``expired`` or ``ended`` (barred, or a new role or password).
    """

    name: str
    outcome: str
    address: str


class AccessLine(msgspec.Struct, frozen=True):
    at_us: int
    name: str
    outcome: str
    address: str


@dataclass
class Login:
    """Somebody who is logged in, at one terminal."""

    name: str
    role: PitRole
    address: str
    since_us: int
    token: str = field(repr=False)
    touched_us: int = 0
    locked: bool = False
    spare: float = BURST_S
    spent_us: int = 0

    @property
    def duties(self) -> Duties:
        return DUTIES[self.role]


class Logins:
    """Everybody who is logged in."""

    def __init__(
        self, people: People, ledger: Ledger, clock: Clock, commands_a_second: int
    ) -> None:
        self._people, self._clock = people, clock
        self._commands_a_second = commands_a_second
        self._open: dict[str, Login] = {}
        self._failures: dict[str, list[int]] = {}
        self._journal: Journal[Access] = Journal(ledger, STREAM, Access, clock)
        self._door = threading.Lock()  # passwords are checked in threads of their own

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, name: str, password: str, address: str) -> Login:
        self.prove(name, password, address)
        now, person = self._clock(), self._people.person(name)
        login = Login(name, person.role, address, now, secrets.token_urlsafe(32), now)
        self._open[login.token] = login
        self._log(name, "admitted", address)
        return login

    def prove(self, name: str, password: str, address: str) -> None:
        """Whether this is who he says. An attempt counts as failed until it has succeeded, so
        that many at once are no more than three.
        """
        now = self._clock()
        with self._door:
            failures = [at for at in self._failures.get(name, []) if now - at < LOCKED_OUT_US]
            is_out = len(failures) >= MOST_FAILURES
            if not is_out:
                self._failures.pop(name, None)
                self._failures[name] = [*failures, now]
                while len(self._failures) > MOST_NAMES:
                    del self._failures[next(iter(self._failures))]
        if is_out:
            self._log(name, "locked out", address)
            raise NotAdmitted("three passwords were wrong; wait 15 minutes, or ask for a new one")
        if self._people.admits(name, password) is None:
            self._log(name, "refused", address)
            raise NotAdmitted("this name and password do not belong together")
        self.forgive(name)

    def forgive(self, name: str) -> None:
        """A right password, or a new one, ends what failed before."""
        with self._door:
            self._failures.pop(name, None)

    def by_token(self, token: str, *, touch: bool = True) -> Login:
        """Whose token this is. A touch keeps it alive; looking on is none."""
        login, now = self._open.get(token), self._clock()
        if login is None:
            raise NotAdmitted("log in first")
        if self._has_expired(login):
            self._end(token, "expired")
            raise NotAdmitted("this login has expired; log in again")
        self._still_the_same(login)
        if login.locked or self._is_idle(login):
            self._lock(login)
            raise NotAdmitted("this terminal is locked; give your password to go on")
        if touch:
            login.touched_us = now
        return login

    def spend(self, login: Login) -> None:
        """A command costs its share of a second; nobody has more than a few in hand."""
        now = self._clock()
        earned = max(0, now - login.spent_us) / SECOND
        left = min(BURST_S, login.spare + earned) - 1 / self._commands_a_second
        if left < 0:
            raise TooMany("too many commands at once; wait a moment")
        login.spare, login.spent_us = left, now

    def sweep(self) -> None:
        """What has expired ends, and idle terminals lock, also where nobody asks any more."""
        for token, login in list(self._open.items()):
            if self._has_expired(login):
                self._end(token, "expired")
            elif self._is_idle(login):
                self._lock(login)

    def unlock(self, token: str, password: str) -> Login:
        """The same person again at a locked terminal."""
        login = self._open.get(token)
        if login is None:
            raise NotAdmitted("log in first")
        again = self.enter(login.name, password, login.address)
        self._open.pop(token, None)
        return again

    def leave(self, token: str) -> None:
        self._end(token, "left")

    def end_of(self, name: str, but: str = "") -> None:
        """Everywhere this person is logged in, at once: barred, or a new role or password."""
        for token in [token for token, login in self._open.items() if login.name == name]:
            if token != but:
                self._end(token, "ended")

    def why_closed(self, login: Login) -> str:
        """Why a socket opened under it may not go on; a watching socket does not keep it alive."""
        if login.token not in self._open or self._has_expired(login):
            return "log in again"
        if login.locked or self._is_idle(login):
            return "this terminal is locked; give your password to go on"
        return ""

    def latest(self, most: int) -> list[AccessLine]:
        return [
            AccessLine(line.at_us, event.name, event.outcome, event.address)
            for line, event in self._journal.latest(most)
        ]

    def _has_expired(self, login: Login) -> bool:
        now = self._clock()
        return now - login.since_us > LIVES_US or now - login.touched_us > IDLE_US

    def _is_idle(self, login: Login) -> bool:
        return login.role in TERMINALS and self._clock() - login.touched_us > TERMINAL_IDLE_US

    def _lock(self, login: Login) -> None:
        if not login.locked:
            login.locked = True
            self._log(login.name, "locked", login.address)

    def _still_the_same(self, login: Login) -> None:
        person: Person | None = self._people.known.get(login.name)
        if person is None or person.barred or person.role != login.role:
            self._end(login.token, "ended")
            raise NotAdmitted("this login is no longer good; log in again")

    def _end(self, token: str, why: str) -> None:
        login = self._open.pop(token, None)
        if login is not None:
            self._log(login.name, why, login.address)

    def _log(self, name: str, outcome: str, address: str) -> None:
        shown = name[:MOST_NAME].encode("utf-8", "replace").decode().replace("\0", " ") or "?"
        self._journal.write(Access(shown, outcome, address), shown, "person")
        LOG.info("access", extra={"who": shown, "outcome": outcome, "address": address})
