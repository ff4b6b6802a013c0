"""Chapter 13: every irregularity at each point it can happen, and what becomes of the money."""

from __future__ import annotations

import msgspec
import pytest

from croupier.facts.errors import Unreadable
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, cards_needed, phase
from croupier.table.double_entry import entries
from croupier.table.options import Option
from croupier.table.views import DEALER, FLOORPERSON, PUBLIC, view
from tests.citing import in_book, in_uth
from tests.table.people import dealer, device, floor, player, seconded
from tests.table.tables import METERS, Table, opened, refused, terms, told

UTH = ("UTH-S", "UTH-14")
BOOKS = (*UTH, "FCP-14")
every_book = pytest.mark.parametrize("book", BOOKS)
every_uth = pytest.mark.parametrize("book", UTH)
every_way = pytest.mark.parametrize("way", ["shoe", "hand", "shuffler"])


def at_the_table(book: str, way: str, **changes: object) -> Table:
    """Two boxes with everything down, betting closed, no card dealt."""
    table = opened(terms(book, way, **changes))
    bonus = {"six_card_bonus": "$5"} if way not in ("shoe", "hand") else {}
    if book == "FCP-14":
        table.bet(1, ante="$10", aces_up="$5", progressive="$5", **bonus)
        table.bet(2, ante="$10")
    else:
        table.bet(1, ante="$10", blind="$10", trips="$5", progressive="$5", **bonus)
        table.bet(2, ante="$10", blind="$10")
    table.work(lambda state: state.round.stage == "play")
    return table


def deal_steps(table: Table, steps: int) -> None:
    table.work(lambda state: state.round.step >= steps or phase(state) != "dealing")


def declare(table: Table, name: str, **more: object) -> None:
    table.give(dealer(do.Declare, name=name, **more))


def offered(table: Table) -> Option:
    return next(one for one in view(table.state, DEALER).may if one.do == "declare")


def confirm(table: Table) -> None:
    table.give(floor(do.Confirm, upheld=True, meters=table.meters))


def found(table: Table) -> tuple[str, ...]:
    return table.shoe.draw(1)


def purses(table: Table) -> dict[str, int]:
    accounts: dict[str, int] = {}
    for event in table.events:
        for account, micros in entries(event):
            accounts[account] = accounts.get(account, 0) + micros
    return accounts


def all_came_back(table: Table) -> bool:
    accounts = purses(table)
    return not any(accounts.get(f"purse {box}") for box in (1, 2)) and not accounts.get("house")


# Cards face up


@pytest.mark.clause(*in_uth("13.A"), *in_book("FCP-14", "13.A", "13.A(1)", "13.A(2)"))
@every_way
@every_book
def test_one_card_face_up_is_set_aside_and_the_round_goes_on(book: str, way: str) -> None:
    table = at_the_table(book, way)
    card = found(table)
    declare(table, "card-face-up", cards=card)
    assert table.state.hold is None
    assert table.state.round.set_aside == card
    assert card[0] in view(table.state, PUBLIC).set_aside
    again = dealer(do.Declare, name="card-face-up", cards=card)
    refused(table, again)
    table.work()
    assert card[0] not in {c for b in table.state.round.boxes.values() for c in b.cards}
    assert phase(table.state) == "acting"


@pytest.mark.clause(*in_uth("8.C(3)", "9.A(3)(b)", "10.A(2)(b)(ii)", "13.A"))
@pytest.mark.clause(*in_book("FCP-14", "8.C(2)(b)", "9.A(4)(b)", "10.A(3)(b)", "13.A"))
@every_way
@every_book
def test_a_card_set_aside_is_no_card_dealt(book: str, way: str) -> None:
    """Chips are still matched before the first card, and the round counts for the stub."""
    table = opened(terms(book, way), (1,))
    base = {"ante": 1000} if book == "FCP-14" else {"ante": 1000, "blind": 1000}
    stakes = {**base, "progressive": 500}
    table.give(player(do.PlaceWagers, box=1, stakes=stakes))  # the acceptor took no chip
    table.give(dealer(do.NoMoreBets, meters=table.meters))
    declare(table, "card-face-up", cards=found(table))
    clause = f"{book} {table.state.dealing.procedure.chips_match_clause}"
    cards = table.shoe.draw(cards_needed(table.state))
    assert refused(table, dealer(do.Deal, cards=cards)).clause == clause
    offered = [option.do for option in view(table.state, FLOORPERSON).may]
    assert "return-chip" in offered
    assert isinstance(table.until(do.ReturnChip), do.ReturnChip)
    table.give(floor(do.ReturnChip, box=1))
    table.give(dealer(do.Deal, cards=cards))
    assert table.state.uncounted == 1
    refused(table, floor(do.ReturnChip, box=1))
    table.work()
    declare(table, "wrong-number-dealt")
    confirm(table)
    assert all_came_back(table)


