"""Players for simulated logs: honest ones of several styles, and ones who know cards too early.

A player who knows a card of the flop or of turn and river, or one of the dealer's, chooses the best
on every street by exact values. Who shares cards plays honestly before the flop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np

from croupier.exact import uth as exact_uth
from croupier.exact.kernels.positions import positions
from croupier.exact.solution_cache import solved
from croupier.exact.strategy.chart_names import start_name
from croupier.exact.strategy.features import CardsInSight
from croupier.exact.strategy.strategy_file import Strategy, read_strategy, shipped
from croupier.facts.cards import DECK, Cards
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.protection.first_values import RAISE, first_values
from croupier.protection.flop_decision import EVERY, NO_SETS, flop_decisions
from croupier.protection.knowledge import knowledge
from croupier.protection.known_game import known_game
from croupier.protection.last_decision import MANY_HANDS, Numbers, last_decisions
from croupier.protection.screening import SHARES, ScreenedBox, ScreenedDecision


@dataclass(frozen=True)
class SimulatedDeal:
    """One round as it lies: all cards by number; ``up`` are the dealer's face up."""

    own: Numbers
    dealer: Numbers
    up: Numbers
    board: Numbers
    others: Numbers


def deal(rules: Rules, chance: Random, boxes: int = 3) -> SimulatedDeal:
    """A random round with so many boxes, of which one is played."""
    places = {place.name: place.cards for place in rules.book.places if place.only_for is None}
    box, dealer, board = places["box"], places["dealer"], places.get("board", 0)
    ups = 1 if shape_of(rules) is GameShape.FOUR_CARD else 0
    cards = chance.sample(range(52), boxes * box + dealer + board)
    own, held, rest = cards[:box], cards[box : box + dealer], cards[box + dealer :]
    return SimulatedDeal(
        tuple(own), tuple(held[ups:]), tuple(held[:ups]), tuple(rest[:board]), tuple(rest[board:])
    )


Playing = Callable[[SimulatedDeal], tuple[str, ...]]
"""What is done street by street: check, fold, or a Play such as 4x, with which it ends."""

HONEST = ("optimal", "simple", "bold", "timid")


def player(rules: Rules, style: str) -> Playing:
    """An honest style, or a kind of knowledge that the screen looks for."""
    if shape_of(rules) is GameShape.HOLDEM:
        return _uth_player(rules, style)
    return _one_decision_player(rules, style)


def box_of(deal: SimulatedDeal, name: str, done: tuple[str, ...]) -> ScreenedBox:
    """What surveillance sees of it afterwards."""
    decisions = tuple(ScreenedDecision(street, action) for street, action in enumerate(done))
    return ScreenedBox(
        player=name,
        own=_cards(deal.own),
        decisions=decisions,
        dealer=_cards(deal.dealer),
        up=_cards(deal.up),
        board=_cards(deal.board),
        others=_cards(deal.others),
    )


def _cards(numbers: Numbers) -> Cards:
    return tuple(DECK[number] for number in numbers)


# A game of one decision


def _one_decision_player(rules: Rules, style: str) -> Playing:
    last, simple = last_decisions(rules, MANY_HANDS), _simple(rules)
    (street,) = rules.book.streets

    def play(deal: SimulatedDeal) -> tuple[str, ...]:
        if style == "simple" and simple is not None:
            return (simple.action(street.name, CardsInSight(_cards(deal.own), _cards(deal.up))),)
        found = last(deal.own, deal.up)
        if style in ("bold", "timid"):
            return (found.actions[0 if style == "bold" else -2],)
        values = found.nets.mean(axis=1)
        if style == "dealer":
            values = found.by_card()[deal.dealer[0]]
        elif style == SHARES:
            values = found.without(np.array([deal.others], np.uint8))[0]
        return (found.actions[int(np.argmax(values))],)

    return play


@cache
def _simple(rules: Rules) -> Strategy | None:
    texts: Mapping[str, str] = shipped()
    name = f"{rules.game.id}-simple"
    return read_strategy(texts[name], name) if name in texts else None


# Ultimate Texas Hold'em


def _uth_player(rules: Rules, style: str) -> Playing:
    if style == "bold":
        return lambda deal: ("4x",)
    if style == "timid":
        return lambda deal: ("check", "check", "1x")
    if style == "simple":
        return _simple_uth(rules)
    return _KnowingUth(rules, style).play


def _simple_uth(rules: Rules) -> Playing:
    simple = _simple(rules)
    assert simple is not None, "it is shipped"
    streets = [street.name for street in rules.book.streets]

    def play(deal: SimulatedDeal) -> tuple[str, ...]:
        done: list[str] = []
        for street, seen in zip(streets, (0, 3, 5), strict=True):
            sight = CardsInSight(_cards(deal.own), _cards(deal.board[:seen]))
            done.append(simple.action(street, sight))
            if done[-1] != "check":
                break
        return tuple(done)

    return play


class _KnowingUth:
    """The best there is with what is known; nothing known is optimal play."""

    def __init__(self, rules: Rules, style: str) -> None:
        self.style, self.game = style, known_game(rules)
        self.last = last_decisions(rules, MANY_HANDS)
        self.on_flop = flop_decisions(rules, EVERY)
        self.best, self.spots = exact_uth.best_play(rules), positions()
        self.raises = {hand.name for hand in solved(rules).hands if hand.best.endswith("x")}
        knows_one = style in ("dealer", "flop", "turn-or-river")
        self.first = first_values(rules, knowledge(rules, style)) if knows_one else None

    def play(self, deal: SimulatedDeal) -> tuple[str, ...]:
        top, *_ = (name for name, _ in self.game.plays)
        if self._raises(deal):
            return (top,)
        if self._bets_flop(deal):
            return ("check", self.game.plays[self.game.early - 1][0])
        return ("check", "check", self._last(deal))

    def _known(self, deal: SimulatedDeal) -> int | None:
        lies = {"dealer": deal.dealer, "flop": deal.board, "turn-or-river": deal.board[3:]}
        return lies[self.style][0] if self.style in lies else None

    def _raises(self, deal: SimulatedDeal) -> bool:
        card = self._known(deal)
        if self.first is None or card is None:
            return start_name(*_cards(deal.own)) in self.raises
        low, high = sorted(deal.own)
        return int(np.argmax(self.first[card, high * (high - 1) // 2 + low])) == RAISE

    def _bets_flop(self, deal: SimulatedDeal) -> bool:
        if self.style in ("optimal", "flop"):
            return bool(self.best.flop[self.spots.flop_spot(deal.board[:3], deal.own)])
        sets = np.array([deal.others], np.uint8) if self.style == SHARES else NO_SETS
        values = self.on_flop(deal.own, deal.board[:3], sets)
        if self.style == "dealer":
            bet, wait = values.by_dealer[deal.dealer[0]]
        elif self.style == "turn-or-river":
            bet, wait = values.by_late[deal.board[3]]
        else:
            bet, wait = values.by_set[0]
        return bool(bet > wait)

    def _last(self, deal: SimulatedDeal) -> str:
        found = self.last(deal.own, deal.board)
        values = found.nets.mean(axis=1)
        if self.style == "dealer":
            values = found.by_card()[deal.dealer[0]]
        elif self.style == SHARES:
            values = found.without(np.array([deal.others], np.uint8))[0]
        return found.actions[int(np.argmax(values))]
