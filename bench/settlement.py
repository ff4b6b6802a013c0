"""How many whole rounds settlement pays a second, beside ranking one hand in the same run."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial

import croupier
from croupier.facts.cards import DECK
from croupier.facts.hands import FIVE_CARD
from croupier.games.round import FinishedBox, FinishedRound
from croupier.table.round_file import read_round

ROUNDS = 400
HANDS = 4_000


def shuffled_rounds(game: str, count: int) -> list[FinishedRound]:
    """The shipped example round with its cards dealt anew, from a fixed seed."""
    example = croupier.read_round(croupier.example(game))
    chance = random.Random(1)
    return [_dealt_anew(example, chance) for _ in range(count)]


def _dealt_anew(example: FinishedRound, chance: random.Random) -> FinishedRound:
    deck = iter(chance.sample(DECK, 52))
    boxes = tuple(
        FinishedBox(box.seat, tuple(next(deck) for _ in box.cards), box.stakes, box.player)
        for box in example.boxes
    )
    cards = {place: tuple(next(deck) for _ in lie) for place, lie in example.cards.items()}
    return FinishedRound(example.rules, cards, boxes, example.meters)


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _settle_all(rounds: list[FinishedRound]) -> None:
    for finished in rounds:
        croupier.settle(finished)


def main() -> None:
    chance = random.Random(2)
    sevens = [tuple(chance.sample(DECK, 7)) for _ in range(HANDS)]
    one_hand = seconds(lambda: [FIVE_CARD.best(seven) for seven in sevens]) / HANDS
    print(f"rank one hand, best five of seven, readable code: {1 / one_hand:,.0f} a second")
    for game in ("uth", "four-card"):
        rounds = shuffled_rounds(game, ROUNDS)
        each = seconds(partial(_settle_all, rounds)) / ROUNDS
        boxes = len(rounds[0].boxes)
        print(
            f"settle a round of {game}, {boxes} boxes: {1 / each:,.0f} a second, "
            f"the time of {each / one_hand:.1f} ranked hands"
        )
    text = croupier.example("uth")
    registry = croupier.the_registry()
    each = seconds(lambda: [read_round(text, registry) for _ in range(ROUNDS)]) / ROUNDS
    print(f"read a round file: {1 / each:,.0f} a second")
