"""Sessions, days and meters, each against the plainest code that can tell the same story."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents, Micros
from croupier.simulate.meters import Award, awards_of, stories
from croupier.simulate.plan import BoxPlan, SimulationPlan
from croupier.simulate.rounds import dealt, look_at, play
from croupier.simulate.sessions import (
    BANDS,
    SessionPace,
    band,
    drop_hold,
    house_days,
    most_at_risk,
    refuse_pace,
    sessions,
)
from croupier.simulate.staked_rules import actions_of, base_stakes
from tests.simulate.receipts import bound, plan_of
from tests.simulate.tables import shipped_plan

ROUNDS = 6_000


def nets_of(
    plan: SimulationPlan, awards: list[Award]
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """What each box won in each round, awards included."""
    nets = look_at(plan, dealt(plan, 0, ROUNDS)).nets
    for award in awards:
        nets[award.round, award.box] += award.paid_cents
    return nets


@pytest.fixture(scope="module")
def plan() -> SimulationPlan:
    return shipped_plan("UTH-S", boxes=2, seed=4)


@pytest.fixture(scope="module")
def awards(plan: SimulationPlan) -> list[Award]:
    return awards_of(plan, play(plan, ROUNDS))


def test_sessions(plan: SimulationPlan, awards: list[Award]) -> None:
    length, bankroll = 90, Cents(60_000)
    found = sessions(plan, ROUNDS, length, bankroll, awards, workers=2)
    nets = nets_of(plan, awards)
    assert found.count == ROUNDS // length
    for box, told in enumerate(found.boxes):
        results, droughts, ruined = [], [], []
        for session in range(found.count):
            left, dry, longest = int(bankroll), 0, 0
            for round in range(length):
                if left < most_at_risk(plan, box):
                    ruined.append(round)
                    break
                net = int(nets[session * length + round, box])
                left += net
                dry = 0 if net > 0 else dry + 1
                longest = max(longest, dry)
            results.append(left - bankroll)
            droughts.append(longest)
        assert told.result_cents == band(results)
        assert told.drought == band(droughts)
        assert (told.ruined, told.ruined_at) == (len(ruined), band(ruined))
        assert told.won == sum(result > 0 for result in results)
    assert awards, "some session had an award in it"


def test_without_a_bankroll_nobody_is_ruined(plan: SimulationPlan, awards: list[Award]) -> None:
    found = sessions(plan, ROUNDS, 100, None, awards)
    assert all(box.ruined is None and box.ruined_at is None for box in found.boxes)
    nets = nets_of(plan, awards).reshape(-1, 100, 2).sum(axis=1)
    assert [box.result_cents for box in found.boxes] == [band(nets[:, 0]), band(nets[:, 1])]


def test_days_of_the_house(plan: SimulationPlan, awards: list[Award]) -> None:
    found = house_days(plan, ROUNDS, 80, awards, workers=2)
    wins = -nets_of(plan, awards).reshape(-1, 80, 2).sum(axis=(1, 2))
    weeks = wins[:70].reshape(10, 7).sum(axis=1)
    months = wins[:60].reshape(2, 30).sum(axis=1)
    won = {"day": band(wins), "week": band(weeks), "month": band(months)}
    assert dict(found.win_cents) == won


def test_what_the_house_holds_of_the_handle(plan: SimulationPlan, awards: list[Award]) -> None:
    """Every round's wagers, as the stakes of its boxes and their actions make them."""
    found = house_days(plan, ROUNDS, 80, awards, workers=2)
    noted, seat = look_at(plan, dealt(plan, 0, ROUNDS)), plan.seats[0]
    sides = sum(seat.stake(name) for name in plan.sides)
    multiples = [multiple for _, multiple in actions_of(plan.rules)]
    wagers = [sum(base_stakes(plan.rules, seat, m).values()) + sides for m in multiples]
    handle = [sum(wagers[action] for action in row) for row in noted.actions.tolist()]
    won = [-int(row.sum()) for row in nets_of(plan, awards)]
    for name, days in (("day", 80), ("week", 7 * 80), ("month", 30 * 80)):
        starts = range(0, ROUNDS - days + 1, days)
        shares = [
            sum(won[at : at + days]) * 1_000_000 // sum(handle[at : at + days]) for at in starts
        ]
        assert dict(found.hold)[name] == band(shares)


