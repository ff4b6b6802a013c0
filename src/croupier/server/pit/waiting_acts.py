"""Real tables that somebody began to bring in, and links to close or open: a second person has to
confirm it.

What is asked for is a line of the ledger; the table's or the link's own line, with both names,
says that it happened. Where one person is enough, or nobody else could be the second, nothing waits
and that line has one name.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

import msgspec

from croupier.facts.errors import Unreadable, quoted
from croupier.ledger.append_retry import append_anew
from croupier.ledger.events import (
    PIT,
    TABLE,
    ActAnswered,
    ActKind,
    StaffPower,
    StaffPowerAsked,
    StaffPowerDenied,
    TableInstalled,
    brought_in,
)
from croupier.ledger.kept_table import Clock
from croupier.ledger.store.port import Ledger, Writing
from croupier.server.access.people import NotTheSecond, People
from croupier.server.pit.journal import Journal
from croupier.server.pit.progressive_links import LinkRuns
from croupier.table.powers import Actor, Policy

STREAM = f"{PIT}waiting"
T = TypeVar("T")


class TableWanted(msgspec.Struct, frozen=True, tag_field="event", tag="table-wanted"):
    """A table as it was asked for, with the hash of its rules for who confirms it."""

    table: str
    submission: str
    link: str
    rulebook: str
    rules_hash: str

    @property
    def what(self) -> str:
        return brought_in(self.rulebook, self.rules_hash, self.link)


PitAct = TableWanted | LinkRuns


class WaitingAct(msgspec.Struct, frozen=True, tag_field="event", tag="act-asked"):
    """What was begun, and by whom."""

    act: PitAct
    began: Actor

    @property
    def kind(self) -> ActKind:
        return "table" if isinstance(self.act, TableWanted) else "link"

    @property
    def name(self) -> str:
        return self.act.table if isinstance(self.act, TableWanted) else self.act.link

    @property
    def subject(self) -> str:
        return f"{self.kind} {self.name}"


ActTold = WaitingAct | ActAnswered | StaffPower


class WaitingActs:
    """What waits, as the ledger has it; read anew whenever somebody asks."""

    def __init__(self, ledger: Ledger, clock: Clock, policy: Policy, people: People) -> None:
        self._ledger, self._policy, self._people = ledger, policy, people
        self._journal: Journal[ActTold] = Journal(ledger, STREAM, ActTold, clock)
        self._desk = threading.Lock()
        self._waiting: dict[tuple[str, str], WaitingAct] = {}

    def now(self) -> list[WaitingAct]:
        with self._desk:
            self._follow()
            return list(self._waiting.values())

    def begin(self, act: PitAct, by: Actor) -> WaitingAct | None:
        """What waits from now on; nothing where whoever began it does it alone."""
        begun = WaitingAct(act, by)
        self._people.refresh()
        if not (self._policy.waits(begun.kind) and self._people.has_second(begun.kind, by.name)):
            return None
        with self._desk:
            self._follow()
            if (begun.kind, begun.name) in self._waiting:
                raise Unreadable(f"something about {begun.subject} waits already")
            asked = StaffPowerAsked(begun.kind, begun.subject, act.what, by.name)
            self._journal.write_all((begun, asked), by.name, by.role)
        return begun

    def second(
        self,
        kind: str,
        name: str,
        upheld: bool,
        by: Actor,
        do: Callable[[WaitingAct, Callable[[], Writing]], T],
    ) -> T | None:
        """A second person's word on what waits; the policy says whose. What came of doing it, with
        the word written in the same transaction."""
        with self._desk:
            self._follow()
            waiting = self._still_waiting(kind, name)

            def word(*said: ActTold) -> Writing:
                """What is read once its place is known tells who was first, at any process."""
                written = self._journal.writing(said, by.name, by.role)
                self._follow()
                self._still_waiting(kind, name)
                return written

            answered = ActAnswered(waiting.kind, name, upheld)
            if not upheld:
                denied = StaffPowerDenied(
                    waiting.kind, waiting.subject, waiting.act.what, waiting.began.name, by.name
                )
                append_anew(self._ledger, STREAM, lambda: [word(answered, denied)])
                return None
            if why := self._policy.why_not_second(waiting.kind, waiting.began, by):
                raise NotTheSecond(why)
            return do(waiting, lambda: word(answered))

    def _still_waiting(self, kind: str, name: str) -> WaitingAct:
        if (kind, name) not in self._waiting:
            raise Unreadable(f"nothing about {kind} {quoted(name)} waits for a second person")
        return self._waiting[kind, name]

    def _follow(self) -> None:
        """What was asked and answered, here or at another process. A table that is there, however
        it came in, waits no longer."""
        for told in self._journal.news():
            if isinstance(told, WaitingAct):
                self._waiting[told.kind, told.name] = told
            elif isinstance(told, ActAnswered):
                self._waiting.pop((told.kind, told.name), None)
        for kind, name in list(self._waiting):
            if kind == "table" and self._ledger.head(f"{TABLE}{name}").version:
                del self._waiting[kind, name]


def wanted(event: TableInstalled) -> TableWanted:
    """A table that was looked over, as who asks for it asks."""
    return TableWanted(event.table, event.submission, event.link, event.rulebook, event.rules_hash)
