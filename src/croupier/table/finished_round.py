"""A round at the table as the settlement sees it, and the receipt the table has written for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from croupier.facts.cards import DECK, Card
from croupier.facts.money import Cents, Micros
from croupier.facts.odds import Odds, odds
from croupier.games.round import FinishedBox as FinishedBox
from croupier.games.round import FinishedRound as FinishedRound
from croupier.table.events import WagerSettled
from croupier.table.receipt import MeterMove, Outcome, Receipt, ReceiptLine
from croupier.table.state import Box, Round
from croupier.table.terms import Terms

_BY_NAME = {str(card): card for card in DECK}
_NO_PART = ("burn",)


def finished_round(terms: Terms, round: Round, meters: Mapping[str, Micros]) -> FinishedRound:
    """Every box but the abandoned ones: those lose all, and hold no hand (ruling 34)."""
    boxes = [box for box in round.boxes.values() if box.absent != "abandoned"]
    places = {place: real(cards) for place, cards in round.places.items() if place not in _NO_PART}
    return FinishedRound(terms.rules, places, tuple(map(finished_box, boxes)), dict(meters))


def finished_box(box: Box) -> FinishedBox:
    return FinishedBox(box.seat, real(box.cards), box.stakes, box.player, box.refused)


def receipt(terms: Terms, round: Round, meters: Mapping[str, Micros]) -> Receipt:
    """What the table settled, line by line; ``meters`` as they stood before the first box."""
    after = dict(meters)
    for line in round.lines:
        if line.meter is not None:
            after[line.meter] = Micros(line.meter_after_micros)
    lines = tuple(as_line(line) for line in round.lines)
    return Receipt(finished_round(terms, round, meters), lines, after)


def are_known(names: Iterable[str]) -> bool:
    """Whether these are cards, and not places in a pack that nobody here can open."""
    return all(name in _BY_NAME for name in names)


def real(names: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple(_BY_NAME[name] for name in names)


def as_event(line: ReceiptLine) -> WagerSettled:
    """A line of a receipt as it is kept."""
    move = line.meter
    return WagerSettled(
        clauses=(line.clause,),
        rulings=line.rulings,
        box=line.seat,
        wager=line.wager,
        stake_cents=line.stake_cents,
        outcome=str(line.outcome),
        odds=str(line.odds) if line.odds is not None else None,
        paid_cents=line.paid_cents,
        returned_cents=line.returned_cents,
        shows=line.shows,
        meter=move.name if move else None,
        meter_before_micros=move.before_micros if move else 0,
        meter_after_micros=move.after_micros if move else 0,
        reset_cents=move.reset_cents if move else 0,
        holder=line.holder,
    )


def as_line(event: WagerSettled) -> ReceiptLine:
    """The line of the receipt again; :func:`as_event` read back."""
    move = None
    if event.meter is not None:
        move = MeterMove(
            event.meter,
            Micros(event.meter_before_micros),
            Micros(event.meter_after_micros),
            Cents(event.reset_cents),
        )
    read: Odds | None = odds(event.odds) if event.odds is not None else None
    return ReceiptLine(
        seat=event.box,
        wager=event.wager,
        stake_cents=Cents(event.stake_cents),
        outcome=Outcome(event.outcome),
        clause=event.clauses[0],
        odds=read,
        paid_cents=Cents(event.paid_cents),
        returned_cents=Cents(event.returned_cents),
        shows=event.shows,
        rulings=event.rulings,
        meter=move,
        holder=event.holder,
    )
