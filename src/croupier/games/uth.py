"""Ultimate Texas Hold'em: two cards each, five on the board, best five of seven."""

from __future__ import annotations

from croupier.facts.hands import FIVE_CARD, TWO_CARD
from croupier.facts.showings import Showing
from croupier.games.game import Game
from croupier.games.holdem_hands import dealer_hand, final_hand
from croupier.games.round import FinishedBox, FinishedRound


def hole_and_flop(round: FinishedRound, box: FinishedBox) -> Showing:
    five = box.cards + round.at("board")[:3]
    return Showing(FIVE_CARD.hand(five), five)


def first_two(round: FinishedRound, box: FinishedBox) -> Showing:
    return Showing(TWO_CARD.hand(box.cards), box.cards, TWO_CARD.hand(round.at("dealer")))


def board(round: FinishedRound, box: FinishedBox) -> Showing:
    return Showing(FIVE_CARD.hand(round.at("board")), round.at("board"))


def six_cards(round: FinishedRound, box: FinishedBox) -> Showing:
    six = box.cards + round.at("six_card_box")
    return Showing(FIVE_CARD.best(six), six)


def lower_hand(round: FinishedRound, box: FinishedBox) -> Showing | None:
    """Bad Beat looks at the lower of both final hands; a tie shows nothing (ruling 14)."""
    player, dealer = final_hand(round, box).hand, dealer_hand(round)
    if player == dealer:
        return None
    lower = min(player, dealer)
    return Showing(lower, lower.cards)


GAME = Game(
    id="uth",
    name="Ultimate Texas Hold'em",
    ranking=FIVE_CARD,
    player=final_hand,
    dealer=dealer_hand,
    looks={
        "final hand": final_hand,
        "hole cards and flop": hole_and_flop,
        "first two cards": first_two,
        "board": board,
        "six cards": six_cards,
        "lower hand": lower_hand,
    },
)
