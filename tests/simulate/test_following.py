"""Sessions, days and meters, each against the plainest code that can tell the same story."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents, Micros
from croupier.simulate.meters import Award, awards_of, stories
from croupier.simulate.plan import Plan, Seat
from croupier.simulate.rounds import dealt, look_at, play
from croupier.simulate.sessions import BANDS, band, house_days, most_at_risk, sessions
from tests.simulate.receipts import bound, plan_of
from tests.simulate.tables import shipped_plan

ROUNDS = 6_000


def nets_of(plan: Plan, awards: list[Award]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """What each box won in each round, awards included."""
    nets = look_at(plan, dealt(plan, 0, ROUNDS)).nets
    for award in awards:
        nets[award.round, award.box] += award.paid_cents
    return nets


@pytest.fixture(scope="module")
def plan() -> Plan:
    return shipped_plan("UTH-S", boxes=2, seed=4)


@pytest.fixture(scope="module")
def awards(plan: Plan) -> list[Award]:
    return awards_of(plan, play(plan, ROUNDS))


def test_sessions(plan: Plan, awards: list[Award]) -> None:
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


def test_without_a_bankroll_nobody_is_ruined(plan: Plan, awards: list[Award]) -> None:
    found = sessions(plan, ROUNDS, 100, None, awards)
    assert all(box.ruined is None and box.ruined_at is None for box in found.boxes)
    nets = nets_of(plan, awards).reshape(-1, 100, 2).sum(axis=1)
    assert [box.result_cents for box in found.boxes] == [band(nets[:, 0]), band(nets[:, 1])]


def test_days_of_the_house(plan: Plan, awards: list[Award]) -> None:
    found = house_days(plan, ROUNDS, 80, awards, workers=2)
    wins = -nets_of(plan, awards).reshape(-1, 80, 2).sum(axis=(1, 2))
    weeks = wins[:70].reshape(10, 7).sum(axis=1)
    months = wins[:60].reshape(2, 30).sum(axis=1)
    assert dict(found.bands) == {"day": band(wins), "week": band(weeks), "month": band(months)}


def test_a_session_longer_than_the_run_is_refused(plan: Plan) -> None:
    with pytest.raises(Unreadable, match="not one session"):
        sessions(plan, 100, 101, None, [])
    with pytest.raises(Unreadable, match="a day has"):
        house_days(plan, 100, 0, [])


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
    seats = [Seat(stakes, player=player) for player in range(6)]
    plan = plan_of(bound("UTH-S", letters, hand="final"), seats)
    hits = play(plan, 100_000).hits
    rounds, times = np.unique(hits[:, 0], return_counts=True)
    shared = rounds[times > 1]
    assert len(shared)
    for round in shared:
        boxes = hits[hits[:, 0] == round, 1]
        assert (np.diff(boxes) < 0).all()
