"""The sum of many rounds by Fourier transform, from the exact distribution of one: no bell assumed.

A round that loses a little often and wins much seldom is skewed, and so is a thousand of them. The
distribution of the sum of n rounds is the one of a round convolved n times with itself: its Fourier
transform to the power n. It is taken on a circle of whole units so large that what would wrap
around it is next to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, floor, lcm, log2, sqrt

import numpy as np
from numpy.typing import NDArray

MOST_POINTS = 1 << 22
_SIGMAS = 16
_AWARDS = 12  # so many of the largest results more than are due do not come together


@dataclass(frozen=True)
class RoundsTotal:
    """The sum of so many rounds: its chances from ``first`` units on, a unit apart.

    ``is_exact`` is false where results had to be laid on a coarser grid than theirs. ``off_by`` is
    more than the chance of sums that do not fit, by Bernstein's inequality.
    """

    rounds: int
    unit: float
    first: int
    chances: NDArray[np.float64]
    is_exact: bool
    off_by: float

    def at_most(self, shares: Sequence[float]) -> list[float]:
        """The sum that each share of all such runs does not exceed."""
        last = len(self.chances) - 1
        places = np.minimum(np.searchsorted(np.cumsum(self.chances), shares), last)
        return [(self.first + int(place)) * self.unit for place in places]

    def chance_over(self, amount: float) -> float:
        """The chance of more than so much; on a grid that is not exact, of half a unit more."""
        beyond = floor(amount / self.unit + 1e-6) + 1 - self.first
        return float(self.chances[max(0, beyond) :].sum())


def rounds_total(distribution: Mapping[Fraction, int], rounds: int) -> RoundsTotal:
    """The sum of so many rounds; ``distribution`` is by result how many deals bring it.

    Exact where the results fit a circle of :data:`MOST_POINTS` units; otherwise each is laid on its
    two neighbors on a coarser one with the same mean, which moves a quantile by less than the
    distance of two points times the root of the rounds.
    """
    total = sum(distribution.values())
    results = np.array([float(result) for result in distribution])
    chances = np.array([ways / total for ways in distribution.values()])
    mean = float(results @ chances)
    variance = float((results - mean) ** 2 @ chances) * rounds
    farthest = float(np.abs(results - mean).max())
    reach = _SIGMAS * sqrt(variance) + _AWARDS * farthest
    unit = 1 / lcm(*(result.denominator for result in distribution))
    points = 1 << max(4, ceil(log2(2 * reach / unit + 1)))
    is_exact = points <= MOST_POINTS
    if not is_exact:
        points, unit = MOST_POINTS, 2 * reach / (MOST_POINTS - 1)
    summed = _sum_of(rounds, *_on_grid(results, chances, unit), points)
    first = round(rounds * mean / unit) - points // 2
    off_by = 2 * exp(-(reach**2) / 2 / (variance + farthest * reach / 3)) if reach else 0.0
    in_order = np.roll(summed, -(first % points))
    return RoundsTotal(rounds, unit, first, in_order, is_exact, off_by)


def quantiles(
    distribution: Mapping[Fraction, int], rounds: int, shares: Sequence[float]
) -> list[float]:
    """The mean result of so many rounds that each share of all such runs does not exceed."""
    return [found / rounds for found in rounds_total(distribution, rounds).at_most(shares)]


def _on_grid(
    results: NDArray[np.float64], chances: NDArray[np.float64], unit: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Results in units; one that lies between two is shared so that the mean is kept."""
    scaled = results / unit
    lower = np.floor(scaled + 1e-9)
    over = np.clip(scaled - lower, 0.0, None)
    places = np.concatenate([lower, lower + 1]).astype(np.int64)
    return places, np.concatenate([chances * (1 - over), chances * over])


def _sum_of(
    rounds: int, places: NDArray[np.int64], chances: NDArray[np.float64], points: int
) -> NDArray[np.float64]:
    """The chances of the sum of so many rounds, by its units, around the circle."""
    once = np.zeros(points)
    np.add.at(once, places % points, chances)
    turned = np.fft.rfft(once)
    with np.errstate(divide="ignore"):
        power = np.exp(rounds * np.log(turned))
    power[turned == 0] = 0
    return np.clip(np.fft.irfft(power, points), 0.0, None)
