"""A narrated table: the engine, an automatic dealer, and a list of all that happened to tell later.

Nothing here decides a rule; it hands commands to the engine and remembers each event with who
caused it and how the table stood before.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from croupier.facts.errors import Unreadable
from croupier.facts.money import in_micros
from croupier.facts.names import known_entry
from croupier.games.registry import Registry
from croupier.rulebook.book import Rulebook, WayOfDealing
from croupier.submission.submission import Submission
from croupier.table.automatic_dealer import next_duty
from croupier.table.commands import Command
from croupier.table.engine import decide, evolve
from croupier.table.events import CardsCleared, Event
from croupier.table.shoe import ElectronicShoe
from croupier.table.state import State, new_table
from croupier.table.terms import Terms, terms_of


@dataclass(frozen=True)
class PlayedEvent:
    """One event, the command that caused it, and the table just before."""

    command: Command
    event: Event
    before: State


class NarratedTable:
    """A table with an automatic dealer and floorperson; every shuffle comes from one seed."""

    def __init__(self, terms: Terms, meters: Mapping[str, int], seed: int) -> None:
        self.state = new_table(terms)
        self.meters = dict(meters)
        self.events: list[PlayedEvent] = []
        self._chance = random.Random(seed)
        self.shoe = ElectronicShoe(self._chance.randrange)

    def give(self, command: Command) -> None:
        """Let a command happen; a refused one is raised and changes nothing."""
        for event in decide(self.state, command):
            self.events.append(PlayedEvent(command, event, self.state))
            self.state = evolve(self.state, event)
            if isinstance(event, CardsCleared):
                self.shoe = ElectronicShoe(self._chance.randrange)
        self.meters |= self.state.meters

    def mark(self) -> tuple[State, int]:
        return self.state, len(self.events)

    def rewind(self, mark: tuple[State, int]) -> None:
        """As if nothing had happened since; for what was only tried."""
        self.state = mark[0]
        del self.events[mark[1] :]

    def duty(self) -> Command | None:
        """What the automatic dealer does next; its cards are drawn, so it must be given."""
        return next_duty(self.state, self.shoe, self.meters)

    def work(self, until: Callable[[State], bool] = lambda state: False) -> None:
        """Let the automatic dealer work until it waits for a player, or until this is so."""
        while not until(self.state):
            command = self.duty()
            if command is None:
                return
            self.give(command)


# Terms


def narrated_terms(
    submission: Submission, registry: Registry, way: str | None = None, on_screen: bool = False
) -> Terms:
    """The terms of a table that deals paper cards this way, or of one on a screen.

    Another way of dealing than the submission's own comes with the plainest devices it needs.
    """
    terms = terms_of(submission, registry, electronic_shoe=on_screen)
    terms = replace(terms, electronic=on_screen)
    if way is None or way == terms.way:
        return terms
    needs = _dealing(registry.book(submission.rulebook), way).devices
    shuffler = bool({"shuffler", "keeps_dealer_cards"} & {*needs})
    reshuffles = "reshuffling_shoe" in needs
    return replace(
        terms,
        way=way,
        fallback_ways=tuple(name for name in terms.fallback_ways if name != way),
        deck_colors=terms.deck_colors if shuffler else terms.deck_colors[:1],
        shuffler=shuffler,
        shuffler_counts=False,
        automated_shoe=False,
        reshuffling_shoe=reshuffles,
    )


def first_readings(submission: Submission) -> dict[str, int]:
    """What stands on each meter when the table opens."""
    offer = submission.progressive
    return {meter.name: in_micros(meter.initial_cents) for meter in offer.meters} if offer else {}


def seats_asked(seats: int | None, usual: int, boxes: int) -> int:
    """How many boxes are played; without an answer as many as are usual."""
    if seats is None:
        return min(usual, boxes)
    if not 1 <= seats <= boxes:
        raise Unreadable(f"this table has 1 to {boxes} boxes, not {seats:,}")
    return seats


def _dealing(book: Rulebook, method: str) -> WayOfDealing:
    ways = {way.way: way for way in book.dealing}
    return known_entry(method, ways, "way of dealing", where=book.id)
