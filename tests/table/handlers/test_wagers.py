"""Chapter 7, the progressive system of 2.C, and "no more bets"."""

from __future__ import annotations

import pytest

from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import cards_needed, phase
from croupier.table.beyond import Beyond, informed
from croupier.table.commands import read_command
from croupier.table.engine import options
from croupier.table.options import Option
from croupier.table.views import DEALER, view
from tests.citing import in_book, in_uth
from tests.table.people import dealer, device, floor, player
from tests.table.tables import METERS, Table, opened, refused, stacked, terms, told

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
every_book = pytest.mark.parametrize("book", BOOKS)
BASE = {
    "UTH-S": {"ante": 1000, "blind": 1000},
    "UTH-14": {"ante": 1000, "blind": 1000},
    "FCP-14": {"ante": 1000},
}
SIDE = {"UTH-S": "trips", "UTH-14": "trips", "FCP-14": "aces_up"}


def place(box: int = 1, name: str = "P1", /, **stakes: int) -> do.Command:
    return player(do.PlaceWagers, name, box=box, stakes=stakes)


@pytest.mark.clause(*in_uth("7.A", "7.C"), "FCP-14 7.A", "FCP-14 7.B")
@every_book
def test_only_who_sits_at_a_box_wagers_on_it(book: str) -> None:
    table = opened(terms(book))
    seated = "7.B" if book == "FCP-14" else "7.C"
    assert refused(table, place(1, "P2", ante=1000)).clause == f"{book} {seated}"
    assert refused(table, place(3, ante=1000)).clause == f"{book} {seated}"
    assert refused(table, player(do.TakeBox, "Zoe", box=1)).clause == f"{book} {seated}"
    table.give(place(ante=1000))


@pytest.mark.clause("UTH-S 2.A", "UTH-14 2.A", "FCP-14 2.A(1)")
@every_book
def test_there_are_as_many_boxes_as_the_table_has(book: str) -> None:
    table = Table(terms(book, boxes=4))
    clause = "2.A(1)" if book == "FCP-14" else "2.A"
    for box in (0, 5, 8, 999):
        assert refused(table, player(do.TakeBox, box=box)).clause == f"{book} {clause}"


@pytest.mark.clause("UTH-S 7.G", "FCP-14 7.F")
@pytest.mark.parametrize("book", ["UTH-S", "FCP-14"])
def test_adjacent_boxes_as_many_as_the_submission_says(book: str) -> None:
    table = Table(terms(book, adjacent_boxes=2))
    clause = "7.F" if book == "FCP-14" else "7.G"
    table.sit(2, "Ann")
    assert refused(table, player(do.TakeBox, "Ann", box=4)).clause == f"{book} {clause}"
    table.sit(3, "Ann")
    assert refused(table, player(do.TakeBox, "Ann", box=4)).clause == f"{book} {clause}"


@pytest.mark.clause("UTH-S 7.G", "FCP-14 7.F")
@pytest.mark.parametrize("book", ["UTH-S", "FCP-14"])
def test_wagers_of_one_player_leave_no_gap(book: str) -> None:
    table = Table(terms(book))
    for box in (1, 2, 3):
        table.sit(box, "Ann")
    table.work()
    table.give(place(1, "Ann", **BASE[book]))
    table.give(place(3, "Ann", **BASE[book]))
    clause = "7.F" if book == "FCP-14" else "7.G"
    assert refused(table, dealer(do.NoMoreBets)).clause == f"{book} {clause}"
    assert refused(table, player(do.LeaveBox, "Ann", box=2)).clause == f"{book} {clause}"


@pytest.mark.clause("UTH-14 7.Fbis")
def test_one_box_a_player() -> None:
    table = Table(terms("UTH-14"))
    table.sit(2, "Ann")
    assert refused(table, player(do.TakeBox, "Ann", box=3)).clause == "UTH-14 7.Fbis"


