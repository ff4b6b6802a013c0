"""Strategies as the tables the simulator's kernels decide by: optimal play, or a rule file."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from croupier.exact import four_card as exact_four_card
from croupier.exact import holdem as exact_holdem
from croupier.exact import holdem_bets as exact_holdem_bets
from croupier.exact.hand_classes import all_sets
from croupier.exact.kernels.holdem import HoldemStrategy as Decisions
from croupier.exact.kernels.positions import CHOOSE, SUIT_NAMES, positions
from croupier.exact.kernels.showdowns import HAND_SIZE
from croupier.exact.strategy.strategies import four_card_actions, holdem_decisions
from croupier.exact.strategy.strategy_file import Strategy
from croupier.facts.errors import Unreadable
from croupier.games.rules import Rules
from croupier.rulebook.book import Street
from croupier.simulate.kernels import four_card, holdem, holdem_bets
from croupier.simulate.plan import PlayerStrategy, SimulationPlan


def holdem_minds(plan: SimulationPlan) -> tuple[holdem.HoldemDecisions, holdem.HoldemHands]:
    """The decisions of every box at Hold'em with one Play, and what ranks its hands."""
    decisions = [_holdem_decisions(plan.rules, mind) for mind in plan.minds]
    raises, bets, ends = exact_holdem.sizes(plan.rules)
    spots = positions()
    flop_of, flop_name = spots.flop_places
    minds = holdem.HoldemDecisions(
        of_box=of_boxes(plan),
        preflop=np.stack([chosen.preflop for chosen in decisions]),
        flop=np.stack([_bits_by_size(chosen.flop, len(bets)) for chosen in decisions]),
        river=np.stack([chosen.river for chosen in decisions]),
        first_bet=len(raises),
        first_end=len(raises) + len(bets),
        fold=len(raises) + len(bets) + len(ends),
        flop_of=flop_of,
        flop_name=flop_name,
        renamed_holes=spots.renamed_holes,
        board_places=_board_places(),
        names=SUIT_NAMES,
        choose=CHOOSE,
    )
    return minds, holdem.rank_tables()


def holdem_bets_minds(plan: SimulationPlan) -> tuple[holdem_bets.BetsTables, holdem.HoldemHands]:
    """The decisions of every box where bets add up, and what ranks its hands."""
    for mind in plan.minds:
        if mind.strategy is not None:
            raise Unreadable(
                f"{plan.rules.game.name} is simulated with optimal play alone: its bets add up"
            )
    best = exact_holdem_bets.best_bets(base_of(plan.rules)).strategy
    spots = positions()
    minds = holdem_bets.BetsTables(
        np.zeros(len(plan.seats), dtype=np.int64),
        best.plays,
        _in_bits(best.flop),
        _in_bits(best.turn),
        *spots.flop_places,
        *spots.turn_places,
        spots.renamed_holes,
        CHOOSE,
    )
    return minds, holdem.rank_tables()


def four_card_minds(
    plan: SimulationPlan,
) -> tuple[four_card.FourCardDecisions, four_card.FourCardHands]:
    """The decisions of every box at Four Card Poker, and what ranks its hands."""
    solved = _solved(base_of(plan.rules))
    shown, actions = solved.shown, []
    for mind in plan.minds:
        if mind.strategy is None:
            actions.append(solved.actions)
        else:
            refuse_other_games(plan.rules, mind.strategy)
            actions.append(four_card_actions(mind.strategy, shown)[0])
    minds = four_card.FourCardDecisions(of_boxes(plan), np.stack(actions), _hand_places(), CHOOSE)
    return minds, four_card.rank_tables()


@lru_cache(maxsize=2)
def _solved(rules: Rules) -> exact_four_card.SolvedFourCard:
    return exact_four_card.solve_base(rules)


def _bits_by_size(flop: NDArray[np.uint8], sizes: int) -> NDArray[np.uint64]:
    """A table a size of the bet."""
    tables = [_in_bits((flop == size).astype(np.uint8)) for size in range(1, sizes + 1)]
    return np.stack(tables) if tables else np.zeros((0, len(flop), 1), dtype=np.uint64)


def _in_bits(flop: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """A bit a hole instead of a byte: such a table fits a processor's second-level cache."""
    words = -(-flop.shape[1] // 64)
    padded = np.zeros((len(flop), 64 * words), dtype=np.uint8)
    padded[:, : flop.shape[1]] = flop
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def of_boxes(plan: SimulationPlan) -> NDArray[np.int64]:
    """By box: the number of its mind."""
    return np.array([plan.minds.index(seat.mind) for seat in plan.seats])


@cache
def _hand_places() -> NDArray[np.uint32]:
    sets, places = all_sets(), np.zeros(comb(52, 5), dtype=np.uint32)
    four_card.find_hands(sets.steps, int(sets.starts[HAND_SIZE]), CHOOSE, places)
    return places


@cache
def _board_places() -> NDArray[np.uint32]:
    places = np.zeros(comb(52, 5), dtype=np.uint32)
    holdem.find_boards(positions().boards, SUIT_NAMES, CHOOSE, places)
    return places


def _holdem_decisions(rules: Rules, mind: PlayerStrategy) -> Decisions:
    if mind.strategy is None:
        return _best(base_of(rules))
    refuse_other_games(rules, mind.strategy)
    return _by_the_book(mind, exact_holdem.asked(rules))


@lru_cache(maxsize=4)
def _by_the_book(mind: PlayerStrategy, asked: tuple[Street | None, ...]) -> Decisions:
    assert mind.strategy is not None, "optimal play has no rules to follow"
    return holdem_decisions(mind.strategy, asked)[0]


@lru_cache(maxsize=4)
def _best(rules: Rules) -> Decisions:
    return exact_holdem.best_play(rules)


def base_of(rules: Rules) -> Rules:
    """The same Rules without anything optional: all that the best strategy depends on."""
    needed = [wager.name for wager in rules.book.wagers if not wager.optional]
    return replace(
        rules,
        letters=tuple((name, letter) for name, letter in rules.letters if name in needed),
        paytables=tuple((name, table) for name, table in rules.paytables if name in needed),
        progressive=None,
        envy=None,
        payout_limit_cents=None,
    )


def refuse_other_games(rules: Rules, strategy: Strategy) -> None:
    """A strategy knows the streets of its own game only."""
    if strategy.game != rules.game.id:
        raise Unreadable(f"{strategy.name} is a strategy for {strategy.game}, not {rules.game.id}")
