"""One hand of each class of equal hands, by class number: what kernels call a class, in cards."""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement

from croupier.facts.cards import DECK, Card, Suit
from croupier.facts.hands import FIVE_CARD, Category, Hand, Ranking

_TIMES = {
    Category.PAIR: (2, 1, 1, 1),
    Category.TWO_PAIR: (2, 2, 1),
    Category.THREE_OF_A_KIND: (3, 1, 1),
    Category.FULL_HOUSE: (3, 2),
    Category.FOUR_OF_A_KIND: (4, 1),
}
_STRAIGHTS = (Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
_FLUSHES = (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)


@cache
def samples(ranking: Ranking) -> tuple[Hand, ...]:
    """One hand of each class, by class number, ranked by the readable code.

    Without a flush the ranks alone decide a hand and with one the set of ranks does, so every class
    has one of these.
    """
    mixed = combinations_with_replacement(range(13), ranking.size)
    hands = [_in_mixed_suits(ranks) for ranks in mixed if ranks.count(ranks[0]) <= len(Suit)]
    suited = combinations(DECK[Suit.CLUBS :: len(Suit)], ranking.size)
    ranked = map(ranking.hand, (*hands, *suited))
    return tuple(sorted(ranked, key=lambda hand: (hand.strength, hand.ranks)))


def five_card_sample(strength: int) -> Hand:
    """What :func:`samples` has for the class of a strength (``kernels/hand_order``), and no other
    hand is ranked: a few are all that a position asks for."""
    category = FIVE_CARD.order[strength >> 20]
    ranks = [rank for place in range(4, -1, -1) if (rank := strength >> 4 * place & 15)]
    if category in _STRAIGHTS:
        ranks = [(ranks[0] - below - 2) % 13 + 2 for below in range(FIVE_CARD.size)]
    times = _TIMES.get(category, (1,) * FIVE_CARD.size)
    twos_are_0 = [rank - 2 for rank, often in zip(ranks, times, strict=True) for _ in range(often)]
    if category in _FLUSHES:
        return FIVE_CARD.hand(tuple(DECK[4 * rank] for rank in twos_are_0))
    return FIVE_CARD.hand(_in_mixed_suits(tuple(twos_are_0)))


def _in_mixed_suits(ranks: tuple[int, ...]) -> tuple[Card, ...]:
    """Cards of these ranks, a two being 0, equal ranks side by side, no two neighbours of one
    suit."""
    return tuple([DECK[4 * rank + at % 4] for at, rank in enumerate(ranks)])
