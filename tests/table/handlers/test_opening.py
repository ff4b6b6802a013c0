"""Chapters 3 to 5: decks, opening, shuffle, cut, the idle table and the stub."""

from __future__ import annotations

from functools import partial

import pytest

from croupier.facts.errors import Unreadable
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, phase
from croupier.table.beyond import Beyond
from croupier.table.engine import run
from croupier.table.handlers.opening import opening_stages
from croupier.table.handlers.stub_count import THE_DEALER, hands_dealt
from croupier.table.state import DeckStage, State, replace
from croupier.table.views import DEALER, FLOORPERSON, PUBLIC, TableSight, view
from tests.citing import in_book, in_uth
from tests.table.people import dealer, floor, player
from tests.table.tables import Table, cited, inspection, opened, refused, terms, told

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
every_book = pytest.mark.parametrize("book", BOOKS)
STUB_DUTIES = [
    *((book, way) for book in ("UTH-S", "UTH-14") for way in ("shoe", "hand", "shuffler")),
    *(("FCP-14", way) for way in ("shoe", "hand")),
]


@pytest.mark.clause(
    *in_uth("4", "4.A", "4.B", "4.C", "4.C(1)", "4.C(2)", "4.C(3)", "4.D", "5.A(1)", "5.B")
)
@pytest.mark.clause(
    *in_book("FCP-14", "4.A", "4.B", "4.C", "4.C(1)", "4.C(2)", "4.C(3)", "4.D", "5.A(1)", "5.C")
)
@every_book
def test_a_deck_goes_through_every_step_of_the_opening_in_order(book: str) -> None:
    table = Table(terms(book, "shoe", shuffler=False))
    table.give(floor(do.ReceiveDeck, color="red"))
    steps = [
        inspection(table.state),
        floor(do.VerifyInspection, color="red", shoe_in_place=True),
        dealer(do.SpreadDeck, color="red"),
        dealer(do.WashDeck, color="red"),
        dealer(do.StackDeck, color="red"),
        dealer(do.Shuffle, color="red"),
        dealer(do.Cut, cards=20),
    ]
    for at, step in enumerate(steps):
        for later in steps[at + 1 :]:
            refused(table, later)
        if isinstance(step, do.WashDeck):
            assert refused(table, step).clause == f"{book} 4.B"  # nobody has seen the cards yet
            table.sit(1)
        table.give(step)
    assert table.state.deck is not None
    assert table.state.deck.stage == "ready"
    assert {f"{book} 4.A", f"{book} 4.B", f"{book} 4.C(2)", f"{book} 5.A(1)"} <= cited(table)


@pytest.mark.parametrize("shuffler", [False, True])
@every_book
def test_a_view_says_how_far_each_deck_is_opened(book: str, shuffler: bool) -> None:
    """Until the first deck is ready; a later one until it is stacked."""
    table = Table(terms(book, "shoe", shuffler=shuffler))
    assert view(table.state, PUBLIC).opening == {"": 0}
    table.sit(1)
    stages = opening_stages(table.state.terms)
    assert ("shuffled" in stages) is not shuffler
    for behind, stage in enumerate(stages, 1):
        table.work(partial(_is_at, stage))
        seen = view(table.state, PUBLIC).opening
        assert seen == ({} if stage == "ready" else {"red": behind})
    table.state = replace(table.state, round=replace(table.state.round, number=2))
    table.give(floor(do.RemoveDeck, color="red"))
    for behind, stage in enumerate(stages[: stages.index("stacked") + 1], 1):
        table.work(partial(_is_at, stage))
        seen = view(table.state, PUBLIC).opening
        assert seen == ({} if stage == "stacked" else {"red": behind})
    assert not view(opened(terms(book, electronic_shoe=True)).state, PUBLIC).opening


def _is_at(stage: DeckStage, state: State) -> bool:
    return state.deck is not None and state.deck.stage == stage


@pytest.mark.clause(*in_uth("4.A"), "FCP-14 4.A")
@every_book
def test_only_a_floorperson_verifies_the_inspection(book: str) -> None:
    table = Table(terms(book, "shoe"))
    table.give(floor(do.ReceiveDeck, color="red"))
    table.give(inspection(table.state))
    assert (
        refused(table, dealer(do.VerifyInspection, color="red", shoe_in_place=True)).clause
        == f"{book} 4.A"
    )
    table.give(do.VerifyInspection(by="Max", role="manager", color="red", shoe_in_place=True))


