"""The coach beside one player: each question put to him, his answer, and what it cost.

A coach may count in a process of its own and be slower than the player: whatever comes last, the
count or the answer, closes the question, and nothing answered quickly goes unjudged.
"""

from __future__ import annotations

import msgspec

from croupier.practice import coach
from croupier.practice.explanation import Explanation
from croupier.practice.offers import offered_actions
from croupier.table.agenda import asked_box, phase
from croupier.table.state import Box, State
from croupier.table.views import BACK, Viewer, view

LEAST_COST = 1e-9  # what is less comes from writing fractions as decimals


class Advice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the coach says of one decision; ``chosen`` once it is made. ``only`` is the one action
    that was offered, where there is nothing to choose and so nothing to judge."""

    street: str
    only: str = ""
    worths: tuple[coach.Worth, ...] = ()
    chosen: str = ""
    cost_antes: float = 0.0
    cost_cents: float = 0.0
    ready: bool = False
    why: Explanation | None = None


class Question(msgspec.Struct):
    """``offered`` are the actions among which the player chooses; no other is held against him."""

    round: int
    answered: int
    seen: coach.Position
    offered: tuple[str, ...]
    ante_cents: int
    worths: tuple[coach.Worth, ...] = ()
    chosen: str = ""
    why: Explanation | None = None

    @property
    def only(self) -> str:
        return self.offered[0] if len(self.offered) == 1 else ""

    @property
    def cost_antes(self) -> float:
        values = {worth.action: worth.antes for worth in self.worths}
        best = max(values.values(), default=0.0)
        return best - values.get(self.chosen, best)

    def advice(self) -> Advice:
        cost = self.cost_antes
        return Advice(
            self.seen.street,
            self.only,
            self.worths,
            self.chosen,
            cost_antes=cost,
            cost_cents=cost * self.ante_cents,
            ready=bool(self.worths or self.only),
            why=self.why,
        )

    @property
    def gap_antes(self) -> float:
        """By how much the best choice is better than the next."""
        return self.worths[0].antes - self.worths[1].antes if len(self.worths) > 1 else 0.0


class Lesson:
    """The questions of an evening; whoever counts for the coach brings the count back."""

    def __init__(self) -> None:
        self.mistakes_cents = 0.0
        self._last: Question | None = None
        self._round: list[Question] = []

    @property
    def advice(self) -> Advice | None:
        return self._last.advice() if self._last is not None else None

    def turn_the_page(self) -> None:
        """A new round, or no coach any more: nothing is said of the question before."""
        self._last = None
        self._round = []

    @property
    def mattered(self) -> str:
        """One line about the decision of the round that mattered: what cost most, or where the
        best choice was better than the next by most."""
        judged = [each for each in self._round if each.worths and each.chosen]
        if not judged:
            return ""
        asked = max(judged, key=lambda each: (each.cost_antes, each.gap_antes))
        said = f"What mattered, {asked.seen.street}:"
        if asked.cost_antes > LEAST_COST:
            cost = f"{asked.cost_antes:.3f} Antes"
            return f"{said} {asked.worths[0].action} was best, your {asked.chosen} costs {cost}."
        more = f"by {asked.gap_antes:.3f} Antes"
        return f"{said} {asked.chosen} was the best choice, {more}."

    def look(self, state: State, player: str) -> Question | None:
        """Note the answer to the last question; the one that is asked now, if it is to be counted
        and was not seen before."""
        last = self._last
        if last is not None and not last.chosen:
            last.chosen = _chosen(state, last, player)
            self._judge(last)
        box = asked_box(state) if phase(state) == "acting" else None
        if box is None or box.player != player:
            return None
        asked = state.round.number, box.answered
        if last is not None and asked == (last.round, last.answered):
            return None
        ante_cents = box.stakes[state.terms.play[1]]
        shown = view(state, Viewer(role="player", name=player))
        offered = offered_actions(state, shown, box.seat)
        self._last = Question(*asked, position(state, box), offered, ante_cents)
        self._round.append(self._last)
        return None if self._last.only else self._last

    def hear(self, question: Question, worths: tuple[coach.Worth, ...]) -> None:
        """The coach's count, which may come after the answer."""
        question.worths = tuple(worth for worth in worths if worth.action in question.offered)
        self._judge(question)

    def _judge(self, question: Question) -> None:
        if question.worths and question.chosen:
            self.mistakes_cents += question.cost_antes * question.ante_cents


def position(state: State, box: Box) -> coach.Position:
    """What the player sees when he is asked, and nothing else."""
    shown = view(state, Viewer(role="player", name=box.player))
    own = next(other.cards for other in shown.boxes if other.seat == box.seat)
    board = tuple(name for name in shown.places.get("board", ()) if name != BACK)
    up = [name for name in shown.places.get("dealer", ()) if name != BACK]
    street = state.book.streets[box.answered].name
    return coach.Position(street, own, board, up[0] if up and not board else "")


def _chosen(state: State, question: Question, player: str) -> str:
    """What the player answered; nothing while he is still asked."""
    played = state.round if state.round.number == question.round else state.last
    boxes = played.boxes.values() if played is not None else ()
    box = next((box for box in boxes if box.player == player), None)
    if box is None or (box.answered == question.answered and not box.folded):
        return ""
    play = state.book.played_on(state.book.streets[question.answered]).name
    if play in box.stakes:
        return f"{box.stakes[play] // question.ante_cents}x"
    return "fold" if box.folded else "check"
