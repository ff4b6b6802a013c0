"""What a player who keeps to the simple strategy does first at Hold'em where cards are known.

He looks at cards in sight alone, so known cards change only how often he comes to what he does.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import comb

import numpy as np

from croupier.exact.base_game import actions
from croupier.exact.holdem import asked
from croupier.exact.kernels.array_types import Int32s, Int64s
from croupier.exact.kernels.holdem_features import NAMES, Holes, decide_flops
from croupier.exact.kernels.positions import CHOOSE, FULL_DECK, positions
from croupier.exact.strategy.features import CardsInSight
from croupier.exact.strategy.strategies import hole_values, rule_program
from croupier.exact.strategy.strategy_file import Strategy
from croupier.facts.cards import DECK
from croupier.games.rules import Rules
from croupier.protection.holdem import Solved, first_actions
from croupier.protection.known_game import KnownGame
from croupier.protection.simple_strategy import simple_strategy
from croupier.rulebook.book import Street

SimpleHoldem = Callable[[Solved], Int64s]
"""(spots, actions): how many deals of each spot he begins with each action."""


def simple_holdem(
    rules: Rules, game: KnownGame, cards: tuple[int, ...] = FULL_DECK
) -> SimpleHoldem | None:
    """His first decision at Hold'em, before the flop or on it."""
    strategy = simple_strategy(rules)
    if strategy is None:
        return None
    before, flop, _ = asked(rules)
    if before is not None:
        return _by_start(strategy, before, first_actions(game))
    assert flop is not None, "known_game has refused a Hold'em that asks at the end alone"
    return _FlopBets(strategy, flop, cards).done


def _by_start(strategy: Strategy, before: Street, names: list[str]) -> SimpleHoldem:
    def done(one: Solved) -> Int64s:
        found = np.zeros((len(one.spots.ways), len(names)), np.int64)
        for spot, (low, high) in enumerate(one.spots.holes.tolist()):
            chosen = strategy.action(before.name, CardsInSight((DECK[low], DECK[high])))
            if chosen in names:  # another one is never the best
                found[spot, names.index(chosen)] = one.spots.ways[spot] * one.deals
        return found

    return done


class _FlopBets:
    """How often he bets the flop: by two of its cards, or one of them twice, and his own."""

    def __init__(self, strategy: Strategy, street: Street, cards: tuple[int, ...]) -> None:
        spots = positions(cards)
        numbers = {action: int(action != street.otherwise) for action in actions(street)}
        program = rule_program(strategy.rules[street.name], numbers, NAMES)
        holes = Holes(hole_values(), spots.in_deck)
        bets, _ = decide_flops(spots, program, holes, None, lambda what, done: None)
        rows, names = spots.flop_places
        self._bets: Int32s = np.zeros((52, 52, len(spots.holes)), np.int32)
        for flop in combinations(sorted(cards), 3):
            code = sum(int(CHOOSE[card, place]) for place, card in enumerate(flop, 1))
            renamed = spots.renamed_holes[names[code]]
            self._bets[np.ix_(flop, flop)] += bets[rows[code], renamed]
        self._on_all = np.trace(self._bets) // 3  # each flop has three cards

    def done(self, one: Solved) -> Int64s:
        """By inclusion and exclusion of known cards that are not on the flop; one on it is a spot's
        own, and then at most one lies elsewhere."""
        spots, problem, bets = one.spots, one.problem, self._bets
        gone = problem.dealer + problem.burn + one.late
        hole = CHOOSE[spots.holes[:, 1], 2] + spots.holes[:, 0]
        if spots.by_card:
            on_flop = spots.cards
            found = bets[on_flop, on_flop, hole] - sum(bets[on_flop, card, hole] for card in gone)
        else:
            found = self._on_all[hole] - sum(bets[card, card, hole] for card in gone)
            found = found + sum(bets[*both, hole] for both in combinations(gone, 2))
        left = len(problem.cards) - len(gone) - 2 - spots.by_card
        bet = spots.ways * found * (one.deals // comb(left, 3 - spots.by_card))
        return np.stack([bet, spots.ways * one.deals - bet], axis=1)
