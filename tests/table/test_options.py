"""What screens offer: enough to go on at every moment, and nothing that is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from random import Random

import pytest

from croupier.facts.errors import Refusal, Unreadable
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import PHASES, Phase, moment, phase
from croupier.table.engine import decide, duty_of
from croupier.table.engine import offered as accepted_now
from croupier.table.handlers.absence import RULINGS
from croupier.table.handlers.handler import Asker
from croupier.table.options import Option
from croupier.table.state import State, replace
from croupier.table.terms import ABSENCES, Terms
from croupier.table.views import DEALER, FLOORPERSON, MANAGER, PUBLIC, Viewer, view
from tests.citing import in_book, in_uth
from tests.table.people import dealer, floor, player
from tests.table.tables import Table, opened, refused, terms, voided
from tests.table.walks import (
    COMMANDS,
    EVERYBODY,
    PLAYERS,
    a_deck,
    any_command,
    any_terms,
    as_command,
    restock,
)

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
every_book = pytest.mark.parametrize("book", BOOKS)
ANN = Viewer(role="player", name="P1")


def bet(table: Table, **more: str) -> None:
    blind = {} if table.state.book.id == "FCP-14" else {"blind": "$10"}
    table.bet(1, ante="$10", **blind, **more)


def offered(table: Table, viewer: Viewer) -> dict[str, Option]:
    return {option.do: option for option in view(table.state, viewer).may}


def two_decks(book: str) -> Table:
    return opened(terms(book, "shuffler", deck_colors=("red", "blue")))


# Before the first card


@pytest.mark.clause(*in_uth("5.G"), "FCP-14 5.E")
@every_book
def test_a_recut_after_no_more_bets_is_offered_and_then_the_deal(book: str) -> None:
    table = opened(terms(book, "shoe", shuffler=False))
    bet(table)
    table.give(dealer(do.NoMoreBets))
    table.give(floor(do.OrderRecut))
    assert "deal" not in offered(table, DEALER)
    cut = offered(table, DEALER)["cut"]
    assert (cut.color, cut.cards) == ("red", 26)
    table.give(dealer(do.Cut, cards=20))
    assert "deal" in offered(table, DEALER)


@pytest.mark.clause(*in_uth("5.A(3)"), "FCP-14 5.A(3)")
@every_book
def test_a_shuffle_ordered_while_wagers_are_down_returns_them_first(book: str) -> None:
    """A new order: nobody's wager was made on it (ruling 45)."""
    table = opened(terms(book, "shoe", shuffler=False))
    bet(table)
    *returned, ordered = table.give(floor(do.OrderShuffle, color="red"))
    assert {e.wager for e in returned if isinstance(e, ev.WagerReturned)} >= {"ante"}
    assert isinstance(ordered, ev.ShuffleOrdered)
    assert (table.state.round.boxes, table.state.round.cut) == ({}, 0)
    assert offered(table, DEALER)["shuffle"].color == "red"


@pytest.mark.clause(*in_uth("5.A(3)"), "FCP-14 5.A(3)")
@every_book
def test_a_shuffle_ordered_after_no_more_bets_ends_the_round(book: str) -> None:
    table = opened(terms(book, "shoe", shuffler=False))
    bet(table)
    table.give(dealer(do.NoMoreBets))
    assert offered(table, FLOORPERSON)["order-shuffle"].color == "red"
    table.give(floor(do.OrderShuffle, color="red"))
    assert table.state.hold is not None
    assert (table.state.hold.name, table.state.hold.by) == ("shuffle-ordered", "Flo")
    assert "deal" not in offered(table, DEALER)
    table.give(do.Confirm(by="Max", role="manager", upheld=True, meters=table.meters))
    table.give(dealer(do.ClearCards))
    assert offered(table, DEALER)["shuffle"].color == "red"


@pytest.mark.clause(*in_uth("5.A(3)"), "FCP-14 5.A(3)")
@every_book
def test_a_shuffle_forgets_the_cut(book: str) -> None:
    table = opened(terms(book, "shoe", shuffler=False))
    assert table.state.round.cut == 26
    table.give(floor(do.OrderShuffle, color="red"))
    assert table.state.round.cut == 0
    table.give(dealer(do.Shuffle, color="red"))
    table.give(dealer(do.Cut, cards=20))
    assert table.state.round.cut == 20


@pytest.mark.clause(*in_uth("5.A(3)"), "FCP-14 5.A(3)")
@every_book
def test_an_electronic_shoe_is_shuffled_again_on_order(book: str) -> None:
    table = opened(terms(book, electronic=True, electronic_shoe=True))
    bet(table)
    assert "order-shuffle" in offered(table, FLOORPERSON)
    *_, ordered = table.give(floor(do.OrderShuffle))
    assert isinstance(ordered, ev.ShuffleOrdered)
    assert not table.state.round.boxes
    refused(table, floor(do.OrderShuffle, color="red"))