@pytest.mark.clause(*in_uth("3.A(2)", "3.A(3)", "3.B(1)", "8.A"))
@pytest.mark.clause(*in_book("FCP-14", "3.A(1)", "3.A(2)", "3.B(1)", "8.A"))
@every_book
def test_the_opening_records_the_cards_their_cover_cards_and_the_shoe(book: str) -> None:
    bound = terms(book, "shoe", shuffler=True, deck_colors=("red", "blue"))
    table = Table(bound)
    covers = bound.book.deck.cover_cards
    for color in ("red", "blue"):
        table.give(floor(do.ReceiveDeck, color=color))
    differ = dealer(do.InspectDeck, color="red", alike=False, cover_cards=covers.count)
    alike = refused(table, differ)
    assert alike.clause == f"{book} {'3.A(1)' if book == 'FCP-14' else '3.A(2)'}"
    wrong = refused(
        table, dealer(do.InspectDeck, color="red", alike=True, cover_cards=covers.count + 1)
    )
    assert wrong.clause == f"{book} {covers.clause}"
    silent = {"do": "inspect-deck", "by": "D", "role": "dealer", "color": "red", "alike": True}
    with pytest.raises(Unreadable, match="cover_cards"):
        do.command_of(silent)  # How many there are is said by who looked, never by a default.
    (inspected,) = table.give(inspection(table.state))
    assert {alike.clause, wrong.clause, f"{book} 3.B(1)"} <= {*inspected.clauses}
    elsewhere = floor(do.VerifyInspection, color="red", shoe_in_place=False)
    assert refused(table, elsewhere).clause == f"{book} 8.A"
    (verified,) = table.give(floor(do.VerifyInspection, color="red", shoe_in_place=True))
    assert isinstance(verified, ev.InspectionVerified)
    assert verified.shoe_in_place
    assert f"{book} 8.A" in verified.clauses


@pytest.mark.clause(*in_uth("4.E"), "FCP-14 4.E")
@every_book
def test_with_two_decks_each_goes_through_the_opening_first(book: str) -> None:
    table = opened(terms(book, "shuffler", deck_colors=("red", "blue")))
    table.give(floor(do.RemoveDeck, color="blue"))
    table.give(floor(do.ReceiveDeck, color="blue"))
    bet = player(do.PlaceWagers, box=1, stakes={"ante": 1000})
    assert refused(table, bet).clause == f"{book} 4.E"


@pytest.mark.clause(*in_uth("4.F", "5.D(2)", "5.F(2)"), *in_book("FCP-14", "4.F", "5.C(2)"))
@every_book
def test_a_preshuffled_deck_needs_only_its_cut(book: str) -> None:
    table = Table(terms(book, "shoe", shuffler=False))
    table.give(floor(do.ReceiveDeck, color="red", preshuffled=True))
    table.sit(1)
    table.give(dealer(do.Cut, cards=10))
    assert not told(table, ev.DeckInspected, ev.DeckWashed, ev.DeckShuffled)


@pytest.mark.clause(*in_uth("3.B", "3.B(1)", "3.B(2)"), *in_book("FCP-14", "3.B", "3.B(2)"))
@every_book
def test_two_decks_differ_in_color_and_need_a_shuffler(book: str) -> None:
    table = Table(terms(book, "shuffler", deck_colors=("red", "blue")))
    table.give(floor(do.ReceiveDeck, color="red"))
    assert refused(table, floor(do.ReceiveDeck, color="red")).clause == f"{book} 3.B(2)"
    assert refused(table, floor(do.ReceiveDeck, color="green")).clause == f"{book} 3.B(2)"
    table.give(floor(do.ReceiveDeck, color="blue"))
    alone = Table(terms(book, "shoe", shuffler=False, deck_colors=("red", "blue")))
    alone.give(floor(do.ReceiveDeck, color="red"))
    one_deck = "3.A" if book == "FCP-14" else "3.A(1)"
    assert refused(alone, floor(do.ReceiveDeck, color="blue")).clause == f"{book} {one_deck}"


@pytest.mark.clause(*in_uth("3.B(3)", "3.B(4)", "3.B(5)", "4.E"))
@pytest.mark.clause(*in_book("FCP-14", "3.B(3)", "3.B(4)", "3.B(5)", "4.E"))
@every_book
def test_two_decks_alternate_round_by_round(book: str) -> None:
    table = opened(terms(book, "shuffler", deck_colors=("red", "blue")))
    colors = []
    for _ in range(3):
        _bet(table, book)
        table.work(lambda state: state.round.stage == "play" and bool(state.round.out))
        idle = next(d for d in table.state.decks if d.color != table.state.round.color)
        colors.append(table.state.round.color)
        assert idle.color != table.state.round.color
        _void(table)
    assert colors == ["red", "blue", "red"]
    assert {f"{book} 3.B(4)", f"{book} 4.E"} <= cited(table)


