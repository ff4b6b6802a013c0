"""What each viewer may see, at every point of a round."""

from __future__ import annotations

import msgspec
import pytest

from croupier.facts.errors import Unreadable
from croupier.table import commands as do
from croupier.table.agenda import asked_box, phase
from croupier.table.views import (
    BACK,
    DEALER,
    FLOORPERSON,
    PUBLIC,
    SURVEILLANCE,
    View,
    Viewer,
    view,
)
from tests.citing import in_book, in_uth
from tests.table.people import dealer, floor, player
from tests.table.tables import Table, opened, terms

ANN, BOB = (Viewer(role="player", name=name) for name in ("P1", "P2"))
OTHERS = (BOB, DEALER, FLOORPERSON, PUBLIC, SURVEILLANCE)
EVERYBODY = (ANN, *OTHERS)
BOOKS = ("UTH-S", "UTH-14", "FCP-14")
every_book = pytest.mark.parametrize("book", BOOKS)


def ready(book: str, way: str = "shuffler") -> Table:
    table = opened(terms(book, way))
    for box in (1, 2):
        base = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
        table.bet(box, **base)
    return table


def cards_of(seen: View, box: int) -> tuple[str, ...]:
    return next(b.cards for b in seen.boxes if b.seat == box)


@pytest.mark.clause(*in_uth("11.A", "11.A(1)"), *in_book("FCP-14", "11.A", "11.A(1)", "11.A(2)"))
@every_book
def test_a_player_sees_his_own_cards_once_the_deal_is_over(book: str) -> None:
    table = ready(book, "shoe")
    table.work(lambda state: state.round.step == 1)
    assert {*cards_of(view(table.state, ANN), 1)} == {BACK}
    table.work()
    held = table.state.round.boxes[1].cards
    assert cards_of(view(table.state, ANN), 1) == held
    for viewer in OTHERS:
        assert {*cards_of(view(table.state, viewer), 1)} == {BACK}


@pytest.mark.clause(*in_uth("11.A"), *in_book("FCP-14", "11.A"))
@every_book
def test_cards_nobody_could_examine_stay_down_when_a_void_round_is_cleared(book: str) -> None:
    table = ready(book, "shoe")
    table.work(lambda state: bool(state.round.boxes[1].cards))
    table.give(dealer(do.Declare, name="wrong-number-dealt"))
    table.give(floor(do.Confirm, upheld=True))
    assert {*cards_of(view(table.state, ANN), 1)} == {BACK}
    table.give(dealer(do.ClearCards))
    assert {*cards_of(view(table.state, ANN), 1)} == {BACK}
    assert BACK not in cards_of(view(table.state, SURVEILLANCE), 1)


@pytest.mark.clause(*in_uth("11.A"), *in_book("FCP-14", "11.A"))
@every_book
def test_cards_a_player_examined_stay_his_to_see_when_a_void_round_is_cleared(book: str) -> None:
    table = ready(book, "shoe")
    table.work()
    held = table.state.round.boxes[1].cards
    table.give(dealer(do.Declare, name="wrong-number-dealt"))
    table.give(floor(do.Confirm, upheld=True))
    table.give(dealer(do.ClearCards))
    assert cards_of(view(table.state, ANN), 1) == held


@every_book
def test_hidden_cards_of_the_dealer_are_seen_by_nobody(book: str) -> None:
    table = ready(book)
    table.work()
    hidden = {*table.state.round.places["dealer"]} - table.state.round.up
    for viewer in EVERYBODY:
        text = msgspec.json.encode(view(table.state, viewer)).decode()
        assert not [card for card in hidden if f'"{card}"' in text]


@every_book
def test_folded_hands_are_never_shown_to_others(book: str) -> None:
    table = ready(book)
    table.work()
    folded: set[str] = set()
    while phase(table.state) == "acting":
        box = asked_box(table.state)
        assert box is not None
        if box.seat == 1:
            table.give(dealer(do.TimeOut, box=1))
        else:
            cents = 1000 * (table.state.book.streets[box.answered].multiples or (1,))[0]
            table.give(player(do.Play, "P2", box=2, cents=cents))
        folded = {*table.state.round.boxes[1].cards}
        table.work(lambda state: phase(state) in ("acting", "clearing"))
    for moment in ("clearing", "cleared"):
        if moment == "cleared":
            table.give(dealer(do.ClearCards))
        for viewer in (BOB, DEALER, FLOORPERSON, PUBLIC):
            text = msgspec.json.encode(view(table.state, viewer)).decode()
            assert not [card for card in folded if f'"{card}"' in text]
        assert {*cards_of(view(table.state, SURVEILLANCE), 1)} == folded


@every_book
def test_a_view_says_whose_turn_it_is_and_what_may_be_done(book: str) -> None:
    table = ready(book)
    before = view(table.state, ANN)
    assert before.phase == "betting"
    assert {"place-wagers", "withdraw-wagers"} <= {option.do for option in before.may}
    table.work()
    mine, his = view(table.state, ANN), view(table.state, BOB)
    assert (mine.turn, his.turn) == (1, 1)
    assert {option.do for option in his.may} <= {"take-box"}
    street = table.state.book.streets[0]
    doing = [option.do for option in mine.may if option.do != "take-box"]
    assert doing == ["play", street.otherwise]
    assert mine.clause == f"{book} {street.ask_clause}"
    assert [option.do for option in view(table.state, DEALER).may] == ["time-out", "declare"]
    assert not view(table.state, PUBLIC).may


@every_book
def test_the_last_round_stays_in_sight_until_the_next_begins(book: str) -> None:
    table = ready(book)
    table.work()
    while phase(table.state) == "acting":
        box = asked_box(table.state)
        assert box is not None
        table.give(dealer(do.TimeOut, box=box.seat))
        table.work()
    mine = view(table.state, ANN)
    assert mine.round == 2
    assert mine.boxes[0].lines
    assert not mine.boxes[1].lines  # only nets of the others
    assert mine.boxes[1].net_cents is not None
    table.bet(1, **({"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}))
    assert not view(table.state, ANN).places


@every_book
def test_a_view_is_small(book: str) -> None:
    boxes = range(1, terms(book).boxes + 1)
    table = opened(terms(book), boxes)
    for box in boxes:
        base = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
        table.bet(box, **base, progressive="$5")
    table.work()
    sizes = [len(msgspec.json.encode(view(table.state, viewer))) for viewer in EVERYBODY]
    assert max(sizes) < 3_000


def test_a_player_has_a_name() -> None:
    with pytest.raises(Unreadable):
        Viewer(role="player")
