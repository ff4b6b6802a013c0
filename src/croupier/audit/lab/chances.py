"""What a fair deck does: exact probabilities, from counting."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

CARDS = 52
RANKS = 13
SUITS = 4
HAND = 5

# Five cards from the rarest kind to the commonest, the number of hands of each.
FLUSHES = math.comb(RANKS, HAND) * SUITS
STRAIGHTS = 10
HANDS = {
    "straight flush": STRAIGHTS * SUITS,
    "four of a kind": RANKS * (CARDS - SUITS),
    "full house": RANKS * SUITS * (RANKS - 1) * math.comb(SUITS, 2),
    "flush": FLUSHES - STRAIGHTS * SUITS,
    "straight": STRAIGHTS * (SUITS**HAND - SUITS),
    "three of a kind": RANKS * SUITS * math.comb(RANKS - 1, 2) * SUITS**2,
    "two pair": math.comb(RANKS, 2) * math.comb(SUITS, 2) ** 2 * (RANKS - 2) * SUITS,
    "pair": RANKS * math.comb(SUITS, 2) * math.comb(RANKS - 1, 3) * SUITS**3,
    "high card": (math.comb(RANKS, HAND) - STRAIGHTS) * (SUITS**HAND - SUITS),
}


def hands() -> list[float]:
    return [count / math.comb(CARDS, HAND) for count in HANDS.values()]


@cache
def descents() -> tuple[float, ...]:
    """Orders by how often a lower card follows a higher one: the Eulerian numbers."""
    row = [1]
    for n in range(2, CARDS + 1):
        row = [
            (k + 1) * (row[k] if k < n - 1 else 0) + (n - k) * (row[k - 1] if k else 0)
            for k in range(n)
        ]
    return tuple(count / math.factorial(CARDS) for count in row)


def gaps() -> list[float]:
    """Cards between the first two cards of a rank."""
    return [math.comb(CARDS - 1 - gap, 3) / math.comb(CARDS, 4) for gap in range(CARDS - 3)]


def whole_sets(kinds: int) -> list[float]:
    """Cards dealt from the top until one of each suit (or rank) has come; from 0 cards on."""
    each = CARDS // kinds

    def by(dealt: int) -> float:
        ways = sum(
            (-1) ** missing * math.comb(kinds, missing) * math.comb(CARDS - each * missing, dealt)
            for missing in range(kinds + 1)
        )
        return float(ways / math.comb(CARDS, dealt))

    return [0.0, *(by(dealt) - by(dealt - 1) for dealt in range(1, CARDS + 1))]


def collections(kinds: int, most: int) -> list[float]:
    """Draws with replacement until each kind has come: from 0 draws on, the last cell for more."""

    def by(drawn: int) -> float:
        ways = sum(
            (-1) ** missing * math.comb(kinds, missing) * (kinds - missing) ** drawn
            for missing in range(kinds + 1)
        )
        return float(ways / kinds**drawn)

    done = [by(drawn) for drawn in range(most + 1)]
    return [
        0.0,
        *(after - before for before, after in pairwise(done)),
        1 - done[-1],
    ]


def matches() -> list[float]:
    """Places where two decks agree, by how many there are."""
    derangements = [1, 0]
    for n in range(2, CARDS + 1):
        derangements.append((n - 1) * (derangements[-1] + derangements[-2]))
    return [
        math.comb(CARDS, kept) * derangements[CARDS - kept] / math.factorial(CARDS)
        for kept in range(CARDS + 1)
    ]


def overlaps(dealt: int) -> list[float]:
    """Cards that two deals of so many have in common, by how many there are."""
    return [
        math.comb(dealt, shared)
        * math.comb(CARDS - dealt, dealt - shared)
        / math.comb(CARDS, dealt)
        for shared in range(dealt + 1)
    ]