def _bet(table: Table, book: str) -> None:
    if book == "FCP-14":
        table.bet(1, ante="$10")
    else:
        table.bet(1, ante="$10", blind="$10")


def _void(table: Table) -> None:
    table.give(dealer(do.Declare, name="wrong-number-dealt"))
    table.give(floor(do.Confirm, upheld=True))
    table.give(dealer(do.ClearCards))
    table.work()


@pytest.mark.clause(
    *in_uth("5.F", "5.F(1)", "5.D(2)"), *in_book("FCP-14", "5.D", "5.D(1)", "5.D(2)")
)
@pytest.mark.parametrize("cards", [0, 9, 52, 60])
@every_book
def test_a_cut_is_ten_to_fifty_one_cards(book: str, cards: int) -> None:
    table = opened(terms(book, "shoe", shuffler=False))
    table.give(floor(do.OrderRecut))
    clause = "5.D" if book == "FCP-14" else "5.F"
    assert refused(table, dealer(do.Cut, cards=cards)).clause == f"{book} {clause}"
    table.give(dealer(do.Cut, cards=51))


@pytest.mark.clause(*in_uth("5.G"), "FCP-14 5.E")
@every_book
def test_a_recut_comes_from_the_floor_and_before_the_first_card(book: str) -> None:
    table = opened(terms(book, "shoe", shuffler=False))
    clause = f"{book} 5.E" if book == "FCP-14" else f"{book} 5.G"
    refused(table, dealer(do.OrderRecut))
    _bet(table, book)
    table.give(dealer(do.NoMoreBets))
    table.give(floor(do.OrderRecut))
    deal = do.Deal(by="Dee", role="dealer", cards=("2c",))
    assert refused(table, deal).clause.endswith(("5.D(2)", "5.C(2)"))
    table.give(dealer(do.Cut, cards=30))
    table.give(deal)
    assert refused(table, floor(do.OrderRecut)).clause == clause


@pytest.mark.clause(*in_uth("5.G"), "FCP-14 5.E")
def test_what_was_never_cut_is_not_recut() -> None:
    table = opened(terms("UTH-S", "shuffler"))
    assert refused(table, floor(do.OrderRecut)).clause == "UTH-S 5.G"


@pytest.mark.clause(*in_uth("5.D(1)", "9.A(1)"), *in_book("FCP-14", "5.C(1)", "9.A(1)"))
@every_book
def test_a_shuffler_excuses_the_cut_and_dealing_by_hand_needs_it(book: str) -> None:
    table = opened(terms(book, "hand"))
    assert not told(table, ev.DeckCut)
    table.give(floor(do.OrderShuffle, color="red"))
    by_hand = dealer(do.Shuffle, color="red", by_device=False)
    assert refused(table, by_hand).clause == f"{book} 9.A(1)"


@pytest.mark.clause(
    *in_uth("5.A(2)", "5.A(3)", "5.A"), *in_book("FCP-14", "5.A", "5.A(2)", "5.A(3)")
)
@every_book
def test_cards_are_shuffled_after_each_round_and_when_a_floorperson_says(book: str) -> None:
    table = opened(terms(book, "shuffler"))
    _bet(table, book)
    table.work(lambda state: bool(state.round.out))
    _void(table)
    assert f"{book} 5.A(2)" in cited(table)
    refused(table, dealer(do.OrderShuffle, color="red"))
    table.give(floor(do.OrderShuffle, color="red"))
    _bet(table, book)
    assert refused(table, dealer(do.NoMoreBets)).clause == f"{book} 5.A(2)"


@pytest.mark.clause(*in_uth("5.E", "5.E(1)", "5.E(2)"), *in_book("FCP-14", "5.B", "5.B(1)"))
@pytest.mark.clause("FCP-14 5.B(2)")
@every_book
def test_a_shuffler_that_finds_not_52_sends_the_deck_away(book: str) -> None:
    table = opened(terms(book, "shuffler", shuffler_counts=True))
    table.give(floor(do.OrderShuffle, color="red"))
    _bet(table, book)
    clause = f"{book} 5.B" if book == "FCP-14" else f"{book} 5.E"
    assert refused(table, dealer(do.Shuffle, color="red", by_device=True)).clause == clause
    (removed,) = table.give(dealer(do.Shuffle, color="red", by_device=True, found=51))
    assert isinstance(removed, ev.DeckRemoved)
    assert removed.clauses == (clause,)
    refused(table, dealer(do.NoMoreBets))
    table.give(player(do.WithdrawWagers, box=1))  # wagers down may be withdrawn


