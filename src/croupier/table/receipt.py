"""The receipt of a settled round: one line a wager, in the order it was settled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from croupier.facts.money import Cents, Micros, meter_dollars
from croupier.games.round import FinishedRound
from croupier.table.events import WagerSettled

# What is printed of every line; a meter and a holder where they stand in it.
PRINTED = (
    *("wager", "stake_cents", "outcome", "odds", "paid_cents", "returned_cents"),
    *("clause", "rulings", "shows"),
)


@dataclass(frozen=True)
class Receipt:
    """Every line in the order it was settled, and what stands on the meters afterwards."""

    round: FinishedRound
    lines: tuple[WagerSettled, ...]
    meters: Mapping[str, Micros]

    def of(self, seat: int) -> tuple[WagerSettled, ...]:
        return tuple(line for line in self.lines if line.box == seat)

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
                if line.box == box.seat
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


def _line_document(line: WagerSettled, order: int) -> dict[str, Any]:
    document: dict[str, Any] = {name: getattr(line, name) for name in PRINTED}
    document |= {"rulings": list(line.rulings), "order": order}
    if line.meter is not None:
        document["meter"] = {
            "name": line.meter,
            "before": meter_dollars(Micros(line.meter_before_micros)),
            "after": meter_dollars(Micros(line.meter_after_micros)),
        }
    if line.holder is not None:
        document["holder"] = line.holder
    return document
