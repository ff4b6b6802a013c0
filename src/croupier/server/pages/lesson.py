"""The coach beside one player: each question put to him, his answer, and what it cost.

The coach counts in a process of its own and may be slower than the player: whatever comes last, the
count or the answer, closes the question, and nothing answered quickly goes unjudged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.practice import coach
from croupier.practice.offers import offered_actions
from croupier.table.agenda import asked_box, phase
from croupier.table.state import Box, State
from croupier.table.views import BACK, Viewer, view


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


class Question(msgspec.Struct):
    """``offered`` are the actions among which the player chooses; no other is held against him."""

    round: int
    answered: int
    seen: coach.Position
    offered: tuple[str, ...]
    ante_cents: int
    worths: tuple[coach.Worth, ...] = ()
    chosen: str = ""

    @property
    def only(self) -> str:
        return self.offered[0] if len(self.offered) == 1 else ""

    def hear(self, worths: tuple[coach.Worth, ...]) -> None:
        self.worths = tuple(worth for worth in worths if worth.action in self.offered)

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
        )


class Lesson:
    """``count`` is the coach at work, ``ring`` tells the page that he has spoken."""

    def __init__(
        self,
        count: Callable[[coach.Position], Awaitable[tuple[coach.Worth, ...]]],
        ring: Callable[[], None],
    ) -> None:
        self.mistakes_cents = 0.0
        self._count, self._ring = count, ring
        self._last: Question | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def advice(self) -> Advice | None:
        return self._last.advice() if self._last is not None else None

    def turn_the_page(self) -> None:
        """A new round, or no coach any more: nothing is said of the question before."""
        self._last = None

    def look(self, state: State, player: str) -> None:
        """Note the answer to the last question, and put the one that is asked now to the coach."""
        last = self._last
        if last is not None and not last.chosen:
            last.chosen = _chosen(state, last, player)
            self._judge(last)
        box = asked_box(state) if phase(state) == "acting" else None
        if box is None or box.player != player:
            return
        asked = state.round.number, box.answered
        if last is None or asked != (last.round, last.answered):
            ante_cents = box.stakes[state.terms.play[1]]
            shown = view(state, Viewer(role="player", name=player))
            offered = offered_actions(state, shown, box.seat)
            self._last = Question(*asked, position(state, box), offered, ante_cents)
            if not self._last.only:
                self._count_for(self._last)

    def _count_for(self, question: Question) -> None:
        task = asyncio.ensure_future(self._ask(question))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _ask(self, question: Question) -> None:
        try:
            question.hear(await self._count(question.seen))
        except (Unavailable, Unreadable, Refusal):
            return
        self._judge(question)
        self._ring()

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
    play = state.terms.play[0]
    if play in box.stakes:
        return f"{box.stakes[play] // question.ante_cents}x"
    return "fold" if box.folded else "check"
