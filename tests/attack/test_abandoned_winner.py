"""A floorperson who reports a winner absent, rules her hand abandoned and cashes her out."""

from __future__ import annotations

import pytest

from croupier.facts.errors import Refusal
from croupier.table import commands as do
from croupier.table.agenda import phase
from tests.table.people import dealer, floor, manager, player
from tests.table.tables import Table, opened, refused, terms


def in_play() -> Table:
    table = opened(terms("UTH-S", keeps_chips=True))
    table.give(dealer(do.BuyIn, box=1, cents=500_00, taken="cash"))
    table.bet(1, ante="$10", blind="$10")
    table.work()
    return table


def absent(table: Table) -> str:
    return table.state.round.boxes[1].absent


def test_nobody_who_is_connected_is_reported_absent_or_ruled_on() -> None:
    table = in_play()
    assert "is connected" in refused(table, dealer(do.ReportAbsence, box=1, here=True)).sentence
    table.give(dealer(do.ReportAbsence, box=1))
    for outcome in ("abandoned", "default", None):
        back = floor(do.RuleOnAbsence, box=1, outcome=outcome, here=True)
        assert "is connected" in refused(table, back).sentence
    table.give(floor(do.RuleOnAbsence, box=1, outcome="back", here=True))
    table.give(player(do.Play, box=1, cents=40_00))


def test_nobody_is_abandoned_once_the_hands_are_turned() -> None:
    table = in_play()
    table.give(player(do.Play, box=1, cents=40_00))
    table.work(lambda state: phase(state) == "revealing")
    table.give(dealer(do.ReportAbsence, box=1))
    table.work(lambda state: state.round.revealed)
    assert "turned" in refused(table, floor(do.RuleOnAbsence, box=1, outcome="abandoned")).sentence
    table.give(floor(do.RuleOnAbsence, box=1))
    assert table.state.round.boxes[1].absent == "default"
    table.work(lambda state: state.round.number == 2)
    assert sum(table.state.kept.values()) != 440_00  # it was settled as it lay, won or lost


def test_no_one_alone_abandons_a_hand_and_who_began_it_does_not_second_it() -> None:
    table = in_play()
    table.give(floor(do.ReportAbsence, box=1))
    table.give(floor(do.RuleOnAbsence, box=1, outcome="abandoned"))
    assert absent(table) == "left"
    again = floor(do.Second, act="abandon", box=1, upheld=True)
    assert "a second person" in refused(table, again).sentence
    assert (
        "That is for"
        in refused(table, dealer(do.Second, act="abandon", box=1, upheld=True)).sentence
    )
    back = manager(do.Second, act="abandon", box=1, upheld=True, here=True)
    assert "is connected" in refused(table, back).sentence
    table.give(manager(do.Second, act="abandon", box=1, upheld=True))
    assert absent(table) == "abandoned"


def test_the_floor_cashes_nobody_out_and_pays_what_is_kept_with_a_second_person() -> None:
    table = opened(terms("UTH-S", keeps_chips=True))
    table.give(dealer(do.BuyIn, box=1, cents=500_00, taken="cash"))
    with pytest.raises(Refusal, match="That is for player"):
        table.give(floor(do.CashOut, box=1))
    table.give(floor(do.FreeBox, box=1))
    table.give(floor(do.PayKept, player="P1"))
    assert table.state.kept == {"P1": 500_00}
    refused(table, floor(do.Second, act="pay-kept", upheld=True))
    table.give(manager(do.Second, act="pay-kept", upheld=True))
    assert table.state.kept == {}
