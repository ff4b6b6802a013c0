"""One line of a receipt: the struct that event, view, record and printed receipt share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

ShortText = Annotated[str, Meta(max_length=100)]
SeatNumber = Annotated[int, Meta(ge=1, le=1000)]
Stake = Annotated[int, Meta(ge=0, le=10**14)]
Line = TypeVar("Line", bound="SettledLine")


class Outcome(StrEnum):
    """How a wager ended. A forfeit is what a fold gives up; returned is a wager that was void."""

    WIN = "win"
    PUSH = "push"
    LOSE = "lose"
    FORFEIT = "forfeit"
    RETURNED = "returned"


class SettledLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """``paid_cents`` is winnings without the stake, ``returned_cents`` the stake. ``shows`` is what
    decided it; where two hands did, ``hand`` and ``dealer_hand`` are these as they are called, with
    the card that decides between two called alike. ``holder`` is the box whose hand gave an Envy
    bonus; ``outside``: paid, but not from the table inventory. Where an award moved a ``meter``,
    ``reset_cents`` is what the house put back on it.
    """

    box: SeatNumber
    wager: ShortText
    stake_cents: Stake
    outcome: Outcome
    odds: str | None = None
    paid_cents: int = 0
    returned_cents: Stake = 0
    clause: str = ""
    rulings: tuple[int, ...] = ()
    shows: str = ""
    hand: str = ""
    dealer_hand: str = ""
    outside: bool = False
    meter: ShortText | None = None
    meter_before_micros: int = 0
    meter_after_micros: int = 0
    reset_cents: Stake = 0
    holder: SeatNumber | None = None

    @property
    def net_cents(self) -> int:
        return self.paid_cents + self.returned_cents - self.stake_cents


def line_as(kind: type[Line], line: SettledLine) -> Line:
    """The same line as another kind of it."""
    return msgspec.convert(line, kind, from_attributes=True)
