"""What happened to chips that lie on no wager. Each tag is a stored name, and permanent."""

from __future__ import annotations

from croupier.table.commands import Taken
from croupier.table.event_base import CitedBoxEvent, CitedEvent


class ChipsBought(CitedBoxEvent, frozen=True, tag="chips-bought"):
    """Chips were sold; ``taken`` for them went into the drop box, chips into the inventory."""

    cents: int
    taken: Taken


class ChipsAsked(CitedBoxEvent, frozen=True, tag="chips-asked"):
    """A player asked the house for chips."""

    cents: int


class ChipsDeclined(CitedBoxEvent, frozen=True, tag="chips-declined"):
    """The house did not sell what was asked for."""

    by: str


class ChipsAcknowledged(CitedBoxEvent, frozen=True, tag="chips-acknowledged"):
    """A player has what was sold to him and paid out to him since he last said so."""

    bought_cents: int
    cashed_cents: int


class ChipsCashed(CitedBoxEvent, frozen=True, tag="chips-cashed"):
    """Chips left the box as a voucher."""

    cents: int


class ChipsKept(CitedBoxEvent, frozen=True, tag="chips-kept"):
    """Somebody left without his chips; they are kept for him."""

    player: str
    cents: int


class KeptReturned(CitedBoxEvent, frozen=True, tag="kept-returned"):
    """Somebody came back, and has the chips again that were kept for him."""

    player: str
    cents: int


class KeptPaid(CitedEvent, frozen=True, tag="kept-paid"):
    """Chips that were kept for somebody went out as a voucher."""

    player: str
    cents: int


class DropCounted(CitedEvent, frozen=True, tag="drop-counted"):
    """What was ``found`` for chips sold since the last count, beside what is ``due`` by the
    ledger."""

    found: dict[Taken, int]
    due: dict[Taken, int]
    by: str


class TipGiven(CitedBoxEvent, frozen=True, tag="tip-given"):
    """Chips for the dealers."""

    cents: int


class ShortfallPaid(CitedBoxEvent, frozen=True, tag="shortfall-paid"):
    """The end of a dispute: so much was paid beside what the round had paid."""

    number: int
    cents: int


class OverpaymentTaken(CitedBoxEvent, frozen=True, tag="overpayment-taken"):
    """The end of a dispute: so much of what the round had paid went back."""

    number: int
    cents: int
