"""A round the system itself cannot finish: void, every wager back, whatever its cards are."""

from __future__ import annotations

import pytest

from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, cards_needed, phase
from croupier.table.double_entry import entries
from croupier.table.engine import fold
from croupier.table.views import FLOORPERSON, PUBLIC, view
from tests.table.people import dealer, floor, player
from tests.table.tables import METERS, Table, opened, refused, terms

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
every_book = pytest.mark.parametrize("book", BOOKS)
WHY = "the sealed cards cannot be opened"
MOMENTS = ("no more bets", "dealing", "acting", "waiting", "revealing", "settling", "clearing")


def wagered(book: str) -> Table:
    bound = terms(book, "shuffler", electronic=True, electronic_shoe=True)
    table = opened(bound, (1, 2))
    base = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
    table.bet(1, **base, progressive="$5")
    table.bet(2, **base, **({"aces_up": "$5"} if book == "FCP-14" else {"trips": "$5"}))
    return table


def brought_to(moment: str, book: str) -> Table:
    table = wagered(book)
    table.work(lambda state: state.round.stage == "play")
    if moment == "no more bets":
        return table
    table.work(lambda state: state.round.step == 2)
    if moment == "dealing":
        return table
    table.work()
    if moment == "waiting":
        table.give(dealer(do.Declare, name="wrong-number-dealt"))
    while phase(table.state) == "acting" and moment not in ("acting", "waiting"):
        box = asked_box(table.state)
        assert box is not None
        table.give(player(do.Play, box.player, box=box.seat, cents=3000))
        table.work(lambda state: phase(state) in ("acting", "revealing"))
    if moment in ("settling", "clearing"):
        command = table.until(do.SettleBox)
        table.give(command)
        table.work(lambda state: phase(state) == "clearing" or moment == "settling")
    return table


def accounts(table: Table) -> dict[str, int]:
    total: dict[str, int] = {}
    for event in table.events:
        for account, micros in entries(event):
            total[account] = total.get(account, 0) + micros
    return {account: micros for account, micros in total.items() if micros}


@pytest.mark.parametrize("moment", MOMENTS)
@every_book
def test_every_wager_comes_back_at_any_moment(book: str, moment: str) -> None:
    table = brought_to(moment, book)
    assert "void-round" in {option.do for option in view(table.state, FLOORPERSON).may}
    events = table.give(floor(do.VoidRound, reason=WHY, meters=table.meters))
    assert isinstance(events[0], ev.RoundVoided)
    assert (events[0].reason, events[0].rulings) == (WHY, (40,))
    assert events[0].clauses == (f"{book} 13",)
    assert accounts(table) == {}
    assert table.meters == METERS[book]
    assert table.state.hold is None
    assert refused(table, floor(do.VoidRound, reason=WHY)).clause == f"{book} 13"
    table.work()
    assert table.state.round.number == 2


@every_book
def test_only_the_floor_voids_a_round_and_only_one_that_is_closed(book: str) -> None:
    table = wagered(book)
    assert "taken back" in refused(table, floor(do.VoidRound, reason=WHY)).sentence
    table.work()
    refused(table, dealer(do.VoidRound, reason=WHY, meters=table.meters))
    table.give(do.VoidRound(by="Max", role="manager", reason=WHY, meters=table.meters))
    assert table.state.round.stage == "void"


@every_book
def test_cards_nobody_can_read_are_no_hindrance(book: str) -> None:
    """Sealed cards stand in the state as tokens; voiding and clearing look at none of them."""
    table = wagered(book)
    table.work(lambda state: state.round.stage == "play")
    number = 0
    while phase(table.state) == "dealing":
        step = table.state.plan[table.state.round.step]
        count = cards_needed(table.state)
        tokens = tuple(f"@{number + n}" for n in range(count))
        number += count
        seats = sorted(table.state.round.boxes) if step.to == "boxes" else [0]
        each = count // len(seats)
        lies = tuple(
            ev.Lie(place=step.to, cards=tokens[at * each : (at + 1) * each], box=seat)
            for at, seat in enumerate(seats)
        )
        dealt = ev.CardsDealt(clauses=(f"{book} 10",), step=table.state.round.step, lies=lies)
        table.state = fold(table.state, [dealt])
    assert phase(table.state) == "acting"
    table.give(floor(do.VoidRound, reason=WHY, meters=table.meters))
    assert accounts(table) == {}
    assert view(table.state, PUBLIC).phase == "clearing"
    table.give(dealer(do.ClearCards))
    assert table.state.round.number == 2
