"""People and their roles, kept as lines of the ledger: who was let in, by whom, and when.

Passwords are kept as argon2 hashes only. There is no password anybody begins with: the first
administrator is made with a code that the console of the service shows once. What lets staff in
waits for a second person where the policy wants two, from the moment that there are two: a device
that makes one-time codes counts when somebody else vouched for it.
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from croupier.facts.errors import Unreadable, quoted
from croupier.ledger.events import (
    PIT,
    StaffPower,
    StaffPowerAsked,
    StaffPowerDenied,
    StaffPowerUsed,
)
from croupier.ledger.kept_table import Clock
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger
from croupier.practice.care import OwnLimits
from croupier.server.access.one_time_code import CodeSalt
from croupier.server.access.roles import PIT_ROLES
from croupier.server.pit.journal import Journal
from croupier.table.powers import CASINO, Actor, PitRole, Policy, Power, is_staff

if TYPE_CHECKING:
    from argon2 import PasswordHasher

STREAM = f"{PIT}people"
LEAST_LETTERS, MOST_LETTERS = 8, 200
MOST_NAME = 40
SYSTEM = "croupier"
STAFF: Power = "staff"
RESERVED = (SYSTEM, "system", "device", "acceptor", "public")


Tables = tuple[str, ...] | None
"""Where somebody works: at these tables, or at all of them."""


class NotTheSecond(Unreadable):
    """Somebody else has to confirm it."""


class PersonAdded(msgspec.Struct, frozen=True, tag_field="event", tag="person-added"):
    name: str
    role: PitRole
    password: str
    tables: Tables = None


class PasswordChanged(msgspec.Struct, frozen=True, tag_field="event", tag="password-changed"):
    name: str
    password: str


class RoleChanged(msgspec.Struct, frozen=True, tag_field="event", tag="role-changed"):
    name: str
    role: PitRole


class TablesChanged(msgspec.Struct, frozen=True, tag_field="event", tag="tables-changed"):
    name: str
    tables: Tables


class PersonBarred(msgspec.Struct, frozen=True, tag_field="event", tag="person-barred"):
    """``barred`` no longer, where it is False."""

    name: str
    barred: bool


class CodeRequired(msgspec.Struct, frozen=True, tag_field="event", tag="code-required"):
    """From now on a one-time code is asked of this person, whatever the policy says."""

    name: str


class CodeForgotten(msgspec.Struct, frozen=True, tag_field="event", tag="code-forgotten"):
    """Whoever lost what makes his codes enrols anew when he comes in next."""

    name: str


class CodeOffered(msgspec.Struct, frozen=True, tag_field="event", tag="code-offered"):
    """A secret was shown; it counts from the first right code on."""

    name: str
    salt: CodeSalt


class CodeConfirmed(
    msgspec.Struct, frozen=True, omit_defaults=True, tag_field="event", tag="code-confirmed"
):
    """The first right code of a secret, by its salt; otherwise of the one that was shown last."""

    name: str
    salt: CodeSalt | None = None


class LimitsSet(msgspec.Struct, frozen=True, tag_field="event", tag="limits-set"):
    """What a player allows himself, for each evening until he changes it."""

    name: str
    limits: OwnLimits


Change = (
    PersonAdded
    | PasswordChanged
    | RoleChanged
    | TablesChanged
    | PersonBarred
    | CodeRequired
    | CodeForgotten
    | CodeOffered
    | CodeConfirmed
    | LimitsSet
)


class ChangeAsked(msgspec.Struct, frozen=True, tag_field="event", tag="change-asked"):
    """A change that somebody began, and that waits for a second person."""

    change: Change


class ChangeAnswered(msgspec.Struct, frozen=True, tag_field="event", tag="change-answered"):
    """The second person's word: what was asked for this person happens now, or never."""

    name: str
    upheld: bool


Told = Change | ChangeAsked | ChangeAnswered | StaffPower


