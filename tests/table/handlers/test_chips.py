"""Electronic chips by box: bought, wagered, won, tipped and cashed out, never below nothing."""

from __future__ import annotations

import pytest

from croupier.facts.errors import Refusal
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.double_entry import entries
from croupier.table.options import Option
from croupier.table.views import DEALER, FLOORPERSON, PUBLIC, Viewer, view
from tests.table.people import dealer, floor, player, seconded
from tests.table.tables import Table, terms


def chips_table() -> Table:
    table = Table(terms("UTH-S", electronic=True, electronic_shoe=True, keeps_chips=True))
    table.give(player(do.TakeBox, "Ann", box=1))
    table.work()
    return table


def accounts(table: Table) -> dict[str, int]:
    total: dict[str, int] = {}
    for event in table.events:
        for account, micros in entries(event):
            total[account] = total.get(account, 0) + micros // 10_000
    return total


def test_a_buy_in_puts_cash_into_the_drop_and_chips_on_the_box() -> None:
    table = chips_table()
    table.give(dealer(do.BuyIn, box=1, cents=100_00, taken="cash"))
    assert table.state.chips == {1: 100_00}
    assert accounts(table) == {"cash": -100_00, "drop": 100_00, "house": -100_00, "purse 1": 100_00}


def test_what_is_taken_back_pays_for_the_rest() -> None:
    """Ten dollars of Trips become Ante and Blind, with an empty purse."""
    table = chips_table()
    table.give(dealer(do.BuyIn, box=1, cents=50_00, taken="cash"))
    table.bet(1, ante="$10", blind="$10", trips="$30")
    before = len(table.events)
    table.bet(1, ante="$15", blind="$15", trips="$20")
    placed = [event for event in table.events[before:] if isinstance(event, ev.WagerPlaced)]
    assert [event.wager for event in placed] == ["trips", "ante", "blind"]


def test_a_tip_and_a_cash_out_leave_the_box() -> None:
    table = chips_table()
    table.give(dealer(do.BuyIn, box=1, cents=100_00, taken="cash"))
    table.give(player(do.Tip, "Ann", box=1, cents=5_00))
    table.give(player(do.CashOut, "Ann", box=1))
    assert table.state.chips == {1: 0}
    assert accounts(table)["tips"] == 5_00
    assert accounts(table)["cash"] == -100_00 + 95_00
    table.give(player(do.LeaveBox, "Ann", box=1))


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (
            player(do.PlaceWagers, "Ann", box=1, stakes={"ante": 60_00, "blind": 60_00}),
            "has $100.00",
        ),
        (player(do.Tip, "Ann", box=1, cents=100_01), "has $100.00"),
        (player(do.CashOut, "Ann", box=1, cents=200_00), "has $100.00"),
        (player(do.CashOut, "Ann", box=1, cents=0), "nothing to move"),
        (player(do.Tip, "Bob", box=1, cents=1_00), "not yours"),
        (dealer(do.BuyIn, box=2, cents=1_00, taken="cash"), "Nobody sits"),
        (player(do.LeaveBox, "Ann", box=1), "cash out first"),
        (player(do.BuyIn, "Ann", box=1, cents=1_00, taken="cash"), "That is for dealer"),
    ],
)
def test_nothing_goes_beyond_what_the_box_has(command: do.Command, why: str) -> None:
    table = chips_table()
    table.give(dealer(do.BuyIn, box=1, cents=100_00, taken="cash"))
    with pytest.raises(Refusal) as refused:
        table.give(command)
    assert why in str(refused.value)
    assert table.state.chips == {1: 100_00}


def test_no_chips_leave_a_box_that_is_in_the_round() -> None:
    table = chips_table()
    table.give(dealer(do.BuyIn, box=1, cents=100_00, taken="cash"))
    table.bet(1, ante="$10", blind="$10")
    table.work()
    for command in (
        player(do.CashOut, "Ann", box=1),
        player(do.Tip, "Ann", box=1, cents=1_00),
    ):
        with pytest.raises(Refusal, match="is in the round"):
            table.give(command)