@pytest.mark.clause(*in_uth("5.E", "5.I"), *in_book("FCP-14", "5.B", "5.G"))
@pytest.mark.parametrize("way", ["shuffler", "reshuffling-shoe"])
@every_book
def test_a_device_that_counts_not_52_sends_the_deck_away(book: str, way: str) -> None:
    shuffler = way == "shuffler"
    table = opened(terms(book, way, shuffler=shuffler, shuffler_counts=shuffler))
    table.give(floor(do.OrderShuffle, color="red"))
    (removed,) = table.give(dealer(do.Shuffle, color="red", by_device=True, found=51))
    assert isinstance(removed, ev.DeckRemoved)
    assert removed.clauses == (f"{book} 5.B" if book == "FCP-14" else f"{book} 5.E",)
    assert removed.why == f"the {way.replace('-', ' ')} found 51 cards"
    assert not table.state.decks


@pytest.mark.clause(*in_uth("5.E"), *in_book("FCP-14", "5.B"))
@every_book
def test_a_shuffle_by_hand_finds_no_number_of_cards(book: str) -> None:
    table = opened(terms(book, "shoe", shuffler=False))
    table.give(floor(do.OrderShuffle, color="red"))
    for found in (51, 52):
        with pytest.raises(Unreadable):
            table.give(dealer(do.Shuffle, color="red", found=found))
    table.give(dealer(do.Shuffle, color="red"))


@pytest.mark.clause(*in_uth("3.C", "3.C(1)", "3.C(2)"), *in_book("FCP-14", "3.C(1)", "3.C(2)"))
@pytest.mark.parametrize(("way", "hours", "clause"), [("hand", 4, "3.C(1)"), ("shoe", 8, "3.C(2)")])
@every_book
def test_an_overdue_deck_stops_the_next_round(book: str, way: str, hours: int, clause: str) -> None:
    table = opened(terms(book, way))
    _bet(table, book)
    late = dealer(do.NoMoreBets, at_s=hours * 3600)
    why = refused(table, late)
    assert why.clause == f"{book} {clause}"
    for before_s, overdue, waits in (
        (1, (), None),
        (0, ("red",), (why.sentence, why.clause)),
    ):
        sight = TableSight(table.state, beyond=Beyond(at_s=hours * 3600 - before_s))
        shown = sight.view(FLOORPERSON)
        assert (shown.overdue, shown.deck_waits) == (overdue, waits)
        assert sight.view(PUBLIC).deck_waits is None
        assert [one.due for one in shown.may if one.do == "remove-deck"] == [bool(overdue)]
        closes = "no-more-bets" in {one.do for one in sight.view(DEALER).may}
        assert closes is not bool(overdue)
    table.give(dealer(do.NoMoreBets, at_s=hours * 3600 - 1))
    table.at_s = hours * 3600
    table.work(lambda state: bool(state.round.out))  # a round in progress goes on
    _void(table)
    table.give(floor(do.RemoveDeck, color="red"))
    table.give(floor(do.ReceiveDeck, color="red", at_s=hours * 3600))
    assert table.state.deck is not None
    assert table.state.deck.opened_s == hours * 3600


@pytest.mark.clause(*in_uth("5.H", "5.H(1)", "5.H(2)"))
@pytest.mark.clause(*in_book("FCP-14", "5.F", "5.F(1)", "5.F(2)", "5.F(3)"))
@every_book
def test_an_idle_table_spreads_its_cards_and_opens_again(book: str) -> None:
    table = opened(terms(book, "shoe"))
    _bet(table, book)
    refused(table, dealer(do.GoIdle, face_up=False))  # wagers are down
    table.give(player(do.WithdrawWagers, box=1))
    (idle,) = table.give(dealer(do.GoIdle, face_up=False))
    assert isinstance(idle, ev.TableIdle)
    assert not idle.face_up
    refused(table, dealer(do.Shuffle, color="red", by_device=True))
    table.give(dealer(do.WashDeck, color="red"))
    table.give(dealer(do.StackDeck, color="red"))