class Person(msgspec.Struct, frozen=True):
    name: str
    role: PitRole
    password: str
    barred: bool = False
    from_console: bool = False
    tables: Tables = None
    code_required: bool = False
    offered: CodeSalt | None = None
    code: CodeSalt | None = None
    limits: OwnLimits = OwnLimits()

    def __repr__(self) -> str:
        return f"Person({self.name}, {self.role})"


class WaitingChange(msgspec.Struct, frozen=True):
    """A change of staff that was begun, by whom and when; a device by its first right code."""

    change: Change
    began: Actor
    at_us: int


class People:
    """Everybody who may log in, as the ledger has it."""

    def __init__(
        self, ledger: Ledger, clock: Clock, hasher: PasswordHasher, policy: Policy = CASINO
    ) -> None:
        self._hasher, self._policy = hasher, policy
        self._journal: Journal[Told] = Journal(ledger, STREAM, Told, clock)
        self._desk = threading.Lock()  # passwords are hashed in threads of their own
        self._reading = threading.Lock()
        self._known: dict[str, Person] = {}
        self._waiting: dict[str, WaitingChange] = {}
        self._nobody = hasher.hash("a password that nobody has")
        self.refresh()

    def refresh(self) -> list[Told]:
        """What is new of people, here or from another process."""
        with self._reading:
            news = list(self._journal.with_lines())
            for line, told in news:
                self._hear(line, told)
        return [told for _, told in news]

    @property
    def known(self) -> Mapping[str, Person]:
        return self._known

    @property
    def waiting(self) -> Mapping[str, WaitingChange]:
        """What waits for a second person, by whom it is about."""
        return self._waiting

    def add(self, name: str, role: str, password: str, by: str, tables: Tables = None) -> bool:
        name, fit, hashed = fit_name(name), fit_role(role), self._hashed(password)
        with self._desk:
            self.refresh()
            taken = {known.casefold() for known in (*self._known, *self._waiting)}
            if name.casefold() in taken:
                raise Unreadable(f"there is somebody called {quoted(name)} already")
            return self._do(PersonAdded(name, fit, hashed, tables), by)

    def change_password(self, name: str, password: str, by: str) -> bool:
        hashed = self._hashed(password)
        with self._desk:
            return self._do(PasswordChanged(self.read_again(name).name, hashed), by)

    def change_role(self, name: str, role: str, by: str) -> bool:
        if name == by:
            raise Unreadable("nobody changes his own role")
        with self._desk:
            return self._do(RoleChanged(self.read_again(name).name, fit_role(role)), by)

    def change_tables(self, name: str, tables: Tables, by: str) -> bool:
        with self._desk:
            return self._do(TablesChanged(self.read_again(name).name, tables), by)

    def bar(self, name: str, barred: bool, by: str) -> bool:
        if name == by:
            raise Unreadable("nobody bars himself")
        with self._desk:
            return self._do(PersonBarred(self.read_again(name).name, barred), by)

    def set_limits(self, name: str, limits: OwnLimits) -> bool:
        """His own, by himself."""
        with self._desk:
            return self._do(LimitsSet(self.read_again(name).name, limits), by=name)

    def require_code(self, name: str, by: str) -> bool:
        with self._desk:
            return self._do(CodeRequired(self.read_again(name).name), by)

    def forget_code(self, name: str, by: str) -> bool:
        with self._desk:
            return self._do(CodeForgotten(self.read_again(name).name), by)

    def offer_code(self, name: str, salt: CodeSalt) -> bool:
        """Whether it was offered: not while another device waits for somebody to vouch for it."""
        with self._desk:
            self.refresh()
            if self.device_waits(name):
                return False
            self._write(CodeOffered(name, salt), by=name)
        return True

    def confirm_code(self, name: str, salt: CodeSalt) -> bool:
        """Whether the device counts from now on; otherwise it waits for a second person."""
        with self._desk:
            self.refresh()
            return not self.device_waits(name) and self._do(CodeConfirmed(name, salt), by=name)

    def device_waits(self, name: str) -> bool:
        waiting = self._waiting.get(name)
        return waiting is not None and isinstance(waiting.change, CodeConfirmed)

    def second(self, name: str, upheld: bool, by: str) -> Change:
        """A second person's word on what waits; the policy says whose. What was asked for."""
        with self._desk:
            self.refresh()
            waiting, who = self._waiting.get(name), self.person(by)
            if waiting is None:
                raise Unreadable(f"nothing about {quoted(name)} waits for a second person")
            if upheld:
                why = self._policy.why_not_second(STAFF, waiting.began, Actor(by, who.role))
                if why or by == name:
                    raise NotTheSecond(why or f"{by} does not confirm what is about himself")
            said = StaffPowerUsed if upheld else StaffPowerDenied
            answered = said(STAFF, name, _words(waiting.change), waiting.began.name, by)
            self._journal.write_all((ChangeAnswered(name, upheld), answered), by, who.role)
            self.refresh()
        return waiting.change

    def read_again(self, name: str) -> Person:
        """Who has this name, also where another process let him in a moment ago."""
        self.refresh()
        return self.person(name)

    def person(self, name: str) -> Person:
        if name not in self._known:
            raise Unreadable(f"there is nobody called {quoted(name)}")
        return self._known[name]

    def admits(self, name: str, password: str) -> Person | None:
        """Who has this name and password; somebody unknown takes as long as somebody known."""
        from argon2.exceptions import Argon2Error

        person = self._known.get(name)
        try:
            self._hasher.verify(person.password if person else self._nobody, password)
        except Argon2Error:
            return None
        return person if person is not None and not person.barred else None

    def _hashed(self, password: str) -> str:
        if not LEAST_LETTERS <= len(password) <= MOST_LETTERS:
            raise Unreadable(f"a password has {LEAST_LETTERS} to {MOST_LETTERS} letters")
        return self._hasher.hash(password)

    def _do(self, change: Change, by: str) -> bool:
        """Do it, or ask for a second person where the policy wants one; whether it was done."""
        if not self._is_power(change, by):
            self._write(change, by=by)
        elif self._policy.waits(STAFF) and self._has_second(change, by):
            if change.name in self._waiting:
                raise Unreadable(f"something about {quoted(change.name)} waits already")
            asked = StaffPowerAsked(STAFF, change.name, _words(change), by)
            self._write(ChangeAsked(change), asked, by=by)
            return False
        else:
            used = StaffPowerUsed(STAFF, change.name, _words(change), by)
            self._write(change, used, by=by)
        return True

    def _is_power(self, change: Change, by: str) -> bool:
        """Whether it gives somebody who works here a way in; to shut one is always urgent, and of
        one's own one changes the password alone."""
        if isinstance(change, CodeRequired) or (isinstance(change, PersonBarred) and change.barred):
            return False
        before = self._known.get(change.name)
        roles = [before.role] if before is not None else []
        roles += [change.role] if isinstance(change, PersonAdded | RoleChanged) else []
        is_own = change.name == by and not isinstance(change, CodeForgotten | CodeConfirmed)
        return not is_own and any(map(is_staff, roles))

    def _has_second(self, change: Change, by: str) -> bool:
        """Whether there is, or was, anybody else who may second it: barring them all makes nobody
        free. Who is not of the pit is its console, where the first and the last resort begin: whom
        it let in sets a device up alone, and so does who is the first of all to have one.
        """
        if isinstance(change, CodeConfirmed):
            others = self._others(STAFF, by)
            came_in = any(each.code or not self.asks_code(each) for each in others)
            return came_in and not self._known[by].from_console
        return self.has_second(STAFF, by)

    def has_second(self, power: Power, by: str) -> bool:
        """Whether there is, or was, anybody else of the pit who may second what somebody of the
        pit begins."""
        return by in self._known and bool(self._others(power, by))

    def _others(self, power: Power, by: str) -> list[Person]:
        may = self._policy.rules[power].second
        return [each for each in self._known.values() if each.name != by and each.role in may]

    def asks_code(self, person: Person) -> bool:
        """Whether somebody comes in with a one-time code only."""
        return person.code_required or self._policy.asks_code(person.role)

    def _write(self, *told: Told, by: str) -> None:
        first = told[0].change if isinstance(told[0], ChangeAsked) else told[0]
        own = first.name == by
        self._journal.write_all(told, by, "person" if own else "administrator")
        self.refresh()

    def _hear(self, line: LedgerLine, told: Told) -> None:
        if isinstance(told, ChangeAsked):
            role = self._known[line.actor].role
            began = Actor(line.actor, role)
            self._waiting[told.change.name] = WaitingChange(told.change, began, line.at_us)
        elif isinstance(told, ChangeAnswered):
            waiting = self._waiting.pop(told.name, None)
            if waiting is not None and told.upheld:
                self._apply(waiting.change)
            elif waiting is not None and isinstance(waiting.change, CodeConfirmed):
                self._apply(CodeForgotten(told.name))
        elif not isinstance(told, StaffPower):
            self._apply(told, from_console=line.actor == SYSTEM)

    def _apply(self, change: Change, *, from_console: bool = False) -> None:
        if isinstance(change, PersonAdded):
            made = Person(
                change.name,
                change.role,
                change.password,
                from_console=from_console,
                tables=change.tables,
            )
            self._known[change.name] = made
            return
        now = self._known[change.name]
        self._known[change.name] = msgspec.structs.replace(now, **_changed(change, now))