def test_what_the_house_holds_of_the_drop(plan: SimulationPlan, awards: list[Award]) -> None:
    """Two sessions make a day, each bought into by both boxes."""
    bankroll = Cents(40_000)
    found = sessions(plan, ROUNDS, 40, bankroll, awards)
    assert any(box.ruined for box in found.boxes)
    by_day = [int(two) for two in found.wins_cents.reshape(-1, 2).sum(axis=1)]
    held = dict(drop_hold(found, 90))
    assert held["day"] == band([win * 1_000_000 // (2 * 2 * bankroll) for win in by_day])
    assert set(held) == {"day", "week", "month"}
    assert drop_hold(sessions(plan, ROUNDS, 40, None, awards), 90) == ()
    assert set(dict(drop_hold(found, 39))) == {"week", "month"}, "no session fits into such a day"


def test_days_that_do_not_fit_are_left_out(plan: SimulationPlan) -> None:
    assert house_days(plan, 100, 101, []).win_cents == ()
    assert [name for name, _ in house_days(plan, 700, 100, []).hold] == ["day", "week"]


@pytest.mark.parametrize(
    ("rounds", "hours", "a_day", "bankroll", "sentence"),
    [
        (100, "101", "1", None, "100 rounds are not one session of 101"),
        (100, "0.5", "1", None, "a session has 1 to"),
        (100, "1", "0.5", None, "a day has 1 to"),
        (10**11, "1", "100", None, "are too many to be kept"),
        (100, "50", "100", 8_000, "does not cover one round, which may take"),
    ],
)
def test_a_pace_that_makes_no_sense_is_refused(
    plan: SimulationPlan, rounds: int, hours: str, a_day: str, bankroll: int | None, sentence: str
) -> None:
    brought = Cents(bankroll) if bankroll is not None else None
    with pytest.raises(Unreadable, match=sentence):
        refuse_pace(plan, rounds, SessionPace(Fraction(hours), 1, Fraction(a_day), brought))


def test_bands_are_order_statistics() -> None:
    spread = band([5, 1, 4, 2, 3])
    assert spread is not None
    assert dict(spread.at_most) == {1: 1, 5: 1, 25: 2, 50: 3, 75: 4, 95: 5, 99: 5}
    assert [percent for percent, _ in spread.at_most] == list(BANDS)
    assert (spread.count, spread.mean, spread.least, spread.most) == (5, 3.0, 1, 5)
    assert band([]) is None


def test_meters_grow_and_reset() -> None:
    """Growth comes before the award of its round; after 100% the reset and the rest remain."""
    plan = shipped_plan("UTH-S", boxes=3, seed=4)
    rounds = 40_000
    awards = awards_of(plan, play(plan, rounds))
    meters = {meter.name: meter for meter in plan.meters}
    standing = {name: meter.initial for name, meter in meters.items()}
    grown, emptied = 0, 0
    for award in awards:
        for name, meter in meters.items():
            more = 3 * meter.growth * (award.round + 1 - grown)
            standing[name] = Micros(standing[name] + more)
        grown = award.round + 1
        assert award.before == standing[award.meter]
        paid = award.before // 10_000 if award.resets else award.paid_cents
        assert award.paid_cents == paid
        back = meters[award.meter].reset if award.resets else 0
        standing[award.meter] = Micros(standing[award.meter] - 10_000 * paid + back)
        emptied += award.resets
    assert emptied > 10
    told = stories(plan, rounds, awards, dict.fromkeys(range(20), Fraction(1, 1000)))
    for story in told:
        left = standing[story.meter.name] + 3 * story.meter.growth * (rounds - grown)
        assert story.last == left
        assert sum(story.rounds_between) <= rounds
        assert len(story.rounds_between) == len(story.jackpots_cents)
        assert story.reserve_cents * 10_000 >= story.meter.initial


def test_two_awards_of_one_round_come_in_settling_order() -> None:
    """Boxes are settled from the dealer's right: the higher box draws first (ruling 24)."""
    letters = {"blind": "A", "progressive": "C"}
    stakes = (("ante", Cents(1_000)), ("progressive", Cents(100)))
    seats = [BoxPlan(stakes, player=player) for player in range(6)]
    plan = plan_of(bound("UTH-S", letters, hand="final"), seats)
    hits = play(plan, 100_000).hits
    rounds, times = np.unique(hits[:, 0], return_counts=True)
    shared = rounds[times > 1]
    assert len(shared)
    for round in shared:
        boxes = hits[hits[:, 0] == round, 1]
        assert (np.diff(boxes) < 0).all()


def test_a_meter_stays_at_its_limit_and_what_is_beyond_fills_it_up_again() -> None:
    """Ruling 43, award by award: meter and overflow of each as two numbers that the table moves."""
    free = shipped_plan("UTH-S", boxes=3, seed=4)
    limited = tuple(
        replace(meter, limit=Micros(meter.initial + 20 * meter.growth)) for meter in free.meters
    )
    plan = replace(free, meters=limited)
    assert plan != free
    meters = {meter.name: meter for meter in plan.meters}
    standing = {name: int(meter.initial) for name, meter in meters.items()}
    beyond = dict.fromkeys(meters, 0)
    awards = awards_of(plan, play(plan, ROUNDS))
    at_limit, grown = 0, 0
    for award in awards:
        for _ in range(grown, award.round + 1):
            for name, meter in meters.items():
                assert meter.limit is not None
                there = standing[name] + beyond[name] + 3 * meter.growth
                standing[name] = max(standing[name], min(meter.limit, there))
                beyond[name] = there - standing[name]
        grown = award.round + 1
        assert award.before == standing[award.meter]
        at_limit += award.before == meters[award.meter].limit
        back = meters[award.meter].reset if award.resets else 0
        standing[award.meter] += back - 10_000 * award.paid_cents
    assert at_limit > 5
