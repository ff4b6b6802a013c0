"""What is told of a wager, of two together, and of a box: means with their errors.

The standard error of a mean comes from the exact standard deviation where that is known: a sample
of rare jackpots would understate it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

AT_RESETS = "at resets"


@dataclass(frozen=True)
class Hit:
    """One way for a wager to end: how often it came, and how often it must."""

    name: str
    times: int
    chance: Fraction | None


@dataclass(frozen=True)
class WagerFigure:
    """The mean of one wager, in its stakes; ``exact`` and ``z`` where the solver knows it."""

    wager: str
    paytable: str
    stake_cents: int
    rounds: int
    mean: Fraction
    variance: Fraction
    exact: Fraction | None = None
    exact_variance: Fraction | None = None
    hits: tuple[Hit, ...] = ()
    note: str = ""

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def standard_error(self) -> float:
        known = self.exact_variance if self.exact_variance is not None else self.variance
        return sqrt(known / self.rounds)

    @property
    def z(self) -> float | None:
        if self.exact is None or not self.standard_error:
            return None
        return float(self.mean - self.exact) / self.standard_error

    @property
    def hit_frequency(self) -> Fraction | None:
        """How often it did not lose."""
        if not self.hits:
            return None
        return 1 - Fraction(self.hits[-1].times, sum(hit.times for hit in self.hits))

    @property
    def exact_hit_frequency(self) -> Fraction | None:
        last = self.hits[-1].chance if self.hits else None
        return 1 - last if last is not None else None


@dataclass(frozen=True)
class Spread:
    """A mean and a standard deviation in cents, the second with its own error."""

    mean_cents: Fraction
    variance: Fraction
    rounds: int
    deviation_error: float | None = None

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def standard_error(self) -> float:
        return sqrt(self.variance / self.rounds)


@dataclass(frozen=True, kw_only=True)
class JointFigure(Spread):
    """Two wagers of one round, in cents: only how they move together had to be simulated."""

    exact_cents: Fraction
    covariance: Fraction
    covariance_error: float
    alone: Fraction  # the product of both variances

    @property
    def z(self) -> float:
        return float(self.mean_cents - self.exact_cents) / self.standard_error

    @property
    def correlation(self) -> float:
        return float(self.covariance) / sqrt(self.alone)

    @property
    def correlation_error(self) -> float:
        return self.covariance_error / sqrt(self.alone)


@dataclass(frozen=True)
class BoxFigures:
    """One box: its wagers one by one, the base game with Six Card Bonus, and all together."""

    box: int
    strategy: str
    actions: tuple[tuple[str, Fraction], ...]
    figures: tuple[WagerFigure, ...]
    with_six: JointFigure | None
    net: Spread
    staked_cents: Fraction
