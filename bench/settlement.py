"""How many whole rounds settlement pays a second, beside ranking one hand in the same run."""

from __future__ import annotations

import random
from collections.abc import Iterator

import croupier
from bench.processor import cpu_s
from bench.report import Row
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


def settle_s(game: str) -> tuple[float, int]:
    """What it takes to settle one such round, and how many boxes it has."""
    rounds = shuffled_rounds(game, ROUNDS)
    taken_s = cpu_s(lambda: [croupier.settle(finished) for finished in rounds])
    return taken_s / ROUNDS, len(rounds[0].boxes)


def rows() -> Iterator[Row]:
    chance = random.Random(2)
    sevens = [tuple(chance.sample(DECK, 7)) for _ in range(HANDS)]
    hand_s = cpu_s(lambda: [FIVE_CARD.best(seven) for seven in sevens]) / HANDS
    beside = f"time to rank one hand in readable code ({1e6 * hand_s:,.0f} us)"
    for game in ("uth", "four-card"):
        each_s, boxes = settle_s(game)
        told = f"{1 / each_s:,.0f} a second"
        yield Row(f"settle a round of {game}, {boxes} boxes", told, each_s / hand_s, beside)
    text, registry = croupier.example("uth"), croupier.the_registry()
    each_s = cpu_s(lambda: [read_round(text, registry) for _ in range(ROUNDS)]) / ROUNDS
    yield Row("read a round file", f"{1 / each_s:,.0f} a second", each_s / hand_s, beside)
