"""The same rounds told as sessions of a player and as days of the house.

The rounds of a run are taken one after the other: the first session is the first rounds, the second
those after them. Awards are those of the run's own meters, so they must be known before; each round
is dealt again from its number, and nothing but the results is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from croupier.exact.kernels.compiled import in_chunks, threads_to_use
from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents
from croupier.simulate.felt import base_stakes, sight_of
from croupier.simulate.kernels.chance import new_hand, new_shoe
from croupier.simulate.kernels.following import add_awards, add_days, follow_sessions
from croupier.simulate.meters import Award, award_columns
from croupier.simulate.plan import Plan
from croupier.simulate.rounds import HANDFUL, SHARD, prepared

BANDS = (1, 5, 25, 50, 75, 95, 99)
DAYS = {"day": 1, "week": 7, "month": 30}
MOST_IN_ONE = 1 << 22  # rounds of one session or day: what one worker keeps in sight
Tell = Callable[[float], None]


@dataclass(frozen=True)
class Band:
    """How results spread: in so many percent of all cases the result is at most so much."""

    count: int
    mean: float
    at_most: tuple[tuple[int, int], ...]
    least: int
    most: int


@dataclass(frozen=True)
class BoxSessions:
    """How the sessions of one box ended; risk and its rounds only where there is a bankroll."""

    box: int
    result_cents: Band
    won: int
    drought: Band
    ruined: int | None
    ruined_at: Band | None


@dataclass(frozen=True)
class Sessions:
    rounds: int
    count: int
    bankroll_cents: Cents | None
    boxes: tuple[BoxSessions, ...]


@dataclass(frozen=True)
class HouseDays:
    """What the table won by day, week and month."""

    rounds_a_day: int
    bands: tuple[tuple[str, Band], ...]


def band(values: Sequence[int] | NDArray[np.int64]) -> Band | None:
    """Order statistics of whole numbers; None of nothing."""
    ordered = np.sort(np.asarray(values, dtype=np.int64))
    if not len(ordered):
        return None
    places = [max(0, -(-percent * len(ordered) // 100) - 1) for percent in BANDS]
    at_most = tuple((p, int(ordered[place])) for p, place in zip(BANDS, places, strict=True))
    mean = sum(ordered.tolist()) / len(ordered)
    return Band(len(ordered), mean, at_most, int(ordered[0]), int(ordered[-1]))


def sessions(
    plan: Plan,
    rounds: int,
    length: int,
    bankroll: Cents | None,
    awards: list[Award],
    workers: int | None = None,
    progress: Tell = lambda done: None,
) -> Sessions:
    """Every whole session of so many rounds that fits into the run."""
    count = _how_many(rounds, length, "session")
    ends = np.zeros((count, len(plan.seats), 3), dtype=np.int64)
    needed = np.array([most_at_risk(plan, box) for box in range(len(plan.seats))])
    start = -1 if bankroll is None else bankroll

    def follow(nets: NDArray[np.int64], first: int, last: int) -> None:
        follow_sessions(nets, length, start, needed, ends[first:last])

    _over(plan, length, count, awards, follow, workers, progress)
    boxes = (_box(ends[:, box], box, bankroll) for box in range(len(needed)))
    return Sessions(length, count, bankroll, tuple(boxes))


def house_days(
    plan: Plan,
    rounds: int,
    length: int,
    awards: list[Award],
    workers: int | None = None,
    progress: Tell = lambda done: None,
) -> HouseDays:
    """What the table won on every whole day of so many rounds that fits into the run."""
    wins = np.zeros(_how_many(rounds, length, "day"), dtype=np.int64)

    def follow(nets: NDArray[np.int64], first: int, last: int) -> None:
        add_days(nets, length, wins[first:last])

    _over(plan, length, len(wins), awards, follow, workers, progress)
    bands = []
    for name, days in DAYS.items():
        whole = len(wins) // days
        if found := band(wins[: whole * days].reshape(whole, days).sum(axis=1)):
            bands.append((name, found))
    return HouseDays(length, tuple(bands))


def most_at_risk(plan: Plan, box: int) -> int:
    """The most one round can take from a box: its first wagers and the largest Play."""
    seat = plan.seats[box]
    multiples = (multiple for _, multiple in sight_of(plan.rules).actions)
    base = max(sum(base_stakes(plan.rules, seat, multiple).values()) for multiple in multiples)
    return base + sum(seat.stake(name) for name in plan.sides)


def _how_many(rounds: int, length: int, what: str) -> int:
    if not 1 <= length <= MOST_IN_ONE:
        raise Unreadable(f"a {what} has 1 to {MOST_IN_ONE:,} rounds, not {length:,}")
    if rounds < length:
        raise Unreadable(f"{rounds:,} rounds are not one {what} of {length:,}; play more rounds")
    return rounds // length


def _over(
    plan: Plan,
    length: int,
    count: int,
    awards: list[Award],
    follow: Callable[[NDArray[np.int64], int, int], None],
    workers: int | None,
    progress: Tell,
) -> None:
    """Show every span of so many rounds to ``follow``, some at a time, awards added."""
    table, paid = prepared(plan), award_columns(awards)
    seed, boxes = np.uint64(plan.seed), len(plan.seats)

    def work(_: None, first: int, last: int) -> None:
        nets = np.zeros(((last - first) * length, boxes), dtype=np.int64)
        begin = first * length
        table.game.net_rounds(
            seed, begin, table.felt, table.minds, table.hands,
            new_shoe(), new_hand(HANDFUL, boxes), table.new_seen(), nets,
        )  # fmt: skip
        add_awards(nets, begin, paid, int(np.searchsorted(paid[:, 0], begin)))
        follow(nets, first, last)

    crew: list[None] = [None] * threads_to_use(workers)
    in_chunks(work, crew, count, max(1, SHARD // length), progress)


def _box(ends: NDArray[np.int64], box: int, bankroll: Cents | None) -> BoxSessions:
    result, drought = band(ends[:, 0]), band(ends[:, 2])
    assert result is not None and drought is not None, "there is at least one session"
    ruined = ends[ends[:, 1] >= 0, 1]
    won = int(np.count_nonzero(ends[:, 0] > 0))
    risk = len(ruined) if bankroll is not None else None
    return BoxSessions(box + 1, result, won, drought, risk, band(ruined))
