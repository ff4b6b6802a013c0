"""Ruin and goal of a walk with independent steps, by dynamic programming over balances.

A round is a step of the balance. A player is ruined when a round cannot be begun: the balance is
under what it needs. From every balance at once the chances of one round more follow from those of
one fewer, a convolution. Balances so high that nobody falls from them in the rounds that are left,
but with a chance of :data:`NEXT_TO_NOTHING`, are not followed.

For ever a walk that loses on average is ruined, whatever it begins with. One that wins on average
is ruined with a chance between two powers of one number (Lundberg). Between ruin and a goal the
chances solve linear equations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil, exp, gcd, log

import numpy as np
from numpy.typing import NDArray

from croupier.facts.errors import Unreadable
from croupier.facts.progress import ShareDone

NEXT_TO_NOTHING = 1e-10
MOST_WORK = 1 << 34  # balances times rounds
MOST_EQUATIONS = 2048
BalanceChances = NDArray[np.float64]


@dataclass(frozen=True)
class Within:
    """Two ends of a chance that is not known more exactly."""

    least: float
    most: float

    @property
    def middle(self) -> float:
        return (self.least + self.most) / 2

    @property
    def off_by(self) -> float:
        return (self.most - self.least) / 2


@dataclass(frozen=True)
class FirstOf:
    """Which of ruin and goal comes first; what is left of one is neither."""

    ruin: Within
    goal: Within


@dataclass(frozen=True)
class BalanceWalk:
    """A balance in units over rounds: by step how many deals bring it."""

    distribution: Mapping[int, int]  # by cents won or lost
    needed_cents: int  # a round cannot be begun with less

    @cached_property
    def unit_cents(self) -> int:
        return gcd(*self.distribution) or 1

    @cached_property
    def _steps(self) -> tuple[NDArray[np.int64], BalanceChances]:
        total = sum(self.distribution.values())
        steps = np.array([net // self.unit_cents for net in self.distribution], dtype=np.int64)
        return steps, np.array([ways / total for ways in self.distribution.values()])

    @property
    def _deepest(self) -> int:
        return max(0, -int(self._steps[0].min()))

    def place(self, balance_cents: int) -> int:
        """How many units a balance is above what a round needs."""
        return (balance_cents - self.needed_cents) // self.unit_cents

    def amount(self, place: int) -> int:
        """The balance in cents that is so many units above what a round needs."""
        return self.needed_cents + place * self.unit_cents

    def ruin_within(self, rounds: int, balances: int, progress: ShareDone) -> BalanceChances:
        """By units above what is needed, from 0: the chance that one of so many rounds cannot be
        begun. The first always can."""
        room = max(balances, min(self._deepest * rounds, self._fall(rounds))) + 1
        return self._followed(rounds - 1, room, 1.0, 0.0, progress)

    def first_of(self, start: int, goal: int, rounds: int, progress: ShareDone) -> FirstOf:
        """From ``start`` units above what is needed: whether ``goal`` units are reached in so many
        rounds, or before that one of these cannot be begun."""
        reached = self._followed(rounds, goal, 0.0, 1.0, lambda done: progress(done / 2))
        ruined = self._followed(rounds - 1, goal, 1.0, 0.0, lambda done: progress(0.5 + done / 2))
        return FirstOf(*(Within(c, c) for c in (float(ruined[start]), float(reached[start]))))

    def first_for_ever(self, start: int, goal: int, progress: ShareDone) -> FirstOf:
        """The same without an end: by linear equations, or by rounds until hardly anybody plays."""
        if goal <= MOST_EQUATIONS:
            chance = float(np.linalg.solve(*self._equations(goal))[start])
            return FirstOf(Within(chance, chance), Within(1 - chance, 1 - chance))
        left = [1.0]

        def is_over(ruined: BalanceChances, reached: BalanceChances, number: int) -> bool:
            left[0] = 1 - float(ruined[start]) - float(reached[start])
            progress(min(1.0, log(left[0] + 1e-12) / log(NEXT_TO_NOTHING)))
            return left[0] < NEXT_TO_NOTHING or number * goal > MOST_WORK // 4

        ruined, reached = self._both(goal, is_over)
        ends = (float(c[start]) for c in (ruined, reached))
        return FirstOf(*(Within(end, end + max(0.0, left[0])) for end in ends))

    def ruin_for_ever(self, start: int) -> Within:
        """The chance that a round comes which cannot be begun, however late."""
        steps, chances = self._steps
        if not (steps < 0).any():
            return Within(0.0, 0.0)
        if float(steps @ chances) <= 0:
            return Within(1.0, 1.0)
        rate = self.lundberg
        return Within(exp(-rate * (start + self._deepest)), exp(-rate * start))

    @cached_property
    def lundberg(self) -> float:
        """The rate, for each unit of balance, at which ruin for ever becomes less likely: where the
        mean of exp(-rate times step) is 1. Only for a walk that wins on average and can lose."""
        steps, chances = self._steps
        low, high = 0.0, 1.0 / self._deepest
        while _exponential_mean(steps, chances, high) < 1:
            low, high = high, 2 * high
        while high - low > 1e-14 * high:
            middle = (low + high) / 2
            is_below = _exponential_mean(steps, chances, middle) < 1
            low, high = (middle, high) if is_below else (low, middle)
        return low

    def _fall(self, rounds: int) -> int:
        """So many units nobody loses in so many rounds at any time, but with a chance that is next
        to nothing (Doob's inequality for the exponential of the walk)."""
        steps, chances = self._steps
        spread = float(np.sqrt((steps.astype(float) ** 2) @ chances * rounds)) or 1.0
        rates = np.geomspace(0.05, 50, 200) / spread
        grown = [max(0.0, rounds * log(_exponential_mean(steps, chances, r))) for r in rates]
        needs = (np.array(grown) - log(NEXT_TO_NOTHING)) / rates
        return ceil(float(needs.min()))

    def _followed(
        self, rounds: int, room: int, below: float, above: float, progress: ShareDone
    ) -> BalanceChances:
        """By balance, the value after so many rounds of ending below, above, or at neither (0)."""
        if room * max(rounds, 1) > MOST_WORK:
            raise Unreadable(
                f"{rounds:,} rounds of a balance that {room:,} amounts can be take too long to "
                "follow; ask for fewer rounds, or for stakes in larger steps"
            )
        one_more = self._round(room, below, above)
        values = np.zeros(room)
        for number in range(rounds):
            values = one_more(values)
            if number % 256 == 0:
                progress(number / rounds)
        return np.clip(values, 0.0, 1.0)

    def _both(
        self, room: int, is_over: Callable[[BalanceChances, BalanceChances, int], bool]
    ) -> tuple[BalanceChances, BalanceChances]:
        ruin_more, goal_more = self._round(room, 1.0, 0.0), self._round(room, 0.0, 1.0)
        ruined, reached = np.zeros(room), np.zeros(room)
        number = 0
        while not (number % 256 == 0 and number and is_over(ruined, reached, number)):
            ruined, reached = ruin_more(ruined), goal_more(reached)
            number += 1
        return ruined, reached

    def _round(
        self, room: int, below: float, above: float
    ) -> Callable[[BalanceChances], BalanceChances]:
        """From the values of all balances to those one round earlier: a correlation, by FFT."""
        steps, chances = self._steps
        kept = np.clip(steps, -room, room)
        low = min(room, self._deepest)
        high = max(0, int(kept.max()))
        points = 1 << ceil(np.log2(low + room + high + 1))
        once = np.zeros(points)
        np.add.at(once, kept + low, chances)
        turned = np.conj(np.fft.rfft(once))
        around = np.full(points, above)
        around[:low] = below

        def one_more(values: BalanceChances) -> BalanceChances:
            around[low : low + room] = values
            found: BalanceChances = np.fft.irfft(np.fft.rfft(around) * turned, points)[:room]
            return found

        return one_more

    def _equations(self, goal: int) -> tuple[BalanceChances, BalanceChances]:
        """The chance of ruin before a goal, balance by balance, as linear equations."""
        matrix, ruined = np.eye(goal), np.zeros(goal)
        places = np.arange(goal)
        for step, chance in zip(*self._steps, strict=True):
            to = places + step
            inside = (to >= 0) & (to < goal)
            matrix[places[inside], to[inside]] -= chance
            ruined[to < 0] += chance
        return matrix, ruined


def _exponential_mean(steps: NDArray[np.int64], chances: BalanceChances, rate: float) -> float:
    with np.errstate(under="ignore", over="ignore"):
        return float(np.exp(-rate * steps) @ chances)
