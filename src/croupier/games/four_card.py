"""Four Card Poker: the player's best four of five against the dealer's best four of six."""

from __future__ import annotations

from croupier.facts.hands import FIVE_CARD, FOUR_CARD, Hand
from croupier.facts.showings import Showing
from croupier.games.game import Game
from croupier.games.round import FinishedBox, FinishedRound


def dealer_hand(round: FinishedRound) -> Hand:
    return FOUR_CARD.best(round.at("dealer"))


def four_cards(round: FinishedRound, box: FinishedBox) -> Showing:
    return Showing(FOUR_CARD.best(box.cards), box.cards)


def five_cards(round: FinishedRound, box: FinishedBox) -> Showing:
    return Showing(FIVE_CARD.hand(box.cards), box.cards)


def six_cards(round: FinishedRound, box: FinishedBox) -> Showing:
    six = box.cards + round.at("six_card_box")
    return Showing(FIVE_CARD.best(six), six)


GAME = Game(
    id="four-card",
    name="Four Card Poker",
    ranking=FOUR_CARD,
    player=four_cards,
    dealer=dealer_hand,
    looks={
        "four-card hand": four_cards,
        "five cards": five_cards,
        "six cards": six_cards,
    },
)
