"""Readable ranking of hands: what a game calls them, which is higher, and the best of more cards.

A :class:`Ranking` says how many cards make a hand and in which order the categories stand.
Straights and flushes are as long as the hand; an ace is low only in the lowest straight (UTH 6.B,
FCP 6.A). Hands of one category compare by the ranks that make it, then by kickers (ruling 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import combinations

from croupier.facts.cards import Card, Rank, Suit


class Category(StrEnum):
    """What a hand is. The words are permanent: paytables and stored rounds use them."""

    HIGH_CARD = "high card"
    PAIR = "pair"
    TWO_PAIR = "two pair"
    THREE_OF_A_KIND = "three of a kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full house"
    FOUR_OF_A_KIND = "four of a kind"
    STRAIGHT_FLUSH = "straight flush"
    ROYAL_FLUSH = "royal flush"


@dataclass(frozen=True, order=True, slots=True)
class Hand:
    """One ranked hand; hands of the same ranking compare with ``<``, ``==`` and ``>``."""

    strength: int
    ranks: tuple[Rank, ...]
    category: Category = field(compare=False)
    cards: tuple[Card, ...] = field(compare=False)

    @property
    def aloud(self) -> str:
        """What the dealer calls it: ``full house, aces over kings``."""
        return _CALLS[self.category](self.ranks)


@dataclass(frozen=True)
class Ranking:
    """How many cards make a hand, and its categories from the lowest to the highest."""

    size: int
    order: tuple[Category, ...]

    def hand(self, cards: tuple[Card, ...]) -> Hand:
        """Rank exactly :attr:`size` cards."""
        if len(cards) != self.size:
            raise ValueError(f"{len(cards)} cards given where {self.size} make a hand")
        groups: dict[Rank, int] = {}
        for card in cards:
            groups[card.rank] = groups.get(card.rank, 0) + 1
        if len(groups) == self.size:
            ranks = tuple(sorted(groups, reverse=True))
            category = self._ungrouped(cards, ranks)
        else:
            ranks = tuple(sorted(groups, key=lambda rank: (groups[rank], rank), reverse=True))
            category = _GROUPS[tuple(groups[rank] for rank in ranks)]
        if category in _STRAIGHTS:
            ranks = (_straight_top(ranks),)
        return Hand(self.order.index(category), ranks, category, cards)

    def best(self, cards: Iterable[Card]) -> Hand:
        """The highest hand that can be picked from these cards."""
        return _best(self, tuple(cards))

    def least(self, called: str) -> Hand:
        """What every hand is at least that is ``pair``, ``pair of fours`` or ``queen high``, or
        better."""
        high = [rank for rank in Rank if called == f"{rank.one} high"]
        paired = [rank for rank in Rank if called == f"pair of {rank.many}"]
        category = Category.HIGH_CARD if high else Category.PAIR if paired else Category(called)
        return Hand(self.order.index(category), tuple(high or paired), category, ())

    def _ungrouped(self, cards: tuple[Card, ...], ranks: tuple[Rank, ...]) -> Category:
        flush = len({card.suit for card in cards}) == 1 and Category.FLUSH in self.order
        straight = Category.STRAIGHT in self.order and _is_straight(ranks)
        if straight and flush:
            royal = ranks[-1] == Rank.TEN and Category.ROYAL_FLUSH in self.order
            return Category.ROYAL_FLUSH if royal else Category.STRAIGHT_FLUSH
        if flush:
            return Category.FLUSH
        return Category.STRAIGHT if straight else Category.HIGH_CARD


FIVE_CARD = Ranking(5, tuple(Category))
FOUR_CARD = Ranking(
    4,
    (
        Category.HIGH_CARD,
        Category.PAIR,
        Category.TWO_PAIR,
        Category.STRAIGHT,
        Category.FLUSH,
        Category.THREE_OF_A_KIND,
        Category.STRAIGHT_FLUSH,
        Category.FOUR_OF_A_KIND,
    ),
)
THREE_CARD = Ranking(
    3,
    (
        Category.HIGH_CARD,
        Category.PAIR,
        Category.FLUSH,
        Category.STRAIGHT,
        Category.THREE_OF_A_KIND,
        Category.STRAIGHT_FLUSH,
    ),
)
TWO_CARD = Ranking(2, (Category.HIGH_CARD, Category.PAIR))


@lru_cache(maxsize=4096)
def _best(ranking: Ranking, cards: tuple[Card, ...]) -> Hand:
    # One round asks for the same hand once a wager; ranking it once is enough.
    if len(cards) < ranking.size:
        raise ValueError(f"{len(cards)} cards, where a hand has {ranking.size}")
    return max(map(ranking.hand, combinations(cards, ranking.size)))


SUPER_ROYAL_RANKS = frozenset({*range(Rank.NINE, Rank.ACE + 1)})


def super_royal_suit(cards: Iterable[Card]) -> Suit | None:
    """The suit of a Super Royal, nine to ace of one suit in six cards; None when it is not one."""
    six = set(cards)
    suits = {card.suit for card in six}
    if len(suits) == 1 and len(six) == 6 and {card.rank for card in six} == SUPER_ROYAL_RANKS:
        return suits.pop()
    return None


_GROUPS = {
    (2,): Category.PAIR,
    (2, 1): Category.PAIR,
    (2, 1, 1): Category.PAIR,
    (2, 1, 1, 1): Category.PAIR,
    (2, 2): Category.TWO_PAIR,
    (2, 2, 1): Category.TWO_PAIR,
    (3,): Category.THREE_OF_A_KIND,
    (3, 1): Category.THREE_OF_A_KIND,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (4,): Category.FOUR_OF_A_KIND,
    (4, 1): Category.FOUR_OF_A_KIND,
}
_STRAIGHTS = {Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}


def _is_straight(ranks: tuple[Rank, ...]) -> bool:
    return ranks[0] - ranks[-1] == len(ranks) - 1 or _is_wheel(ranks)


def _is_wheel(ranks: tuple[Rank, ...]) -> bool:
    return ranks[0] == Rank.ACE and ranks[1:] == tuple(range(len(ranks), 1, -1))


def _straight_top(ranks: tuple[Rank, ...]) -> Rank:
    return ranks[1] if _is_wheel(ranks) else ranks[0]


_CALLS: dict[Category, Callable[[tuple[Rank, ...]], str]] = {
    Category.HIGH_CARD: lambda ranks: f"{ranks[0].one} high",
    Category.PAIR: lambda ranks: f"pair of {ranks[0].many}",
    Category.TWO_PAIR: lambda ranks: f"two pair, {ranks[0].many} and {ranks[1].many}",
    Category.THREE_OF_A_KIND: lambda ranks: f"three of a kind, {ranks[0].many}",
    Category.STRAIGHT: lambda ranks: f"straight, {ranks[0].one} high",
    Category.FLUSH: lambda ranks: f"flush, {ranks[0].one} high",
    Category.FULL_HOUSE: lambda ranks: f"full house, {ranks[0].many} over {ranks[1].many}",
    Category.FOUR_OF_A_KIND: lambda ranks: f"four of a kind, {ranks[0].many}",
    Category.STRAIGHT_FLUSH: lambda ranks: f"straight flush, {ranks[0].one} high",
    Category.ROYAL_FLUSH: lambda ranks: "royal flush",
}
