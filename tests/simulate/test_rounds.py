"""Shards, workers and their order change nothing; means agree with the exact values."""

from __future__ import annotations

import pickle
import random
from itertools import pairwise

import numpy as np
import pytest

from croupier.exact.features import Sight
from croupier.exact.kernels.positions import positions
from croupier.facts.cards import DECK
from croupier.facts.errors import Unreadable
from croupier.simulate.felt import sight_of
from croupier.simulate.kernels.felt import square_of
from croupier.simulate.plan import Plan
from croupier.simulate.rounds import SHARD, Heap, Played, dealt, look_at, play, play_shard, together
from croupier.simulate.simulation import simulate
from tests.simulate.tables import plan_with, shipped_plan, simple

BOOKS = ("UTH-S", "FCP-14")


def bytes_of(played: Played) -> list[bytes]:
    return [array.tobytes() for array in (*played.tally, played.hits)]


@pytest.mark.parametrize("book_id", BOOKS)
def test_neither_workers_nor_shards_matter(book_id: str) -> None:
    plan, rounds = shipped_plan(book_id, boxes=2), 3 * SHARD + 17
    alone = play(plan, rounds, workers=1)
    assert bytes_of(alone) == bytes_of(play(plan, rounds, workers=5))
    cuts = [0, *sorted(random.Random(1).sample(range(rounds), 5)), rounds]
    shards = [play_shard(plan, start, stop) for start, stop in pairwise(cuts)]
    random.Random(2).shuffle(shards)
    heap = Heap()
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
    sent: Plan = pickle.loads(pickle.dumps(plan))
    assert sent == plan
    assert hash(sent) == hash(plan)
    assert sent != shipped_plan("FCP-14")
    assert bytes_of(play_shard(sent, 10, 300)) == bytes_of(play_shard(plan, 10, 300))


@pytest.mark.parametrize("book_id", BOOKS)
def test_a_strategy_file_is_followed(book_id: str) -> None:
    """What the kernel does is what the rules say in plain code, position by position."""
    mind = simple({"UTH-S": "uth-simple", "FCP-14": "four-card-simple"}[book_id])
    plan = plan_with(book_id, (mind,))
    rows, names = dealt(plan, 0, 400), [name for name, _ in sight_of(plan.rules).actions]
    noted = look_at(plan, rows)
    for row, action in zip(rows, noted.actions[:, 0], strict=True):
        assert _plain_action(plan, [int(card) for card in row]) == names[action]


def _plain_action(plan: Plan, row: list[int]) -> str:
    strategy = plan.minds[0].strategy
    assert strategy is not None
    lies = [DECK[card] for card in row]
    if plan.rules.game.id == "four-card":
        sight = Sight(tuple(lies[6:11]), (lies[5],))
        return strategy.action(strategy.streets[0].name, sight)
    own, board = (lies[7], lies[8]), tuple(lies[:5])
    for street, shown in zip(strategy.streets, (0, 3, 5), strict=True):
        done = strategy.action(street.name, Sight(own, board[:shown]))
        if done != "check":
            return done
    raise AssertionError("the last street folds or plays")


def test_best_play_is_followed() -> None:
    """The kernel's places in the solver's tables are those of the readable code."""
    from croupier.exact.uth import best_play

    plan = shipped_plan("UTH-S")
    best, spots = best_play(plan.rules), positions()
    rows = dealt(plan, 0, 400)
    for row, action in zip(rows.tolist(), look_at(plan, rows).actions[:, 0], strict=True):
        board, (low, high) = row[:5], sorted(row[7:9])
        expected = int(best.preflop[high * (high - 1) // 2 + low])
        if expected == 2 and not best.flop[spots.flop_spot(board[:3], (low, high))]:
            at, bit = spots.board_spot(board, (low, high))
            expected = 3 if int(best.river[at, bit // 64]) >> (bit % 64) & 1 else 4
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


def test_wagers_stand_beside_each_other_as_the_rulebook_says() -> None:
    with pytest.raises(Unreadable, match="Six Card Bonus needs trips"):
        shipped_plan("UTH-S", trips=0)
    with pytest.raises(Unreadable, match="nothing can be staked on roulette"):
        shipped_plan("UTH-S", roulette=100)
    with pytest.raises(Unreadable, match="not in the round"):
        shipped_plan("FCP-14", ante=0, aces_up=0, six_card_bonus=0, progressive=0)
    with pytest.raises(Unreadable, match="1 to 6 boxes"):
        shipped_plan("UTH-S", boxes=7)
    with pytest.raises(Unreadable, match="Progressive wager of this table"):
        shipped_plan("UTH-S", progressive=200)
    with pytest.raises(Unreadable, match="too large to be added up"):
        play(shipped_plan("UTH-S", ante=100_000_00), 10)
    with pytest.raises(Unreadable, match="seed"):
        shipped_plan("UTH-S", seed=-1)


def test_squares_are_added_up_exactly() -> None:
    plan = shipped_plan("UTH-S", boxes=2, seed=3, ante=10_000_00)
    nets = look_at(plan, dealt(plan, 0, 20_000)).nets
    sums = play(plan, 20_000).tally.sums.tolist()
    for row, won in zip(sums, [*nets.T.tolist(), nets.sum(axis=1).tolist()], strict=True):
        assert row[0] == sum(won)
        assert square_of(row) == sum(net**2 for net in won)


def test_the_sum_of_the_lines_is_the_net() -> None:
    """What a box won is its wagers' means together: nothing is counted twice or left out."""
    found = simulate(shipped_plan("UTH-S", boxes=3, seed=9), 150_000)
    for box in found.boxes:
        paid = [figure for figure in box.figures if "reset" not in figure.note]
        assert sum(figure.mean * figure.stake_cents for figure in paid) == box.net.mean_cents
    assert sum(box.net.mean_cents for box in found.boxes) == found.table.mean_cents
    assert np.isclose(found.boxes[0].net.standard_deviation, 16_000, rtol=0.5)
