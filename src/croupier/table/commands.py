"""Command types of a table and their JSON decoder; tags are permanent stored names.

Every command says who gives it, in which role, and when; cards drawn from the shoe and readings of
the meters come in with the command that needs them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

import msgspec

from croupier.facts.errors import Unreadable
from croupier.games.round import Reason

Role = Literal["player", "dealer", "floorperson", "manager", "device"]
Amount = Annotated[int, msgspec.Meta(ge=0, le=10**14)]
Small = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Words = Annotated[str, msgspec.Meta(max_length=100)]
WagerName = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
FEW = msgspec.Meta(max_length=20)
"""How many wagers a box, boxes a table and meters a link may have at the very most."""
CardName = Annotated[str, msgspec.Meta(max_length=4)]
"""A card, or its place in the pack."""
CardNames = Annotated[tuple[CardName, ...], msgspec.Meta(max_length=60)]
Cause = Literal[
    "cards-unreadable",
    "number-missing",
    "card-shown",
    "power-lost",
    "shuffle-ordered",
    "other-cause",
]
"""Why a round is void where no irregularity of the rulebook voids it; ``void`` says each."""
UNREADABLE: Cause = "cards-unreadable"
UNSHOWN: Cause = "number-missing"
Taken = Literal["cash", "chips", "voucher", "practice"]
"""What a player gives for electronic chips; at a practice table nothing real."""
AbsenceRuling = Literal["abandoned", "default", "back"]
DisputeOutcome = Literal["stands", "corrected", "void"]
MeterReadings = Annotated[dict[Name, Annotated[int, msgspec.Meta(ge=0, le=10**18)]], FEW]


BROUGHT: Mapping[str, object] = {
    "at_s": 0,
    "meters": {},
    "ahead": "",
    "here": False,
    "no_progressive": "",
    "seconds_left": 0,
}
"""What nobody says of a command but whoever serves the table; each as it is where nothing is."""


class Command(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="do"
):
    by: Name
    role: Role
    at_s: Annotated[int, msgspec.Meta(ge=0, le=10**11)] = 0


# Opening


class OpenTable(Command, frozen=True, tag="open-table"):
    """An electronic table opens: what concerns paper cards does not apply."""


class ReceiveDeck(Command, frozen=True, tag="receive-deck"):
    """A deck is brought to the table, to be opened, or preshuffled and only cut."""

    color: Name
    preshuffled: bool = False


class InspectDeck(Command, frozen=True, tag="inspect-deck"):
    """The dealer's word: all cards look alike, and so many cover cards are with them."""

    color: Name
    alike: bool
    cover_cards: Small


class VerifyInspection(Command, frozen=True, tag="verify-inspection"):
    """The floorperson's word on it, and whether a shoe stands where it was approved."""

    color: Name
    shoe_in_place: bool


class SpreadDeck(Command, frozen=True, tag="spread-deck"):
    """The deck is spread face up, by suit and rank, for the first player to see."""

    color: Name


class WashDeck(Command, frozen=True, tag="wash-deck"):
    """The deck is turned face down and mixed, once a player has seen it."""

    color: Name


class StackDeck(Command, frozen=True, tag="stack-deck"):
    """The washed cards are stacked, ready for the shuffle."""

    color: Name


class RemoveDeck(Command, frozen=True, tag="remove-deck"):
    """A deck leaves the table, to be changed for another."""

    color: Name


# Shuffle and cut


class Shuffle(Command, frozen=True, tag="shuffle"):
    """A stacked deck is shuffled; ``found`` is what a device that counts has counted."""

    color: Name
    by_device: bool = False
    found: Small | None = None


class OrderShuffle(Command, frozen=True, tag="order-shuffle"):
    """The floorperson wants a deck shuffled again before it is dealt, or the electronic shoe, which
    has no color; wagers that are down for it go back first."""

    color: Words = ""


class Cut(Command, frozen=True, tag="cut"):
    """The dealer puts the cover card so many cards from the top, and what lies above it below."""

    cards: Small


class OrderRecut(Command, frozen=True, tag="order-recut"):
    """The floorperson wants the cut done again, before the first card."""


