"""What happened to chips that lie on no wager. Each tag is a stored name, and permanent."""

from __future__ import annotations

from croupier.table.commands import Taken
from croupier.table.event_base import BoxEvent, Event


class ChipsBought(BoxEvent, frozen=True, tag="chips-bought"):
    """Chips were sold; ``taken`` for them went into the drop box, chips into the inventory."""

    cents: int
    taken: Taken


class ChipsAsked(BoxEvent, frozen=True, tag="chips-asked"):
    """A player asked the house for chips."""

    cents: int


class ChipsDeclined(BoxEvent, frozen=True, tag="chips-declined"):
    """The house did not sell what was asked for."""

    by: str


class ChipsAcknowledged(BoxEvent, frozen=True, tag="chips-acknowledged"):
    """A player has what was sold to him and paid out to him since he last said so."""

    bought_cents: int
    cashed_cents: int


class ChipsCashed(BoxEvent, frozen=True, tag="chips-cashed"):
    """Chips left the box as a voucher."""

    cents: int


class ChipsKept(BoxEvent, frozen=True, tag="chips-kept"):
    """Somebody left without his chips; they are kept for him."""

    player: str
    cents: int


class KeptReturned(BoxEvent, frozen=True, tag="kept-returned"):
    """Somebody came back, and has the chips again that were kept for him."""

    player: str
    cents: int


class KeptPaid(Event, frozen=True, tag="kept-paid"):
    """Chips that were kept for somebody went out as a voucher."""

    player: str
    cents: int


class DropCounted(Event, frozen=True, tag="drop-counted"):
    """What was ``found`` for chips sold since the last count, beside what is ``due`` by the
    ledger."""

    found: dict[Taken, int]
    due: dict[Taken, int]
    by: str


class TipGiven(BoxEvent, frozen=True, tag="tip-given"):
    """Chips for the dealers."""

    cents: int


class ShortfallPaid(BoxEvent, frozen=True, tag="shortfall-paid"):
    """The end of a dispute: so much was paid beside what the round had paid."""

    number: int
    cents: int


class OverpaymentTaken(BoxEvent, frozen=True, tag="overpayment-taken"):
    """The end of a dispute: so much of what the round had paid went back."""

    number: int
    cents: int