@pytest.mark.clause(*in_uth("5.I"), *in_book("FCP-14", "5.G", "5.H"))
@every_book
def test_an_approved_shoe_that_reshuffles_needs_no_cut_and_no_count(book: str) -> None:
    table = opened(terms(book, "reshuffling-shoe", shuffler=False))
    assert not told(table, ev.DeckCut)
    for _ in range(7):
        _bet(table, book)
        table.work(lambda state: bool(state.round.out))
        _void(table)
    assert not told(table, ev.StubCounted)
    assert refused(table, floor(do.OrderRecut))


@pytest.mark.clause(*in_uth("8.E", "8.F", "9.C", "9.D", "10.C", "10.D"))
@pytest.mark.clause(*in_book("FCP-14", "8.G", "8.H", "8.H(1)", "9.C", "9.C(1)", "9.C(2)", "9.D"))
@pytest.mark.parametrize("way", ["shoe", "hand", "shuffler"])
@every_book
def test_the_stub_is_counted_every_fifth_round(book: str, way: str) -> None:
    table = opened(terms(book, way))
    for _ in range(5):
        _bet(table, book)
        table.work(lambda state: bool(state.round.out))
        _void(table)
    counted = told(table, ev.StubCounted)
    if (book, way) == ("FCP-14", "shuffler"):
        assert not counted  # the amendment strikes the duty
        return
    assert len(counted) == 1  # the house counted it between rounds, before a sixth
    clause = table.state.dealing.stub_count
    assert clause is not None
    assert counted[0].clauses[0] == f"{book} {clause.clause}"


@pytest.mark.clause(*in_uth("5.E", "8.E", "9.C", "10.C"), *in_book("FCP-14", "5.B", "8.G", "9.C"))
@pytest.mark.parametrize("way", ["shoe", "hand", "shuffler"])
@every_book
def test_a_shuffler_that_counts_leaves_no_stub_to_count(book: str, way: str) -> None:
    table = opened(terms(book, way, shuffler=True, shuffler_counts=True, fallback_ways=("hand",)))
    for _ in range(7):
        _bet(table, book)
        table.work(lambda state: bool(state.round.out))
        assert table.state.uncounted == 1
        _void(table)
        assert table.state.uncounted == 0
    assert not told(table, ev.StubCounted)


@pytest.mark.clause(*in_uth("5.E", "8.E"), *in_book("FCP-14", "5.B", "8.G"))
@every_book
def test_rounds_the_shuffler_counted_are_not_overdue_when_it_breaks(book: str) -> None:
    changes = {"shuffler": True, "shuffler_counts": True, "fallback_ways": ("shoe",)}
    table = opened(terms(book, "shuffler", **changes))
    for _ in range(6):
        _bet(table, book)
        table.work(lambda state: bool(state.round.out))
        _void(table)
    table.give(floor(do.ReportDevice, device="shuffler"))
    table.give(dealer(do.CoverDevice, device="shuffler", how="covered"))
    table.give(floor(do.ChangeWay, way="shoe"))
    _by_hand(table)
    _bet(table, book)
    table.give(dealer(do.NoMoreBets))
    assert not told(table, ev.StubCounted)


@pytest.mark.clause(*in_uth("8.E"), *in_book("FCP-14", "8.G"))
@every_book
def test_a_counting_shuffler_nobody_uses_does_not_count(book: str) -> None:
    table = opened(terms(book, "shoe", shuffler=True, shuffler_counts=True))
    table.give(floor(do.OrderShuffle, color="red"))
    for _ in range(5):
        _by_hand(table)
        _bet(table, book)
        table.give(dealer(do.NoMoreBets))
        table.work(lambda state: bool(state.round.out))
        table.give(dealer(do.Declare, name="wrong-number-dealt"))
        table.give(floor(do.Confirm, upheld=True))
        table.give(dealer(do.ClearCards))
    _by_hand(table)
    _bet(table, book)
    clause = "8.G" if book == "FCP-14" else "8.E"
    assert refused(table, dealer(do.NoMoreBets)).clause == f"{book} {clause}"
    table.give(dealer(do.CountStub, stub=52, on_table=0))
    table.give(dealer(do.NoMoreBets))


def _by_hand(table: Table) -> None:
    table.give(dealer(do.Shuffle, color="red"))
    table.give(dealer(do.Cut, cards=20))


