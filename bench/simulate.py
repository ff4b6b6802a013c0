"""How many whole rounds the simulator plays a second, beside a Python loop over our settlement.

The loop deals from a shuffled deck, plays and settles round by round, in one process, like any
program written without kernels; it decides at random, which flatters it. Both are measured by
processor time, so that a busy machine does not blur the ratio; the clock is told beside. For the
fastest open simulator of Ultimate Texas Hold'em about 33 thousand rounds a second are published; it
cannot be installed here, so that figure is quoted, not measured.
"""

from __future__ import annotations

import os
import random
import time

import croupier
from croupier.facts.cards import DECK
from croupier.games.round import FinishedBox, FinishedRound
from croupier.simulate.plan import PlayerStrategy, SimulationPlan, seated
from croupier.simulate.rounds import play
from croupier.simulate.staked_rules import actions_of, base_stakes

ROUNDS = {1: 20_000_000, 6: 4_000_000}
PLAIN_ROUNDS = 1_500
PUBLISHED_PEER = 33_000
# What was asked for, on two cores: rounds a second, times the loop, times the peer.
ASKED, ASKED_OF_LOOP, ASKED_OF_PEER = 5_000_000, 1_000, 100
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


def main() -> None:
    cores = min(2, os.cpu_count() or 1)
    for game in BOOKS:
        plain = plain_rounds_a_second(table_of(game, 1))
        print(f"{game}, a Python loop over settlement, one box: {plain:,.0f} rounds a second")
        for boxes, rounds in ROUNDS.items():
            plan = table_of(game, boxes)
            play(plan, 1_000, workers=1)
            wall, busy = time.perf_counter(), time.process_time()
            play(plan, rounds, workers=cores)
            wall, busy = time.perf_counter() - wall, time.process_time() - busy
            speed, each = cores * rounds / busy, busy / rounds * 1e9
            named = "box" if boxes == 1 else "boxes"
            print(
                f"simulate {game}, {boxes} {named}, every wager, best play, {cores} cores: "
                f"{speed / 1e6:.2f} M rounds/s by processor time, {each:.0f} ns each "
                f"(by the clock, beside whatever else ran: {rounds / wall / 1e6:.2f} M)"
            )
            if boxes == 1:
                print(
                    f"  {speed / plain:,.0f} times the Python loop, which has one core "
                    f"({ASKED_OF_LOOP:,} asked); core for core {speed / plain / cores:,.0f} times"
                )
            if boxes == 1 and game == "uth":
                print(
                    f"  {speed / PUBLISHED_PEER:,.0f} times the {PUBLISHED_PEER:,} published for "
                    f"the fastest open peer ({ASKED_OF_PEER} asked); {ASKED / 1e6:.0f} M asked"
                )


if __name__ == "__main__":
    main()
