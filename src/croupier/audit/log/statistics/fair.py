"""How often a fair deck shows each class of hand: exact counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.hand_classes import best_five_counts, four_of_five_counts, kinds
from croupier.exact.hand_samples import samples
from croupier.exact.kernels import four_card_rank
from croupier.exact.kernels.poker_rank import rank_hands
from croupier.exact.strategy.chart_names import start_name
from croupier.facts.cards import DECK, Card
from croupier.facts.hands import FIVE_CARD, FOUR_CARD, Ranking
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of

MOST_COUNTED = 5  # cards of a hand that can be counted kind by kind


@cache
def best_four_of_six_counts() -> NDArray[np.int64]:
    """How many of the 20,358,520 six-card hands have a best four of each class."""
    cards, weights = kinds(5)
    counts = np.zeros(len(samples(FOUR_CARD)), dtype=np.int64)
    for sixth in range(len(DECK)):
        able = (cards != sixth).all(axis=1)
        hands = np.column_stack([cards[able], np.full(np.count_nonzero(able), sixth, np.uint8)])
        np.add.at(counts, four_card_rank.rank_hands(hands), weights[able])
    return counts // 6


def by_category(ranking: Ranking, counts: Sequence[int] | NDArray[np.int64]) -> dict[str, int]:
    """Counts of classes added up by category, the weakest first."""
    names, numbers = _categories(ranking)
    sums = np.zeros(len(names), dtype=np.int64)
    np.add.at(sums, numbers, counts)
    return dict(zip(names, sums.tolist(), strict=True))


@cache
def _categories(ranking: Ranking) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The categories, the weakest first, and by class of hand the number of its category."""
    held = [str(hand.category) for hand in samples(ranking)]
    names = tuple(dict.fromkeys(held))
    return names, np.array([names.index(name) for name in held])


@cache
def two_card_starts() -> dict[str, float]:
    """The chance of each starting hand by rank and suit."""
    two: Counter[str] = Counter()
    for high in range(len(DECK)):
        for low in range(high):
            two[start_name(DECK[high], DECK[low])] += 1
    return {name: count / comb(52, 2) for name, count in two.items()}


@cache
def five_card_starts() -> dict[str, float]:
    """The chance of each category of the first five cards."""
    counts = by_category(FIVE_CARD, best_five_counts(5))
    return {name: count / comb(52, 5) for name, count in counts.items()}


@dataclass(frozen=True)
class Fair:
    """What the hands of a game are counted by: exact counts, and what ranks its hands."""

    players: Callable[[], NDArray[np.int64]]
    dealers: Callable[[], NDArray[np.int64]]
    starts: Callable[[], dict[str, float]]
    start: Callable[[tuple[Card, ...]], str]
    rank: Callable[[NDArray[np.uint8]], NDArray[Any]]


_HOLDEM = Fair(
    players=lambda: best_five_counts(7),
    dealers=lambda: best_five_counts(7),
    starts=two_card_starts,
    start=lambda own: start_name(*own),
    rank=rank_hands,
)
SHAPES = {
    GameShape.HOLDEM: _HOLDEM,
    GameShape.HOLDEM_BETS: _HOLDEM,
    GameShape.FOUR_CARD: Fair(
        players=four_of_five_counts,
        dealers=best_four_of_six_counts,
        starts=five_card_starts,
        start=lambda own: str(FIVE_CARD.hand(own).category),
        rank=four_card_rank.rank_hands,
    ),
}
"""A shape that is not here is counted by the readable code where it can be."""


def fair_of(rules: Rules) -> Fair | None:
    """By the game's own kernels, or by the readable code; None where its hands are too many."""
    own, player, dealer = _sizes(rules)
    shape = shape_of(rules)
    if shape in SHAPES or max(player, dealer) > MOST_COUNTED:
        return SHAPES.get(shape)
    return _plain(rules.game.ranking, own, player, dealer)


def shows_dealer(rules: Rules) -> bool:
    """Whether a decision sees a card of the dealer."""
    return bool(rules.book.dealing[0].face_up(rules.book.streets[-1].name)["dealer"])


def _sizes(rules: Rules) -> tuple[int, int, int]:
    """How many cards a box has, and of how many its hand and the dealer's are made."""
    places = {place.name: place.cards for place in rules.book.places if place.only_for is None}
    own, dealer = places.pop("box"), places.pop("dealer")
    shared = sum(places.values())
    return own, own + shared, dealer + shared


@cache
def _plain(ranking: Ranking, own: int, player: int, dealer: int) -> Fair:
    number = {hand: at for at, hand in enumerate(samples(ranking))}

    def rank(rows: NDArray[np.uint8]) -> NDArray[np.int64]:
        return np.array([number[ranking.best(DECK[card] for card in row)] for row in rows])

    def counts(size: int) -> NDArray[np.int64]:
        (cards, weights), found = kinds(size), np.zeros(len(number), dtype=np.int64)
        np.add.at(found, rank(cards), weights)
        return found

    def start(cards: tuple[Card, ...]) -> str:
        if len(cards) >= ranking.size:
            return str(ranking.best(cards).category)
        return "".join(sorted(card.rank.letter for card in cards))

    def starts() -> dict[str, float]:
        found: Counter[str] = Counter()
        for row, ways in zip(*kinds(own), strict=True):
            found[start(tuple(DECK[card] for card in row))] += int(ways)
        return {name: count / comb(len(DECK), own) for name, count in found.items()}

    return Fair(
        players=cache(lambda: counts(player)),
        dealers=cache(lambda: counts(dealer)),
        starts=cache(starts),
        start=start,
        rank=rank,
    )
