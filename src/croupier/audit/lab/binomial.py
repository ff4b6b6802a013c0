"""Exact binomial tails: how unlikely a count is, and how far off its chance must be to be found.

A chance of one in two million has no bell curve in a log of ten thousand rounds, so nothing here is
approximated: the chances of all counts that are not absurd are multiplied up from the likeliest one
and added from the far ends, where sums stay exact to a dozen digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from croupier.audit.lab.tails import POWER

_REACH = 40  # standard deviations; what lies beyond is less likely than one in 10**300
_STEPS = 40


@dataclass(frozen=True, eq=False)
class Binomial:
    """How often so many independent tries hit at most, and at least, each number of times.

    The arrays begin with the count ``first``; a count outside of them is as good as impossible.
    """

    size: int
    chance: float
    first: int
    at_most: NDArray[np.float64]
    at_least: NDArray[np.float64]

    def tail(self, count: int) -> float:
        """How often a count is at least as far out, on either side."""
        place = count - self.first
        if not 0 <= place < len(self.at_most):
            return 0.0
        return min(1.0, 2 * min(float(self.at_most[place]), float(self.at_least[place])))

    def above(self, count: int) -> float:
        """How often at least so many hits come."""
        place = count - self.first
        if place >= len(self.at_least):
            return 0.0
        return float(self.at_least[place]) if place > 0 else 1.0

    def limits(self, level: float) -> tuple[int, int]:
        """The most and the least hits that are found out: too few, and too many.

        Where even no hit at all is not too few, the first is -1.
        """
        few = int(np.searchsorted(2 * self.at_most, level, side="right")) - 1
        many = len(self.at_least) - int(
            np.searchsorted(2 * self.at_least[::-1], level, side="right")
        )
        return (self.first + few if few >= 0 else self.first - 1), self.first + many


@lru_cache(maxsize=512)
def binomial(size: int, chance: float) -> Binomial:
    if chance <= 0 or chance >= 1:
        certain = size if chance >= 1 else 0
        return Binomial(size, chance, certain, np.ones(1), np.ones(1))
    mean = size * chance
    reach = _REACH * math.sqrt(mean * (1 - chance)) + 2 * _REACH
    first, last = max(0, int(mean - reach)), min(size, int(mean + reach) + 1)
    counts = np.arange(first, last)
    rises = np.log((size - counts) / (counts + 1)) + math.log(chance) - math.log1p(-chance)
    logs = np.concatenate([[0.0], np.cumsum(rises)])
    likely = np.exp(logs - logs.max())
    likely /= likely.sum()
    return Binomial(size, chance, first, np.cumsum(likely), np.cumsum(likely[::-1])[::-1])


@lru_cache(maxsize=4_096)
def found(size: int, chance: float, level: float) -> tuple[float, float]:
    """By how much of itself a chance must be too low, and too high, to be found out with 95%
    probability; infinite where nothing would be enough."""
    few, many = binomial(size, chance).limits(level)
    most = 1 / chance - 1

    def shows_few(off: float) -> bool:
        return 1 - _above(size, chance * (1 - off), few + 1) >= POWER

    def shows_many(off: float) -> bool:
        return _above(size, chance * (1 + off), many) >= POWER

    return _least(shows_few, 1.0), _least(shows_many, most)


def _above(size: int, chance: float, count: int) -> float:
    if count <= 0:
        return 1.0
    return binomial.__wrapped__(size, chance).above(count)


def _least(shows: Callable[[float], bool], most: float) -> float:
    if not shows(most):
        return math.inf
    low, high = 0.0, most
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if shows(middle) else (middle, high)
    return high
