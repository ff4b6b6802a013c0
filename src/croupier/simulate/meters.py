"""Meters replayed: every award in the order of the rounds, exactly as the table would pay it.

What a round adds to a meter does not depend on the cards, so a meter's reading before any award is
known from the round's number and the awards before it. The kernels only note which lines were hit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from croupier.facts.money import MICROS_A_CENT, Cents, Micros, in_micros
from croupier.facts.odds import Share
from croupier.games.rules import PROGRESSIVE
from croupier.simulate.plan import MeterPlan, SimulationPlan
from croupier.simulate.rounds import ShardResult


@dataclass(frozen=True)
class Award:
    """What one box drew: ``before`` is what stood on the meter in its turn."""

    round: int
    box: int
    line: int
    meter: str
    before: Micros
    paid_cents: Cents
    resets: bool


@dataclass(frozen=True)
class MeterStory:
    """One meter over all rounds; ``last`` is what stands on it in the end, with its overflow."""

    meter: MeterPlan
    awards: tuple[Award, ...]
    last: Micros
    reserve_cents: Cents

    @property
    def jackpots_cents(self) -> list[int]:
        """What each award that emptied the meter paid, in the order they came."""
        return [award.paid_cents for award in self.awards if award.resets]

    @property
    def rounds_between(self) -> list[int]:
        """Rounds from one emptying to the next; the first is counted from the start."""
        at = [-1, *(award.round for award in self.awards if award.resets)]
        return [later - earlier for earlier, later in pairwise(at)]


def awards_of(plan: SimulationPlan, played: ShardResult) -> list[Award]:
    """Every award of a run, meters growing before each round and drawn in settling order.

    What is beyond a limit goes onto the meter with the next round (ruling 43).
    """
    meters = {meter.name: meter for meter in plan.meters}
    shares = _shares(plan)
    growth = {name: _growth(plan, meter) for name, meter in meters.items()}
    offsets = {name: meter.initial for name, meter in meters.items()}
    found = dict.fromkeys(meters, (-1, 0))
    awards = []
    for round, box, line, _, _ in played.hits.tolist():
        share = shares[line]
        meter = meters[share.meter]
        before = Micros(offsets[meter.name] + growth[meter.name] * (round + 1))
        in_round, standing = found[meter.name]
        if meter.limit is not None:
            before = Micros(standing if in_round == round else min(before, meter.limit))
        paid = share.draws_cents(before)
        resets = share.percent == 100
        put_back = meter.reset if resets else 0
        offsets[meter.name] = Micros(offsets[meter.name] - in_micros(paid) + put_back)
        found[meter.name] = (round, before - in_micros(paid) + put_back)
        awards.append(Award(round, box, line, meter.name, before, paid, resets))
    return awards


def stories(
    plan: SimulationPlan, rounds: int, awards: list[Award], chances: Mapping[int, Fraction]
) -> list[MeterStory]:
    """What became of each meter; ``chances`` are those of each line, for one wager."""
    found = []
    for meter in plan.meters:
        own = tuple(award for award in awards if award.meter == meter.name)
        drawn = sum(in_micros(award.paid_cents) for award in own)
        put_back = meter.reset * sum(award.resets for award in own)
        last = Micros(meter.initial + _growth(plan, meter) * rounds - drawn + put_back)
        found.append(MeterStory(meter, own, last, _reserve(plan, meter, own, chances)))
    return found


def _reserve(
    plan: SimulationPlan,
    meter: MeterPlan,
    awards: tuple[Award, ...],
    chances: Mapping[int, Fraction],
) -> Cents:
    """The most the house had to find for first amount and resets beyond what it laid aside.

    It lays aside of each wager the fair price of a reset: the reset times the chance that this
    wager empties the meter.
    """
    emptying = (n for n, odds in _shares(plan).items() if (odds.meter, odds.percent) == _all(meter))
    price = meter.reset * sum((chances[line] for line in emptying), Fraction(0)) * _accepted(plan)
    spent = most = Fraction(meter.initial)
    for award in awards:
        if award.resets:
            spent += meter.reset
            most = max(most, spent - price * (award.round + 1))
    return Cents(-(-most // MICROS_A_CENT))


def _all(meter: MeterPlan) -> tuple[str, int]:
    return meter.name, 100


def _accepted(plan: SimulationPlan) -> int:
    return sum(bool(seat.stake(PROGRESSIVE)) for seat in plan.seats)


def award_columns(awards: list[Award]) -> NDArray[np.int64]:
    """Rows of round, box and cents, in order: what kernels that follow the rounds add."""
    rows = [(award.round, award.box, award.paid_cents) for award in awards]
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


def _growth(plan: SimulationPlan, meter: MeterPlan) -> int:
    """What one round adds: every box with a Progressive wager."""
    return meter.growth * _accepted(plan)


def _shares(plan: SimulationPlan) -> Mapping[int, Share]:
    table = plan.rules.paytable(PROGRESSIVE)
    lines = table.lines if table is not None else ()
    return {n: line.odds for n, line in enumerate(lines) if isinstance(line.odds, Share)}