@pytest.mark.clause(*in_uth("5.A(3)", "5.G", "13.A"))
@pytest.mark.clause(*in_book("FCP-14", "5.A(3)", "5.E", "13.A"))
@every_book
def test_the_cut_may_be_done_again_while_only_a_card_set_aside_is_out(book: str) -> None:
    table = at_the_table(book, "shoe", shuffler=False)
    declare(table, "card-face-up", cards=found(table))
    assert "order-recut" in [option.do for option in view(table.state, FLOORPERSON).may]
    table.give(floor(do.OrderRecut))
    table.give(dealer(do.Cut, cards=20))
    deal_steps(table, 1)
    refused(table, floor(do.OrderRecut))
    refused(table, floor(do.OrderShuffle, color="red"))


@pytest.mark.clause(*in_uth("13.B"), "FCP-14 13.B")
@every_way
@every_book
def test_a_second_card_before_everyone_holds_cards_voids_all(book: str, way: str) -> None:
    table = at_the_table(book, way)
    assert not offered(table).again
    declare(table, "card-face-up", cards=found(table))
    deal_steps(table, 1)
    assert "card-face-up" in offered(table).again
    declare(table, "card-face-up", cards=found(table))
    assert table.state.hold is not None
    assert table.state.hold.name in ("cards-face-up-early", "cards-face-up")
    confirm(table)
    assert table.state.round.stage == "void"
    assert all_came_back(table)
    table.work()
    assert table.state.round.number == 2


@pytest.mark.clause(*in_uth("13.B", "13.C"), "FCP-14 13.B")
@pytest.mark.parametrize("steps", [0, 1, 99])
@every_book
def test_what_a_second_card_decides_is_not_declared_by_its_name(book: str, steps: int) -> None:
    """Only cards that were found lead there, one after the other (ruling 28)."""
    clauses = {"cards-face-up-early": "13.B", "cards-face-up-late": "13.C"}
    if book == "FCP-14":
        clauses = {"cards-face-up": "13.B"}
    table = at_the_table(book, "hand")
    deal_steps(table, steps)
    for name, clause in clauses.items():
        refusal = refused(table, dealer(do.Declare, name=name))
        assert refusal.clause == f"{book} {clause}"
        assert "card-face-up" in refusal.sentence
    assert table.state.hold is None


@pytest.mark.clause(*in_uth("13.C"))
@pytest.mark.parametrize("way", ["shoe", "hand"])
@every_uth
def test_a_second_card_after_that_saves_trips(book: str, way: str) -> None:
    table = at_the_table(book, way)
    declare(table, "card-face-up", cards=found(table))
    table.work()
    table.give(player(do.Play, box=1, cents=4000))
    declare(table, "card-face-up", cards=found(table))
    assert table.state.hold is not None
    assert table.state.hold.name == "cards-face-up-late"
    confirm(table)
    returned = {(e.box, e.wager) for e in table.events if isinstance(e, ev.WagerReturned)}
    assert returned == {
        *((1, wager) for wager in ("ante", "blind", "play", "progressive")),
        (2, "ante"),
        (2, "blind"),
    }
    table.work()
    settled = [(e.box, e.wager) for e in table.events if isinstance(e, ev.WagerSettled)]
    assert settled == [(1, "trips")]
    assert table.state.last is not None
    assert len(table.state.last.places["board"]) == 5


