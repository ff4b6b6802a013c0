"""Texas Hold'em Bonus: two cards each and five on the board; bets add up, street by street."""

from __future__ import annotations

from croupier.facts.hands import FIVE_CARD
from croupier.games.game import Game
from croupier.games.holdem_hands import dealer_hand, final_hand

GAME = Game(
    id="texas-holdem-bonus",
    name="Texas Hold'em Bonus",
    ranking=FIVE_CARD,
    player=final_hand,
    dealer=dealer_hand,
    looks={"final hand": final_hand},
)
