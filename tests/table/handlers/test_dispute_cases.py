"""Disputes: opened by anybody at the table, the box waits, and the floorperson ends each."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import phase
from croupier.table.state import Dispute
from croupier.table.views import FLOORPERSON, PUBLIC, SURVEILLANCE, Viewer, view
from tests.table.people import dealer, floor, manager, player
from tests.table.tables import Table, opened, refused, terms, voided

ANN, BOB = (Viewer(role="player", name=name) for name in ("P1", "P2"))
WHY = "my flush was not paid"
every_book = pytest.mark.parametrize("book", ["UTH-S", "UTH-14", "FCP-14"])


def settling(book: str = "UTH-S", **given: Any) -> Table:
    """Box 1 is next to be settled."""
    table = opened(terms(book, **given))
    if table.state.terms.keeps_chips:
        table.give(dealer(do.BuyIn, box=1, cents=50_000, taken="cash"))
    table.bet(1, ante="$10", **({} if book == "FCP-14" else {"blind": "$10"}))
    while phase(table.state) != "settling":
        if phase(table.state) == "acting":
            table.give(dealer(do.TimeOut, box=1))
        table.work(lambda state: phase(state) == "settling")
    return table


def ended(number: int = 1, outcome: str = "stands", **given: object) -> do.Command:
    return floor(do.EndDispute, number=number, outcome=outcome, note="looked at", **given)


@every_book
def test_a_box_in_dispute_waits_and_its_cards_stay(book: str) -> None:
    table = settling(book)
    (case,) = table.give(player(do.OpenDispute, box=1, reason=WHY, wager="ante"))
    clause = table.state.book.procedure.clear_clause
    assert case == ev.DisputeOpened(
        clauses=(f"{book} {clause}",),
        box=1,
        number=1,
        round=1,
        player="P1",
        by="P1",
        reason=WHY,
        wager="ante",
        at_s=table.at_s,
    )
    why = refused(table, dealer(do.SettleBox, box=1, meters=table.meters))
    assert why.sentence == "Box 1 waits: dispute 1 is open"
    table.give(ended())
    table.give(dealer(do.SettleBox, box=1, meters=table.meters))
    table.give(dealer(do.OpenDispute, box=1, reason="he asks to see the cards"))
    assert refused(table, dealer(do.ClearCards, meters=table.meters)).sentence.endswith("2 is open")
    table.give(ended(2))
    table.give(dealer(do.ClearCards, meters=table.meters))
    assert not table.state.disputes


def test_the_automatic_house_ends_what_holds_up_its_round() -> None:
    table = settling()
    table.give(player(do.OpenDispute, box=1, reason=WHY))
    table.work()
    assert table.state.round.number == 2
    (end,) = (event for event in table.events if isinstance(event, ev.DisputeEnded))
    assert (end.outcome, end.by) == ("stands", "floorperson")


def test_a_round_that_is_over_is_disputed_too() -> None:
    table = settling()
    table.work()
    (case,) = table.give(player(do.OpenDispute, box=1, reason=WHY))
    assert isinstance(case, ev.DisputeOpened)
    assert (case.round, table.state.round.number) == (1, 2)
    table.bet(1, ante="$10", blind="$10")
    (second,) = table.give(floor(do.OpenDispute, box=1, reason=WHY))
    assert isinstance(second, ev.DisputeOpened)
    assert (second.number, second.round) == (2, 2)
    assert refused(table, player(do.OpenDispute, box=1, reason=WHY, round=1)).sentence == (
        "A dispute of box 1 in round 1 is open already"
    )
    far = refused(table, player(do.OpenDispute, box=1, reason=WHY, round=3))
    assert far.sentence == "Round 3 was not played yet"


def test_a_correction_is_a_line_of_its_own_behind_which_two_people_stand() -> None:
    table = settling(keeps_chips=True)
    table.work()
    had = table.state.chips[1]
    table.give(player(do.OpenDispute, box=1, reason=WHY))
    (asked,) = table.give(ended(outcome="corrected", cents=2_500))
    assert isinstance(asked, ev.SecondAsked)
    assert table.state.chips[1] == had
    refused(table, floor(do.Second, act="correct", box=1, upheld=True))
    paid, end, _ = table.give(manager(do.Second, act="correct", box=1, upheld=True))
    assert isinstance(paid, ev.ShortfallPaid)
    assert isinstance(end, ev.DisputeEnded)
    assert (paid.cents, end.outcome, end.by) == (2_500, "corrected", "Flo")
    assert table.state.chips[1] == had + 2_500
    table.give(dealer(do.OpenDispute, box=1, reason="paid twice"))
    too_much = ended(2, "corrected", cents=had + 10_000, to="house")
    assert "in chips; this takes" in refused(table, too_much).sentence
    table.give(ended(2, "corrected", cents=2_500, to="house"))
    table.give(manager(do.Second, act="correct", box=1, upheld=True))
    assert table.state.chips[1] == had
    assert not table.state.disputes


def test_a_void_ends_it_only_where_the_round_is_void() -> None:
    table = settling()
    table.give(player(do.OpenDispute, box=1, reason=WHY))
    why = refused(table, ended(outcome="void"))
    assert why.sentence == "Round 1 is not void: void it first, and say the cause there"
    voided(table, "power-lost")
    table.give(ended(outcome="void"))
    table.work()
    assert table.state.round.number == 2


def test_figures_go_with_a_correction_alone_and_with_whoever_is_there() -> None:
    table = settling()
    table.work()
    table.give(player(do.OpenDispute, box=1, reason=WHY))
    said = "A correction says how much, and nothing else does"
    assert refused(table, ended(cents=5)).sentence == said
    assert refused(table, ended(outcome="corrected")).sentence == said
    assert refused(table, ended(7)).sentence == "No dispute 7 is open"
    table.give(player(do.LeaveBox, box=1))
    gone = refused(table, ended(outcome="corrected", cents=5))
    assert gone.sentence == "P1 sits at no box: nothing can be paid there"
    table.give(player(do.TakeBox, box=3))
    table.give(ended(outcome="corrected", cents=5))
    paid, *_ = table.give(manager(do.Second, act="correct", box=1, upheld=True))
    assert isinstance(paid, ev.ShortfallPaid)
    assert paid.box == 3


def test_only_who_is_in_it_and_the_house_know_of_it() -> None:
    table = settling()
    table.give(player(do.OpenDispute, box=1, reason=WHY))
    (case,) = table.state.disputes
    for viewer in (FLOORPERSON, SURVEILLANCE):
        assert view(table.state, viewer).disputes == (case,)
    (own,) = view(table.state, ANN).disputes
    assert own == Dispute(
        number=1, round=1, box=1, player="P1", at_s=case.at_s, reason=WHY, wager="", by=""
    )
    for viewer in (BOB, PUBLIC):
        assert not view(table.state, viewer).disputes


def test_nobody_disputes_for_another_and_nobody_decides_at_a_practice_table() -> None:
    table = settling()
    assert refused(table, player(do.OpenDispute, "P2", box=1, reason=WHY)).sentence == (
        "Box 1 is not yours"
    )
    assert refused(table, dealer(do.OpenDispute, box=6, reason=WHY)).sentence == (
        "Nobody sits at box 6"
    )
    refused(table, player(do.EndDispute, number=1, outcome="stands", note="mine"))
    practice = settling(practice=True, keeps_chips=True)
    alone = refused(practice, player(do.OpenDispute, box=1, reason=WHY))
    assert alone.sentence == "At a practice table there is nobody to decide a dispute"
