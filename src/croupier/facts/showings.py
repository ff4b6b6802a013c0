"""What a paytable line pays for: names for what cards can show, each with its readable test.

A wager is judged by a :class:`Showing`: the cards it looks at and the best hand they make. A
paytable names what it pays for with one of the phrases in :data:`PHRASES`; the first line whose
phrase is true of the showing is the one paid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from croupier.facts.cards import Card, Rank, Suit
from croupier.facts.hands import Category, Hand, super_royal_suit


@dataclass(frozen=True, slots=True)
class Showing:
    """The hand a wager is judged by, all the cards looked at, and the dealer's where they count."""

    hand: Hand
    cards: tuple[Card, ...]
    dealer_hand: Hand | None = None


Phrase = Callable[[Showing], bool]


def _is(category: Category) -> Phrase:
    return lambda showing: showing.hand.category is category


def _pair(*ranks: int) -> Phrase:
    return lambda showing: showing.hand.category is Category.PAIR and showing.hand.ranks[0] in ranks


def _ace_with(*ranks: Rank, suited: bool) -> Phrase:
    def test(showing: Showing) -> bool:
        two = showing.hand.cards
        if len(two) != 2 or showing.hand.ranks[0] != Rank.ACE:
            return False
        return showing.hand.ranks[-1] in ranks and (two[0].suit == two[1].suit) == suited

    return test


def _is_pair_of_aces(hand: Hand | None) -> bool:
    return hand is not None and hand.category is Category.PAIR and hand.ranks[0] == Rank.ACE


def _red_aces(showing: Showing) -> bool:
    return {*showing.cards} == {Card(Rank.ACE, Suit.HEARTS), Card(Rank.ACE, Suit.DIAMONDS)}


def _four_aces(showing: Showing) -> bool:
    hand = showing.hand
    return hand.category is Category.FOUR_OF_A_KIND and hand.ranks[0] == Rank.ACE


PHRASES: dict[str, Phrase] = {
    **{str(category): _is(category) for category in Category},
    "four aces": _four_aces,
    "pair of aces": _pair(Rank.ACE),
    "pair of tens or better": _pair(*range(Rank.TEN, Rank.ACE + 1)),
    "pair of jacks, queens or kings": _pair(Rank.JACK, Rank.QUEEN, Rank.KING),
    "pair of tens or less": _pair(*range(Rank.TWO, Rank.TEN + 1)),
    "ace and king, same suit": _ace_with(Rank.KING, suited=True),
    "ace and king, different suits": _ace_with(Rank.KING, suited=False),
    "ace and queen or jack, same suit": _ace_with(Rank.QUEEN, Rank.JACK, suited=True),
    "ace and queen or jack, different suits": _ace_with(Rank.QUEEN, Rank.JACK, suited=False),
    "player's and dealer's pairs of aces": lambda showing: (
        _is_pair_of_aces(showing.hand) and _is_pair_of_aces(showing.dealer_hand)
    ),
    "red aces": _red_aces,
    "super royal of diamonds": lambda showing: super_royal_suit(showing.cards) is Suit.DIAMONDS,
    "super royal": lambda showing: super_royal_suit(showing.cards) is not None,
    "anything else": lambda showing: True,
}
