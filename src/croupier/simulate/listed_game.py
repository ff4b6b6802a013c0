"""A game without kernels of its own, as lists: every hand's class, and what is done with it.

Hands are ranked and decisions made by the readable code, once for each hand that can be held; so
any game can be dealt by the million whose hands are few and lie in front of their own players.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact import generic
from croupier.exact.hand_samples import samples
from croupier.exact.kernels.positions import CHOOSE
from croupier.exact.strategy.features import CardsInSight
from croupier.facts.cards import DECK, Cards
from croupier.facts.errors import Unreadable
from croupier.facts.hands import Hand
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.simulate.decision_tables import base_of, of_boxes, refuse_other_games
from croupier.simulate.kernels import listed
from croupier.simulate.plan import PlayerStrategy, SimulationPlan

MOST_HANDS = comb(len(DECK), 4)


@dataclass(frozen=True)
class ListedGame:
    """What a game's module of kernels has, for one that has none."""

    LOOKS: tuple[str, ...]
    own_cards: int
    dealer_cards: int
    play_rounds: Callable[..., Any] = listed.play_rounds
    note_rounds: Callable[..., Any] = listed.note_rounds

    def dealt_cards(self, boxes: int, with_six: bool) -> int:
        """How many cards a round takes."""
        return self.dealer_cards + self.own_cards * boxes


def refuse_unlisted(rules: Rules) -> None:
    """Say what stands in the way of listing a game's hands."""
    book, why = rules.book, ""
    others = [place.name for place in book.places if place.name not in ("box", "dealer")]
    sizes = [comb(len(DECK), book.place(name).cards) for name in ("box", "dealer")]
    unseen = [name for name, look in rules.game.looks.items() if look is not rules.game.player]
    if len(book.streets) != 1:
        why = f"it has {len(book.streets)} decisions"
    elif others:
        why = f"cards lie at {' and '.join(others)} too"
    elif max(sizes) > MOST_HANDS:
        why = f"its hands are {max(sizes):,}, too many to list"
    elif unseen:
        why = f'a wager looks at "{unseen[0]}", not at the hand that meets the dealer\'s'
    if why:
        raise Unreadable(f"{rules.game.name} needs kernels of its own to be simulated: {why}")


def listed_game(rules: Rules) -> ListedGame:
    own, dealer = (rules.book.place(name).cards for name in ("box", "dealer"))
    return ListedGame(tuple(rules.game.looks), own, dealer)


def listed_minds(plan: SimulationPlan) -> tuple[listed.ListedDecisions, listed.ListedHands]:
    """The decisions of every box, and the class of every hand."""
    rules, game = plan.rules, listed_game(plan.rules)

    def player(own: Cards) -> Hand:
        box = FinishedBox(seat=1, cards=own, stakes={})
        return rules.game.player(FinishedRound(rules, {}, (box,)), box).hand

    def dealer(cards: Cards) -> Hand:
        return rules.game.dealer(FinishedRound(rules, {"dealer": cards}, ()))

    deal = listed.ListedDeal(game.own_cards, game.dealer_cards, CHOOSE)
    hands = listed.ListedHands(
        deal, _classes(rules, game.own_cards, player), _classes(rules, game.dealer_cards, dealer)
    )
    actions = np.stack([_actions(base_of(rules), mind) for mind in plan.minds])
    return listed.ListedDecisions(deal, of_boxes(plan), actions), hands


def _classes(rules: Rules, size: int, rank: Callable[[Cards], Hand]) -> NDArray[np.int64]:
    number = {hand: n for n, hand in enumerate(samples(rules.game.ranking))}
    return np.array([number[rank(cards)] for cards in generic.coded_sets(size)])


@lru_cache(maxsize=4)
def _actions(rules: Rules, mind: PlayerStrategy) -> NDArray[np.uint8]:
    """[code, up card]: what is done; one column where no card is up."""
    (street,), strategy = rules.book.streets, mind.strategy
    if strategy is None:
        return generic.best_actions(rules)
    refuse_other_games(rules, strategy)
    return generic.actions_by_code(
        rules, lambda own, up: strategy.action(street.name, CardsInSight(own, up))
    )
