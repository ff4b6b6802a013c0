"""What is best on the streets after the first, by what a player notices then.

A row of a chart is told by features of strategy files; the first that holds is the one of a
position. Positions are a hole that is still asked after the first street and a flop or board, all
equally likely; those of a later street are there whatever was done on the flop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from croupier.exact import holdem, holdem_bets
from croupier.exact.kernels import holdem_features
from croupier.exact.kernels.array_types import Int64s, Uint8s, Uint64s
from croupier.exact.kernels.holdem import NO_RAISE
from croupier.exact.kernels.holdem import HoldemStrategy as Decisions
from croupier.exact.kernels.holdem_bets import BetsStrategy
from croupier.exact.kernels.positions import FULL_DECK, Positions, positions
from croupier.exact.kernels.rule_programs import RuleProgram
from croupier.exact.solution_cache import kept_answer
from croupier.exact.strategy.features import HOLDEM
from croupier.exact.strategy.strategies import hole_values, rule_program
from croupier.exact.strategy.strategy_file import Condition, Rule
from croupier.exact.strategy.turn_features import decide_turns
from croupier.facts.progress import Progress
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.rulebook.book import Street

FLOP, TURN, RIVER = 3, 4, 5
ROWS: Mapping[int, tuple[tuple[str, Mapping[str, object]], ...]] = {
    FLOP: (
        ("straight or better", {"hidden": "straight or better"}),
        ("three of a kind", {"hidden": "three of a kind"}),
        ("two pair", {"hidden": "two pair"}),
        ("a pair with the flop", {"hidden_pair": "any", "pocket_pair": "none"}),
        ("a pocket pair", {"pocket_pair": "any"}),
        ("four to a flush with ten or higher", {"flush_cards": 4, "flush_high": "T or higher"}),
        ("four to a flush with less", {"flush_cards": 4}),
        ("two ranks make a straight", {"straight_ranks": "2 or more"}),
        ("a pair that all share", {"board": "pair or better"}),
        ("two cards over the flop", {"overcards": 2}),
        ("one card over the flop", {"overcards": 1}),
        ("anything else", {}),
    ),
    TURN: (
        ("under 5 dealer's outs", {"dealer_outs": "under 5"}),
        ("four to a flush, under 12 outs", {"flush_cards": 4, "dealer_outs": "under 12"}),
        ("four to a flush, under 16 outs", {"flush_cards": 4, "dealer_outs": "under 16"}),
        ("four to a flush, more outs", {"flush_cards": 4}),
        ("three of a suit on board, under 8 outs", {"board_flush": 3, "dealer_outs": "under 8"}),
        ("three of a suit on board, more outs", {"board_flush": 3}),
        ("under 8 dealer's outs", {"dealer_outs": "under 8"}),
        ("under 10 dealer's outs", {"dealer_outs": "under 10"}),
        ("under 16 dealer's outs", {"dealer_outs": "under 16"}),
        ("more dealer's outs", {}),
    ),
    RIVER: (
        ("two pair or better", {"hidden": "two pair or better"}),
        ("a pair", {"hidden": "pair"}),
        ("under 18 dealer's outs", {"dealer_outs": "under 18"}),
        ("under 21 dealer's outs", {"dealer_outs": "under 21"}),
        ("under 25 dealer's outs", {"dealer_outs": "under 25"}),
        ("under 29 dealer's outs", {"dealer_outs": "under 29"}),
        ("more dealer's outs", {}),
    ),
}
"""By cards of the board in sight; what the board has for everybody does not count as made. At the
end seven rows are told by three digits, each of which reads all boards once."""


@dataclass(frozen=True)
class HandRow:
    """Hands that look alike: in how many positions each action of the street is best."""

    name: str
    ways: tuple[int, ...]


@dataclass(frozen=True)
class StreetChart:
    """One street: its actions, from the largest bet, and a row for each kind of hand; ``before``
    says what was done with hands that are asked no more, nothing where there are none."""

    street: str
    title: str
    actions: tuple[str, ...]
    rows: tuple[HandRow, ...]
    before: str = ""


def decision_charts(
    rules: Rules, progress: Progress = lambda what, done: None
) -> tuple[StreetChart, ...]:
    """Of the best play, for every street with cards of the board in sight; found before, or counted
    now and kept. None where a box has all its cards at once."""
    find = _CHARTED.get(shape_of(rules))
    if find is None:
        return ()
    return kept_answer(
        rules, "decision charts", tuple[StreetChart, ...], lambda: tuple(find(rules, progress))
    )


def _of_one_play(rules: Rules, progress: Progress) -> Iterator[StreetChart]:
    return charts_of(holdem.best_play(rules), holdem.asked(rules), progress=progress)


def _of_bets(rules: Rules, progress: Progress) -> Iterator[StreetChart]:
    best = holdem_bets.best_bets(rules, progress).strategy
    return charts_of_bets(best, holdem_bets.later_streets(rules), progress=progress)


_CHARTED: Mapping[GameShape, Callable[[Rules, Progress], Iterator[StreetChart]]] = {
    GameShape.HOLDEM: _of_one_play,
    GameShape.HOLDEM_BETS: _of_bets,
}


def charts_of(
    decisions: Decisions,
    asked: Sequence[Street | None],
    deck: tuple[int, ...] = FULL_DECK,
    progress: Progress = lambda what, done: None,
) -> Iterator[StreetChart]:
    """``asked`` are the streets before the flop, on it and at the end; None: not asked."""
    spots = positions(deck)
    holes = holdem_features.Holes(hole_values(), spots.in_deck & (decisions.preflop == NO_RAISE))
    first, flop, river = asked
    before = "bet before the flop" if first is not None else ""
    if flop is not None:
        yield _flop_chart(flop, spots, holes, decisions.flop, before, progress)
    if river is not None:
        rows = _river_rows(spots, holes, progress)
        yield _chart(river, RIVER, _on_boards(spots, rows, decisions.river), before)


def charts_of_bets(
    decisions: BetsStrategy,
    asked: tuple[Street | None, Street | None],
    deck: tuple[int, ...] = FULL_DECK,
    progress: Progress = lambda what, done: None,
) -> Iterator[StreetChart]:
    """Where bets add up; ``asked`` are the streets on the flop and on the turn; None: not asked."""
    spots = positions(deck)
    holes = holdem_features.Holes(hole_values(), spots.in_deck & (decisions.plays == 1))
    flop, turn = asked
    before = "folded before the flop"
    if flop is not None:
        yield _flop_chart(flop, spots, holes, decisions.flop, before, progress)
    if turn is not None:
        written = decide_turns(spots, _program(TURN), holes.asked, progress)
        weights = spots.turns[1]
        yield _chart(turn, TURN, _by_row(turn, TURN, written, decisions.turn, weights), before)


def _flop_chart(
    street: Street,
    spots: Positions,
    holes: holdem_features.Holes,
    best: Uint8s,
    before: str,
    progress: Progress,
) -> StreetChart:
    written, _ = holdem_features.decide_flops(spots, _program(FLOP), holes, None, progress)
    return _chart(street, FLOP, _by_row(street, FLOP, written, best, spots.flop_weights), before)


def row_rules(on_board: int) -> tuple[Rule, ...]:
    """What tells the rows of a street, in order: each does nothing but name its row."""
    _, features = HOLDEM[on_board]

    def condition(name: str, value: object) -> Condition:
        return Condition(features[name], value, features[name].kind.read(value))

    return tuple(
        Rule(name, tuple(condition(*each) for each in when.items()))
        for name, when in ROWS[on_board]
    )


def _program(on_board: int) -> RuleProgram:
    """Writes the number of the row, from 1; 0 is left for holes that are not asked."""
    rules = row_rules(on_board)
    numbers = {rule.do: number for number, rule in enumerate(rules, 1)}
    return rule_program(rules, numbers, holdem_features.NAMES)


def _by_row(
    street: Street, on_board: int, written: Uint8s, best: Uint8s, weights: Int64s
) -> Iterator[tuple[int, ...]]:
    """By row: the positions of each size, from the largest, and of none."""
    sizes = range(1, len({*street.multiples}) + 1)
    for row in range(1, len(ROWS[on_board]) + 1):
        held = written == row
        counts = ((held & (best == bet)).sum(axis=1) for bet in (*sizes, 0))
        yield tuple(int(count @ weights) for count in counts)


def _river_rows(
    spots: Positions, holes: holdem_features.Holes, progress: Progress
) -> Iterator[Uint64s]:
    """By row: a bit a hole on each board. Boards are read once for each digit of a row's number."""
    program = _program(RIVER)
    rows = range(1, len(ROWS[RIVER]) + 1)
    digits = []
    for digit in range(rows[-1].bit_length()):
        writes = (program.writes >> digit & 1).astype(np.uint8)
        one = program._replace(writes=writes)
        digits.append(holdem_features.decide_boards(spots, one, holes, None, progress)[0])
    for row in rows:
        bits = [found if row >> at & 1 else ~found for at, found in enumerate(digits)]
        yield np.bitwise_and.reduce(bits)


def _on_boards(
    spots: Positions, rows: Iterator[Uint64s], best: Uint64s
) -> Iterator[tuple[int, ...]]:
    none = ~np.bitwise_or.reduce(best)
    for held in rows:
        counts = (np.bitwise_count(held & bet).sum(axis=1, dtype=np.int64) for bet in (*best, none))
        yield tuple(int(count @ spots.board_weights) for count in counts)


def _chart(
    street: Street, on_board: int, counted: Iterator[tuple[int, ...]], before: str
) -> StreetChart:
    sizes = sorted({*street.multiples}, reverse=True)
    actions = (*(f"{size}x" for size in sizes), street.otherwise)
    rows = tuple(
        HandRow(name, ways) for (name, _), ways in zip(ROWS[on_board], counted, strict=True)
    )
    return StreetChart(street.name, HOLDEM[on_board][0], actions, rows, before)
