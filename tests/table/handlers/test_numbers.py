"""Players' numbers for the shuffle: committed to with a wager, shown later, or all is void."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace as with_fields
from typing import Literal

import pytest

from croupier.facts.errors import Refusal
from croupier.games.registry import the_registry
from croupier.submission.check import shipped_submission
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.beyond import Beyond
from croupier.table.engine import options
from croupier.table.handlers.numbers import SHOW_WITHIN_S
from croupier.table.shoe import number_hash, order_of
from croupier.table.terms import Terms, terms_of
from croupier.table.views import DEALER, PUBLIC, view
from tests.table.tables import Table, opened, refused

ONE, OTHER = "11" * 32, "ab" * 32
STAKES = {"ante": 1000, "blind": 1000}


def terms(*, takes_numbers: bool = True) -> Terms:
    said = with_fields(shipped_submission("UTH-S"), players_numbers=takes_numbers)
    return terms_of(said, the_registry(), electronic_shoe=True)


def wager(table: Table, box: int, hash: str = "", **stakes: int) -> None:
    placed = do.PlaceWagers(
        by=table.at(box), role="player", box=box, stakes=stakes or STAKES, number_hash=hash
    )
    table.give(placed)


def show(table: Table, box: int, number: str, by: str = "") -> None:
    table.give(do.ShowNumber(by=by or table.at(box), role="player", box=box, number=number))


def closed(*numbers: str) -> Table:
    """Each box commits to its number, or to none; the betting is closed."""
    table = opened(terms(), range(1, len(numbers) + 1))
    for box, number in enumerate(numbers, 1):
        wager(table, box, number_hash(1, box, number) if number else "")
    table.give(do.NoMoreBets(by="dealer", role="dealer", at_s=100, meters=table.meters))
    return table


def deal(table: Table) -> None:
    command = table.until(do.Deal)
    table.give(command)


def test_no_card_is_found_before_every_number_is_shown() -> None:
    """Which one comes next is not known before."""
    said = with_fields(shipped_submission("FCP-14"), players_numbers=True)
    table = opened(terms_of(said, the_registry(), electronic_shoe=True), (1,))
    wager(table, 1, number_hash(1, 1, ONE), ante=1000)
    table.give(do.NoMoreBets(by="dealer", role="dealer", at_s=100, meters=table.meters))
    found = do.Declare(by="dealer", role="dealer", name="card-face-up", cards=("2h",))
    with pytest.raises(Refusal, match="Box 1 has not shown its number"):
        table.give(found)
    show(table, 1, ONE)
    table.give(found)


def test_no_card_is_dealt_before_every_number_is_shown() -> None:
    table = closed(ONE, OTHER)
    for box, number in ((1, ONE), (2, OTHER)):
        with pytest.raises(Refusal, match=f"Box {box} has not shown its number"):
            table.give(do.Deal(by="dealer", role="dealer", cards=("Ah", "Kd", "2c", "3s")))
        show(table, box, number)
    deal(table)
    assert table.state.round.was_dealt
    assert table.state.round.numbers == {1: ONE, 2: OTHER}


def test_a_number_is_the_one_that_was_committed_to_and_its_players_own() -> None:
    table = closed(ONE, "")
    with pytest.raises(Refusal, match="not the number that box 1 committed itself to"):
        show(table, 1, OTHER)
    with pytest.raises(Refusal, match="not yours"):
        show(table, 1, ONE, by="P2")
    with pytest.raises(Refusal, match="No number of box 2 is waited for"):
        show(table, 2, ONE)
    show(table, 1, ONE)
    with pytest.raises(Refusal, match="No number of box 1 is waited for"):
        show(table, 1, ONE)


def test_numbers_are_committed_to_once_and_only_where_they_are_taken() -> None:
    table = opened(terms(), (1,))
    wager(table, 1, number_hash(1, 1, ONE))
    wager(table, 1, number_hash(1, 1, ONE), trips=500)
    assert [type(event) for event in table.events].count(ev.NumberCommitted) == 1
    with pytest.raises(Refusal, match="has given its number"):
        wager(table, 1, number_hash(1, 1, OTHER), trips=1000)
    with pytest.raises(Refusal, match="when the betting is closed"):
        show(table, 1, ONE)
    table.give(do.WithdrawWagers(by="P1", role="player", box=1))
    wager(table, 1, number_hash(1, 1, OTHER))
    assert table.state.round.boxes[1].number_hash == number_hash(1, 1, OTHER)
    other = opened(terms(takes_numbers=False), (1,))
    with pytest.raises(Refusal, match="takes no numbers"):
        wager(other, 1, number_hash(1, 1, ONE))


def test_a_missing_number_voids_the_round_and_is_counted() -> None:
    table = closed(ONE, OTHER)
    show(table, 1, ONE)
    early = do.VoidUnshown(by="croupier", role="device", at_s=99 + SHOW_WITHIN_S)
    with pytest.raises(Refusal, match="Box 2 has 1 seconds to show"):
        table.give(early)
    before = dict(table.meters)
    late = do.VoidUnshown(by="croupier", role="device", at_s=100 + SHOW_WITHIN_S)
    events = table.give(do.with_readings(late, table.meters))
    missing, void, *back = events
    assert isinstance(missing, ev.NumberMissing)
    assert (missing.box, missing.player) == (2, "P2")
    assert isinstance(void, ev.RoundVoided)
    assert Counter(event.box for event in back if isinstance(event, ev.WagerReturned)) == {
        1: 2,
        2: 2,
    }
    assert table.state.unshown == {"P2": 1}
    assert view(table.state, DEALER).unshown == {"P2": 1}
    assert view(table.state, PUBLIC).unshown == {}
    assert all(table.meters[name] <= before[name] for name in before)


@pytest.mark.parametrize("role", ["player", "dealer", "floorperson", "manager"])
def test_nobody_at_the_table_says_that_a_number_is_missing(
    role: Literal["player", "dealer", "floorperson", "manager"],
) -> None:
    """The device finds it, by its clock and its record: nobody judges it (ruling 39)."""
    table, late_s = closed(ONE), 100 + SHOW_WITHIN_S
    void = do.VoidUnshown(by="Dora", role=role, at_s=late_s, meters=table.meters)
    assert f"for device, not {role}" in refused(table, void).sentence
    offered = options(table.state, role, "Dora", beyond=Beyond(at_s=late_s))
    assert "void-unshown" not in [option.do for option in offered]


def test_what_the_house_does_not_open_is_counted_for_the_house() -> None:
    table = closed(ONE)
    void = do.VoidRound(by="croupier", role="device", cause=do.UNREADABLE, reason="lost")
    table.give(do.with_readings(void, table.meters))
    if table.state.hold is not None:
        confirmed = do.Confirm(by="max", role="manager", upheld=True)
        table.give(do.with_readings(confirmed, table.meters))
    assert table.state.unopened == 1
    assert view(table.state, PUBLIC).unopened == 1


def test_the_view_says_whose_numbers_are_in() -> None:
    table = closed(ONE, "")
    show(table, 1, ONE)
    assert [box.number for box in view(table.state, PUBLIC).boxes] == ["shown", ""]


def test_the_order_is_a_shuffle_that_every_number_changes() -> None:
    assert order_of(1, {}) == tuple(range(52))
    orders = {order_of(*given) for given in ((1, {1: ONE}), (2, {1: ONE}), (1, {2: ONE}))}
    orders |= {order_of(1, {1: OTHER}), order_of(1, {1: ONE, 2: OTHER})}
    assert len(orders) == 5
    assert all(sorted(order) == list(range(52)) for order in orders)
    # Each place takes each card alike: over 2,000 numbers none of 52 is far from its share.
    firsts = Counter(order_of(1, {1: f"{number:064x}"})[0] for number in range(2_000))
    assert len(firsts) == 52
    assert max(firsts.values()) < 2 * 2_000 / 52
