"""Last decision valued by enumerating the dealer's hands, or a fixed random sample where too many.

Who knows one of the dealer's cards, or cards that the dealer cannot have, looks at some of those
hands only. Where there are too many hands a fixed sample of them stands for all: that is near
enough to tell how a player who knows would choose.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from math import comb
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact import four_card
from croupier.exact.kernels import four_card_rank
from croupier.exact.kernels.array_types import Uint8s
from croupier.exact.kernels.poker_rank import rank_once
from croupier.exact.kernels.showdown_rows import LOSS, LOSS_QUALIFYING, TIE, WIN, WIN_QUALIFYING
from croupier.exact.kernels.showdowns import DEALER_SIZE
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.protection.known_game import KnownGame, known_game
from croupier.protection.one_decision import KnownOneDecision

ValueTable = NDArray[np.float64]
Numbers = tuple[int, ...]
FEW_HANDS, MANY_HANDS, EVERY_HAND = 2_000, 20_000, comb(52, DEALER_SIZE)


class LastDecision(NamedTuple):
    """The dealer's hidden cards, a row a hand, and what each action brings, in Antes."""

    actions: tuple[str, ...]
    hands: Uint8s
    nets: ValueTable  # (actions, hands)

    def by_card(self) -> ValueTable:
        """(52, actions): the mean over the hands with each card; not a number for other cards."""
        size = self.hands.shape[1]
        cards = self.hands.reshape(-1)
        counts = np.bincount(cards, minlength=52)
        sums = [np.bincount(cards, np.repeat(net, size), 52) for net in self.nets]
        with np.errstate(invalid="ignore"):
            return np.array(sums).T / counts[:, None]

    def given(self, held: Numbers, dead: Numbers) -> ValueTable:
        """By action: the mean over the hands with all of these cards and none of those."""
        with_all = np.isin(self.hands, held).sum(axis=1) == len(held)
        apart = ~np.isin(self.hands, dead).any(axis=1)
        means: ValueTable = self.nets[:, with_all & apart].mean(axis=1)
        return means

    def without(self, sets: Uint8s) -> ValueTable:
        """(sets, actions): the mean over the hands with none of the cards of each row."""
        apart = (_bits(self.hands) & _bits(sets)[:, None]) == 0
        means: ValueTable = (apart @ self.nets.T) / np.maximum(apart.sum(axis=1), 1)[:, None]
        return means


def _bits(cards: Uint8s) -> NDArray[np.uint64]:
    """A bit a card, a number a row."""
    bits: NDArray[np.uint64] = np.left_shift(np.uint64(1), cards.astype(np.uint64)).sum(axis=1)
    return bits


Decider = Callable[[Numbers, Numbers], LastDecision]
"""By a box's own cards and those face up."""


@lru_cache(maxsize=8)
def last_decisions(rules: Rules, most: int) -> Decider:
    """What values the last decision of this game, by at most so many hands of the dealer."""
    if shape_of(rules) is GameShape.HOLDEM:
        game = known_game(rules)
        return lambda own, board: _river(game, own, board, unseen_hands(own + board, 2, most))
    if shape_of(rules) is GameShape.FOUR_CARD:
        return _four_card(rules, most)
    return _one_decision(rules, most)


def _river(game: KnownGame, hole: Numbers, board: Numbers, hands: Uint8s) -> LastDecision:
    play, fold = game.early, len(game.plays) - 1
    mine = int(rank_once(np.array([hole + board], np.uint8))[0])
    boards = np.tile(np.array(board, np.uint8), (len(hands), 1))
    theirs = rank_once(np.hstack([hands, boards])).astype(np.int64)
    qualifies = theirs >= game.pays.first_qualifying
    won = np.where(qualifies, WIN_QUALIFYING, WIN)
    lost = np.where(qualifies, LOSS_QUALIFYING, LOSS)
    ended = np.where(theirs < mine, won, np.where(theirs == mine, TIE, lost))
    nets = game.pays.nets[[play, fold], game.pays.cell_of_class[mine]][:, ended]
    return LastDecision((game.plays[play][0], game.plays[fold][0]), hands, nets / game.denominator)


def _four_card(rules: Rules, most: int) -> Decider:
    stakes, names = four_card.stakes_of(rules), four_card.action_names(rules)

    def decide(own: Numbers, up: Numbers) -> LastDecision:
        hands = unseen_hands(own + up, DEALER_SIZE - 1, most)
        mine = int(four_card_rank.rank_hands(np.array([own], np.uint8))[0])
        whole = np.hstack([hands, np.full((len(hands), 1), up[0], np.uint8)])
        theirs = four_card_rank.rank_hands(whole)
        edge = np.where(theirs < mine, 1, np.where(theirs == mine, stakes.ties, -1))
        bonus = stakes.bonus_of_class[mine] / stakes.unit
        plays = [(1 + play) * edge + bonus for play in (stakes.most, stakes.least)]
        return LastDecision(names, hands, np.array([*plays, np.full(len(hands), -1.0)]))

    return decide


def _one_decision(rules: Rules, most: int) -> Decider:
    known = KnownOneDecision(rules)
    game, size = known.game, known.table.dealer.cards
    place = {tuple(sorted(card.number for card in own)): at for at, own in enumerate(known.own)}

    def decide(own: Numbers, up: Numbers) -> LastDecision:
        hands = unseen_hands(own, size, most)
        at = place[tuple(sorted(own))]
        padded = np.full((len(hands), 3), 52, np.int64)
        padded[:, :size] = hands
        theirs = game.cube[padded[:, 0], padded[:, 1], padded[:, 2]]
        mine, shut = game.order[at], theirs < game.first_opening
        ended = 2 * np.where(theirs < mine, 0, np.where(theirs == mine, 1, 2)) + shut
        nets = game.nets[:, game.cells[at]][:, ended] / known.unit
        return LastDecision(tuple(known.table.actions), hands, nets)

    return decide


def unseen_hands(seen: Numbers, size: int, most: int = EVERY_HAND) -> Uint8s:
    """All hands of so many unseen cards, or a fixed sample where they are more than ``most``."""
    rest = np.array([card for card in range(52) if card not in seen], np.uint8)
    found: Uint8s = rest[_places(len(rest), size, most)]
    return found


@lru_cache(maxsize=8)
def _places(total: int, size: int, most: int) -> NDArray[np.int64]:
    if comb(total, size) <= most:
        return np.array(list(combinations(range(total), size)), np.int64)
    chance = Random(total * most)
    return np.array([chance.sample(range(total), size) for _ in range(most)])
