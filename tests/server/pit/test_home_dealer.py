"""What the automatic dealer of a table at home does beside the round: it sells chips, but for
large sums, and frees the boxes of who was sent away."""

from __future__ import annotations

from croupier.server.pit.home_dealer import asides
from croupier.table import commands as do
from croupier.table.powers import HOME, LARGE
from tests.table.people import dealer, floor, player
from tests.table.tables import Table, opened, terms

PART = LARGE * 9 // 10  # one is no large sum, and two are


def at_home() -> Table:
    return opened(terms("UTH-S", keeps_chips=True, policy=HOME))


def given(table: Table, *removed: str) -> list[do.Command]:
    return list(asides(table.state, lambda name: name in removed))


def test_a_second_sum_that_makes_a_large_one_with_the_first_is_left_to_people() -> None:
    table = at_home()
    table.give(player(do.AskChips, "P1", box=1, cents=PART))
    (sale,) = given(table)
    assert sale == do.BuyIn(by="dealer", role="dealer", box=1, cents=PART, taken="cash")
    table.give(sale)
    table.give(player(do.AskChips, "P1", box=1, cents=PART))
    assert given(table) == []
    table.give(player(do.AskChips, "P2", box=2, cents=PART))
    assert [type(one) for one in given(table)] == [do.BuyIn]  # he has bought nothing before


def test_what_a_person_sold_beyond_it_counts_no_more() -> None:
    table = at_home()
    table.give(player(do.AskChips, "P1", box=1, cents=LARGE + 1))
    assert given(table) == []
    table.give(floor(do.BuyIn, box=1, cents=LARGE + 1, taken="cash"))
    table.give(player(do.AskChips, "P1", box=1, cents=PART))
    assert [type(one) for one in given(table)] == [do.BuyIn]


def test_who_was_sent_away_loses_his_box() -> None:
    table = at_home()
    (freed,) = given(table, "P2")
    table.give(freed)
    assert table.state.seats == {1: "P1"}


def test_at_a_table_for_practice_who_has_too_little_is_given_more() -> None:
    table = opened(terms("UTH-S", keeps_chips=True, practice=True))
    for sale in given(table):
        table.give(sale)
    assert set(table.state.chips) == {1, 2}
    assert given(table) == []
    table.give(dealer(do.BuyIn, box=1, cents=LARGE, taken="practice"))
    assert given(table) == []