@pytest.mark.clause(*in_book("UTH-S", "10.B(4)", "13.B", "13.C"))
def test_a_dealer_whose_cards_wait_in_the_shuffler_has_received_none() -> None:
    """A second card is early as long as they wait, whoever else holds cards (ruling 41)."""
    table = at_the_table("UTH-S", "shuffler-dealer-last")
    declare(table, "card-face-up", cards=found(table))
    table.work()
    assert phase(table.state) == "acting"
    declare(table, "card-face-up", cards=found(table))
    assert table.state.hold is not None
    assert (table.state.hold.name, table.state.hold.clause) == ("cards-face-up-early", "13.B")
    assert table.events[-1].rulings == (28, 41)
    confirm(table)
    assert table.state.round.stage == "void"
    assert all_came_back(table)


@pytest.mark.clause(*in_book("UTH-S", "10.B(4)", "13.A", "13.F"))
def test_a_card_seen_in_the_shuffler_is_found_face_up_not_exposed() -> None:
    table = at_the_table("UTH-S", "shuffler-dealer-last")
    table.work()
    (card,) = found(table)
    refused(table, dealer(do.Declare, name="dealer-card-exposed", exposed=(card,)))
    declare(table, "card-face-up", cards=(card,))
    assert table.events[-1].rulings == (28, 41)
    assert table.state.round.stage == "play"


@every_book
def test_once_the_last_card_is_dealt_none_is_found(book: str) -> None:
    table = at_the_table(book, "shuffler")
    table.work()
    refused(table, dealer(do.Declare, name="card-face-up", cards=found(table)))


# Cards in error, wrong numbers


@pytest.mark.clause(*in_uth("13.D"), "FCP-14 13.C")
@every_book
def test_a_card_drawn_in_error_is_the_next_card(book: str) -> None:
    table = at_the_table(book, "shoe")
    declare(table, "card-drawn-in-error")
    assert table.state.hold is None
    table.work()
    assert phase(table.state) == "acting"


@pytest.mark.clause(*in_uth("13.E"), "FCP-14 13.D")
@every_way
@every_book
def test_a_wrong_number_of_cards_voids_all(book: str, way: str) -> None:
    table = at_the_table(book, way)
    deal_steps(table, 2)
    declare(table, "wrong-number-dealt")
    refused(table, player(do.Check, box=1))  # everything waits
    refused(table, dealer(do.Confirm, upheld=True))
    with pytest.raises(Unreadable):
        table.give(floor(do.Confirm, upheld=True))  # a meter moves: its reading is needed
    confirm(table)
    assert all_came_back(table)
    assert table.meters["main"] == purses_start(table)


def purses_start(table: Table) -> int:
    return METERS[table.state.book.id]["main"]


@pytest.mark.clause(*in_uth("13.E"), "FCP-14 13.D")
@every_book
def test_a_void_returns_what_a_fold_gave_up(book: str) -> None:
    table = at_the_table(book, "shuffler")
    table.work()
    if book == "FCP-14":  # what folds gave up is collected when all have decided
        while phase(table.state) == "acting":
            seat = _asked(table)
            table.give(player(do.Fold, f"P{seat}", box=seat))
        table.work(lambda state: state.round.revealed)
    else:
        while table.state.round.boxes[1].answered < 3:
            table.work(lambda state: phase(state) == "acting")
            seat = _asked(table)
            last = table.state.round.boxes[seat].answered == 2
            table.give(player(do.Fold if last else do.Check, f"P{seat}", box=seat))
    declare(table, "wrong-number-dealt")
    confirm(table)
    assert all_came_back(table)
    assert any(e.from_house for e in table.events if isinstance(e, ev.WagerReturned))


def _asked(table: Table) -> int:
    box = asked_box(table.state)
    assert box is not None
    return box.seat


@pytest.mark.clause(*in_uth("13.E"), "FCP-14 13.D")
@every_book
def test_found_during_settlement_it_reverses_what_was_paid(book: str) -> None:
    table = at_the_table(book, "shuffler")
    table.work()
    while phase(table.state) == "acting":
        seat = _asked(table)
        table.give(player(do.Play, f"P{seat}", box=seat, cents=3000))
        table.work(lambda state: phase(state) in ("acting", "settling"))
    table.work(lambda state: phase(state) == "clearing")
    assert told(table, ev.WagerSettled)
    declare(table, "wrong-number-dealt")
    confirm(table)
    assert told(table, ev.LineReversed)
    assert all_came_back(table)
    assert table.meters["main"] == purses_start(table)
    table.work()
    refused(table, dealer(do.Declare, name="wrong-number-dealt"))  # cleared: a dispute, no void


