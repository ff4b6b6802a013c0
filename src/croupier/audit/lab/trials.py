"""One statistical trial: what was counted, how unlikely it is, and what it would have found."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from croupier.audit.lab import tails
from croupier.audit.lab.binomial import binomial, found

FEWEST_EXPECTED = 5
STRICTEST = 1e-5

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Trial:
    """``smallest`` says for a level the least deviation that is found out with 95% probability.

    ``seen`` is what was least likely, in words, where a trial looks at several counts.
    """

    name: str
    statistic: float
    degrees: int | None
    p: float
    size: int
    deviation: str
    smallest: Callable[[float], float]
    seen: str = ""


@dataclass(frozen=True)
class Cell:
    """One of the ways in which a try can end: how often it did, and how likely it is."""

    name: str
    count: int
    chance: float


def exact(name: str, cells: Sequence[Cell], size: int, stated: Cell) -> Trial:
    """Every way in which independent tries can end, by its exact binomial tail; the worst counts.

    Each way by itself is a binomial count however rare it is, and Bonferroni makes good for having
    looked at all of them, so that a fair one fails no more often than is said. A way that cannot
    be and came needs no making good. Power is told for ``stated``: by how much of itself its chance
    may be off, in either direction; too high only, where even none would not be found.
    """
    tails_of = {cell: binomial(size, cell.chance).tail(cell.count) for cell in cells}
    worst_cell = min(tails_of, key=tails_of.__getitem__)
    looked_at = sum(0 < cell.chance < 1 for cell in cells)
    either = math.isfinite(found(size, stated.chance, STRICTEST)[0])
    due = size * worst_cell.chance

    def smallest(level: float) -> float:
        off = found(size, stated.chance, level / looked_at)
        return max(filter(math.isfinite, off), default=math.inf)

    return Trial(
        name=name,
        statistic=float(worst_cell.count),
        degrees=None,
        p=min(1.0, tails_of[worst_cell] * looked_at),
        size=size,
        deviation=f"{stated.name} {{:.1%}} more {'or less ' if either else ''}often",
        smallest=smallest,
        seen=f"{worst_cell.name}: {worst_cell.count:,} seen, {due:,.1f} due",
    )


def fit(name: str, counts: ArrayLike, chances: ArrayLike, deviation: str) -> Trial:
    """Pearson's chi-square of independent outcomes; rare neighbors are counted together.

    Power is stated for the likeliest outcome: how far off its probability may be, all others
    keeping their proportions. Counted together with rare neighbors, it shows less.
    """
    due = np.asarray(chances, dtype=float)
    seen, expected = merged(np.asarray(counts), due)
    size = int(seen.sum())
    statistic = float(((seen - expected) ** 2 / expected).sum())
    at = int(due.argmax())
    cell = int(np.searchsorted(expected.cumsum(), due[:at].sum() * size + due[at] * size / 2))
    alone, together = float(due[at]), float(expected[cell]) / size
    shows = alone / (1 - alone) * math.sqrt((1 - together) / together * size)
    return chi_square(
        name,
        statistic,
        len(seen) - 1,
        size,
        deviation,
        lambda noncentral: _off_by(math.sqrt(noncentral), shows, alone / together),
    )


def _off_by(sigmas: float, shows: float, share: float) -> float:
    """How far off an outcome must be that moves its cell by ``shows`` sigmas when it is doubled.

    An outcome that comes more often also varies more, which takes the more of it to be found.
    """
    varies = NormalDist().inv_cdf(tails.POWER)
    off = 0.0
    for _ in range(50):
        off = (sigmas + varies * (math.sqrt(1 + off * share) - 1)) / shows
    return off


def chi_square(
    name: str,
    statistic: float,
    degrees: int,
    size: int,
    deviation: str,
    off_by: Callable[[float], float],
) -> Trial:
    """A statistic that is chi-square; ``off_by`` turns its noncentrality into a deviation."""
    return Trial(
        name=name,
        statistic=statistic,
        degrees=degrees,
        p=tails.both_sides(tails.chi_square_tail(statistic, degrees)),
        size=size,
        deviation=deviation,
        smallest=lambda level: off_by(tails.noncentrality(level / 2, degrees)),
    )


def normal(name: str, z: float, size: int, deviation: str, one_sigma: float) -> Trial:
    """A statistic that is normal; ``one_sigma`` is the deviation that moves it by one."""
    return Trial(
        name=name,
        statistic=z,
        degrees=None,
        p=tails.normal_tail(z),
        size=size,
        deviation=deviation,
        smallest=lambda level: tails.shift(level) * one_sigma,
    )


def mean_of(name: str, values: Floats, expected: float, unit: float, deviation: str) -> Trial:
    """Whether independent values have the mean they should, by their own spread.

    ``unit`` turns a value into what the deviation is stated in.
    """
    spread = float(values.std()) / math.sqrt(len(values))
    z = (float(values.mean()) - expected) / spread if spread else math.inf
    return normal(name, z, len(values), deviation, spread / unit)


def worst(name: str, several: Sequence[Trial]) -> Trial:
    """The worst of trials on the same cards, made good for having looked at all of them.

    Bonferroni holds whatever they have to do with one another.
    """
    least = min(several, key=lambda trial: trial.p)
    count = len(several)
    return replace(
        least,
        name=name,
        p=min(1.0, least.p * count),
        smallest=lambda level: least.smallest(level / count),
    )


def merged(counts: NDArray[np.generic], chances: Floats) -> tuple[Floats, Floats]:
    """Counts and expected counts, neighbors taken together until five or more are expected."""
    expected = chances * float(counts.sum())
    seen_cells: list[float] = []
    expected_cells: list[float] = []
    seen_sum = expected_sum = 0.0
    for seen, due in zip(counts.tolist(), expected.tolist(), strict=True):
        seen_sum, expected_sum = seen_sum + seen, expected_sum + due
        if expected_sum >= FEWEST_EXPECTED:
            seen_cells.append(seen_sum)
            expected_cells.append(expected_sum)
            seen_sum = expected_sum = 0.0
    if seen_sum or expected_sum:
        seen_cells[-1] += seen_sum
        expected_cells[-1] += expected_sum
    return np.array(seen_cells), np.array(expected_cells)
