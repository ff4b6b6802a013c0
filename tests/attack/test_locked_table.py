"""A table that is locked for a dispute: nothing moves, and two people can always end it."""

from __future__ import annotations

from croupier.table import commands as do
from croupier.table.powers import LARGE
from tests.attack.test_chips_for_nothing import seated
from tests.table.people import dealer, floor, manager, seconded
from tests.table.tables import opened, refused, terms


def test_what_was_begun_before_a_lock_is_not_confirmed_under_it() -> None:
    table = seated()
    table.give(dealer(do.BuyIn, box=1, cents=LARGE + 1, taken="cash"))
    table.give(floor(do.LockTable, reason="a dispute"))
    assert "locked" in refused(table, seconded("buy-in", 1)).sentence
    table.give(floor(do.UnlockTable, reason="resolved"))
    table.give(seconded("unlock"))
    table.give(seconded("buy-in", 1))
    assert table.state.chips == {1: LARGE + 1}


def test_a_lock_over_a_matter_that_waits_is_ended_by_two() -> None:
    """Found by the soak: nobody could confirm, as the table was locked, nor unlock it, as what was
    declared waited."""
    table = opened(terms("UTH-S"))
    table.bet(1, ante="$10", blind="$10")
    table.work()
    table.give(floor(do.VoidRound, cause="power-lost", reason="no light"))
    table.give(manager(do.LockTable, reason="a dispute"))
    refused(table, manager(do.Confirm, upheld=False))
    table.give(floor(do.UnlockTable, reason="resolved"))
    table.give(seconded("unlock"))
    assert table.state.lock is None
    table.give(manager(do.Confirm, upheld=False, meters=table.meters))
    assert table.state.hold is None
