"""Event types of a table: one struct each, tagged by its permanent stored name.

Events are the truth and a state is their fold; each carries the clauses it stands on.
"""

from __future__ import annotations

import msgspec

from croupier.games.round import Reason
from croupier.table.chip_events import (
    ChipsAcknowledged as ChipsAcknowledged,
)
from croupier.table.chip_events import (
    ChipsAsked as ChipsAsked,
)
from croupier.table.chip_events import (
    ChipsBought as ChipsBought,
)
from croupier.table.chip_events import (
    ChipsCashed as ChipsCashed,
)
from croupier.table.chip_events import (
    ChipsDeclined as ChipsDeclined,
)
from croupier.table.chip_events import (
    ChipsKept as ChipsKept,
)
from croupier.table.chip_events import (
    DropCounted as DropCounted,
)
from croupier.table.chip_events import (
    KeptPaid as KeptPaid,
)
from croupier.table.chip_events import (
    KeptReturned as KeptReturned,
)
from croupier.table.chip_events import (
    OverpaymentTaken as OverpaymentTaken,
)
from croupier.table.chip_events import (
    ShortfallPaid as ShortfallPaid,
)
from croupier.table.chip_events import (
    TipGiven as TipGiven,
)
from croupier.table.commands import Begun, DisputeOutcome, Role
from croupier.table.event_base import BoxEvent as BoxEvent
from croupier.table.event_base import CitedBoxEvent, CitedEvent, DeckEvent
from croupier.table.event_base import Event as Event
from croupier.table.powers import Power
from croupier.table.receipt_line import Outcome as Outcome
from croupier.table.receipt_line import SettledLine


