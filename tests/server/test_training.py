"""The training table: opened, shuffled, cut, counted and changed by hand, and audited like any."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import UNSET

from croupier.audit.ledger_audit import audited
from croupier.audit.round_check import check_round
from croupier.games.registry import the_registry
from croupier.ledger.installation import installation
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.rounds import kept_rounds
from croupier.ledger.shoe.card_tokens import token
from croupier.ledger.shoe.key_ring import KeyRing, new_ring
from croupier.ledger.shoe.pack import fresh_pack
from croupier.ledger.store.address import open_ledger
from croupier.practice import regulars
from croupier.server.pages.table_facts import facts_of
from croupier.server.pit.table_actor import TableActor
from croupier.submission.check import shipped_submission, shipped_text
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import phase
from croupier.table.automatic_dealer import next_duty
from croupier.table.handlers.stub_count import hands_dealt, stub_is_due
from croupier.table.state import State
from croupier.table.views import FLOORPERSON, SURVEILLANCE
from tests.cli.ledger_commands import run
from tests.server.school import HOUR_US, SECOND_US, School, by_shoe, school
from tests.server.service import Service
from tests.server.staff import Table, hire

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
OPENED = [
    ev.DeckReceived,
    ev.DeckInspected,
    ev.InspectionVerified,
    ev.DeckSpread,
    ev.DeckWashed,
    ev.DeckStacked,
    ev.DeckShuffled,
    ev.DeckCut,
]
every_book = pytest.mark.parametrize("book", BOOKS)


def test_a_deck_that_falls_due_is_shown_so_though_nothing_happens(tmp_path: Path) -> None:
    async def told(table: TableActor, clock: School) -> list[dict[str, Any]]:
        frames = []
        table.start()
        with table.watched(viewer=FLOORPERSON) as watch:
            for _ in range(2):
                assert await asyncio.wait_for(watch.next(), 60)
                frames.append(json.loads(table.frame(FLOORPERSON, watch))["view"])
                clock.now_us += SECOND_US
        return frames

    with school(tmp_path, by_shoe("UTH-S")) as table:
        table.work(_ready)
        (deck,) = table.state.decks
        table.now_us = (deck.opened_s + 8 * 3600 - 1) * SECOND_US
        before, after = table.run(told(table.table, table))
        assert "overdue" not in before
        assert after["overdue"] == ["red"]
        assert after["deck_waits"][0] == "The red deck has been in use 8 hours; change it first"


def _to_count(state: State) -> bool:
    return phase(state) == "revealing" and stub_is_due(state) and not state.round.counted


def _all_dealt(state: State) -> bool:
    return phase(state) == "revealing"


def _ready(state: State) -> bool:
    return state.deck is not None and state.deck.stage == "ready"


def _opening(table: School) -> list[type[ev.Event]]:
    return [type(event) for event in table.told() if type(event) in OPENED]


def test_who_plays_at_a_pit_is_told_what_a_late_answer_does(tmp_path: Path) -> None:
    """At a practice or training table too: the clock of a pit runs there. At home none does."""
    with school(tmp_path, by_shoe("UTH-S")) as table:
        kept, late = table.table.kept, "If you do not answer in time"
        assert any(said.startswith(late) for said in facts_of(kept, table.registry).steps)
        at_home = facts_of(kept, table.registry, at_home=True)
        assert not any(said.startswith(late) for said in at_home.steps)


@every_book
def test_a_deck_is_opened_counted_and_changed(book: str, tmp_path: Path) -> None:
    with school(tmp_path, by_shoe(book)) as table:
        assert "paper cards" in table.refused(do.OpenTable(by="Dora", role="dealer"))
        table.work()
        assert _opening(table) == OPENED
        table.play(5, until=_to_count)
        assert (table.state.round.number, table.state.uncounted) == (5, 5)
        out = len(table.state.round.out)
        (counted,) = table.dealer(do.CountStub, stub=52 - out, on_table=out)
        assert isinstance(counted, ev.StubCounted)
        assert counted.right
        table.dealer(do.CallFloor, reason="As")  # No card is named, whatever is written.
        table.play()
        table.floor(do.AnswerCall)
        table.wager()
        table.now_us += 9 * HOUR_US
        late = do.NoMoreBets(by="Dora", role="dealer")
        assert "has been in use 8 hours; change it first" in table.refused(late)
        table.floor(do.RemoveDeck, color="red")
        table.work(_ready)
        assert _opening(table)[-len(OPENED) :] == OPENED
        table.play()
        records = table.rounds()
        assert [record.stub_count is not None for record in records[:5]] == [False] * 4 + [True]
        assert all(record.training and record.practice and record.deck for record in records)
        assert records[-1].deck is not None
        assert records[-1].deck.opened_at_us > records[0].closed_at_us + 9 * HOUR_US
        table.refuse_unsound()


@every_book
def test_an_ordered_shuffle_is_a_new_order_and_a_new_commitment(book: str, tmp_path: Path) -> None:
    """It forgets the cut, and wagers that are down go back first (ruling 45)."""
    with school(tmp_path, by_shoe(book)) as table:
        table.work()
        table.wager()
        kept = table.table.kept
        before, cards = kept.committed_root(), kept.shoe().draw(52)
        assert table.state.round.cut
        *returned, ordered = table.floor(do.OrderShuffle, color="red")
        assert {type(event) for event in returned} == {ev.WagerReturned}
        assert isinstance(ordered, ev.ShuffleOrdered)
        assert kept.committed_root() != before
        assert kept.shoe().draw(52) != cards
        assert table.state.round.cut == 0
        table.work()
        table.play()
        (record,) = table.rounds()
        assert record.status == "complete"
        table.refuse_unsound()


def _idle(table: School) -> None:
    table.dealer(do.GoIdle, face_up=False)


def _exchange_deck(table: School) -> None:
    table.floor(do.RemoveDeck, color=table.state.color)


def _break_shuffler(table: School) -> None:
    table.dealer(do.ReportDevice, device="shuffler")
    table.dealer(do.CoverDevice, device="shuffler", how="covered")
    table.floor(do.ChangeWay, way="shoe")


@every_book
@pytest.mark.parametrize(
    ("happens", "event", "by_hand"),
    [
        (_idle, ev.TableIdle, True),
        (_exchange_deck, ev.DeckRemoved, True),
        (_exchange_deck, ev.DeckRemoved, False),
        (_break_shuffler, ev.WayChanged, False),
    ],
)
def test_a_deck_that_loses_its_order_is_committed_to_anew(
    book: str,
    happens: Callable[[School], None],
    event: type[ev.Event],
    by_hand: bool,
    tmp_path: Path,
) -> None:
    """Whoever wanted it shuffled again: it is a new pack, and no earlier cut turns it (39)."""
    with school(tmp_path, by_shoe(book) if by_hand else shipped_text(book)) as table:
        table.work(_ready)
        kept = table.table.kept
        before, cards = kept.committed_root(), kept.shoe().draw(52)
        happens(table)
        assert isinstance(list(table.told())[-1], event)
        assert kept.committed_root() != before
        assert kept.shoe().draw(52) != cards
        assert table.state.round.cut == 0
        assert _read_again(table).shoe().draw(52) == kept.shoe().draw(52)
        table.play(2)
        assert [record.status for record in table.rounds()] == ["complete"] * 2
        for each in kept_rounds(table.ledger, table.table.name, table.registry, table.ring):
            assert check_round(each, table.ledger.id, SURVEILLANCE, table.ring).differences == ()
        table.refuse_unsound()


def test_a_deck_that_loses_its_order_and_keeps_its_pack_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A keeper that deals the old order after the deck was spread is told of by the audit."""
    monkeypatch.setattr("croupier.ledger.kept_table.orders_anew", lambda *_: False)
    with school(tmp_path, by_shoe("UTH-S")) as table:
        table.work(_ready)
        _idle(table)
        table.play(1)
        found = audited(table.ledger, table.registry, ring=table.ring).differences
        why = "the deck was to be shuffled again, and no new order is committed to"
        assert {one.sentence for one in found} == {why}


