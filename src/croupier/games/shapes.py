"""The shape of a game: what hands are made of and how bets are made. Kernels are chosen by it."""

from __future__ import annotations

from enum import StrEnum

from croupier.facts.hands import FIVE_CARD, FOUR_CARD
from croupier.games.game import Game
from croupier.games.rules import Rules
from croupier.rulebook.book import Rulebook


class GameShape(StrEnum):
    """Whatever fits a shape in more than its cards is checked by the kernels themselves."""

    HOLDEM = "Hold'em with one Play"
    HOLDEM_BETS = "Hold'em with bets that add up"
    FOUR_CARD = "four-card hands"
    OWN_CARDS = "one decision with cards of one's own"


def shape_of(rules: Rules) -> GameShape:
    return shape_of_book(rules.game, rules.book)


def shape_of_book(game: Game, book: Rulebook) -> GameShape:
    """By how many cards make a hand, whether some are shared, and how often a box may bet."""
    if shared_places(book) and game.ranking == FIVE_CARD:
        bets = sum(wager.beside is not None for wager in book.wagers)
        return GameShape.HOLDEM if bets < 2 else GameShape.HOLDEM_BETS
    if game.ranking == FOUR_CARD:
        return GameShape.FOUR_CARD
    return GameShape.OWN_CARDS


def shared_places(book: Rulebook) -> tuple[str, ...]:
    """Where cards lie that every box and the dealer share."""
    return tuple(
        place.name
        for place in book.places
        if place.name not in ("box", "dealer") and place.only_for is None
    )
