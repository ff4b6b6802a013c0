"""Players who know cards in the simulator: they decide as advice says, and are paid as settled."""

from __future__ import annotations

import json
from random import Random

import numpy as np
import pytest

from croupier.cli import main
from croupier.exact import advice
from croupier.exact.holdem import CHECK
from croupier.facts.cards import DECK
from croupier.protection.knowing_player import knowing_player
from croupier.protection.known_rounds import ANTE, won_cents
from croupier.protection.players import SimulatedDeal, player
from croupier.simulate.decision_tables import base_of
from croupier.simulate.kernels import known_cards
from croupier.simulate.kernels.holdem import rank_tables
from croupier.simulate.kernels.known_cards import (
    UNKNOWN,
    SeenEarly,
    bets_at_end,
    bets_on_flop,
)
from croupier.simulate.knowing_tables import known_card_minds, showdown_pays
from croupier.simulate.plan import BoxPlan, PlayerStrategy, SimulationPlan
from croupier.simulate.rounds import dealt, look_at
from croupier.simulate.simulation import simulate
from croupier.simulate.staked_rules import actions_of
from tests.exact.conftest import rules_of
from tests.simulate.tables import shipped_plan

UTH, CASINO = rules_of("UTH-S", blind="A"), rules_of("CH-1", ante="A")
KNOWN = {  # how many of dealer's cards, of turn and river, and out of play
    "dealer": (1, 0, 0),
    "dealers": (2, 0, 0),
    "turn-or-river": (0, 1, 0),
    "dealer+turn-or-river": (1, 1, 0),
    "burn": (0, 0, 1),
    "dealer+burn": (1, 0, 1),
    "shares": (0, 0, 10),
}


@pytest.mark.parametrize("kind", KNOWN)
def test_what_is_bet_later_is_what_advice_says(kind: str) -> None:
    chance, pays, hands = Random(kind), showdown_pays(UTH), rank_tables()
    dealers, lates, gone = KNOWN[kind]
    done = set()
    for _ in range(8):
        numbers = chance.sample(range(52), 9 + gone)
        own, board, dead = sorted(numbers[:2]), numbers[2:7], numbers[9:]
        low, high = own
        one, other = (*numbers[7 : 7 + dealers], UNKNOWN, UNKNOWN)[:2]
        late = board[3] if lates else UNKNOWN
        known = SeenEarly(one, other, late, sum(1 << card for card in own + dead))
        for decide, seen in ((bets_on_flop, 3 + lates), (bets_at_end, 5)):
            values = advice.on_board(
                UTH, *(tuple(DECK[card] for card in lying)
                for lying in (own, board[:seen], numbers[7 : 7 + dealers], dead)),
            )  # fmt: skip
            bet, otherwise = values.values()
            bets = decide(np.array(board), low, high, known, pays, hands)
            assert bets == (bet > otherwise)
            done.add((seen, bets))
    assert len(done) >= 3


def plan_of(*kinds: str) -> SimulationPlan:
    """The wagers that must be made, in a box for each kind."""
    stakes = (("ante", ANTE),)
    seats = [
        BoxPlan(stakes, knowing_player(UTH, kind) if kind else PlayerStrategy(), at)
        for at, kind in enumerate(kinds)
    ]
    return SimulationPlan(base_of(UTH), tuple(seats), seed=7)


@pytest.mark.prove
@pytest.mark.parametrize("kinds", [("flop", "", "flop"), ("dealer", "turn-or-river", "burn")])
def test_every_round_is_played_and_paid_as_at_the_table(kinds: tuple[str, ...]) -> None:
    plan = plan_of(*kinds)
    rows = dealt(plan, 0, 300)
    noted, names = look_at(plan, rows), [name for name, _ in actions_of(plan.rules)]
    players = [player(plan.rules, kind or "optimal") for kind in kinds]
    for row, actions, nets in zip(rows.tolist(), noted.actions.tolist(), noted.nets, strict=True):
        for box, play in enumerate(players):
            own = tuple(row[7 + 2 * box :][:2])
            lies = SimulatedDeal(own, tuple(row[5:7]), (), tuple(row[:5]), (), (row[-1],))
            action = names[actions[box]]
            assert play(lies)[-1] == action
            assert won_cents(plan.rules, lies, action) == nets[box]


@pytest.mark.prove
def test_a_million_rounds_lie_around_what_was_counted() -> None:
    found = simulate(plan_of("flop", ""), 1_000_000)
    assert [box.strategy for box in found.boxes] == ["knows:flop", "optimal"]
    figures = [figure for box in found.boxes for figure in box.figures]
    assert [f"{float(figure.exact or 0):.6f}" for figure in figures] == ["0.045213", "-0.021850"]
    assert all(abs(figure.z or 99) < 4 for figure in figures)


@pytest.mark.prove
def test_who_is_asked_on_the_flop_alone_is_dealt_too() -> None:
    knowing = knowing_player(CASINO, "dealer")
    plan = SimulationPlan(base_of(CASINO), (BoxPlan((("ante", ANTE),), knowing),), seed=3)
    play = player(plan.rules, "dealer")
    rows = dealt(plan, 0, 200)
    names = [name for name, _ in actions_of(plan.rules)]
    for row, (action,) in zip(rows.tolist(), look_at(plan, rows).actions.tolist(), strict=True):
        deal = SimulatedDeal(tuple(row[7:9]), tuple(row[5:7]), (), tuple(row[:5]), (), (row[-1],))
        assert play(deal)[-1].replace(CHECK, "fold") == names[action]


@pytest.mark.parametrize("six", [False, True])
def test_the_card_out_of_play_is_dealt_last_of_all(six: bool) -> None:
    plan = shipped_plan("UTH-S", boxes=2, **({} if six else {"six_card_bonus": 0}))
    assert ("six_card_bonus" in plan.sides) == six
    minds, _ = known_card_minds(plan)
    assert minds.burnt == 7 + 2 * 2 + 4 * six == known_cards.dealt_cards(2, six) - 1


@pytest.mark.prove
def test_sessions_and_side_wagers_stand_beside_who_knows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ["simulate", "uth", "--rounds", "2,000", "--strategy", "knows:flop"]
    assert main([*asked, "--strategy", "optimal", "--hours", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [box["strategy"] for box in told["boxes"]] == ["knows:flop", "optimal"]
    assert told["sessions"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["uth", "--strategy", "knows:dealr"], "did you mean dealer?"),
        (["four-card", "--strategy", "knows:dealer"], "no kernels for players who know cards"),
    ],
)
def test_who_cannot_be_dealt_is_told(
    asked: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", *asked, "--rounds", "9"]) == 2
    assert said in capsys.readouterr().err
