"""Random deals, played by the solved strategy and paid by settlement, agree with the exact values.

Seeds are fixed. A mean may lie four standard errors of the exact deviation from the exact value.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest

from croupier.exact import four_card, holdem
from croupier.exact.endings import Assumed
from croupier.exact.kernels.holdem import NO_RAISE
from croupier.exact.kernels.positions import positions
from croupier.exact.solution import Solution
from croupier.facts.cards import DECK, Card
from croupier.facts.money import Cents, Micros
from croupier.games.registry import the_registry
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import ProgressiveTerms, Rules, bind
from croupier.table.settlement import settle

STAKE = Cents(200)
RESET = Cents(1_000_000)
Decide = Callable[[list[Card], list[Card]], int]


def offering(book_id: str, **letters: str) -> Rules:
    """Rules with these wagers offered, a $1 progressive and its meter at $10,000."""
    registry = the_registry()
    book = registry.book(book_id)
    hand = "flop" if book.game == "uth" else None
    terms = ProgressiveTerms(Cents(100), hand, resets=(("main", RESET),))
    return bind(registry.game_of(book), book, letters, progressive=terms)


def played(rules: Rules, decide: Decide, wagers: list[str], rounds: int) -> Counter[str]:
    """What each wager won or lost over so many rounds of one box, in cents."""
    chance = random.Random(2026)
    won: Counter[str] = Counter()
    sizes = {place.name: place.cards for place in rules.book.places}
    for _ in range(rounds):
        deck = chance.sample(DECK, sum(sizes.values()))
        lies = {name: [deck.pop() for _ in range(size)] for name, size in sizes.items()}
        own = lies.pop("box")
        stakes = dict.fromkeys(wagers, STAKE) | {"progressive": Cents(100)}
        multiple = decide(own, lies["board"] if "board" in lies else lies["dealer"][-1:])
        if multiple:
            stakes["play"] = Cents(multiple * STAKE)
        cards = {name: tuple(lie) for name, lie in lies.items()}
        box = FinishedBox(1, tuple(own), stakes)
        receipt = settle(FinishedRound(rules, cards, (box,), {"main": Micros(RESET * 10_000)}))
        for line in receipt.lines:
            base = line.wager in ("ante", "blind", "play", "ante_bonus")
            won["base" if base else line.wager] += line.net_cents
    return won


def agree(solution: Solution, rules: Rules, won: Counter[str], rounds: int) -> None:
    base = solution.base
    means = {"base": (won["base"], STAKE, base.ev, base.variance)}
    letters = dict(rules.letters)
    for side in solution.side_wagers:
        wager = side.endings.wager
        if letters.get(wager) == side.endings.paytable and side.reading in (None, "flop"):
            stake = Cents(100) if wager == "progressive" else STAKE
            assumed = Assumed(stake, (("main", RESET),))
            ev, variance = side.endings.ev(assumed), side.endings.variance(assumed)
            means[wager] = (won[wager], stake, ev, variance)
    assert set(means) == set(won)
    for wager, (cents, stake, ev, variance) in means.items():
        error = float(Fraction(cents, stake * rounds) - ev)
        assert abs(error) < 4 * sqrt(variance / rounds), wager


def holdem_decisions(solved: holdem.SolvedHoldem) -> Decide:
    best, spots = solved.best, positions()
    assert best is not None
    strategy = best.strategy

    def decide(hole: list[Card], board: list[Card]) -> int:
        own, lie = [card.number for card in hole], [card.number for card in board]
        low, high = sorted(own)
        preflop = strategy.preflop[high * (high - 1) // 2 + low]
        if preflop < NO_RAISE:
            return (4, 3)[preflop]
        if strategy.flop[spots.flop_spot(lie[:3], own)]:
            return 2
        row, bit = spots.board_spot(lie, own)
        return int(strategy.river[0, row, bit // 64]) >> (bit % 64) & 1

    return decide


def fcp_decisions(solved: four_card.SolvedFourCard) -> Decide:
    def decide(hand: list[Card], up: list[Card]) -> int:
        numbers = tuple(card.number for card in hand)
        return (3, 1, 0)[solved.actions[solved.shown.place(numbers, up[0].number)]]

    return decide


UTH_WAGERS = ["ante", "blind", "trips", "six_card_bonus", "ultimate_pairs", "bad_beat"]
UTH_LETTERS = {
    "blind": "A", "trips": "A", "six_card_bonus": "B", "ultimate_pairs": "B", "bad_beat": "C",
    "play_the_board": "A", "progressive": "A",
}  # fmt: skip
FCP_LETTERS = {"aces_up": "A", "six_card_bonus": "A", "progressive": "C"}


@pytest.mark.prove
@pytest.mark.parametrize("rounds", [1_500, 100_000], ids=["some", "many"])
def test_uth(uth_solution: Solution, uth_solved: holdem.SolvedHoldem, rounds: int) -> None:
    rules = offering("UTH-S", **UTH_LETTERS)
    won = played(rules, holdem_decisions(uth_solved), [*UTH_WAGERS, "play_the_board"], rounds)
    agree(uth_solution, rules, won, rounds)


@pytest.mark.parametrize(
    "rounds", [800, pytest.param(100_000, marks=pytest.mark.prove)], ids=["some", "many"]
)
def test_four_card(fcp_solution: Solution, fcp_rules: Rules, rounds: int) -> None:
    rules = offering("FCP-14", **FCP_LETTERS)
    decide = fcp_decisions(four_card.solve_base(fcp_rules))
    won = played(rules, decide, ["ante", "aces_up", "six_card_bonus"], rounds)
    agree(fcp_solution, rules, won, rounds)


def test_a_wrong_value_is_noticed(fcp_solution: Solution, fcp_rules: Rules) -> None:
    """The check has teeth: always raising is not what the solution says."""
    rules = offering("FCP-14", **FCP_LETTERS)
    won = played(rules, lambda hand, up: 3, ["ante", "aces_up", "six_card_bonus"], 3_000)
    with pytest.raises(AssertionError, match="base"):
        agree(replace(fcp_solution), rules, won, 3_000)
