"""What is to be played: the Rules, who sits at which box with what, and the meters.

A plan says everything that decides a result. It is small and can be sent to another machine, where
the same numbers come out of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from croupier.exact.solution_file import rules_digest
from croupier.exact.strategy.strategy_file import Strategy, game_of, read_strategy
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.money import Cents, Micros, dollars, in_micros
from croupier.facts.names import known_name
from croupier.facts.progress import Progress
from croupier.games.registry import the_registry
from croupier.games.round import FinishedBox
from croupier.games.rules import PROGRESSIVE, Rules
from croupier.rulebook.book import Rulebook
from croupier.submission.submission import Submission
from croupier.table.feasibility import check_box

OPTIMAL = "optimal"
MOST_ROUNDS = 100_000_000_000
RATE_WHOLE = 1_000_000


@dataclass(frozen=True)
class PlayerStrategy:
    """How a box is played: by a strategy file, or without one as the solver says.

    The book has the sizes that may be bet; without one they are those of the game.
    """

    name: str = OPTIMAL
    text: str | None = None
    book: Rulebook | None = field(default=None, repr=False)

    @cached_property
    def strategy(self) -> Strategy | None:
        if self.text is None:
            return None
        is_its = self.book and self.book.game == game_of(self.text, self.name, the_registry())
        return read_strategy(self.text, self.name, book=self.book if is_its else None)


class ExactSpread(Protocol):
    """What an Ante is worth with all that must be wagered on it, and how it swings."""

    @property
    def ev(self) -> Fraction: ...

    @property
    def variance(self) -> Fraction: ...


class FirstActions(NamedTuple):
    """What a player does first who knows cards, by what is known up to suits, hole and, where one
    is known, card of the flop.

    Known are cards of the dealer, out of play and of turn and river, in this order of places; the
    arrays are by the code of a hole and by card of the flop, or have one column.
    """

    actions: tuple[str, ...]
    best: Mapping[tuple[tuple[int, ...], ...], NDArray[np.uint8]]


@dataclass(frozen=True)
class KnowingStrategy(PlayerStrategy):
    """A player who knows cards too early and plays perfectly with that.

    So many are known of each place. What is best first, and what it is all worth, is for whoever
    counts it to say: :mod:`croupier.protection.knowing_player`.
    """

    dealer: int = 0
    flop: int = 0
    late: int = 0
    burn: int = 0

    def first_actions(self, rules: Rules) -> FirstActions | None:
        """None where nothing is asked before cards of the board lie there."""
        raise NotImplementedError

    def exact(self, rules: Rules, progress: Progress) -> ExactSpread:
        raise NotImplementedError


@dataclass(frozen=True)
class BoxPlan:
    """One box: its stakes, how it is played, and whose it is."""

    stakes: tuple[tuple[str, Cents], ...]
    mind: PlayerStrategy = PlayerStrategy()
    player: int = 0

    def stake(self, wager: str) -> Cents:
        return dict(self.stakes).get(wager, Cents(0))


@dataclass(frozen=True)
class MeterPlan:
    """Where a meter starts, what it falls back to, what one accepted wager adds, and where it
    stays until it is won."""

    name: str
    initial: Micros
    reset: Micros
    growth: Micros
    limit: Micros | None = field(default=None, repr=False)


@dataclass(frozen=True, eq=False)
class SimulationPlan:
    """Two plans are the same when everything in them that decides a result is."""

    rules: Rules
    seats: tuple[BoxPlan, ...]
    meters: tuple[MeterPlan, ...] = ()
    seed: int = 0

    @cached_property
    def digest(self) -> str:
        limits = {meter.name: meter.limit for meter in self.meters if meter.limit is not None}
        decided = (rules_digest(self.rules), self.seats, self.meters, self.seed)
        said = repr((*decided, limits) if limits else decided)
        return hashlib.sha256(said.encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SimulationPlan) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def minds(self) -> tuple[PlayerStrategy, ...]:
        """The different ways of playing at this table."""
        return tuple(dict.fromkeys(seat.mind for seat in self.seats))

    @property
    def sides(self) -> tuple[str, ...]:
        """The optional wagers some box has made, in the order of the rulebook."""
        return tuple(
            wager.name
            for wager in self.rules.book.wagers
            if wager.optional and any(seat.stake(wager.name) for seat in self.seats)
        )


def seated(
    submission: Submission,
    rules: Rules,
    stakes: dict[str, Cents],
    minds: tuple[PlayerStrategy, ...],
    seed: int,
) -> SimulationPlan:
    """A box for each mind, every wager of the submission made at its minimum unless told."""
    made = _made(submission, rules, stakes)
    refuse_boxes(submission, len(minds))
    if not 0 <= seed < 1 << 64:
        raise Unreadable("a seed is a whole number from 0 to 18,446,744,073,709,551,615")
    seats = tuple(BoxPlan(tuple(made.items()), mind, player) for player, mind in enumerate(minds))
    return SimulationPlan(rules, seats, _meters(submission) if PROGRESSIVE in made else (), seed)


def refuse_boxes(submission: Submission, boxes: int) -> None:
    """Whether the table has so many boxes."""
    if not 1 <= boxes <= submission.boxes:
        raise Unreadable(f"this table has 1 to {submission.boxes} boxes, not {boxes:,}")


def _made(submission: Submission, rules: Rules, asked: dict[str, Cents]) -> dict[str, Cents]:
    """What lies in every box, as the rulebook lets wagers stand beside each other."""
    offered = _least_stakes(submission, rules)
    equal = {
        wager.name: wager.equals
        for wager in rules.book.wagers
        if wager.equals is not None and wager.equals in offered
    }
    for name, cents in asked.items():
        known_name(name, [*offered, *equal], "wager", where="this table")
        if cents and name in offered:
            _refuse_stake(submission, rules, name, cents)
    made = {**offered, **asked}
    made |= {name: made[other] for name, other in equal.items() if name not in asked}
    made = {name: cents for name, cents in made.items() if cents}
    check_box(rules, FinishedBox(1, (), made))
    return {name: cents for name, cents in made.items() if name not in equal}


def _least_stakes(submission: Submission, rules: Rules) -> dict[str, Cents]:
    """By wager a player chooses the size of: the least of the table."""
    stakes: dict[str, Cents] = {}
    for wager in rules.book.wagers:
        limit = submission.limit(wager.name)
        if wager.name == PROGRESSIVE and rules.progressive is not None:
            stakes[wager.name] = rules.progressive.stake_cents
        elif limit is not None and rules.offers(wager.name) and wager.equals is None:
            stakes[wager.name] = limit.minimum_cents
    return stakes


def _refuse_stake(submission: Submission, rules: Rules, name: str, cents: Cents) -> None:
    """Stakes are those a player of this table may make: within its posted limits."""
    wager, limit, terms = rules.book.wager(name), submission.limit(name), rules.progressive
    if name == PROGRESSIVE and terms is not None:
        if cents != terms.stake_cents:
            raise Refusal(
                f"{wager.title}: it is {dollars(terms.stake_cents)} at this table, "
                f"not {dollars(cents)}",
                rules.book.cite(wager.clause),
            )
    elif limit is not None and not limit.allows(cents):
        raise Refusal(
            f"{wager.title}: {dollars(cents)} is not within this table's limits, {limit}",
            rules.book.cite(wager.clause),
        )


def _meters(submission: Submission) -> tuple[MeterPlan, ...]:
    offer = submission.progressive
    if offer is None:
        return ()
    stake = in_micros(offer.stake_cents)
    return tuple(
        MeterPlan(
            meter.name,
            in_micros(meter.initial_cents),
            in_micros(meter.reset_cents),
            Micros(stake * meter.rate_ppm // RATE_WHOLE),
            in_micros(meter.limit_cents) if meter.limit_cents is not None else None,
        )
        for meter in offer.meters
    )
