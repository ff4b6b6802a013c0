"""Rules of the table that no longer round goes through: one clause each, at its edge."""

from __future__ import annotations

import pytest

from croupier.facts.errors import Unreadable
from croupier.games.rules import bind
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, phase
from croupier.table.commands import read_command
from croupier.table.views import PUBLIC, Viewer, view
from tests.citing import in_book, in_uth
from tests.table.people import dealer, device, floor, player
from tests.table.tables import LETTERS, Table, opened, refused, terms

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
every_book = pytest.mark.parametrize("book", BOOKS)

# Bonus box, board, dealer, boxes 1 and 2: box 1 holds a straight flush with the flop.
STRAIGHT_FLUSH = "2c 3c 4d 5d 9h Th Jh 2s 3s 9c 9d 8h 7h 4c 4s"


def with_two_boxes(book: str, script: str = "", **side: str) -> Table:
    table = opened(terms(book), (1, 2), script)
    base = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
    for box in (1, 2):
        table.bet(box, **base, **side)
    table.work()
    return table


def play_all(table: Table) -> None:
    while phase(table.state) == "acting":
        box = asked_box(table.state)
        assert box is not None
        table.give(player(do.Play, f"P{box.seat}", box=box.seat, cents=3000))
        table.work(lambda state: phase(state) in ("acting", "revealing"))


@pytest.mark.clause(*in_uth("11.A(1)"), *in_book("FCP-14", "11.A(1)", "11.A(2)"))
@every_book
def test_nobody_answers_for_the_box_of_another(book: str) -> None:
    table = with_two_boxes(book)
    seated = "7.B" if book == "FCP-14" else "7.C"
    last = do.Fold if book == "FCP-14" else do.Check
    for stranger in ("P2", "Zoe"):
        for answer in (player(last, stranger, box=1), player(do.Play, stranger, box=1, cents=3000)):
            assert refused(table, answer).clause == f"{book} {seated}"
    table.give(player(do.Play, "P1", box=1, cents=3000))


@pytest.mark.clause(*in_uth("11.A(1)"), *in_book("FCP-14", "11.A(1)", "11.A(2)"))
@every_book
def test_no_staff_answers_for_a_player(book: str) -> None:
    table = with_two_boxes(book)
    for answer in (dealer(do.Fold, box=1), floor(do.Play, box=1, cents=3000)):
        refused(table, answer)