# Cards seen


@pytest.mark.clause(*in_uth("13.F", "13.G"))
@every_way
@every_uth
def test_a_dealers_card_seen_early_saves_trips_alone(book: str, way: str) -> None:
    table = at_the_table(book, way)
    table.work()
    hidden = table.state.round.places["dealer"][0]
    declare(table, "dealer-card-exposed", exposed=(hidden,))
    assert hidden in view(table.state, PUBLIC).places["dealer"]
    confirm(table)
    table.work()
    assert [e.wager for e in table.events if isinstance(e, ev.WagerSettled)] == ["trips"]
    (salvaged,) = told(table, ev.RoundSalvaged)
    assert salvaged.clauses == (f"{book} 13.F", f"{book} 13.G")


@pytest.mark.clause(*in_uth("13.F"))
@every_uth
def test_without_trips_it_voids_the_round_and_no_board_is_dealt(book: str) -> None:
    table = opened(terms(book, "shoe"), (1,))
    table.bet(1, ante="$10", blind="$10")
    table.work()
    declare(table, "dealer-card-exposed", exposed=table.state.round.places["dealer"][:1])
    confirm(table)
    assert table.state.round.stage == "void"
    assert "board" not in table.state.round.places
    assert all_came_back(table)


@pytest.mark.clause(*in_uth("13.F"))
@every_uth
def test_after_all_have_acted_a_dealers_card_may_be_seen(book: str) -> None:
    table = opened(terms(book, "shuffler"), (1,))
    table.bet(1, ante="$10", blind="$10", trips="$5")
    table.work()
    table.give(player(do.Play, box=1, cents=4000))
    table.work(lambda state: phase(state) == "revealing")
    seen = table.state.round.places["dealer"][:1]
    refused(table, dealer(do.Declare, name="dealer-card-exposed", exposed=seen))


@pytest.mark.clause("FCP-14 13.E")
@every_way
def test_any_other_card_of_the_four_card_dealer_voids_all(way: str) -> None:
    table = at_the_table("FCP-14", way)
    table.work()
    up = table.state.round.places["dealer"][5]
    refused(table, dealer(do.Declare, name="dealer-card-exposed", exposed=(up,)))
    hidden = table.state.round.places["dealer"][2]
    declare(table, "dealer-card-exposed", exposed=(hidden,))
    confirm(table)
    assert table.state.round.stage == "void"
    assert all_came_back(table)


@every_book
def test_another_card_seen_early_is_recorded_and_played_on(book: str) -> None:
    table = at_the_table(book, "shuffler")
    table.work()
    seen = table.state.round.boxes[2].cards[:1]
    declare(table, "other-card-exposed", exposed=seen)
    assert table.state.hold is None
    assert seen[0] in view(table.state, PUBLIC).boxes[1].cards
    dealers = table.state.round.places["dealer"][:1]
    refused(table, dealer(do.Declare, name="other-card-exposed", exposed=dealers))
    refused(table, dealer(do.Declare, name="other-card-exposed"))


# Devices


@pytest.mark.clause(*in_uth("13.H", "13.H(1)", "13.H(2)", "13.H(3)"))
@every_uth
def test_a_shuffler_that_jams_returns_every_wager(book: str) -> None:
    table = opened(terms(book, "shuffler"))
    table.give(floor(do.OrderShuffle, color="red"))
    table.bet(1, ante="$10", blind="$10")
    declare(table, "shuffler-jam")
    confirm(table)
    assert not table.state.round.boxes
    assert all_came_back(table)


@pytest.mark.clause("FCP-14 13.F")
def test_a_four_card_shuffler_that_jams_only_shuffles_again() -> None:
    table = opened(terms("FCP-14", "shuffler"))
    table.give(floor(do.OrderShuffle, color="red"))
    table.bet(1, ante="$10")
    declare(table, "shuffler-jam")
    assert table.state.hold is None
    assert table.state.round.boxes[1].has("ante")
    refused(table, dealer(do.NoMoreBets))