@pytest.mark.clause(*in_uth("7.F(2)", "7.F(4)(b)", "7.F(3)(a)"), *in_book("FCP-14", "7.E(5)(a)"))
@every_book
def test_side_wagers_come_after_what_they_need(book: str) -> None:
    table = opened(terms(book))
    refused(table, place(six_card_bonus=500, **BASE[book]))
    table.give(place(**BASE[book]))
    refused(table, place(six_card_bonus=500))
    table.give(place(**{SIDE[book]: 500}))
    table.give(place(six_card_bonus=500))
    assert table.state.round.boxes[1].stakes["six_card_bonus"] == Cents(500)


@pytest.mark.clause(*in_uth("7.F(1)"))
@pytest.mark.parametrize("book", ["UTH-S", "UTH-14"])
def test_ante_and_blind_are_both_there_and_equal(book: str) -> None:
    table = opened(terms(book))
    table.give(place(ante=1000))
    assert refused(table, dealer(do.NoMoreBets)).clause == f"{book} 7.F(1)"
    table.give(place(blind=2000))
    assert refused(table, dealer(do.NoMoreBets)).clause == f"{book} 7.F(1)"
    table.give(place(ante=2000))
    table.give(dealer(do.NoMoreBets))


@pytest.mark.clause(*in_book("FCP-14", "7.E", "7.E(1)", "7.E(2)", "7.E(3)"))
@pytest.mark.parametrize(
    "stakes", [{"ante": 1000}, {"aces_up": 500}, {"ante": 500, "aces_up": 500}]
)
def test_ante_or_aces_up_or_both(stakes: dict[str, int]) -> None:
    table = opened(terms("FCP-14"))
    table.give(place(**stakes))
    table.give(dealer(do.NoMoreBets))


@every_book
def test_posted_limits(book: str) -> None:
    """Minimum, maximum and increment; the terminal refuses what lies outside (ruling 8)."""
    table = opened(terms(book))
    for cents in (0, 499, 100_100, 1050):
        assert "Ante" in refused(table, place(ante=cents)).sentence
    table.give(place(ante=100_000))
    refused(table, place(ante=100_000))  # it lies there
    refused(table, place())
    refused(table, place(luck=500))
    refused(table, place(play=3000))


@pytest.mark.clause(*in_uth("7.D", "7.E"), "FCP-14 7.C", "FCP-14 7.D")
@every_book
def test_after_no_more_bets_nothing_is_made_increased_or_withdrawn(book: str) -> None:
    table = opened(terms(book))
    table.give(place(**BASE[book]))
    table.give(player(do.WithdrawWagers, box=1, wagers=("ante",)))
    table.give(place(ante=1000))
    table.give(dealer(do.NoMoreBets))
    clause = f"{book} 7.D" if book == "FCP-14" else f"{book} 7.E"
    assert refused(table, place(ante=2000)).clause == clause
    assert refused(table, player(do.WithdrawWagers, box=1)).clause == clause
    assert refused(table, dealer(do.NoMoreBets)).clause == clause


@every_book
def test_what_cannot_stay_is_handed_back_by_the_dealer(book: str) -> None:
    """Half of what a box needs, or a bonus without its base; nothing that is good."""
    table = opened(terms(book))
    table.give(place(**BASE[book]))
    clause = f"{book} 7.B" if book == "FCP-14" else f"{book} 7.C"
    for wagers in ((), ("ante",)):
        good = dealer(do.WithdrawWagers, box=1, wagers=wagers)
        assert refused(table, good).clause == clause
    side = "aces_up" if book == "FCP-14" else "trips"
    table.give(place(**{side: 500, "six_card_bonus": 500}))
    table.give(player(do.WithdrawWagers, box=1, wagers=(side,)))
    refused(table, dealer(do.WithdrawWagers, box=1, wagers=("ante", "six_card_bonus")))
    (back,) = table.give(dealer(do.WithdrawWagers, box=1))
    assert isinstance(back, ev.WagerWithdrawn)
    assert back.wager == "six_card_bonus"
    table.give(player(do.WithdrawWagers, box=1))
    refused(table, dealer(do.WithdrawWagers, box=1))
    refused(table, dealer(do.NoMoreBets))


