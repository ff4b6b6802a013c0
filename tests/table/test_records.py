"""Each event cites what it records: the clause, and where the text is silent our own ruling."""

from __future__ import annotations

import re

import msgspec
import pytest

from croupier.audit.records.schema import LineRecord
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, phase
from croupier.table.narration import narrate as sentence
from croupier.table.receipt_line import SettledLine, line_as
from croupier.table.views import SURVEILLANCE, LineView, view
from tests.citing import each_book, in_book, in_uth
from tests.table.people import dealer, floor, player
from tests.table.tables import Table, cited, opened, refused, terms, told, voided

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
every_book = pytest.mark.parametrize("book", BOOKS)
every_uth = pytest.mark.parametrize("book", ["UTH-S", "UTH-14"])


def bet(table: Table, **more: str) -> None:
    blind = {} if table.state.book.id == "FCP-14" else {"blind": "$10"}
    table.bet(1, ante="$10", **blind, **more)


def answer_with(table: Table, *, plays: bool) -> None:
    """Box 1 makes its Play at once, or checks and folds; then to the end of the round."""
    while table.state.round.number == 1:
        box = asked_box(table.state)
        if box is None:
            table.work(lambda state: phase(state) == "acting" or state.round.number > 1)
        elif plays:
            table.give(player(do.Play, box=1, cents=3000))
        else:
            table.give(dealer(do.TimeOut, box=1))


# Opening, deal and stub


@pytest.mark.clause(*in_uth("4.C"), "FCP-14 4.C")
@every_book
def test_the_wash_records_that_a_player_has_seen_the_cards(book: str) -> None:
    (washed,) = told(opened(terms(book)), ev.DeckWashed)
    assert f"{book} 4.C" in washed.clauses


@pytest.mark.clause(*in_book("FCP-14", "8.C(2)(a)", "9.A(4)(a)", "10.A(3)(a)", "8.F(1)", "10.C(1)"))
@pytest.mark.parametrize(
    ("way", "collected", "out"),
    [
        ("shoe", "8.C(2)(a)", "8.F(1)"),
        ("hand", "9.A(4)(a)", None),
        ("shuffler", "10.A(3)(a)", "10.C(1)"),
    ],
)
def test_chips_picked_up_and_the_stub_taken_out(way: str, collected: str, out: str | None) -> None:
    table = opened(terms("FCP-14", way))
    bet(table, progressive="$5")
    table.work()
    (chips,) = told(table, ev.ProgressiveCollected)
    assert f"FCP-14 {collected}" in chips.clauses
    last = told(table, ev.CardsDealt)[-1]
    assert out is None or f"FCP-14 {out}" in last.clauses


@pytest.mark.clause(*in_book("FCP-14", "8.H", "9.C(2)", "8.F(1)"))
@pytest.mark.parametrize(("way", "clause"), [("shoe", "8.H"), ("hand", "9.C(2)")])
def test_how_a_stub_is_counted_is_on_its_count(way: str, clause: str) -> None:
    table = opened(terms("FCP-14", way))
    bet(table)
    table.work()
    table.give(dealer(do.TimeOut, box=1))
    out = len(table.state.round.out)
    (counted,) = table.give(dealer(do.CountStub, stub=52 - out, on_table=out))
    assert f"FCP-14 {clause}" in counted.clauses


@pytest.mark.clause("FCP-14 11.D(11)(a)")
def test_the_cards_that_are_picked_up_are_recorded() -> None:
    table = opened(terms("FCP-14"))
    bet(table)
    answer_with(table, plays=True)
    assert "FCP-14 11.D(11)(a)" in cited(table)


# Who counts


@pytest.mark.clause(*in_uth("5.E(1)", "8.E"), *in_book("FCP-14", "5.B(1)", "8.G"))
@every_book
def test_a_shuffler_that_does_not_count_reports_no_count(book: str) -> None:
    """Else the duty to count the stub would never fall due."""
    table = opened(terms(book, "shoe", shuffler=True, shuffler_counts=False))
    for _ in range(5):
        bet(table)
        table.give(dealer(do.NoMoreBets))
        table.work(lambda state: state.round.was_dealt)
        voided(table, "other-cause", "a test")
        table.give(dealer(do.ClearCards))
        claimed = dealer(do.Shuffle, color="red", by_device=True, found=52)
        assert refused(table, claimed).clause == (
            f"{book} 5.B" if book == "FCP-14" else f"{book} 5.E"
        )
        table.give(dealer(do.Shuffle, color="red", by_device=True))
    bet(table)
    assert "since the last count" in refused(table, dealer(do.NoMoreBets)).sentence


