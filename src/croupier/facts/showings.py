"""What a paytable line pays for: phrases for what cards can show, each with its readable test.

A wager is judged by a :class:`Showing`: the cards it looks at and the best hand they make. A
paytable names what it pays for with a phrase; the first line whose phrase is true of the showing
is the one paid. Phrases are the categories of hands, a few fixed sayings, and sayings about pairs
and fours of a kind of any rank ("pair of nines or better"). A game may add sayings of its own: its
look lists in ``also`` those that are true.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from croupier.facts.cards import Card, Rank, Suit
from croupier.facts.hands import Category, Hand, super_royal_suit


@dataclass(frozen=True, slots=True)
class Showing:
    """The hand a wager is judged by, all the cards looked at, and the dealer's where they count."""

    hand: Hand
    cards: tuple[Card, ...]
    dealer_hand: Hand | None = None
    also: frozenset[str] = frozenset()


Test = Callable[[Showing], bool]


def is_said_of(phrase: str, showing: Showing) -> bool:
    """Whether a paytable's phrase is true of what is shown."""
    test = meaning(phrase)
    return phrase in showing.also or (test is not None and test(showing))


@cache
def meaning(phrase: str) -> Test | None:
    """The test of a phrase that every game understands; None where it is none."""
    if phrase in _FIXED:
        return _FIXED[phrase]
    if said := _GROUP.fullmatch(phrase):
        category = Category.PAIR if said["pair"] else Category.FOUR_OF_A_KIND
        return _grouped(category, said["ranks"].replace(" or ", ", ").split(", "), said["reach"])
    return None


def _grouped(category: Category, names: list[str], reach: str | None) -> Test:
    """A pair or four of a kind of these ranks, or of every rank above or below the one named."""
    named = {rank for rank in Rank if rank.many in names}
    ranks = {rank for rank in Rank if reach == "better" and rank >= max(named)}
    ranks |= {rank for rank in Rank if reach == "less" and rank <= min(named)}
    wanted = named | ranks
    return lambda showing: showing.hand.category is category and showing.hand.ranks[0] in wanted


_RANKS = "|".join(rank.many for rank in Rank)
_GROUP = re.compile(
    rf"(?:(?P<pair>pair of )|four )(?P<ranks>(?:{_RANKS})(?:(?:, | or )(?:{_RANKS}))*)"
    r"(?: or (?P<reach>better|less))?"
)


def _is(category: Category) -> Test:
    return lambda showing: showing.hand.category is category


def _ace_with(*ranks: Rank, suited: bool) -> Test:
    def test(showing: Showing) -> bool:
        two = showing.hand.cards
        if len(two) != 2 or showing.hand.ranks[0] != Rank.ACE:
            return False
        return showing.hand.ranks[-1] in ranks and (two[0].suit == two[1].suit) == suited

    return test


def _is_pair_of_aces(hand: Hand | None) -> bool:
    return hand is not None and hand.category is Category.PAIR and hand.ranks[0] == Rank.ACE


_RED_ACES = {Card(Rank.ACE, Suit.HEARTS), Card(Rank.ACE, Suit.DIAMONDS)}

_FIXED: dict[str, Test] = {
    **{str(category): _is(category) for category in Category},
    "ace and king, same suit": _ace_with(Rank.KING, suited=True),
    "ace and king, different suits": _ace_with(Rank.KING, suited=False),
    "ace and queen or jack, same suit": _ace_with(Rank.QUEEN, Rank.JACK, suited=True),
    "ace and queen or jack, different suits": _ace_with(Rank.QUEEN, Rank.JACK, suited=False),
    "player's and dealer's pairs of aces": lambda showing: (
        _is_pair_of_aces(showing.hand) and _is_pair_of_aces(showing.dealer_hand)
    ),
    "red aces": lambda showing: {*showing.cards} == _RED_ACES,
    "super royal of diamonds": lambda showing: super_royal_suit(showing.cards) is Suit.DIAMONDS,
    "super royal": lambda showing: super_royal_suit(showing.cards) is not None,
    "anything else": lambda showing: True,
}
NAME_A_SUIT = ("red aces", "super royal of diamonds")
"""The phrases that tell one suit from another; all others are true whatever suits are called."""
SAYINGS = (*_FIXED, "pair of nines", "pair of nines or better", "pair of tens or less", "four aces")
"""Every fixed phrase, and one of each kind that takes ranks; for messages and documents."""
