"""The same rounds dealt by the simulator: each exact figure has one beside it, with its error.

Meters stand still here as they do in the count: an award pays what stands on its meter and leaves
it as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from croupier.bankroll.question import SHARES, RiskQuestion
from croupier.exact.endings import net_cents
from croupier.exact.many_rounds import RoundsTotal
from croupier.facts.money import in_micros
from croupier.facts.progress import ShareDone
from croupier.games.rules import PROGRESSIVE
from croupier.simulate.plan import BoxPlan, SimulationPlan
from croupier.simulate.rounds import SHARD, nets_and_actions, play_shard, prepared

BATCHES = 20
Cents64 = NDArray[np.int64]


@dataclass(frozen=True)
class Measured:
    """A figure of the simulator and its standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class RiskTrial:
    """What the simulator says: of one round in cents, and of ``sessions`` of the asked rounds."""

    rounds: int
    seed: int
    sessions: int
    mean: Measured
    deviation: Measured
    total_mean: Measured | None = None
    total_deviation: Measured | None = None
    quantiles: tuple[tuple[float, Measured], ...] = ()
    ahead: Measured | None = None
    ruin: Measured | None = None
    ruin_first: Measured | None = None
    goal_first: Measured | None = None


def tried(asked: RiskQuestion, total: RoundsTotal, progress: ShareDone) -> RiskTrial:
    """Deal so many rounds to one box and follow them as sessions of the asked length."""
    nets = dealt_nets(asked, 1, progress)[:, 0]
    count = len(nets) // asked.rounds
    mean, deviation = _mean(nets), _deviation(nets)
    if count < 2:
        return RiskTrial(len(nets), asked.seed, count, mean, deviation)
    sessions = nets[: count * asked.rounds].reshape(count, asked.rounds)
    totals = np.sort(sessions.sum(axis=1))
    ruin, ruin_first, goal_first = _followed(asked, sessions)
    return RiskTrial(
        rounds=len(nets),
        seed=asked.seed,
        sessions=count,
        mean=mean,
        deviation=deviation,
        total_mean=_mean(totals),
        total_deviation=_deviation(sessions.sum(axis=1)),
        quantiles=tuple((share, _quantile(totals, share, total)) for share in SHARES),
        ahead=_share(totals > 0),
        ruin=ruin,
        ruin_first=ruin_first,
        goal_first=goal_first,
    )


def shared_spread(asked: RiskQuestion, boxes: int, progress: ShareDone) -> Measured:
    """How much larger the deviation of a table is than of as many boxes that share no cards."""
    nets = dealt_nets(asked, boxes, progress)
    parts = np.array_split(nets, BATCHES)
    ratios = np.array([sqrt(p.sum(axis=1).var() / p.var(axis=0).sum()) for p in parts])
    ratio = sqrt(float(nets.sum(axis=1).var() / nets.var(axis=0).sum()))
    return Measured(ratio, float(ratios.std(ddof=1)) / sqrt(BATCHES))


def dealt_nets(asked: RiskQuestion, boxes: int, progress: ShareDone) -> Cents64:
    """[round, box]: what each won or lost in cents, awards included."""
    stakes = (("ante", asked.ante_cents), *asked.stakes)
    seats = tuple(BoxPlan(stakes, player=player) for player in range(boxes))
    plan = SimulationPlan(asked.rules, seats, (), asked.seed)
    award = _award_of(asked)
    prepared(plan)
    parts = []
    for first in range(0, asked.trial_rounds, SHARD):
        progress(first / asked.trial_rounds)
        count = min(SHARD, asked.trial_rounds - first)
        nets, _ = nets_and_actions(plan, first, count)
        if award is not None:
            for number, box, line, *_ in play_shard(plan, first, first + count).hits.tolist():
                nets[number - first, box] += award(line)
        parts.append(nets)
    return np.concatenate(parts)


def _award_of(asked: RiskQuestion) -> Callable[[int], int] | None:
    """By line of the Progressive: what its meter pays, the wager gone as it is without."""
    table, stakes = asked.rules.paytable(PROGRESSIVE), dict(asked.stakes)
    if table is None or PROGRESSIVE not in stakes:
        return None
    stake = stakes[PROGRESSIVE]
    standing = {name: in_micros(held) for name, held in asked.meters}
    pays = [net_cents(line.odds, stake, standing) + stake for line in table.lines]
    return pays.__getitem__


def _followed(
    asked: RiskQuestion, sessions: Cents64
) -> tuple[Measured | None, Measured | None, Measured | None]:
    """Ruin, and which of ruin and goal came first; None of what was not asked."""
    if asked.bankroll_cents is None:
        return None, None, None
    balances = asked.bankroll_cents + np.cumsum(sessions, axis=1)
    never = sessions.shape[1]
    ruined = _first(balances[:, :-1] < asked.needed_cents, never)
    if asked.goal_cents is None:
        return _share(ruined < never), None, None
    reached = _first(balances >= asked.goal_cents, never)
    return (
        _share(ruined < never),
        _share((ruined < never) & (ruined < reached)),
        _share((reached < never) & (reached <= ruined)),
    )


def _first(is_so: NDArray[np.bool_], never: int) -> Cents64:
    """By row: where it first is so."""
    if not is_so.shape[1]:
        return np.full(len(is_so), never)
    return np.where(is_so.any(axis=1), is_so.argmax(axis=1), never)


def _mean(values: Cents64) -> Measured:
    return Measured(float(values.mean()), float(values.std()) / sqrt(len(values)))


def _deviation(values: Cents64) -> Measured:
    """Its error from the fourth moment."""
    away = values - values.mean()
    variance = float((away**2).mean())
    if not variance:
        return Measured(0.0, 0.0)
    of_variance = sqrt(max(0.0, float((away**4).mean()) - variance**2) / len(values))
    return Measured(sqrt(variance), of_variance / 2 / sqrt(variance))


def _quantile(ordered: Cents64, share: float, total: RoundsTotal) -> Measured:
    """Its error from the exact total: where the shares a standard error away lie, at least a step
    of it."""
    count = len(ordered)
    away = sqrt(share * (1 - share) / count)
    low, high = total.at_most([max(0.0, share - away), min(1.0, share + away)])
    place = min(count - 1, max(0, round(share * count) - 1))
    return Measured(float(ordered[place]), max((high - low) / 2, total.unit))


def _share(is_so: NDArray[np.bool_]) -> Measured:
    """Its error is at least that of one session more or less."""
    share = float(is_so.mean())
    return Measured(share, max(sqrt(share * (1 - share) / len(is_so)), 1 / len(is_so)))
