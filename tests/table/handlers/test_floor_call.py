"""The floorperson is called: once at a time, by the dealer, and the round goes on."""

from __future__ import annotations

import msgspec
import pytest

from croupier.ledger.snapshot import SHAPE, snapshot_of, table_at
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import phase
from croupier.table.narration import narrate as sentence
from croupier.table.state import Call
from croupier.table.views import DEALER, FLOORPERSON, PUBLIC, SURVEILLANCE, Viewer, view
from tests.table.people import dealer, floor, player
from tests.table.tables import Table, opened, refused, terms

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
every_book = pytest.mark.parametrize("book", BOOKS)
ANN = Viewer(role="player", name="P1")
WHY = "box 2 disputes a payout"


def offered(table: Table, viewer: Viewer) -> set[str]:
    return {option.do for option in view(table.state, viewer).may}


def called(book: str) -> Table:
    """Called while box 1 is asked."""
    table = opened(terms(book))
    table.bet(1, ante="$10", **({} if book == "FCP-14" else {"blind": "$10"}))
    table.work()
    table.at_s = 5000
    table.give(dealer(do.CallFloor, reason=WHY, at_s=5000))
    return table


@every_book
def test_a_call_stands_until_it_is_answered_and_the_round_goes_on(book: str) -> None:
    table = called(book)
    assert table.state.call == Call(at_s=5000, by="Dee", reason=WHY)
    again = refused(table, dealer(do.CallFloor, reason="and box 3"))
    assert again.sentence == "The floor is called already; nobody has come yet"
    while table.state.round.number == 1:
        if phase(table.state) == "acting":
            table.give(dealer(do.TimeOut, box=1))
        table.work()
    assert table.state.call is not None
    (answered,) = table.give(floor(do.AnswerCall))
    assert answered == ev.FloorAnswered(
        clauses=(f"{book} {table.state.book.procedure.clear_clause}",), by="Flo", at_s=5000
    )
    assert table.state.call is None
    refused(table, floor(do.AnswerCall))


def test_the_dealer_calls_and_the_floor_answers_at_any_time() -> None:
    table = Table(terms("UTH-S"))
    assert "call-floor" in offered(table, DEALER)  # before the first deck has come
    assert "answer-call" not in offered(table, FLOORPERSON)
    for stranger in (player(do.CallFloor), floor(do.CallFloor)):
        refused(table, stranger)
    table.give(dealer(do.CallFloor))
    refused(table, dealer(do.AnswerCall))
    assert "call-floor" not in offered(table, DEALER)
    assert "answer-call" in offered(table, FLOORPERSON)


def test_a_call_can_be_answered_while_an_irregularity_waits() -> None:
    table = called("UTH-S")
    table.give(dealer(do.Declare, name="wrong-number-dealt"))
    may = offered(table, FLOORPERSON)
    assert may == {"confirm", "answer-call", "lock-table", "open-dispute"}
    table.give(floor(do.AnswerCall))
    assert table.state.hold is not None
    refused(table, dealer(do.CallFloor))


def test_only_the_house_reads_why() -> None:
    table = called("UTH-S")
    for viewer in (DEALER, FLOORPERSON, SURVEILLANCE):
        assert view(table.state, viewer).call == table.state.call
    for viewer in (ANN, PUBLIC):
        seen = view(table.state, viewer)
        assert seen.call == Call(at_s=5000)
        assert WHY not in msgspec.json.encode(seen).decode()


def test_a_call_is_told_and_kept_with_the_table() -> None:
    table = called("UTH-S")
    (call,) = (event for event in table.events if isinstance(event, ev.FloorCalled))
    assert sentence(call, table.state) == f"The floorperson is called: {WHY}."
    bare = msgspec.structs.replace(call, reason="")
    assert sentence(bare, table.state) == "The floorperson is called."
    kept = snapshot_of(table.state, {}, pack=1, before=0)
    assert kept.shape == SHAPE
    assert table_at(kept, table.state.terms).call == table.state.call
