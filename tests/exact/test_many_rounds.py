"""The sum of many rounds: against exact arithmetic on small ones, and against drawn ones."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from croupier.exact import many_rounds
from croupier.exact.many_rounds import quantiles

SHARES = (0.025, 0.05, 0.5, 0.95, 0.975)
SKEWED = {Fraction(-2): 60, Fraction(1): 35, Fraction(3, 2): 4, Fraction(50): 1}


def counted(distribution: dict[Fraction, int], rounds: int) -> dict[Fraction, int]:
    """Every sum with its ways, by adding round after round."""
    sums = Counter({Fraction(0): 1})
    for _ in range(rounds):
        more: Counter[Fraction] = Counter()
        for so_far, ways in sums.items():
            for result, each in distribution.items():
                more[so_far + result] += ways * each
        sums = more
    return dict(sums)


@pytest.mark.parametrize("rounds", [1, 2, 7, pytest.param(60, marks=pytest.mark.prove)])
def test_quantiles_are_those_of_exact_sums(rounds: int) -> None:
    sums = counted(SKEWED, rounds)
    total = sum(sums.values())
    for share, found in zip(SHARES, quantiles(SKEWED, rounds, SHARES), strict=True):
        below, reached = Fraction(0), None
        for result in sorted(sums):
            below += Fraction(sums[result], total)
            if below >= Fraction(str(share)):
                reached = result
                break
        assert reached is not None
        assert found == pytest.approx(float(reached / rounds), abs=1e-9)


def test_a_coarse_grid_keeps_the_mean_and_hardly_moves_a_quantile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Odds too fine for the circle are laid on the points beside them."""
    fine = quantiles(SKEWED, 500, SHARES)
    monkeypatch.setattr(many_rounds, "MOST_POINTS", 1 << 12)
    coarse = quantiles(SKEWED, 500, SHARES)
    assert fine != coarse
    circle = 2 * (16 * 5.3 * sqrt(500) + 12 * 51)
    assert np.abs(np.array(fine) - coarse).max() < circle / (1 << 12) / sqrt(500)


def test_quantiles_are_those_of_drawn_runs() -> None:
    results, ways = np.array([float(r) for r in SKEWED]), np.array([*SKEWED.values()])
    runs = np.random.default_rng(6).multinomial(1_000, ways / 100, 100_000) @ results / 1_000
    for share, found in zip(SHARES, quantiles(SKEWED, 1_000, SHARES), strict=True):
        assert float(np.mean(runs <= found)) == pytest.approx(share, abs=0.005)