@pytest.mark.clause(*in_uth("10.A(2)(b)(ii)"), "FCP-14 10.A(3)(b)")
@every_book
def test_no_deal_is_offered_while_a_chip_and_its_light_differ(book: str) -> None:
    table = opened(terms(book))
    bet(table)
    table.give(player(do.PlaceWagers, box=1, stakes={"progressive": 500}))
    table.give(dealer(do.NoMoreBets))
    assert "deal" not in offered(table, DEALER)
    assert "return-chip" in offered(table, FLOORPERSON)
    table.give(floor(do.ReturnChip, box=1))
    assert "deal" in offered(table, DEALER)


# Two decks


@pytest.mark.clause(*in_uth("3.B(3)"), "FCP-14 3.B(3)")
@every_book
def test_the_idle_deck_is_shuffled_by_the_shuffler_before_its_turn(book: str) -> None:
    table = two_decks(book)
    table.give(floor(do.OrderShuffle, color="blue"))
    by_hand = dealer(do.Shuffle, color="blue")
    assert refused(table, by_hand).clause == f"{book} 3.B(3)"
    bet(table)
    table.give(dealer(do.NoMoreBets))
    table.work(lambda state: state.round.was_dealt)
    assert offered(table, DEALER)["shuffle"].color == "blue"
    assert refused(table, by_hand).clause == f"{book} 3.B(3)"
    voided(table, "other-cause", "a test")
    assert "clear-cards" not in offered(table, DEALER)
    assert refused(table, dealer(do.ClearCards)).clause == f"{book} 3.B(3)"
    (shuffled,) = table.give(dealer(do.Shuffle, color="blue", by_device=True))
    assert f"{book} 3.B(3)" in shuffled.clauses
    table.give(dealer(do.ClearCards))
    assert table.state.deck is not None
    assert (table.state.deck.color, table.state.deck.stage) == ("blue", "ready")


@pytest.mark.clause(*in_uth("3.B(3)"), "FCP-14 3.B(3)")
@every_book
def test_the_house_shuffles_an_idle_deck_before_it_clears(book: str) -> None:
    table = two_decks(book)
    table.give(floor(do.OrderShuffle, color="blue"))
    bet(table)
    table.give(dealer(do.NoMoreBets))
    voided(table, "other-cause", "a test")
    told = table.until(do.ClearCards)
    assert isinstance(table.events[-1], ev.DeckShuffled)
    table.give(told)


# Seats and chips


def test_a_box_without_wagers_may_be_left_and_a_table_without_them_goes_idle() -> None:
    table = opened(terms("UTH-S", "shuffler", keeps_chips=True))
    assert "go-idle" in offered(table, DEALER)
    assert offered(table, ANN)["leave-box"].box == 1
    table.give(dealer(do.BuyIn, box=1, cents=100_00, taken="cash"))
    assert "leave-box" not in offered(table, ANN)  # his chips go first
    bet(table)
    assert "go-idle" not in offered(table, DEALER)
    assert "go-idle" not in offered(opened(terms("UTH-S", electronic_shoe=True)), DEALER)


def test_the_house_sells_chips_and_only_their_player_cashes_them_out() -> None:
    table = opened(terms("UTH-S", "shuffler", keeps_chips=True))
    table.give(floor(do.BuyIn, box=1, cents=100_00, taken="cash"))
    for viewer in (FLOORPERSON, DEALER):
        assert "buy-in" in offered(table, viewer)
        assert "cash-out" not in offered(table, viewer)
    refused(table, dealer(do.CashOut, box=1))
    refused(table, floor(do.CashOut, box=1))
    assert offered(table, ANN)["cash-out"].cents == (100_00,)


@pytest.mark.clause(*in_uth("7.C(2)"), "FCP-14 7.B(2)")
@every_book
def test_who_answers_again_is_back_and_keeps_his_box(book: str) -> None:
    table = opened(terms(book, "shuffler", keeps_chips=True))
    table.give(dealer(do.BuyIn, box=1, cents=100_00, taken="cash"))
    bet(table)
    table.work()
    table.give(dealer(do.ReportAbsence, box=1))
    table.give(floor(do.RuleOnAbsence, box=1, outcome="default"))
    gone = table.state
    street = table.state.book.streets[0].otherwise
    kind = do.Check if street == "check" else do.Fold
    table.give(player(kind, box=1))
    assert table.state.round.boxes[1].absent == ""
    while table.state.round.number == 1:
        table.work()
        if phase(table.state) == "acting":
            table.give(dealer(do.TimeOut, box=1))
    assert table.state.seats[1] == "P1"
    table.state = gone
    table.work(lambda state: state.round.number == 2)
    assert 1 not in table.state.seats


