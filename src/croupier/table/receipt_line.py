"""One line of a receipt as it is told: what a view, a record and a printed receipt say of a wager.

A struct has one parent, and an event's is the event; so :class:`.events.WagerSettled` has these
fields under the same names, and everybody else has them from here.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from croupier.table.events import WagerSettled

ShortText = Annotated[str, Meta(max_length=100)]
SeatNumber = Annotated[int, Meta(ge=1, le=1000)]
Stake = Annotated[int, Meta(ge=0, le=10**14)]
Line = TypeVar("Line", bound="SettledLine")


class SettledLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    wager: ShortText
    stake_cents: Stake
    outcome: Literal["win", "push", "lose", "forfeit", "returned"]
    odds: str | None = None
    paid_cents: int = 0
    returned_cents: Stake = 0
    clause: str = ""
    shows: str = ""


def line_as(kind: type[Line], event: WagerSettled) -> Line:
    """The line of an event, with as much of it as this kind tells."""
    return msgspec.convert(event, kind, from_attributes=True)
