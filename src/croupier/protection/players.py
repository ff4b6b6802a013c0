"""Players for simulated rounds: honest ones of several styles, and ones who know cards too early.

Who knows cards chooses the best in every decision by exact values. To who shares cards each of the
others changes the first decision as it would alone; from the flop on they are counted together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np

from croupier.exact import holdem as exact_holdem
from croupier.exact.kernels.positions import positions
from croupier.exact.strategy.features import CardsInSight
from croupier.facts.cards import DECK, Cards
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.protection.advice import advise
from croupier.protection.first_decisions import first_decisions
from croupier.protection.first_values import BesideValues, hole_place, values_beside
from croupier.protection.knowledge import NOTHING, Knowledge, KnownPlaces, knowledge
from croupier.protection.last_decision import MANY_HANDS, Numbers, last_decisions
from croupier.protection.screening import SHARES, ScreenedBox, ScreenedDecision
from croupier.protection.simple_strategy import simple_strategy
from croupier.simulate.kernels.holdem import rank_tables
from croupier.simulate.kernels.known_cards import (
    UNKNOWN,
    SeenEarly,
    bets_at_end,
    bets_on_flop,
)
from croupier.simulate.knowing_tables import showdown_pays


@dataclass(frozen=True)
class SimulatedDeal:
    """One round as it lies: all cards by number; ``up`` are the dealer's face up."""

    own: Numbers
    dealer: Numbers
    up: Numbers
    board: Numbers
    others: Numbers
    burn: Numbers = ()

    def known(self, knows: Knowledge) -> KnownPlaces:
        """What a player of this kind knows of it."""
        return KnownPlaces(
            self.dealer[: knows.dealer],
            self.board[: knows.flop],
            self.board[3 : 3 + knows.late],
            self.burn[: knows.burn],
        )


def deal(rules: Rules, chance: Random, boxes: int = 3) -> SimulatedDeal:
    """A random round with so many boxes, of which one is played."""
    places = {place.name: place.cards for place in rules.book.places if place.only_for is None}
    box, dealer, board = places["box"], places["dealer"], places.get("board", 0)
    ups = 1 if shape_of(rules) is GameShape.FOUR_CARD else 0
    cards = tuple(chance.sample(range(52), boxes * box + dealer + board + 1))
    own, held, rest = cards[:box], cards[box : box + dealer], cards[box + dealer : -1]
    return SimulatedDeal(own, held[ups:], held[:ups], rest[:board], rest[board:], cards[-1:])


Playing = Callable[[SimulatedDeal], tuple[str, ...]]
"""What is done street by street: check, fold, or a Play such as 4x, with which it ends."""


HONEST = ("optimal", "simple", "bold", "timid")


def player(rules: Rules, style: str) -> Playing:
    """An honest style, a kind of knowledge, or one who shares cards."""
    if shape_of(rules) is GameShape.HOLDEM:
        return _holdem_player(rules, style)
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


def _simple(rules: Rules) -> Playing | None:
    """The shipped simple strategy of this game, if there is one."""
    strategy = simple_strategy(rules)
    if strategy is None:
        return None

    def play(deal: SimulatedDeal) -> tuple[str, ...]:
        done: list[str] = []
        for street in rules.book.streets:
            seen = exact_holdem.on_board_at(rules, street) if deal.board else 0
            sight = CardsInSight(_cards(deal.own), _cards(deal.up + deal.board[:seen]))
            done.append(strategy.action(street.name, sight))
            if done[-1] != "check":
                break
        return tuple(done)

    return play


# A game of one decision


def _one_decision_player(rules: Rules, style: str) -> Playing:
    if style == "simple" and (simple := _simple(rules)) is not None:
        return simple
    if style in ("bold", "timid"):
        return _stubborn(rules, bold=style == "bold")
    knows = knowledge(rules, style) if style not in (*HONEST, SHARES) else NOTHING
    if shape_of(rules) is GameShape.FOUR_CARD:
        return _advised(rules, knows, style == SHARES)
    last = last_decisions(rules, MANY_HANDS)

    def play(deal: SimulatedDeal) -> tuple[str, ...]:
        found, known = last(deal.own, deal.up), deal.known(knows)
        dead = known.burn + (deal.others if style == SHARES else ())
        return (found.actions[int(np.argmax(found.given(known.dealer, dead)))],)

    return play