class GoIdle(Command, frozen=True, tag="go-idle"):
    """Nobody plays: the cards are spread, face down unless a player asks to see them."""

    face_up: bool


# Seats and wagers


class TakeBox(Command, frozen=True, tag="take-box"):
    """A player sits down at a box."""

    box: Small


class LeaveBox(Command, frozen=True, tag="leave-box"):
    """A player gives a box up, when no wager of it is down."""

    box: Small


class BuyIn(Command, frozen=True, tag="buy-in"):
    """What was ``taken`` goes into the drop box, chips into the inventory, and as much in
    electronic chips to the box."""

    box: Small
    cents: Amount
    taken: Taken


class AskChips(Command, frozen=True, tag="ask-chips"):
    """A player asks the house for chips at his box."""

    box: Small
    cents: Amount


class DeclineChips(Command, frozen=True, tag="decline-chips"):
    """The house sells no chips for what was asked; a sale is the answer yes."""

    box: Small


class AcknowledgeChips(Command, frozen=True, tag="acknowledge-chips"):
    """A player has what was sold to him, or what he cashed out."""

    box: Small


class CashOut(Command, frozen=True, tag="cash-out"):
    """Electronic chips leave the box as a voucher; without an amount, all of them."""

    box: Small
    cents: Amount | None = None


class PayKept(Command, frozen=True, tag="pay-kept"):
    """Chips that are kept for a player who left go out as a voucher: to himself, or by two of the
    house for him."""

    player: Name


class FreeBox(Command, frozen=True, tag="free-box"):
    """The player of the box is gone: his boxes are free, and his chips are kept for him.

    ``here``: whether he is connected, as the service knows it.
    """

    box: Small
    here: bool = False


class CountDrop(Command, frozen=True, tag="count-drop"):
    """What was found in the drop box and in chips, by what was taken; the count begins anew."""

    found: Annotated[dict[Taken, Amount], FEW]


class Tip(Command, frozen=True, tag="tip"):
    """Electronic chips of the box for the dealers."""

    box: Small
    cents: Amount


class PlaceWagers(Command, frozen=True, tag="place-wagers"):
    """What shall lie on these wagers of the box, in cents; the others stay as they are.

    ``number_hash`` commits the player to a number of his for the shuffle, shown later;
    ``no_progressive`` is why no Progressive wager is taken now, as the service knows it.
    """

    box: Small
    stakes: Annotated[dict[WagerName, Amount], FEW]
    number_hash: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$", max_length=64)] = ""
    no_progressive: Words = ""


class ShowNumber(Command, frozen=True, tag="show-number"):
    """A player shows the number that he committed to with his first wager: 32 bytes, in hex."""

    box: Small
    number: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", max_length=64)]


class VoidUnshown(Command, frozen=True, tag="void-unshown"):
    """The time to show numbers is up, and one is missing: the round is void."""

    meters: MeterReadings = {}


class WithdrawWagers(Command, frozen=True, tag="withdraw-wagers"):
    """Take these wagers back; none named means all."""

    box: Small
    wagers: Annotated[tuple[WagerName, ...], FEW] = ()


class SayReady(Command, frozen=True, tag="say-ready"):
    """A player has wagered what he wants; the dealer need not wait for him."""

    box: Small


class AcceptProgressive(Command, frozen=True, tag="accept-progressive"):
    """The acceptor at the box has taken a Progressive wager, and its light is on."""

    box: Small


class NoMoreBets(Command, frozen=True, tag="no-more-bets"):
    """The betting is closed and the progressive system locked; the deal follows."""

    meters: MeterReadings = {}


class ReturnChip(Command, frozen=True, tag="return-chip"):
    """A Progressive chip the system never accepted goes back to its player."""

    box: Small


class CancelAcceptance(Command, frozen=True, tag="cancel-acceptance"):
    """A Progressive wager accepted without a chip is taken out of the system."""

    box: Small
    meters: MeterReadings = {}


# The round


class Deal(Command, frozen=True, tag="deal"):
    """The next step of the deal, with the cards drawn for it."""

    cards: CardNames = ()


class Check(Command, frozen=True, tag="check"):
    """The box does not play yet, and is asked again."""

    box: Small


