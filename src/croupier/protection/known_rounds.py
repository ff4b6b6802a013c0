"""Simulated rounds of a player who knows cards, paid by the table's own settlement."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

from croupier.exact.kernels.compiled import Progress, compile_progress
from croupier.facts.cards import DECK
from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.protection.players import SimulatedDeal, deal, player
from croupier.protection.protect import protect
from croupier.protection.worth import KnowledgeWorth, Shares
from croupier.table.settlement import settle

ANTE = Cents(1000)  # no payout of an Ante is rounded


@dataclass(frozen=True)
class KnownRounds:
    """What the Ante and all that must be made with it won, beside what is exactly true."""

    worth: KnowledgeWorth
    rounds: int
    seed: int
    mean: Fraction
    standard_error: float
    actions: Shares

    @property
    def z(self) -> float | None:
        """How many standard errors the mean lies from the exact value."""
        error = self.standard_error
        return float(self.mean - self.worth.ev) / error if error else None

    def document(self) -> dict[str, Any]:
        """The answer as ``croupier simulate --knows --json`` prints it."""
        return {
            "game": self.worth.game,
            "rulebook": self.worth.rulebook,
            "paytables": dict(self.worth.paytables),
            "knows": self.worth.knows.name,
            "rounds": self.rounds,
            "seed": self.seed,
            "mean": float(self.mean),
            "mean_exact": str(self.mean),
            "standard_error": self.standard_error,
            "exact": float(self.worth.ev),
            "z": self.z,
            "actions": {action: float(share) for action, share in self.actions},
        }


def known_rounds(
    rules: Rules,
    knows: str,
    rounds: int,
    seed: int = 1,
    progress: Progress = lambda what, done: None,
) -> KnownRounds:
    """Deal so many rounds to one box whose player knows these cards and plays perfectly."""
    if rounds < 2:
        raise Unreadable("a standard error takes two rounds or more")
    worth = protect(rules, knows, progress)
    with compile_progress(progress):
        play = player(rules, knows)
    chance, done = Random(seed), Counter[str]()
    won = squares = 0
    for number in range(rounds):
        progress("dealing", number / rounds)
        dealt = deal(rules, chance, boxes=1)
        action = play(dealt)[-1]
        net = won_cents(rules, dealt, action)
        won, squares = won + net, squares + net * net
        done[action] += 1
    spread = Fraction(squares, rounds) - Fraction(won, rounds) ** 2
    shares = tuple((action, Fraction(done[action], rounds)) for action, _ in worth.play.actions)
    error = sqrt(spread / (rounds - 1)) / ANTE
    return KnownRounds(worth, rounds, seed, Fraction(won, rounds * ANTE), error, shares)


def won_cents(rules: Rules, dealt: SimulatedDeal, action: str) -> int:
    """What one box wins in a round that ends with this action, all wagers that must be made."""
    wagers = [wager for wager in rules.book.wagers if not wager.optional and not wager.paid_on]
    stakes = {wager.name: ANTE for wager in wagers if not wager.decides}
    if action.endswith("x"):
        (decided,) = (wager.name for wager in wagers if wager.decides)
        stakes[decided] = Cents(int(ANTE * Fraction(action.removesuffix("x"))))
    lies = {"dealer": dealt.up + dealt.dealer, "board": dealt.board}
    places = {name: tuple(DECK[card] for card in cards) for name, cards in lies.items() if cards}
    own = tuple(DECK[card] for card in dealt.own)
    receipt = settle(FinishedRound(rules, places, (FinishedBox(1, own, stakes),)))
    return sum(line.net_cents for line in receipt.lines)