@pytest.mark.parametrize("filed", ABSENCES)
def test_an_abandonment_that_waits_is_not_offered_again(filed: str) -> None:
    """The other rulings are, also by whose submission says that who leaves abandons."""
    table = opened(terms("UTH-S", "shuffler", absence=filed))
    bet(table)
    table.work()
    table.give(dealer(do.ReportAbsence, box=1))
    others = tuple(sorted({*RULINGS} - {filed}, key=RULINGS.index))
    assert offered(table, FLOORPERSON)["rule-on-absence"].names == (filed, *others)
    table.give(floor(do.RuleOnAbsence, box=1, outcome="abandoned"))
    names = offered(table, FLOORPERSON)["rule-on-absence"].names
    assert names == ("default", "back")
    for outcome in names:
        assert decide(table.state, floor(do.RuleOnAbsence, box=1, outcome=outcome))


def test_who_left_takes_his_own_chips_or_his_box_again() -> None:
    table = opened(terms("UTH-S", "shuffler", keeps_chips=True))
    table.give(dealer(do.BuyIn, box=1, cents=100_00, taken="cash"))
    bet(table)
    table.work()
    table.give(dealer(do.ReportAbsence, box=1))
    table.give(floor(do.RuleOnAbsence, box=1, outcome="abandoned"))
    table.work(lambda state: state.round.number == 2)
    assert table.state.seats == {2: "P2"}
    refused(table, player(do.PayKept, "P2", player="P1"))
    left = table.state
    assert offered(table, ANN)["pay-kept"].cents == (80_00,)
    table.give(player(do.TakeBox, box=1))
    assert (table.state.seats[1], table.state.chips[1]) == ("P1", 80_00)
    table.state = left
    table.give(player(do.PayKept, player="P1"))
    assert table.state.kept == {}
    table.give(player(do.TakeBox, "Cyd", box=1))
    table.give(dealer(do.BuyIn, box=1, cents=50_00, taken="cash"))
    refused(table, player(do.CashOut, box=1))


# The whole way, by what is offered and nothing else

# What goes back or aside: a table that can only do these, or void its round, is stuck.
_NO_WAY_ON = {
    *("void-round", "report-absence", "report-device", "order-recut", "order-shuffle"),
    *("call-floor", "answer-call", "buy-in", "cash-out", "tip", "lock-table"),
    *("count-drop", "pay-kept", "free-box", "open-dispute", "ask-chips", "decline-chips"),
    *("acknowledge-chips", "say-ready"),
}


def ways_on(state: State) -> list[tuple[Viewer, Option]]:
    jammed = state.round.device in state.devices
    avoided = _NO_WAY_ON if jammed else {*_NO_WAY_ON, "declare"}
    return [(v, o) for v in EVERYBODY for o in view(state, v).may if o.do not in avoided]


def step_on(table: Table, chance: Random) -> None:
    """One thing that some screen offers and the engine accepts."""
    ways = ways_on(table.state)
    chance.shuffle(ways)
    for viewer, option in ways:
        restock(table, a_deck(chance))
        command = as_command(table, viewer, option, chance)
        if option.do == "declare":
            command = dealer(do.Declare, name="shoe-jam", at_s=table.at_s)
        if isinstance(command, do.Confirm):
            command = replace(command, upheld=True)
        try:
            table.give(command)
        except (Refusal, Unreadable):
            continue
        return
    said = [(viewer.role, option.do) for viewer, option in ways]
    raise AssertionError(f"stuck in {phase(table.state)}: {said}")


def goes_on(table: Table, chance: Random) -> None:
    """From here to the next round, by options alone."""
    number = table.state.round.number
    for _ in range(600):
        step_on(table, chance)
        if table.state.round.number > number:
            return
    raise AssertionError(f"round {number} never ends: {phase(table.state)}")


def from_here(table: Table) -> Table:
    other = Table(table.state.terms)
    other.state, other.at_s, other.meters = table.state, table.state.at_s, dict(table.meters)
    return other


@pytest.mark.parametrize("seed", range(12))
def test_nobody_is_ever_stuck_in_a_round(seed: int) -> None:
    chance = Random(seed)
    bound: Terms = any_terms(chance)
    table = Table(bound)
    for _ in range(200):
        table.at_s += chance.randrange(0, 90)
        if not table.state.round.was_dealt:
            restock(table, a_deck(chance))
        try:
            table.give(any_command(table, chance))
        except (Refusal, Unreadable):
            restock(table, a_deck(chance))
        if table.state.round.stage != "betting" and chance.random() < 0.15:
            goes_on(from_here(table), Random(chance.random()))


