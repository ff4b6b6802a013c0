"""Suit permutations: canonical forms of card sets under renaming of suits."""

from __future__ import annotations

from functools import cache
from itertools import permutations

SuitNames = tuple[int, ...]
"""By suit: the suit whose name it gets."""

ALL_NAMES: tuple[SuitNames, ...] = tuple(permutations(range(4)))


def renamed(cards: tuple[int, ...], names: SuitNames) -> tuple[int, ...]:
    return tuple(sorted(card & ~3 | names[card & 3] for card in cards))


@cache
def suit_names(cards: tuple[int, ...], *known: tuple[int, ...]) -> tuple[SuitNames, ...]:
    """The renamings of suits that change neither the cards there are nor any known ones."""
    sets = (cards, *known)
    return tuple(
        n for n in ALL_NAMES if all(renamed(held, n) == tuple(sorted(held)) for held in sets)
    )
