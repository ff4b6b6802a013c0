"""One simulation from plan to answer: play, pay the meters, follow sessions, compare.

A :class:`Simulation` holds whole numbers and fractions; :meth:`Simulation.document` is what
``croupier simulate --json`` prints.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from croupier.exact.base import BaseGame
from croupier.exact.kept import solved
from croupier.exact.solution import Solution
from croupier.exact.solve import Progress
from croupier.exact.strategies import evaluate
from croupier.facts.money import Cents, dollars, meter_dollars
from croupier.simulate.felt import PROGRESSIVE
from croupier.simulate.figures import (
    BoxFigures,
    Figure,
    Spread,
    exact_side,
    figures_of,
    table_net,
)
from croupier.simulate.meters import Award, MeterStory, awards_of, stories
from croupier.simulate.plan import Plan
from croupier.simulate.rounds import Played, play, prepared
from croupier.simulate.sessions import Band, BoxSessions, HouseDays, Sessions, band
from croupier.simulate.sessions import house_days as days_of
from croupier.simulate.sessions import sessions as sessions_of

Player = Callable[[Plan, int, Callable[[float], None]], Played]


@dataclass(frozen=True)
class Pace:
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
class Simulation:
    """Everything a run says."""

    plan: Plan
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

    def document(self) -> dict[str, Any]:
        rules = self.plan.rules
        return {
            "game": rules.game.id,
            "rulebook": rules.book.id,
            "paytables": dict(rules.letters),
            "rounds": self.rounds,
            "seed": self.plan.seed,
            "boxes": [_box_document(box) for box in self.boxes],
            "table": {
                **_spread_document(self.table),
                "handle_cents": float(self.handle_cents),
                "theoretical_win": float(-self.table.mean_cents / self.handle_cents),
            },
            "meters": {story.meter.name: _meter_document(story) for story in self.meters},
            **({"sessions": _sessions_document(self.sessions)} if self.sessions else {}),
            **({"house": _house_document(self.house)} if self.house else {}),
        }


def simulate(
    plan: Plan,
    rounds: int,
    pace: Pace | None = None,
    workers: int | None = None,
    progress: Progress = lambda what, done: None,
    player: Player | None = None,
) -> Simulation:
    """Play a plan and say what came of it; ``player`` plays the rounds somewhere else."""
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
    return Simulation(
        plan,
        rounds,
        figures_of(plan, played, awards, solution, bases),
        table_net(plan, played, awards),
        tuple(stories(plan, rounds, awards, _chances(plan, solution))),
        *_followed(plan, rounds, pace, awards, workers, progress),
    )


def _chances(plan: Plan, solution: Solution) -> dict[int, Fraction]:
    """By line of the Progressive: the chance of one wager to hit it."""
    if PROGRESSIVE not in plan.sides or plan.rules.progressive is None:
        return {}
    stake = plan.rules.progressive.stake_cents
    endings = exact_side(plan, solution, PROGRESSIVE, stake).endings
    return dict(enumerate(map(endings.chance, endings.endings)))


def _exact_base(plan: Plan, mind: int, optimum: BaseGame, progress: Progress) -> BaseGame:
    strategy = plan.minds[mind].strategy
    return optimum if strategy is None else evaluate(plan.rules, strategy, progress)


def _followed(
    plan: Plan,
    rounds: int,
    pace: Pace | None,
    awards: list[Award],
    workers: int | None,
    progress: Progress,
) -> tuple[Sessions | None, HouseDays | None]:
    if pace is None:
        return None, None
    bankroll = pace.bankroll
    return (
        sessions_of(
            plan, rounds, pace.session, bankroll, awards, workers,
            lambda done: progress("following sessions", done),
        ),
        days_of(
            plan, rounds, pace.day, awards, workers, lambda done: progress("counting days", done)
        ),
    )  # fmt: skip


# As a document


def _box_document(box: BoxFigures) -> dict[str, Any]:
    return {
        "box": box.box,
        "strategy": box.strategy,
        "actions": {name: float(share) for name, share in box.actions},
        "wagers": [_figure_document(figure) for figure in box.figures],
        **({"base_with_six_card_bonus": _spread_document(box.with_six)} if box.with_six else {}),
        "net": _spread_document(box.net),
        "staked_cents": float(box.staked_cents),
    }


def _figure_document(figure: Figure) -> dict[str, Any]:
    hits, exact_hits = figure.hit_frequency, figure.exact_hit_frequency
    return {
        "wager": figure.wager,
        "paytable": figure.paytable,
        "note": figure.note,
        "stake": dollars(figure.stake_cents),
        "mean": float(figure.mean),
        "mean_exact": str(figure.mean),
        "standard_error": figure.standard_error,
        "standard_deviation": figure.standard_deviation,
        "exact": float(figure.exact) if figure.exact is not None else None,
        "z": figure.z,
        "hit_frequency": float(hits) if hits is not None else None,
        "exact_hit_frequency": float(exact_hits) if exact_hits is not None else None,
        "outcomes": {
            hit.name: {
                "times": hit.times,
                "chance": float(hit.chance) if hit.chance is not None else None,
            }
            for hit in figure.hits
        },
    }


def _spread_document(spread: Spread) -> dict[str, Any]:
    document: dict[str, Any] = {
        "mean_cents": float(spread.mean_cents),
        "standard_error": spread.standard_error,
        "standard_deviation": spread.standard_deviation,
    }
    if spread.deviation_error is not None:
        document["standard_deviation_error"] = spread.deviation_error
    return document


def _meter_document(story: MeterStory) -> dict[str, Any]:
    return {
        "initial": meter_dollars(story.meter.initial),
        "reset": meter_dollars(story.meter.reset),
        "awards": len(story.awards),
        "paid_cents": sum(award.paid_cents for award in story.awards),
        "last": meter_dollars(story.last),
        "reserve_cents": story.reserve_cents,
        "jackpot_cents": _band_document(band(story.jackpots_cents)),
        "rounds_between": _band_document(band(story.rounds_between)),
    }


def _band_document(found: Band | None) -> dict[str, Any] | None:
    if found is None:
        return None
    at_most = {f"{percent}%": value for percent, value in found.at_most}
    ends = {"least": found.least, "most": found.most}
    return {"count": found.count, "mean": found.mean, "at_most": at_most, **ends}


def _sessions_document(sessions: Sessions) -> dict[str, Any]:
    return {
        "rounds": sessions.rounds,
        "count": sessions.count,
        "bankroll_cents": sessions.bankroll_cents,
        "boxes": [_session_document(box, sessions.count) for box in sessions.boxes],
    }


def _session_document(box: BoxSessions, count: int) -> dict[str, Any]:
    document: dict[str, Any] = {
        "box": box.box,
        "result_cents": _band_document(box.result_cents),
        "won": box.won / count,
        "longest_drought": _band_document(box.drought),
    }
    if box.ruined is not None:
        document["risk_of_ruin"] = box.ruined / count
        document["ruined_after_rounds"] = _band_document(box.ruined_at)
    return document


def _house_document(house: HouseDays) -> dict[str, Any]:
    return {
        "rounds_a_day": house.rounds_a_day,
        "win_cents": {name: _band_document(found) for name, found in house.bands},
    }