# What concerns no round, or not the one that is played, and waits until the betting is open again;
# no screen is offered it before.
_CAN_WAIT: Mapping[type[do.Command], tuple[Phase, ...]] = {
    do.CountDrop: PHASES[1:],
    do.RemoveDeck: PHASES[1:],
    do.OrderShuffle: PHASES[2:],
}


def not_shown(state: State) -> Iterator[tuple[type[do.Command], Phase]]:
    """What nothing stands against now, in a phase that its duty leaves out."""
    now = moment(state)
    for duty in map(duty_of, COMMANDS):
        for role in duty.roles if now.phase not in duty.phases else ():
            for name in PLAYERS if role == "player" else (role,):
                if accepted_now(state, Asker(role, name, now, at_s=state.at_s), duty):
                    yield duty.kind, now.phase


def test_no_duty_leaves_out_a_phase_in_which_it_is_accepted() -> None:
    found: set[tuple[type[do.Command], Phase]] = set()
    for seed in range(12):
        chance = Random(seed)
        table = Table(any_terms(chance))
        for _ in range(150):
            before = table.state
            restock(table, a_deck(chance))
            with suppress(Refusal, Unreadable):
                table.give(any_command(table, chance))
            if table.state is not before:
                found |= {*not_shown(table.state)}
    assert found == {(kind, phase) for kind, phases in _CAN_WAIT.items() for phase in phases}


def test_only_the_house_and_the_player_see_the_lines_of_a_box() -> None:
    """Odds, amounts and what is pending: other players and the public see the cards alone."""
    script = "2c 3c 4c 5c As Ks Qs 2d 2h 7c 8c Js Ts 9d 9h"
    table = opened(terms("UTH-S", "shuffler"), script=script)
    for box in (1, 2):
        table.bet(box, ante="$10", blind="$10", progressive="$5")
    table.work()
    while table.state.round.won is None:
        for box in (1, 2):
            if phase(table.state) == "acting":
                table.give(player(do.Play, f"P{box}", box=box, cents=4000))
        table.work(lambda state: state.round.won is not None)
    seat = table.state.round.won.box
    won = view(table.state, FLOORPERSON).boxes[seat - 1].lines
    (line,) = [line for line in won if line.pending]
    assert line.odds is not None
    assert line.paid_cents == table.meters["main"] // 10_000
    assert offered(table, FLOORPERSON)["validate-progressive"].box == seat
    assert offered(table, MANAGER)["propose-refusal"].names == ("hand", "wager")
    assert "settle-box" not in offered(table, DEALER)
    assert view(table.state, DEALER).boxes[seat - 1].lines == won
    assert view(table.state, Viewer(role="surveillance")).boxes[seat - 1].lines == won
    for viewer in (PUBLIC, Viewer(role="player", name=f"P{3 - seat}")):
        assert view(table.state, viewer).boxes[seat - 1].lines == ()


@pytest.mark.clause(*in_uth("11.H(1)"), *in_book("FCP-14", "11.D(4)"))
@every_book
def test_the_turn_in_settling_is_the_box_that_is_settled_next(book: str) -> None:
    table = opened(terms(book))
    for box in (1, 2):
        blind = {} if book == "FCP-14" else {"blind": "$10"}
        table.bet(box, ante="$10", **blind)
    table.work()
    for box in (1, 2):
        table.give(player(do.Play, f"P{box}", box=box, cents=3000))
    table.work(lambda state: phase(state) == "settling")
    assert view(table.state, PUBLIC).turn == 2
    table.give(dealer(do.SettleBox, box=2))
    assert view(table.state, PUBLIC).turn == 1


@pytest.mark.clause(*in_uth("5.E(1)"), *in_book("FCP-14", "5.B(1)"))
@every_book
def test_a_shuffle_is_offered_with_who_does_it_and_what_must_be_found(book: str) -> None:
    table = opened(terms(book, "shuffler", shuffler_counts=True))
    table.give(floor(do.OrderShuffle, color="red"))
    option = offered(table, DEALER)["shuffle"]
    assert (option.by_device, option.cards) == (True, 52)
    plain = opened(terms(book, "shoe", shuffler=False))
    plain.give(floor(do.OrderShuffle, color="red"))
    option = offered(plain, DEALER)["shuffle"]
    assert (option.by_device, option.cards) == (False, 0)
