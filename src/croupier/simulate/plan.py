"""What is to be played: the Rules, who sits at which box with what, and the meters.

A plan says everything that decides a result. It is small and can be sent to another machine, where
the same numbers come out of it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from croupier.exact.kept import rules_digest
from croupier.exact.strategies import Strategy, read_strategy
from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents, Micros, dollars, in_micros
from croupier.games.rules import Rules
from croupier.submission.submission import Submission

OPTIMAL = "optimal"
MOST_ROUNDS = 100_000_000_000
RATE_WHOLE = 1_000_000


@dataclass(frozen=True)
class Mind:
    """How a box is played: by a strategy file, or without one as the solver says."""

    name: str = OPTIMAL
    text: str | None = None

    @cached_property
    def strategy(self) -> Strategy | None:
        return read_strategy(self.text, self.name) if self.text is not None else None


@dataclass(frozen=True)
class Seat:
    """One box: its stakes, how it is played, and whose it is."""

    stakes: tuple[tuple[str, Cents], ...]
    mind: Mind = Mind()
    player: int = 0

    def stake(self, wager: str) -> Cents:
        return dict(self.stakes).get(wager, Cents(0))


@dataclass(frozen=True)
class Meter:
    """Where a meter starts, what it falls back to, and what one accepted wager adds."""

    name: str
    initial: Micros
    reset: Micros
    growth: Micros


@dataclass(frozen=True, eq=False)
class Plan:
    """Two plans are the same when everything in them that decides a result is."""

    rules: Rules
    seats: tuple[Seat, ...]
    meters: tuple[Meter, ...] = ()
    seed: int = 0

    @cached_property
    def digest(self) -> str:
        said = repr((rules_digest(self.rules), self.seats, self.meters, self.seed))
        return hashlib.sha256(said.encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def minds(self) -> tuple[Mind, ...]:
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
    minds: tuple[Mind, ...],
    seed: int,
) -> Plan:
    """A box for each mind, every wager of the submission made at its minimum unless told."""
    offered = _least_stakes(submission, rules)
    for wager in stakes:
        if wager not in offered:
            known = ", ".join(offered)
            raise Unreadable(f"nothing can be staked on {wager}; this table offers {known}")
    made = {**offered, **stakes}
    _refuse_stakes(rules, made)
    boxes = rules.book.table.boxes.count
    if not 1 <= len(minds) <= boxes:
        raise Unreadable(f"this game has 1 to {boxes} boxes, not {len(minds)}")
    if not 0 <= seed < 1 << 64:
        raise Unreadable("a seed is a whole number from 0 to 18,446,744,073,709,551,615")
    staked = tuple((name, cents) for name, cents in made.items() if cents)
    seats = tuple(Seat(staked, mind, player) for player, mind in enumerate(minds))
    return Plan(rules, seats, _meters(submission) if made.get("progressive") else (), seed)


def _least_stakes(submission: Submission, rules: Rules) -> dict[str, Cents]:
    """By wager a player chooses the size of: the least of the table."""
    stakes: dict[str, Cents] = {}
    for wager in rules.book.wagers:
        limit = submission.limit(wager.name)
        if wager.name == "progressive" and rules.progressive is not None:
            stakes[wager.name] = rules.progressive.stake_cents
        elif limit is not None and rules.offers(wager.name):
            stakes[wager.name] = limit.minimum_cents
    return stakes


def _refuse_stakes(rules: Rules, stakes: dict[str, Cents]) -> None:
    """Which wagers may stand beside each other the rulebook says; the Progressive has one size."""
    for name, cents in stakes.items():
        wager = rules.book.wager(name)
        missing = [need for need in wager.needs if not stakes.get(need, 1)]
        if cents and missing:
            raise Unreadable(f"{wager.title} needs {' and '.join(missing)}: stake that too")
        if cents and wager.needs_any and not any(stakes.get(need) for need in wager.needs_any):
            raise Unreadable(f"{wager.title} needs {' or '.join(wager.needs_any)} beside it")
    opening = rules.book.opening
    needed = [name for name in opening.all_of if not stakes.get(name, 1)]
    if needed or (opening.any_of and not any(stakes.get(name) for name in opening.any_of)):
        needs = " and ".join(opening.all_of) or " or ".join(opening.any_of)
        raise Unreadable(f"a box without stakes is not in the round; it needs {needs}")
    terms, stake = rules.progressive, stakes.get("progressive")
    if terms is not None and stake and stake != terms.stake_cents:
        raise Unreadable(f"the Progressive wager of this table is {dollars(terms.stake_cents)}")


def _meters(submission: Submission) -> tuple[Meter, ...]:
    offer = submission.progressive
    if offer is None:
        return ()
    stake = in_micros(offer.stake_cents)
    return tuple(
        Meter(
            meter.name,
            in_micros(meter.initial_cents),
            in_micros(meter.reset_cents),
            Micros(stake * meter.rate_ppm // RATE_WHOLE),
        )
        for meter in offer.meters
    )
