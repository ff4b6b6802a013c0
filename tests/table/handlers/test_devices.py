"""Devices: those a table owns, what goes on without them, and the decks they shuffle."""

from __future__ import annotations

import pytest

from croupier.games.registry import the_registry
from croupier.submission.check import shipped_submission
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import cards_needed, phase
from croupier.table.automatic_dealer import next_duty
from croupier.table.handlers.stub_count import hands_dealt
from croupier.table.terms import terms_of
from tests.citing import in_book, in_uth
from tests.table.people import dealer, device, floor, player
from tests.table.tables import Table, opened, refused, terms, told

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
every_book = pytest.mark.parametrize("book", BOOKS)
OUT_OF_ORDER = {"UTH-S": "13.J", "UTH-14": "13.J", "FCP-14": "13.H"}
JAM = {"UTH-S": "13.I", "UTH-14": "13.I", "FCP-14": "13.G"}


def bet(table: Table, box: int = 1) -> None:
    fcp = table.state.book.id == "FCP-14"
    table.bet(box, **({"ante": "$10"} if fcp else {"ante": "$10", "blind": "$10"}))


def break_down(table: Table, name: str, *, cover: bool = True) -> None:
    table.give(device(do.ReportDevice, device=name))
    if cover:
        table.give(dealer(do.CoverDevice, device=name, how="covered"))


@every_book
def test_terms_know_the_devices_of_the_submission(book: str) -> None:
    said = shipped_submission(book)
    bound = terms_of(said, the_registry(), electronic_shoe=False)
    owned = {"shuffler", "automated_shoe", "reshuffling_shoe"}
    assert set(bound.devices) == {name for name in owned if getattr(said.devices, name)}
    assert terms_of(said, the_registry(), electronic_shoe=True).devices == ()


@pytest.mark.clause(*in_uth("13.J"), "FCP-14 13.H")
@every_book
def test_a_device_the_table_does_not_own_does_not_break(book: str) -> None:
    table = opened(terms(book, "shuffler"))
    for name in ("automated_shoe", "reshuffling_shoe", "toaster"):
        cover = floor(do.CoverDevice, device=name, how="covered")
        others = (floor(kind, device=name) for kind in (do.ReportDevice, do.RestoreDevice))
        for command in (cover, *others):
            clause = refused(table, command).clause
            assert clause == f"{book} {OUT_OF_ORDER[book]}"


@pytest.mark.clause(*in_uth("13.J"), "FCP-14 13.H")
@every_book
def test_without_its_only_device_a_way_of_dealing_stops(book: str) -> None:
    """Another device would do, but the table has none."""
    table = opened(terms(book, "shuffler"))
    bet(table)
    break_down(table, "shuffler", cover=False)
    clause = f"{book} {OUT_OF_ORDER[book]}"
    assert refused(table, dealer(do.NoMoreBets)).clause == clause
    table.give(dealer(do.CoverDevice, device="shuffler", how="covered"))
    refusal = refused(table, dealer(do.NoMoreBets))
    assert refusal.clause == clause
    assert "needs the shuffler" in refusal.sentence
    assert next_duty(table.state, table.shoe) is None  # the house has nothing left to deal with


@pytest.mark.clause(*in_uth("13.J", "13.J(1)"), *in_book("FCP-14", "13.H", "13.H(1)"))
@every_book
def test_with_both_devices_the_other_goes_on_once_the_first_is_covered(book: str) -> None:
    table = opened(terms(book, "shuffler", automated_shoe=True))
    assert table.state.terms.machines(table.state.dealing) == ("shuffler", "automated_shoe")
    break_down(table, "shuffler", cover=False)
    table.give(floor(do.OrderShuffle, color="red"))
    bet(table)
    clause = f"{book} {OUT_OF_ORDER[book]}"
    assert refused(table, dealer(do.Shuffle, color="red")).clause == clause
    assert refused(table, dealer(do.NoMoreBets)).clause == clause
    table.give(dealer(do.CoverDevice, device="shuffler", how="covered"))
    table.give(dealer(do.Shuffle, color="red"))
    table.give(dealer(do.Cut, cards=20))
    table.give(dealer(do.NoMoreBets))
    assert table.state.round.device == "automated_shoe"


@pytest.mark.clause(*in_uth("13.I", "13.J"), *in_book("FCP-14", "13.G", "13.H"))
@pytest.mark.parametrize(
    ("way", "name"),
    [
        ("shuffler", "shuffler"),
        ("shuffler", "automated_shoe"),
        ("reshuffling-shoe", "reshuffling_shoe"),
    ],
)
@every_book
def test_a_device_that_breaks_during_a_deal_deals_no_more(book: str, way: str, name: str) -> None:
    table = opened(terms(book, way, automated_shoe=name == "automated_shoe"))
    bet(table)
    table.work(lambda state: state.round.step == 1)
    assert table.state.round.device == name
    table.give(dealer(do.ReportDevice, device=name))
    next_cards = table.shoe.draw(cards_needed(table.state))
    refusal = refused(table, dealer(do.Deal, cards=next_cards))
    assert refusal.clause == f"{book} {JAM[book]}"
    assert "shoe-jam" in refusal.sentence
    table.work(lambda state: state.round.stage == "void")  # the house says so itself
    assert {e.wager for e in table.events if isinstance(e, ev.WagerReturned)} >= {"ante"}


