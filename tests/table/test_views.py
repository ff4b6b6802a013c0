"""What each viewer may see, at every point of a round."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from croupier.facts.errors import Unreadable
from croupier.table import commands as do
from croupier.table.agenda import asked_box, phase
from croupier.table.options import Option
from croupier.table.views import (
    BACK,
    DEALER,
    FLOORPERSON,
    PUBLIC,
    SURVEILLANCE,
    TableSight,
    View,
    Viewer,
    view,
)
from tests.citing import in_book, in_uth
from tests.table.people import dealer, floor, player
from tests.table.tables import Table, opened, refused, terms
from tests.table.walks import PLAYERS, walk

ANN, BOB = (Viewer(role="player", name=name) for name in ("P1", "P2"))
OTHERS = (BOB, DEALER, FLOORPERSON, PUBLIC, SURVEILLANCE)
EVERYBODY = (ANN, *OTHERS)
HOUSE = (DEALER, FLOORPERSON, PUBLIC, SURVEILLANCE)
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
    assert {option.do for option in his.may} <= {"take-box", "open-dispute"}
    street = table.state.book.streets[0]
    doing = [option.do for option in mine.may if option.do not in ("take-box", "open-dispute")]
    assert doing == ["play", street.otherwise]
    assert mine.clause == f"{book} {street.ask_clause}"
    assert [option.do for option in view(table.state, DEALER).may] == [
        "time-out",
        "count-stub",
        "call-floor",
        "declare",
        "report-absence",
        "report-absence",
        "report-device",
        "open-dispute",
        "open-dispute",
    ]
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
    assert (mine.round, mine.over) == (2, 1)
    assert mine.boxes[0].lines
    assert not mine.boxes[1].lines  # only nets of the others
    assert mine.boxes[1].net_cents is not None
    table.bet(1, **({"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}))
    now = view(table.state, ANN)
    assert not now.places
    assert (now.round, now.over) == (2, 0)


@every_book
def test_who_left_a_box_is_in_sight_there_as_one_who_left(book: str) -> None:
    table = ready(book)
    table.work(lambda state: state.round.was_dealt)
    assert not any(box.left for box in view(table.state, ANN).boxes)
    table.give(dealer(do.Declare, name="wrong-number-dealt"))
    table.give(floor(do.Confirm, upheld=True))
    table.give(dealer(do.ClearCards))
    table.give(player(do.LeaveBox, box=1))
    for taken in (False, True):
        if taken:
            table.give(player(do.TakeBox, "Cyd", box=1))
        seen = {box.seat: (box.player, box.left) for box in view(table.state, ANN).boxes}
        assert seen == {1: ("P1", True), 2: ("P2", False)}


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


# What goes wrong, and what is overdue


def offered(table: Table, viewer: Viewer) -> dict[str, Option]:
    return {option.do: option for option in view(table.state, viewer).may}


@every_book
def test_a_table_without_cards_is_offered_them(book: str) -> None:
    table = Table(terms(book, "shuffler", deck_colors=("red", "blue")))
    for viewer in (DEALER, FLOORPERSON):
        colors = [o.color for o in view(table.state, viewer).may if o.do == "receive-deck"]
        assert colors == ["red", "blue"]
    assert not view(table.state, PUBLIC).may
    table.give(floor(do.ReceiveDeck, color="red"))
    assert offered(table, FLOORPERSON)["receive-deck"].color == "blue"


@pytest.mark.clause(*in_uth("8.E"), "FCP-14 8.G")
@every_book
def test_an_overdue_count_is_offered_and_only_while_it_may_be_made(book: str) -> None:
    table = opened(terms(book, "shoe"))
    for dealt in range(5):
        count = offered(table, DEALER).get("count-stub")
        assert (count is not None, count is not None and count.due) == (dealt > 0, False)
        base = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
        table.bet(1, **base)
        table.work(lambda state: state.round.was_dealt)
        table.give(dealer(do.Declare, name="wrong-number-dealt"))
        table.give(floor(do.Confirm, upheld=True))
        table.give(dealer(do.ClearCards))
        table.work(lambda state: state.deck is not None and state.deck.stage == "ready")
    count = offered(table, DEALER)["count-stub"]
    assert (count.color, count.due, count.hands) == ("red", True, {})
    table.bet(1, **base)
    assert "no-more-bets" not in offered(table, DEALER)
    table.give(dealer(do.CountStub, stub=52, on_table=0))
    assert "count-stub" not in offered(table, DEALER)
    assert "no-more-bets" in offered(table, DEALER)


@every_book
def test_what_can_go_wrong_now_is_offered_by_name(book: str) -> None:
    table = ready(book)
    assert "declare" not in offered(table, DEALER)
    table.give(dealer(do.NoMoreBets))
    names = {"card-face-up", "card-drawn-in-error", "shoe-jam"}
    assert set(offered(table, DEALER)["declare"].names) == names
    table.work()
    names = {"wrong-number-dealt", "dealer-card-exposed", "other-card-exposed"}
    for viewer in (DEALER, FLOORPERSON):
        assert set(offered(table, viewer)["declare"].names) == names
        assert offered(table, viewer)["report-device"].names == ("shuffler",)
        absent = [o.box for o in view(table.state, viewer).may if o.do == "report-absence"]
        assert absent == [1, 2]
    assert "declare" not in offered(table, ANN)
    table.give(dealer(do.ReportDevice, device="shuffler"))
    assert offered(table, DEALER)["cover-device"].names == ("shuffler",)


@every_book
def test_a_card_set_aside_is_no_wrong_number_of_cards(book: str) -> None:
    """No card is dealt yet; there is nothing to have dealt wrongly."""
    table = ready(book)
    table.give(dealer(do.NoMoreBets))
    table.give(dealer(do.Declare, name="card-face-up", cards=table.shoe.draw(1)))
    assert "wrong-number-dealt" not in offered(table, DEALER)["declare"].names
    refused(table, dealer(do.Declare, name="wrong-number-dealt"))


def test_the_floor_is_offered_another_way_only_for_a_broken_device() -> None:
    table = opened(terms("UTH-S", fallback_ways=("shoe",)))
    assert not {"change-way", "restore-device"} & {*offered(table, FLOORPERSON)}
    table.give(dealer(do.ReportDevice, device="shuffler"))
    assert offered(table, FLOORPERSON)["restore-device"].names == ("shuffler",)
    table.give(dealer(do.CoverDevice, device="shuffler", how="covered"))
    assert offered(table, FLOORPERSON)["change-way"].names == ("shoe",)


@pytest.mark.parametrize("seed", range(12))
def test_one_sight_shows_everybody_what_each_would_see_alone(seed: int) -> None:
    """What one viewer looked at leaves nothing behind for the next, in whatever order."""
    chance = Random(seed)
    state = walk(chance, 60).state
    viewers = [*(Viewer(role="player", name=name) for name in (*PLAYERS, "nobody")), *HOUSE]
    alone = {viewer: view(state, viewer) for viewer in viewers}
    sight = TableSight(state)
    for viewer in chance.sample(viewers * 2, 2 * len(viewers)):
        assert sight.view(viewer) == alone[viewer]
    walker_by = sight.view(PUBLIC)
    assert walker_by.may == ()
    for name in PLAYERS:
        own = sight.view(Viewer(role="player", name=name))
        others = [box for box in own.boxes if box.player != name]
        assert others == [box for box in walker_by.boxes if box.player != name]


def test_newer_readings_take_the_place_of_the_old_ones() -> None:
    state = ready("UTH-S").state
    assert TableSight(state, {"main": 7}).view(ANN).meters == {"main": 7}
    assert TableSight(state, {"main": 7}).view(ANN).boxes == view(state, ANN).boxes
