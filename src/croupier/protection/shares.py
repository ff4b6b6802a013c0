"""Players who show each other their hands: what that brings each of their boxes.

At Hold'em with one Play two boxes are counted exactly: the other's cards are two out of play.
Otherwise cards of the other boxes are drawn by chance. Each draw is solved exactly, and honest play
is valued on the same draw, so that only the gain is left to chance. Of that some is foreseen: gains
go with how high the drawn cards are and how many are alike, whose means over all draws are known.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, inf, sqrt
from random import Random
from typing import Any

import numpy as np

from croupier.exact.assumptions import refuse_base, refuse_sides
from croupier.exact.kernels.compiled import Progress, compile_progress
from croupier.exact.solution import Solution
from croupier.exact.solution_cache import kept_answer, solved
from croupier.facts.cards import DECK, Cards
from croupier.facts.errors import Unreadable
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.protection import advice, holdem
from croupier.protection.knowledge import NOTHING, Knowledge
from croupier.protection.known_game import KnownGame, known_game
from croupier.protection.source_hash import protection_code
from croupier.protection.worth import PlayValue

WITHIN = 0.001  # Antes: the standard error of the mean gain
FEWEST = 32  # draws: with fewer their spread says too little of the error
OTHER_HAND = Knowledge("shares", "the other box's cards", burn=2)


@dataclass(frozen=True)
class SharedWorth:
    """Some boxes that know each other's cards, each playing its best with that.

    ``standard_error`` is that of the gain a box in Antes, 0 where everything was counted; then
    ``samples`` is 0 too. ``play`` is the mean over what was drawn.
    """

    game: str
    rulebook: str
    paytables: tuple[tuple[str, str], ...]
    shares: int
    play: PlayValue | None
    honest_ev: Fraction
    gain: float
    standard_error: float
    samples: int

    @property
    def ev(self) -> float:
        return float(self.honest_ev) + self.gain

    def to_json(self) -> str:
        return json.dumps(self.document())

    def document(self) -> dict[str, Any]:
        play = self.play
        return {
            "game": self.game,
            "rulebook": self.rulebook,
            "paytables": dict(self.paytables),
            "shares": self.shares,
            "ev": self.ev,
            "ev_exact": str(play.ev) if play is not None and not self.samples else None,
            "honest_ev": float(self.honest_ev),
            "honest_ev_exact": str(self.honest_ev),
            "gain": self.gain,
            "standard_error": self.standard_error,
            "samples": self.samples,
            "standard_deviation": play.standard_deviation if play is not None else None,
            "actions": {a: float(share) for a, share in play.actions} if play is not None else None,
        }


def shared(
    rules: Rules,
    shares: int,
    within: float | None = None,
    seed: int = 1,
    progress: Progress = lambda what, done: None,
    *,
    afresh: bool = False,
) -> SharedWorth:
    """What so many boxes gain, each, by showing each other their hands.

    Two boxes at Hold'em with one Play are counted exactly unless ``within`` asks for a sample. An
    answer is kept on this machine; ``afresh`` counts.
    """
    refuse_shares(rules, shares, within)

    def find() -> SharedWorth:
        honest = solved(rules, progress)
        with compile_progress(progress):
            if shape_of(rules) is GameShape.HOLDEM:
                return _holdem(rules, shares, within, seed, honest, progress)
            drawn = _hands(rules, shares, Random(seed))
            gained = averaged(drawn, within or WITHIN, progress)
        return _worth(rules, shares, None, honest, gained)

    asked = ("shares", shares, within, seed, protection_code())
    return find() if afresh else kept_answer(rules, asked, SharedWorth, find)


def refuse_shares(rules: Rules, shares: int, within: float | None) -> None:
    refuse_base(rules)
    refuse_sides(rules)
    most = rules.book.table.boxes.count
    if not 2 <= shares <= most:
        raise Unreadable(f"2 to {most} boxes can share their cards, not {shares}")
    if within is not None and not 0 < within < 1:
        raise Unreadable(f"a standard error lies between 0 and 1 Ante, not at {within:g}")


Gained = tuple[float, float, int]
"""The mean gain, its standard error, and how many were drawn."""


def _worth(
    rules: Rules, shares: int, play: PlayValue | None, honest: Solution, gained: Gained
) -> SharedWorth:
    named = (rules.game.id, rules.book.id, rules.letters, shares)
    return SharedWorth(*named, play, honest.ev, *gained)


Drawn = tuple[float, tuple[float, ...]]
"""A gain, and its controls: numbers of the draw that are 0 on average over all draws."""


class ControlledMean:
    """The mean of draws, corrected by least squares for what chance brought their controls."""

    def __init__(self) -> None:
        self.count = 0
        self._sums = self._products = np.zeros(())

    def add(self, value: float, controls: tuple[float, ...]) -> None:
        row = np.array([value, *controls])
        self.count += 1
        self._sums = self._sums + row
        self._products = self._products + np.outer(row, row)

    def estimate(self) -> tuple[float, float]:
        """The mean and its standard error, which few draws do not tell."""
        means = self._sums / self.count
        if self.count < FEWEST:
            return float(means[0]), inf
        spread = self._products / self.count - np.outer(means, means)
        inverse = np.linalg.pinv(spread[1:, 1:], rcond=1e-9, hermitian=True)
        slopes = inverse @ spread[1:, 0]
        left = max(float(spread[0, 0] - slopes @ spread[1:, 0]), 0.0) / (self.count - len(means))
        return (
            float(means[0] - slopes @ means[1:]),
            sqrt(left * (1 + float(means[1:] @ inverse @ means[1:]))),
        )


def averaged(drawn: Iterator[Drawn], within: float, progress: Progress) -> Gained:
    """Draws until the standard error of their mean is small enough."""
    so_far = ControlledMean()
    for gain, controls in drawn:
        so_far.add(gain, controls)
        mean, error = so_far.estimate()
        done = min((within / error) ** 2, 1.0) if 0 < error < inf else float(error == 0)
        said = f", standard error {error:.4f}" if error < inf else ""
        progress(f"drawing hands: gain {mean:+.4f}{said}, {so_far.count:,} drawn", done)
        if error <= within:
            break
    return mean, error, so_far.count


def controls_of(others: tuple[int, ...]) -> tuple[float, ...]:
    """Of cards out of play: how high they are and how many pairs are of one rank, less the mean."""
    ranks = [card >> 2 for card in others]
    pairs = sum(one == other for one, other in combinations(ranks, 2))
    return sum(ranks) - 6.0 * len(ranks), pairs - comb(len(ranks), 2) * 3 / 51


# Hold'em with one Play: every hole of a draw at once


def _holdem(
    rules: Rules, shares: int, within: float | None, seed: int, honest: Solution, progress: Progress
) -> SharedWorth:
    if shares == 2 and within is None:
        play = holdem.play(rules, *holdem.solved(rules, OTHER_HAND, progress))
        return _worth(rules, shares, play, honest, (float(play.ev - honest.ev), 0.0, 0))
    game = known_game(rules)
    found: list[holdem.Solved] = []
    drawn = _draws(game, shares, Random(seed), found)
    gained = averaged(drawn, within or WITHIN, progress)
    return _worth(rules, shares, holdem.play(rules, game, found), honest, gained)


def _draws(
    game: KnownGame, shares: int, chance: Random, found: list[holdem.Solved]
) -> Iterator[Drawn]:
    """What knowing the cards of the other boxes brings over all holes, draw after draw."""
    honest = holdem.HonestPlay(game)
    solver = holdem.Solver(game, NOTHING, honest=honest)
    while True:
        others = tuple(sorted(chance.sample(range(52), 2 * (shares - 1))))
        (one,) = solver.solve(holdem.Problem((), others, 1))
        found.append(one)
        yield gain_of(game, one, honest), controls_of(others)


def gain_of(game: KnownGame, one: holdem.Solved, honest: holdem.HonestPlay) -> float:
    """The best play of every hole less honest play of it, in Antes."""
    best = one.values.max(axis=1).tolist()
    gained = deals = 0
    for spot, (low, high) in enumerate(one.spots.holes.tolist()):
        otherwise = int(honest.first[high * (high - 1) // 2 + low])
        gained += best[spot] - one.honestly(spot, otherwise)
        deals += int(one.spots.ways[spot]) * one.deals
    return gained / (deals * game.denominator)


# A game of one decision: one hand a draw


def _hands(rules: Rules, shares: int, chance: Random) -> Iterator[Drawn]:
    """What knowing brings one box with a hand dealt by chance."""
    box = rules.book.place("box").cards
    street = rules.book.streets[0].name
    ups = rules.book.dealing[0].face_up(street)["dealer"] if rules.book.dealing else 0
    while True:
        cards = chance.sample(DECK, shares * box + ups)
        own, up, others = cards[:box], cards[box : box + ups], cards[box + ups :]
        yield _gain_of_hand(rules, tuple(own), tuple(up), tuple(others)), ()


def _gain_of_hand(rules: Rules, own: Cards, up: Cards, others: Cards) -> float:
    honest = next(iter(advice.advise(rules, own, up, (), ())))
    values = advice.advise(rules, own, up, (), others)
    return float(max(values.values()) - values[honest])
