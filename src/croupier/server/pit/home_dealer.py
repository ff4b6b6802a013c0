"""The automatic dealer of a table at home: deals to whoever is ready, until a person takes the
console, and goes on when nobody has it any more.

What comes next is the automatic dealer's of every practice table; here is when the betting closes
and who is sold chips. Large sums, and the end of a dispute, are left to people.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from uuid import uuid4

from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.ledger.store.port import Moved
from croupier.practice.driver import BROUGHT_CENTS, PAUSES_S, opening_cents
from croupier.server.pit.table_actor import Subscription, TableActor
from croupier.table import commands as do
from croupier.table.agenda import phase
from croupier.table.automatic_dealer import next_duty
from croupier.table.engine import duty_of, why_not
from croupier.table.handlers.chips import kinds_taken
from croupier.table.handlers.numbers import unshown
from croupier.table.state import State

WAITS_S = 20.0
"""How long the others have, once somebody is ready."""
GIVES_BACK_S = 8.0
"""How long a console may be away before cards are dealt without it: a page loads again."""
LOOKS_AGAIN_S = 5.0


class HomeDealer:
    """``is_removed``: whose box is to be freed, now that the host sent him away."""

    def __init__(self, actor: TableActor, is_removed: Callable[[str], bool]) -> None:
        self._actor, self._is_removed = actor, is_removed
        self._deals_at: float | None = None
        self._dealt_until = float("-inf")

    async def run(self) -> None:
        with self._actor.watched() as watch:
            while True:
                await _news(watch, await self._step())

    async def _step(self) -> float:
        """Do the next thing, if there is one; how long to wait then, unless there is news."""
        now = time.monotonic()
        if self._actor.is_dealt:
            self._dealt_until = now
            return LOOKS_AGAIN_S
        if now < self._dealt_until + GIVES_BACK_S:
            return self._dealt_until + GIVES_BACK_S - now
        version, command = self._actor.kept.version, self._next(now)
        if command is None:
            return LOOKS_AGAIN_S if self._deals_at is None else max(0.1, self._deals_at - now)
        await asyncio.sleep(PAUSES_S.get(type(command), 0.0))
        if self._actor.kept.version != version or self._actor.is_dealt:
            return 0.0
        try:
            await self._actor.ask(command, f"house-{uuid4()}", version)
        except (Refusal, Unreadable, Unavailable, Moved):
            return LOOKS_AGAIN_S / 10  # somebody was quicker, or the ledger is away
        return 0.0

    def _next(self, now: float) -> do.Command | None:
        """What is to be done next; None where it waits for somebody."""
        kept = self._actor.kept
        state = kept.state
        if phase(state) != "betting":
            self._deals_at = None
        for command in asides(state, self._is_removed):
            if why_not(state, command) is None:
                return command
        if unshown(state):  # whoever does not show his number in time is the clock's affair
            return None
        duty = next_duty(state, kept.shoe(), kept.readings())
        if isinstance(duty, do.EndDispute) or (duty is not None and why_not(state, duty)):
            return None
        if phase(state) != "betting" or not isinstance(duty, do.NoMoreBets | do.WithdrawWagers):
            return duty
        return duty if self._all_are_ready(state, now) else None

    def _all_are_ready(self, state: State, now: float) -> bool:
        """Whoever is here and has chips or wagers is waited for, for a while; who is not is not."""
        boxes, here = state.round.boxes, self._actor.players_here()
        if not any(box.ready for box in boxes.values()):
            self._deals_at = None
            return False
        if self._deals_at is None:
            self._deals_at = now + WAITS_S
        late = (
            seat
            for seat, name in state.seats.items()
            if name in here and (seat in boxes or state.chips.get(seat))
            if seat not in boxes or not boxes[seat].ready
        )
        return next(late, None) is None or now >= self._deals_at


def asides(state: State, is_removed: Callable[[str], bool]) -> Iterator[do.Command]:
    """What goes on beside the round: chips that were asked for, boxes of who was sent away."""
    kinds, policy = kinds_taken(state), state.terms.policy
    for seat, name in state.seats.items():
        asked = state.asked.get(seat, 0)
        if is_removed(name):
            yield do.FreeBox(by="floorperson", role="floorperson", box=seat)
        elif state.terms.practice and state.chips.get(seat, 0) < opening_cents(state):
            asked = BROUGHT_CENTS  # what is for practice costs nothing
        sale = do.BuyIn(by="dealer", role="dealer", box=seat, cents=asked, taken=kinds[0])
        use = duty_of(do.BuyIn).power(state, sale)
        if asked and (use is None or not policy.is_marked(use.act, use.counted_cents)):
            yield sale


async def _news(watch: Subscription, wait_s: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(watch.next(), wait_s)
