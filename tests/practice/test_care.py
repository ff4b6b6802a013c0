"""Care: the time counts from the first deal, an hour is told of, a limit of one's own holds."""

from __future__ import annotations

import pytest

from croupier.facts.errors import Unreadable
from croupier.practice.care import Care, OwnLimits
from croupier.practice.evening import RoundResult


def lost(cents: int) -> RoundResult:
    return RoundResult(1, -cents, cents, "", "", (), ())


def test_an_hour_is_told_of_and_a_limit_of_time_holds() -> None:
    now = [1000.0]
    care = Care(OwnLimits(minutes=90), lambda: now[0])
    now[0] += 9_000
    assert care.shown([]).minutes == 0
    care.begin()
    now[0] += 3_599
    assert care.shown([]).reminder == ""
    now[0] += 1
    told = care.shown([lost(40_00)])
    assert told.reminder.startswith("You have played for an hour: 1 round, result -$40.00.")
    assert (told.minutes, told.reached) == (60, "")
    care.refuse_beyond([])
    now[0] += 1_800
    with pytest.raises(Unreadable, match="90 minutes, and set yourself 90"):
        care.refuse_beyond([])


def test_a_limit_of_loss_holds_until_it_is_changed() -> None:
    care = Care(OwnLimits(loss_cents=100_00), lambda: 0.0)
    care.refuse_beyond([lost(99_99)])
    with pytest.raises(Unreadable, match=r"lost \$100\.00, and set yourself at most \$100\.00"):
        care.refuse_beyond([lost(60_00), lost(40_00)])
    care.limits = OwnLimits()
    care.refuse_beyond([lost(60_00), lost(40_00)])
