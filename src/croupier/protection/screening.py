"""Screening of decisions: do they fit cards that their player could not see?

For a kind of knowledge, each decision is held against one question: how likely is it from a player
who knows the card that lay there, and how likely on average over all cards that could have lain
there as far as the player could see? The product of these ratios is the *score*. To a player whose
decisions depend only on what may be seen, in whatever way, good or bad, each ratio is 1 on average,
so the score is a betting score: by Ville's inequality the chance that it ever passes x is at most
1/x. With n scores in all, x is n / 1%: then all honest players together are flagged in at most one
log of a hundred. The model of a player who knows decides how soon one is found, not how often an
honest one is flagged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, log
from random import Random

import numpy as np
from numpy.typing import NDArray

from croupier.exact.kernels.compiled import Progress
from croupier.facts.cards import Cards
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.protection.first_values import FirstValues, first_values
from croupier.protection.knowledge import KINDS
from croupier.protection.last_decision import FEW_HANDS, Numbers, ValueTable, last_decisions

FALSE_ALARMS = 0.01  # over all players and kinds of knowledge together
TEMPERATURE = 0.1  # Antes: a choice this much better is taken e times as often
LAPSES = 0.05  # how often a player who knows does anything at all
OTHERS = 31  # sets of cards that a neighbor could have held as well
MOST_TOLD = 5
SHOWN = 10
SHARES = "shares"
_SAYS = {
    "dealer": "a card of the dealer",
    "flop": "a card of the flop",
    "turn-or-river": "turn or river",
    SHARES: "the cards of other boxes",
}


@dataclass(frozen=True)
class ScreenedDecision:
    """``street`` counts from 0; ``action`` is check, fold or a Play such as 4x."""

    street: int
    action: str


@dataclass(frozen=True)
class ScreenedBox:
    """One box of a finished round: its cards and decisions, and all that lay elsewhere."""

    player: str
    own: Cards
    decisions: tuple[ScreenedDecision, ...]
    dealer: Cards
    up: Cards
    board: Cards
    others: Cards
    where: str = ""


@dataclass
class Score:
    """The betting score of one player for one kind of knowledge, as a logarithm."""

    player: str
    knows: str
    decisions: int = 0
    now: float = 0.0
    most: float = 0.0
    told: list[tuple[float, str]] = field(default_factory=list)

    def add(self, ratio: float, where: str) -> None:
        gained = log(ratio)
        self.decisions += 1
        self.now += gained
        self.most = max(self.most, self.now)
        self.told = sorted([*self.told, (gained, where)], reverse=True)[:MOST_TOLD]

    @property
    def telling(self) -> tuple[str, ...]:
        """Where the decisions were made that fit best."""
        return tuple(dict.fromkeys(where for gained, where in self.told if gained > 0 and where))


class DecisionScreen:
    """Every player of one game, box by box."""

    def __init__(self, rules: Rules, progress: Progress = lambda what, done: None) -> None:
        self.rules = rules
        self.last = last_decisions(rules, FEW_HANDS)
        self.firsts: dict[str, FirstValues] = {}
        if shape_of(rules) is GameShape.HOLDEM:
            for kind in KINDS[GameShape.HOLDEM]:
                if not kind.burn and kind.dealer + kind.flop + kind.late == 1:
                    self.firsts[kind.name] = first_values(rules, kind, progress)
        self.kinds = tuple(dict.fromkeys(("dealer", *self.firsts, SHARES)))
        self.scores: dict[tuple[str, str], Score] = {}

    def see(self, box: ScreenedBox) -> None:
        """Score the first and the last decision; one on the flop is passed over, and a round that
        ended before all cards lay there."""
        streets = len(self.rules.book.streets)
        due = {place.name: place.cards for place in self.rules.book.places}
        if len(box.dealer + box.up) < due["dealer"] or len(box.board) < due.get("board", 0):
            return
        for kind in self.kinds:
            self.scores.setdefault((box.player, kind), Score(box.player, kind))
        for decision in box.decisions:
            if decision.street == streets - 1:
                self._see_last(box, decision)
            elif decision.street == 0:
                self._see_first(box, decision)

    def _see_first(self, box: ScreenedBox, decision: ScreenedDecision) -> None:
        low, high = sorted(_numbers(box.own))
        hole = high * (high - 1) // 2 + low
        done = 0 if decision.action.endswith("x") else 1
        lies = {"dealer": box.dealer, "flop": box.board[:3], "turn-or-river": box.board[3:]}
        for kind, values in self.firsts.items():
            self._add(box, kind, fit(values[:, hole], done, lies[kind]))

    def _see_last(self, box: ScreenedBox, decision: ScreenedDecision) -> None:
        own, seen = _numbers(box.own), _numbers(box.board or box.up)
        last = self.last(own, seen)
        done = _nearest(last.actions, decision.action)
        self._add(box, "dealer", fit(last.by_card(), done, box.dealer))
        if box.others:
            sets = _others(_numbers(box.others), {*own, *seen})
            chances = _chances(last.without(sets))[:, done]
            self._add(box, SHARES, float(chances[0] / chances.mean()))

    def _add(self, box: ScreenedBox, kind: str, ratio: float) -> None:
        self.scores[box.player, kind].add(ratio, box.where)


@dataclass(frozen=True)
class ScreenedPlayer:
    """One line of the answer; ``watch``: a reason to watch the recording of these rounds."""

    player: str
    knows: str
    decisions: int
    score: float
    watch: bool
    telling: tuple[str, ...]


def screened(scores: Sequence[Score]) -> list[ScreenedPlayer]:
    """All scores of a log, the highest first, held against what one in a hundred logs passes."""
    enough = log(needed(len(scores)))
    found = [
        ScreenedPlayer(
            score.player,
            score.knows,
            score.decisions,
            exp(min(score.most, 700)),
            score.most >= enough,
            score.telling if score.most >= enough else (),
        )
        for score in scores
    ]
    return sorted(found, key=lambda one: -one.score)


def says_of(knows: str) -> str:
    return _SAYS[knows]


def needed(scores: int) -> float:
    """The score that is a reason to watch, when there are so many."""
    return max(scores, 1) / FALSE_ALARMS


def fit(values: ValueTable, done: int, cards: Cards) -> float:
    """How much likelier this action is from who knows one of these cards than on average.

    ``values`` are by card. Which of the cards is known nobody can tell: each is as likely.
    """
    chances = _chances(values)[:, done]
    return float(chances[[card.number for card in cards]].mean() / np.nanmean(chances))


def _chances(values: ValueTable) -> ValueTable:
    """By row: how likely each action is from who knows what it is worth."""
    best = np.nanmax(values, axis=1, keepdims=True, initial=-np.inf)
    weights = np.exp((values - best) / TEMPERATURE)
    chosen = weights / weights.sum(axis=1, keepdims=True)
    chances: ValueTable = (1 - LAPSES) * chosen + LAPSES / values.shape[1]
    return chances


def _nearest(actions: tuple[str, ...], action: str) -> int:
    """The action itself, or of a Play between two sizes the nearer one."""
    if action in actions:
        return actions.index(action)
    sizes = {at: float(name[:-1]) for at, name in enumerate(actions) if name.endswith("x")}
    return min(sizes, key=lambda at: abs(sizes[at] - float(action[:-1])))


def _others(held: Numbers, seen: set[int]) -> NDArray[np.uint8]:
    """The cards held by others, then sets as large that they could have held as well."""
    rest = [card for card in range(52) if card not in seen]
    chance = Random(repr((held, sorted(seen))))
    sets = [list(held), *(chance.sample(rest, len(held)) for _ in range(OTHERS))]
    return np.array(sets, np.uint8)


def _numbers(cards: Cards) -> Numbers:
    return tuple(card.number for card in cards)
