"""Toy Showdown: two cards each, the higher hand wins; Pair Side pays for a pair."""

from __future__ import annotations

from croupier.facts.hands import TWO_CARD, Hand
from croupier.facts.showings import Showing
from croupier.games.game import Game
from croupier.games.round import FinishedBox, FinishedRound


def two_cards(round: FinishedRound, box: FinishedBox) -> Showing:
    return Showing(TWO_CARD.hand(box.cards), box.cards)


def dealer_hand(round: FinishedRound) -> Hand:
    return TWO_CARD.hand(round.at("dealer"))


GAME = Game(
    id="toy",
    name="Toy Showdown",
    ranking=TWO_CARD,
    player=two_cards,
    dealer=dealer_hand,
    looks={"two cards": two_cards},
)