def test_a_play_the_chips_do_not_cover_is_neither_offered_nor_taken() -> None:
    table = chips_table()
    table.give(dealer(do.BuyIn, box=1, cents=55_00, taken="cash"))
    table.bet(1, ante="$10", blind="$10")
    table.work()
    offered = view(table.state, Viewer(role="player", name="Ann")).may
    assert next(option.cents for option in offered if option.do == "play") == (30_00,)
    with pytest.raises(Refusal, match="this takes"):
        table.give(player(do.Play, "Ann", box=1, cents=40_00))


def test_only_the_player_and_the_house_see_the_chips_of_a_box() -> None:
    table = chips_table()
    table.give(dealer(do.BuyIn, box=1, cents=55_00, taken="cash"))

    def seen(viewer: Viewer) -> int:
        return view(table.state, viewer).boxes[0].chips_cents

    assert seen(DEALER) == seen(Viewer(role="player", name="Ann")) == 55_00
    assert seen(PUBLIC) == seen(Viewer(role="player", name="Bob")) == 0


def test_a_table_with_chips_in_hand_keeps_no_account_of_them() -> None:
    table = Table(terms("UTH-S"))
    table.give(player(do.TakeBox, "Ann", box=1))
    with pytest.raises(Refusal, match="players' hands"):
        table.give(dealer(do.BuyIn, box=1, cents=1_00, taken="cash"))


def test_chips_left_behind_are_nobody_elses() -> None:
    """A player who walks off in a round leaves chips; they are kept, and the box is free."""
    table = chips_table()
    table.give(dealer(do.BuyIn, box=1, cents=100_00, taken="cash"))
    table.bet(1, ante="$10", blind="$10")
    table.work()
    table.give(dealer(do.ReportAbsence, box=1))
    table.give(floor(do.RuleOnAbsence, box=1, outcome="abandoned"))
    table.give(seconded("abandon", 1))
    table.work()
    assert table.state.seats == {}
    assert (table.state.chips, table.state.kept) == ({1: 0}, {"Ann": 80_00})
    table.give(player(do.TakeBox, "Bob", box=1))
    assert table.state.chips == {1: 0}
    kept = Option(do="pay-kept", names=("Ann",), cents=(80_00,))
    assert kept in view(table.state, FLOORPERSON).may
    with pytest.raises(Refusal, match="for nobody else"):
        table.give(player(do.PayKept, "Bob", player="Ann"))
    before = table.state
    table.give(player(do.TakeBox, "Ann", box=2))
    assert (table.state.chips[2], table.state.kept) == (80_00, {})
    table.state = before
    table.give(player(do.PayKept, "Ann", player="Ann"))
    assert table.state.kept == {}


def test_the_box_of_a_player_who_is_gone_is_freed_and_his_chips_are_kept() -> None:
    table = chips_table()
    table.give(dealer(do.BuyIn, box=1, cents=100_00, taken="cash"))
    with pytest.raises(Refusal, match="is connected"):
        table.give(floor(do.FreeBox, box=1, here=True))
    table.give(floor(do.FreeBox, box=1))
    assert (table.state.seats, table.state.kept) == ({}, {"Ann": 100_00})
    assert accounts(table)["kept Ann"] == 100_00


@pytest.mark.parametrize("taken", ["cash", "chips", "voucher"])
def test_the_drop_is_counted_and_held_against_what_was_sold(taken: str) -> None:
    table = chips_table()
    table.give(dealer(do.BuyIn, box=1, cents=100_00, taken=taken))
    table.give(floor(do.CountDrop, found={taken: 60_00}))
    *_, counted, _ = table.give(seconded("count-drop"))
    assert isinstance(counted, ev.DropCounted)
    assert (counted.found, counted.due) == ({taken: 60_00}, {taken: 100_00})
    assert table.state.taken == {}
    assert accounts(table).get("drop", 0) == (0 if taken == "chips" else 100_00)


def test_a_table_locked_for_a_dispute_stands_still_until_two_unlock_it() -> None:
    table = chips_table()
    table.give(floor(do.LockTable, reason="who folded"))
    with pytest.raises(Refusal, match="locked for a dispute: who folded"):
        table.give(dealer(do.BuyIn, box=1, cents=100_00, taken="cash"))
    may = {one.do for one in view(table.state, FLOORPERSON).may}
    assert may == {"unlock-table", "open-dispute"}
    table.give(floor(do.UnlockTable, reason="seen on the film"))
    table.give(seconded("unlock"))
    table.give(dealer(do.BuyIn, box=1, cents=100_00, taken="cash"))
