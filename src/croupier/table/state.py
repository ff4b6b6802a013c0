"""Immutable state of a table: the fold of its events; no undealt card is in it.

A round begins with the first wager and ends when its cards are cleared; between those the stage
says how it stands. What comes next is never stored: ``agenda`` reads it from here.
"""

from __future__ import annotations

from typing import Literal, TypeVar

import msgspec

from croupier.facts.errors import Refusal
from croupier.facts.money import Cents, Micros
from croupier.games.round import Refused
from croupier.rulebook.book import DealStep, Rulebook, WayOfDealing
from croupier.table.commands import Begun, Role, Taken
from croupier.table.events import WagerSettled
from croupier.table.powers import Power
from croupier.table.terms import Terms

Stage = Literal["betting", "play", "salvage", "void"]
DeckStage = Literal[
    "received", "inspected", "verified", "spread", "washed", "stacked", "shuffled", "ready"
]
S = TypeVar("S", bound=msgspec.Struct)
replace = msgspec.structs.replace


class Deck(msgspec.Struct, frozen=True):
    """``was_cut``: since its last shuffle, so that it may be cut again; ``found`` is what a device
    counted in that shuffle."""

    color: str
    opened_s: int
    stage: DeckStage
    was_cut: bool = False
    found: int | None = None


class Box(msgspec.Struct, frozen=True):
    """A box in the round: stakes, cards, and how far it has answered.

    ``answered`` counts the streets behind it; a box that is not asked again has them all behind.
    ``number_hash`` is what its player committed himself to, ``number`` what he showed; ``ready``
    that he said so and has changed no wager since.
    """

    seat: int
    player: str
    stakes: dict[str, Cents] = {}
    accepted: bool = False
    cards: tuple[str, ...] = ()
    answered: int = 0
    folded: bool = False
    forfeited: tuple[str, ...] = ()
    absent: Literal["", "left", "default", "abandoned"] = ""
    refused: Refused = ""
    settled: bool = False
    number_hash: str = ""
    number: str = ""
    ready: bool = False

    def has(self, wager: str) -> bool:
        return wager in self.stakes


class Hold(msgspec.Struct, frozen=True):
    """An irregularity that waits for the floorperson: who declared it in which role, with which
    words and cards."""

    name: str
    clause: str
    by: str
    role: Role
    reason: str = ""
    cards: tuple[str, ...] = ()
    exposed: tuple[str, ...] = ()


class Request(msgspec.Struct, frozen=True):
    """An act that somebody began, and that waits for a second person."""

    act: Power
    box: int
    cents: int
    began: Begun


class Lock(msgspec.Struct, frozen=True, omit_defaults=True):
    """A dispute, since ``at_s``; the house knows who locked the table."""

    at_s: int
    reason: str
    by: str = ""


class Dispute(msgspec.Struct, frozen=True, omit_defaults=True):
    """A case that is open since ``at_s``: somebody does not agree with what ``player`` got or gave
    at a box in a round."""

    number: int
    round: int
    box: int
    player: str
    at_s: int
    reason: str
    wager: str = ""
    by: str = ""


class Call(msgspec.Struct, frozen=True, omit_defaults=True):
    """The floorperson is called, since ``at_s``, and not here yet."""

    at_s: int
    by: str = ""
    reason: str = ""


class Won(msgspec.Struct, frozen=True):
    """A Progressive win that waits: for a floorperson, or where a refusal is proposed for a
    manager."""

    box: int
    meter: str | None = None
    refusal: Refused = ""
    proposed_by: str = ""


class Round(msgspec.Struct, frozen=True):
    """``device`` is what its cards come out of; nothing where a hand or a manual shoe deals.

    ``cut`` is how many cards of its deck were moved from the top to the bottom; ``closed_s`` when
    the betting closed.
    ``salvaged_by`` is the clause under which some wagers are settled in a round otherwise void.
    """

    number: int
    stage: Stage = "betting"
    way: str = ""
    device: str = ""
    color: str = ""
    cut: int = 0
    boxes: dict[int, Box] = {}
    places: dict[str, tuple[str, ...]] = {}
    up: frozenset[str] = frozenset()
    out: frozenset[str] = frozenset()
    set_aside: tuple[str, ...] = ()
    step: int = 0
    counted: bool = False
    revealed: bool = False
    still_settles: tuple[str, ...] = ()
    salvaged_by: str = ""
    lines: tuple[WagerSettled, ...] = ()
    won: Won | None = None
    paperwork: frozenset[int] = frozenset()
    closed_s: int = 0

    @property
    def numbers(self) -> dict[int, str]:
        """The numbers that were shown, by box."""
        return {seat: box.number for seat, box in self.boxes.items() if box.number}

    @property
    def was_dealt(self) -> bool:
        """Whether a card was dealt; one found face up and set aside is out, but not dealt."""
        return self.step > 0


