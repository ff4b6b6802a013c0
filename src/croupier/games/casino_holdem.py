"""Casino Hold'em: two cards each and five on the board; with the flop in sight, call or fold."""

from __future__ import annotations

from croupier.facts.hands import FIVE_CARD
from croupier.games.game import Game
from croupier.games.holdem_hands import dealer_hand, final_hand

GAME = Game(
    id="casino-holdem",
    name="Casino Hold'em",
    ranking=FIVE_CARD,
    player=final_hand,
    dealer=dealer_hand,
    looks={"final hand": final_hand},
)
