"""How unlikely: tails of the chi-square, normal and Poisson distributions, and power from them."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

POWER = 0.95
_TINY = 1e-300
_CLOSE = 1e-15
_NORMAL = NormalDist()


def upper_gamma(a: float, x: float) -> float:
    """The regularized upper incomplete gamma function Q(a, x)."""
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    return 1.0 - scale * _series(a, x) if x < a + 1 else scale * _fraction(a, x)


def chi_square_tail(statistic: float, degrees: int) -> float:
    """How often a chi-square of so many degrees is at least as large."""
    return upper_gamma(degrees / 2, statistic / 2)


def normal_tail(z: float) -> float:
    """How often a normal variate is at least as far from zero, on either side."""
    return math.erfc(abs(z) / math.sqrt(2))


def poisson_tail(count: int, mean: float) -> float:
    """How often a Poisson count is at least as far out, on either side."""
    at_least = 1.0 - upper_gamma(count, mean) if count else 1.0
    return min(1.0, 2 * min(at_least, upper_gamma(count + 1, mean)))


def both_sides(upper: float) -> float:
    """A fit that is too good is as suspect as one that is too bad."""
    return min(1.0, 2 * min(upper, 1.0 - upper))


def chi_square_limit(level: float, degrees: int) -> float:
    """What a chi-square of so many degrees passes this seldom."""
    most = degrees + 60 * math.sqrt(2 * degrees) + 1_000
    return _root(lambda x: level - chi_square_tail(x, degrees), 0.0, most)


def normal_limit(level: float) -> float:
    """How far out a normal variate is this seldom, on either side."""
    return -_NORMAL.inv_cdf(level / 2)


def shift(level: float) -> float:
    """How many standard deviations off a mean must be to be found out with 95% probability."""
    return normal_limit(level) + _NORMAL.inv_cdf(POWER)


@lru_cache(maxsize=1_024)
def noncentrality(level: float, degrees: int) -> float:
    """How large a chi-square's noncentrality must be to be found out with 95% probability."""
    limit = chi_square_limit(level, degrees)
    most = 100.0
    while _power(limit, degrees, most) < POWER:
        most *= 2
    return _root(lambda size: _power(limit, degrees, size) - POWER, 0.0, most)


def _power(limit: float, degrees: int, noncentral: float) -> float:
    """The tail of a noncentral chi-square: a Poisson mixture of central ones."""
    mean, x = noncentral / 2, limit / 2
    spread = 10 * math.sqrt(mean) + 20
    first, last = max(0, int(mean - spread)), int(mean + spread)
    a = degrees / 2 + first
    tail = upper_gamma(a, x)
    step = math.exp(a * math.log(x) - x - math.lgamma(a + 1))
    weight = math.exp(first * math.log(mean) - mean - math.lgamma(first + 1)) if mean else 1.0
    total = 0.0
    for j in range(first, last + 1):
        total += weight * tail
        tail, a = tail + step, a + 1
        step *= x / a
        weight *= mean / (j + 1)
    return total


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    while abs(term) > abs(total) * _CLOSE:
        a += 1
        term *= x / a
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    """Lentz's way through the continued fraction."""
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    value, n, change = d, 0, 0.0
    while abs(change - 1) > _CLOSE * 10 and n < 100_000:
        n += 1
        factor = -n * (n - a)
        b += 2
        d = 1 / (factor * d + b or _TINY)
        c = b + factor / c or _TINY
        change = c * d
        value *= change
    return value


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return high