def _stubborn(rules: Rules, bold: bool) -> Playing:
    """Bets the most at once, or the least as late as can be."""
    streets = rules.book.streets
    if bold:
        done: tuple[str, ...] = (f"{max(streets[0].multiples)}x",)
    else:
        done = (*(street.otherwise for street in streets[:-1]), f"{min(streets[-1].multiples)}x")
    return lambda deal: done


def _advised(rules: Rules, knows: Knowledge, shares: bool) -> Playing:
    def play(deal: SimulatedDeal) -> tuple[str, ...]:
        known = deal.known(knows)
        dead = _cards(known.burn + (deal.others if shares else ()))
        values = advise(rules, _cards(deal.own), _cards(deal.up), _cards(known.dealer), dead)
        return (next(iter(values)),)

    return play


# Hold'em


def _holdem_player(rules: Rules, style: str) -> Playing:
    if style == "simple" and (simple := _simple(rules)) is not None:
        return simple
    if style in ("bold", "timid"):
        return _stubborn(rules, bold=style == "bold")
    if style in (*HONEST, SHARES):
        return _BestHoldem(rules, NOTHING, shares=style == SHARES).play
    return _BestHoldem(rules, knowledge(rules, style)).play


class _BestHoldem:
    """The best there is with what is known; nothing known is optimal play."""

    def __init__(self, rules: Rules, knows: Knowledge, shares: bool = False) -> None:
        self.rules, self.knows, self.shares = rules, knows, shares
        self.sight = [exact_holdem.on_board_at(rules, street) for street in rules.book.streets]
        self.first = first_decisions(rules, knows) if 0 in self.sight else None
        self.beside = values_beside(rules) if shares and self.first is not None else None
        self.best, self.spots = exact_holdem.best_play(rules), positions()
        self.pays, self.hands = showdown_pays(rules), rank_tables()

    def play(self, deal: SimulatedDeal) -> tuple[str, ...]:
        done: list[str] = []
        for seen in self.sight:
            done.append(self._action(deal, seen))
            if done[-1] != exact_holdem.CHECK:
                break
        return tuple(done)

    def _action(self, deal: SimulatedDeal, seen: int) -> str:
        known = deal.known(self.knows)
        if not seen:
            assert self.first is not None, "it is asked before the flop"
            if self.beside is not None:
                return self.first.actions[self._place_beside(self.beside, deal)]
            return self.first.action(known, deal.own)
        dead = known.burn + (deal.others if self.shares else ())
        if seen == 3 and not (known.late or dead or known.dealer):
            return self._honestly(deal.own, deal.board[:3])
        one, other = (*known.dealer, UNKNOWN, UNKNOWN)[:2]
        (late,) = known.late or (UNKNOWN,)
        taken = sum(1 << card for card in deal.own + dead)
        low, high = sorted(deal.own)
        cards = (np.array(deal.board), low, high, SeenEarly(one, other, late, taken))
        bets = (bets_on_flop if seen == 3 else bets_at_end)(*cards, self.pays, self.hands)
        return self._bet_or_not(1 if seen == 3 else 2, bets)

    @staticmethod
    def _place_beside(beside: BesideValues, deal: SimulatedDeal) -> int:
        """The place of the larger raise, or of waiting."""
        others = np.array([deal.others], np.uint8)
        ((raised, waited),) = beside(hole_place(deal.own), others).tolist()
        return 0 if raised > waited else -1

    def _honestly(self, own: Numbers, flop: Numbers) -> str:
        return self._bet_or_not(1, bool(self.best.flop[self.spots.flop_spot(flop, own)]))

    def _bet_or_not(self, at: int, bets: bool) -> str:
        street = exact_holdem.asked(self.rules)[at]
        assert street is not None, "it is asked there"
        return exact_holdem.actions_on(self.rules, at)[0][0] if bets else street.otherwise
