"""A round that one player played, read back from the ledger: his cards, each decision, the end.

What he was asked, what was open to him and what he chose come from the same lines that the table
was played by; what each choice was worth is counted afterwards, and may be missing until then.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from croupier.facts.cards import DECK
from croupier.ledger.rounds import KeptRound, RoundEvent
from croupier.practice import coach
from croupier.practice.lesson import LEAST_COST, position
from croupier.practice.offers import offered_actions
from croupier.practice.regulars import YOU
from croupier.table.events import BoxTurned, CardsCleared, Checked, DealerRevealed, Folded, Played
from croupier.table.state import Box
from croupier.table.views import BACK, LineView, Viewer, view

_CARDS = frozenset(map(str, DECK))


class PlayedDecision(msgspec.Struct, frozen=True):
    """``offered`` are the actions among which he chose; ``worths``, the best first, are those of
    the offered alone, and empty until somebody counts."""

    seen: coach.Position
    offered: tuple[str, ...]
    chosen: str
    ante_cents: int
    worths: tuple[coach.Worth, ...] = ()

    @property
    def is_counted(self) -> bool:
        return bool(self.worths) or len(self.offered) < 2

    @property
    def is_judged(self) -> bool:
        return any(worth.action == self.chosen for worth in self.worths)

    @property
    def best(self) -> str:
        return self.worths[0].action if self.worths else ""

    @property
    def cost_antes(self) -> float:
        values = {worth.action: worth.antes for worth in self.worths}
        best = max(values.values(), default=0.0)
        cost = best - values.get(self.chosen, best)
        return cost if cost > LEAST_COST else 0.0

    @property
    def cost_cents(self) -> float:
        return self.cost_antes * self.ante_cents


class PlayedRound(msgspec.Struct, frozen=True):
    """``hand`` and ``dealer_hand`` as they were called; ``dealer`` holds what was turned of it."""

    table: str
    rulebook: str
    round: int
    at_us: int
    net_cents: int
    staked_cents: int
    cards: tuple[str, ...]
    board: tuple[str, ...]
    dealer: tuple[str, ...]
    hand: str
    dealer_hand: str
    lines: tuple[LineView, ...]
    decisions: tuple[PlayedDecision, ...]

    @property
    def cost_cents(self) -> float:
        return sum(each.cost_cents for each in self.decisions)


def played_round(kept: KeptRound) -> PlayedRound | None:
    """The round as You played it; None where it is not over, or no box in it was Yours."""
    cleared = next((told for told in kept.told if isinstance(told.event, CardsCleared)), None)
    if cleared is None:
        return None
    shown = view(cleared.before, Viewer(role="player", name=YOU))
    yours = next((box for box in shown.boxes if box.player == YOU and box.lines), None)
    if yours is None:
        return None
    return PlayedRound(
        table=kept.installed.table,
        rulebook=kept.installed.rulebook,
        round=kept.number,
        at_us=cleared.line.at_us,
        net_cents=yours.net_cents or 0,
        staked_cents=sum(line.stake_cents for line in yours.lines),
        cards=_faces(yours.cards),
        board=_faces(shown.places.get("board", ())),
        dealer=_faces(shown.places.get("dealer", ())),
        hand=_called(kept, yours.seat),
        dealer_hand=_called(kept, None),
        lines=yours.lines,
        decisions=tuple(_decisions(kept)),
    )


def _decisions(kept: KeptRound) -> Iterator[PlayedDecision]:
    for told in kept.told:
        if not isinstance(told.event, Checked | Played | Folded):
            continue
        box = told.before.round.boxes[told.event.box]
        if box.player == YOU and not box.absent:
            decided = _decision(told, box)
            if set(decided.seen.own) <= _CARDS:  # without the key a hand that was folded is lost
                yield decided


def _decision(told: RoundEvent, box: Box) -> PlayedDecision:
    state = told.before
    ante = box.stakes[state.terms.play[1]]
    shown = view(state, Viewer(role="player", name=YOU))
    event = told.event
    if isinstance(event, Played):
        chosen = f"{event.cents // ante}x"
    else:
        chosen = "check" if isinstance(event, Checked) else "fold"
    offered = offered_actions(state, shown, box.seat)
    return PlayedDecision(position(state, box), offered, chosen, ante)


def _called(kept: KeptRound, seat: int | None) -> str:
    for event in (told.event for told in kept.told):
        if seat is None and isinstance(event, DealerRevealed):
            return event.hand
        if isinstance(event, BoxTurned) and event.box == seat:
            return event.hand
    return ""


def _faces(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name != BACK and name in _CARDS)
