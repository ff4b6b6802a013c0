"""Chapters 8 to 11: rounds by every way of dealing, decisions, reveal, settlement, clearing."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from croupier.facts.cards import DECK
from croupier.games.registry import the_registry
from croupier.games.round import FinishedBox
from croupier.games.round import FinishedRound as FinishedRound
from croupier.games.rules import bind, first_letters
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, cards_needed, phase
from croupier.table.beyond import ALONE, Beyond
from croupier.table.engine import options
from croupier.table.finished_round import finished_round, receipt
from croupier.table.settlement import settle
from croupier.table.state import State
from croupier.table.views import Viewer, view
from tests.citing import in_book, in_uth
from tests.table.people import dealer, device, floor, player
from tests.table.tables import EVERY_WAY, Table, cited, opened, readings, refused, terms, told

UTH = ("UTH-S", "UTH-14")
every_uth = pytest.mark.parametrize("book", UTH)
every_way = pytest.mark.parametrize(("book", "way"), EVERY_WAY)


def uth(book: str = "UTH-S", way: str = "shuffler", boxes: int = 3, script: str = "") -> Table:
    table = opened(terms(book, way), range(1, boxes + 1), script)
    for box in range(1, boxes + 1):
        table.bet(box, ante="$10", blind="$10")
    table.work()
    return table


def fcp(way: str = "shuffler", script: str = "") -> Table:
    table = opened(terms("FCP-14", way), (1, 2, 3), script)
    table.bet(1, ante="$10")
    table.bet(2, aces_up="$5")
    table.bet(3, ante="$10", aces_up="$5", progressive="$5")
    table.work()
    return table


def asked(state: State) -> int:
    box = asked_box(state)
    return box.seat if box is not None else 0


LIES = {
    "shoe": "b1 b2 b3 D b1 b2 b3 D | B B B | B B",
    "hand": "b1 b2 b3 D b1 b2 b3 D | x B B B | x B B",
    "shuffler": "S S S S B B B B B D D b1 b1 b2 b2 b3 b3 | turn | turn",
    "shuffler-dealer-last": "S S S S B B B B B b1 b1 b2 b2 b3 b3 | turn | turn | D D",
    "reshuffling-shoe": "S S S S B B B B B b1 b1 b2 b2 b3 b3 D D | turn | turn",
}
FCP_LIES = {
    "shoe": "b1 b2 D b1 b2 D b1 b2 D b1 b2 D b1 b2 D D^ |",
    "hand": "b1 b2 D b1 b2 D b1 b2 D b1 b2 D b1 b2 D D^ |",
    "shuffler": "S D D D D D D^ b1 b1 b1 b1 b1 b2 b2 b2 b2 b2 |",
    "reshuffling-shoe": "S D D D D D D^ b1 b1 b1 b1 b1 b2 b2 b2 b2 b2 |",
}


def laid(table: Table) -> str:
    """Each card where it was laid, a bar at each question, ^ where it was laid face up."""
    letters = {"dealer": "D", "board": "B", "six_card_box": "S", "burn": "x"}
    told = []
    for event in table.events:
        if isinstance(event, ev.CardsDealt):
            for lie in event.lies:
                name = f"b{lie.box}" if lie.box else letters[lie.place]
                up = "^" if event.face_up and name == "D" else ""
                told += [name + up] * len(lie.cards)
        elif isinstance(event, ev.CardsTurned):
            told.append("turn")
        elif isinstance(event, ev.Checked | ev.Played | ev.Folded) and told[-1] != "|":
            told.append("|")
    return " ".join(told)


@pytest.mark.clause(*in_uth("8.D", "8.D(2)", "8.D(3)", "9.B(1)", "9.B(2)", "9.B(3)", "10.B"))
@pytest.mark.clause(*in_uth("10.B(1)", "10.B(2)", "10.B(3)", "10.F", "11.C", "11.C(1)", "11.C(2)"))
@pytest.mark.clause(*in_uth("11.E", "11.E(1)", "11.E(2)"), "UTH-S 10.B(4)")
@pytest.mark.parametrize(("book", "way"), [pair for pair in EVERY_WAY if pair[0] != "FCP-14"])
def test_uth_cards_lie_where_the_way_puts_them(book: str, way: str) -> None:
    table = uth(book, way)
    for _ in range(2):
        for box in (1, 2, 3):
            table.check(box)
    for box in (1, 2, 3):
        table.play(box, "$10")
    assert laid(table).rstrip(" |") == LIES[way]


@pytest.mark.clause(*in_book("FCP-14", "8.E", "8.E(1)", "8.E(2)", "8.E(3)", "9.B(3)", "9.B(4)"))
@pytest.mark.clause(*in_book("FCP-14", "9.B(5)", "9.B(6)", "10.B(1)", "10.B(2)", "10.B(3)"))
@pytest.mark.clause(*in_book("FCP-14", "10.B(4)", "10.H"))
@pytest.mark.parametrize("way", FCP_LIES)
def test_fcp_cards_lie_where_the_way_puts_them(way: str) -> None:
    table = opened(terms("FCP-14", way))
    table.bet(1, ante="$10")
    table.bet(2, ante="$10")
    table.work()
    up = [card for card in table.state.round.places["dealer"] if card in table.state.round.up]
    assert up == [table.state.round.places["dealer"][5]]
    table.fold(1)
    table.fold(2)
    assert laid(table) == FCP_LIES[way]


@pytest.mark.clause(*in_uth("8.D(4)", "9.B(4)"), "UTH-S 10.B(5)", "UTH-14 10.B(4)")
@pytest.mark.clause(*in_book("FCP-14", "8.F(1)", "8.F(2)", "9.B(7)", "10.C", "10.C(1)", "10.C(2)"))
@every_way
def test_the_stub_is_put_away_after_the_last_card(book: str, way: str) -> None:
    table = fcp(way) if book == "FCP-14" else uth(book, way)
    while phase(table.state) == "acting":
        table.give(dealer(do.TimeOut, box=asked(table.state)))
        table.work(lambda state: phase(state) == "acting")
    last = told(table, ev.CardsDealt)[-1]
    assert f"{book} {table.state.dealing.procedure.stub_away_clause}" in last.clauses


@pytest.mark.clause(*in_uth("10.B(1)"), "FCP-14 10.B(1)")
@pytest.mark.parametrize("book", ["UTH-S", "UTH-14", "FCP-14"])
def test_no_bonus_cards_where_the_bonus_is_not_offered(book: str) -> None:
    full = terms(book)
    letters = {k: v for k, v in full.rules.letters if k not in ("six_card_bonus",)}
    rules = bind(full.rules.game, full.book, letters, progressive=full.rules.progressive)
    assert not [s for s in terms(book, rules=rules).plans["shuffler"] if s.to == "six_card_box"]


@every_way
def test_the_shoe_gives_what_the_step_needs_and_no_card_twice(book: str, way: str) -> None:
    table = opened(terms(book, way))
    table.bet(1, **({"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}))
    table.work(lambda state: state.round.stage == "play")
    needed = cards_needed(table.state)
    deck = table.shoe.draw(20)
    wrong = refused(table, dealer(do.Deal, cards=deck[: needed + 1]))
    assert wrong.clause == f"{book} {table.state.book.refusals.wrong_count}"
    table.give(dealer(do.Deal, cards=deck[:needed]))
    again = deck[:1] + deck[needed : needed + cards_needed(table.state) - 1]
    twice = refused(table, dealer(do.Deal, cards=again))
    assert twice.clause == f"{book} {table.state.book.refusals.one_deck}"


# Decisions


@pytest.mark.clause(*in_uth("11.B", "11.D", "11.F", "1.B(1)", "11.B(2)", "11.D(2)"))
@pytest.mark.clause(*in_uth("11.B(2)(a)", "11.B(2)(b)", "11.D(2)(a)", "11.D(2)(b)", "11.F(1)"))
@every_uth
def test_every_box_is_asked_in_order_from_the_left_until_it_plays(book: str) -> None:
    table = uth(book)
    order = []
    answers: list[tuple[type[do.Command], int | None]] = [
        (do.Check, None),
        (do.Play, 4000),
        (do.Check, None),
    ]
    answers += [(do.Play, 2000), (do.Check, None), (do.Play, 1000)]
    for kind, cents in answers:
        box = asked(table.state)
        order.append(box)
        for other in {1, 2, 3} - {box}:
            refused(table, player(do.Check, f"P{other}", box=other))
        more = {} if cents is None else {"cents": cents}
        table.give(player(kind, f"P{box}", box=box, **more))
        table.work(lambda state: phase(state) in ("acting", "revealing"))
    assert order == [1, 2, 3, 1, 3, 3]
    assert phase(table.state) == "revealing"


SIZES = {0: (3000, 4000), 1: (2000,), 2: (1000,)}


@pytest.mark.clause(*in_uth("11.B(1)", "11.D(1)", "11.F", "1.B(5)"))
@pytest.mark.parametrize("street", [0, 1, 2])
@every_uth
def test_play_has_its_size_on_each_street(book: str, street: int) -> None:
    table = uth(book, boxes=1)
    for _ in range(street):
        table.check(1)
    clause = f"{book} {('11.B(1)', '11.D(1)', '11.F')[street]}"
    for cents in {0, 500, 1000, 2000, 3000, 4000, 5000} - {*SIZES[street]}:
        assert refused(table, player(do.Play, box=1, cents=cents)).clause == clause
    table.give(player(do.Play, box=1, cents=SIZES[street][-1]))


@pytest.mark.clause(*in_uth("11.F(2)", "1.B(4)"))
@every_uth
def test_a_fold_comes_only_at_the_end_and_gives_up_ante_and_blind(book: str) -> None:
    table = uth(book, boxes=1)
    for _ in range(2):
        refused(table, player(do.Fold, box=1))
        table.check(1)
    refused(table, player(do.Check, box=1))
    folded, *given_up = table.give(player(do.Fold, box=1))
    assert isinstance(folded, ev.Folded)
    assert not folded.keeps_cards
    assert [(e.wager, e.cents) for e in given_up if isinstance(e, ev.WagerForfeited)] == [
        ("ante", 1000),
        ("blind", 1000),
    ]


@pytest.mark.clause(*in_uth("11.F(3)", "11.F(3)(a)", "11.F(3)(b)", "11.F(3)(c)", "11.F(3)(d)"))
@pytest.mark.parametrize(
    ("wagers", "keeps"),
    [
        ({}, False),
        ({"trips": "$5"}, True),
        ({"trips": "$5", "six_card_bonus": "$5"}, True),
        ({"progressive": "$5"}, True),
    ],
)
@every_uth
def test_folded_cards_stay_under_an_open_wager(
    book: str, wagers: dict[str, str], keeps: bool
) -> None:
    table = opened(terms(book), (1,))
    table.bet(1, ante="$10", blind="$10", **wagers)
    table.work()
    table.check(1)
    table.check(1)
    table.fold(1)
    (folded,) = told(table, ev.Folded)
    assert isinstance(folded, ev.Folded)
    assert folded.keeps_cards is keeps
    assert bool(told(table, ev.BoxTurned)) is keeps


@pytest.mark.clause("UTH-S 11.F(2)", "UTH-S 11.F(3)(b)", "UTH-S 11.F(3)(d)")
@pytest.mark.parametrize("wager", ["ultimate_pairs", "bad_beat", "play_the_board"])
def test_only_a_wager_that_looks_at_the_cards_keeps_them_after_a_fold(wager: str) -> None:
    """Play the Board looks at the community cards alone, and is settled without the others."""
    table = opened(terms("UTH-S"), (1,))
    table.bet(1, ante="$10", blind="$10", **{wager: "$5"})
    table.work()
    table.check(1)
    table.check(1)
    table.fold(1)
    (folded,) = told(table, ev.Folded)
    assert isinstance(folded, ev.Folded)
    keeps = wager != "play_the_board"
    assert folded.keeps_cards is keeps
    assert ("UTH-S 11.F(3)(b)" in folded.clauses) is not keeps
    assert bool(told(table, ev.BoxTurned)) is keeps
    assert table.state.last is not None
    assert wager in {line.wager for line in table.state.last.lines}


@pytest.mark.parametrize("book_id", sorted(the_registry().books))
def test_a_wager_keeps_folded_cards_when_what_it_looks_at_changes_with_them(book_id: str) -> None:
    """Every open wager looks at many boxes beside the same cards of the table."""
    registry = the_registry()
    book = registry.book(book_id)
    game, deck = registry.game_of(book), iter(DECK)
    lying = {p.name: tuple(islice(deck, p.cards)) for p in book.places if p.name != "box"}
    rest, hand = list(deck), book.place("box").cards
    rules = bind(game, book, first_letters(book))
    for wager in book.wagers:
        if wager.fold.outcome == "stays" and wager.judged_by in game.looks:
            boxes = [FinishedBox(1, tuple(Random(n).sample(rest, hand)), {}) for n in range(200)]
            look = game.looks[wager.judged_by]
            shown = {str(look(FinishedRound(rules, lying, (box,)), box)) for box in boxes}
            assert (len(shown) > 1) is wager.keeps_folded_cards, wager.name


@pytest.mark.clause(*in_book("FCP-14", "11.B", "11.B(1)", "11.B(2)", "11.D(1)", "11.D(1)(a)"))
@pytest.mark.clause(*in_book("FCP-14", "11.D(1)(b)", "1.B(5)", "7.E(1)", "7.E(2)"))
def test_four_card_asks_only_who_has_an_ante() -> None:
    table = fcp()
    assert asked(table.state) == 1
    for cents in (0, 999, 3001):
        clause = refused(table, player(do.Play, box=1, cents=cents)).clause
        assert clause == "FCP-14 11.B(1)"
    table.give(player(do.Play, box=1, cents=1750))  # any amount from one to three times
    assert asked(table.state) == 3  # box 2 has Aces Up alone
    table.give(player(do.Fold, "P3", box=3))
    assert phase(table.state) == "revealing"


@pytest.mark.clause(*in_book("FCP-14", "11.D(1)", "11.D(1)(a)", "11.D(1)(b)", "11.D(2)"))
def test_four_card_collects_what_folds_gave_up_when_all_have_decided() -> None:
    table = opened(terms("FCP-14"), (1, 2))
    for box in (1, 2):
        table.bet(box, ante="$10", progressive="$5")
    table.work()
    (folded,) = table.give(player(do.Fold, "P1", box=1))
    assert isinstance(folded, ev.Folded)
    assert "FCP-14 11.D(1)" not in folded.clauses
    assert table.state.round.boxes[1].forfeited == ()
    (played,) = table.give(player(do.Play, "P2", box=2, cents=1000))
    assert isinstance(played, ev.Played)
    *collected, revealed = table.give(dealer(do.Reveal))[:3]
    assert [(e.box, e.wager) for e in collected if isinstance(e, ev.WagerForfeited)] == [
        (1, "ante"),
        (1, "progressive"),
    ]
    assert all("FCP-14 11.D(1)" in event.clauses for event in collected)
    assert isinstance(revealed, ev.DealerRevealed)


@pytest.mark.clause(*in_book("FCP-14", "11.C", "11.C(1)", "11.C(3)", "11.C(2)"))
def test_a_four_card_fold_gives_up_ante_and_progressive_and_nothing_else() -> None:
    table = fcp()
    table.play(1, "$10")
    table.fold(3)
    given_up = [e.wager for e in told(table, ev.WagerForfeited) if isinstance(e, ev.WagerForfeited)]
    assert given_up == ["ante", "progressive"]
    assert table.state.last is not None
    outcomes = {line.wager: line.outcome for line in table.state.last.lines if line.box == 3}
    assert outcomes["aces_up"] in ("win", "lose")
    assert outcomes["progressive"] == "forfeit"


def test_a_time_out_is_played_by_the_default_and_recorded_so() -> None:
    table = uth(boxes=1)
    refused(table, player(do.TimeOut, box=1))
    for _ in range(3):
        table.give(device(do.TimeOut, box=1))
        table.work()
    checks = [e.defaulted for e in table.events if isinstance(e, ev.Checked)]
    folds = [e.defaulted for e in table.events if isinstance(e, ev.Folded)]
    assert (checks, folds) == ([True, True], [True])
    refused(table, device(do.TimeOut, box=1))


def test_while_a_clock_runs_nobody_else_hurries_a_box() -> None:
    table = uth(boxes=1)
    why = refused(table, dealer(do.TimeOut, box=1, seconds_left=9))
    assert why.sentence == "Box 1 has 9 seconds left to answer"
    for beyond, offers in (Beyond(seconds_left=9), 0), (ALONE, 1):
        shown = options(table.state, "dealer", "", beyond=beyond)
        assert len([one for one in shown if one.do == "time-out"]) == offers
    table.give(device(do.TimeOut, box=1, seconds_left=9))


def test_a_player_sees_all_his_boxes_before_he_acts_on_the_first() -> None:
    table = Table(terms())
    table.sit(1, "Ann")
    table.sit(2, "Ann")
    table.work()
    for box in (1, 2):
        table.bet(box, ante="$10", blind="$10")
    table.work()
    seen = view(table.state, Viewer(role="player", name="Ann"))
    assert all("??" not in box.cards for box in seen.boxes)


# The end of a round


@pytest.mark.clause(*in_uth("11.G", "11.G(1)", "11.G(2)", "11.G(3)"))
@pytest.mark.clause(*in_book("FCP-14", "11.D(2)", "11.D(3)"))
@pytest.mark.parametrize("book", ["UTH-S", "UTH-14", "FCP-14"])
def test_the_dealer_reveals_when_all_have_acted(book: str) -> None:
    table = fcp() if book == "FCP-14" else uth(book, boxes=1)
    refused(table, dealer(do.Reveal))
    while phase(table.state) == "acting":
        table.give(dealer(do.TimeOut, box=asked(table.state)))
        table.work(lambda state: phase(state) in ("acting", "revealing"))
    refused(table, dealer(do.SettleBox, box=1))
    turned = table.give(dealer(do.Reveal))
    revealed = next(event for event in turned if isinstance(event, ev.DealerRevealed))
    assert revealed.cards == table.state.round.places["dealer"]
    assert revealed.hand
    assert {*revealed.cards} <= table.state.round.up


@pytest.mark.clause(*in_uth("11.H", "11.H(2)"), "UTH-S 11.H(2)(a)", "UTH-S 11.H(2)(c)")
@pytest.mark.clause("UTH-S 11.H(2)(d)", "UTH-14 11.H(2)(i)", "UTH-14 11.H(2)(iii)")
@pytest.mark.clause("UTH-S 11.H(2)(b)", "UTH-14 11.H(2)(ii)", "UTH-14 11.H(2)(iv)")
@pytest.mark.clause(*in_book("FCP-14", "11.D(4)", "11.D(4)(a)", "11.D(4)(b)"))
@pytest.mark.parametrize("book", ["UTH-S", "UTH-14", "FCP-14"])
def test_boxes_are_turned_announced_and_settled_from_the_right(book: str) -> None:
    table = fcp() if book == "FCP-14" else uth(book)
    while phase(table.state) == "acting":
        box = asked(table.state)
        table.give(player(do.Play, f"P{box}", box=box, cents=3000))
        table.work(lambda state: phase(state) in ("acting", "settling"))
    refused(table, dealer(do.SettleBox, box=1, meters=table.meters))
    table.work()
    turned = [e.box for e in table.events if isinstance(e, ev.BoxTurned)]
    settled = [e.box for e in table.events if isinstance(e, ev.BoxSettled)]
    assert turned == settled == [3, 2, 1]
    assert all(e.hand for e in table.events if isinstance(e, ev.BoxTurned))


@pytest.mark.clause(*in_uth("11.K"), *in_book("FCP-14", "11.D(11)", "11.D(11)(a)", "11.D(11)(b)"))
@pytest.mark.parametrize("book", ["UTH-S", "UTH-14", "FCP-14"])
def test_cards_are_cleared_only_after_every_wager_is_settled(book: str) -> None:
    table = fcp() if book == "FCP-14" else uth(book)
    while phase(table.state) == "acting":
        box = asked(table.state)
        table.give(player(do.Play, f"P{box}", box=box, cents=3000))
        refused(table, dealer(do.ClearCards))
        table.work(lambda state: phase(state) in ("acting", "settling"))
    refused(table, dealer(do.ClearCards))
    table.work()
    last = table.state.last
    assert last is not None
    # Each hand can be reconstructed from what the table keeps.
    assert settle(finished_round(table.state.terms, last, readings(table.meters))).lines
    assert table.state.round.number == 2


@every_way
def test_receipts_equal_the_settlement_of_the_finished_round(book: str, way: str) -> None:
    table = fcp(way) if book == "FCP-14" else uth(book, way)
    before = readings(table.meters)
    while phase(table.state) == "acting":
        box = asked(table.state)
        table.give(player(do.Play, f"P{box}", box=box, cents=3000))
        table.work(lambda state: phase(state) in ("acting", "betting"))
    last = table.state.last
    assert last is not None
    whole = settle(finished_round(table.state.terms, last, before))
    assert receipt(table.state.terms, last, before).lines == whole.lines


def test_events_of_a_whole_table_cite_a_clause_each() -> None:
    table = uth()
    while phase(table.state) == "acting":
        table.give(dealer(do.TimeOut, box=asked(table.state)))
        table.work(lambda state: phase(state) in ("acting", "betting"))
    assert all(event.clauses for event in table.events)
    assert {"UTH-S 8.D(2)"}.isdisjoint(cited(table))  # dealt by chapter 10


def test_roles_are_kept() -> None:
    table = uth(boxes=1)
    clause = refused(table, dealer(do.Check, box=1)).clause
    assert clause == "UTH-S 11.A"
    assert refused(table, player(do.Deal)).clause == "UTH-S 11.A"
    assert refused(table, floor(do.Play, box=1, cents=3000)).sentence.endswith("not floorperson")
