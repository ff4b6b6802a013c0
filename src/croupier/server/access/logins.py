"""Sessions by random token: who is logged in, until it expires or an idle terminal locks.

A login is known by the mark of its token, which only who has the key ring can make. Processes that
share a pit tell each other of logins by the lines of the ledger, and hold one for as good as their
own; a token itself is never written anywhere.

Every attempt is a line of the ledger. After three failures a name is locked out for a while where
they came from, and after thirty from anywhere wherever it never came in from: strangers lock
nobody out where he works. A wrong one-time code is a failure like a wrong password, and a right one
is good once. A terminal that deals locks after five minutes without a touch until its password is
given again.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import threading
from collections import deque
from dataclasses import dataclass, field
from hashlib import sha256

import msgspec

from croupier.facts.errors import Unreadable, quoted
from croupier.ledger.events import PIT
from croupier.ledger.kept_table import Clock
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger
from croupier.server.access.one_time_code import CodeSecrets, Enrolment, matching_step
from croupier.server.access.people import MOST_NAME, People, Person, Tables
from croupier.server.access.roles import ROLE_ACCESS, RoleAccess
from croupier.server.access.token_buckets import network
from croupier.server.pit.journal import Journal
from croupier.table.powers import PitRole

LOG = logging.getLogger("croupier")
STREAM = f"{PIT}access"
DOMAIN = b"croupier logins 1"
SECOND = 1_000_000
MOST_FAILURES = 3  # from one address
MOST_FROM_ALL = 30  # from all addresses together; who came in from an address before still may
MOST_KEPT = MOST_FROM_ALL + MOST_FAILURES
MOST_ADDRESSES = 20  # that are remembered for each person
MOST_REMEMBERED = 5_000  # lines that are read again for them
MOST_NAMES = 10_000  # that are remembered for having failed, so that nobody fills the memory
LOCKED_OUT_US = 15 * 60 * SECOND
LIVES_US = 12 * 60 * 60 * SECOND
IDLE_US = 60 * 60 * SECOND
TERMINAL_IDLE_US = 5 * 60 * SECOND
DEVICE_WAITS = "your device waits for a manager or an administrator to vouch for it; log in then"
TERMINALS: tuple[PitRole, ...] = ("dealer", "floorperson", "manager")


class NotAdmitted(Unreadable):
    """No login, or none any more; the sentence says what to do."""


class CodeNeeded(NotAdmitted):
    """The password was right, and a one-time code is wanted beside it."""


class NotEnrolled(CodeNeeded):
    """The same, of somebody who has nothing yet that makes codes."""


class Access(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="event", tag="access"):
    """What came of an attempt: ``admitted``, ``refused`` or ``locked out``; later ``left``,
    ``locked`` (an idle terminal), ``expired`` or ``ended`` (barred, or a new role or password).
    ``forgiven``: a new password, after which no earlier failure counts.
    """

    name: str
    outcome: str
    address: str
    login: str = ""
    """The mark of the token it is about, where several processes have to know it."""
    step: int = 0
    """Of the one-time code that was given: no code of it or before is good again."""


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
    mark: str
    token: str = field(repr=False, default="")
    touched_us: int = 0
    is_here: bool = True
    """Whether this process saw him last: it looks after the login then."""
    told_us: int = 0
    locked: bool = False
    tables: Tables = None

    @property
    def access(self) -> RoleAccess:
        return ROLE_ACCESS[self.role]


class Logins:
    """Everybody who is logged in."""

    def __init__(
        self,
        people: People,
        ledger: Ledger,
        clock: Clock,
        most_each: int,
        ring: KeyRing,
        *,
        shared: bool = False,
        locks: bool = True,
    ) -> None:
        self._people, self._clock, self._shared, self._locks = people, clock, shared, locks
        self._secrets = CodeSecrets.of(ring)
        self._steps: dict[str, int] = {}  # of the last code that each person gave
        self._most_each = most_each
        # The oldest key first: rings that were rotated since still have it in common.
        self._keys = [hmac.digest(key.secret, DOMAIN, sha256) for key in ring.keys]
        self._open: dict[str, Login] = {}
        self._failures: dict[str, list[tuple[int, str]]] = {}
        self._journal: Journal[Access] = Journal(ledger, STREAM, Access, clock)
        self._door = threading.Lock()  # passwords are checked in threads of their own
        self._following = threading.Lock()  # an end is never heard before its beginning
        self._unheard: list[tuple[LedgerLine, Access]] = []
        self._came_from: dict[str, deque[str]] = {}
        for _, event in self._journal.latest(MOST_REMEMBERED):
            if event.outcome == "admitted":
                self._remember_address(event.name, event.address)
                self._spend_code(event)
        if shared:
            self._journal.begin_at(clock() - LIVES_US)
            self.follow()

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, name: str, password: str, address: str, code: str | None = "") -> Login:
        """A login for whoever proves who he is; without a ``code`` at all, at his own terminal."""
        person, now = self.prove(name, password, address, code), self._clock()
        token = secrets.token_urlsafe(32)
        self._make_room(name)
        login = Login(name, person.role, address, now, self._marks(token)[0], token, now)
        login.tables = person.tables
        self._open[login.mark] = login
        self._log(name, "admitted", address, login.mark, self._steps.get(name, 0) if code else 0)
        self._refuse_changed(login, person)
        return login

    def enrol(self, name: str, password: str, address: str) -> Enrolment:
        """A secret for the one-time codes of somebody who has none, told to him alone and once;
        it counts when he comes in with a code of it."""
        person = self._people.known.get(name)
        has_one = person is not None and person.code is not None
        person = self.prove(name, password, address, "" if has_one else None)
        salt = self._secrets.new_salt()
        if not self._people.offer_code(name, salt):
            raise NotAdmitted(DEVICE_WAITS)
        return self._secrets.enrolment(name, salt)

    def _make_room(self, name: str) -> None:
        """Nobody has more logins than terminals he can be at: the one that he left alone longest
        ends for the new one."""
        own = [login for login in list(self._open.values()) if login.name == name]
        own.sort(key=lambda login: login.touched_us)
        for login in own[: max(0, len(own) + 1 - self._most_each)]:
            self._end(login.mark, "ended")

    def _refuse_changed(self, login: Login, person: Person) -> None:
        """Whoever changed him elsewhere meanwhile ended the logins that were written by then. This
        one is written now: either it was among them, or the change is to be seen here.
        """
        if self._shared:
            self._people.refresh()
            if self._people.person(person.name) != person:
                self._end(login.mark, "ended")
                raise NotAdmitted("this login is no longer good; log in again")

    def follow(self) -> bool:
        """What came of logins at other processes; whether there was anything."""
        with self._following:
            self._unheard += self._journal.of_others()
            if any(event.outcome == "admitted" for _, event in self._unheard):
                self._people.refresh()  # whoever came in did so in the role that he has by now
            news, self._unheard = self._unheard, []
            for line, event in news:
                FOLLOWING.get(event.outcome, Logins._pass)(self, line.at_us, event)
        return bool(news)

    async def hear_of(self, token: str) -> None:
        """A login that was made elsewhere a moment ago; nobody else waits for the ledger."""
        known = not token or any(mark in self._open for mark in self._marks(token))
        if self._shared and not known:
            await asyncio.to_thread(self.follow)

    def touches(self) -> dict[str, int]:
        """When those who are here last did something; each is told once."""
        found = {
            login.mark: login.touched_us
            for login in list(self._open.values())
            if login.is_here and login.touched_us > login.told_us
        }
        for mark, touched_us in found.items():
            self._open[mark].told_us = touched_us
        return found

    def touched_elsewhere(self, mark: str, at_us: int) -> None:
        login = self._open.get(mark)
        if login is not None and at_us > login.touched_us:
            login.touched_us, login.is_here = at_us, False

    def prove(self, name: str, password: str, address: str, code: str | None = None) -> Person:
        """Who this is, if he is who he says. An attempt counts as failed until it has succeeded, so
        that many at once are no more than three. ``code``: None where it is not asked for.
        """
        now, place = self._clock(), network(address)
        with self._door:
            failures = [
                (at_us, where)
                for at_us, where in self._failures.get(name, [])
                if now - at_us < LOCKED_OUT_US
            ]
            from_here = sum(where == place for _, where in failures)
            came_before = place in self._came_from.get(name, ())
            is_out = from_here >= MOST_FAILURES or (
                len(failures) >= MOST_FROM_ALL and not came_before
            )
            if not is_out:
                self._remember(name, [*failures[-MOST_KEPT:], (now, place)])
        if is_out:
            self._log(name, "locked out", address)
            raise NotAdmitted("three passwords were wrong; wait 15 minutes, or ask for a new one")
        if self._shared:
            self._people.refresh()  # another process may have let him in a moment ago
        person = self._people.admits(name, password)
        if person is None:
            self._log(name, "refused", address)
            raise NotAdmitted("this name and password do not belong together")
        if code is not None:
            person = self._prove_code(person, code, address, now)
        self.forgive(name, address)
        self._remember_address(name, address)
        return person

    def _prove_code(self, person: Person, code: str, address: str, now: int) -> Person:
        """A code of now, once. Who gives none is asked for it, and no earlier failure of his is
        forgiven for the password alone."""
        name, salt = person.name, person.code or person.offered
        if person.code is None and not self._people.asks_code(person) and not code:
            return person
        if not code or salt is None:
            self._take_back(name, (now, network(address)))
            if person.code is None:
                raise NotEnrolled("a one-time code is wanted here; set up what makes yours first")
            raise CodeNeeded("give the one-time code that your device shows")
        if self._shared:
            self.follow()  # it may have been used at another process
        secret = self._secrets.secret(name, salt)
        with self._door:
            spent = self._steps.get(name, 0)
            step = matching_step(secret, code, now, spent) if secret is not None else None
            self._steps[name] = step or spent
        if step is None:
            self._log(name, "refused", address)
            raise NotAdmitted("this code is wrong, or was used before; wait for the next one")
        if person.code is None and not self._people.confirm_code(name, salt):
            self._take_back(name, (now, network(address)))
            raise NotAdmitted(DEVICE_WAITS)
        return self._people.person(name)

    def _take_back(self, name: str, failure: tuple[int, str]) -> None:
        with self._door:
            failures = self._failures.get(name, [])
            if failure in failures:
                failures.remove(failure)

    def _spend_code(self, event: Access) -> None:
        if event.step:
            self._steps[event.name] = max(event.step, self._steps.get(event.name, 0))

    def _remember_address(self, name: str, address: str) -> None:
        places = self._came_from.setdefault(name, deque(maxlen=MOST_ADDRESSES))
        if network(address) not in places:
            places.append(network(address))

    def _remember(self, name: str, failures: list[tuple[int, str]]) -> None:
        self._failures.pop(name, None)
        self._failures[name] = failures
        while len(self._failures) > MOST_NAMES:
            del self._failures[next(iter(self._failures))]

    def forgive(self, name: str, address: str | None = None) -> None:
        """A right password ends what failed before at its address; a new one, everywhere."""
        with self._door:
            failures = self._failures.pop(name, [])
            place = None if address is None else network(address)
            kept = [failed for failed in failures if place not in (None, failed[1])]
            if kept:
                self._failures[name] = kept

    def pardon(self, name: str, address: str) -> None:
        """A new password: no failure before it counts, at no process, not even at one that starts
        later and reads of them.
        """
        self.forgive(name)
        if self._shared:
            self._log(name, "forgiven", address)

    def by_token(self, token: str, *, touch: bool = True) -> Login:
        """Whose token this is. A touch keeps it alive; looking on is none."""
        login = self._known(token)
        if login is None:
            raise NotAdmitted("log in first")
        return self.still_good(login, touch=touch)

    def still_good(self, login: Login, *, touch: bool = True) -> Login:
        """The same login, where it is still open and its terminal not locked."""
        known = self._open.get(login.mark)
        if known is None:
            raise NotAdmitted("log in first")
        if self._has_expired(login):
            self._end(login.mark, "expired")
            raise NotAdmitted("this login has expired; log in again")
        self._still_the_same(login)
        if login.locked or self._is_idle(login):
            self._lock(login)
            raise NotAdmitted("this terminal is locked; give your password to go on")
        if touch:
            login.touched_us, login.is_here = self._clock(), True
        return login

    def whose(self, token: str) -> str:
        """Whose token this is, as far as is known here; nobody's is an empty name."""
        marks = self._marks(token) if token else ()
        return next((self._open[mark].name for mark in marks if mark in self._open), "")

    def sweep(self) -> None:
        """What has expired ends, and idle terminals lock, also where nobody asks any more. Who was
        barred, or has another role, does not find his login good again when he is let in again.
        """
        for mark, login in list(self._open.items()):
            if self._has_expired(login):
                self._end(mark, "expired", quietly=not login.is_here)
            elif not self._is_the_same(login):
                self._end(mark, "ended", quietly=not login.is_here)
            elif self._is_idle(login) and login.is_here:
                self._lock(login)

    def unlock(self, token: str, password: str) -> Login:
        """The same person again at a locked terminal."""
        login = self._known(token)
        if login is None:
            raise NotAdmitted("log in first")
        again = self.enter(login.name, password, login.address, None)
        self._end(login.mark, "left")
        return again

    def leave(self, token: str) -> None:
        login = self._known(token)
        if login is not None:
            self._end(login.mark, "left")

    def end_of(self, name: str, but: str = "") -> None:
        """Everywhere this person is logged in, at once: barred, or a new role or password.

        Also what was begun elsewhere a moment ago: who is let in again later must log in again.
        """
        if self._shared:
            self.follow()
        stays = self._known(but) if but else None
        for mark, login in list(self._open.items()):
            if login.name == name and login is not stays:
                self._end(mark, "ended")

    def open(self) -> list[Login]:
        """Every login that is good now, at whichever process; the newest first."""
        good = (one for one in list(self._open.values()) if not self._has_expired(one))
        return sorted(
            (one for one in good if self._is_the_same(one)), key=lambda one: -one.since_us
        )

    def end(self, mark: str) -> None:
        """One login, by the beginning of its mark."""
        found = [whole for whole in list(self._open) if whole.startswith(mark)]
        if len(found) != 1:
            raise Unreadable(f"there is no login {quoted(mark)}, or no longer")
        self._end(found[0], "ended")

    def why_closed(self, login: Login) -> str:
        """Why a socket opened under it may not go on; a watching socket does not keep it alive."""
        is_over = login.mark not in self._open or self._has_expired(login)
        if is_over or not self._is_the_same(login):
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
        idle_us = self._clock() - login.touched_us
        return self._locks and login.role in TERMINALS and idle_us > TERMINAL_IDLE_US

    def _lock(self, login: Login) -> None:
        if not login.locked:
            login.locked = True
            self._log(login.name, "locked", login.address, login.mark)

    def _is_the_same(self, login: Login) -> bool:
        person: Person | None = self._people.known.get(login.name)
        if person is None or person.barred:
            return False
        return (person.role, person.tables) == (login.role, login.tables)

    def _still_the_same(self, login: Login) -> None:
        if not self._is_the_same(login):
            self._end(login.mark, "ended")
            raise NotAdmitted("this login is no longer good; log in again")

    def _known(self, token: str) -> Login | None:
        """The login of a token; one made elsewhere a moment ago may not have been heard of yet."""
        marks = self._marks(token)
        found = next((self._open[mark] for mark in marks if mark in self._open), None)
        if found is None and self._shared and token and not _on_loop() and self.follow():
            found = next((self._open[mark] for mark in marks if mark in self._open), None)
        if found is not None:
            found.token = token
        return found

    def _marks(self, token: str) -> list[str]:
        spoken = token.encode("utf-8", "replace")
        return [hmac.digest(key, spoken, sha256).hex() for key in self._keys]

    def _end(self, mark: str, why: str, *, quietly: bool = False) -> None:
        """Written before it is forgotten: others know of it by the line alone, and where that
        could not be written, whoever asked for the end asks again.
        """
        login = self._open.get(mark)
        if login is not None and not quietly:
            self._log(login.name, why, login.address, mark)
        self._open.pop(mark, None)

    def _log(self, name: str, outcome: str, address: str, mark: str = "", step: int = 0) -> None:
        shown = name[:MOST_NAME].encode("utf-8", "replace").decode().replace("\0", " ") or "?"
        told = Access(shown, outcome, address, mark if self._shared else "", step)
        self._write(told, shown)
        level = logging.WARNING if outcome == "locked out" else logging.INFO
        LOG.log(level, "access", extra={"who": shown, "outcome": outcome, "address": address})

    def _write(self, told: Access, shown: str) -> None:
        """Who knocks waits for the disk, in a thread of his own; what is found on the loop does
        not hold up everybody else."""
        if not _on_loop():
            self._journal.write(told, shown, "person")
            return
        loop = asyncio.get_running_loop()
        written = loop.run_in_executor(None, self._journal.write, told, shown, "person")
        written.add_done_callback(_note_failure)

    # What happened elsewhere

    def _pass(self, at_us: int, event: Access) -> None:
        pass

    def _admitted(self, at_us: int, event: Access) -> None:
        """Whoever hears of it late cannot know of later touches, and takes him to be awake."""
        self.forgive(event.name, event.address)
        self._remember_address(event.name, event.address)
        self._spend_code(event)
        person = self._people.known.get(event.name)
        if person is not None and event.login not in self._open and event.login:
            login = Login(event.name, person.role, event.address, at_us, event.login)
            login.touched_us, login.is_here = self._clock(), False
            login.tables = person.tables
            self._open[event.login] = login

    def _failed(self, at_us: int, event: Access) -> None:
        with self._door:
            failures = self._failures.get(event.name, [])[-MOST_KEPT:]
            self._remember(event.name, [*failures, (at_us, network(event.address))])

    def _forgiven_elsewhere(self, at_us: int, event: Access) -> None:
        self.forgive(event.name)

    def _locked_elsewhere(self, at_us: int, event: Access) -> None:
        if event.login in self._open:
            self._open[event.login].locked = True

    def _ended_elsewhere(self, at_us: int, event: Access) -> None:
        self._open.pop(event.login, None)


def _on_loop() -> bool:
    """Whether everybody waits while this goes on."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _note_failure(written: asyncio.Future[None]) -> None:
    error = None if written.cancelled() else written.exception()
    if error is not None:
        LOG.error("an access was not written down", extra={"why": str(error)})


FOLLOWING = {
    "admitted": Logins._admitted,
    "refused": Logins._failed,
    "forgiven": Logins._forgiven_elsewhere,
    "locked": Logins._locked_elsewhere,
    "left": Logins._ended_elsewhere,
    "expired": Logins._ended_elsewhere,
    "ended": Logins._ended_elsewhere,
}