class Play(Command, frozen=True, tag="play"):
    """The box makes its Play wager."""

    box: Small
    cents: Amount


class Fold(Command, frozen=True, tag="fold"):
    """The box gives its hand up."""

    box: Small


class TimeOut(Command, frozen=True, tag="time-out"):
    """The box did not answer in time: it is played by the disclosed default. ``seconds_left`` is
    what a clock still leaves it, as the service knows it."""

    box: Small
    seconds_left: Small = 0


class CountStub(Command, frozen=True, tag="count-stub"):
    """The dealer counts ``stub`` cards in the stub, ``on_table`` dealt, burnt and set aside, and
    says in ``hands`` which boxes held how many, 0 for the dealer: all of them, where a count in a
    round is wrong and no hand is."""

    stub: Small
    on_table: Small
    hands: Annotated[dict[Small, Small], FEW] = {}


class Reveal(Command, frozen=True, tag="reveal"):
    """The dealer turns the dealer's cards and announces the hand."""


class SettleBox(Command, frozen=True, tag="settle-box"):
    """Settle the next box; what stands on the meters now comes with it."""

    box: Small
    meters: MeterReadings = {}


class ValidateProgressive(Command, frozen=True, tag="validate-progressive"):
    """The floorperson validates a Progressive win: it is paid, then its Envy.

    ``ahead`` is another table whose win waits for the same meter and came first.
    """

    box: Small
    meters: MeterReadings = {}
    ahead: Words = ""


class ProposeRefusal(Command, frozen=True, tag="propose-refusal"):
    """The floorperson will not validate a Progressive win: the hand does not qualify, or the
    wager was not accepted."""

    box: Small
    reason: Reason


class ConfirmRefusal(Command, frozen=True, tag="confirm-refusal"):
    """A manager's word on a proposed refusal; one that is not upheld goes back to the floor."""

    box: Small
    upheld: bool
    meters: MeterReadings = {}


class RecordPaperwork(Command, frozen=True, tag="record-paperwork"):
    """The papers for an award paid elsewhere are done; the cards may go."""

    box: Small


class ClearCards(Command, frozen=True, tag="clear-cards"):
    """Everything is settled: the cards go to the discard rack, and the next round begins."""

    meters: MeterReadings = {}


# When things go wrong


class Declare(Command, frozen=True, tag="declare"):
    """An irregularity of the rulebook; ``cards`` are those found, ``exposed`` those seen."""

    name: Name
    cards: CardNames = ()
    exposed: CardNames = ()


class Confirm(Command, frozen=True, tag="confirm"):
    """The floorperson's word on what was declared, before any money moves."""

    upheld: bool
    meters: MeterReadings = {}


class CallFloor(Command, frozen=True, tag="call-floor"):
    """The dealer wants the floorperson at the table; the round goes on meanwhile."""

    reason: Words = ""


class AnswerCall(Command, frozen=True, tag="answer-call"):
    """The floorperson who was called is at the table."""


class VoidRound(Command, frozen=True, tag="void-round"):
    """A round that cannot go on is void: its cause by name, with words beside it."""

    cause: Cause
    reason: Words = ""
    meters: MeterReadings = {}


class LockTable(Command, frozen=True, tag="lock-table"):
    """A dispute: nothing moves at the table, and everything stays as it lies."""

    reason: Name


class UnlockTable(Command, frozen=True, tag="unlock-table"):
    """The dispute is resolved, or what there is to know of it is written down."""

    reason: Name


class Second(Command, frozen=True, tag="second"):
    """A second person's word on an act that somebody began and may not do alone.

    ``here``: whether the player it is about is connected, as the service knows it.
    """

    act: Name
    upheld: bool
    box: Small = 0
    here: bool = False


class OpenDispute(Command, frozen=True, tag="open-dispute"):
    """Somebody at the table does not agree with what a box got or gave in a round, the one on the
    table where none is named: with one of its wagers, or with all."""

    box: Small
    reason: Name
    wager: Words = ""
    round: Amount = 0


class EndDispute(Command, frozen=True, tag="end-dispute"):
    """The floorperson's word on a dispute: what was paid stands; ``cents`` are paid beside it, or
    taken back for the house; or the round is void, as another command has made it."""

    number: Amount
    outcome: DisputeOutcome
    note: Name
    cents: Amount = 0
    to: Literal["player", "house"] = "player"


