"""What one player heard and won at a practice table, gathered from its events."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from croupier.practice.announcements import overheard
from croupier.practice.regulars import YOU
from croupier.table.agenda import phase
from croupier.table.events import BoxTurned, CardsCleared, DealerRevealed, Event
from croupier.table.state import State
from croupier.table.views import LineView, Viewer, view


class RoundResult(msgspec.Struct, frozen=True):
    """One round of the evening, for the curve and the list."""

    round: int
    net_cents: int
    staked_cents: int
    hand: str
    dealer: str
    cards: tuple[str, ...]
    lines: tuple[LineView, ...]


class Evening:
    """``hands`` are those of this round that were turned, as they were called."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.hands: dict[str, str] = {}
        self.rounds: list[RoundResult] = []

    def hear(self, events: Sequence[Event], before: State, after: State) -> None:
        """What came of one command."""
        for event in events:
            said = overheard(event, before, YOU)
            self.heard += [said] if said else []
            if isinstance(event, DealerRevealed):
                self.hands["dealer"] = event.hand
            elif isinstance(event, BoxTurned):
                self.hands[str(event.box)] = event.hand
            elif isinstance(event, CardsCleared):
                self._note_round(before)
        if phase(before) == "betting" and phase(after) != "betting":
            self.hands = {}

    def _note_round(self, before: State) -> None:
        shown = view(before, Viewer(role="player", name=YOU))
        yours = next((box for box in shown.boxes if box.player == YOU), None)
        if yours is None or not yours.lines:
            return
        self.rounds.append(
            RoundResult(
                round=before.round.number,
                net_cents=yours.net_cents or 0,
                staked_cents=sum(line.stake_cents for line in yours.lines),
                hand=self.hands.get(str(yours.seat), ""),
                dealer=self.hands.get("dealer", ""),
                cards=yours.cards,
                lines=yours.lines,
            )
        )