def _changed(change: Change, now: Person) -> dict[str, object]:
    """The fields of a person that a change sets."""
    if isinstance(change, PersonAdded):
        return {}
    if isinstance(change, CodeRequired):
        return {"code_required": True}
    if isinstance(change, CodeForgotten):
        return {"offered": None, "code": None, "from_console": False}
    if isinstance(change, CodeOffered):
        return {"offered": change.salt}
    if isinstance(change, CodeConfirmed):
        return {"offered": None, "code": change.salt or now.offered}
    fields = msgspec.structs.asdict(change)
    del fields["name"]
    return fields


def _words(change: Change) -> str:
    """What a change gives somebody, for who reads of it later."""
    if isinstance(change, PersonAdded):
        return f"let in as {change.role}"
    if isinstance(change, RoleChanged):
        return f"made {change.role}"
    if isinstance(change, TablesChanged):
        return f"works at {'all tables' if change.tables is None else ', '.join(change.tables)}"
    return _GIVEN[type(change)]


_GIVEN: Mapping[type[Change], str] = {
    PasswordChanged: "a new password",
    PersonBarred: "let in again",
    CodeForgotten: "the device for one-time codes forgotten",
    CodeConfirmed: "a device for one-time codes",
}


def fit_name(name: str) -> str:
    """One form of each name, so that nobody can look like another."""
    fit = unicodedata.normalize("NFKC", name).strip()
    printable = fit.isprintable() and not any(letter in fit for letter in "/\\<>\"'&?#%")
    odd = not printable or "  " in fit or fit.startswith(".")
    if not 1 <= len(fit) <= MOST_NAME or odd:
        raise Unreadable(
            f"{quoted(name)} is no name; take 1 to {MOST_NAME} letters and single spaces"
        )
    if fit.casefold() in RESERVED:
        raise Unreadable(f"{quoted(name)} is what the service calls itself; take another name")
    if len({_script(letter) for letter in fit if letter.isalpha()}) > 1:
        raise Unreadable(f"{quoted(name)} has letters of several scripts; take those of one")
    return fit


def _script(letter: str) -> str:
    """The script that a letter belongs to; those of Japanese are written together."""
    first = unicodedata.name(letter, "?").partition(" ")[0]
    return "CJK" if first in ("HIRAGANA", "KATAKANA") else first


def fit_role(role: str) -> PitRole:
    for known in PIT_ROLES:
        if role == known:
            return known
    raise Unreadable(f"there is no role {quoted(role)}; choose {', '.join(PIT_ROLES)}")
