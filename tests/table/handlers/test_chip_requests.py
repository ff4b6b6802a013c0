"""Chips on request: asked by a player, sold or declined by the house, acknowledged by him."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.views import DEALER, PUBLIC, Viewer, view
from tests.table.people import dealer, floor, player
from tests.table.tables import Table, opened, refused, terms

ANN = Viewer(role="player", name="P1")
BOB = Viewer(role="player", name="P2")


def seated(**given: Any) -> Table:
    return opened(terms("UTH-S", **given))


def box_of(table: Table, viewer: Viewer, seat: int = 1) -> dict[str, int]:
    shown = next(box for box in view(table.state, viewer).boxes if box.seat == seat)
    return {
        "asked": shown.asked_cents,
        "bought": shown.bought_cents,
        "cashed": shown.cashed_cents,
    }


def offered(table: Table, viewer: Viewer) -> dict[str, tuple[int, ...]]:
    return {option.do: option.cents for option in view(table.state, viewer).may}


def test_what_is_asked_for_is_seen_by_the_house_and_answered_by_a_sale() -> None:
    table = seated(keeps_chips=True)
    table.give(player(do.AskChips, "P1", box=1, cents=20_000))
    assert box_of(table, DEALER)["asked"] == box_of(table, ANN)["asked"] == 20_000
    assert box_of(table, BOB)["asked"] == box_of(table, PUBLIC)["asked"] == 0
    assert offered(table, DEALER)["decline-chips"] == (20_000,)
    again = refused(table, player(do.AskChips, "P1", box=1, cents=100))
    assert again.sentence == "Box 1 has asked for $200.00 already"
    table.give(dealer(do.BuyIn, box=1, cents=10_000, taken="cash"))
    assert box_of(table, ANN) == {"asked": 0, "bought": 10_000, "cashed": 0}
    (has,) = table.give(player(do.AcknowledgeChips, "P1", box=1))
    assert isinstance(has, ev.ChipsAcknowledged)
    assert (has.bought_cents, has.cashed_cents) == (10_000, 0)
    assert "acknowledge-chips" not in offered(table, ANN)


def test_a_player_is_ready_until_he_changes_a_wager() -> None:
    table = seated(keeps_chips=True)
    table.give(dealer(do.BuyIn, box=1, cents=50_000, taken="cash"))
    early = refused(table, player(do.SayReady, "P1", box=1))
    assert early.sentence == "No wager of box 1 waits for the deal"
    table.bet(1, ante="$10", blind="$10")
    assert refused(table, player(do.SayReady, "P2", box=1)).sentence == "Box 1 is not yours"
    table.give(player(do.SayReady, "P1", box=1))
    assert view(table.state, PUBLIC).boxes[0].ready
    assert "say-ready" not in offered(table, ANN)
    table.bet(1, trips="$10")
    assert not view(table.state, PUBLIC).boxes[0].ready
    table.give(player(do.SayReady, "P1", box=1))
    table.give(dealer(do.NoMoreBets))
    assert not view(table.state, PUBLIC).boxes[0].ready


def test_what_is_declined_may_be_asked_again() -> None:
    table = seated(keeps_chips=True)
    refused(table, dealer(do.DeclineChips, box=1))
    table.give(player(do.AskChips, "P1", box=1, cents=500))
    table.give(floor(do.DeclineChips, box=1))
    assert box_of(table, DEALER)["asked"] == 0
    table.give(player(do.AskChips, "P1", box=1, cents=500))


def test_a_cash_out_is_acknowledged_too() -> None:
    table = seated(keeps_chips=True)
    table.give(dealer(do.BuyIn, box=1, cents=10_000, taken="cash"))
    table.give(player(do.CashOut, "P1", box=1, cents=4_000))
    assert offered(table, ANN)["acknowledge-chips"] == (10_000, 4_000)
    refused(table, player(do.AcknowledgeChips, "P2", box=1))
    table.give(player(do.AcknowledgeChips, "P1", box=1))
    assert box_of(table, DEALER) == {"asked": 0, "bought": 0, "cashed": 0}


def test_whoever_leaves_asks_for_nothing_any_more() -> None:
    table = seated(keeps_chips=True)
    table.give(player(do.AskChips, "P1", box=1, cents=500))
    table.give(player(do.LeaveBox, "P1", box=1))
    assert not table.state.asked
    table.give(player(do.TakeBox, "P2", box=1))
    assert box_of(table, BOB)["asked"] == 0


@pytest.mark.parametrize("given", [{"keeps_chips": False}, {"keeps_chips": True, "practice": True}])
def test_where_nobody_sells_chips_nobody_is_asked(given: dict[str, bool]) -> None:
    table = seated(**given)
    why = refused(table, player(do.AskChips, "P1", box=1, cents=500))
    assert why.sentence == "Nobody sells chips at this table"
    assert "ask-chips" not in offered(table, ANN)


def test_only_his_own_and_only_something() -> None:
    table = seated(keeps_chips=True)
    assert (
        refused(table, player(do.AskChips, "P2", box=1, cents=1)).sentence == "Box 1 is not yours"
    )
    nothing = refused(table, player(do.AskChips, "P1", box=1, cents=0))
    assert nothing.sentence == "$0.00 is nothing to ask for"
