"""The retry loop of optimistic appends: plan, append, and plan again where another was first.

An append names the version that its writer saw, and the ledger rejects it as Moved where the stream
has grown since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger, Moved, Repeated, Unavailable, Writing

ATTEMPTS = 100
P = TypeVar("P")


class AppendRetry(Generic[P]):
    """Gives plans to append; whoever appends one tells when it was rejected.

    ``written`` names what others write to, for the sentence when they never let this one through;
    ``planned`` is the first plan, where it was made before.
    """

    def __init__(
        self,
        written: str,
        plan: Callable[[], P],
        catch_up: Callable[[Moved], None] | None = None,
        planned: P | None = None,
    ) -> None:
        self._written, self._plan, self._catch_up = written, plan, catch_up
        self._planned = planned
        self._left = ATTEMPTS

    def next_plan(self) -> P:
        """What to append now."""
        if not self._left:
            raise Unavailable(f"others write to {self._written} too fast; try again")
        self._left -= 1
        planned, self._planned = self._planned, None
        return planned if planned is not None else self._plan()

    def rejected(self, why: Moved | Repeated) -> None:
        """Another writer was first, or this very command was written before."""
        if isinstance(why, Moved) and self._catch_up is not None:
            self._catch_up(why)


def append_anew(
    ledger: Ledger, written: str, writings: Callable[[], Iterable[Writing]]
) -> tuple[LedgerLine, ...]:
    """Append what is planned, and plan it anew as often as another writer was first."""
    retry = AppendRetry(written, writings)
    while True:
        planned = tuple(retry.next_plan())
        try:
            return ledger.append(*planned)
        except Moved as rejection:
            retry.rejected(rejection)
