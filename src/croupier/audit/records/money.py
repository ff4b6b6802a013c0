"""The money of a round for its record: lines, returns, meters, chips and what each box got."""

from __future__ import annotations

from typing import TypedDict

import msgspec

from croupier.audit.records import schema as rec
from croupier.facts.money import MICROS_A_CENT
from croupier.games.rules import PROGRESSIVE
from croupier.ledger.link import meter_movements
from croupier.ledger.rounds import KeptRound, RoundEvent
from croupier.table import events as ev
from croupier.table.double_entry import entries
from croupier.table.receipt_line import line_as

CHIPS: dict[type[ev.Event], rec.ChipMove] = {
    ev.ChipsBought: "buy-in",
    ev.ChipsCashed: "cash-out",
    ev.ChipsKept: "kept",
    ev.KeptReturned: "given-back",
    ev.TipGiven: "tip",
    ev.ShortfallPaid: "shortfall",
    ev.OverpaymentTaken: "overpayment",
}
OWN = ("purse", "outside")
READ = (ev.MeterGrew, ev.MeterShrank, ev.LineReversed)
replace = msgspec.structs.replace


class BoxMoney(TypedDict):
    chips_before_cents: int | None
    chips_after_cents: int | None
    wagered_cents: int
    won_cents: int


def box_money(kept: KeptRound, seat: int, first: RoundEvent | None, wagered_cents: int) -> BoxMoney:
    """Funds before the first wager that stands and at the end, and all that came back.

    Wagers may be taken back while bets are open and chips come and go in between, even with another
    player; ``first`` is the event that laid the oldest wager still there. What lay beside it then
    and went back later belongs to the funds.
    """
    accounts = {f"{kind} {seat}" for kind in OWN}
    net = sum(
        micros
        for told in kept.told
        if type(told.event) not in CHIPS
        for account, micros in entries(told.event)
        if account in accounts
    )
    before = first.before if first is not None else kept.before
    down = before.round.boxes.get(seat) if first is not None else None
    lying = sum(down.stakes.values()) if down is not None else 0
    keeps = before.terms.keeps_chips
    return BoxMoney(
        chips_before_cents=before.chips.get(seat, 0) + lying if keeps else None,
        chips_after_cents=kept.after.chips.get(seat, 0) if keeps else None,
        wagered_cents=wagered_cents,
        won_cents=net // MICROS_A_CENT + wagered_cents,
    )


def lines(kept: KeptRound) -> tuple[rec.LineRecord, ...]:
    """Every line as it was settled, with what became of it afterwards."""
    settled: list[rec.LineRecord] = []
    word: ev.ProgressiveValidated | ev.ProgressiveRefused | None = None
    for told in kept.told:
        event = told.event
        if isinstance(event, ev.ProgressiveValidated | ev.ProgressiveRefused):
            word = event
        elif isinstance(event, ev.WagerSettled):
            line = line_record(event, told.line.at_us)
            if word is not None and (event.box, event.wager) == (word.box, PROGRESSIVE):
                line, word = _validated(line, word), None
            settled.append(line)
        elif isinstance(event, ev.LineReversed):
            at = _last(settled, event.box, wager=event.wager, reversed=False)
            settled[at] = replace(settled[at], reversed=True)
    return tuple(settled)


def _validated(
    line: rec.LineRecord, word: ev.ProgressiveValidated | ev.ProgressiveRefused
) -> rec.LineRecord:
    """A Progressive win with what the floorperson said of it, or two people against it."""
    if isinstance(word, ev.ProgressiveValidated):
        return replace(line, validation="paid", validated_by=word.by)
    return replace(line, validation="refused", validated_by=word.by, refusal_by=word.proposed_by)


def _last(settled: list[rec.LineRecord], box: int, **wanted: object) -> int:
    """The newest line of a box that is so."""
    return max(
        at
        for at, line in enumerate(settled)
        if line.box == box and all(getattr(line, name) == so for name, so in wanted.items())
    )


def line_record(event: ev.WagerSettled, at_us: int = 0) -> rec.LineRecord:
    """A line of a receipt as a record has it, which says in ``shows`` what the hands are called."""
    return replace(line_as(rec.LineRecord, event), at_us=at_us, hand="", dealer_hand="")


def returns(kept: KeptRound) -> tuple[rec.ReturnRecord, ...]:
    return tuple(
        rec.ReturnRecord(
            box=told.event.box,
            wager=told.event.wager,
            cents=told.event.cents,
            clause=told.event.clauses[0],
            at_us=told.line.at_us,
            from_house=told.event.from_house,
        )
        for told in kept.told
        if isinstance(told.event, ev.WagerReturned)
    )


def chip_moves(kept: KeptRound) -> tuple[rec.ChipMoveRecord, ...]:
    return tuple(
        rec.ChipMoveRecord(
            box=told.event.box,
            kind=CHIPS[type(told.event)],
            taken=getattr(told.event, "taken", ""),
            cents=told.event.cents,
            at_us=told.line.at_us,
            by=told.line.actor,
        )
        for told in kept.told
        if isinstance(told.event, ev.ChipEvent)
    )


def meters(kept: KeptRound) -> tuple[rec.MeterRecord, ...]:
    """Each meter whose reading this round knew."""
    found = (_meter(kept, name) for name in kept.before.terms.meters)
    return tuple(meter for meter in found if meter is not None)


def _meter(kept: KeptRound, name: str) -> rec.MeterRecord | None:
    before: int | None = kept.before.meters.get(name)
    reading, at_settlement, began = before, None, None
    grew = shrank = 0
    moved = False
    for told in kept.told:
        by = dict(meter_movements(told.event)).get(name, 0)
        after = _reading(told.event, name)
        if isinstance(told.event, ev.WagerSettled) and began is None:
            began = reading
        if after is None:
            continue
        if not moved:
            before, moved = after - by, True
        if isinstance(told.event, ev.WagerSettled) and at_settlement is None:
            at_settlement = after - by
        grew += by if isinstance(told.event, ev.MeterGrew) else 0
        shrank -= by if isinstance(told.event, ev.MeterShrank) else 0
        reading = after
    if before is None or reading is None:
        return None
    if at_settlement is None:
        at_settlement = before + grew - shrank if began is None else began
    return rec.MeterRecord(
        name=name,
        at_settlement_micros=at_settlement,
        before_micros=before,
        after_micros=reading,
        grew_micros=grew,
        shrank_micros=shrank,
    )


def _reading(event: ev.Event, name: str) -> int | None:
    """What stands on the meter after an event that is about it."""
    if isinstance(event, ev.WagerSettled):
        return event.meter_after_micros if event.meter == name else None
    if isinstance(event, READ):
        return event.reading_micros if event.meter == name else None
    return None
