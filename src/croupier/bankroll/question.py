"""What is asked about a bankroll and a house: stakes, meters, rounds, and how tables are filled."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents, dollars
from croupier.games.rules import Rules

SHARES = (0.005, 0.01, 0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975, 0.99, 0.995)
DAYS = {"week": 7, "month": 30}
SHIFT = "shift"
MOST_ROUNDS = 1_000_000


@dataclass(frozen=True)
class Floor:
    """So many tables alike: boxes of each, the share of them that is played, rounds an hour, hours
    of a shift and of a day."""

    tables: int = 1
    boxes: int = 1
    occupancy: Fraction = Fraction(1)
    hands_an_hour: int = 40
    hours_a_shift: Fraction = Fraction(8)
    hours_a_day: Fraction = Fraction(16)

    @property
    def boxes_in_play(self) -> Fraction:
        """Of one table."""
        return self.boxes * self.occupancy

    def box_rounds(self, period: str) -> int:
        """How often a box is played in a shift, a week or a month, at all tables."""
        days = DAYS.get(period)
        hours = self.hours_a_shift if days is None else days * self.hours_a_day
        return int(self.tables * hours * self.hands_an_hour * self.boxes_in_play)


@dataclass(frozen=True)
class RiskQuestion:
    """One player at one box, round after round with the same stakes, played at its best.

    ``funded`` is how many Antes a round needs before it can be begun; None: what lies on the table
    before the first card, and the rest is always there. ``risk`` asks for the bankroll that is
    ruined so often. ``trial_rounds`` are dealt beside it by the simulator.
    """

    rules: Rules
    ante_cents: Cents
    stakes: tuple[tuple[str, Cents], ...] = ()
    meters: tuple[tuple[str, Cents], ...] = ()
    rounds: int = 160
    bankroll_cents: Cents | None = None
    goal_cents: Cents | None = None
    funded: int | None = None
    risk: Fraction | None = None
    floor: Floor | None = None
    trial_rounds: int = 0
    seed: int = 1

    @property
    def needed_cents(self) -> Cents:
        """What a round needs before it can be begun."""
        first = (w for w in self.rules.book.wagers if not (w.optional or w.beside or w.paid_on))
        antes = self.funded if self.funded is not None else len([*first])
        return Cents(antes * self.ante_cents + sum(stake for _, stake in self.stakes))


def refuse_question(asked: RiskQuestion) -> None:
    """Whatever can be wrong without anything counted."""
    if not 1 <= asked.rounds <= MOST_ROUNDS:
        raise Unreadable(f"1 to {MOST_ROUNDS:,} rounds can be followed, not {asked.rounds:,}")
    if asked.funded is not None and not 1 <= asked.funded <= 100:
        raise Unreadable(f"a round needs 1 to 100 Antes, not {asked.funded:,}")
    if asked.bankroll_cents is not None and asked.bankroll_cents < asked.needed_cents:
        raise Unreadable(
            f"a bankroll of {dollars(asked.bankroll_cents)} does not begin one round, which needs "
            f"{dollars(asked.needed_cents)}; bring more, or stake less"
        )
    if asked.goal_cents is not None:
        if asked.bankroll_cents is None:
            raise Unreadable("a goal is reached from a bankroll; name it with --bankroll")
        if asked.goal_cents <= asked.bankroll_cents:
            raise Unreadable(
                f"a goal of {dollars(asked.goal_cents)} is reached already with "
                f"{dollars(asked.bankroll_cents)}; name a higher one"
            )
    if asked.risk is not None and not 0 < asked.risk < 1:
        raise Unreadable("a risk lies between 0% and 100%; write it like 5%")
    if asked.floor is not None:
        _refuse_floor(asked.floor)


def _refuse_floor(floor: Floor) -> None:
    for what, number, most in (
        ("tables", floor.tables, 1_000),
        ("boxes at a table", floor.boxes, 12),
        ("hands an hour", floor.hands_an_hour, 10_000),
    ):
        if not 1 <= number <= most:
            raise Unreadable(f"there are 1 to {most:,} {what}, not {number:,}")
    if not 0 < floor.occupancy <= 1:
        raise Unreadable("an occupancy lies above 0% and is at most 100%; write it like 60%")
    if not floor.box_rounds(SHIFT):
        raise Unreadable("no box is played in such a shift; name more hours or a higher occupancy")
