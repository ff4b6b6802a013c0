"""The practice house: who sits, what it waits for, and that it never decides for the player."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from uuid import uuid4

import pytest

from croupier.games.registry import the_registry
from croupier.ledger.kept_table import KeptTable
from croupier.practice import regulars
from croupier.practice.coach import Position, Worth, hard_hand, worths
from croupier.practice.driver import BROUGHT_CENTS, PracticeDriver
from croupier.practice.regulars import YOU
from croupier.practice.table import practice_ledger, table_for
from croupier.submission.check import shipped_submission
from croupier.submission.toml_writer import write_submission
from croupier.table import commands as do
from croupier.table.agenda import asked_box, phase
from croupier.table.events import Event

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
    driver, done = PracticeDriver(seats), list[do.Command]()
    driver.deals = deal
    while not (done and isinstance(done[-1], do.ClearCards)):
        step = driver.next(table)
        if step is None:
            return done
        give(table, step.command)
        done.append(step.command)
    return done


def seat_of(table: KeptTable) -> int:
    return PracticeDriver(3).seat(table.state)


def wager(table: KeptTable) -> None:
    book, seat = table.state.book, seat_of(table)
    needed = book.opening.all_of or book.opening.any_of[:1]
    stakes: dict[str, int] = {
        name: table.state.terms.limit_of[name].minimum_cents for name in needed
    }
    give(table, do.PlaceWagers(by=YOU, role="player", box=seat, stakes=stakes))


def test_everybody_sits_around_you_with_chips(table: KeptTable) -> None:
    work(table, 3, deal=False)
    mine = seat_of(table)
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
    assert list(table.state.round.boxes) == [seat_of(table)]
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
    answers = [street.otherwise for street in table.state.book.streets]
    assert asked == answers.index("fold") + 1


def test_what_is_heard_names_no_hidden_card_and_not_you(table: KeptTable) -> None:
    work(table, 3, deal=False)
    wager(table)
    driver = PracticeDriver(3)
    driver.deals = True
    while phase(table.state) != "revealing":
        before, step = table.state, driver.next(table)
        box = asked_box(before)
        command = step.command if step else None
        if command is None:
            assert box is not None
            ante = box.stakes[before.terms.play[1]]
            street = before.book.streets[box.answered]
            size = (street.least_multiple or min(street.multiples)) * ante
            command = do.Play(by=YOU, role="player", box=box.seat, cents=size)
        driver.hear(give(table, command), before, table.state)
    said = driver.evening.heard
    assert said[0] == "“No more bets!”"
    acted = (" folds", *(f": {wager.title} $" for wager in table.state.book.wagers))
    assert any(word in sentence for sentence in said for word in acted)
    assert not any(YOU in sentence for sentence in said)


def test_the_coach_counts_sizes_between() -> None:
    submission = write_submission(shipped_submission("FCP-14"))
    seen = Position("play", ("As", "Ah", "Kd", "7c", "2d"), up="3h")
    values = {worth.action: worth.antes for worth in worths(submission, seen)}
    assert list(values) == sorted(values, key=lambda action: values[action], reverse=True)
    assert values["2x"] == pytest.approx((values["1x"] + values["3x"]) / 2)


def test_a_hard_hand_is_hard() -> None:
    submission = write_submission(shipped_submission("FCP-14"))
    seen, _ = hard_hand(submission, "play", seed=4)
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
    driver = PracticeDriver(3, style)
    driver.deals = True
    while phase(table.state) != "acting":
        found = driver.next(table)
        assert found is not None
        give(table, found.command)
    box = asked_box(table.state)
    assert box is not None
    assert box.player != YOU
    street = table.state.book.streets[0]
    found = driver.next(table)
    assert found is not None
    if style == "late" and street.otherwise == "check":
        assert isinstance(found.command, do.Check)
        return
    ends = street.multiples or (street.least_multiple or 1, street.most_multiple or 1)
    assert isinstance(found.command, do.Play)
    assert found.command.cents == pick(ends) * box.stakes[table.state.terms.play[1]]


def test_the_best_of_the_others_is_counted_first(table: KeptTable) -> None:
    """A coach counts what a regular sees; where none can, the simple choice stands."""
    work(table, 3, deal=False)
    wager(table)
    driver = PracticeDriver(3, "optimal")
    driver.deals = True
    while (step := driver.next(table)) is not None and step.counts is None:
        give(table, step.command)
    box = asked_box(table.state)
    assert step is not None
    assert step.counts is not None
    assert box is not None
    assert step.counts.street == table.state.book.streets[box.answered].name
    assert len(step.counts.own) == table.state.book.place("box").cards
    assert driver.counted(table.state, step, ()) == step.command
    counted = driver.counted(table.state, step, [Worth("fold", -1.0, "-1")])
    assert counted == do.Fold(by=box.player, role="player", box=box.seat)


def test_who_leaves_in_a_round_is_reported_and_everybody_cashes_out(table: KeptTable) -> None:
    work(table, 3, deal=False)
    wager(table)
    driver, mine = PracticeDriver(3), seat_of(table)
    driver.deals = True
    while (step := driver.next(table)) is not None:
        before = table.state
        driver.hear(give(table, step.command), before, table.state)
    driver.leaves = True
    done = []
    while (step := driver.next(table)) is not None:
        before = table.state
        driver.hear(give(table, step.command), before, table.state)
        done.append(step.command)
    assert done[0] == do.ReportAbsence(by="dealer", role="dealer", box=mine)
    assert not any(isinstance(command, do.BuyIn | do.PlaceWagers) for command in done)
    assert table.state.seats == {}
    assert not any(table.state.chips.values())
    assert [result.round for result in driver.evening.rounds] == [1]
