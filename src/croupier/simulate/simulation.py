"""One simulation from plan to answer: play, pay the meters, follow sessions, compare.

A :class:`Simulation` holds whole numbers and fractions; :mod:`croupier.simulate.report` is what
``croupier simulate --json`` prints of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from croupier.exact.base_game import BaseGame
from croupier.exact.solution import Solution
from croupier.exact.solution_cache import solved
from croupier.exact.strategy.strategies import evaluate
from croupier.extras import KERNELS, require
from croupier.facts.progress import Progress
from croupier.games.rules import PROGRESSIVE
from croupier.simulate.decision_tables import refuse_other_games
from croupier.simulate.figures import BoxFigures, Spread, exact_side, figures_of, table_net
from croupier.simulate.meters import Award, MeterStory, awards_of, stories
from croupier.simulate.plan import ExactSpread, KnowingStrategy, SimulationPlan
from croupier.simulate.rounds import ShardResult, play, prepared, refuse_game, refuse_rounds
from croupier.simulate.sessions import HouseDays, SessionPace, Sessions, drop_hold, refuse_pace
from croupier.simulate.sessions import house_days as days_of
from croupier.simulate.sessions import sessions as sessions_of

Player = Callable[[SimulationPlan, int, Callable[[float], None]], ShardResult]


@dataclass(frozen=True)
class Simulation:
    """Everything a run says."""

    plan: SimulationPlan
    rounds: int
    boxes: tuple[BoxFigures, ...]
    table: Spread
    meters: tuple[MeterStory, ...]
    sessions: Sessions | None = None
    house: HouseDays | None = None

    @property
    def handle_cents(self) -> Fraction:
        """What all boxes wager in a round, on average."""
        return sum((box.staked_cents for box in self.boxes), Fraction(0))


def simulate(
    plan: SimulationPlan,
    rounds: int,
    pace: SessionPace | None = None,
    workers: int | None = None,
    progress: Progress = lambda what, done: None,
    player: Player | None = None,
) -> Simulation:
    """Play a plan and say what came of it; ``player`` plays the rounds somewhere else."""
    refuse_run(plan, rounds, pace)
    solution = solved(plan.rules, progress)
    bases = [_exact_base(plan, mind, solution.base, progress) for mind in range(len(plan.minds))]
    progress("getting strategies ready", 0.0)
    prepared(plan)

    def dealing(done: float) -> None:
        progress("dealing", done)

    if player is not None:
        played = player(plan, rounds, dealing)
    else:
        played = play(plan, rounds, workers, dealing)
    awards = awards_of(plan, played)
    boxes = figures_of(plan, played, awards, solution, bases)
    return Simulation(
        plan,
        rounds,
        boxes,
        table_net(played, awards, boxes),
        tuple(stories(plan, rounds, awards, _chances(plan, solution))),
        *_followed(plan, rounds, pace, awards, workers, progress),
    )


def refuse_run(plan: SimulationPlan, rounds: int, pace: SessionPace | None) -> None:
    """Everything that can be known to be wrong before a card is dealt."""
    refuse_game(plan)
    refuse_rounds(rounds)
    for mind in plan.minds:
        if mind.strategy is not None:
            refuse_other_games(plan.rules, mind.strategy)
    if pace is not None:
        refuse_pace(plan, rounds, pace)
    require(KERNELS)


def _chances(plan: SimulationPlan, solution: Solution) -> dict[int, Fraction]:
    """By line of the Progressive: the chance of one wager to hit it."""
    if PROGRESSIVE not in plan.sides or plan.rules.progressive is None:
        return {}
    stake = plan.rules.progressive.stake_cents
    endings = exact_side(plan, solution, PROGRESSIVE, stake).endings
    return dict(enumerate(map(endings.chance, endings.endings)))


def _exact_base(
    plan: SimulationPlan, mind: int, optimum: BaseGame, progress: Progress
) -> ExactSpread:
    player = plan.minds[mind]
    if isinstance(player, KnowingStrategy):
        return player.exact(plan.rules, progress)
    strategy = player.strategy
    return optimum if strategy is None else evaluate(plan.rules, strategy, progress)


def _followed(
    plan: SimulationPlan,
    rounds: int,
    pace: SessionPace | None,
    awards: list[Award],
    workers: int | None,
    progress: Progress,
) -> tuple[Sessions | None, HouseDays | None]:
    if pace is None:
        return None, None
    sessions = sessions_of(
        plan, rounds, pace.session, pace.bankroll, awards, workers,
        lambda done: progress("following sessions", done),
    )  # fmt: skip
    house = days_of(
        plan, rounds, pace.day, awards, workers, lambda done: progress("counting days", done)
    )
    return sessions, replace(house, drop_hold=drop_hold(sessions, pace.day))
