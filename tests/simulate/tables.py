"""Tables to simulate: the shipped submissions, and small ones with a few wagers."""

from __future__ import annotations

from croupier.exact.strategy.strategy_file import shipped
from croupier.facts.money import Cents
from croupier.games.registry import the_registry
from croupier.simulate.plan import PlayerStrategy, SimulationPlan, seated
from croupier.submission.check import shipped_submission


def shipped_plan(book_id: str, boxes: int = 1, seed: int = 1, **stakes: int) -> SimulationPlan:
    """The shipped table of a rulebook, every box played as well as can be."""
    return plan_with(book_id, (PlayerStrategy(),) * boxes, seed, **stakes)


def plan_with(
    book_id: str, minds: tuple[PlayerStrategy, ...], seed: int = 1, **stakes: int
) -> SimulationPlan:
    said = shipped_submission(book_id)
    staked = {name: Cents(cents) for name, cents in stakes.items()}
    return seated(said, said.rules(the_registry()), staked, minds, seed)


def simple(name: str) -> PlayerStrategy:
    return PlayerStrategy(name, shipped()[name])
