"""Table lock: while it is held only the duties marked `unlocked` are accepted.

Everything stays as it lies until the dispute is resolved. No clause knows a lock; the one cited is
the one that keeps the cards for a question or dispute.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.facts.errors import Refusal
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.handlers.handler import FLOOR, Asker, Duties, Duty, Folds, PowerUse
from croupier.table.state import Lock, State, replace


def why_not_lock(state: State, command: do.LockTable) -> Refusal | None:
    return None  # a table that is locked takes nothing but what ends it


def lock(state: State, command: do.LockTable) -> Iterator[ev.Event]:
    clause = state.book.procedure.clear_clause
    yield ev.TableLocked(clauses=state.cites(clause), reason=command.reason, by=command.by)


def _may_lock(state: State, asker: Asker) -> Iterator[do.LockTable]:
    yield do.LockTable(**asker.signed, reason="dispute")


def why_not_unlock(state: State, command: do.UnlockTable) -> Refusal | None:
    if state.lock is None:
        return state.refusal("The table is not locked", state.book.procedure.clear_clause)
    return None


def unlock(state: State, command: do.UnlockTable) -> Iterator[ev.Event]:
    clause = state.book.procedure.clear_clause
    yield ev.TableUnlocked(clauses=state.cites(clause), reason=command.reason, by=command.by)


def _may_unlock(state: State, asker: Asker) -> Iterator[do.UnlockTable]:
    yield do.UnlockTable(**asker.signed, reason="resolved")


def why_stopped(state: State, duty: Duty[Any]) -> Refusal | None:
    """A matter that waits for the floorperson, or a lock, where a duty stops for it."""
    if state.hold is not None and not duty.ruled:
        return state.refusal(
            f"Everything waits for the floorperson: {state.hold.name}", state.hold.clause
        )
    if state.lock is None or duty.unlocked:
        return None
    return state.refusal(
        f"The table is locked for a dispute: {state.lock.reason}",
        state.book.procedure.clear_clause,
    )


DUTIES: Duties = (
    Duty(
        do.LockTable,
        FLOOR,
        lambda by: by.clear_clause,
        why_not_lock,
        lock,
        offers=_may_lock,
        ruled=True,
        power=lambda state, command: PowerUse("lock"),
    ),
    Duty(
        do.UnlockTable,
        FLOOR,
        lambda by: by.clear_clause,
        why_not_unlock,
        unlock,
        offers=_may_unlock,
        ruled=True,
        unlocked=True,
        power=lambda state, command: PowerUse("unlock"),
    ),
)

FOLDS: Folds = {
    ev.TableLocked: lambda state, event: replace(
        state, lock=Lock(at_s=event.at_s, reason=event.reason, by=event.by)
    ),
    ev.TableUnlocked: lambda state, event: replace(state, lock=None),
}
