"""What happened at a table. Each event's tag is its stored name, and permanent.

Events are the truth and a state is their fold; each carries the clauses it stands on.
"""

from __future__ import annotations

import msgspec


class Event(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="event", forbid_unknown_fields=True
):
    clauses: tuple[str, ...]
    rulings: tuple[int, ...] = ()


class Lie(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cards laid at one place; ``box`` is 0 for the places outside the boxes."""

    place: str
    cards: tuple[str, ...]
    box: int = 0


# Opening


class TableOpened(Event, frozen=True, tag="table-opened"):
    """Opened with an electronic shoe; the clauses are those that do not apply to it."""


class DeckReceived(Event, frozen=True, tag="deck-received"):
    color: str
    preshuffled: bool
    at_s: int


class DeckInspected(Event, frozen=True, tag="deck-inspected"):
    color: str
    cover_cards: int


class InspectionVerified(Event, frozen=True, tag="inspection-verified"):
    color: str
    by: str


class DeckSpread(Event, frozen=True, tag="deck-spread"):
    color: str


class DeckWashed(Event, frozen=True, tag="deck-washed"):
    color: str


class DeckStacked(Event, frozen=True, tag="deck-stacked"):
    color: str


class DeckRemoved(Event, frozen=True, tag="deck-removed"):
    color: str
    why: str


# Shuffle and cut


class DeckShuffled(Event, frozen=True, tag="deck-shuffled"):
    color: str
    by_device: bool
    needs_cut: bool
    found: int | None = None


class ShuffleOrdered(Event, frozen=True, tag="shuffle-ordered"):
    color: str


class DeckCut(Event, frozen=True, tag="deck-cut"):
    color: str
    cards: int


class RecutOrdered(Event, frozen=True, tag="recut-ordered"):
    color: str
    by: str


class TableIdle(Event, frozen=True, tag="table-idle"):
    face_up: bool


# Seats and wagers


class BoxTaken(Event, frozen=True, tag="box-taken"):
    box: int
    player: str


class BoxLeft(Event, frozen=True, tag="box-left"):
    box: int


class WagerPlaced(Event, frozen=True, tag="wager-placed"):
    """``cents`` lie there now, where ``before_cents`` lay before."""

    box: int
    wager: str
    cents: int
    before_cents: int = 0


class WagerWithdrawn(Event, frozen=True, tag="wager-withdrawn"):
    box: int
    wager: str
    cents: int


class ProgressiveAccepted(Event, frozen=True, tag="progressive-accepted"):
    box: int


class BetsClosed(Event, frozen=True, tag="bets-closed"):
    round: int
    way: str
    boxes: tuple[int, ...]
    color: str = ""


class MeterGrew(Event, frozen=True, tag="meter-grew"):
    meter: str
    by_micros: int
    reading_micros: int


class ChipReturned(Event, frozen=True, tag="chip-returned"):
    box: int
    cents: int


class AcceptanceCancelled(Event, frozen=True, tag="acceptance-cancelled"):
    box: int


class ProgressiveCollected(Event, frozen=True, tag="progressive-collected"):
    boxes: tuple[int, ...]


# The round


class CardsDealt(Event, frozen=True, tag="cards-dealt"):
    step: int
    lies: tuple[Lie, ...]
    face_up: bool = False


class CardsTurned(Event, frozen=True, tag="cards-turned"):
    step: int
    place: str
    cards: tuple[str, ...]


class Checked(Event, frozen=True, tag="checked"):
    box: int
    street: str
    defaulted: bool = False


class Played(Event, frozen=True, tag="played"):
    box: int
    street: str
    wager: str
    cents: int


class Folded(Event, frozen=True, tag="folded"):
    """``keeps_cards``: some wager of the box is still open, and its cards lie under it."""

    box: int
    street: str
    keeps_cards: bool
    defaulted: bool = False


class WagerForfeited(Event, frozen=True, tag="wager-forfeited"):
    box: int
    wager: str
    cents: int


class StubCounted(Event, frozen=True, tag="stub-counted"):
    stub: int
    on_table: int
    right: bool


class DealerRevealed(Event, frozen=True, tag="dealer-revealed"):
    cards: tuple[str, ...]
    hand: str


class PlaceTurned(Event, frozen=True, tag="place-turned"):
    """Cards that only side wagers look at, turned when settlement begins."""

    place: str
    cards: tuple[str, ...]


class BoxTurned(Event, frozen=True, tag="box-turned"):
    box: int
    cards: tuple[str, ...]
    hand: str


class WagerSettled(Event, frozen=True, tag="wager-settled"):
    """One line of the receipt. ``pending``: won, and waiting for the floorperson."""

    box: int
    wager: str
    stake_cents: int
    outcome: str
    odds: str | None = None
    paid_cents: int = 0
    returned_cents: int = 0
    shows: str = ""
    pending: bool = False
    meter: str | None = None
    meter_before_micros: int = 0
    meter_after_micros: int = 0
    reset_cents: int = 0
    holder: int | None = None


class BoxSettled(Event, frozen=True, tag="box-settled"):
    box: int
    net_cents: int


class ProgressivePaid(Event, frozen=True, tag="progressive-paid"):
    box: int
    cents: int
    from_table: bool
    by: str


class ProgressiveRefused(Event, frozen=True, tag="progressive-refused"):
    """The award goes back on its meter, less what the house had put there to reset it."""

    box: int
    cents: int
    by: str
    meter: str | None = None
    reset_cents: int = 0
    reading_micros: int = 0


class PaperworkRecorded(Event, frozen=True, tag="paperwork-recorded"):
    box: int
    by: str


class CardsCleared(Event, frozen=True, tag="cards-cleared"):
    round: int
    next_color: str = ""


# When things go wrong


class IrregularityDeclared(Event, frozen=True, tag="irregularity-declared"):
    name: str
    effect: str
    waits: bool
    cards: tuple[str, ...] = ()
    exposed: tuple[str, ...] = ()


class IrregularityConfirmed(Event, frozen=True, tag="irregularity-confirmed"):
    name: str
    by: str


class IrregularityDismissed(Event, frozen=True, tag="irregularity-dismissed"):
    name: str
    by: str


class RoundVoided(Event, frozen=True, tag="round-voided"):
    name: str


class RoundSalvaged(Event, frozen=True, tag="round-salvaged"):
    name: str
    still_settles: tuple[str, ...]


class LineReversed(Event, frozen=True, tag="line-reversed"):
    """A settled line taken back, as its own line; ``was_paid``: the player had the money."""

    box: int
    wager: str
    stake_cents: int
    cents: int
    was_paid: bool
    meter: str | None = None
    reading_micros: int = 0
    reset_cents: int = 0
    swept: bool = True


class WagerReturned(Event, frozen=True, tag="wager-returned"):
    """``from_house``: the wager had been given up and lies in the table inventory."""

    box: int
    wager: str
    cents: int
    from_house: bool = False


class MeterShrank(Event, frozen=True, tag="meter-shrank"):
    """Growth of a returned wager; a meter at its reset keeps it, and the house bears the rest."""

    meter: str
    by_micros: int
    borne_micros: int
    reading_micros: int


class PlayerLeft(Event, frozen=True, tag="player-left"):
    box: int


class AbsenceRuled(Event, frozen=True, tag="absence-ruled"):
    box: int
    outcome: str
    by: str


class DeviceFailed(Event, frozen=True, tag="device-failed"):
    device: str


class DeviceCovered(Event, frozen=True, tag="device-covered"):
    device: str
    how: str


class DeviceRestored(Event, frozen=True, tag="device-restored"):
    device: str


class WayChanged(Event, frozen=True, tag="way-changed"):
    way: str
    suspended: tuple[str, ...] = ()


AnyEvent = (
    TableOpened | DeckReceived | DeckInspected | InspectionVerified | DeckSpread | DeckWashed
    | DeckStacked | DeckRemoved | DeckShuffled | ShuffleOrdered | DeckCut | RecutOrdered
    | TableIdle | BoxTaken | BoxLeft | WagerPlaced | WagerWithdrawn | ProgressiveAccepted
    | BetsClosed | MeterGrew | ChipReturned | AcceptanceCancelled | ProgressiveCollected
    | CardsDealt | CardsTurned | Checked | Played | Folded | WagerForfeited | StubCounted
    | DealerRevealed | PlaceTurned | BoxTurned | WagerSettled | BoxSettled | ProgressivePaid
    | ProgressiveRefused | PaperworkRecorded | CardsCleared | IrregularityDeclared
    | IrregularityConfirmed | IrregularityDismissed | RoundVoided | RoundSalvaged | LineReversed
    | WagerReturned | MeterShrank | PlayerLeft | AbsenceRuled | DeviceFailed | DeviceCovered
    | DeviceRestored | WayChanged
)  # fmt: skip
_DECODER: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


def write_event(event: Event) -> bytes:
    return msgspec.json.encode(event)


def read_event(text: bytes) -> Event:
    return _DECODER.decode(text)