@pytest.mark.clause(*in_uth("5.I"), "FCP-14 5.G")
@every_book
def test_a_shoe_that_reshuffles_always_says_what_it_counted(book: str) -> None:
    table = opened(terms(book, "reshuffling-shoe", shuffler=False))
    table.give(floor(do.OrderShuffle, color="red"))
    refused(table, dealer(do.Shuffle, color="red", by_device=True))
    table.give(dealer(do.Shuffle, color="red", by_device=True, found=52))


# Devices


@each_book(*in_uth("13.J(1)", "13.J(2)"), *in_book("FCP-14", "13.H(1)", "13.H(2)"))
def test_a_cover_and_a_sign_each_have_their_clause(book: str) -> None:
    number = "13.H" if book == "FCP-14" else "13.J"
    for how, part in (("covered", "(1)"), ("signed", "(2)")):
        table = opened(terms(book))
        table.give(dealer(do.ReportDevice, device="shuffler"))
        (event,) = table.give(dealer(do.CoverDevice, device="shuffler", how=how))
        assert event.clauses == (f"{book} {number}", f"{book} {number}{part}")


@pytest.mark.clause(*in_uth("13.I(2)", "13.I(3)"))
@every_uth
def test_a_shoe_that_jams_is_emptied_on_the_floorpersons_word(book: str) -> None:
    table = opened(terms(book))
    bet(table)
    table.work(lambda state: state.round.step == 1)
    table.give(dealer(do.Declare, name="shoe-jam"))
    before = table.state
    confirmed = table.give(floor(do.Confirm, upheld=True))[0]
    assert {f"{book} 13.I(2)", f"{book} 13.I(3)"} <= set(confirmed.clauses)
    assert "the device is emptied" in sentence(confirmed, before)


@pytest.mark.clause(*in_uth("13.H(1)", "13.H(3)"))
@every_uth
def test_a_shuffler_that_jams_is_emptied(book: str) -> None:
    table = opened(terms(book, deck_colors=("red", "blue")))
    table.give(floor(do.OrderShuffle, color="blue"))
    before = table.state
    (idle,) = table.give(dealer(do.Declare, name="shuffler-jam"))
    assert {f"{book} 13.H(1)", f"{book} 13.H(3)"} <= set(idle.clauses)
    assert "empty the device and reshuffle" in sentence(idle, before)


@pytest.mark.clause(
    *in_uth("13.B", "13.E", "13.F", "13.I"), *in_book("FCP-14", "13.B", "13.D", "13.E", "13.G")
)
@every_book
def test_the_remedy_says_what_happens_to_the_cards(book: str) -> None:
    table = opened(terms(book))
    rules = {rule.name: rule for rule in table.state.book.irregularities}
    for rule in rules.values():
        orders = rule.effect in ("void", "return and reshuffle", "reshuffle")
        assert ("reshuffle" in rule.remedy) >= orders, rule.name
    assert "empty the device" in rules["shoe-jam"].remedy
    assert "already dealt" in rules["shoe-jam"].remedy


# Boxes turned without Play, and wagers that no clause names


@pytest.mark.clause(*in_uth("11.F(3)(a)", "11.F(3)(c)", "11.I"))
@every_uth
def test_a_box_is_turned_for_the_contest_or_for_its_open_wagers(book: str) -> None:
    turn = "11.H(2)(a)" if book == "UTH-S" else "11.H(2)(i)"
    for plays in (True, False):
        table = opened(terms(book))
        bet(table, trips="$5", six_card_bonus="$5")
        answer_with(table, plays=plays)
        (turned,) = told(table, ev.BoxTurned)
        assert (f"{book} {turn}" in turned.clauses) is plays
        if not plays:
            wanted = ("11.F(3)(a)", "11.F(3)(c)", "11.I")
            assert turned.clauses == in_book(book, *wanted)


