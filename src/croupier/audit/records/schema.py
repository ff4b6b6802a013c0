"""The shapes of round records, version 1. Every name here is stored, and permanent.

A field that may be left out has a default, and is left out where it has that value. Money is whole
cents and meters are micros, millionths of a dollar; times are microseconds since 1970, UTC, and 0
where nobody knows. docs/round-records.md tells each field.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from croupier.table.receipt_line import SeatNumber, SettledLine, ShortText, Stake

FORMAT: Literal["croupier-record-1"] = "croupier-record-1"

Count = Annotated[int, Meta(ge=0, le=10_000)]
Time = Annotated[int, Meta(ge=0, le=2**62)]
CardCode = Annotated[
    str, Meta(pattern="^([2-9TJQKA][cdhs])$", description="rank and suit, like Ah")
]
Status = Literal["complete", "void", "in progress"]


class Shape(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    gc=False,
):
    """No record refers to itself, so the garbage collector need not look at millions of them."""


# What a round was played by


class ProgressiveRecord(Shape, frozen=True):
    """``hand`` is the reading a submission chose; ``resets_cents`` is by meter."""

    stake_cents: Stake
    hand: str | None = None
    holder_must_wager: bool = False
    resets_cents: dict[str, Stake] = {}


class TermsRecord(Shape, frozen=True):
    """All of a submission that decides what a finished round pays; ``paytables`` by wager."""

    paytables: dict[str, str]
    payout_limit_cents: Stake | None = None
    progressive: ProgressiveRecord | None = None


# What lay on the felt


class WagerRecord(Shape, frozen=True):
    """``at_us`` is when it came to lie there as it was."""

    wager: ShortText
    cents: Stake
    at_us: Time = 0


class DecisionRecord(Shape, frozen=True):
    """``defaulted``: the disclosed default answered for a player who did not."""

    street: ShortText
    action: Literal["check", "play", "fold"]
    wager: ShortText = ""
    cents: Stake = 0
    at_us: Time = 0
    by: ShortText = ""
    defaulted: bool = False


class BoxRecord(Shape, frozen=True):
    """``won_cents`` is all that came back, stakes too, so that won less wagered is the net.

    ``refused`` is why its Progressive win was not validated: the hand does not qualify, or the
    wager was not accepted. ``cancelled``: a Progressive wager was accepted without a chip, so that
    what it had put on the meters was taken out again before the deal.
    """

    seat: SeatNumber
    player: ShortText = ""
    wagers: tuple[WagerRecord, ...] = ()
    decisions: tuple[DecisionRecord, ...] = ()
    absent: Literal["", "left", "default", "abandoned"] = ""
    refused: Literal["", "hand", "wager"] = ""
    contributed_micros: dict[str, int] = {}
    cancelled: bool = False
    chips_before_cents: int | None = None
    chips_after_cents: int | None = None
    wagered_cents: Stake = 0
    won_cents: int = 0


class DealtCardRecord(Shape, frozen=True):
    """``place`` is ``box`` or a place of the rulebook, or ``set aside``; cards stand in the order
    they were dealt. ``pack`` counts from 0, the top.
    """

    card: CardCode
    place: ShortText
    box: Count = 0
    pack: Count | None = None
    at_us: Time = 0
    face_up: bool = False
    turned_at_us: Time = 0


class HiddenRecord(Shape, frozen=True):
    """Cards that lay here and that this record must not name."""

    place: ShortText
    count: Count
    box: Count = 0


# What was paid


class LineRecord(SettledLine, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """One line of the receipt, in the order they were settled; the words of ``croupier settle``.

    ``validation`` is about a Progressive win, ``refusal_by`` who proposed to refuse it, before
    ``validated_by`` confirmed; ``outside``: paid, but not from the table inventory. ``reversed``:
    taken back when the round became void, or Envy whose receiver's wager was not accepted.
    """

    at_us: Time = 0
    validation: Literal["", "paid", "refused"] = ""
    validated_by: ShortText = ""
    refusal_by: ShortText = ""
    reversed: bool = False


class ReturnRecord(Shape, frozen=True):
    """A wager that went back because its round was void; ``from_house``: a fold had given it up."""

    box: SeatNumber
    wager: ShortText
    cents: Stake
    clause: str = ""
    at_us: Time = 0
    from_house: bool = False


class MeterRecord(Shape, frozen=True):
    """What this round did to a meter, and what stood there when settlement began."""

    name: ShortText
    at_settlement_micros: int
    before_micros: int | None = None
    after_micros: int | None = None
    grew_micros: int = 0
    shrank_micros: int = 0


ChipMove = Literal[
    "buy-in", "cash-out", "tip", "kept", "given-back", "shortfall", "overpayment"
]  # fmt: skip
COMES: tuple[ChipMove, ...] = ("buy-in", "given-back", "shortfall")


class ChipMoveRecord(Shape, frozen=True):
    """Chips that came to a box or left it between the wagers; ``taken`` for those that were sold.

    What somebody leaves behind is ``kept`` for him, and ``given-back`` when he comes again; a
    ``shortfall`` was paid, or an ``overpayment`` taken back, at the end of a dispute.
    """

    box: SeatNumber
    kind: ChipMove
    cents: Stake
    taken: Literal["", "cash", "chips", "voucher", "practice"] = ""
    at_us: Time = 0
    by: ShortText = ""


# What went wrong, and who did what


class IrregularityRecord(Shape, frozen=True):
    name: ShortText
    clause: str = ""
    effect: str = ""
    cards: tuple[CardCode, ...] = ()
    exposed: tuple[CardCode, ...] = ()
    at_us: Time = 0
    by: ShortText = ""
    ruling: Literal["", "waiting", "upheld", "dismissed"] = ""
    ruled_by: ShortText = ""
    ruled_at_us: Time = 0


class VoidRecord(Shape, frozen=True):
    """Why a round is void: an irregularity by its name, or ``system`` and a reason."""

    name: ShortText
    reason: str = ""
    clause: str = ""
    at_us: Time = 0


class AskedRecord(Shape, frozen=True):
    """A command that was given, and the line of the ledger where its answer begins."""

    do: ShortText
    by: ShortText
    role: ShortText
    at_us: Time = 0
    id: str = ""
    line: Annotated[int, Meta(ge=0)] = 0


class ShoeRecord(Shape, frozen=True):
    """The commitment that the round was dealt from."""

    root: str
    at_us: Time = 0
    line: Annotated[int, Meta(ge=0)] = 0


class DeckRecord(Shape, frozen=True):
    """A deck of cards on the table: ``found`` is what was counted for this round, by a device that
    shuffled it or by the dealer since the last; ``fresh``: no deck of an earlier round was left
    when it came. A round dealt from a sealed commitment has none but at a training table.
    """

    opened_at_us: Time
    color: ShortText = ""
    found: Count | None = None
    fresh: bool = False


class StubCountRecord(Shape, frozen=True):
    """The stub counted in this round, and the cards that lay on the table beside it."""

    stub: Count
    on_table: Count
    at_us: Time = 0


# The lines of a file


class TableRecord(Shape, frozen=True, tag_field="record", tag="table"):
    """A table that the following rounds were played at, with the text of its submission."""

    format: Literal["croupier-record-1"]
    table: ShortText
    rulebook: ShortText
    submission: str
    submission_hash: str
    rules_hash: str = ""
    ledger: str = ""
    link: str = ""
    practice: bool = False
    training: bool = False
    at_us: Time = 0


class RoundRecord(Shape, frozen=True, tag_field="record", tag="round"):
    """One round, with everything that settling it again takes."""

    format: Literal["croupier-record-1"]
    rulebook: ShortText
    terms: TermsRecord
    status: Status
    round: Annotated[int, Meta(ge=0)] = 0
    ledger: str = ""
    table: ShortText = ""
    submission_hash: str = ""
    rules_hash: str = ""
    practice: bool = False
    training: bool = False
    way: ShortText = ""
    began_at_us: Time = 0
    closed_at_us: Time = 0
    ended_at_us: Time = 0
    first_line: Annotated[int, Meta(ge=0)] = 0
    last_line: Annotated[int, Meta(ge=0)] = 0
    shoe: ShoeRecord | None = None
    deck: DeckRecord | None = None
    stub_count: StubCountRecord | None = None
    boxes: tuple[BoxRecord, ...] = ()
    cards: tuple[DealtCardRecord, ...] = ()
    hidden: tuple[HiddenRecord, ...] = ()
    lines: tuple[LineRecord, ...] = ()
    returns: tuple[ReturnRecord, ...] = ()
    still_settles: tuple[ShortText, ...] = ()
    meters: tuple[MeterRecord, ...] = ()
    chips: tuple[ChipMoveRecord, ...] = ()
    irregularities: tuple[IrregularityRecord, ...] = ()
    void: VoidRecord | None = None
    commands: tuple[AskedRecord, ...] = ()


AnyRecord = TableRecord | RoundRecord


def schema() -> bytes:
    """The JSON Schema of one line, as ``schema.json`` beside this module has it."""
    described = msgspec.json.schema(AnyRecord)
    titled = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of Croupier's round records, version 1",
        **described,
    }
    return msgspec.json.format(msgspec.json.encode(titled)) + b"\n"
