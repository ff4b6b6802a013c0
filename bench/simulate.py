"""How many whole rounds the simulator plays a second, beside a Python loop over our settlement.

The loop deals from a shuffled deck, plays and settles round by round, in one process, like any
program written without kernels; it decides at random, which flatters it. Both are measured by
processor time, so that a busy machine does not blur the ratio.

    python -m bench.simulate --rounds 20000000
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator

import croupier
from bench.processor import cpu_s
from bench.report import Row, as_program
from croupier.facts.cards import DECK
from croupier.games.round import FinishedBox, FinishedRound
from croupier.simulate.plan import PlayerStrategy, SimulationPlan, seated
from croupier.simulate.rounds import play
from croupier.simulate.staked_rules import actions_of, base_stakes

ROUNDS = 5_000_000
PLAIN_ROUNDS = 1_500
BOOKS = {"uth": "UTH-S", "four-card": "FCP-14"}


def table_of(game: str, boxes: int) -> SimulationPlan:
    """The shipped table with every wager made in every box."""
    said = croupier.shipped_submission(BOOKS[game])
    return seated(said, said.rules(croupier.the_registry()), {}, (PlayerStrategy(),) * boxes, 1)


def plain_rounds_a_second(plan: SimulationPlan) -> float:
    """A loop over the one settlement function: deal, decide at random, settle."""
    chance, rules, seat = random.Random(1), plan.rules, plan.seats[0]
    multiples = [multiple for _, multiple in actions_of(rules)]
    sides = {name: seat.stake(name) for name in plan.sides}
    places = {place.name: place.cards for place in rules.book.places}
    meters = {meter.name: meter.initial for meter in plan.meters}
    began = time.process_time()
    for _ in range(PLAIN_ROUNDS):
        deck = iter(chance.sample(DECK, sum(places.values())))
        lies = {name: tuple(next(deck) for _ in range(count)) for name, count in places.items()}
        stakes = base_stakes(rules, seat, chance.choice(multiples)) | sides
        croupier.settle(
            FinishedRound(rules, lies, (FinishedBox(1, lies.pop("box"), stakes),), meters)
        )
    return PLAIN_ROUNDS / (time.process_time() - began)


def rows(rounds: int = ROUNDS) -> Iterator[Row]:
    cores = min(2, os.cpu_count() or 1)
    for game in BOOKS:
        plain = plain_rounds_a_second(table_of(game, 1))
        one = _rounds_a_second(table_of(game, 1), rounds, cores)
        six = _rounds_a_second(table_of(game, 6), rounds // 5, cores)
        what, on = f"simulate {game}, every wager, best play", f"{cores} cores"
        beside = f"rounds of a Python loop over settlement on one core ({plain:,.0f} a second)"
        yield Row(f"{what}, one box, {on}", _millions(one), one / plain, beside)
        yield Row(f"{what}, six boxes, {on}", _millions(six), six / one, "rounds with one box")


def _rounds_a_second(plan: SimulationPlan, rounds: int, cores: int) -> float:
    play(plan, 1_000, workers=1)  # compiles
    return cores * rounds / cpu_s(lambda: play(plan, rounds, workers=cores))


def _millions(a_second: float) -> str:
    return f"{a_second / 1e6:.2f} million rounds a second"


if __name__ == "__main__":
    as_program(rows)