@every_book
def test_a_sixth_round_without_a_count_is_refused(book: str) -> None:
    table = opened(terms(book, "shoe"))
    for _ in range(5):
        _bet(table, book)
        table.give(dealer(do.NoMoreBets))
        table.work(lambda state: bool(state.round.out))
        table.give(dealer(do.Declare, name="wrong-number-dealt"))
        table.give(floor(do.Confirm, upheld=True))
        table.give(dealer(do.ClearCards))
        table.work(lambda state: state.deck is not None and state.deck.stage == "ready")
    _bet(table, book)
    clause = "8.G" if book == "FCP-14" else "8.E"
    assert refused(table, dealer(do.NoMoreBets)).clause == f"{book} {clause}"


def _fifth_round(book: str, way: str) -> Table:
    """Every card of a fifth round is dealt and every question answered; none was counted."""
    table = opened(terms(book, way, shuffler=way != "shoe"))
    for _ in range(4):
        _bet(table, book)
        table.work(lambda state: bool(state.round.out))
        table.give(dealer(do.Declare, name="wrong-number-dealt"))
        table.give(floor(do.Confirm, upheld=True))
        table.work(lambda state: state.round.stage == "betting")
    _bet(table, book)
    table.work()
    while phase(table.state) == "acting":
        table.give(dealer(do.TimeOut, box=1))
        table.work(lambda state: phase(state) in ("acting", "revealing"))
    return table


@pytest.mark.clause(*in_uth("8.E", "9.C", "10.C"), *in_book("FCP-14", "8.G", "9.C(1)"))
@pytest.mark.parametrize(("book", "way"), [*STUB_DUTIES])
def test_a_count_that_falls_due_in_a_round_comes_before_the_reveal(book: str, way: str) -> None:
    table = _fifth_round(book, way)
    rule = table.state.dealing.stub_count
    assert rule is not None
    assert refused(table, dealer(do.Reveal)).clause == f"{book} {rule.clause}"
    offers = {option.do: option for option in view(table.state, DEALER).may}
    assert offers["count-stub"].due
    assert offers["count-stub"].hands == hands_dealt(table.state)
    assert "reveal" not in offers
    out = len(table.state.round.out)
    before = table.state
    table.give(dealer(do.CountStub, stub=52 - out, on_table=out))
    table.give(dealer(do.Reveal))
    table.state = before
    hands = hands_dealt(table.state)
    table.give(dealer(do.CountStub, stub=51 - out, on_table=out, hands=hands))
    table.give(floor(do.Confirm, upheld=True))
    assert table.state.round.stage == "void"


@pytest.mark.clause(*in_uth("8.E", "9.C", "10.C"))
@pytest.mark.parametrize("way", ["shoe", "hand"])
@pytest.mark.parametrize("book", ["UTH-S", "UTH-14"])
def test_what_is_saved_of_a_round_is_not_settled_before_a_count_that_is_due(
    book: str, way: str
) -> None:
    table = opened(terms(book, way, shuffler=way != "shoe"))
    table.state = replace(table.state, uncounted=4)
    table.bet(1, ante="$10", blind="$10", trips="$5")
    table.work(lambda state: "dealer" in state.round.places and phase(state) == "acting")
    seen = table.state.round.places["dealer"][:1]
    table.give(dealer(do.Declare, name="dealer-card-exposed", exposed=seen))
    table.give(floor(do.Confirm, upheld=True, meters=table.meters))
    table.work(lambda state: phase(state) == "settling")
    assert table.state.round.stage == "salvage"
    rule = table.state.dealing.stub_count
    assert rule is not None
    assert refused(table, dealer(do.SettleBox, box=1)).clause == f"{book} {rule.clause}"
    table.work()
    assert [type(e) for e in told(table, ev.StubCounted, ev.BoxSettled)] == [
        ev.StubCounted,
        ev.BoxSettled,
    ]


@pytest.mark.clause(*in_uth("8.G(1)", "8.G", "9.E(1)", "10.E(1)", "9.E", "10.E"))
@pytest.mark.clause(*in_book("FCP-14", "8.H(3)", "9.F", "10.F", "8.H(2)", "9.E", "10.E"))
@pytest.mark.clause(
    *in_book("FCP-14", "8.H(2)(a)", "8.H(2)(b)", "9.E(1)", "9.E(2)", "10.E(1)", "10.E(2)")
)
@pytest.mark.parametrize("way", ["shoe", "hand", "shuffler"])
@every_book
def test_52_cards_but_misdealt_voids_and_keeps_the_deck(book: str, way: str) -> None:
    table = _dealt_out(book, way)
    out = len(table.state.round.out)
    count = dealer(do.CountStub, stub=52 - out - 1, on_table=out + 1)
    _hands_are_asked_for(table, count)
    table.give(replace(count, hands=hands_dealt(table.state)))
    assert table.state.hold is not None  # the floorperson confirms before money moves
    table.give(floor(do.Confirm, upheld=True))
    assert table.state.round.stage == "void"
    assert table.state.decks
    assert table.state.dealing.procedure.stub_misdealt_clause in " ".join(cited(table))