def test_the_cut_of_a_deck_that_left_does_not_turn_the_next_one(tmp_path: Path) -> None:
    with school(tmp_path, by_shoe("UTH-S")) as table:
        table.work(_ready)
        table.floor(do.RemoveDeck, color="red")
        table.floor(do.ReceiveDeck, color="red", preshuffled=True)
        table.dealer(do.Cut, cards=20)
        assert table.state.round.cut == 20
        table.play(1)
        table.refuse_unsound()


@every_book
def test_a_wrong_count_calls_the_floor(book: str, tmp_path: Path) -> None:
    """52 cards that lie wrong void the round; any other number takes the deck away too."""
    with school(tmp_path, by_shoe(book)) as table:
        for number, off in ((1, 0), (2, -1)):
            table.play(1, until=_all_dealt)
            out = len(table.state.round.out)
            hands = hands_dealt(table.state)
            table.dealer(do.CountStub, stub=52 - out - 1, on_table=out + 1 + off, hands=hands)
            assert table.state.hold is not None
            assert table.refused(do.Confirm(by="Dora", role="dealer", upheld=True))
            table.floor(do.Confirm, upheld=True)
            assert table.state.round.stage == "void"
            table.dealer(do.ClearCards)
            assert table.state.round.number == number + 1
            assert [deck.color for deck in table.state.decks] == ([] if off else ["red"])
        table.play()
        assert [record.status for record in table.rounds()] == ["void", "void", "complete"]
        table.refuse_unsound()