class SnapshotFields(msgspec.Struct, frozen=True):
    """How a table stands, apart from the terms it plays by: what a snapshot keeps.

    ``meters`` are the last readings anybody gave: for showing, never for paying.
    ``uncounted`` is how many rounds were dealt since the last count, by hand or by a device;
    ``chips`` what each box has in electronic chips, in cents, where the table keeps them;
    ``kept`` what is kept for whom who left without his chips; ``taken`` what was taken for chips
    since the drop was counted, and ``moved_alone`` what no second person looked at since then;
    ``unshown`` how often each player did not show a number, and ``unopened`` how often the house
    did not open a pack that players had given numbers for;
    ``asked`` are the chips that a box asked the house for, ``bought`` and ``cashed`` what its
    player has not acknowledged; ``disputes`` those that are open, of ``dispute_count`` in all;
    ``at_s`` when the last thing happened.
    """

    way: str
    round: Round
    open: bool = False
    decks: tuple[Deck, ...] = ()
    color: str = ""
    seats: dict[int, str] = {}
    meters: dict[str, Micros] = {}
    chips: dict[int, int] = {}
    kept: dict[str, int] = {}
    taken: dict[Taken, int] = {}
    moved_alone: dict[str, int] = {}
    unshown: dict[str, int] = {}
    unopened: int = 0
    requests: tuple[Request, ...] = ()
    asked: dict[int, int] = {}
    bought: dict[int, int] = {}
    cashed: dict[int, int] = {}
    disputes: tuple[Dispute, ...] = ()
    dispute_count: int = 0
    devices: dict[str, str] = {}
    uncounted: int = 0
    at_s: int = 0
    hold: Hold | None = None
    lock: Lock | None = None
    call: Call | None = None
    last: Round | None = None


class State(SnapshotFields, frozen=True, kw_only=True):
    """A table as it stands, with its terms."""

    terms: Terms

    @property
    def book(self) -> Rulebook:
        return self.terms.book

    @property
    def dealing(self) -> WayOfDealing:
        """The way this round is dealt, or the next one will be."""
        return self.terms.ways[self.round.way or self.way]

    @property
    def plan(self) -> tuple[DealStep, ...]:
        return self.terms.plans[self.round.way or self.way]

    @property
    def deck(self) -> Deck | None:
        """The deck in play."""
        return next((deck for deck in self.decks if deck.color == self.color), None)

    def cite(self, clause: str) -> str:
        return f"{self.book.id} {clause}"

    def cites(self, *clauses: str | None) -> tuple[str, ...]:
        """The clauses as people quote them; a line this book does not have is left out."""
        return tuple(f"{self.book.id} {clause}" for clause in clauses if clause is not None)

    def refusal(self, sentence: str, clause: str) -> Refusal:
        return Refusal(sentence, self.cite(clause))


def new_table(terms: Terms) -> State:
    return State(terms=terms, way=terms.way, round=Round(number=1))


def in_round(state: State, **changes: object) -> State:
    return replace(state, round=replace(state.round, **changes))


def in_box(state: State, seat: int, **changes: object) -> State:
    box = replace(state.round.boxes[seat], **changes)
    return in_round(state, boxes={**state.round.boxes, seat: box})


def without_cut(state: State, color: str) -> State:
    """A deck that loses its order before bets are closed forgets how it was cut (ruling 45)."""
    is_dealt_next = state.round.stage == "betting" and color == state.color
    return in_round(state, cut=0) if is_dealt_next else state


def with_deck(state: State, color: str, **changes: object) -> State:
    decks = tuple(replace(deck, **changes) if deck.color == color else deck for deck in state.decks)
    return replace(state, decks=decks)
