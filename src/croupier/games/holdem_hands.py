"""Hands of Hold'em: each side's cards with the board, the best five of seven."""

from __future__ import annotations

from croupier.facts.hands import FIVE_CARD, Hand
from croupier.facts.showings import Showing
from croupier.games.round import FinishedBox, FinishedRound


def dealer_hand(round: FinishedRound) -> Hand:
    return FIVE_CARD.best(round.at("dealer") + round.at("board"))


def final_hand(round: FinishedRound, box: FinishedBox) -> Showing:
    seven = box.cards + round.at("board")
    return Showing(FIVE_CARD.best(seven), seven)
