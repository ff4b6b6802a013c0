"""Two-person rule: an act is queued as a Request until a second person confirms it.

Under the home preset one is enough, and the act is marked as done alone. Which acts, who and above
which sum is the policy's; nothing else at the table waits meanwhile, and what stands against an
act, a lock too, is looked at again when it is confirmed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from croupier.facts.errors import Refusal
from croupier.facts.money import dollars
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.handlers import absence, chips, dispute_cases, table_lock
from croupier.table.handlers.handler import (
    FLOOR,
    PLAYER,
    STAFF,
    TWO_PEOPLE,
    Asker,
    C,
    Duties,
    Duty,
    Folds,
    PowerUse,
    power_used,
    refusal_by,
)
from croupier.table.options import Option
from croupier.table.powers import Actor
from croupier.table.state import Request, State, replace


def under_policy(state: State, duty: Duty[C], command: C) -> Iterator[ev.Event]:
    """What comes of a command: it happens, is marked and happens, or waits for a second person."""
    use, policy = duty.power(state, command), state.terms.policy
    if use is None or not policy.is_marked(use.act, use.counted_cents):
        yield from duty.events(state, command)
    elif policy.waits(use.act, use.counted_cents):
        deque(duty.events(state, command), maxlen=0)  # what is wrong in it is refused at once
        yield ev.SecondAsked(
            clauses=state.cites(state.book.procedure.irregular_clause),
            rulings=(TWO_PEOPLE,),
            box=use.box,
            act=use.act,
            cents=use.cents,
            began=_as_begun(command),
        )
    else:
        yield from duty.events(state, command)
        yield power_used(state, use, Actor(command.by, command.role))


def why_asked(state: State, duty: Duty[C], command: C) -> Refusal | None:
    """What waits for a second person is not begun again."""
    use = duty.power(state, command) if state.requests else None
    if use is not None and _waiting(state, use.act, use.box) is not None:
        return state.refusal(
            "That was begun already, and waits for a second person",
            state.book.procedure.irregular_clause,
        )
    return None


def why_not_second(state: State, command: do.Second) -> Refusal | None:
    clause = state.book.procedure.irregular_clause
    waiting = _waiting(state, command.act, command.box)
    if waiting is None:
        return state.refusal("Nothing of that kind waits for a second person", clause)
    began = waiting.began
    first, second = Actor(began.by, began.role), Actor(command.by, command.role)
    if not command.upheld:
        is_own = first.name == second.name
        return None if is_own or command.role in FLOOR else state.refusal("It is not yours", clause)
    why = state.terms.policy.why_not_second(waiting.act, first, second)
    if why:
        return state.refusal(why, clause)
    duty, act = _ACTS[type(began)], _as_now(began, command)
    return (
        table_lock.why_stopped(state, duty)
        or duty.why_not(state, act)
        or _why_another_sum(state, waiting, duty.power(state, act))
        or refusal_by(lambda: deque(duty.events(state, act), maxlen=0))
    )


def _why_another_sum(state: State, waiting: Request, use: PowerUse | None) -> Refusal | None:
    """The second person looked at one sum; chips that were won or lost since make another."""
    if use is None or use.cents == waiting.cents:
        return None
    return state.refusal(
        f"It was begun for {dollars(waiting.cents)} and would be {dollars(use.cents)} now: send it "
        "back and begin again",
        state.book.procedure.irregular_clause,
    )


def second(state: State, command: do.Second) -> Iterator[ev.Event]:
    waiting = _waiting(state, command.act, command.box)
    assert waiting is not None
    if not command.upheld:
        yield ev.SecondDenied(
            clauses=state.cites(state.book.procedure.irregular_clause),
            rulings=(TWO_PEOPLE,),
            box=command.box,
            act=command.act,
            by=command.by,
        )
        return
    began = waiting.began
    first = Actor(began.by, began.role)
    yield from _ACTS[type(began)].events(state, _as_now(began, command))
    yield power_used(state, _use(waiting), first, Actor(command.by, command.role))


def _may_second(state: State, asker: Asker) -> Iterator[do.Second]:
    for one in state.requests:
        for upheld in (True, False):
            yield do.Second(**asker.signed, act=one.act, box=one.box, upheld=upheld)


def _requests(state: State, asker: Asker, commands: Sequence[do.Second]) -> Iterator[Option]:
    for one in state.requests:
        words = [each.upheld for each in commands if (each.act, each.box) == (one.act, one.box)]
        if words:
            yield Option(
                do="second",
                box=one.box,
                names=(one.act, one.began.by),
                cents=(one.cents,) if one.cents else (),
                may_uphold=any(words),
            )


def _waiting(state: State, act: str, box: int) -> Request | None:
    return next((one for one in state.requests if (one.act, one.box) == (act, box)), None)


def _use(waiting: Request) -> PowerUse:
    return PowerUse(waiting.act, waiting.box, waiting.cents)


def _as_begun(command: do.Command) -> do.Begun:
    """The words alone, as the ledger has them; of rulings only an abandonment is ever begun."""
    assert isinstance(command, do.Begun)
    if isinstance(command, do.RuleOnAbsence):
        return replace(command, at_s=0, here=False, outcome="abandoned")
    return replace(command, at_s=0)


def _as_now(began: do.Begun, command: do.Second) -> do.Begun:
    """The same with what is known when it is confirmed."""
    here = {"here": command.here} if isinstance(began, do.RuleOnAbsence) else {}
    return replace(began, at_s=command.at_s, **here)


def _asked(state: State, event: ev.SecondAsked) -> State:
    asked = Request(event.act, event.box, event.cents, event.began)
    return replace(state, requests=(*state.requests, asked))


def _answered(state: State, event: ev.SecondDenied | ev.PowerUsed) -> State:
    left = tuple(one for one in state.requests if (one.act, one.box) != (event.act, event.box))
    return replace(state, requests=left)


def _used(state: State, event: ev.PowerUsed) -> State:
    """What somebody looked at is not counted to what nobody did."""
    waiting, after = _waiting(state, event.act, event.box), _answered(state, event)
    if waiting is not None and isinstance(waiting.began, do.PayKept):
        by = chips.moved_by("cash-out", waiting.began.player)
    elif event.act in ("buy-in", "cash-out") and event.box in state.seats:
        by = chips.moved_by(event.act, state.seats[event.box])
    else:
        return after
    return replace(after, moved_alone={**state.moved_alone, by: 0})


_ACTS: Mapping[type[do.Command], Duty[Any]] = {
    duty.kind: duty
    for module in (chips, absence, table_lock, dispute_cases)
    for duty in module.DUTIES
    if issubclass(duty.kind, do.Begun)
}

DUTIES: Duties = (
    Duty(
        do.Second,
        (*PLAYER, *STAFF),
        lambda by: by.irregular_clause,
        why_not_second,
        second,
        offers=_may_second,
        shown=_requests,
        automatic="floorperson",
        works_in=("acting", "settling"),
        due=lambda state, command: command.upheld,
        ruled=True,
        unlocked=True,
    ),
)

FOLDS: Folds = {
    ev.SecondAsked: _asked,
    ev.SecondDenied: _answered,
    ev.PowerUsed: _used,
}
