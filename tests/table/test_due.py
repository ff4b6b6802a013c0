"""The step that is due: what the house does next, or the decision that a box owes."""

from __future__ import annotations

from typing import get_args

import pytest

from croupier.table import commands as do
from croupier.table.agenda import asked_box, street_of
from croupier.table.automatic_dealer import RULED, WORK, next_duty
from croupier.table.beyond import Beyond
from croupier.table.due import Due
from croupier.table.engine import duty_of
from croupier.table.handlers.handler import tag
from croupier.table.state import State
from croupier.table.views import DEALER, FLOORPERSON, PUBLIC, SURVEILLANCE, TableSight, Viewer, view
from tests.table.handlers.test_progressive import TOP, waits
from tests.table.people import dealer, floor, seconded
from tests.table.tables import opened, terms
from tests.table.test_views import every_book, ready

ANN, BOB = (Viewer(role="player", name=name) for name in ("P1", "P2"))


def due(state: State, viewer: Viewer = DEALER) -> Due | None:
    return TableSight(state).due(viewer)


def test_the_automatic_dealer_works_in_phases_of_each_duty() -> None:
    duties = [duty_of(kind) for kind in get_args(do.AnyCommand)]
    listed = {kind for kinds in WORK.values() for kind in kinds}
    assert [duty.kind for duty in duties if {*(duty.works_in or ())} - {*duty.phases}] == []
    assert listed | {*RULED} == {duty.kind for duty in duties if duty.automatic}


@every_book
def test_it_is_what_the_automatic_dealer_does_or_what_a_box_is_asked(book: str) -> None:
    table, seen = ready(book), set()
    for _ in range(60):
        step, duty = due(table.state), next_duty(table.state, table.shoe, table.meters)
        asked = asked_box(table.state)
        if duty is not None:
            assert step is not None
            assert (step.do, step.role) == ((tag(duty),), duty.role)
            assert step.box == getattr(duty, "box", 0)
            table.give(duty)
        elif asked is not None:
            who = Viewer(role="player", name=asked.player)
            options = view(table.state, who).may
            his = (option.do for option in options if option.box == asked.seat)
            may = tuple(choice for choice in his if choice in ("play", "check", "fold"))
            street = street_of(table.state, asked)
            assert step == Due(role="player", do=may, box=asked.seat, street=street.name)
            kind = do.Check if street.otherwise == "check" else do.Fold
            table.give(kind(by=asked.player, role="player", box=asked.seat))
            seen.add(street.name)
        else:
            assert step is None
            break
    assert table.state.round.number == 2
    assert seen == {street.name for street in table.state.book.streets}


def test_everybody_is_told_whose_decision_it_is() -> None:
    table = ready("UTH-S")
    table.work()
    asked = asked_box(table.state)
    assert asked is not None
    step = Due(role="player", do=("play", "check"), box=asked.seat, street="before the flop")
    assert {due(table.state, viewer) for viewer in (ANN, BOB, DEALER, PUBLIC)} == {step}


def test_before_the_first_wager_nothing_is_due() -> None:
    assert due(opened(terms()).state) is None


def test_what_was_declared_is_due_to_be_ruled_on() -> None:
    """Who is not of the house knows whom everything waits for, and not what he has to say."""
    table = ready("UTH-S")
    table.work()
    table.give(dealer(do.Declare, name="wrong-number-dealt"))
    assert due(table.state) == Due(role="floorperson", do=("confirm",))
    assert due(table.state, ANN) == due(table.state, PUBLIC) == Due(role="floorperson")


def test_that_a_refusal_is_proposed_is_not_read_from_what_is_due() -> None:
    table = waits("UTH-S", TOP["UTH-S"])
    before = [due(table.state, viewer) for viewer in (ANN, BOB, PUBLIC)]
    assert due(table.state, SURVEILLANCE) == Due(
        role="floorperson", do=("validate-progressive",), box=1
    )
    table.give(floor(do.ProposeRefusal, box=1, reason="hand"))
    assert due(table.state, SURVEILLANCE) == Due(role="manager", do=("confirm-refusal",), box=1)
    assert [due(table.state, viewer) for viewer in (ANN, BOB, PUBLIC)] == before


def test_a_win_that_another_table_is_ahead_of_is_not_due() -> None:
    table = waits("UTH-S", TOP["UTH-S"])
    beside = TableSight(table.state, beyond=Beyond(ahead="T-2"))
    assert beside.due(SURVEILLANCE) is None
    assert "validate-progressive" not in {one.do for one in beside.view(FLOORPERSON).may}


@pytest.mark.parametrize("ruling", ["default", "abandoned"])
def test_a_box_whose_player_left_is_ruled_on_and_then_played_by_the_house(ruling: str) -> None:
    table = ready("UTH-S")
    table.work()
    asked = asked_box(table.state)
    assert asked is not None
    box, street = asked.seat, "before the flop"
    table.give(dealer(do.ReportAbsence, box=box))
    ruled = Due(role="floorperson", do=("rule-on-absence",), box=box, street=street)
    assert due(table.state) == ruled
    table.give(floor(do.RuleOnAbsence, box=box, outcome=ruling))
    if ruling == "default":
        assert due(table.state) == Due(role="dealer", do=("time-out",), box=box, street=street)
    else:
        waits = due(table.state)
        assert waits is not None
        assert waits.do == ("second",)
        table.give(seconded("abandon", box))
        left = Due(role="player", do=("play", "check"), box=3 - box, street=street)
        assert due(table.state) == left
