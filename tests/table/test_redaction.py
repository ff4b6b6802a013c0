"""What each viewer is told of what happened: never more than his view shows him."""

from __future__ import annotations

import msgspec
import pytest

from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.redaction import RedactedEvents
from croupier.table.state import Round
from croupier.table.views import (
    BACK,
    DEALER,
    FLOORPERSON,
    MANAGER,
    PUBLIC,
    SURVEILLANCE,
    TableSight,
    Viewer,
)
from tests.table.handlers.test_progressive import TOP, waits
from tests.table.people import dealer, floor, manager
from tests.table.tables import Table, opened, terms
from tests.table.test_views import every_book, ready

ANN, BOB, LOOKER = (Viewer(role="player", name=name) for name in ("P1", "P2", "Zoe"))
HOUSE = (DEALER, FLOORPERSON, MANAGER, SURVEILLANCE)
EVERYBODY = (ANN, BOB, LOOKER, PUBLIC, *HOUSE)
every_viewer = pytest.mark.parametrize(
    "viewer", EVERYBODY, ids=lambda viewer: viewer.name or viewer.role
)


def given(table: Table, command: do.Command) -> RedactedEvents:
    before = table.state
    return RedactedEvents(before, table.give(command))


def dealt_to(told: RedactedEvents, viewer: Viewer, box: int) -> set[str]:
    """The cards that he is told this box was dealt."""
    dealt = (event for event in told.of(viewer) if isinstance(event, ev.CardsDealt))
    return {card for event in dealt for lie in event.lies if lie.box == box for card in lie.cards}


@every_viewer
@every_book
def test_nobody_is_told_a_card_of_a_box_while_the_deal_goes_on(book: str, viewer: Viewer) -> None:
    """Not even its player, who may not look yet."""
    table = ready(book, "shoe")
    told = given(table, table.until(do.Deal))
    while not dealt_to(told, DEALER, 1):
        told = given(table, table.until(do.Deal))
    assert dealt_to(told, viewer, 1) == {BACK}


@every_viewer
def test_the_last_cards_of_a_deal_are_told_to_their_player_alone(viewer: Viewer) -> None:
    """A shuffler serves the boxes one after the other; with the last one the deal is over."""
    table = ready("UTH-S")
    first = table.state.terms.first_steps["shuffler"]
    told = given(table, table.until(do.Deal))
    while table.state.round.step < first:
        told = given(table, table.until(do.Deal))
    served = [box for box in (1, 2) if dealt_to(told, DEALER, box)]
    assert served
    for box in served:
        held = table.state.round.boxes[box]
        own = viewer.name == held.player
        assert dealt_to(told, viewer, box) == ({*held.cards} if own else {BACK})


def test_a_card_of_the_last_round_says_nothing_of_this_one() -> None:
    """It still lies there, and another of the same name may be dealt face down."""
    table = ready("UTH-S")
    table.work()
    over = msgspec.structs.replace(table.state, last=table.state.round, round=Round(number=2))
    assert {BACK} < {card for box in TableSight(over).view(ANN).boxes for card in box.cards}
    for viewer in EVERYBODY:
        assert TableSight(over).cards(viewer) == frozenset()


@every_viewer
def test_a_line_is_told_to_its_player_and_to_the_house(viewer: Viewer) -> None:
    table = ready("UTH-S")
    table.work()
    table.give(do.Play(by="P1", role="player", box=1, cents=40_00))
    table.give(do.Play(by="P2", role="player", box=2, cents=40_00))
    lines: set[int] = set()
    nets: set[int] = set()
    for _ in range(2):
        told = given(table, table.until(do.SettleBox)).of(viewer)
        lines |= {event.box for event in told if isinstance(event, ev.WagerSettled)}
        nets |= {event.box for event in told if isinstance(event, ev.BoxSettled)}
    assert nets == {1, 2}
    assert lines == ({1, 2} if viewer in HOUSE else {ANN: {1}, BOB: {2}}.get(viewer, set()))


@every_viewer
def test_chips_are_told_to_their_player_and_to_the_house(viewer: Viewer) -> None:
    table = opened(terms(keeps_chips=True))
    told = given(table, dealer(do.BuyIn, box=1, cents=100_00, taken="cash")).of(viewer)
    assert bool(told) == (viewer in (ANN, *HOUSE))


@every_viewer
def test_what_the_floor_proposes_is_told_to_the_house(viewer: Viewer) -> None:
    """Its player hears of a refusal when it is one, and of nobody's name."""
    table = waits("UTH-S", TOP["UTH-S"])
    proposed = given(table, floor(do.ProposeRefusal, box=1, reason="hand")).of(viewer)
    assert bool(proposed) == (viewer in HOUSE)
    upheld = manager(do.ConfirmRefusal, box=1, upheld=True, meters=table.meters)
    told = given(table, upheld).of(viewer)
    refused = [event for event in told if isinstance(event, ev.ProgressiveRefused)]
    assert bool(refused) == (viewer in (ANN, *HOUSE))
    for event in refused:
        assert bool(event.by and event.proposed_by) == (viewer in HOUSE)


@every_viewer
def test_why_and_by_whom_the_floorperson_was_called_is_told_to_the_house(viewer: Viewer) -> None:
    table = opened(terms())
    (called,) = given(table, dealer(do.CallFloor, reason="a question")).of(viewer)
    (came,) = given(table, floor(do.AnswerCall)).of(viewer)
    assert isinstance(called, ev.FloorCalled)
    assert isinstance(came, ev.FloorAnswered)
    is_house = viewer in HOUSE
    assert bool(called.by and called.reason and came.by) == is_house
    assert is_house or not (called.by or called.reason or came.by)


def test_it_is_worked_out_once_for_all_who_may_know_the_same() -> None:
    table = ready("UTH-S")
    told = given(table, table.until(do.NoMoreBets))
    assert told.of(DEALER) is told.of(FLOORPERSON) is told.of(Viewer(role="manager", name="Mo"))
    assert told.of(PUBLIC) is told.of(LOOKER)
    assert told.of(PUBLIC) == told.of(ANN)
