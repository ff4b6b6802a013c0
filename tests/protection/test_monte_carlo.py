"""Random deals, played by who knows cards and paid by settlement, agree with the exact values.

Seeds are fixed. A mean may lie four standard errors of the exact deviation from the exact value.
"""

from __future__ import annotations

import json
from fractions import Fraction
from math import sqrt

import pytest

from croupier.cli import main
from croupier.games.rules import Rules
from croupier.protection.known_rounds import known_rounds
from croupier.protection.players import SimulatedDeal, player
from croupier.protection.screening import SHARES
from tests.exact.conftest import rules_of

UTH, CASINO = rules_of("UTH-S", blind="A"), rules_of("CH-1", ante="A")
THREE, FOUR = rules_of("TCP-1"), rules_of("FCP-14")


@pytest.mark.prove
@pytest.mark.parametrize(
    ("rules", "knows", "rounds"),
    [
        (THREE, "dealer", 4_000),
        (THREE, "dealer2", 4_000),
        (FOUR, "dealer", 1_000),
        (FOUR, "burn", 500),
        (CASINO, "dealer", 2_000),
        (CASINO, "turn-or-river", 1_000),
        (UTH, "burn", 1_000),
        (UTH, "dealer", 2_000),
        (UTH, "dealer+flop", 2_000),
        (UTH, "turn-or-river", 2_000),
    ],
    ids=lambda given: given.book.id if isinstance(given, Rules) else None,
)
def test_a_player_who_knows_wins_what_was_counted(rules: Rules, knows: str, rounds: int) -> None:
    found = known_rounds(rules, knows, rounds)
    exact = found.worth.play
    assert abs(float(found.mean - exact.ev)) < 4 * exact.standard_deviation / sqrt(rounds)
    for (action, share), (_, chance) in zip(found.actions, exact.actions, strict=True):
        error = sqrt(chance * (1 - chance) / rounds)
        assert abs(float(share - chance)) <= 4 * error, action


@pytest.mark.prove
def test_such_rounds_are_simulated_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["simulate", "three-card", "--rounds", "50", "--knows", "dealer", "--seed", "3"]
    assert main([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["rounds"], told["knows"], told["exact"]) == (50, "dealer", 0.03482862211987905)
    assert Fraction(told["mean_exact"]) == known_rounds(THREE, "dealer", 50, 3).mean
    assert main(asked) == 0
    assert "Player's edge, simulated" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["three-card", "--rounds", "9", "--knows", "dealr"], "did you mean dealer?"),
        (["three-card", "--rounds", "9", "--knows", "dealer", "--boxes", "2"], "beside --knows"),
        (["three-card", "--rounds", "1", "--knows", "dealer"], "two rounds or more"),
        (["texas-holdem-bonus", "--rounds", "9", "--knows", "dealer"], "bets that add up"),
    ],
)
def test_what_cannot_be_simulated_is_told(
    asked: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", *asked]) == 2
    assert said in capsys.readouterr().err


def test_at_a_game_of_one_decision_what_is_known_decides() -> None:
    """A queen high plays, unless a card of the dealer's is an ace."""
    own, others = (40, 17, 6), (49, 30, 27)  # Qc 6d 3h
    weak, ace = (SimulatedDeal(own, (card, 5, 9), (), (), others) for card in (1, 48))
    dealer, shares = player(THREE, "dealer"), player(THREE, SHARES)
    assert (dealer(weak), dealer(ace)) == (("1x",), ("fold",))
    assert shares(weak) == shares(ace)