@pytest.mark.clause(*in_uth("8.G", "9.E", "10.E"), *in_book("FCP-14", "8.H(2)", "9.E", "10.E"))
@pytest.mark.parametrize("way", ["shoe", "hand", "shuffler"])
@every_book
def test_one_card_too_many_here_and_too_few_there_is_a_misdeal(book: str, way: str) -> None:
    """The sum is right; the dealer says which boxes held how many (ruling 46)."""
    table = opened(terms(book, way))
    for box in (1, 2):
        table.bet(box, ante="$10", **({} if book == "FCP-14" else {"blind": "$10"}))
    table.work()
    while (asked := asked_box(table.state)) is not None:
        table.give(dealer(do.TimeOut, box=asked.seat))
        table.work(lambda state: phase(state) in ("acting", "revealing"))
    out, each = len(table.state.round.out), len(table.state.round.boxes[1].cards)
    count = dealer(do.CountStub, stub=52 - out, on_table=out, hands={1: each, 2: each})
    right = run(table.state, count)[0]
    assert (right.hold, right.round.counted) == (None, True)
    stranger = dealer(do.CountStub, stub=52 - out, on_table=out, hands={5: each})
    assert "Box 5 is not in the round" in refused(table, stranger).sentence
    dealers = len(table.state.round.places["dealer"])
    assert "do not fit" in refused(table, replace(count, hands={1: 52})).sentence
    assert run(table.state, replace(count, hands={0: dealers}))[0].hold is None
    assert run(table.state, replace(count, hands={0: dealers + 1}))[0].hold is not None
    counted, *_ = table.give(replace(count, hands={1: each + 1, 2: each - 1}))
    assert isinstance(counted, ev.StubCounted)
    assert (counted.right, counted.hands) == (False, {1: each + 1, 2: each - 1})
    assert 46 in counted.rulings
    assert table.state.hold is not None
    table.give(floor(do.Confirm, upheld=True))
    assert (table.state.round.stage, bool(table.state.decks)) == ("void", True)


@pytest.mark.clause(*in_uth("8.G(2)", "9.E(2)", "10.E(2)"))
@pytest.mark.clause(*in_book("FCP-14", "8.H(4)", "9.G", "10.G"))
@pytest.mark.parametrize("way", ["shoe", "hand", "shuffler"])
@every_book
def test_not_52_cards_voids_and_the_deck_leaves(book: str, way: str) -> None:
    table = _dealt_out(book, way)
    count = dealer(do.CountStub, stub=10, on_table=len(table.state.round.out))
    _hands_are_asked_for(table, count)
    table.give(replace(count, hands=hands_dealt(table.state)))
    table.give(floor(do.Confirm, upheld=True))
    assert table.state.round.stage == "void"
    assert not table.state.decks
    refused(table, dealer(do.CountStub, stub=10, on_table=10))


@pytest.mark.clause(*in_uth("8.F", "9.D", "10.D"), *in_book("FCP-14", "8.H(1)", "9.D", "10.D"))
@pytest.mark.parametrize("way", ["shoe", "hand", "shuffler"])
@every_book
def test_a_right_count_changes_nothing_but_the_record(book: str, way: str) -> None:
    table = _dealt_out(book, way)
    out = len(table.state.round.out)
    (counted,) = table.give(dealer(do.CountStub, stub=52 - out, on_table=out))
    assert isinstance(counted, ev.StubCounted)
    assert counted.right
    assert table.state.uncounted == 0
    assert table.state.round.stage == "play"


