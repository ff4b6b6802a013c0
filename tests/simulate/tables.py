"""Tables to simulate: the shipped submissions, and small ones with a few wagers."""

from __future__ import annotations

from croupier.exact.strategies import shipped
from croupier.facts.money import Cents
from croupier.games.house import the_house
from croupier.simulate.plan import Mind, Plan, seated
from croupier.submission.check import shipped_submission


def shipped_plan(book_id: str, boxes: int = 1, seed: int = 1, **stakes: int) -> Plan:
    """The shipped table of a rulebook, every box played as well as can be."""
    return plan_with(book_id, (Mind(),) * boxes, seed, **stakes)


def plan_with(book_id: str, minds: tuple[Mind, ...], seed: int = 1, **stakes: int) -> Plan:
    said = shipped_submission(book_id)
    staked = {name: Cents(cents) for name, cents in stakes.items()}
    return seated(said, said.rules(the_house()), staked, minds, seed)


def simple(name: str) -> Mind:
    return Mind(name, shipped()[name])