@every_book
def test_a_due_count_comes_before_the_reveal_and_a_new_deck_begins_anew(
    book: str, tmp_path: Path
) -> None:
    with school(tmp_path, by_shoe(book)) as table:
        table.play(4)
        table.play(1, until=_to_count)
        early = do.Reveal(by="Dora", role="dealer")
        assert "5 rounds were dealt since the last count" in table.refused(early)
        out = len(table.state.round.out)
        hands = hands_dealt(table.state)
        table.dealer(do.CountStub, stub=51 - out, on_table=out, hands=hands)
        table.floor(do.Confirm, upheld=True)
        assert table.state.round.stage == "void"
        assert table.state.decks == ()
        table.play(3)
        assert table.state.uncounted == 2
        table.dealer(do.CountStub, stub=52, on_table=0)
        table.play(1)
        fresh = [record.deck.fresh for record in table.rounds() if record.deck is not None]
        assert fresh == [True] + [False] * 4 + [True, False, False]
        table.refuse_unsound()


@every_book
def test_two_decks_take_turns_and_a_broken_shuffler_is_stood_in_for(
    book: str, tmp_path: Path
) -> None:
    with school(tmp_path, shipped_text(book)) as table:
        table.play(3)
        colors = [record.deck.color for record in table.rounds() if record.deck is not None]
        assert colors == ["red", "blue", "red"]
        assert all(record.deck and record.deck.found == 52 for record in table.rounds())
        table.dealer(do.ReportDevice, device="shuffler")
        table.play(2)
        assert table.state.way == "shoe"
        assert len(table.state.decks) == 1
        assert [record.way for record in table.rounds()] == ["shuffler"] * 3 + ["shoe"] * 2
        table.floor(do.RestoreDevice, device="shuffler")
        table.play(1)
        assert table.state.way == "shuffler"
        table.refuse_unsound()


@every_book
def test_a_cut_turns_the_sealed_pack(book: str, tmp_path: Path) -> None:
    """After the commitment, and again after a card was found and the deck cut once more."""
    with school(tmp_path, by_shoe(book)) as table:
        table.work(lambda state: state.deck is not None and state.deck.stage == "shuffled")
        table.dealer(do.Cut, cards=17)
        table.wager()
        table.dealer(do.NoMoreBets)
        assert _read_again(table).shoe().draw(2) == table.table.kept.shoe().draw(2)
        (declared,) = table.dealer(do.Declare, name="card-face-up", cards=("?",))
        table.floor(do.OrderRecut)
        table.dealer(do.Cut, cards=51)
        table.play(1)
        (kept, *_) = kept_rounds(table.ledger, table.table.name, table.registry, table.ring)
        dealt = next(event for event in kept.chapters[0].events if isinstance(event, ev.CardsDealt))
        pack = kept.packs[0]
        assert pack is not None
        assert isinstance(declared, ev.IrregularityDeclared)
        assert declared.cards == (pack.cards[17],)
        assert dealt.lies[0].cards[0] == token(16)
        checked = check_round(kept, table.ledger.id, SURVEILLANCE, table.ring)
        assert (checked.cut, checked.differences, checked.undealt_fit) == (16, (), True)
        assert {card.pack for card in checked.cards} == {
            (16 + n) % 52 for n in range(len(checked.cards))
        }
        table.refuse_unsound()