@pytest.mark.clause(*in_uth("4.D", "5.A(1)"), *in_book("FCP-14", "4.D", "5.A(1)"))
@every_book
def test_the_first_round_waits_for_a_shuffle_of_the_stack(book: str) -> None:
    table = Table(terms(book))
    table.sit(1)
    table.until(do.Shuffle)
    table.bet(1, **({"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}))
    assert refused(table, dealer(do.NoMoreBets)).clause == f"{book} 5.A(1)"


@pytest.mark.clause(*in_uth("5.F(1)"), "FCP-14 5.D(1)")
@every_book
def test_a_cut_puts_what_lay_on_top_below_the_rest(book: str) -> None:
    """And a recut moves the deck on from where the first cut left it."""
    table = Table(terms(book, "shoe"))
    table.sit(1)
    table.until(do.Cut)
    table.give(dealer(do.Cut, cards=20))
    assert table.state.round.cut == 20
    table.give(floor(do.OrderRecut))
    table.give(dealer(do.Cut, cards=40))
    assert table.state.round.cut == 60 - 52


@pytest.mark.parametrize(
    ("book", "way"),
    [
        pytest.param(book, way, marks=pytest.mark.clause(f"{book} {clause}"))
        for book, clauses in {
            "UTH-S": ("8.C(2)", "9.A(3)(a)", "10.A(2)(b)(i)"),
            "UTH-14": ("8.C(2)", "9.A(3)(a)", "10.A(2)(b)(i)"),
            "FCP-14": ("8.C(1)", "9.A(3)(b)", "10.A(2)(b)"),
        }.items()
        for way, clause in zip(("shoe", "hand", "shuffler"), clauses, strict=True)
    ],
)
def test_no_progressive_wager_is_accepted_after_no_more_bets(book: str, way: str) -> None:
    table = opened(terms(book, way))
    table.bet(1, **({"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}))
    table.give(table.until(do.NoMoreBets))
    assert refused(table, device(do.AcceptProgressive, box=1)).clause == f"{book} 2.C(2)"


@pytest.mark.clause(*in_uth("7.F(3)(b)"), "FCP-14 7.E(4)(b)")
@every_book
def test_the_light_of_a_box_is_seen_once_the_acceptor_took_its_wager(book: str) -> None:
    table = opened(terms(book))
    base = {"ante": 1000} if book == "FCP-14" else {"ante": 1000, "blind": 1000}
    table.give(player(do.PlaceWagers, box=1, stakes=base | {"progressive": 500}))
    for viewer in (Viewer(role="player", name="P1"), PUBLIC):
        assert not view(table.state, viewer).boxes[0].light
    table.give(device(do.AcceptProgressive, box=1))
    for viewer in (Viewer(role="player", name="P1"), PUBLIC):
        assert [box.light for box in view(table.state, viewer).boxes] == [True, False]


@pytest.mark.clause(*in_uth("7.F(3)"), "FCP-14 7.E(4)")
@every_book
def test_no_progressive_where_no_paytable_of_it_is_chosen(book: str) -> None:
    offered = terms(book)
    letters = {n: x for n, x in LETTERS[book].items() if n not in ("progressive", "envy")}
    rules = bind(offered.rules.game, offered.book, letters)
    table = opened(terms(book, rules=rules, rates=()))
    base = {"ante": 1000} if book == "FCP-14" else {"ante": 1000, "blind": 1000}
    table.give(player(do.PlaceWagers, box=1, stakes=base))
    clause = offered.book.wager("progressive").clause
    late = player(do.PlaceWagers, box=1, stakes={"progressive": 500})
    assert refused(table, late).clause == f"{book} {clause}"


@pytest.mark.clause(*in_uth("13.H(1)"))
@pytest.mark.parametrize("book", ["UTH-S", "UTH-14"])
def test_after_a_jam_no_round_begins_before_a_new_shuffle(book: str) -> None:
    table = opened(terms(book))
    table.give(floor(do.OrderShuffle, color="red"))
    table.bet(1, ante="$10", blind="$10")
    table.give(dealer(do.Declare, name="shuffler-jam"))
    table.give(floor(do.Confirm, upheld=True, meters=table.meters))
    table.bet(1, ante="$10", blind="$10")
    refused(table, dealer(do.NoMoreBets))
    assert isinstance(table.until(do.Shuffle), do.Shuffle)


@pytest.mark.clause(*in_uth("11.B(2)(a)", "11.D(2)(a)", "11.F(1)"))
@pytest.mark.parametrize(("checks", "cents"), [(0, 4000), (1, 2000), (2, 1000)])
@pytest.mark.parametrize("book", ["UTH-S", "UTH-14"])
def test_play_lies_on_its_spot_from_the_street_it_was_made_on(
    book: str, checks: int, cents: int
) -> None:
    table = with_two_boxes(book)
    for _ in range(checks):
        table.check(1)
        table.check(2)
    table.give(player(do.Play, "P1", box=1, cents=cents))
    assert table.state.round.boxes[1].stakes["play"] == cents


@pytest.mark.clause("FCP-14 11.D(1)(a)", "FCP-14 11.D(1)(b)")
def test_a_four_card_box_has_decided_by_its_play_or_its_fold() -> None:
    table = with_two_boxes("FCP-14")
    table.give(player(do.Play, "P1", box=1, cents=2000))
    assert table.state.round.boxes[1].stakes["play"] == 2000
    table.give(player(do.Fold, "P2", box=2))
    assert (asked_box(table.state), phase(table.state)) == (None, "revealing")


@pytest.mark.clause("UTH-S 11.H(2)(a)", "UTH-14 11.H(2)(i)", "FCP-14 11.D(4)(a)")
@every_book
def test_the_cards_of_a_box_are_turned_in_its_turn(book: str) -> None:
    table = with_two_boxes(book)
    play_all(table)
    table.give(table.until(do.SettleBox))
    one, two = view(table.state, PUBLIC).boxes
    assert two.cards == table.state.round.boxes[2].cards
    assert not {*one.cards} & {*table.state.round.boxes[1].cards}


@pytest.mark.clause("UTH-14 11.J(2)(d)(i)")
def test_a_share_of_the_meter_is_not_paid_from_the_table() -> None:
    """Not the whole meter alone: a tenth of it is a percentage too."""
    table = with_two_boxes("UTH-14", STRAIGHT_FLUSH, progressive="$5")
    play_all(table)
    table.work()
    lines = [event for event in table.events if isinstance(event, ev.WagerSettled)]
    won = [line for line in lines if line.wager == "progressive" and line.paid_cents]
    assert [(line.box, line.outside) for line in won] == [(1, True)]


@pytest.mark.clause("FCP-14 13.E")
def test_a_card_of_the_four_card_dealer_counts_until_the_dealer_reveals() -> None:
    """Also when all have acted: only the reveal ends it."""
    table = with_two_boxes("FCP-14")
    play_all(table)
    hidden = table.state.round.places["dealer"][:1]
    table.give(dealer(do.Declare, name="dealer-card-exposed", exposed=hidden))
    table.give(floor(do.Confirm, upheld=True, meters=table.meters))
    assert table.state.round.stage == "void"


@pytest.mark.clause("FCP-14 13.E")
def test_a_card_of_the_four_card_dealer_is_not_exposed_by_the_reveal() -> None:
    table = with_two_boxes("FCP-14")
    play_all(table)
    hidden = table.state.round.places["dealer"][:1]
    table.give(dealer(do.Reveal))
    late = dealer(do.Declare, name="dealer-card-exposed", exposed=hidden)
    assert refused(table, late).clause == "FCP-14 13.E"


@pytest.mark.clause(*in_uth("13.I"), "FCP-14 13.G")
@every_book
def test_a_shoe_jams_only_while_cards_are_to_come(book: str) -> None:
    table = with_two_boxes(book)
    play_all(table)
    jam = "13.G" if book == "FCP-14" else "13.I"
    assert refused(table, dealer(do.Declare, name="shoe-jam")).clause == f"{book} {jam}"


@pytest.mark.clause(*in_uth("7.B"))
@pytest.mark.parametrize("beside", ['"cash":1000', '"says":"forty on red"'])
def test_words_and_cash_beside_a_wager_are_not_taken(beside: str) -> None:
    chips = '{"do":"place-wagers","by":"Ann","role":"player","box":1,"stakes":{"ante":1000}'
    assert read_command(chips + "}")
    with pytest.raises(Unreadable, match="unknown field"):
        read_command(f"{chips},{beside}}}")


@pytest.mark.clause(*in_uth("7.A"), "FCP-14 7.A")
@every_book
def test_a_wager_lies_on_a_spot_of_the_layout(book: str) -> None:
    table = opened(terms(book))
    for spot in ("rail", "insurance", "dealer"):
        anywhere = player(do.PlaceWagers, box=1, stakes={spot: 1000})
        assert "is not offered" in str(refused(table, anywhere))