@pytest.mark.clause("FCP-14 11.D(4)(a)")
def test_four_card_poker_turns_every_player_by_one_clause() -> None:
    for plays in (True, False):
        table = opened(terms("FCP-14"))
        bet(table, aces_up="$5")
        answer_with(table, plays=plays)
        (turned,) = told(table, ev.BoxTurned)
        assert turned.clauses == in_book("FCP-14", "11.D(4)(a)", "11.D(4)(b)")


@pytest.mark.clause(*in_uth("13.F", "13.G"))
@pytest.mark.parametrize("trips", [True, False])
@every_uth
def test_wagers_that_no_clause_names_go_back_by_ruling_29(book: str, trips: bool) -> None:
    table = opened(terms(book))
    more = {"trips": "$5", "six_card_bonus": "$5"} if trips else {}
    bet(table, progressive="$5", **more)
    table.work()
    seen = table.state.round.places["dealer"][:1]
    table.give(dealer(do.Declare, name="dealer-card-exposed", exposed=seen))
    table.give(floor(do.Confirm, upheld=True, meters=table.meters))
    returned = (event for event in table.events if isinstance(event, ev.WagerReturned))
    back = {event.wager: event.rulings for event in returned}
    silent = {"progressive", "six_card_bonus"} if trips else {"progressive"}
    assert {wager for wager, rulings in back.items() if rulings == (29,)} == silent
    assert back["ante"] == back["blind"] == ()
    if trips:
        table.work(lambda state: state.round.number > 1)
        (turned,) = told(table, ev.BoxTurned)
        assert turned.clauses == (f"{book} 13.G",)


# Wagers placed again


@every_book
def test_an_amount_that_stays_does_not_stand_in_the_way_of_one_that_changes(book: str) -> None:
    table = opened(terms(book))
    bet(table)
    same = {name: int(c) for name, c in table.state.round.boxes[1].stakes.items()}
    refused(table, player(do.PlaceWagers, box=1, stakes=same))
    side = "aces_up" if book == "FCP-14" else "trips"
    placed = table.give(player(do.PlaceWagers, box=1, stakes={**same, side: 500}))
    assert [getattr(event, "wager", "") for event in placed] == [side]


# What decides


@pytest.mark.parametrize(
    ("own", "shows"),
    [
        ("Kc 8h", "pair of fours, king kicker, against pair of fours, jack kicker"),
        ("6c 8h", "pair of fours, ten kicker, against pair of fours, jack kicker"),
        ("Jd 8h", "pair of fours against pair of fours"),
        ("4s 8h", "three of a kind, fours against pair of fours"),
    ],
)
def test_of_two_hands_called_alike_the_card_that_decides_is_named(own: str, shows: str) -> None:
    script = f"2c 3c 4c 5c 4d 4h 9s Ts 2d Jc 7d {own}"
    table = opened(terms("UTH-S", "shuffler"), boxes=(1,), script=script)
    bet(table)
    answer_with(table, plays=True)
    lines = [line for line in told(table, ev.WagerSettled) if isinstance(line, ev.WagerSettled)]
    assert {line.shows for line in lines} == {shows}
    hands = re.split(",? against ", shows)
    seen = view(table.state, SURVEILLANCE).boxes[0].lines
    assert [[line.hand, line.dealer_hand] for line in lines] == [hands] * 3
    assert [[line.hand, line.dealer_hand] for line in seen] == [hands] * 3


@pytest.mark.parametrize("kind", [ev.WagerSettled, LineView, LineRecord])
def test_a_receipt_line_is_one_struct_for_event_view_and_record(kind: type[SettledLine]) -> None:
    """Each adds what is its own to the one that they share, and says nothing of it anew."""
    shared = {field.name for field in msgspec.structs.fields(SettledLine)}
    assert issubclass(kind, SettledLine)
    assert not shared & {*kind.__annotations__}
    line = SettledLine(box=3, wager="blind", stake_cents=1000, outcome=ev.Outcome.PUSH, shows="x")
    own = line_as(kind, line)
    assert [getattr(own, name) for name in shared] == [getattr(line, name) for name in shared]
