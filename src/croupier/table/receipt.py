"""The receipt of a settled round: one line a wager, in the order it was settled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from croupier.facts.money import Cents, Micros, meter_dollars
from croupier.facts.odds import Odds
from croupier.games.round import FinishedRound


class Outcome(StrEnum):
    """How a wager ended. A forfeit is what a fold gives up; returned is a wager that was void."""

    WIN = "win"
    PUSH = "push"
    LOSE = "lose"
    FORFEIT = "forfeit"
    RETURNED = "returned"


@dataclass(frozen=True)
class MeterMove:
    """What an award did to a meter; ``reset_cents`` is what the house put back on it."""

    name: str
    before_micros: Micros
    after_micros: Micros
    reset_cents: Cents


@dataclass(frozen=True)
class ReceiptLine:
    """One wager's end: ``paid_cents`` is winnings without the stake, ``returned_cents`` the stake.

    ``shows`` is what decided it, ``holder`` the box whose hand gave an Envy bonus.
    """

    seat: int
    wager: str
    stake_cents: Cents
    outcome: Outcome
    clause: str
    odds: Odds | None = None
    paid_cents: Cents = Cents(0)
    returned_cents: Cents = Cents(0)
    shows: str = ""
    rulings: tuple[int, ...] = ()
    meter: MeterMove | None = None
    holder: int | None = None

    @property
    def net_cents(self) -> Cents:
        return Cents(self.paid_cents + self.returned_cents - self.stake_cents)


@dataclass(frozen=True)
class Receipt:
    """Every line in the order it was settled, and what stands on the meters afterwards."""

    round: FinishedRound
    lines: tuple[ReceiptLine, ...]
    meters: Mapping[str, Micros]

    def of(self, seat: int) -> tuple[ReceiptLine, ...]:
        return tuple(line for line in self.lines if line.seat == seat)

    def net_cents(self, seat: int) -> Cents:
        return Cents(sum(line.net_cents for line in self.of(seat)))


def as_document(receipt: Receipt) -> dict[str, Any]:
    """The receipt as ``croupier settle --json`` prints it; boxes in the order they were settled."""
    game = receipt.round.rules.game
    boxes = [
        {
            "seat": box.seat,
            "player": box.player,
            "hand": game.player(receipt.round, box).hand.aloud,
            "lines": [
                _line_document(line, order)
                for order, line in enumerate(receipt.lines, start=1)
                if line.seat == box.seat
            ],
            "net_cents": receipt.net_cents(box.seat),
        }
        for box in receipt.round.in_settling_order()
    ]
    meters = {name: meter_dollars(amount) for name, amount in receipt.meters.items()}
    return {
        "rulebook": receipt.round.rules.book.id,
        "dealer": game.dealer(receipt.round).aloud,
        "boxes": boxes,
        "meters": meters,
        "table_net_cents": -sum(receipt.net_cents(box.seat) for box in receipt.round.boxes),
    }


def _line_document(line: ReceiptLine, order: int) -> dict[str, Any]:
    document: dict[str, Any] = {
        "wager": line.wager,
        "stake_cents": line.stake_cents,
        "outcome": str(line.outcome),
        "odds": str(line.odds) if line.odds is not None else None,
        "paid_cents": line.paid_cents,
        "returned_cents": line.returned_cents,
        "clause": line.clause,
        "rulings": list(line.rulings),
        "shows": line.shows,
        "order": order,
    }
    if line.meter is not None:
        document["meter"] = {
            "name": line.meter.name,
            "before": meter_dollars(line.meter.before_micros),
            "after": meter_dollars(line.meter.after_micros),
        }
    if line.holder is not None:
        document["holder"] = line.holder
    return document
