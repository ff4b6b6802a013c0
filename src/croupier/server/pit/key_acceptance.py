"""The key that seals packs, held against those that somebody answered for.

Whoever keeps the machine gives the service its keys; a manager has to accept another one before
it seals anything, so that nobody alone has packs sealed with a key of his own. Where one person is
enough, or the pit never had a manager, the change is marked as done alone.
"""

from __future__ import annotations

import threading

import msgspec

from croupier.facts.errors import Unavailable, Unreadable
from croupier.ledger.events import PIT, StaffPowerUsed
from croupier.ledger.kept_table import Clock
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.port import Ledger
from croupier.server.access.people import SYSTEM, People
from croupier.server.pit.journal import Journal
from croupier.table.powers import RULES, Policy, Power

STREAM = f"{PIT}keys"
KEYS: Power = "keys"


class KeyAccepted(msgspec.Struct, frozen=True, tag_field="event", tag="key-accepted"):
    """A key of this id may seal packs."""

    key: str


class KeyShown(msgspec.Struct, frozen=True):
    """The id of the key that seals, and whether it may."""

    key: str
    accepted: bool


class KeyAcceptance:
    def __init__(
        self, ledger: Ledger, clock: Clock, ring: KeyRing, policy: Policy, people: People
    ) -> None:
        self._journal: Journal[KeyAccepted | StaffPowerUsed] = Journal(
            ledger, STREAM, KeyAccepted | StaffPowerUsed, clock
        )
        self._desk = threading.Lock()
        self._current, self._known = ring.current.id, set[str]()
        self.follow()
        if not self._known:
            self._journal.write(KeyAccepted(self._current), SYSTEM, "device")
        elif self._current not in self._known and not (policy.waits(KEYS) and _can_wait(people)):
            self._accept(SYSTEM, "", "device")
        self.follow()

    def shown(self) -> KeyShown:
        return KeyShown(self._current, self._current in self._known)

    def gate(self) -> None:
        """Nothing is played while packs would be sealed with a key that nobody accepted. Asked
        before each command: the ledger is read when it has news, not here."""
        if self._current not in self._known:
            raise Unavailable(
                f"packs would be sealed with key {self._current}, which is new; "
                "play goes on when a manager has accepted it"
            )

    def accept(self, key: str, by: str, role: str) -> KeyShown:
        if key != self._current:
            raise Unreadable(f"packs are sealed with key {self._current} here; look again")
        self.follow()
        if key not in self._known:
            self._accept(SYSTEM, by, role)
            self.follow()
        return self.shown()

    def _accept(self, began: str, second: str, role: str) -> None:
        used = StaffPowerUsed(KEYS, self._current, "a new key", began, second)
        self._journal.write_all((KeyAccepted(self._current), used), second or began, role)

    def follow(self) -> None:
        """Keys that were accepted here or at another process."""
        with self._desk:
            accepted = (told for told in self._journal.news() if isinstance(told, KeyAccepted))
            self._known |= {told.key for told in accepted}


def _can_wait(people: People) -> bool:
    """Whether there is, or was, anybody who may accept it."""
    return any(person.role in RULES[KEYS].second for person in people.known.values())
