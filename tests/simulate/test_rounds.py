"""Shards, workers and their order change nothing; means agree with the exact values."""

from __future__ import annotations

import pickle
import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from croupier.exact.kernels.holdem import NO_RAISE
from croupier.exact.kernels.positions import positions
from croupier.exact.strategy.features import CardsInSight
from croupier.facts.cards import DECK
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.money import Cents
from croupier.simulate.kernels.settlement import square_of
from croupier.simulate.plan import BoxPlan, SimulationPlan
from croupier.simulate.rounds import (
    SHARD,
    ShardResult,
    ShardSum,
    dealt,
    look_at,
    play,
    play_shard,
    prepared,
    together,
)
from croupier.simulate.simulation import simulate
from croupier.simulate.staked_rules import actions_of
from tests.simulate.tables import plan_with, shipped_plan, simple

BOOKS = ("UTH-S", "FCP-14")


def bytes_of(played: ShardResult) -> list[bytes]:
    return [array.tobytes() for array in (*played.tally, played.hits)]


@pytest.mark.parametrize("book_id", BOOKS)
def test_neither_workers_nor_shards_matter(book_id: str) -> None:
    plan, rounds = shipped_plan(book_id, boxes=2), 3 * SHARD + 17
    alone = play(plan, rounds, workers=1)
    assert bytes_of(alone) == bytes_of(play(plan, rounds, workers=5))
    cuts = [0, *sorted(random.Random(1).sample(range(rounds), 5)), rounds]
    shards = [play_shard(plan, start, stop) for start, stop in pairwise(cuts)]
    random.Random(2).shuffle(shards)
    heap = ShardSum()
    for shard in shards:
        heap.add(shard)
    assert bytes_of(alone) == bytes_of(together([heap]))
    assert alone.rounds == rounds == alone.tally.cases[0].sum()


def test_a_seed_chooses_the_cards() -> None:
    one, other = shipped_plan("FCP-14", seed=1), shipped_plan("FCP-14", seed=2)
    assert bytes_of(play(one, 5_000)) != bytes_of(play(other, 5_000))
    assert bytes_of(play(one, 5_000)) == bytes_of(play(shipped_plan("FCP-14", seed=1), 5_000))


def test_a_plan_travels() -> None:
    plan = plan_with("FCP-14", (simple("four-card-simple"),))
    sent: SimulationPlan = pickle.loads(pickle.dumps(plan))
    assert sent == plan
    assert hash(sent) == hash(plan)
    assert sent != shipped_plan("FCP-14")
    assert bytes_of(play_shard(sent, 10, 300)) == bytes_of(play_shard(plan, 10, 300))


@pytest.mark.parametrize("book_id", BOOKS)
def test_a_strategy_file_is_followed(book_id: str) -> None:
    """What the kernel does is what the rules say in plain code, position by position."""
    mind = simple({"UTH-S": "uth-simple", "FCP-14": "four-card-simple"}[book_id])
    plan = plan_with(book_id, (mind,))
    rows, names = dealt(plan, 0, 400), [name for name, _ in actions_of(plan.rules)]
    noted = look_at(plan, rows)
    for row, action in zip(rows, noted.actions[:, 0], strict=True):
        assert _plain_action(plan, [int(card) for card in row]) == names[action]


def _plain_action(plan: SimulationPlan, row: list[int]) -> str:
    strategy = plan.minds[0].strategy
    assert strategy is not None
    lies = [DECK[card] for card in row]
    if plan.rules.game.id == "four-card":
        sight = CardsInSight(tuple(lies[6:11]), (lies[5],))
        return strategy.action(strategy.streets[0].name, sight)
    own, board = (lies[7], lies[8]), tuple(lies[:5])
    for street, shown in zip(strategy.streets, (0, 3, 5), strict=True):
        done = strategy.action(street.name, CardsInSight(own, board[:shown]))
        if done != "check":
            return done
    raise AssertionError("the last street folds or plays")


