"""The retry loop of an append: how often it plans, when it catches up, and when it gives up."""

from __future__ import annotations

from itertools import count

import pytest

from croupier.facts.errors import Unavailable
from croupier.ledger.append_retry import ATTEMPTS, AppendRetry
from croupier.ledger.store.port import Moved, Repeated

MOVED = Moved("table/T-1", 4, 5)


def test_whoever_is_rejected_every_time_is_told_to_try_again() -> None:
    plans = count()
    retry = AppendRetry("table T-1", lambda: next(plans))
    for attempt in range(ATTEMPTS):
        assert retry.next_plan() == attempt
        retry.rejected(MOVED)
    with pytest.raises(Unavailable) as why:
        retry.next_plan()
    assert str(why.value) == "others write to table T-1 too fast; try again"
    assert next(plans) == ATTEMPTS  # nothing was planned that is not appended


def test_what_moved_is_caught_up_with_and_what_was_written_before_is_not() -> None:
    seen: list[Moved] = []
    retry = AppendRetry("table T-1", lambda: "anew", seen.append, planned="before")
    assert retry.next_plan() == "before"
    retry.rejected(Repeated("c-1"))
    assert seen == []
    assert retry.next_plan() == "anew"
    retry.rejected(MOVED)
    assert seen == [MOVED]
