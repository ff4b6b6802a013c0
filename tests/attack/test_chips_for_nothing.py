"""A dealer who sells a fortune for no cash, and a friend who cashes it out."""

from __future__ import annotations

import pytest

from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.powers import CASINO, HOME, LARGE, Policy
from tests.table.people import dealer, floor, player, seconded
from tests.table.tables import Table, opened, refused, terms

TRILLION = 10**14


def seated(policy: Policy = CASINO) -> Table:
    return opened(terms("UTH-S", keeps_chips=True, policy=policy))


def test_a_dealer_alone_sells_no_fortune() -> None:
    table = seated()
    table.give(dealer(do.BuyIn, box=1, cents=TRILLION, taken="cash"))
    assert table.state.chips == {}
    refused(table, dealer(do.Second, act="buy-in", box=1, upheld=True))
    refused(table, player(do.Second, act="buy-in", box=1, upheld=True))
    table.give(floor(do.Second, act="buy-in", box=1, upheld=False))
    assert (table.state.chips, table.state.requests) == ({}, ())


def test_nor_in_pieces() -> None:
    table = seated()
    for _ in range(50):
        if table.state.requests:
            break
        table.give(dealer(do.BuyIn, box=1, cents=900_00, taken="cash"))
    assert table.state.requests
    assert table.state.chips[1] <= LARGE


def test_a_friend_cashes_out_a_fortune_only_before_the_floor() -> None:
    table = seated()
    table.give(dealer(do.BuyIn, box=1, cents=TRILLION, taken="cash"))
    table.give(seconded("buy-in", 1))
    table.give(player(do.CashOut, box=1))
    assert table.state.chips[1] == TRILLION
    table.give(player(do.Second, act="cash-out", box=1, upheld=False))
    for _ in range(50):
        if table.state.requests:
            break
        table.give(player(do.CashOut, box=1, cents=900_00))
    assert TRILLION - table.state.chips[1] <= LARGE


def test_nor_by_way_of_what_is_kept_for_who_left() -> None:
    """A friend cashes out, the floorperson frees his box, he fetches what was kept, sits down
    again: all of it is one sum, until somebody looked at it."""
    table = seated()
    table.give(dealer(do.BuyIn, box=1, cents=2 * LARGE, taken="cash"))
    table.give(seconded("buy-in", 1))
    table.give(player(do.CashOut, box=1, cents=LARGE))
    table.give(floor(do.FreeBox, box=1))
    for pays in (player, floor):
        table.give(pays(do.PayKept, player="P1"))
        (waits,) = table.state.requests
        assert (table.state.kept["P1"], waits.cents) == (LARGE, LARGE)
        table.give(pays(do.Second, act=waits.act, box=0, upheld=False))
    table.give(player(do.PayKept, player="P1"))
    table.give(seconded("cash-out"))
    assert (table.state.kept, table.state.requests) == ({}, ())
    for waits_for_two in (False, True):
        table.give(player(do.TakeBox, box=1))
        table.give(dealer(do.BuyIn, box=1, cents=LARGE, taken="voucher"))
        if table.state.requests:
            table.give(seconded("buy-in", 1))
        table.give(floor(do.FreeBox, box=1))
        table.give(player(do.PayKept, player="P1"))
        assert bool(table.state.requests) is waits_for_two


@pytest.mark.parametrize("asked", [None, 2 * LARGE])
def test_what_was_looked_at_is_what_is_moved(asked: int | None) -> None:
    """Chips come and go while a cash-out waits for the floorperson."""
    table = seated()
    table.give(dealer(do.BuyIn, box=1, cents=2 * LARGE, taken="cash"))
    table.give(seconded("buy-in", 1))
    table.give(player(do.CashOut, box=1, cents=asked))
    table.bet(1, ante="$10", blind="$10")
    why = refused(table, seconded("cash-out", 1)).sentence
    assert ("send it back and begin again" in why) is (asked is None)
    table.give(floor(do.Second, act="cash-out", box=1, upheld=False))
    assert (table.state.chips[1], table.state.requests) == (2 * LARGE - 20_00, ())


@pytest.mark.parametrize("taken", ["cash", "voucher", "chips"])
def test_the_count_of_the_drop_tells_what_was_sold_for_nothing(taken: str) -> None:
    table = seated()
    table.give(dealer(do.BuyIn, box=1, cents=LARGE, taken=taken))
    table.give(floor(do.CountDrop, found={taken: 0}))
    counted, _ = table.give(seconded("count-drop"))
    assert isinstance(counted, ev.DropCounted)
    assert counted.due[taken] - counted.found[taken] == LARGE  # type: ignore[index]


def test_at_home_one_may_and_is_marked() -> None:
    table = seated(policy=HOME)
    bought, used = table.give(dealer(do.BuyIn, box=1, cents=TRILLION, taken="cash"))
    assert isinstance(bought, ev.ChipsBought)
    assert isinstance(used, ev.PowerUsed)
    assert (used.act, used.by, used.second, used.cents) == ("buy-in", "Dee", "", TRILLION)


def test_nothing_is_no_price_at_a_real_table() -> None:
    table = seated()
    unreal = dealer(do.BuyIn, box=1, cents=1_00, taken="practice")
    assert "cash, chips, voucher" in refused(table, unreal).sentence