def test_best_play_is_followed() -> None:
    """The kernel's places in the solver's tables are those of the readable code."""
    from croupier.exact.holdem import best_play

    plan = shipped_plan("UTH-S")
    best, spots = best_play(plan.rules), positions()
    rows = dealt(plan, 0, 400)
    for row, action in zip(rows.tolist(), look_at(plan, rows).actions[:, 0], strict=True):
        board, (low, high) = row[:5], sorted(row[7:9])
        expected = int(best.preflop[high * (high - 1) // 2 + low])
        if expected == NO_RAISE and not best.flop[spots.flop_spot(board[:3], (low, high))]:
            at, bit = spots.board_spot(board, (low, high))
            expected = 3 if int(best.river[0, at, bit // 64]) >> (bit % 64) & 1 else 4
        elif expected == NO_RAISE:
            expected = 2
        assert action == expected


@pytest.mark.parametrize(
    "rounds", [200_000, pytest.param(200_000_000, marks=pytest.mark.prove)], ids=["some", "many"]
)
@pytest.mark.parametrize("book_id", BOOKS)
def test_means_agree_with_the_exact_values(book_id: str, rounds: int) -> None:
    found = simulate(shipped_plan(book_id, seed=2026), rounds)
    (box,) = found.boxes
    told = {(figure.wager, figure.note): figure.z for figure in box.figures}
    assert {wager for wager, _ in told} >= {"base", "six_card_bonus", "progressive"}
    assert all(abs(z) < 4 for z in told.values() if z is not None)
    assert sum(z is None for z in told.values()) == 1, "only what meters really paid has no value"
    for figure in box.figures:
        for hit in figure.hits:
            if hit.chance is not None:
                error = float(hit.times - rounds * hit.chance)
                assert abs(error) < 5 * float(rounds * hit.chance) ** 0.5 + 1


def test_a_strategy_that_is_not_the_best_is_valued_as_it_is() -> None:
    found = simulate(plan_with("FCP-14", (simple("four-card-simple"),)), 200_000)
    best = simulate(shipped_plan("FCP-14"), 200_000)
    mine, optimal = found.boxes[0].figures[0], best.boxes[0].figures[0]
    assert mine.exact is not None
    assert optimal.exact is not None
    assert mine.exact < optimal.exact
    assert mine.z is not None
    assert abs(mine.z) < 4


@pytest.mark.parametrize("rounds", [0, -1, 10**12])
def test_no_rounds_and_too_many_are_refused(rounds: int) -> None:
    with pytest.raises(Unreadable, match="rounds can be played"):
        play(shipped_plan("FCP-14"), rounds)


@pytest.mark.parametrize(
    ("book_id", "stakes", "sentence"),
    [
        ("UTH-S", {"trips": 0}, "Six Card Bonus: needs Ante and Blind and Trips .* UTH-S 7"),
        ("UTH-S", {"ante": 0}, "to be in the round it needs Ante and Blind"),
        ("UTH-S", {"blind": 20_00}, "Blind: .20.00 is not equal to the Ante of .10.00"),
        ("UTH-S", {"blind": 0}, "it needs Ante and Blind"),
        ("UTH-S", {"ante": 1_00}, "Ante: .1.00 is not within .* .10.00 to .500.00 in steps of .5"),
        ("UTH-S", {"ante": 12_00}, "Ante: .12.00 is not within"),
        ("UTH-S", {"trips": 105_00}, "Trips: .105.00 is not within"),
        ("UTH-S", {"progressive": 2_00}, "Progressive: it is .1.00 at this table, not .2.00"),
        (
            "FCP-14",
            {"ante": 0, "aces_up": 0, "six_card_bonus": 0, "progressive": 0},
            "Box 1 holds nothing; to be in the round it needs Ante or Aces Up",
        ),
    ],
)
def test_what_a_table_does_not_take_is_refused_with_the_clause(
    book_id: str, stakes: dict[str, int], sentence: str
) -> None:
    with pytest.raises(Refusal, match=sentence):
        shipped_plan(book_id, **stakes)


def test_a_blind_equal_to_the_ante_may_be_written() -> None:
    assert shipped_plan("UTH-S", ante=25_00, blind=25_00) == shipped_plan("UTH-S", ante=25_00)


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(Unreadable, match='this table has no wager "roulette"'):
        shipped_plan("UTH-S", roulette=100)
    with pytest.raises(Unreadable, match='this table has no wager "play"'):
        shipped_plan("UTH-S", play=40_00)
    with pytest.raises(Unreadable, match="1 to 6 boxes"):
        shipped_plan("UTH-S", boxes=7)
    with pytest.raises(Unreadable, match="seed"):
        shipped_plan("UTH-S", seed=-1)
    with pytest.raises(Unreadable, match="too large to be added up"):
        play(with_ante(100_000_00), 10)


def with_ante(cents: int) -> SimulationPlan:
    """More than any limit: two boxes that stake so much on the Ante, and on nothing else."""
    seat = BoxPlan((("ante", Cents(cents)),))
    return SimulationPlan(shipped_plan("UTH-S").rules, (seat, replace(seat, player=1)), seed=3)


def test_squares_are_added_up_exactly() -> None:
    plan = with_ante(10_000_00)
    nets = look_at(plan, dealt(plan, 0, 20_000)).nets
    sums = play(plan, 20_000).tally.sums.tolist()
    for row, won in zip(sums, [*nets.T.tolist(), nets.sum(axis=1).tolist()], strict=True):
        assert row[0] == sum(won)
        assert square_of(row) == sum(net**2 for net in won)


def test_base_game_and_six_card_bonus_together() -> None:
    """Their variance by plain counting of pairs, exact but for the covariance."""
    plan, rounds = shipped_plan("FCP-14", seed=5), 300_000
    (box,) = simulate(plan, rounds).boxes
    base, six = (f for f in box.figures if f.wager in ("base", "six_card_bonus"))
    both = box.with_six
    assert both is not None
    assert base.exact is not None
    assert base.exact_variance is not None
    assert six.exact is not None
    assert six.exact_variance is not None
    assert both.exact_cents == base.exact * base.stake_cents + six.exact * six.stake_cents
    variances = base.exact_variance * base.stake_cents**2, six.exact_variance * six.stake_cents**2
    assert both.variance == sum(variances) + 2 * both.covariance
    noted, staked = look_at(plan, dealt(plan, 0, rounds)), prepared(plan).staked
    x = staked.case_nets[0, noted.cases[:, 0]] - float(base.exact * base.stake_cents)
    y = staked.nets[0, staked.six, noted.lines[:, 0, staked.six]] - float(
        six.exact * six.stake_cents
    )
    assert abs(float(both.covariance) - float((x * y).mean())) < 5 * both.covariance_error
    assert 0 < both.correlation_error < 0.1
    assert both.deviation_error == both.covariance_error / both.standard_deviation
    assert abs(both.z) < 4


def test_a_jackpot_that_did_not_come_still_counts_in_the_error() -> None:
    """The sample knows nothing of the largest award of the Six Card Bonus; its deviation does."""
    found = simulate(shipped_plan("FCP-14", seed=9, progressive=0), 50_000)
    (box,) = found.boxes
    known = sum(
        figure.exact_variance * figure.stake_cents**2
        for figure in box.figures
        if figure.exact_variance is not None
    )
    seen = sum(figure.variance * figure.stake_cents**2 for figure in box.figures)
    assert box.with_six is not None
    assert seen < known / 10
    assert np.isclose(float(box.net.variance), float(known), rtol=0.1)
    assert found.table.variance == box.net.variance


def test_the_sum_of_the_lines_is_the_net() -> None:
    """What a box won is its wagers' means together: nothing is counted twice or left out."""
    found = simulate(shipped_plan("UTH-S", boxes=3, seed=9), 150_000)
    for box in found.boxes:
        paid = [figure for figure in box.figures if "reset" not in figure.note]
        assert sum(figure.mean * figure.stake_cents for figure in paid) == box.net.mean_cents
    assert sum(box.net.mean_cents for box in found.boxes) == found.table.mean_cents
