"""The cards that won a showdown, as a page marks them."""

from __future__ import annotations

from croupier.facts.cards import cards
from croupier.games.rules import Rules


def winning_cards(
    rules: Rules, own: tuple[str, ...], board: tuple[str, ...], dealer: tuple[str, ...]
) -> tuple[str, ...]:
    """The cards of the higher hand; of a tie, yours."""
    yours, theirs = (
        rules.game.ranking.best(cards(" ".join(held + board))) for held in (own, dealer)
    )
    return tuple(str(card) for card in (yours if yours >= theirs else theirs).cards)
