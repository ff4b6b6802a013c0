"""The charts of later streets: every position of small decks looked at by plain code."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from croupier.exact import uth
from croupier.exact.kernels import uth as kernel
from croupier.exact.kernels.positions import positions
from croupier.exact.strategy.decision_charts import (
    FLOP,
    RIVER,
    ROWS,
    charts_of,
    decision_charts,
    row_rules,
)
from croupier.exact.strategy.features import CardsInSight
from croupier.facts.cards import Card, cards
from croupier.games.registry import the_registry
from croupier.games.rules import Rules
from croupier.submission.check import shipped_submission

DECKS = ("2c3c4c5c 7d7h Js Qc Ac Ad", "9c9d9h Tc Td Jh Qs Kd Ks As")


def rules_of(book_id: str) -> Rules:
    return shipped_submission(book_id).rules(the_registry())


def row_of(own: tuple[Card, ...], table: tuple[Card, ...], deck: tuple[Card, ...]) -> str:
    sight = CardsInSight(own, table, deck)
    return next(rule.do for rule in row_rules(len(table)) if rule.holds(sight))


@pytest.mark.parametrize("written", DECKS)
@pytest.mark.parametrize("book_id", ["UTH-S", "CH-1"])
def test_every_position_of_a_small_deck_by_plain_code(book_id: str, written: str) -> None:
    rules, deck = rules_of(book_id), tuple(sorted(cards(written)))
    numbers = tuple(card.number for card in deck)
    spots = positions(numbers)
    best = kernel.decide(uth.kernel_game(rules)[0], numbers).strategy
    expected: dict[int, Counter[tuple[str, int]]] = {FLOP: Counter(), RIVER: Counter()}
    for own in combinations(deck, 2):
        hole = tuple(card.number for card in own)
        if best.preflop[spots.holes.tolist().index([*hole])] != kernel.NO_RAISE:
            continue
        rest = [card for card in deck if card not in own]
        for flop in combinations(rest, FLOP):
            at = spots.flop_spot([card.number for card in flop], hole)
            expected[FLOP][row_of(own, flop, deck), int(best.flop[at])] += 1
        for board in combinations(rest, RIVER) if best.river.size else ():
            row, bit = spots.board_spot([card.number for card in board], hole)
            bet = int(best.river[0, row, bit >> 6]) >> (bit & 63) & 1
            expected[RIVER][row_of(own, board, deck), bet] += 1
    found = {FLOP: Counter[tuple[str, int]](), RIVER: Counter[tuple[str, int]]()}
    for chart in charts_of(best, uth.asked(rules), numbers):
        size = RIVER if len(chart.rows) == len(ROWS[RIVER]) else FLOP
        for line in chart.rows:
            bets, waits = line.ways
            found[size] += Counter({(line.name, 1): bets, (line.name, 0): waits})
    assert found == {size: +counts for size, counts in expected.items()}
    assert found[FLOP]


@pytest.mark.parametrize("book_id", ["FCP-14", "TCP-1", "THB-1"])
def test_other_games_have_no_charts(book_id: str) -> None:
    assert decision_charts(rules_of(book_id)) == ()