class Lie(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cards laid at one place; ``box`` is 0 for the places outside the boxes."""

    place: str
    cards: tuple[str, ...]
    box: int = 0


# Opening


class TableOpened(CitedEvent, frozen=True, tag="table-opened"):
    """Opened with an electronic shoe; the clauses are those that do not apply to it."""


class DeckReceived(DeckEvent, frozen=True, tag="deck-received"):
    """A deck came to the table, and its hours of use began."""

    preshuffled: bool


class DeckInspected(DeckEvent, frozen=True, tag="deck-inspected"):
    """The dealer found the cards alike, and their cover cards complete."""

    cover_cards: int


class InspectionVerified(DeckEvent, frozen=True, tag="inspection-verified"):
    """A floorperson verified the inspection; with ``shoe_in_place`` also that the shoe of the
    table stands where it was approved."""

    by: str
    shoe_in_place: bool


class DeckSpread(DeckEvent, frozen=True, tag="deck-spread"):
    """The deck lies face up, by suit and in sequence."""


class DeckWashed(DeckEvent, frozen=True, tag="deck-washed"):
    """The deck was turned face down and mixed."""


class DeckStacked(DeckEvent, frozen=True, tag="deck-stacked"):
    """The deck lies in a stack, to be shuffled."""


class DeckRemoved(DeckEvent, frozen=True, tag="deck-removed"):
    """A deck left the table."""

    why: str


# Shuffle and cut


class DeckShuffled(DeckEvent, frozen=True, tag="deck-shuffled"):
    """The deck was shuffled; one shuffled by hand must be cut."""

    by_device: bool
    needs_cut: bool
    found: int | None = None


class ShuffleOrdered(DeckEvent, frozen=True, tag="shuffle-ordered"):
    """A deck that lay ready is to be shuffled again."""


class DeckCut(DeckEvent, frozen=True, tag="deck-cut"):
    """The deck was cut, and lies ready."""

    cards: int


class RecutOrdered(DeckEvent, frozen=True, tag="recut-ordered"):
    """The deck is to be cut again."""

    by: str


class TableIdle(CitedEvent, frozen=True, tag="table-idle"):
    """Nobody plays, and the cards lie spread."""

    face_up: bool


# Seats and wagers


class BoxTaken(CitedBoxEvent, frozen=True, tag="box-taken"):
    """A player sat down."""

    player: str


class BoxLeft(CitedBoxEvent, frozen=True, tag="box-left"):
    """A player gave a box up."""


class WagerPlaced(CitedBoxEvent, frozen=True, tag="wager-placed"):
    """A wager was laid: ``cents`` lie there now, where ``before_cents`` lay before."""

    wager: str
    cents: int
    before_cents: int = 0


class NumberCommitted(CitedBoxEvent, frozen=True, tag="number-committed"):
    """A player committed himself to a number for the shuffle; the hash of it, in hex."""

    number_hash: str


class NumberShown(CitedBoxEvent, frozen=True, tag="number-shown"):
    """The number that a player had committed himself to, in hex."""

    number: str


class NumberMissing(CitedBoxEvent, frozen=True, tag="number-missing"):
    """A player did not show his number in time."""

    player: str


class WagerWithdrawn(CitedBoxEvent, frozen=True, tag="wager-withdrawn"):
    """A wager went back to its player while the betting was open."""

    wager: str
    cents: int


class ReadySaid(CitedBoxEvent, frozen=True, tag="ready-said"):
    """A player has wagered what he wants; it holds until he changes a wager."""


class ProgressiveAccepted(CitedBoxEvent, frozen=True, tag="progressive-accepted"):
    """The system accepted a Progressive wager, and the light of the box is on."""


class BetsClosed(CitedEvent, frozen=True, tag="bets-closed"):
    """No more bets: who is in the round, and how and from what it is dealt."""

    round: int
    way: str
    boxes: tuple[int, ...]
    color: str = ""
    device: str = ""


class MeterGrew(CitedEvent, frozen=True, tag="meter-grew"):
    """The accepted wagers of the round were added to a meter."""

    meter: str
    by_micros: int
    reading_micros: int


class ChipReturned(CitedBoxEvent, frozen=True, tag="chip-returned"):
    """A Progressive chip without an acceptance went back."""

    cents: int


class AcceptanceCancelled(CitedBoxEvent, frozen=True, tag="acceptance-cancelled"):
    """An acceptance without a chip was taken out of the system."""


class ProgressiveCollected(CitedEvent, frozen=True, tag="progressive-collected"):
    """Chips and acceptances matched, and the chips went into the inventory."""

    boxes: tuple[int, ...]


# The round


class CardsDealt(CitedEvent, frozen=True, tag="cards-dealt"):
    """A step of the deal: which cards lie where, face up or down."""

    step: int
    lies: tuple[Lie, ...]
    face_up: bool = False


class CardsTurned(CitedEvent, frozen=True, tag="cards-turned"):
    """Cards that lay face down were turned up, as a step of the deal."""

    step: int
    place: str
    cards: tuple[str, ...]


class Checked(CitedBoxEvent, frozen=True, tag="checked"):
    """A box checked, by itself or by default."""

    street: str
    defaulted: bool = False


class Played(CitedBoxEvent, frozen=True, tag="played"):
    """A box made its Play wager."""

    street: str
    wager: str
    cents: int


class Folded(CitedBoxEvent, frozen=True, tag="folded"):
    """A box folded; ``keeps_cards``: some wager is still open, and the cards lie under it."""

    street: str
    keeps_cards: bool
    defaulted: bool = False


class WagerForfeited(CitedBoxEvent, frozen=True, tag="wager-forfeited"):
    """A fold gave this wager up."""

    wager: str
    cents: int


class StubCounted(CitedEvent, frozen=True, tag="stub-counted"):
    """The stub was counted; ``right``: every card is where it should be; ``hands`` are the boxes
    that held another number of cards than they were dealt, 0 for the dealer."""

    stub: int
    on_table: int
    right: bool
    color: str = ""
    hands: dict[int, int] = msgspec.field(default_factory=dict)


class DealerRevealed(CitedEvent, frozen=True, tag="dealer-revealed"):
    """The dealer turned the dealer's cards and announced the hand."""

    cards: tuple[str, ...]
    hand: str


class PlaceTurned(CitedEvent, frozen=True, tag="place-turned"):
    """Cards that only side wagers look at, turned when settlement begins."""

    place: str
    cards: tuple[str, ...]


class BoxTurned(CitedBoxEvent, frozen=True, tag="box-turned"):
    """The cards of a box were turned and its hand announced."""

    cards: tuple[str, ...]
    hand: str


class WagerSettled(
    SettledLine, BoxEvent, frozen=True, kw_only=True, tag="wager-settled", omit_defaults=False
):
    """One line of the receipt."""

    at_s: int = 0

    @property
    def clauses(self) -> tuple[str, ...]:
        return (self.clause,)


class BoxSettled(CitedBoxEvent, frozen=True, tag="box-settled"):
    """Every wager of a box is settled."""

    net_cents: int


class ProgressiveWon(CitedBoxEvent, frozen=True, tag="progressive-won"):
    """Verified, and everything waits for a floorperson; ``cents`` is what it would be paid now."""

    stake_cents: int
    cents: int
    odds: str
    shows: str
    meter: str | None = None
    reading_micros: int = 0


class ProgressiveValidated(CitedBoxEvent, frozen=True, tag="progressive-validated"):
    """A floorperson validated a Progressive win; its line and its Envy follow."""

    by: str


class RefusalProposed(CitedBoxEvent, frozen=True, tag="refusal-proposed"):
    """A floorperson will not validate: ``hand`` or ``wager`` says why. A manager has the word."""

    reason: Reason
    by: str


class RefusalSentBack(CitedBoxEvent, frozen=True, tag="refusal-sent-back"):
    """The manager does not refuse the win; it waits for a floorperson again."""

    by: str


class ProgressiveRefused(CitedBoxEvent, frozen=True, tag="progressive-refused"):
    """A manager confirmed a refusal: nothing is drawn from a meter."""

    reason: Reason
    by: str
    proposed_by: str


class PaperworkRecorded(CitedBoxEvent, frozen=True, tag="paperwork-recorded"):
    """The papers for an award paid elsewhere are done."""

    by: str


class CardsCleared(CitedEvent, frozen=True, tag="cards-cleared"):
    """The round is over."""

    round: int
    next_color: str = ""


# When things go wrong


class IrregularityDeclared(CitedEvent, frozen=True, tag="irregularity-declared"):
    """Something went wrong; with money at stake everything waits for the floorperson."""

    name: str
    effect: str
    waits: bool
    by: str
    role: Role
    reason: str = ""
    cards: tuple[str, ...] = ()
    exposed: tuple[str, ...] = ()


class IrregularityConfirmed(CitedEvent, frozen=True, tag="irregularity-confirmed"):
    """The floorperson upheld what was declared."""

    name: str
    by: str


class IrregularityDismissed(CitedEvent, frozen=True, tag="irregularity-dismissed"):
    """The floorperson found nothing wrong; it is as if nothing had been declared."""

    name: str
    by: str


class FloorCalled(CitedEvent, frozen=True, tag="floor-called"):
    """The dealer called the floorperson; the call stands until it is answered."""

    by: str
    reason: str = ""


class FloorAnswered(CitedEvent, frozen=True, tag="floor-answered"):
    """The floorperson came."""

    by: str


class RoundVoided(CitedEvent, frozen=True, tag="round-voided"):
    """Nothing of the round counts: ``name`` is the irregularity of the rulebook or the cause that
    voids it, ``reason`` what was said beside it."""

    name: str
    reason: str = ""


class RoundSalvaged(CitedEvent, frozen=True, tag="round-salvaged"):
    """Only some wagers are still settled, and the rest goes back."""

    name: str
    still_settles: tuple[str, ...]


class LineReversed(CitedBoxEvent, frozen=True, tag="line-reversed"):
    """A settled line taken back, as its own line; ``outside``: where it had been paid from."""

    wager: str
    stake_cents: int
    cents: int
    meter: str | None = None
    reading_micros: int = 0
    reset_cents: int = 0
    swept: bool = True
    outside: bool = False


class WagerReturned(CitedBoxEvent, frozen=True, tag="wager-returned"):
    """A wager went back; ``from_house``: it had been given up and lay in the inventory."""

    wager: str
    cents: int
    from_house: bool = False


class MeterShrank(CitedEvent, frozen=True, tag="meter-shrank"):
    """Growth of a returned wager was taken out; at the reset the house bears the rest."""

    meter: str
    by_micros: int
    borne_micros: int
    reading_micros: int


class SecondAsked(CitedBoxEvent, frozen=True, tag="second-asked"):
    """Somebody ``began`` an act that a second person has to confirm; box 0 where it is of none."""

    act: Power
    cents: int
    began: Begun


class SecondDenied(CitedBoxEvent, frozen=True, tag="second-denied"):
    """The second person did not confirm it."""

    act: str
    by: str


class PowerUsed(CitedBoxEvent, frozen=True, tag="power-used"):
    """What came of the command was an act of the policy: by whom, and who seconded it, nobody where
    it was one alone."""

    act: str
    by: str
    second: str = ""
    cents: int = 0


class TableLocked(CitedEvent, frozen=True, tag="table-locked"):
    """A dispute: nothing moves until the table is unlocked."""

    reason: str
    by: str


class TableUnlocked(CitedEvent, frozen=True, tag="table-unlocked"):
    """Play goes on where it stood."""

    reason: str
    by: str


class DisputeOpened(CitedBoxEvent, frozen=True, tag="dispute-opened"):
    """A case with a number: who opened it, of which round and player, and of which wager, if of
    one."""

    number: int
    round: int
    player: str
    by: str
    reason: str
    wager: str = ""


class DisputeEnded(CitedBoxEvent, frozen=True, tag="dispute-ended"):
    """The floorperson's word on it, in writing."""

    number: int
    outcome: DisputeOutcome
    note: str
    by: str


class PlayerLeft(CitedBoxEvent, frozen=True, tag="player-left"):
    """The player of a box walked off during the round."""


class AbsenceRuled(CitedBoxEvent, frozen=True, tag="absence-ruled"):
    """The floorperson ruled on a box whose player left."""

    outcome: str
    by: str


class DeviceFailed(CitedEvent, frozen=True, tag="device-failed"):
    """A device is out of order."""

    device: str


class DeviceCovered(CitedEvent, frozen=True, tag="device-covered"):
    """A device out of order was covered or signed."""

    device: str
    how: str


class DeviceRestored(CitedEvent, frozen=True, tag="device-restored"):
    """A device works again."""

    device: str


class WayChanged(CitedEvent, frozen=True, tag="way-changed"):
    """The table is dealt another way; wagers that need the old one are suspended."""

    way: str
    suspended: tuple[str, ...] = ()


ChipEvent = (
    ChipsBought | ChipsCashed | ChipsKept | KeptReturned | TipGiven | ShortfallPaid
    | OverpaymentTaken
)  # fmt: skip
"""Chips that come to a box or leave it, not by a wager."""

AnyEvent = (
    TableOpened | DeckReceived | DeckInspected | InspectionVerified | DeckSpread | DeckWashed
    | DeckStacked | DeckRemoved | DeckShuffled | ShuffleOrdered | DeckCut | RecutOrdered
    | TableIdle | BoxTaken | BoxLeft | ChipsBought | ChipsCashed | ChipsKept
    | KeptReturned | KeptPaid | DropCounted | TipGiven | WagerPlaced
    | NumberCommitted | NumberShown | NumberMissing
    | WagerWithdrawn | ReadySaid | ProgressiveAccepted | BetsClosed | MeterGrew | ChipReturned
    | AcceptanceCancelled | ProgressiveCollected | CardsDealt | CardsTurned | Checked | Played
    | Folded | WagerForfeited | StubCounted | DealerRevealed | PlaceTurned | BoxTurned
    | WagerSettled | BoxSettled | ProgressiveWon | ProgressiveValidated | RefusalProposed
    | RefusalSentBack | ProgressiveRefused | PaperworkRecorded | CardsCleared
    | IrregularityDeclared | IrregularityConfirmed | IrregularityDismissed | FloorCalled
    | FloorAnswered | RoundVoided | RoundSalvaged | LineReversed | WagerReturned | MeterShrank
    | SecondAsked | SecondDenied | PowerUsed | TableLocked | TableUnlocked
    | DisputeOpened | ShortfallPaid | OverpaymentTaken | DisputeEnded
    | ChipsAsked | ChipsDeclined | ChipsAcknowledged
    | PlayerLeft | AbsenceRuled | DeviceFailed | DeviceCovered | DeviceRestored | WayChanged
)  # fmt: skip
_DECODER: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)

EndsOrder = ShuffleOrdered | DeckRemoved | TableIdle | WayChanged


def ends_order(event: Event, color: str) -> bool:
    """Whether this deck is to be shuffled again, or is there no more; an electronic shoe has no
    color, and shuffles again on order alone."""
    if isinstance(event, ShuffleOrdered | DeckRemoved):
        return event.color == color
    return isinstance(event, TableIdle | WayChanged) and color != ""


def write_event(event: Event) -> bytes:
    return msgspec.json.encode(event)


def read_event(text: bytes) -> Event:
    return _DECODER.decode(text)
