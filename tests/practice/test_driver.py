"""The practice house: who sits, what it waits for, and that it never decides for the player."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from uuid import uuid4

import pytest

from croupier.games.registry import the_registry
from croupier.ledger.kept_table import KeptTable
from croupier.practice import regulars
from croupier.practice.announcements import overheard
from croupier.practice.coach import Position, hard_hand, worths
from croupier.practice.driver import BROUGHT_CENTS, next_of, seat_of
from croupier.practice.table import practice_ledger, table_for
from croupier.submission.check import shipped_submission
from croupier.submission.toml_writer import write_submission
from croupier.table import commands as do
from croupier.table.agenda import asked_box, phase
from croupier.table.events import Event

YOU = "You"
BOOKS = list(the_registry().books)


@pytest.fixture(params=BOOKS)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[KeptTable]:
    submission = shipped_submission(request.param)
    with practice_ledger(tmp_path / "practice.db", 3) as (ledger, ring, bits):
        yield table_for(ledger, submission, the_registry(), ring, bits)


def give(table: KeptTable, command: do.Command) -> tuple[Event, ...]:
    return table.give(command, str(uuid4())).events


def work(table: KeptTable, seats: int, *, deal: bool) -> list[do.Command]:
    """Whatever the house does until it waits for the player or the round is over."""
    done: list[do.Command] = []
    while not (done and isinstance(done[-1], do.ClearCards)):
        found = next_of(table.state, table.shoe(), table.readings(), YOU, seats, deal=deal)
        if found is None:
            return done
        give(table, found.command)
        done.append(found.command)
    return done


def wager(table: KeptTable) -> None:
    book, seat = table.state.book, seat_of(table.state, YOU)
    needed = book.opening.all_of or book.opening.any_of[:1]
    stakes: dict[str, int] = {
        name: table.state.terms.limit_of[name].minimum_cents for name in needed
    }
    give(table, do.PlaceWagers(by=YOU, role="player", box=seat, stakes=stakes))


def test_everybody_sits_around_you_with_chips(table: KeptTable) -> None:
    work(table, 3, deal=False)
    mine = seat_of(table.state, YOU)
    assert sorted(table.state.seats) == [mine - 1, mine, mine + 1]
    assert table.state.seats[mine] == YOU
    assert set(table.state.chips.values()) == {BROUGHT_CENTS}
    work(table, 1, deal=False)
    assert list(table.state.seats) == [mine]
    work(table, table.state.terms.boxes, deal=False)
    assert len(table.state.seats) == table.state.terms.boxes


def test_the_betting_stays_open_until_you_say_so(table: KeptTable) -> None:
    work(table, 3, deal=False)
    assert work(table, 3, deal=True) == []
    wager(table)
    assert work(table, 3, deal=False) == []
    assert list(table.state.round.boxes) == [seat_of(table.state, YOU)]
    done = work(table, 3, deal=True)
    assert len(table.state.round.boxes) == 3
    assert [type(command) for command in done[:3]] == [
        do.PlaceWagers,
        do.PlaceWagers,
        do.NoMoreBets,
    ]


def test_you_are_asked_and_nobody_answers_for_you(table: KeptTable) -> None:
    work(table, 3, deal=False)
    wager(table)
    asked = 0
    done = work(table, 3, deal=True)
    while not isinstance(done[-1], do.ClearCards):
        box = asked_box(table.state)
        assert phase(table.state) == "acting"
        assert box is not None
        assert box.player == YOU
        assert not any(command.by == YOU for command in done)
        asked += 1
        street = table.state.book.streets[box.answered]
        kind = do.Check if street.otherwise == "check" else do.Fold
        give(table, kind(by=YOU, role="player", box=box.seat))
        done = work(table, 3, deal=True)
    assert asked == len(table.state.book.streets)


def test_what_is_heard_names_no_hidden_card_and_not_you(table: KeptTable) -> None:
    work(table, 3, deal=False)
    wager(table)
    heard = []
    while phase(table.state) != "revealing":
        before = table.state
        found = next_of(before, table.shoe(), table.readings(), YOU, 3, deal=True)
        box = asked_box(before)
        command = found.command if found else None
        if command is None:
            assert box is not None
            ante = box.stakes[before.terms.play[1]]
            street = before.book.streets[box.answered]
            size = (street.least_multiple or min(street.multiples)) * ante
            command = do.Play(by=YOU, role="player", box=box.seat, cents=size)
        heard += [overheard(event, before, YOU) for event in give(table, command)]
    said = [sentence for sentence in heard if sentence]
    assert said[0] == "“No more bets!”"
    assert any("plays" in sentence or "folds" in sentence for sentence in said)
    assert not any(YOU in sentence for sentence in said)


def test_the_coach_counts_sizes_between() -> None:
    submission = write_submission(shipped_submission("FCP-14"))
    seen = Position("play", ("As", "Ah", "Kd", "7c", "2d"), up="3h")
    values = {worth.action: worth.antes for worth in worths(submission, seen)}
    assert list(values) == sorted(values, key=lambda action: values[action], reverse=True)
    assert values["2x"] == pytest.approx((values["1x"] + values["3x"]) / 2)


def test_a_hard_hand_is_hard() -> None:
    submission = write_submission(shipped_submission("FCP-14"))
    seen = hard_hand(submission, "play", seed=4)
    values = {worth.action: worth.antes for worth in worths(submission, seen)}
    fold = values.pop("fold")
    # Between two sizes of Play there is nothing to decide; between Play and no Play there is.
    assert abs(max(values.values()) - fold) <= 0.25
    assert len({*seen.own, seen.up}) == 6


@pytest.mark.parametrize(("style", "pick"), [("bold", max), ("late", min)])
def test_the_others_decide_as_was_chosen(
    table: KeptTable, style: regulars.Style, pick: Callable[[Sequence[int]], int]
) -> None:
    work(table, 3, deal=False)
    wager(table)
    while phase(table.state) != "acting":
        found = next_of(table.state, table.shoe(), table.readings(), YOU, 3, deal=True)
        assert found is not None
        give(table, found.command)
    box = asked_box(table.state)
    assert box is not None
    assert box.player != YOU
    street = table.state.book.streets[0]
    found = next_of(table.state, table.shoe(), table.readings(), YOU, 3, deal=True, others=style)
    assert found is not None
    if style == "late" and street.otherwise == "check":
        assert isinstance(found.command, do.Check)
        return
    ends = street.multiples or (street.least_multiple or 1, street.most_multiple or 1)
    assert isinstance(found.command, do.Play)
    assert found.command.cents == pick(ends) * box.stakes[table.state.terms.play[1]]
