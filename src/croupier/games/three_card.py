"""Three Card Poker: three cards each, and a dealer who must open before Play is at stake."""

from __future__ import annotations

from croupier.facts.hands import THREE_CARD, Hand
from croupier.facts.showings import Showing
from croupier.games.game import Game
from croupier.games.round import FinishedBox, FinishedRound


def dealer_hand(round: FinishedRound) -> Hand:
    return THREE_CARD.hand(round.at("dealer"))


def three_cards(round: FinishedRound, box: FinishedBox) -> Showing:
    return Showing(THREE_CARD.hand(box.cards), box.cards)


GAME = Game(
    id="three-card",
    name="Three Card Poker",
    ranking=THREE_CARD,
    player=three_cards,
    dealer=dealer_hand,
    looks={"three cards": three_cards},
)