def _read_again(table: School, ring: KeyRing | None = None) -> KeptTable:
    packs = partial(fresh_pack, Random(5).getrandbits)
    name, keys = table.table.name, ring or table.ring
    clock = lambda: table.now_us  # noqa: E731
    again = KeptTable(table.ledger, name, table.registry, keys, packs, clock, keys_are_lost=True)
    assert again.state == table.state
    return again


def test_a_pack_that_takes_the_place_of_one_that_was_cut_is_cut_as_well(tmp_path: Path) -> None:
    with school(tmp_path, by_shoe("UTH-S")) as table:
        table.work(lambda state: state.deck is not None and state.deck.stage == "shuffled")
        table.dealer(do.Cut, cards=30)
        renewed, ids = _read_again(table, new_ring()), count(1)
        for command in regulars.wagers(renewed.state, 1):
            renewed.give(command, f"r{next(ids)}")
        while phase(renewed.state) in ("betting", "dealing"):
            duty = next_duty(renewed.state, renewed.shoe(), renewed.readings())
            assert duty is not None
            renewed.give(duty, f"r{next(ids)}")
        (kept, *_) = kept_rounds(table.ledger, renewed.name, table.registry)
        dealt = next(event for event in kept.chapters[1].events if isinstance(event, ev.CardsDealt))
        assert dealt.lies[0].cards[0] == token(30)
        assert check_round(kept, table.ledger.id, SURVEILLANCE).differences == ()
        assert audited(table.ledger, table.registry).differences == []


def test_what_is_for_training_is_not_real() -> None:
    """Whoever writes otherwise into a first line is found by the audit, which writes it anew."""
    filed = shipped_submission("UTH-S")
    event = installation(filed, the_registry(), "T", "", practice=False, sealed=True, training=True)
    assert (event.practice, event.sealed, event.training) == (True, UNSET, True)
    plain = installation(filed, the_registry(), "T", "", practice=False, sealed=True)
    assert (plain.practice, plain.sealed, plain.training) == (False, True, UNSET)


def test_a_training_table_is_brought_in_and_marked_everywhere(tmp_path: Path) -> None:
    """On the command line and over the API; in lists, views, history, export and books."""
    with Service(tmp_path, "", "--training", "FCP-14").running() as service:
        people = hire(service)
        told = people["manager"].post(
            "/api/tables", {"submission": by_shoe("UTH-S"), "training": True}
        )
        assert (told["name"], told["training"], told["practice"]) == ("UTH-1-training", True, True)
        shown = {table["name"]: table["training"] for table in people["ann"].get("/api/tables")}
        assert shown == {"FCP-1-training": True, "UTH-1-training": True}
        table = Table(people, "UTH-1-training", "uth")
        _open(table)
        table.wagered()
        table.done("dealer", "no-more-bets")
        table.finished()
        assert table.view("ann")["training"]
        replay = people["surveillance"].get("/api/tables/UTH-1-training/rounds/1")
        assert replay["training"]
        for page in ("/sign/UTH-1-training", "/sign/FCP-1-training"):
            assert "Training table" in people["ann"].get(page)
        rules = people["ann"].get("/tables/UTH-1-training/rules")
        assert 'href="/tables/UTH-1-training"' in rules
    ledger = str(tmp_path / "pit.db")
    records = [json.loads(line) for line in run("export", ledger).out.splitlines()]
    assert [record["training"] for record in records] == [True] * 3
    told = run("replay", ledger, 1, "--table", "UTH-1-training").out
    assert "Training table UTH-1-training, round 1" in told
    assert "FCP-14, training" in run("ledger", "show", ledger).out
    assert "training table UTH-1-training installed" in run("books", ledger, "events").out
    found = audited(open_ledger(ledger, read_only=True), the_registry())
    assert found.differences == []


def _open(table: Table) -> None:
    table.done("floorperson", "receive-deck", color="red")
    table.done("dealer", "inspect-deck", color="red", alike=True, cover_cards=2)
    table.done("floorperson", "verify-inspection", color="red", shoe_in_place=True)
    table.done("dealer", "spread-deck", color="red")
    table.done("ann", "take-box", box=1)
    table.done("dealer", "buy-in", box=1, cents=500_00, taken="cash")
    for duty in ("wash-deck", "stack-deck", "shuffle"):
        table.done("dealer", duty, color="red")
    table.done("dealer", "cut", cards=26)
