"""The same rounds told as sessions of a player and as days of the house.

The rounds of a run are taken one after the other: the first session is the first rounds, the second
those after them. Awards are those of the run's own meters, so they must be known before; each round
is dealt again from its number, and nothing but the results is kept.

Hold is what the house keeps of the money that came: of the handle, everything that was wagered, or
of the drop, what players bought to play with. The cards decide the first; the second is known where
every player buys in once a session for a known bankroll.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.exact.kernels.compiled import in_chunks, threads_to_use
from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents, dollars
from croupier.facts.progress import ShareDone
from croupier.simulate.kernels.bankrolls import add_awards, follow_sessions
from croupier.simulate.meters import Award, award_columns
from croupier.simulate.plan import SimulationPlan
from croupier.simulate.rounds import SHARD, nets_and_actions
from croupier.simulate.staked_rules import wagered_cents

BANDS = (1, 5, 25, 50, 75, 95, 99)
DAYS = {"day": 1, "week": 7, "month": 30}
MOST_IN_ONE = 1 << 22  # rounds of one session or day: what one worker keeps in sight
MOST_KEPT = 50_000_000  # sessions, or days, times boxes: what memory holds of a run
WHOLE = 1_000_000  # shares are kept in millionths


@dataclass(frozen=True)
class SessionPace:
    """How rounds become sessions and days."""

    hours: Fraction
    hands_an_hour: int
    hours_a_day: Fraction
    bankroll: Cents | None = None

    @property
    def session(self) -> int:
        return int(self.hours * self.hands_an_hour)

    @property
    def day(self) -> int:
        return int(self.hours_a_day * self.hands_an_hour)


@dataclass(frozen=True)
class Band:
    """How results spread: in so many percent of all cases the result is at most so much."""

    count: int
    mean: float
    at_most: tuple[tuple[int, int], ...]
    least: int
    most: int


Bands = tuple[tuple[str, Band], ...]  # by day, week and month, as far as the rounds reach


@dataclass(frozen=True)
class BoxSessions:
    """How the sessions of one box ended; risk and its rounds only where there is a bankroll."""

    box: int
    result_cents: Band
    won: int
    drought: Band
    ruined: int | None
    ruined_at: Band | None


@dataclass(frozen=True, eq=False)
class Sessions:
    rounds: int
    count: int
    bankroll_cents: Cents | None
    boxes: tuple[BoxSessions, ...]
    wins_cents: NDArray[np.int64]  # by session: what all boxes together lost


@dataclass(frozen=True)
class HouseDays:
    """What the table won by day, week and month, and what share of the money it held."""

    rounds_a_day: int
    win_cents: Bands
    hold: Bands  # millionths of the handle
    drop_hold: Bands = ()  # millionths of the drop, where a bankroll says what was bought


def band(values: Sequence[int] | NDArray[np.int64]) -> Band | None:
    """Order statistics of whole numbers; None of nothing."""
    ordered = np.sort(np.asarray(values, dtype=np.int64))
    if not len(ordered):
        return None
    places = [max(0, -(-percent * len(ordered) // 100) - 1) for percent in BANDS]
    at_most = tuple((p, int(ordered[place])) for p, place in zip(BANDS, places, strict=True))
    mean = sum(ordered.tolist()) / len(ordered)
    return Band(len(ordered), mean, at_most, int(ordered[0]), int(ordered[-1]))


def refuse_pace(plan: SimulationPlan, rounds: int, pace: SessionPace) -> None:
    """Whether this run can be told as sessions and days; asked before anything is dealt."""
    for what, length in (("session", pace.session), ("day", pace.day)):
        if not 1 <= length <= MOST_IN_ONE:
            raise Unreadable(f"a {what} has 1 to {MOST_IN_ONE:,} rounds, not {length:,}")
        if rounds // length * len(plan.seats) > MOST_KEPT:
            count = f"{rounds // length:,} {what}s of {length:,} rounds"
            raise Unreadable(
                f"{count} are too many to be kept; play fewer rounds, or longer {what}s"
            )
    if rounds < pace.session:
        raise Unreadable(
            f"{rounds:,} rounds are not one session of {pace.session:,}; play more rounds"
        )
    needed = max(most_at_risk(plan, box) for box in range(len(plan.seats)))
    if pace.bankroll is not None and pace.bankroll < needed:
        raise Unreadable(
            f"a bankroll of {dollars(pace.bankroll)} does not cover one round, which may take "
            f"{dollars(needed)}; bring more, or stake less"
        )


def sessions(
    plan: SimulationPlan,
    rounds: int,
    length: int,
    bankroll: Cents | None,
    awards: list[Award],
    workers: int | None = None,
    progress: ShareDone = lambda done: None,
) -> Sessions:
    """Every whole session of so many rounds that fits into the run."""
    count = rounds // length
    ends = np.zeros((count, len(plan.seats), 3), dtype=np.int64)
    needed = np.array([most_at_risk(plan, box) for box in range(len(plan.seats))])
    start = -1 if bankroll is None else bankroll

    def follow(nets: NDArray[np.int64], _: NDArray[np.uint8], first: int, last: int) -> None:
        follow_sessions(nets, length, start, needed, ends[first:last])

    _over(plan, length, count, awards, follow, workers, progress)
    boxes = (_box(ends[:, box], box, bankroll) for box in range(len(needed)))
    return Sessions(length, count, bankroll, tuple(boxes), -ends[:, :, 0].sum(axis=1))


def house_days(
    plan: SimulationPlan,
    rounds: int,
    length: int,
    awards: list[Award],
    workers: int | None = None,
    progress: ShareDone = lambda done: None,
) -> HouseDays:
    """What the table won, and held of the handle, on every whole day that fits into the run."""
    count = rounds // length
    wins, handles = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    wagered, seats = wagered_cents(plan), np.arange(len(plan.seats))

    def follow(nets: NDArray[np.int64], actions: NDArray[np.uint8], first: int, last: int) -> None:
        wins[first:last] = -nets.reshape(last - first, -1).sum(axis=1)
        handles[first:last] = wagered[seats, actions].reshape(last - first, -1).sum(axis=1)

    _over(plan, length, count, awards, follow, workers, progress)
    won, held = list[tuple[str, Band]](), list[tuple[str, Band]]()
    for name, days in DAYS.items():
        whole = count // days
        win, handle = _sums(wins, days, whole), _sums(handles, days, whole)
        won += _named(name, win)
        held += _named(name, _shares(win, handle))
    return HouseDays(length, tuple(won), tuple(held))


def drop_hold(found: Sessions, rounds_a_day: int) -> Bands:
    """What the house held of the drop, where each box buys in once for every session."""
    if found.bankroll_cents is None:
        return ()
    bands = list[tuple[str, Band]]()
    for name, days in DAYS.items():
        if each := days * rounds_a_day // found.rounds:
            win = _sums(found.wins_cents, each, found.count // each)
            drop = each * len(found.boxes) * found.bankroll_cents
            bands += _named(name, _shares(win, np.full(len(win), drop)))
    return tuple(bands)


def _named(name: str, values: NDArray[np.int64]) -> Iterator[tuple[str, Band]]:
    if found := band(values):
        yield name, found


def _sums(values: NDArray[np.int64], each: int, whole: int) -> NDArray[np.int64]:
    return np.asarray(values[: whole * each].reshape(whole, each).sum(axis=1))


def _shares(parts: NDArray[np.int64], wholes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Millionths, rounded down; Python's integers, for a product may need more than 64 bits."""
    pairs = zip(parts.tolist(), wholes.tolist(), strict=True)
    return np.array([part * WHOLE // whole for part, whole in pairs], dtype=np.int64)


def most_at_risk(plan: SimulationPlan, box: int) -> int:
    """The most one round can take from a box: its first wagers and the largest Play."""
    return int(wagered_cents(plan)[box].max())


def _over(
    plan: SimulationPlan,
    length: int,
    count: int,
    awards: list[Award],
    follow: Callable[[NDArray[np.int64], NDArray[np.uint8], int, int], None],
    workers: int | None,
    progress: ShareDone,
) -> None:
    """Show every span of so many rounds to ``follow``, some at a time, awards added."""
    paid = award_columns(awards)

    def work(_: None, first: int, last: int) -> None:
        begin = first * length
        nets, actions = nets_and_actions(plan, begin, (last - first) * length)
        add_awards(nets, begin, paid, int(np.searchsorted(paid[:, 0], begin)))
        follow(nets, actions, first, last)

    crew: list[None] = [None] * threads_to_use(workers)
    in_chunks(work, crew, count, max(1, SHARD // length), progress)


def _box(ends: NDArray[np.int64], box: int, bankroll: Cents | None) -> BoxSessions:
    result, drought = band(ends[:, 0]), band(ends[:, 2])
    assert result is not None and drought is not None, "there is at least one session"
    ruined = ends[ends[:, 1] >= 0, 1]
    won = int(np.count_nonzero(ends[:, 0] > 0))
    risk = len(ruined) if bankroll is not None else None
    return BoxSessions(box + 1, result, won, drought, risk, band(ruined))
