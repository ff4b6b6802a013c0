"""The charts of later streets: every position of small decks looked at by plain code."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from croupier.exact import holdem, holdem_bets
from croupier.exact.kernels import holdem as kernel
from croupier.exact.kernels import holdem_bets as bets_kernel
from croupier.exact.kernels.holdem_features import NAMES
from croupier.exact.kernels.positions import CHOOSE, positions
from croupier.exact.solution_cache import solved
from croupier.exact.strategy.decision_charts import (
    FLOP,
    RIVER,
    ROWS,
    TURN,
    StreetChart,
    charts_of,
    charts_of_bets,
    decision_charts,
    row_rules,
)
from croupier.exact.strategy.features import CardsInSight
from croupier.exact.strategy.strategies import rule_program
from croupier.exact.strategy.turn_features import decide_turns
from croupier.facts.cards import DECK, Card, cards
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
    best = kernel.decide(holdem.kernel_game(rules)[0], numbers).strategy
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
    for chart in charts_of(best, holdem.asked(rules), numbers):
        size = RIVER if len(chart.rows) == len(ROWS[RIVER]) else FLOP
        found[size] += bets_and_waits(chart)
    assert found == {size: +counts for size, counts in expected.items()}
    assert found[FLOP]


@pytest.mark.parametrize("written", DECKS)
def test_every_position_of_a_small_deck_where_bets_add_up(written: str) -> None:
    rules, deck = rules_of("THB-1"), tuple(sorted(cards(written)))
    numbers = tuple(card.number for card in deck)
    spots = positions(numbers)
    best = bets_kernel.decide(holdem_bets.kernel_game(rules)[0], numbers).strategy
    turn_of, name_of = spots.turn_places
    expected: dict[int, Counter[tuple[str, int]]] = {FLOP: Counter(), TURN: Counter()}
    for own in combinations(deck, 2):
        hole = tuple(card.number for card in own)
        code = hole[1] * (hole[1] - 1) // 2 + hole[0]
        if not best.plays[code]:
            continue
        rest = [card for card in deck if card not in own]
        for flop in combinations(rest, FLOP):
            at = spots.flop_spot([card.number for card in flop], hole)
            expected[FLOP][row_of(own, flop, deck), int(best.flop[at])] += 1
        for four in combinations(rest, TURN):
            place = CHOOSE[[card.number for card in four], range(1, TURN + 1)].sum()
            bet = best.turn[turn_of[place], spots.renamed_holes[name_of[place], code]]
            expected[TURN][row_of(own, four, deck), int(bet)] += 1
    flop_chart, turn_chart = charts_of_bets(best, holdem_bets.later_streets(rules), numbers)
    assert bets_and_waits(flop_chart) == +expected[FLOP]
    assert bets_and_waits(turn_chart) == +expected[TURN]
    assert {bet for _, bet in expected[TURN]} == {0, 1}


def test_positions_of_every_row_of_the_turn_by_plain_code() -> None:
    spots, names = positions(), [name for name, _ in ROWS[TURN]]
    numbers = {name: number for number, name in enumerate(names)}
    program = rule_program(row_rules(TURN), numbers, NAMES)
    (boards, _), chance = spots.turns, np.random.default_rng(4)
    written = decide_turns(spots, program, spots.in_deck, lambda what, done: None)
    for at in chance.choice(len(boards), 40, replace=False).tolist():
        four = tuple(DECK[card] for card in boards[at])
        for number, name in enumerate(names):
            left = np.flatnonzero(written[at] == number)
            for hole in chance.choice(left, min(5, len(left)), replace=False).tolist():
                own = DECK[spots.holes[hole, 0]], DECK[spots.holes[hole, 1]]
                if not {*own} & {*four}:
                    assert row_of(own, four, DECK) == name, (own, four)


def bets_and_waits(chart: StreetChart) -> Counter[tuple[str, int]]:
    found = Counter[tuple[str, int]]()
    for line in chart.rows:
        bets, waits = line.ways
        found += Counter({(line.name, 1): bets, (line.name, 0): waits})
    return found


def test_charts_have_as_many_bets_as_all_deals_counted() -> None:
    """Where bets add up every position has as many deals, so charts and solution can be held equal.

    A board of four comes in as many orders as it has cards that can be the turn.
    """
    rules = rules_of("THB-1")
    ways = solved(rules).base.action_ways()
    flop, turn = decision_charts(rules)
    for chart, deals in ((flop, 47 * 46 * 990), (turn, 4 * 46 * 990)):
        bets = sum(row.ways[0] for row in chart.rows)
        assert bets * deals == sum(ways[do] for do in ways if chart.street in do)


@pytest.mark.parametrize("book_id", ["FCP-14", "TCP-1"])
def test_other_games_have_no_charts(book_id: str) -> None:
    assert decision_charts(rules_of(book_id)) == ()