@pytest.mark.clause(*in_uth("13.H(2)"))
@every_uth
def test_a_jam_on_the_idle_deck_voids_nothing(book: str) -> None:
    table = opened(terms(book, "shuffler", deck_colors=("red", "blue")))
    table.bet(1, ante="$10", blind="$10")
    table.give(floor(do.OrderShuffle, color="blue"))
    table.give(dealer(do.NoMoreBets))
    table.work()
    declare(table, "shuffler-jam")
    assert table.state.hold is None
    assert table.state.round.stage == "play"


@every_uth
def test_a_jam_on_the_idle_deck_returns_no_wagers_either(book: str) -> None:
    table = opened(terms(book, "shuffler", deck_colors=("red", "blue")))
    table.bet(1, ante="$10", blind="$10")
    table.give(floor(do.OrderShuffle, color="blue"))
    declare(table, "shuffler-jam")
    assert table.state.hold is None
    assert table.state.round.boxes[1].has("ante")


@every_book
def test_nothing_jams_where_nothing_is_shuffled(book: str) -> None:
    table = opened(terms(book, "shoe", shuffler=False))
    refused(table, dealer(do.Declare, name="shuffler-jam"))
    refused(table, dealer(do.Declare, name="shoe-jam"))


@pytest.mark.clause(*in_uth("13.I", "13.I(1)", "13.I(2)", "13.I(3)"), "FCP-14 13.G")
@every_book
def test_a_jam_while_dealing_voids_the_round(book: str) -> None:
    table = at_the_table(book, "shuffler")
    deal_steps(table, 1)
    declare(table, "shoe-jam")
    confirm(table)
    assert all_came_back(table)
    table.give(dealer(do.ClearCards))
    assert table.state.deck is not None
    assert table.state.deck.stage == "stacked"  # with the cards already dealt, to be shuffled
    by_hand = at_the_table(book, "hand")
    refused(by_hand, dealer(do.Declare, name="shoe-jam"))


