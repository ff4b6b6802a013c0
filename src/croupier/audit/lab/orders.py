"""Many decks at once: a row of 52 card numbers a deck, the card dealt first in the first column."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from croupier.audit.lab.chances import CARDS, HAND, HANDS, SUITS

DeckArray = NDArray[np.uint8]

ROWS = 50_000
_KINDS = tuple(HANDS)
_WHEEL = (0, 1, 2, 3, 12)
_BY_EQUAL_PAIRS = {1: "pair", 2: "two pair", 3: "three of a kind", 4: "full house"}


def pieces(decks: DeckArray) -> Iterator[DeckArray]:
    """The decks in pieces that fit into memory whatever is done with them."""
    for start in range(0, len(decks), ROWS):
        yield decks[start : start + ROWS]


def lehmer(rows: DeckArray) -> DeckArray:
    """How many later cards are lower, place by place: each digit as free as the places after it."""
    digits = np.zeros_like(rows)
    for piece, out in zip(pieces(rows), pieces(digits), strict=True):
        for place in range(rows.shape[1] - 1):
            later = piece[:, place + 1 :] < piece[:, place : place + 1]
            out[:, place] = later.sum(axis=1, dtype=np.uint8)
    return digits


def draws(decks: DeckArray) -> DeckArray:
    """The numbers the shuffle drew, worked back from the order that came out of it.

    Column ``limit - 1`` holds the number below ``limit``, drawn in falling order of the limits.
    """
    drawn = np.zeros_like(decks)
    for piece, out in zip(pieces(decks), pieces(drawn), strict=True):
        rows = np.arange(len(piece))
        order = np.tile(np.arange(CARDS, dtype=np.uint8), (len(piece), 1))
        where = order.copy()
        for place in range(CARDS - 1, 0, -1):
            other = where[rows, piece[:, place]]
            moved = order[:, place].copy()
            order[rows, other] = moved
            where[rows, moved] = other
            out[:, place] = other
    return drawn


def patterns(decks: DeckArray, size: int) -> NDArray[np.int64]:
    """The order within each group of so many neighbors, as a number; groups do not overlap."""
    groups = CARDS // size
    digits = lehmer(np.ascontiguousarray(decks[:, : groups * size]).reshape(-1, size))
    codes = np.zeros(len(digits), dtype=np.int64)
    for place in range(size):
        codes += math.factorial(size - 1 - place) * digits[:, place].astype(np.int64)
    return codes


def kinds_of_hand(five: DeckArray) -> NDArray[np.int64]:
    """Each hand of five as a place in the list of kinds."""
    ranks, suits = np.sort(five // SUITS, axis=1), five % SUITS
    equal = sum(
        (ranks[:, a] == ranks[:, b]).astype(np.int64) for a in range(HAND) for b in range(a)
    )
    flush = (suits == suits[:, :1]).all(axis=1)
    run = ranks[:, -1] - ranks[:, 0] == HAND - 1
    straight = (equal == 0) & (run | (ranks == _WHEEL).all(axis=1))
    kinds = np.full(len(five), _KINDS.index("high card"))
    for pairs, name in {**_BY_EQUAL_PAIRS, 6: "four of a kind"}.items():
        kinds[equal == pairs] = _KINDS.index(name)
    kinds[flush] = _KINDS.index("flush")
    kinds[straight] = _KINDS.index("straight")
    kinds[straight & flush] = _KINDS.index("straight flush")
    return kinds


def until_each(kinds: DeckArray, count: int) -> NDArray[np.int64]:
    """How many cards from the top it takes until each of so many kinds has come."""
    last = np.zeros(len(kinds), dtype=np.int64)
    for kind in range(count):
        last = np.maximum(last, (kinds == kind).argmax(axis=1))
    return last + 1
