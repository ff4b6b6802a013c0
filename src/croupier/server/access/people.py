"""People and their roles, kept as lines of the ledger: who was let in, by whom, and when.

Passwords are kept as argon2 hashes only. There is no password anybody begins with: the first
administrator is made with a code that the console of the service shows once.
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Mapping

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error

from croupier.facts.errors import Unreadable, quoted
from croupier.ledger.events import PIT
from croupier.ledger.kept_table import Clock
from croupier.ledger.store.port import Ledger
from croupier.server.access.roles import PIT_ROLES, PitRole
from croupier.server.pit.journal import Journal

STREAM = f"{PIT}people"
LEAST_LETTERS, MOST_LETTERS = 8, 200
MOST_NAME = 40
SYSTEM = "croupier"
RESERVED = (SYSTEM, "system", "device", "acceptor", "public")


class PersonAdded(msgspec.Struct, frozen=True, tag_field="event", tag="person-added"):
    name: str
    role: PitRole
    password: str


class PasswordChanged(msgspec.Struct, frozen=True, tag_field="event", tag="password-changed"):
    name: str
    password: str


class RoleChanged(msgspec.Struct, frozen=True, tag_field="event", tag="role-changed"):
    name: str
    role: PitRole


class PersonBarred(msgspec.Struct, frozen=True, tag_field="event", tag="person-barred"):
    """``barred`` no longer, where it is False."""

    name: str
    barred: bool


Change = PersonAdded | PasswordChanged | RoleChanged | PersonBarred


class Person(msgspec.Struct, frozen=True):
    name: str
    role: PitRole
    password: str
    barred: bool = False

    def __repr__(self) -> str:
        return f"Person({self.name}, {self.role})"


class People:
    """Everybody who may log in, as the ledger has it."""

    def __init__(self, ledger: Ledger, clock: Clock, hasher: PasswordHasher) -> None:
        self._hasher = hasher
        self._journal: Journal[Change] = Journal(ledger, STREAM, Change, clock)
        self._desk = threading.Lock()  # passwords are hashed in threads of their own
        self._reading = threading.Lock()
        self._known: dict[str, Person] = {}
        self._nobody = hasher.hash("a password that nobody has")
        self.refresh()

    def refresh(self) -> list[Change]:
        """What is new of people, here or from another process."""
        with self._reading:
            changes = list(self._journal.news())
            for change in changes:
                self._apply(change)
        return changes

    @property
    def known(self) -> Mapping[str, Person]:
        return self._known

    def add(self, name: str, role: str, password: str, by: str) -> Person:
        name, fit, hashed = fit_name(name), fit_role(role), self._hashed(password)
        with self._desk:
            self.refresh()
            if name.casefold() in {known.casefold() for known in self._known}:
                raise Unreadable(f"there is somebody called {quoted(name)} already")
            self._write(PersonAdded(name, fit, hashed), by)
        return self._known[name]

    def change_password(self, name: str, password: str, by: str) -> None:
        hashed = self._hashed(password)
        with self._desk:
            self._write(PasswordChanged(self.read_again(name).name, hashed), by)

    def change_role(self, name: str, role: str, by: str) -> None:
        if name == by:
            raise Unreadable("nobody changes his own role")
        with self._desk:
            self._write(RoleChanged(self.read_again(name).name, fit_role(role)), by)

    def bar(self, name: str, barred: bool, by: str) -> None:
        if name == by:
            raise Unreadable("nobody bars himself")
        with self._desk:
            self._write(PersonBarred(self.read_again(name).name, barred), by)

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

    def _write(self, change: Change, by: str) -> None:
        self._journal.write(change, by, "person" if change.name == by else "administrator")
        self.refresh()

    def _apply(self, change: Change) -> None:
        if isinstance(change, PersonAdded):
            self._known[change.name] = Person(change.name, change.role, change.password)
            return
        now = self._known[change.name]
        if isinstance(change, PasswordChanged):
            now = msgspec.structs.replace(now, password=change.password)
        elif isinstance(change, RoleChanged):
            now = msgspec.structs.replace(now, role=change.role)
        else:
            now = msgspec.structs.replace(now, barred=change.barred)
        self._known[change.name] = now


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
