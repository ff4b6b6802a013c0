"""Vectorized advice: values of many positions in one array pass over the solvers' tables.

The same exact values as :func:`croupier.exact.advice.advise`, as floats: a whole log of decisions
takes less time than a few dozen of them one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from croupier.exact import four_card, generic, holdem, holdem_bets
from croupier.exact.advice import mean_results
from croupier.exact.base_game import FOLD
from croupier.exact.enumeration import HandDecision
from croupier.exact.generic import KnownCards
from croupier.exact.hand_partitions import first_opening_class
from croupier.exact.kernels import four_card as four_card_kernel
from croupier.exact.kernels.array_types import Int64s, Uint8s, Uint32s, int64
from croupier.exact.kernels.card_sets import NO_EXCHANGE, exchanged, walk
from croupier.exact.kernels.compiled import kernel
from croupier.exact.kernels.positions import CHOOSE, positions
from croupier.exact.kernels.rivers import meet_dealers
from croupier.exact.kernels.showdowns import HAND_SIZE, Showdowns, showdowns
from croupier.exact.solution import Solution
from croupier.exact.strategy.chart_names import start_name
from croupier.facts.cards import DECK
from croupier.facts.progress import Progress
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of

CardRows = NDArray[np.uint8]
ValueRows = dict[str, NDArray[np.float64]]
"""By action: its value in Antes, one for each position."""


@dataclass(frozen=True)
class PositionRows:
    """Rows of card numbers: a box's own, what lies on the board, and the dealer's up card."""

    own: CardRows
    board: CardRows
    up: CardRows


class Valuer:
    """Values positions of one street after the other; tables are counted when first needed."""

    def __init__(
        self, rules: Rules, solution: Solution, progress: Progress = lambda what, done: None
    ) -> None:
        self.rules, self.solution, self._progress = rules, solution, progress

    def values(self, spots: PositionRows) -> ValueRows:
        return _VALUED[shape_of(self.rules)](self, spots)

    def _report(self, done: float) -> None:
        self._progress("valuing decisions", done)

    # Hold'em

    def _holdem(self, spots: PositionRows) -> ValueRows:
        own = np.sort(spots.own, axis=1).astype(np.int64)
        holes = CHOOSE[own[:, 1], 2] + own[:, 0]
        if spots.board.shape[1] == 0:
            return {name: worth[holes] for name, worth in self._starts.items()}
        if spots.board.shape[1] == 3:
            flop = np.sort(spots.board, axis=1).astype(np.int64)
            codes = CHOOSE[flop, np.arange(1, 4)].sum(axis=1)
            flop_of, name_of = positions().flop_places
            at = flop_of[codes], positions().renamed_holes[name_of[codes], holes]
            bets, checks = self._flops
            names = (name for name, _ in holdem.actions_on(self.rules, 1))
            made = {name: bet[at] for name, bet in zip(names, bets, strict=True)}
            street = holdem.asked(self.rules)[1]
            return {**made, street.otherwise if street is not None else holdem.CHECK: checks[at]}
        hands = np.ascontiguousarray(np.hstack([spots.own, spots.board]))
        met = meet_dealers(hands, first_opening_class(self.rules), self._report)
        fold = mean_results(self.rules, met[0][:1], met[1][:1], None)
        played = {
            name: np.array([float(value) for value in mean_results(self.rules, *met, multiple)])
            for name, multiple in holdem.actions_on(self.rules, 2)
        }
        return {**played, FOLD: np.full(len(hands), float(fold[0]))}

    def _holdem_bets(self, spots: PositionRows) -> ValueRows:
        if spots.board.shape[1]:
            return holdem_bets.later_values(self.rules, spots.own, spots.board)
        own = np.sort(spots.own, axis=1).astype(np.int64)
        holes = CHOOSE[own[:, 1], 2] + own[:, 0]
        return {name: worth[holes] for name, worth in self._starts.items()}

    @cached_property
    def _starts(self) -> ValueRows:
        """By action, then by hole: what it is worth before the flop."""
        known = {hand.name: dict(hand.values) for hand in self.solution.hands}
        names = [start_name(DECK[a], DECK[b]) for b in range(52) for a in range(b)]
        actions = known[names[0]]
        return {
            action: np.array([float(known[name][action]) for name in names]) for action in actions
        }

    @cached_property
    def _flops(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return holdem.flop_values(self.rules, self._progress)

    # Four Card Poker

    def _four_card(self, spots: PositionRows) -> ValueRows:
        shown, stakes = self._showdowns, four_card.stakes_of(self.rules)
        rows, columns = np.zeros((2, len(spots.own)), dtype=np.int64)
        first = int(shown.sets.starts[HAND_SIZE])
        _find(spots.own, spots.up, shown.sets.steps, first, NO_EXCHANGE, rows, columns)
        below = shown.below[rows, columns].tolist()
        equal = shown.equal[rows, columns].tolist()
        found = np.array(
            [
                four_card_kernel.action_values(
                    (less, same, shown.completions - less - same), stakes, hand
                )
                for less, same, hand in zip(below, equal, shown.classes[rows].tolist(), strict=True)
            ],
            dtype=np.float64,
        ).reshape(-1, 4)
        names = four_card.action_names(self.rules)
        return {name: found[:, at] / found[:, 3] for at, name in enumerate(names)}

    @cached_property
    def _showdowns(self) -> Showdowns:
        return showdowns(progress=self._report)

    # Any other game

    def _generic(self, spots: PositionRows) -> ValueRows:
        known = [
            self._decisions[
                tuple(sorted(DECK[card] for card in own)),
                tuple(sorted(DECK[card] for card in (*up, *board))),
            ].values
            for own, board, up in zip(spots.own, spots.board, spots.up, strict=True)
        ]
        actions = [action for action, _ in known[0]]
        return {
            action: np.array([float(values[at][1]) for values in known])
            for at, action in enumerate(actions)
        }

    @cached_property
    def _decisions(self) -> Mapping[KnownCards, HandDecision]:
        return generic.solve_base(self.rules, progress=self._progress).decisions


_VALUED: dict[GameShape, Callable[[Valuer, PositionRows], ValueRows]] = {
    GameShape.HOLDEM: Valuer._holdem,
    GameShape.HOLDEM_BETS: Valuer._holdem_bets,
    GameShape.FOUR_CARD: Valuer._four_card,
    GameShape.OWN_CARDS: Valuer._generic,
}


@kernel
def _find(
    own: Uint8s, ups: Uint8s, steps: Uint32s, first: int, unchanged: int, rows: Int64s,
    columns: Int64s,
) -> None:  # fmt: skip
    """Where each five cards and up card stand in the table of showdowns."""
    for row in range(len(own)):
        kind, exchange = int64(0), int64(unchanged)
        for place in range(own.shape[1]):
            kind, exchange = walk(steps, kind, exchange, int64(own[row, place]))
        rows[row] = kind - first
        columns[row] = exchanged(int64(ups[row, 0]), exchange)
