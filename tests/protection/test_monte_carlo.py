"""Random deals, played by who knows a card and paid by settlement, agree with the exact values.

Seeds are fixed. A mean may lie four standard errors of the exact deviation from the exact value.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import sqrt

import pytest

from croupier.facts.cards import DECK, Card
from croupier.facts.money import Cents
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.protection.advice import advise
from croupier.protection.first_values import RAISE, WAIT, first_values
from croupier.protection.knowledge import knowledge
from croupier.protection.protect import protect
from croupier.table.settlement import settle
from tests.exact.conftest import rules_of

STAKE = Cents(200)
Cards = tuple[Card, ...]
Decide = Callable[[Cards, dict[str, Cards]], int]

pytestmark = pytest.mark.prove


def mean_of(rules: Rules, decide: Decide, rounds: int) -> float:
    """What a round wins on average, in Antes, when this much is played."""
    chance, won = random.Random(2026), 0
    base = [w.name for w in rules.book.wagers if not w.optional and not w.decides and not w.paid_on]
    sizes = {place.name: place.cards for place in rules.book.places if place.only_for is None}
    for _ in range(rounds):
        deck = chance.sample(DECK, sum(sizes.values()))
        lies = {name: tuple(deck.pop() for _ in range(size)) for name, size in sizes.items()}
        own = lies.pop("box")
        stakes = dict.fromkeys(base, STAKE)
        if multiple := decide(own, lies):
            stakes["play"] = Cents(multiple * STAKE)
        receipt = settle(FinishedRound(rules, lies, (FinishedBox(1, own, stakes),)))
        won += sum(line.net_cents for line in receipt.lines)
    return won / STAKE / rounds


def agree(rules: Rules, knows: str, decide: Decide, rounds: int) -> None:
    worth = protect(rules, knows)
    error = mean_of(rules, decide, rounds) - float(worth.ev)
    assert abs(error) < 4 * worth.play.standard_deviation / sqrt(rounds)


def multiple_of(values: Mapping[str, Fraction]) -> int:
    best = next(iter(values))
    return int(best.removesuffix("x")) if best.endswith("x") else 0


def test_three_card_poker_with_a_card_of_the_dealer() -> None:
    rules = rules_of("TCP-1")
    agree(rules, "dealer", lambda own, lies: multiple_of(
        advise(rules, own, (), lies["dealer"][:1], ())
    ), 4_000)  # fmt: skip


def test_four_card_poker_with_one_more_card_of_the_dealer() -> None:
    rules = rules_of("FCP-14")
    agree(rules, "dealer", lambda own, lies: multiple_of(
        advise(rules, own, lies["dealer"][:1], lies["dealer"][1:2], ())
    ), 1_000)  # fmt: skip


def test_ultimate_texas_holdem_with_a_card_of_the_dealer() -> None:
    rules = rules_of("UTH-S", blind="A")
    first = first_values(rules, knowledge(rules, "dealer"))
    most = rules.book.streets[0].most_multiple
    assert most is not None

    def decide(own: Cards, lies: dict[str, Cards]) -> int:
        known, board = lies["dealer"][:1], lies["board"]
        low, high = sorted(card.number for card in own)
        values = first[known[0].number, high * (high - 1) // 2 + low]
        if values[RAISE] > values[WAIT]:
            return most
        on_flop = multiple_of(advise(rules, own, board[:3], known, ()))
        return on_flop or multiple_of(advise(rules, own, board, known, ()))

    agree(rules, "dealer", decide, 2_000)