@pytest.mark.clause(*in_uth("8.C(1)", "9.A(3)", "10.A(2)(a)", "8.B", "9.A(2)", "10.A(1)"))
@pytest.mark.clause(
    *in_book("FCP-14", "8.C", "9.A(3)(a)", "10.A(2)(a)", "8.B", "9.A(2)", "10.A(1)")
)
@pytest.mark.parametrize(
    ("way", "uth", "fcp"),
    [
        ("shoe", "8.C(1)", "8.C"),
        ("hand", "9.A(3)", "9.A(3)(a)"),
        ("shuffler", "10.A(2)(a)", "10.A(2)(a)"),
    ],
)
@every_book
def test_no_card_before_no_more_bets(book: str, way: str, uth: str, fcp: str) -> None:
    table = opened(terms(book, way))
    clause = f"{book} {fcp if book == 'FCP-14' else uth}"
    assert refused(table, dealer(do.Deal)).clause == clause
    table.give(place(**BASE[book]))
    closed = table.give(dealer(do.NoMoreBets))[0]
    assert clause in closed.clauses


@pytest.mark.clause(*in_uth("2.C(1)", "7.F(3)(b)", "2.C(2)"))
@pytest.mark.clause(*in_book("FCP-14", "2.C(1)", "7.E(4)(b)", "2.C(2)"))
@every_book
def test_the_acceptor_and_its_light(book: str) -> None:
    table = opened(terms(book))
    refused(table, device(do.AcceptProgressive, box=1))
    table.give(place(progressive=500, **BASE[book]))
    refused(table, player(do.AcceptProgressive, box=1))
    table.give(device(do.AcceptProgressive, box=1))
    assert table.state.round.boxes[1].accepted
    refused(table, device(do.AcceptProgressive, box=1))
    refused(table, place(progressive=100))
    table.give(dealer(do.NoMoreBets, meters=METERS[book]))
    late = refused(table, device(do.AcceptProgressive, box=1))
    assert late.clause == f"{book} 2.C(2)"


@pytest.mark.clause(*in_uth("8.C(2)", "9.A(3)(a)", "10.A(2)(b)(i)"))
@pytest.mark.clause(*in_book("FCP-14", "8.C(1)", "9.A(3)(b)", "10.A(2)(b)"))
@pytest.mark.parametrize("way", ["shoe", "hand", "shuffler"])
@every_book
def test_the_lock_out_closes_with_no_more_bets_and_the_meters_grow(book: str, way: str) -> None:
    table = opened(terms(book, way))
    table.give(place(progressive=500, **BASE[book]))
    table.give(device(do.AcceptProgressive, box=1))
    with pytest.raises(Unreadable, match="main"):
        table.give(dealer(do.NoMoreBets))
    closed, grew = table.give(dealer(do.NoMoreBets, meters=METERS[book]))
    assert f"{book} {table.state.dealing.procedure.lock_out_clause}" in closed.clauses
    assert isinstance(grew, ev.MeterGrew)
    assert grew.by_micros == 500_000  # 10% of $5
    assert grew.reading_micros == METERS[book]["main"] + 500_000