@pytest.mark.clause(*in_uth("13.I"), "FCP-14 13.G")
@every_book
def test_a_device_that_has_given_its_cards_may_break(book: str) -> None:
    table = opened(terms(book, "shuffler"), (1,))
    bet(table)
    table.work()
    table.give(dealer(do.ReportDevice, device="shuffler"))
    if book == "FCP-14":
        table.give(player(do.Fold, box=1))
    else:
        table.give(player(do.Play, box=1, cents=4000))
    table.work(lambda state: phase(state) == "clearing")
    assert told(table, ev.BoxSettled)


@every_book
def test_where_two_devices_stand_the_shuffler_does_not_stop_the_shoe(book: str) -> None:
    """The shoe deals; the shuffler beside it may break in the middle of the deal."""
    table = opened(terms(book, "shuffler", automated_shoe=True))
    bet(table)
    table.work(lambda state: state.round.step == 1)
    table.give(dealer(do.ReportDevice, device="shuffler"))
    table.give(dealer(do.Deal, cards=table.shoe.draw(cards_needed(table.state))))


@pytest.mark.clause(*in_uth("13.J"), "FCP-14 13.H")
@every_book
def test_another_way_stands_in_for_a_device_and_for_nothing_else(book: str) -> None:
    table = opened(terms(book, "shuffler", fallback_ways=("shoe",)))
    clause = f"{book} {OUT_OF_ORDER[book]}"
    refusal = refused(table, floor(do.ChangeWay, way="shoe"))
    assert refusal.clause == clause
    assert "out of order" in refusal.sentence
    break_down(table, "shuffler")
    table.give(floor(do.ChangeWay, way="shoe"))
    refused(table, floor(do.ChangeWay, way="shuffler"))  # it is still broken
    table.give(floor(do.RestoreDevice, device="shuffler"))
    table.give(floor(do.ChangeWay, way="shuffler"))
    assert table.state.way == "shuffler"


@every_book
def test_the_house_covers_stands_in_and_comes_back(book: str) -> None:
    table = opened(terms(book, "shuffler", fallback_ways=("hand", "shoe")), (1,))
    table.give(device(do.ReportDevice, device="shuffler"))
    bet(table)
    table.work()
    assert table.state.round.way == "shoe"  # dealing from the hand needs the shuffler
    assert [e.how for e in table.events if isinstance(e, ev.DeviceCovered)] == ["covered"]
    while phase(table.state) == "acting":
        table.give(dealer(do.TimeOut, box=1))
        table.work()
    table.give(floor(do.RestoreDevice, device="shuffler"))
    bet(table)
    table.work()
    assert table.state.round.way == "shuffler"


# Two decks


@pytest.mark.clause(*in_uth("3.B", "3.B(3)"), *in_book("FCP-14", "3.B", "3.B(3)"))
@every_book
def test_two_decks_are_not_played_without_a_shuffler_that_works(book: str) -> None:
    table = opened(terms(book, "shoe", shuffler=True, deck_colors=("red", "blue")))
    bet(table)
    break_down(table, "shuffler")
    refusal = refused(table, dealer(do.NoMoreBets))
    assert refusal.clause == f"{book} 3.B"
    (gone,) = table.give(floor(do.RemoveDeck, color="blue"))
    assert gone.clauses == (f"{book} 3.B",)
    table.give(dealer(do.NoMoreBets))
    table.work(lambda state: state.round.was_dealt)
    table.give(dealer(do.Declare, name="wrong-number-dealt"))
    table.give(floor(do.Confirm, upheld=True))
    table.give(dealer(do.ClearCards))
    assert table.state.color == "red"
    one = "3.A" if book == "FCP-14" else "3.A(1)"
    assert refused(table, floor(do.ReceiveDeck, color="blue")).clause == f"{book} {one}"
    table.give(floor(do.RestoreDevice, device="shuffler"))
    table.give(floor(do.ReceiveDeck, color="blue"))


@pytest.mark.clause(*in_uth("3.B(3)", "3.B(4)"), *in_book("FCP-14", "3.B(3)", "3.B(4)"))
@every_book
def test_decks_stop_alternating_when_the_shuffler_breaks_during_a_round(book: str) -> None:
    table = opened(terms(book, "shoe", shuffler=True, deck_colors=("red", "blue")))
    bet(table)
    table.work(lambda state: state.round.was_dealt)
    table.give(dealer(do.ReportDevice, device="shuffler"))
    table.give(dealer(do.Declare, name="wrong-number-dealt"))
    table.give(floor(do.Confirm, upheld=True))
    (cleared,) = table.give(dealer(do.ClearCards))
    assert f"{book} 3.B(4)" not in cleared.clauses
    assert table.state.color == "red"
    table.work()
    assert [deck.color for deck in table.state.decks] == ["red"]
    bet(table)
    table.work(lambda state: state.round.was_dealt)
    assert table.state.round.color == "red"


@pytest.mark.clause(*in_uth("3.B(4)", "8.G(2)"), *in_book("FCP-14", "3.B(4)", "8.H(4)"))
@every_book
def test_with_one_of_two_decks_gone_nothing_alternates(book: str) -> None:
    table = opened(terms(book, "shoe", shuffler=True, deck_colors=("red", "blue")), (1,))
    bet(table)
    table.work()
    while phase(table.state) == "acting":
        table.give(dealer(do.TimeOut, box=1))
        table.work(lambda state: phase(state) in ("acting", "revealing"))
    out, hands = len(table.state.round.out), hands_dealt(table.state)
    table.give(dealer(do.CountStub, stub=10, on_table=out, hands=hands))
    table.give(floor(do.Confirm, upheld=True))
    (cleared,) = table.give(dealer(do.ClearCards))
    assert not {f"{book} 3.B(4)", f"{book} 3.B(5)"} & {*cleared.clauses}
    assert table.state.color == "blue"


# Shuffles ordered after "no more bets"
