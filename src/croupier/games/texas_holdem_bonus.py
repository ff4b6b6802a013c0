"""Texas Hold'em Bonus: two cards each and five on the board; bets add up, street by street."""

from __future__ import annotations

from croupier.facts.hands import FIVE_CARD, Hand
from croupier.facts.showings import Showing
from croupier.games.game import Game
from croupier.games.round import FinishedBox, FinishedRound


def dealer_hand(round: FinishedRound) -> Hand:
    return FIVE_CARD.best(round.at("dealer") + round.at("board"))


def final_hand(round: FinishedRound, box: FinishedBox) -> Showing:
    seven = box.cards + round.at("board")
    return Showing(FIVE_CARD.best(seven), seven)


GAME = Game(
    id="texas-holdem-bonus",
    name="Texas Hold'em Bonus",
    ranking=FIVE_CARD,
    player=final_hand,
    dealer=dealer_hand,
    looks={"final hand": final_hand},
)