class ReportAbsence(Command, frozen=True, tag="report-absence"):
    """The player of the box left the table during the round; ``here``: whether he is connected,
    as the service knows it."""

    box: Small
    here: bool = False


class RuleOnAbsence(Command, frozen=True, tag="rule-on-absence"):
    """The floorperson rules on a player who left, or is ``back``; without an outcome, as the
    submission says. ``here``: whether he is connected, as the service knows it."""

    box: Small
    outcome: AbsenceRuling | None = None
    here: bool = False


class ReportDevice(Command, frozen=True, tag="report-device"):
    """A device of the table is out of order."""

    device: Name


class CoverDevice(Command, frozen=True, tag="cover-device"):
    """A device out of order is covered, or marked with a sign."""

    device: Name
    how: Literal["covered", "signed"]


class RestoreDevice(Command, frozen=True, tag="restore-device"):
    """A device works again."""

    device: Name


class ChangeWay(Command, frozen=True, tag="change-way"):
    """Another way of dealing stands in for a broken device, or the filed one comes back."""

    way: Name


AnyCommand = (
    OpenTable | ReceiveDeck | InspectDeck | VerifyInspection | SpreadDeck | WashDeck | StackDeck
    | RemoveDeck | Shuffle | OrderShuffle | Cut | OrderRecut | GoIdle | TakeBox | LeaveBox
    | AskChips | DeclineChips | AcknowledgeChips
    | BuyIn | CashOut | Tip | PayKept | FreeBox | CountDrop | LockTable | UnlockTable | Second
    | PlaceWagers | SayReady | ShowNumber | VoidUnshown | WithdrawWagers | AcceptProgressive
    | NoMoreBets
    | ReturnChip
    | CancelAcceptance | Deal | Check | Play | Fold | TimeOut | CountStub | Reveal | SettleBox
    | ValidateProgressive | ProposeRefusal | ConfirmRefusal | RecordPaperwork | ClearCards
    | Declare | Confirm
    | CallFloor | AnswerCall | VoidRound | OpenDispute | EndDispute
    | ReportAbsence | RuleOnAbsence | ReportDevice | CoverDevice | RestoreDevice | ChangeWay
)  # fmt: skip
Begun = BuyIn | CashOut | PayKept | CountDrop | RuleOnAbsence | UnlockTable | EndDispute
"""What somebody may begin and a second person has to confirm."""
_DECODER: msgspec.json.Decoder[AnyCommand] = msgspec.json.Decoder(AnyCommand)
_KINDS: Mapping[object, type[Command]] = {
    kind.__struct_config__.tag: kind for kind in get_args(AnyCommand)
}


def read_command(text: bytes | str) -> Command:
    """Read a command from JSON; one that cannot be understood is Unreadable, never a refusal."""
    try:
        return _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise _no_command(error) from None


def command_of(said: Mapping[str, object]) -> Command:
    """The command that decoded JSON says; Unreadable as in :func:`read_command`.

    Read as the kind that it names: a union of all kinds is looked through anew each time.
    """
    tag = said.get("do")
    kind: Any = _KINDS.get(tag, AnyCommand) if isinstance(tag, str) else AnyCommand
    try:
        command: Command = msgspec.convert(said, kind)
        return command
    except (msgspec.ValidationError, RecursionError) as error:
        raise _no_command(error) from None


def wagers_named(command: Command) -> tuple[str, ...]:
    """The wagers that a command speaks of by name."""
    if isinstance(command, PlaceWagers):
        return tuple(command.stakes)
    if isinstance(command, OpenDispute):
        return (command.wager,) if command.wager else ()
    return command.wagers if isinstance(command, WithdrawWagers) else ()


def with_readings(command: Command, readings: Mapping[str, int]) -> Command:
    """A command that needs what stands on the meters, with it; any other as it is."""
    if "meters" not in command.__struct_fields__:
        return command
    return msgspec.structs.replace(command, meters=dict(readings))


def _no_command(error: Exception) -> Unreadable:
    return Unreadable(f"this is no command: {str(error)[:200]}")
