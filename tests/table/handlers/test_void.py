"""A round that cannot go on: two people say so, every wager is back, whatever its cards are."""

from __future__ import annotations

import pytest

from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, cards_needed, phase
from croupier.table.double_entry import entries
from croupier.table.engine import fold
from croupier.table.powers import HOME
from croupier.table.state import replace
from croupier.table.views import FLOORPERSON, PUBLIC, Viewer, view
from tests.table.people import dealer, floor, manager, player
from tests.table.tables import METERS, Table, opened, refused, terms, voided

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
every_book = pytest.mark.parametrize("book", BOOKS)
LOST = do.VoidRound(by="croupier", role="device", cause="cards-unreadable", meters={"main": 1})
WHY = "the sealed cards cannot be opened"
MOMENTS = ("no more bets", "dealing", "acting", "revealing", "settling", "clearing")


def wagered(book: str, **changes: object) -> Table:
    bound = terms(book, "shuffler", electronic=True, electronic_shoe=True, **changes)
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
    _, event, *_ = voided(table, "power-lost", WHY)
    assert isinstance(event, ev.RoundVoided)
    assert (event.name, event.reason, event.rulings) == ("power-lost", WHY, (40,))
    assert event.clauses == (f"{book} 13",)
    assert accounts(table) == {}
    assert table.meters == METERS[book]
    assert table.state.hold is None
    assert refused(table, floor(do.VoidRound, cause="power-lost")).clause == f"{book} 13"
    table.work()
    assert table.state.round.number == 2


@every_book
def test_what_was_declared_is_ruled_on_before_a_void_is_asked_for(book: str) -> None:
    table = brought_to("waiting", book)
    asked = floor(do.VoidRound, cause="power-lost")
    assert refused(table, asked).sentence.startswith("Another matter is ruled on first")
    assert refused(table, LOST).sentence.startswith("Another matter is ruled on first")
    table.give(floor(do.Confirm, upheld=False))
    table.give(LOST)
    assert refused(table, floor(do.Confirm, upheld=True)).sentence.startswith("That is for manager")
    table.give(manager(do.Confirm, upheld=True, meters=table.meters))
    assert (table.state.round.stage, accounts(table)) == ("void", {})


@every_book
def test_cards_that_cannot_be_opened_before_bets_close_give_every_wager_back(book: str) -> None:
    """Nothing was dealt: the system waits for nobody, and everybody sees a void round."""
    table = wagered(book)
    table.give(LOST)
    assert (table.state.round.stage, accounts(table)) == ("void", {})
    assert all(not box.stakes for box in table.state.round.boxes.values())
    table.work(lambda state: state.round.number == 2)


@every_book
def test_only_the_floor_asks_for_a_void_and_only_in_a_round_that_is_closed(book: str) -> None:
    table = wagered(book)
    asked = floor(do.VoidRound, cause="other-cause", reason=WHY)
    assert "taken back" in refused(table, asked).sentence
    table.work()
    refused(table, dealer(do.VoidRound, cause="power-lost"))
    wordless = floor(do.VoidRound, cause="other-cause")
    assert "in words" in refused(table, wordless).sentence
    table.give(manager(do.VoidRound, by="Max", cause="power-lost"))
    own = do.Confirm(by="Max", role="manager", upheld=True, meters=table.meters)
    assert "Max began it" in refused(table, own).sentence
    table.give(replace(own, by="Mia"))
    assert table.state.round.stage == "void"


# One person and two (ruling 33)


@every_book
def test_nobody_confirms_or_dismisses_what_he_declared_himself(book: str) -> None:
    table = wagered(book)
    table.work()
    table.give(floor(do.Declare, name="wrong-number-dealt"))
    for upheld in (True, False):
        own = floor(do.Confirm, upheld=upheld, meters=table.meters)
        assert "Flo began it" in refused(table, own).sentence
    flo = Viewer(role="floorperson", name="Flo")
    assert "confirm" not in {option.do for option in view(table.state, flo).may}
    assert "confirm" in {option.do for option in view(table.state, FLOORPERSON).may}
    confirmed, *_ = table.give(replace(own, by="Fay", upheld=True))
    assert isinstance(confirmed, ev.IrregularityConfirmed)
    assert confirmed.by == "Fay"


@every_book
def test_at_home_one_person_may_do_both_and_it_is_marked(book: str) -> None:
    table = wagered(book, policy=HOME)
    table.work()
    before = table.state
    table.give(floor(do.Declare, name="wrong-number-dealt"))
    *_, used = table.give(floor(do.Confirm, upheld=True, meters=table.meters))
    assert isinstance(used, ev.PowerUsed)
    assert (used.act, used.by, used.second) == ("irregularity", "Flo", "")
    table.state = before
    event, *_, used = table.give(floor(do.VoidRound, cause="power-lost", meters=table.meters))
    assert isinstance(event, ev.RoundVoided)
    assert isinstance(used, ev.PowerUsed)
    assert (used.act, used.by, used.second) == ("void", "Flo", "")


@every_book
def test_the_automatic_house_is_two_people(book: str) -> None:
    table = wagered(book)
    table.work()
    declared = do.Declare(by="dealer", role="dealer", name="wrong-number-dealt")
    table.give(declared)
    command = table.until(do.Confirm)
    assert command.by != declared.by
    table.give(command)
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
    voided(table, "cards-unreadable", WHY)
    assert accounts(table) == {}
    assert view(table.state, PUBLIC).phase == "clearing"
    table.give(dealer(do.ClearCards))
    assert table.state.round.number == 2
