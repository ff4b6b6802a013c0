"""Screening by likelihood ratios: do decisions fit cards that their player could not see?

For a kind of knowledge, the decisions of a round are held against one question: how likely are they
together from a player who knows the card that lay there, and how likely on average over all cards
that could have lain there as far as the player could see at the last of them? The product of these
ratios over rounds is the *score*. To a player whose decisions depend only on what may be seen, in
whatever way, good or bad, each ratio is 1 on average, so the score is a betting score: by Ville's
inequality the chance that it ever passes x is at most 1/x. With n scores in all, x is n / 1%: then
all honest players together are flagged in at most one log of a hundred. The model of a player who
knows decides how soon one is found, not how often an honest one is flagged.

A round is one ratio, not one for each decision: the same hidden card weighs in all of them, so the
product of ratios of single decisions would be more than 1 on average.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, log
from random import Random

import numpy as np

from croupier.exact.holdem import on_board_at
from croupier.exact.kernels.array_types import Uint8s
from croupier.exact.kernels.compiled import Progress
from croupier.facts.cards import Cards
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.protection.first_values import (
    BesideValues,
    FirstValues,
    first_values,
    hole_place,
    values_beside,
)
from croupier.protection.flop_decision import NO_SETS, SOME, flop_decisions
from croupier.protection.kernels.flop_values import BETS, WAITS
from croupier.protection.knowledge import KINDS
from croupier.protection.last_decision import FEW_HANDS, Numbers, ValueTable, last_decisions

FALSE_ALARMS = 0.01  # over all players and kinds of knowledge together
TEMPERATURE = 0.1  # Antes: a choice this much better is taken e times as often
LAPSES = 0.05  # how often a player who knows does anything at all
OTHERS = 31  # sets of cards that a neighbor could have held as well
MOST_TOLD = 5
SHOWN = 10
AT_END = 5  # cards of the board; a game without one has a last decision alone
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

    def add(self, ratio: float, where: str, decisions: int = 1) -> None:
        """A round, in which so many decisions were looked at."""
        gained = log(ratio)
        self.decisions += decisions
        self.now += gained
        self.most = max(self.most, self.now)
        self.told = sorted([*self.told, (gained, where)], reverse=True)[:MOST_TOLD]

    @property
    def telling(self) -> tuple[str, ...]:
        """Where the decisions were made that fit best."""
        return tuple(dict.fromkeys(where for gained, where in self.told if gained > 0 and where))


class RoundFit:
    """The decisions of a round: by what could be known, how likely all of them are together."""

    def __init__(self) -> None:
        self.chances: ValueTable = np.ones(())
        self.decisions = 0

    def add(self, values: ValueTable, done: int) -> None:
        """``values`` are by what could be known and by action."""
        self.chances = self.chances * _chances(values)[:, done]
        self.decisions += 1

    def ratio(self, lies: Sequence[int]) -> float:
        """Which of several that lay there is known nobody can tell: each is as likely."""
        return float(self.chances[list(lies)].mean() / np.nanmean(self.chances))


class DecisionScreen:
    """Every player of one game, box by box."""

    def __init__(self, rules: Rules, progress: Progress = lambda what, done: None) -> None:
        self.rules = rules
        self.last = last_decisions(rules, FEW_HANDS)
        self.firsts: dict[str, FirstValues] = {}
        self.beside: BesideValues | None = None
        self.sight = [AT_END for _ in rules.book.streets]  # cards of the board, street by street
        known = ["dealer"]
        if shape_of(rules) is GameShape.HOLDEM:
            self.on_flop = flop_decisions(rules, SOME)
            self.sight = [on_board_at(rules, street) for street in rules.book.streets]
            known.append("turn-or-river")
            for kind in KINDS[GameShape.HOLDEM] if 0 in self.sight else ():
                if not kind.burn and kind.dealer + kind.flop + kind.late == 1:
                    self.firsts[kind.name] = first_values(rules, kind, progress)
            self.beside = values_beside(rules, progress) if self.firsts else None
        self.kinds = tuple(dict.fromkeys((*self.firsts, *known, SHARES)))
        self.scores: dict[tuple[str, str], Score] = {}

    def see(self, box: ScreenedBox) -> None:
        """Score the decisions of a round; one that ended before all cards lay there is passed
        over."""
        due = {place.name: place.cards for place in self.rules.book.places}
        if len(box.dealer + box.up) < due["dealer"] or len(box.board) < due.get("board", 0):
            return
        for kind in self.kinds:
            self.scores.setdefault((box.player, kind), Score(box.player, kind))
        lies = {"dealer": box.dealer, "flop": box.board[:3], "turn-or-river": box.board[3:]}
        for kind, found in self.fits(box).items():
            known = _numbers(lies[kind]) if kind in lies else (0,)
            self.scores[box.player, kind].add(found.ratio(known), box.where, found.decisions)

    def fits(self, box: ScreenedBox) -> dict[str, RoundFit]:
        """By kind of knowledge, what the decisions of this box tell; those of cards are by card,
        that of others' cards by sets, of which the first is theirs."""
        found: defaultdict[str, RoundFit] = defaultdict(RoundFit)
        sets = self._sets(box)
        for decision in box.decisions:
            if self.sight[decision.street] == AT_END:
                self._see_last(box, decision, sets, found)
            elif not self.sight[decision.street]:
                self._see_first(box, decision, sets, found)
            else:
                self._see_flop(box, decision, sets, found)
        return found

    def _see_first(
        self, box: ScreenedBox, decision: ScreenedDecision, sets: Uint8s,
        found: dict[str, RoundFit],
    ) -> None:  # fmt: skip
        hole, done = hole_place(_numbers(box.own)), _bet_or_not(decision)
        for kind, values in self.firsts.items():
            found[kind].add(values[:, hole], done)
        if self.beside is not None and len(sets):
            found[SHARES].add(self.beside(hole, sets), done)

    def _see_flop(
        self, box: ScreenedBox, decision: ScreenedDecision, sets: Uint8s,
        found: dict[str, RoundFit],
    ) -> None:  # fmt: skip
        values = self.on_flop(_numbers(box.own), _numbers(box.board[:3]), sets)
        done = _bet_or_not(decision)
        found["dealer"].add(values.by_dealer, done)
        found["turn-or-river"].add(values.by_late, done)
        if len(sets):
            found[SHARES].add(values.by_set, done)

    def _see_last(
        self, box: ScreenedBox, decision: ScreenedDecision, sets: Uint8s,
        found: dict[str, RoundFit],
    ) -> None:  # fmt: skip
        last = self.last(_numbers(box.own), _numbers(box.board or box.up))
        done = _nearest(last.actions, decision.action)
        found["dealer"].add(last.by_card(), done)
        if len(sets):
            found[SHARES].add(last.without(sets), done)

    def _sets(self, box: ScreenedBox) -> Uint8s:
        """The cards held by others, then sets as large that they could have held as well, as far
        as the player could see when deciding last."""
        streets = [decision.street for decision in box.decisions]
        if not box.others or not streets:
            return NO_SETS
        at_end = self.sight[max(streets)] == AT_END
        seen = {
            *_numbers(box.own),
            *_numbers(box.up),
            *_numbers(box.board if at_end else box.board[:3]),
        }
        held, rest = _numbers(box.others), [card for card in range(52) if card not in seen]
        chance = Random(repr((held, sorted(seen))))
        drawn = [list(held), *(chance.sample(rest, len(held)) for _ in range(OTHERS))]
        return np.array(drawn, np.uint8)


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


def _chances(values: ValueTable) -> ValueTable:
    """By row: how likely each action is from who knows what it is worth."""
    best = np.nanmax(values, axis=1, keepdims=True, initial=-np.inf)
    weights = np.exp((values - best) / TEMPERATURE)
    chosen = weights / weights.sum(axis=1, keepdims=True)
    chances: ValueTable = (1 - LAPSES) * chosen + LAPSES / values.shape[1]
    return chances


def _bet_or_not(decision: ScreenedDecision) -> int:
    return BETS if decision.action.endswith("x") else WAITS


def _nearest(actions: tuple[str, ...], action: str) -> int:
    """The action itself, or of a Play between two sizes the nearer one."""
    if action in actions:
        return actions.index(action)
    sizes = {at: float(name[:-1]) for at, name in enumerate(actions) if name.endswith("x")}
    return min(sizes, key=lambda at: abs(sizes[at] - float(action[:-1])))


def _numbers(cards: Cards) -> Numbers:
    return tuple(card.number for card in cards)
