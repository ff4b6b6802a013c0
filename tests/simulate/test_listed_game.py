"""A game without kernels of its own is dealt by the million from lists, and settled alike."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from croupier.exact import generic
from croupier.exact.solution_cache import solved
from croupier.facts.cards import DECK
from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.simulate.decision_tables import base_of
from croupier.simulate.listed_game import refuse_unlisted
from croupier.simulate.plan import BoxPlan, PlayerStrategy, SimulationPlan
from croupier.simulate.rounds import dealt, look_at
from croupier.simulate.simulation import simulate
from croupier.simulate.staked_rules import actions_of, base_stakes
from croupier.table.settlement import settle
from tests.exact.test_generic import board_rules, four_card_rules
from tests.simulate.tables import plan_with, simple

OWN = DEALER = 3


def plan_of_three() -> SimulationPlan:
    """A box that plays its best, one by the rule file, and one with Pair Plus alone."""
    plan = plan_with(
        "TCP-1", (PlayerStrategy(), simple("three-card-simple")), ante=1_500, pair_plus=1_000
    )
    alone = BoxPlan((("pair_plus", Cents(500)),), PlayerStrategy(), 2)
    return replace(plan, seats=(*plan.seats, alone))


def settled_nets(plan: SimulationPlan, lies: list[int], actions: list[int]) -> list[int]:
    """What each box won or lost by the one settlement function."""
    multiples = [actions_of(plan.rules)[action][1] for action in actions]
    cards = [DECK[card] for card in lies]
    boxes = tuple(
        FinishedBox(
            seat=number + 1,
            cards=tuple(cards[DEALER + OWN * number :][:OWN]),
            stakes=base_stakes(plan.rules, seat, multiple)
            | {name: seat.stake(name) for name in plan.sides if seat.stake(name)},
        )
        for number, (seat, multiple) in enumerate(zip(plan.seats, multiples, strict=True))
    )
    receipt = settle(FinishedRound(plan.rules, {"dealer": tuple(cards[:DEALER])}, boxes))
    return [receipt.net_cents(box.seat) for box in boxes]


def test_every_round_is_settled_as_the_table_settles_it() -> None:
    plan, chance = plan_of_three(), random.Random(1)
    suited = [chance.sample(range(suit, 52, 4), 12) for suit in range(4) for _ in range(20)]
    few = [chance.sample(range(first, first + 20), 12) for first in (0, 16, 32) for _ in range(60)]
    rows = np.concatenate([dealt(plan, 0, 300), np.array(suited), np.array(few)])
    noted = look_at(plan, rows)
    for row, actions, nets in zip(rows.tolist(), noted.actions.tolist(), noted.nets, strict=True):
        assert settled_nets(plan, row, actions) == nets.tolist()
    table = plan.rules.paytable("pair_plus")
    assert table is not None
    assert {*noted.lines.flat} == {*range(len(table.lines) + 1)}


def test_the_rule_file_plays_as_the_solver_does() -> None:
    """Both boxes know the best play, so whatever is dealt, a box folds what the rule folds."""
    plan = plan_of_three()
    one = look_at(plan, dealt(plan, 0, 400))
    other = look_at(replace(plan, seats=plan.seats[::-1]), dealt(plan, 0, 400))
    assert (one.actions[:, 1] == other.actions[:, 1]).all()
    by_best, by_rule = (
        look_at(replace(plan, seats=(seat,)), dealt(plan, 0, 400)[:, :6]) for seat in plan.seats[:2]
    )
    assert (by_best.actions == by_rule.actions).all()


def test_the_best_play_is_found_once_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    rules = base_of(plan_of_three().rules)
    found = generic.best_actions(rules)
    best = generic.solve_base(rules).decisions
    chosen = generic.actions_by_code(rules, lambda own, up: best[own, up].best)
    assert (found == chosen).all()
    monkeypatch.delattr(generic, "solve_base")
    assert (generic.best_actions(rules) == found).all()
    (kept,) = tmp_path.rglob("*.json")
    kept.write_bytes(kept.read_bytes()[:-9])
    with pytest.raises(NameError):  # what cannot be read is found again
        generic.best_actions(rules)


def test_means_lie_around_the_exact_values() -> None:
    plan = plan_with("TCP-1", (PlayerStrategy(),), seed=5)
    found = simulate(plan, 200_000)
    assert solved(plan.rules).ev < 0
    assert [abs(figure.z or 99) < 4 for figure in found.boxes[0].figures] == [True, True]


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (board_rules(), "cards lie at board too"),
        (four_card_rules(), "cards lie at six_card_box too"),
    ],
)
def test_what_cannot_be_listed_is_told(rules: Rules, why: str) -> None:
    with pytest.raises(Unreadable, match=f"needs kernels of its own to be simulated: {why}"):
        refuse_unlisted(rules)
