"""Advice for the cards in sight equals what the solution of the whole game decided by."""

from __future__ import annotations

import random
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from croupier.exact import advice, holdem
from croupier.exact.advice import advise
from croupier.exact.base_game import FOLD
from croupier.exact.hand_partitions import first_opening_class
from croupier.exact.kernels.positions import positions
from croupier.exact.kernels.rivers import meet_dealers
from croupier.exact.solution import Solution
from croupier.facts.cards import DECK, card, cards
from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.table.settlement import settle


def no_solution() -> Solution:
    raise AssertionError("these cards need no solution")


def test_flops_equal_the_solver(uth_rules: Rules, uth_solved: holdem.SolvedHoldem) -> None:
    best, spots = uth_solved.best, positions()
    assert best is not None
    chance = random.Random(7)
    ways = 2 * comb(47, 2) * comb(45, 2)  # the solver's unit is half an Ante: Blind pays 3 to 2
    for _ in range(4):
        dealt = chance.sample(DECK, 5)
        hole, flop = tuple(dealt[:2]), tuple(dealt[2:])
        values = advise(uth_rules, no_solution, hole, flop)
        spot = spots.flop_spot([c.number for c in flop], [c.number for c in hole])
        assert values["2x"] == Fraction(int(best.flop_bets[0][spot]), ways)
        assert values["check"] == Fraction(int(best.flop_checks[spot]), ways)
        assert bool(best.strategy.flop[spot]) == (next(iter(values)) == "2x")


def test_rivers_equal_the_solver(uth_rules: Rules, uth_solved: holdem.SolvedHoldem) -> None:
    best, spots = uth_solved.best, positions()
    assert best is not None
    chance = random.Random(8)
    for _ in range(60):
        dealt = chance.sample(DECK, 7)
        hole, board = tuple(dealt[:2]), tuple(dealt[2:])
        values = advise(uth_rules, no_solution, hole, board)
        row, bit = spots.board_spot([c.number for c in board], [c.number for c in hole])
        bets = bool(int(best.strategy.river[0, row, bit // 64]) >> (bit % 64) & 1)
        assert bets == (next(iter(values)) != FOLD)


def test_dealers_are_counted_as_the_kernel_counts_them(uth_rules: Rules) -> None:
    """Integers, without a compiler and with one: on rivers, and on every way a flop can end."""
    opening = first_opening_class(uth_rules)
    chance = random.Random(9)
    for seen in (*[5] * 40, *[3] * 3):
        dealt = chance.sample(DECK, 2 + seen)
        hole, board = tuple(dealt[:2]), tuple(dealt[2:])
        classes, ends = advice.dealers_met(hole, board, opening)
        unseen = [c.number for c in DECK if c not in dealt]
        to_come = [(a, b) for at, b in enumerate(unseen) for a in unseen[:at]]
        rows = [[c.number for c in dealt] + list(two) for two in (to_come if seen == 3 else [()])]
        by_kernel = meet_dealers(np.array(rows, dtype=np.uint8), opening)
        assert np.array_equal(classes, by_kernel[0])
        assert np.array_equal(ends, by_kernel[1])
        assert set(ends.sum(axis=1)) == {comb(45, 2)}


def test_the_river_by_settlement(uth_rules: Rules) -> None:
    """Every dealer's hand settled by the readable code."""
    hole, board = cards("Kd 5c"), cards("Qh 8s 2d 3h 3s")
    unseen = [c for c in DECK if c not in hole + board]
    stakes = {"ante": Cents(100), "blind": Cents(100), "play": Cents(100)}
    nets = [
        settle(
            FinishedRound(
                uth_rules, {"board": board, "dealer": (a, b)}, (FinishedBox(1, hole, stakes),)
            )
        ).net_cents(1)
        for at, b in enumerate(unseen)
        for a in unseen[:at]
    ]
    values = advise(uth_rules, no_solution, hole, board)
    assert values["1x"] == Fraction(sum(nets), 100 * comb(45, 2))
    assert values[FOLD] == -2


def test_before_the_flop(uth_rules: Rules, uth_solution: Solution) -> None:
    values = advise(uth_rules, lambda: uth_solution, cards("5c Kd"))
    assert list(values) == ["4x", "check", "3x"]
    assert values == dict(next(h.values for h in uth_solution.hands if h.name == "K5o"))


def test_four_card(fcp_rules: Rules) -> None:
    values = advise(fcp_rules, no_solution, cards("Ac Ad 9h 5s 2c"), (), card("Kd"))
    assert next(iter(values)) == "3x"
    assert 2 * values["1x"] == values["3x"]
    assert values[FOLD] == -1


@pytest.mark.parametrize(
    ("hand", "board", "up", "said"),
    [
        ("Kd Kd", "", None, "more than once"),
        ("Kd", "", None, "two cards"),
        ("Kd Qd", "2c 3c", None, "0, 3 or 5"),
        ("Kd Qd", "", "2c", "no up card"),
    ],
)
def test_cards_that_cannot_be(
    uth_rules: Rules, hand: str, board: str, up: str | None, said: str
) -> None:
    with pytest.raises(Unreadable, match=said):
        advise(uth_rules, no_solution, cards(hand), cards(board), card(up) if up else None)


def test_four_card_needs_its_up_card(fcp_rules: Rules) -> None:
    with pytest.raises(Unreadable, match="up card"):
        advise(fcp_rules, no_solution, cards("Ac Ad 9h 5s 2c"))
