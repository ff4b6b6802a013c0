"""The progressive links of the pit: a lock each for moving their meters, and whether they run.

A link that cannot be read, or that a manager has closed, takes no new wagers: the Progressive is
unavailable there and nothing is wrong. Rounds that have one go on, and the meters stay as they are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping

import msgspec

from croupier.facts.errors import Unavailable, Unreadable, quoted
from croupier.ledger.events import PIT, StaffPowerUsed
from croupier.ledger.kept_table import Clock
from croupier.ledger.link import Link
from croupier.ledger.store.port import Ledger, Writing, unplaced
from croupier.server.pit.journal import Journal

STREAM = f"{PIT}links"
MOST_LETTERS = 100


class LinkRuns(msgspec.Struct, frozen=True, tag_field="event", tag="link-runs"):
    """A manager closed a link for a reason, or opened it again where there is none."""

    link: str
    reason: str

    @property
    def what(self) -> str:
        return f"closed: {self.reason}" if self.reason else "opened again"


class LinkShown(msgspec.Struct, frozen=True):
    """``meters`` in millionths of a dollar; ``closed`` says why no wager is taken."""

    name: str
    meters: dict[str, int]
    tables: tuple[str, ...]
    closed: str = ""


class PitLink:
    """One link as this service sees it; ``turn`` is the mutex of whoever moves its meters."""

    def __init__(self, ledger: Ledger, name: str, closed: str) -> None:
        self.link = Link(ledger, name)
        self.turn = asyncio.Lock()
        self.closed, self.lost = closed, ""
        self._ledger = ledger
        self._told = (self.link.version, self.why_closed)

    def look(self, reached: int | None = None) -> bool:
        """Whether there is something new to show since the last look.

        Whoever knows how far the link has come spares asking the ledger for it.
        """
        try:
            if reached is None:
                reached = self._ledger.head(self.link.stream).version
            if reached > self.link.version:
                self.link.refresh()
            self.lost = ""
        except (Unavailable, Unreadable) as error:
            self.lost = unplaced(error, self._ledger)
        before, self._told = self._told, (self.link.version, self.why_closed)
        return self._told != before

    @property
    def why_closed(self) -> str:
        return self.closed or self.lost


class Links:
    """Every link that a table of the pit is on."""

    def __init__(self, ledger: Ledger, clock: Clock) -> None:
        self._ledger = ledger
        self._known: dict[str, PitLink] = {}
        self._journal: Journal[LinkRuns | StaffPowerUsed] = Journal(
            ledger, STREAM, LinkRuns | StaffPowerUsed, clock
        )
        self._closed: dict[str, str] = {}
        self.follow()

    def named(self, name: str) -> PitLink:
        """The link, from the first table on it."""
        if name not in self._known:
            made = PitLink(self._ledger, name, self._closed.get(name, ""))
            # Two threads may come upon its tables at once, and all of them need one link.
            self._known.setdefault(name, made)
        return self._known[name]

    def follow(self) -> None:
        """What managers said of links, here or at another process."""
        said = (each for each in self._journal.news() if isinstance(each, LinkRuns))
        for each in said:
            self._closed[each.link] = each.reason
            if each.link in self._known:
                self._known[each.link].closed = each.reason

    def moved(self, reached: Mapping[str, int] | None = None) -> set[str]:
        """The links whose meters or standing changed since the last look; where somebody knows of
        some links how far they have come, only those are looked at.
        """
        if reached is None:
            return {name for name, one in list(self._known.items()) if one.look()}
        return {
            name
            for name, version in reached.items()
            if name in self._known and self._known[name].look(version)
        }

    def known(self, name: str) -> PitLink:
        if name not in self._known:
            raise Unreadable(f"there is no link {quoted(name)} in this pit")
        return self._known[name]

    def change(self, name: str, *, is_open: bool, reason: str) -> LinkRuns:
        """What a manager wants of a link: closed, with the reason that people are told, or open."""
        self.known(name)
        reason = "" if is_open else reason.strip()[:MOST_LETTERS]
        if not is_open and not reason:
            raise Unreadable("say why the link is closed")
        return LinkRuns(name, reason)

    def run(
        self,
        said: LinkRuns,
        by: str,
        second: str,
        role: str,
        beside: Callable[[], Writing] | None = None,
    ) -> None:
        """``role`` is that of who says the last word: of the second person, where there is one;
        ``beside`` is written in the same transaction."""
        used = StaffPowerUsed("link", f"link {said.link}", said.what, by, second)
        self._journal.write_all((said, used), second or by, role, beside)
        self.follow()

    def shown(self, tables: Iterable[tuple[str, str]]) -> list[LinkShown]:
        """``tables`` each with the link that it is on."""
        on = list(tables)
        return [
            LinkShown(
                name,
                dict(one.link.readings),
                tuple(table for table, link in on if link == name),
                one.why_closed,
            )
            for name, one in sorted(self._known.items())
        ]
