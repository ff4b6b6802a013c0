"""What a ledger keeps beside the engine's events. Each tag is a stored name, and permanent."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from croupier.ledger.shoe.commitment import CardOpening, Commitment
from croupier.ledger.shoe.seal import Sealed
from croupier.table import events as ev
from croupier.table.event_base import CitedEvent
from croupier.table.powers import Power, Preset

TABLE, LINK, REFUSALS = "table/", "link/", "desk/"
PIT = "pit/"  # what a service keeps beside its tables: people, access, links, its own program
ActKind = Literal["table", "link"]


class TableInstalled(CitedEvent, frozen=True, tag="table-installed"):
    """The first line of a table: what it plays by, whole, so that the file alone is enough.

    ``croupier`` is the version of the program, ``rulebook_hash`` the edition of the rulebook that
    it came with, and ``money_hash`` what that edition says about money, its citations apart.
    ``sealed``: no hand can turn a card there (ruling 42). ``training``: its cards are handled like
    cards of paper (ruling 38). ``policy`` is the preset of powers it is run under.
    ``second``: who confirmed that it comes in, where somebody did.
    """

    table: str
    rulebook: str
    submission: str
    rules_hash: str
    link: str = ""
    practice: bool = False
    croupier: str = ""
    rulebook_hash: str = ""
    money_hash: str = ""
    policy: Preset = "casino"
    sealed: bool | msgspec.UnsetType = msgspec.UNSET
    training: bool | msgspec.UnsetType = msgspec.UNSET
    second: str | msgspec.UnsetType = msgspec.UNSET

    @property
    def kind(self) -> str:
        """What people are told of a table that is not real; nothing of one that is."""
        return "training" if self.training is True else "practice" if self.practice else ""

    @property
    def what(self) -> str:
        return brought_in(self.rulebook, self.rules_hash, self.link)


def brought_in(rulebook: str, rules_hash: str, link: str) -> str:
    """What who confirms that a table comes in is told of it."""
    on = f", on link {link}" if link else ""
    return f"brought in under {rulebook}, rules {rules_hash[:16]}{on}"


class StaffPowerUsed(msgspec.Struct, frozen=True, tag_field="event", tag="staff-power-used"):
    """An act of the policy beside the tables: about whom, by whom, and who seconded it. ``what``
    was done, in words."""

    act: Power
    name: str
    what: str
    by: str
    second: str = ""


class StaffPowerAsked(msgspec.Struct, frozen=True, tag_field="event", tag="staff-power-asked"):
    """Such an act was begun, and waits for a second person."""

    act: Power
    name: str
    what: str
    by: str


class StaffPowerDenied(msgspec.Struct, frozen=True, tag_field="event", tag="staff-power-denied"):
    """The second person did not confirm it, or who began it took it back."""

    act: Power
    name: str
    what: str
    by: str
    second: str


class ActAnswered(msgspec.Struct, frozen=True, tag_field="event", tag="act-answered"):
    """The second person's word on a table or a link that waits: it happened, or never will."""

    kind: ActKind
    name: str
    upheld: bool


class LineRefused(msgspec.Struct, frozen=True, tag_field="event", tag="line-refused"):
    """Something in the ledger was not believed when it was read: in which stream, at which line (0:
    the stream, or the ledger, as a whole), and why."""

    stream: str
    line: int
    why: str


StaffPower = StaffPowerUsed | StaffPowerAsked | StaffPowerDenied
"""What happens to an act of the policy beside the tables."""


class ShoeCommitted(CitedEvent, frozen=True, tag="shoe-committed"):
    """A fresh pack for a round: its hashes for everybody, and itself sealed."""

    round: int
    commitment: Commitment
    sealed: Sealed


class CardsOpened(CitedEvent, frozen=True, tag="cards-opened"):
    """Cards that were turned, with what proves where in the pack they lay."""

    round: int
    openings: tuple[CardOpening, ...]


class CommandRefused(CitedEvent, frozen=True, tag="command-refused"):
    """Somebody asked for what the rules do not allow; kept beside the table, not in it."""

    sentence: str
    clause: str


class LinkOpened(CitedEvent, frozen=True, tag="link-opened"):
    """The meters of a link as they start, in micros, and what the house gives to restart them."""

    link: str
    meters: dict[str, int]
    resets_cents: dict[str, int]
    rates_ppm: dict[str, int]


class MeterMoved(CitedEvent, frozen=True, tag="meter-moved"):
    """A table moved a meter; both sides of the money stand in the table's own line."""

    table: str
    round: int
    meter: str
    by_micros: int
    reading_micros: int
    why: str


class DrawWaits(CitedEvent, frozen=True, tag="draw-waits"):
    """A win at a table waits to be validated; whoever wins the same meter later comes after it."""

    table: str
    round: int
    meter: str


class DrawDecided(CitedEvent, frozen=True, tag="draw-decided"):
    """A win that waited was validated or refused, or its round became void."""

    table: str
    round: int
    meter: str
    why: str


class TableSnapshot(CitedEvent, frozen=True, tag="table-stands"):
    """The table as the lines so far make it, before the pack of ``round`` is committed to.

    ``pack`` is the line of the pack that the round before was dealt from, ``before`` the last line
    of this kind and shape, and ``shape`` what the program that wrote it keeps of a table.
    """

    round: int
    pack: int
    before: int
    shape: str
    table: dict[str, Any]


class LinkSnapshot(CitedEvent, frozen=True, tag="link-stands"):
    """Every meter of a link as the lines so far make it, in micros; ``waiting`` are the tables
    whose wins wait, each with its meter, the first one first."""

    meters: dict[str, int]
    waiting: tuple[tuple[str, str], ...] = ()


Kept = (
    TableInstalled | ShoeCommitted | CardsOpened | CommandRefused | LinkOpened | MeterMoved
    | DrawWaits | DrawDecided | TableSnapshot | LinkSnapshot | ev.AnyEvent
)  # fmt: skip
_DECODER: msgspec.json.Decoder[Kept] = msgspec.json.Decoder(Kept)
OF_THE_LEDGER = (TableInstalled, ShoeCommitted, CardsOpened, TableSnapshot)


def read_kept(body: str) -> Kept:
    """An event as it was stored; DecodeError where it is none."""
    return _DECODER.decode(body)


def write_kept(event: ev.Event) -> str:
    return msgspec.json.encode(event).decode()


def tag_of(event: msgspec.Struct | type[msgspec.Struct]) -> str:
    return str(event.__struct_config__.tag)
