"""Records read back: a line of JSON, the Rules it names, and the finished round that it tells.

The rules never look at a card that stays face down, so whoever was not shown one may put any other
card in its place, and the round settles alike.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from croupier.audit.records import schema as rec
from croupier.facts.cards import DECK, Card, card
from croupier.facts.errors import Unreadable, quoted
from croupier.facts.money import Cents, Micros
from croupier.games.registry import Registry
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import ProgressiveTerms, Rules, bind

BOX = "box"
NO_PART = ("burn", "set aside")
_DECODER: msgspec.json.Decoder[rec.AnyRecord] = msgspec.json.Decoder(rec.AnyRecord)


class _Version(msgspec.Struct, frozen=True):
    format: str


def read_record(line: str | bytes) -> rec.AnyRecord:
    """One line of a file of records; Unreadable says what is wrong with it."""
    try:
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        _refuse_other_version(line)
        raise Unreadable(f"this is no round record: {str(error)[:200]}") from None


def _refuse_other_version(line: str | bytes) -> None:
    """A record of a version that does not exist yet is told as that, whatever else it holds."""
    try:
        found = msgspec.json.decode(line, type=_Version).format
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return
    if found != rec.FORMAT:
        raise Unreadable(f"this is a record of {quoted(found)}; {rec.FORMAT} is what is read")


def write_record(record: rec.AnyRecord) -> bytes:
    return msgspec.json.encode(record)


# Rules


def terms_of_rules(rules: Rules) -> rec.TermsRecord:
    terms = rules.progressive
    return rec.TermsRecord(
        paytables=dict(rules.letters),
        payout_limit_cents=rules.payout_limit_cents,
        progressive=None
        if terms is None
        else rec.ProgressiveRecord(
            stake_cents=terms.stake_cents,
            hand=terms.hand,
            holder_must_wager=terms.holder_must_wager,
            resets_cents=dict(terms.resets),
        ),
    )


def rules_of(record: rec.RoundRecord, registry: Registry) -> Rules:
    """The Rules a record names; Unreadable or Refusal where there are no such Rules."""
    book, said = registry.book(record.rulebook), record.terms.progressive
    limit = record.terms.payout_limit_cents
    return bind(
        registry.game_of(book),
        book,
        record.terms.paytables,
        progressive=None
        if said is None
        else ProgressiveTerms(
            stake_cents=Cents(said.stake_cents),
            hand=said.hand,
            holder_must_wager=said.holder_must_wager,
            resets=tuple((name, Cents(cents)) for name, cents in said.resets_cents.items()),
        ),
        payout_limit_cents=None if limit is None else Cents(limit),
    )


# Rounds


def round_of(
    record: rec.RoundRecord, registry: Registry, rules: Rules | None = None
) -> FinishedRound:
    """The finished round, as ``croupier settle`` takes it; an abandoned box has no part in it.

    Without ``rules`` it was played by those the record names.
    """
    lying = _lying(record)
    boxes = tuple(
        FinishedBox(
            seat=box.seat,
            cards=lying.get((BOX, box.seat), ()),
            stakes={wager.wager: Cents(wager.cents) for wager in box.wagers},
            player=box.player or None,
            refused=box.refused,
        )
        for box in record.boxes
        if box.absent != "abandoned"
    )
    places = {place: cards for (place, _), cards in lying.items() if place not in (BOX, *NO_PART)}
    meters = {meter.name: Micros(meter.at_settlement_micros) for meter in record.meters}
    return FinishedRound(rules or rules_of(record, registry), places, boxes, meters)


def _lying(record: rec.RoundRecord) -> dict[tuple[str, int], tuple[Card, ...]]:
    lying: dict[tuple[str, int], tuple[Card, ...]] = {}
    for dealt in record.cards:
        where = (dealt.place, dealt.box)
        lying[where] = (*lying.get(where, ()), card(dealt.card))
    named = {known for cards in lying.values() for known in cards}
    free = (other for other in DECK if other not in named)
    for hidden in record.hidden:
        where = (hidden.place, hidden.box)
        lying[where] = (*lying.get(where, ()), *_some(free, hidden.count))
    return lying


def _some(free: Iterator[Card], count: int) -> Iterator[Card]:
    for _ in range(count):
        known = next(free, None)
        if known is None:
            raise Unreadable("the record counts more cards than a deck holds")
        yield known


def record_of(round: FinishedRound) -> rec.RoundRecord:
    """A finished round that somebody wrote down, as a record; what was paid it does not say."""
    dealt = [(place, 0, cards) for place, cards in round.cards.items()]
    dealt += [(BOX, box.seat, box.cards) for box in round.boxes]
    return rec.RoundRecord(
        format=rec.FORMAT,
        rulebook=round.rules.book.id,
        terms=terms_of_rules(round.rules),
        status="complete",
        boxes=tuple(_written_box(box) for box in round.boxes),
        cards=tuple(
            rec.DealtCardRecord(card=str(known), place=place, box=seat)
            for place, seat, cards in dealt
            for known in cards
        ),
        meters=tuple(
            rec.MeterRecord(name=name, at_settlement_micros=micros)
            for name, micros in round.meters.items()
        ),
    )


def _written_box(box: FinishedBox) -> rec.BoxRecord:
    return rec.BoxRecord(
        seat=box.seat,
        player=box.player or "",
        wagers=tuple(
            rec.WagerRecord(wager=name, cents=cents) for name, cents in box.stakes.items()
        ),
        refused=box.refused,
        wagered_cents=sum(box.stakes.values()),
    )