@pytest.mark.clause(*in_uth("8.E", "9.C", "10.C"), *in_book("FCP-14", "8.G", "9.C(1)", "10.D"))
@pytest.mark.parametrize("way", ["shoe", "hand", "shuffler"])
@every_book
def test_a_stub_is_counted_once_and_before_the_first_box_is_settled(book: str, way: str) -> None:
    table = _dealt_out(book, way)
    out = len(table.state.round.out)
    count = dealer(do.CountStub, stub=52 - out, on_table=out)
    late = _dealt_out(book, way)
    late.work(lambda state: phase(state) == "settling")
    settled = late.state
    late.give(count)  # the dealer's cards are turned, no box is settled
    late.state = settled
    late.work(lambda state: phase(state) == "clearing")
    assert "before the first box" in refused(late, count).sentence
    table.give(count)
    assert "is counted" in refused(table, count).sentence
    table.work()
    between = dealer(do.CountStub, stub=52, on_table=0)
    assert "since the cards were counted" in refused(table, between).sentence


@pytest.mark.clause(*in_uth("8.E", "8.G(2)"), *in_book("FCP-14", "8.G", "8.H(4)"))
@every_book
def test_between_rounds_the_deck_that_was_dealt_is_counted(book: str) -> None:
    table = opened(terms(book, "shoe", shuffler=True, deck_colors=("red", "blue")))
    _bet(table, book)
    table.work(lambda state: bool(state.round.out))
    table.give(dealer(do.Declare, name="wrong-number-dealt"))
    table.give(floor(do.Confirm, upheld=True))
    table.give(dealer(do.ClearCards))
    assert table.state.color == "blue"
    counted, removed = table.give(dealer(do.CountStub, stub=51, on_table=0))
    assert isinstance(counted, ev.StubCounted)
    assert counted.color == "red"
    assert isinstance(removed, ev.DeckRemoved)
    assert removed.color == "red"
    assert table.state.color == "blue"
    assert table.state.uncounted == 1  # the blue deck was not looked at


@every_book
def test_a_count_that_was_overruled_may_be_made_again(book: str) -> None:
    table = _dealt_out(book, "shoe")
    out = len(table.state.round.out)
    hands = hands_dealt(table.state)
    table.give(dealer(do.CountStub, stub=51 - out, on_table=out, hands=hands))
    table.give(floor(do.Confirm, upheld=False))
    assert table.state.uncounted == 1
    table.give(dealer(do.CountStub, stub=52 - out, on_table=out))
    assert table.state.uncounted == 0


def _hands_are_asked_for(table: Table, count: do.Command) -> None:
    """A wrong count is no count until it says which boxes held how many cards (ruling 46)."""
    clause = table.state.book.cite(table.state.dealing.procedure.stub_misdealt_clause)
    dealers = {THE_DEALER: len(table.state.round.places["dealer"])}
    for said, missing in (({}, "box 1, the dealer"), (dealers, "box 1")):
        why = refused(table, replace(count, hands=said))
        assert (why.clause, why.sentence.endswith(f"missing: {missing}")) == (clause, True)


def _dealt_out(book: str, way: str) -> Table:
    """Every card of a round is dealt, and every question answered."""
    table = opened(terms(book, way))
    _bet(table, book)
    table.work()
    if book == "FCP-14":
        table.give(player(do.Fold, box=1))
    else:
        for kind in (do.Check, do.Check, do.Fold):
            table.give(player(kind, box=1))
            table.work(lambda state: phase(state) == "revealing")
    return table


@pytest.mark.clause("UTH-S 11.L")
def test_an_electronic_table_has_no_deck_to_handle() -> None:
    table = Table(terms("UTH-S", electronic=True, electronic_shoe=True))
    table.sit(1)
    refused(table, player(do.PlaceWagers, box=1, stakes={"ante": 1000}))
    refused(table, floor(do.ReceiveDeck, color="red"))
    table.work()
    (opened_event,) = told(table, ev.TableOpened)
    assert 38 in opened_event.rulings
    refused(table, dealer(do.OpenTable))
    for command in (dealer(do.Cut, cards=20), dealer(do.CountStub, stub=52, on_table=0)):
        refused(table, command)


def test_time_does_not_run_backwards() -> None:
    table = Table(terms("UTH-S", "shoe"))
    table.give(floor(do.ReceiveDeck, color="red", at_s=100))
    assert table.state.at_s == 100
    with pytest.raises(Unreadable, match="the clock is wrong"):
        table.give(inspection(table.state, at_s=99))
    table.give(inspection(table.state, at_s=100))
    assert [event.at_s for event in table.events] == [100, 100]


def test_a_paper_table_is_not_opened_with_a_button() -> None:
    table = Table(terms("UTH-S", "shoe"))
    assert refused(table, dealer(do.OpenTable)).clause == "UTH-S 4.A"