@pytest.mark.clause(*in_uth("13.J", "13.J(1)", "13.J(2)"))
@pytest.mark.clause(*in_book("FCP-14", "13.H", "13.H(1)", "13.H(2)"))
@pytest.mark.parametrize("how", ["covered", "signed"])
@every_book
def test_a_device_is_covered_or_signed_before_another_way_is_used(book: str, how: str) -> None:
    bound = terms(book, "shuffler", automated_shoe=True, fallback_ways=("shoe", "hand"))
    table = opened(bound)
    clause = f"{book} {'13.H' if book == 'FCP-14' else '13.J'}"
    refused(table, floor(do.ReportDevice, device="toaster"))
    table.give(device(do.ReportDevice, device="shuffler"))
    table.give(device(do.ReportDevice, device="automated_shoe"))
    refused(table, device(do.ReportDevice, device="shuffler"))
    refused(table, dealer(do.Declare, name="device-out-of-order"))
    table.bet(1, **({"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}))
    assert refused(table, dealer(do.NoMoreBets)).clause == clause
    assert refused(table, floor(do.ChangeWay, way="shoe")).clause == clause
    for name in ("shuffler", "automated_shoe"):
        table.give(dealer(do.CoverDevice, device=name, how=how))
    refused(table, dealer(do.CoverDevice, device="shuffler", how="covered"))
    refused(table, floor(do.ChangeWay, way="pigeon"))
    assert refused(table, floor(do.ChangeWay, way="hand")).clause == f"{book} 9.A(1)"
    (changed,) = table.give(floor(do.ChangeWay, way="shoe"))
    assert isinstance(changed, ev.WayChanged)
    assert changed.suspended == ("six_card_bonus",)
    table.work()
    assert table.state.round.way == "shoe"
    assert told(table, ev.DeckCut)
    refused(table, floor(do.RestoreDevice, device="shuffler"))
    refused(table, floor(do.ChangeWay, way="shuffler"))


@every_book
def test_outside_chapter_10_the_bonus_is_suspended(book: str) -> None:
    table = opened(terms(book, "shuffler", fallback_ways=("shoe",)))
    side = "aces_up" if book == "FCP-14" else "trips"
    base = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
    table.bet(1, **base, **{side: "$5"}, six_card_bonus="$5")
    table.give(floor(do.ReportDevice, device="shuffler"))
    table.give(floor(do.CoverDevice, device="shuffler", how="covered"))
    table.give(floor(do.ChangeWay, way="shoe"))
    table.work(lambda state: state.deck is not None and state.deck.stage == "ready")
    assert "suspended" in refused(table, dealer(do.NoMoreBets)).sentence
    table.give(dealer(do.WithdrawWagers, box=1, wagers=("six_card_bonus",)))
    refused(table, player(do.PlaceWagers, box=1, stakes={"six_card_bonus": 500}))
    table.give(dealer(do.NoMoreBets))
    refused(table, floor(do.ChangeWay, way="shuffler"))


def test_a_device_that_works_again() -> None:
    table = opened(terms("UTH-S", "shuffler", fallback_ways=("shoe",)))
    refused(table, floor(do.RestoreDevice, device="shuffler"))
    table.give(floor(do.ReportDevice, device="shuffler"))
    refused(table, dealer(do.Shuffle, color="red", by_device=True))
    table.give(floor(do.RestoreDevice, device="shuffler"))
    assert not table.state.devices


# The floorperson's word


@every_book
def test_the_floorperson_may_dismiss_it(book: str) -> None:
    table = at_the_table(book, "shuffler")
    refused(table, floor(do.Confirm, upheld=True))
    table.work()
    timely = dealer(do.TimeOut, box=_asked(table))
    declare(table, "wrong-number-dealt")
    waiting = refused(table, timely)  # right in itself, but everything waits
    assert waiting.clause == f"{book} {table.state.book.refusals.wrong_count}"
    table.give(floor(do.Confirm, upheld=False))
    assert table.state.hold is None
    assert table.state.round.stage == "play"
    assert refused(table, dealer(do.Declare, name="rain")).clause == f"{book} 13"


@every_book
def test_a_dismissed_exposure_leaves_the_card_face_down(book: str) -> None:
    table = at_the_table(book, "shuffler")
    table.work()
    before = table.state
    hidden = next(card for card in before.round.places["dealer"] if card not in before.round.up)
    declare(table, "dealer-card-exposed", exposed=(hidden,))
    table.give(floor(do.Confirm, upheld=False))
    assert table.state == before
    assert hidden not in view(table.state, PUBLIC).places["dealer"]


@every_book
def test_a_dismissed_second_card_is_in_play_again(book: str) -> None:
    table = at_the_table(book, "shoe")
    declare(table, "card-face-up", cards=found(table))
    deal_steps(table, 1)
    before = table.state
    (card,) = found(table)
    declare(table, "card-face-up", cards=(card,))
    table.give(floor(do.Confirm, upheld=False))
    assert table.state == before
    needed = cards_needed(table.state)
    table.give(dealer(do.Deal, cards=(card, *table.shoe.draw(needed - 1))))
    assert card in table.state.round.out
    assert card not in table.state.round.set_aside


@pytest.mark.clause("UTH-S 7.C(1)", "UTH-S 7.C(2)", *in_book("FCP-14", "7.B(1)", "7.B(2)"))
@pytest.mark.parametrize("book", ["UTH-S", "FCP-14"])
def test_a_player_leaves_with_all_his_boxes(book: str) -> None:
    table = Table(terms(book, "shuffler"))
    for box in (2, 3, 4):
        table.sit(box, "Ann")
    table.sit(5, "Bob")
    table.work()
    for box in (2, 3, 5):
        table.bet(box, **({"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}))
    table.work()
    left = table.give(dealer(do.ReportAbsence, box=3))
    assert [e.box for e in left if isinstance(e, ev.PlayerLeft)] == [2, 3]
    refused(table, dealer(do.ReportAbsence, box=2))
    table.give(floor(do.RuleOnAbsence, box=2, outcome="abandoned"))
    refused(table, floor(do.RuleOnAbsence, box=2, outcome="abandoned"))
    ruled = table.give(seconded("abandon", box=2))
    assert [e.box for e in ruled if isinstance(e, ev.AbsenceRuled)] == [2, 3]
    refused(table, floor(do.RuleOnAbsence, box=3))
    while phase(table.state) == "acting":
        table.give(dealer(do.TimeOut, box=_asked(table)))
        table.work()
    assert table.state.seats == {5: "Bob"}  # box 4, which sat the round out, is left too


@pytest.mark.clause(*in_uth("7.C(2)"), "FCP-14 7.B(2)")
@pytest.mark.parametrize("outcome", ["abandoned", "default"])
@every_book
def test_a_player_who_leaves_is_ruled_on(book: str, outcome: str) -> None:
    table = at_the_table(book, "shuffler", absence=outcome)
    refused(table, floor(do.RuleOnAbsence, box=1))
    table.work()
    table.give(dealer(do.ReportAbsence, box=1))
    refused(table, dealer(do.ReportAbsence, box=1))
    refused(table, dealer(do.TimeOut, box=1))
    refused(table, player(do.Check, box=1))
    clause = f"{book} {'7.B(2)' if book == 'FCP-14' else '7.C(2)'}"
    assert refused(table, dealer(do.RuleOnAbsence, box=1)).clause == clause
    table.work()  # the preset of the submission
    while phase(table.state) == "acting":
        seat = _asked(table)
        table.give(player(do.Play, f"P{seat}", box=seat, cents=3000))
        table.work()
    assert table.state.last is not None
    lost = [line for line in table.state.last.lines if line.box == 1 and line.wager == "ante"]
    expected = ("lose", clause) if outcome == "abandoned" else ("forfeit", lost[0].clauses[0])
    assert (lost[0].outcome, lost[0].clauses[0]) == expected
    assert 1 not in table.state.seats


# Sealed cards


@pytest.mark.clause(*in_uth("13.A", "13.F"), *in_book("FCP-14", "13.A", "13.E"))
@every_book
def test_nobodys_word_turns_a_card_of_a_sealed_shoe(book: str) -> None:
    """Ruling 42: with no hand near them, cards cannot be found face up or exposed."""
    table = at_the_table(book, "shuffler", sealed=True)
    table.work(lambda state: phase(state) == "acting")
    before = view(table.state, PUBLIC)
    seen = {
        "card-face-up": {"cards": found(table)},
        "dealer-card-exposed": {"exposed": table.state.round.places["dealer"][:1]},
        "other-card-exposed": {"exposed": table.state.round.boxes[2].cards[:1]},
    }
    for name, more in seen.items():
        refusal = refused(table, dealer(do.Declare, name=name, **more))
        assert "ruling 42" in refusal.sentence
    assert view(table.state, PUBLIC) == before
    offered = [option for option in view(table.state, FLOORPERSON).may if option.do == "declare"]
    assert not {*seen} & {name for option in offered for name in option.names}
    declare(table, "wrong-number-dealt")
    assert table.state.hold is not None


@every_book
def test_nobody_undoes_a_round_of_a_sealed_table_alone(book: str) -> None:
    """The floorperson asks and a manager confirms."""
    table = at_the_table(book, "shuffler", sealed=True)
    table.work(lambda state: phase(state) == "acting")
    asked = floor(do.VoidRound, cause="power-lost", reason="the screens are dark")
    table.give(asked)
    assert table.state.round.stage == "play"
    assert view(table.state, FLOORPERSON).waits_for == "power-lost"
    confirmed = floor(do.Confirm, upheld=True, meters=table.meters)
    other = msgspec.structs.replace(confirmed, by="Fay")
    assert "has to be a manager" in refused(table, other).sentence
    assert refused(table, asked).sentence.startswith("Another matter is ruled on first")
    table.give(msgspec.structs.replace(confirmed, by="Max", role="manager"))
    (voided,) = told(table, ev.RoundVoided)
    assert isinstance(voided, ev.RoundVoided)
    assert (voided.name, voided.reason) == ("power-lost", "the screens are dark")
    assert voided.rulings == (40,)
    assert all_came_back(table)