@pytest.mark.clause(*in_uth("8.C(3)", "8.C(4)", "9.A(3)(b)", "9.A(3)(c)", "10.A(2)(b)(ii)"))
@pytest.mark.clause(*in_uth("10.A(2)(b)(iii)", "10.A(2)(b)"))
@pytest.mark.clause(*in_book("FCP-14", "8.C(2)(a)", "8.C(2)(b)", "8.C(2)(c)", "9.A(4)(a)"))
@pytest.mark.clause(*in_book("FCP-14", "9.A(4)(b)", "9.A(4)(c)", "10.A(3)(a)", "10.A(3)(b)"))
@pytest.mark.clause(*in_book("FCP-14", "10.A(3)(c)", "8.C(2)", "9.A(4)", "10.A(3)"))
@pytest.mark.parametrize("way", ["shoe", "hand", "shuffler"])
@every_book
def test_chips_and_accepted_wagers_must_match_before_the_deal(book: str, way: str) -> None:
    table = opened(terms(book, way), (1, 2, 3))
    for box, chip, accepted in ((1, True, False), (2, False, True), (3, True, True)):
        chips = {"progressive": 500} if chip else {}
        table.give(place(box, f"P{box}", **chips, **BASE[book]))
        if accepted:
            table.give(device(do.AcceptProgressive, box=box))
    table.give(dealer(do.NoMoreBets, meters=METERS[book]))
    deal = table.until(do.ReturnChip)
    clause = f"{book} {table.state.dealing.procedure.chips_match_clause}"
    cards = dealer(do.Deal, cards=_first_cards(table))
    assert refused(table, cards).clause == clause
    refused(table, dealer(do.ReturnChip, box=1))
    assert refused(table, floor(do.ReturnChip, box=2)).clause == clause
    assert refused(table, floor(do.CancelAcceptance, box=3, meters=table.meters)).clause == clause
    table.give(deal)
    assert refused(table, cards).clause == clause
    _, shrank = table.give(floor(do.CancelAcceptance, box=2, meters=table.meters))
    assert isinstance(shrank, ev.MeterShrank)
    assert shrank.by_micros == 500_000
    collected = table.give(cards)[0]
    assert isinstance(collected, ev.ProgressiveCollected)
    assert collected.boxes == (3,)
    assert f"{book} {table.state.dealing.procedure.chips_away_clause}" in collected.clauses
    refused(table, floor(do.ReturnChip, box=3))


def _first_cards(table: Table) -> tuple[str, ...]:
    return stacked("").draw(cards_needed(table.state))


@pytest.mark.clause("UTH-S 11.L")
def test_on_the_screen_a_progressive_wager_is_accepted_at_once() -> None:
    table = opened(terms("UTH-S", electronic=True, electronic_shoe=True))
    table.give(place(progressive=500, **BASE["UTH-S"]))
    assert told(table, ev.ProgressiveAccepted)


def test_a_link_that_does_not_run_takes_no_progressive_wager_and_every_other() -> None:
    table, beyond = opened(terms()), Beyond(no_progressive="the sign is dark")
    why = refused(table, informed(table.state, place(progressive=500, **BASE["UTH-S"]), beyond))
    assert why.sentence.endswith("its link does not run (the sign is dark)")
    shown = options(table.state, "player", "P1", beyond=beyond)
    (offer,) = [one for one in shown if one.do == "place-wagers"]
    assert set(offer.wagers) == {*table.state.terms.offered[table.state.way]} - {"progressive"}
    table.give(informed(table.state, place(**BASE["UTH-S"]), beyond))
    table.give(place(progressive=500))


@pytest.mark.clause(*in_uth("7.C(1)"), "FCP-14 7.B(1)")
@every_book
def test_who_has_wagers_down_stays(book: str) -> None:
    table = opened(terms(book))
    table.give(place(**BASE[book]))
    stay = "7.B(1)" if book == "FCP-14" else "7.C(1)"
    assert refused(table, player(do.LeaveBox, box=1)).clause == f"{book} {stay}"
    table.give(player(do.LeaveBox, "P2", box=2))
    assert 2 not in table.state.seats


