"""Ruin and goal: against exact arithmetic over every balance, round after round."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from croupier.bankroll import ruin
from croupier.bankroll.ruin import BalanceWalk
from croupier.facts.errors import Unreadable

SKEWED = {-300: 30, -100: 40, 100: 22, 200: 7, 1_500: 1}
WINNING = {-100: 2, 100: 3}
NEEDED = 250


def no_progress(_: float) -> None:
    pass


def exactly(
    distribution: dict[int, int], balance: int, rounds: int, goal: int | None = None
) -> tuple[Fraction, Fraction]:
    """The chance that one of so many rounds cannot be begun before a goal, and of the goal."""
    total = sum(distribution.values())

    @cache
    def ends(balance: int, left: int) -> tuple[Fraction, Fraction]:
        if goal is not None and balance >= goal:
            return Fraction(0), Fraction(1)
        if left == 0:
            return Fraction(0), Fraction(0)
        if balance < NEEDED:
            return Fraction(1), Fraction(0)
        found = [
            (Fraction(w, total), ends(balance + net, left - 1)) for net, w in distribution.items()
        ]
        ruined, reached = (sum((w * e[n] for w, e in found), Fraction(0)) for n in (0, 1))
        return ruined, reached

    return ends(balance, rounds)


@pytest.mark.parametrize("rounds", [1, 2, 5, 30])
@pytest.mark.parametrize("balance", [250, 260, 500, 1_249])
def test_ruin_within_rounds(rounds: int, balance: int) -> None:
    walk = BalanceWalk(SKEWED, NEEDED)
    found = walk.ruin_within(rounds, walk.place(balance), no_progress)
    expected, _ = exactly(SKEWED, balance, rounds)
    assert found[walk.place(balance)] == pytest.approx(float(expected), abs=1e-10)


@pytest.mark.parametrize(("balance", "goal"), [(500, 1_000), (999, 1_450), (700, 2_500)])
def test_ruin_or_goal_within_rounds(balance: int, goal: int) -> None:
    walk = BalanceWalk(SKEWED, NEEDED)
    start = walk.place(balance)
    units = start + -(-(goal - balance) // walk.unit_cents)
    found = walk.first_of(start, units, 25, no_progress)
    ruined, reached = exactly(SKEWED, balance, 25, goal)
    assert found.ruin.middle == pytest.approx(float(ruined), abs=1e-10)
    assert found.goal.middle == pytest.approx(float(reached), abs=1e-10)


def test_ruin_or_goal_for_ever_by_equations_and_by_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = BalanceWalk(SKEWED, NEEDED)
    solved = walk.first_for_ever(4, 12, no_progress)
    many_rounds, reached = exactly(SKEWED, NEEDED + 400, 300, NEEDED + 1_200)
    assert solved.ruin.middle == pytest.approx(float(many_rounds), abs=1e-8)
    assert solved.goal.middle == pytest.approx(float(reached), abs=1e-8)
    monkeypatch.setattr(ruin, "MOST_EQUATIONS", 1)
    followed = walk.first_for_ever(4, 12, no_progress)
    assert followed.ruin.least - 1e-10 <= solved.ruin.middle <= followed.ruin.most + 1e-10
    assert followed.ruin.off_by < 1e-9


def test_for_ever_whoever_loses_on_average_is_ruined() -> None:
    assert BalanceWalk(SKEWED, NEEDED).ruin_for_ever(10**6).least == 1.0
    assert BalanceWalk({-1: 1, 1: 1}, 0).ruin_for_ever(50).least == 1.0
    assert BalanceWalk({0: 1, 1: 1}, 0).ruin_for_ever(0).most == 0.0


def test_for_ever_whoever_wins_is_ruined_as_gamblers_are() -> None:
    """With steps of one unit both ways the chance is (q / p) to the units that may be lost."""
    found = BalanceWalk(WINNING, NEEDED).ruin_for_ever(7)
    assert found.least == pytest.approx((2 / 3) ** 8, rel=1e-9)
    assert found.most == pytest.approx((2 / 3) ** 7, rel=1e-9)


def test_lundberg_bounds_hold_for_a_skewed_walk() -> None:
    walk = BalanceWalk({-200: 50, -100: 10, 300: 40}, 0)
    bounds = walk.ruin_for_ever(9)
    within = walk.ruin_within(4_000, 9, no_progress)[9]
    assert bounds.least <= within <= bounds.most


def test_balances_that_are_not_followed_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = BalanceWalk(SKEWED, NEEDED)
    cut = walk.ruin_within(400, 20, no_progress)[:21]
    monkeypatch.setattr(BalanceWalk, "_fall", lambda self, rounds: 10**9)
    whole = walk.ruin_within(400, 20, no_progress)[:21]
    assert np.abs(cut - whole).max() < 1e-9


def test_more_money_is_never_ruined_more_often() -> None:
    chances = BalanceWalk(SKEWED, NEEDED).ruin_within(50, 30, no_progress)
    assert (np.diff(chances) <= 1e-12).all()


def test_what_would_take_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruin, "MOST_WORK", 1_000)
    with pytest.raises(Unreadable, match="take too long to follow; ask for fewer rounds"):
        BalanceWalk(SKEWED, NEEDED).ruin_within(500, 20, no_progress)
