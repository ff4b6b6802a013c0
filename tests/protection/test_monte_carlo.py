"""Random deals, played by who knows a card and paid by settlement, agree with the exact values.

Seeds are fixed. A mean may lie four standard errors of the exact deviation from the exact value.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import sqrt

import pytest

from croupier.exact import advice, uth
from croupier.exact.kernels.positions import positions
from croupier.facts.cards import DECK, Card
from croupier.facts.money import Cents
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.protection import uth as known_uth
from croupier.protection.advice import advise
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


def test_ultimate_texas_holdem_with_a_card_of_the_flop() -> None:
    rules, spots = rules_of("UTH-S", blind="A"), positions()
    best = uth.best_play(rules)
    game, (found,) = known_uth.solved(rules, knowledge(rules, "flop"))
    first = known_uth.decided(game, found).best

    def decide(own: Cards, lies: dict[str, Cards]) -> int:
        hole = sorted(card.number for card in own)
        board = [card.number for card in lies["board"]]
        code = hole[1] * (hole[1] - 1) // 2 + hole[0]
        if first[found.spots.infos[code, board[0]]] == 0:
            return 4
        if best.flop[spots.flop_spot(board[:3], hole)]:
            return 2
        row, bit = spots.board_spot(board, hole)
        return int(best.river[row, bit >> 6]) >> (bit & 63) & 1

    agree(rules, "flop", decide, 40_000)


def test_ultimate_texas_holdem_with_a_card_of_the_dealer() -> None:
    rules = rules_of("UTH-S", blind="A")
    game, found = known_uth.solved(rules, knowledge(rules, "dealer"))
    by_rank = {one.problem.dealer[0] >> 2: one for one in found}
    first = {rank: known_uth.decided(game, one).best for rank, one in by_rank.items()}

    def decide(own: Cards, lies: dict[str, Cards]) -> int:
        known = lies["dealer"][:1]
        rank, suit = known[0].number >> 2, known[0].number & 3
        one = by_rank[rank]
        solved = one.problem.dealer[0] & 3
        names = {suit: solved, solved: suit}
        low, high = sorted(
            card.number & ~3 | names.get(card.number & 3, card.number & 3) for card in own
        )
        if first[rank][one.spots.infos[high * (high - 1) // 2 + low, 0]] == 0:
            return 4
        for board in (lies["board"][:3], lies["board"]):
            values = advice.on_board(rules, own, board, known)
            if multiple := multiple_of(dict(sorted(values.items(), key=lambda v: -v[1]))):
                return multiple
        return 0

    agree(rules, "dealer", decide, 2_000)