def test_a_command_read_from_json() -> None:
    text = b'{"do":"play","by":"Ann","role":"player","box":3,"cents":3000}'
    assert read_command(text) == do.Play(by="Ann", role="player", box=3, cents=3000)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b'{"do":"dance","by":"Ann","role":"player"}',
        b'{"do":"play","by":"Ann","role":"player","box":3}',
        b'{"do":"play","by":"Ann","role":"king","box":3,"cents":1}',
        b'{"do":"play","by":"Ann","role":"player","box":3,"cents":-1}',
        b'{"do":"play","by":"Ann","role":"player","box":3,"cents":1.5}',
        b'{"do":"play","by":"Ann","role":"player","box":3,"cents":1,"luck":7}',
        b'{"do":"play","by":"","role":"player","box":3,"cents":1}',
        b"\xff\xfe",
    ],
)
def test_an_unreadable_command_is_no_refusal(text: bytes) -> None:
    with pytest.raises(Unreadable):
        read_command(text)


# What the house does with wagers that cannot be in the round


def test_the_dealer_hands_an_incomplete_box_its_wagers_back() -> None:
    table = opened(terms("UTH-S"), (1, 2))
    table.bet(1, ante="$10")  # and no Blind
    table.bet(2, ante="$10", blind="$10")
    assert refused(table, dealer(do.NoMoreBets)).clause == "UTH-S 7.F(1)"
    offered = view(table.state, DEALER).may
    assert Option(do="withdraw-wagers", box=1, wagers=("ante",)) in offered
    assert "no-more-bets" not in {option.do for option in offered}
    table.work()
    assert [e.box for e in table.events if isinstance(e, ev.WagerWithdrawn)] == [1]
    assert sorted(table.state.round.boxes) == [2]
    assert phase(table.state) == "acting"


def test_only_what_cannot_stand_goes_back() -> None:
    """Aces Up stands alone; the Six Card Bonus needs the Ante that was taken away."""
    table = opened(terms("FCP-14"), (1,))
    table.bet(1, ante="$10", aces_up="$5", six_card_bonus="$5")
    table.give(player(do.WithdrawWagers, box=1, wagers=("ante",)))
    table.work(lambda state: state.round.stage == "play")
    assert table.state.round.boxes[1].stakes == {"aces_up": 500}
    assert [e.wager for e in table.events if isinstance(e, ev.WagerWithdrawn)] == [
        "ante",
        "six_card_bonus",
    ]


@pytest.mark.parametrize("unequal", ["$10", "$20"])
def test_unequal_wagers_go_back_whole(unequal: str) -> None:
    table = opened(terms("UTH-S"), (1,))
    table.bet(1, ante="$15", blind=unequal, trips="$5")
    table.work()
    assert not table.state.round.boxes
    assert table.state.round.stage == "betting"


def test_of_boxes_that_are_not_adjacent_the_first_stay() -> None:
    table = Table(terms("UTH-S"))
    for box in (1, 2, 3):
        table.sit(box, "Ann")
    table.work()
    for box in (1, 3):
        table.bet(box, ante="$10", blind="$10")
    table.work()
    assert sorted(table.state.round.boxes) == [1]


def test_a_suspended_wager_goes_back_and_the_rest_is_played() -> None:
    table = opened(terms("UTH-S", fallback_ways=("shoe",)), (1,))
    table.bet(1, ante="$10", blind="$10", trips="$5", six_card_bonus="$5")
    table.give(dealer(do.ReportDevice, device="shuffler"))
    table.work()
    assert sorted(table.state.round.boxes[1].stakes) == ["ante", "blind", "trips"]


@pytest.mark.clause("UTH-S 3.C(1)")
def test_the_house_changes_a_deck_whose_hours_are_over() -> None:
    table = opened(terms("UTH-S", "hand"), (1,))
    table.bet(1, ante="$10", blind="$10")
    table.at_s = 4 * 3600
    table.work()
    assert phase(table.state) == "acting"
    assert [e.why for e in table.events if isinstance(e, ev.DeckRemoved)] == ["changed"]
