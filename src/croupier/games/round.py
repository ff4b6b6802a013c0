"""A finished round as it lay on the table: cards, boxes, stakes and meters under bound Rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from croupier.facts.cards import Card
from croupier.facts.money import Cents, Micros
from croupier.games.rules import PROGRESSIVE, Rules

Reason = Literal["hand", "wager"]
"""Why a Progressive win was refused: the hand does not qualify, or the wager was not accepted."""
REASONS: tuple[Reason, ...] = get_args(Reason)
Refused = Literal["", Reason]


@dataclass(frozen=True)
class FinishedBox:
    """One betting position: its cards and what was staked on each wager.

    ``refused`` is what a floorperson proposed and a manager confirmed about its Progressive win;
    one of which nothing is said was validated.
    """

    seat: int
    cards: tuple[Card, ...]
    stakes: Mapping[str, Cents]
    player: str | None = None
    refused: Refused = ""

    def has(self, wager: str) -> bool:
        return wager in self.stakes

    def has_accepted(self, wager: str) -> bool:
        """Whether the wager lies there, and was not found later to have never been accepted."""
        return self.has(wager) and not (wager == PROGRESSIVE and self.refused == "wager")

    def belongs_with(self, other: FinishedBox) -> bool:
        """Whether one player sits at both boxes."""
        return self.seat == other.seat or (self.player is not None and self.player == other.player)


@dataclass(frozen=True)
class FinishedRound:
    """``cards`` are those that lie outside the boxes, by place; ``meters`` include this round."""

    rules: Rules
    cards: Mapping[str, tuple[Card, ...]]
    boxes: tuple[FinishedBox, ...]
    meters: Mapping[str, Micros] = field(default_factory=dict)

    def at(self, place: str) -> tuple[Card, ...]:
        return self.cards.get(place, ())

    def folded(self, box: FinishedBox) -> bool:
        """A box folds when it holds the wager that asks for a decision and made none."""
        return any(
            wager.decides is not None and box.has(wager.decides) and not box.has(wager.name)
            for wager in self.rules.book.wagers
        )

    def in_settling_order(self) -> tuple[FinishedBox, ...]:
        from_right = self.rules.book.contest.order.settled_from == "right"
        return tuple(sorted(self.boxes, key=lambda box: box.seat, reverse=from_right))
