"""The 52 cards. Names at the edge, small integers in kernels, one mapping between them.

A card's number is ``4 * (rank - 2) + suit`` with suits in the order clubs, diamonds, hearts,
spades, so the two of clubs is 0 and the ace of spades is 51.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from croupier.facts.errors import Unreadable, quoted


class Rank(IntEnum):
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        return LETTERS[self - 2]

    @property
    def one(self) -> str:
        return self.name.lower()

    @property
    def many(self) -> str:
        return "sixes" if self is Rank.SIX else f"{self.one}s"


class Suit(IntEnum):
    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        return SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        return SUIT_SYMBOLS[self]


LETTERS = "23456789TJQKA"
SUIT_LETTERS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"


class Card(NamedTuple):
    rank: Rank
    suit: Suit

    @property
    def number(self) -> int:
        return 4 * (self.rank - 2) + self.suit

    @property
    def aloud(self) -> str:
        return f"{self.rank.one} of {self.suit.name.lower()}"

    @property
    def symbol(self) -> str:
        return f"{self.rank.letter}{self.suit.symbol}"

    def __str__(self) -> str:
        return f"{self.rank.letter}{self.suit.letter}"


Cards = tuple[Card, ...]

DECK: Cards = tuple(Card(rank, suit) for rank in Rank for suit in Suit)
_BY_NAME = {
    rank + suit: card
    for card in DECK
    for rank in {card.rank.letter, card.rank.letter.replace("T", "10")}
    for suit in (card.suit.letter, card.suit.symbol)
}
_ONE_CARD = re.compile(r"\s*(10|[2-9TJQKA])([cdhs♣♦♥♠])", re.IGNORECASE | re.ASCII)


def card(text: str) -> Card:
    """Read one card: ``Ah``, ``Th`` or ``10h``, ``A♥``."""
    found = cards(text)
    if len(found) != 1:
        raise Unreadable(f"{quoted(text)} is not one card; write it like Ah")
    return found[0]


def cards(text: str) -> tuple[Card, ...]:
    """Read cards written one after the other, with or without spaces: ``Ah Kd`` or ``AhKd``."""
    found: list[Card] = []
    at = 0
    end = len(text.rstrip())
    while at < end:
        match = _ONE_CARD.match(text, at)
        if match is None:
            wrong = text[at:].split()[0]
            raise Unreadable(
                f"{quoted(wrong, 12)} is not a card: write a rank (2-9, T, J, Q, K, A) "
                "and a suit (c, d, h, s), like Ah Td 2c"
            )
        found.append(_BY_NAME[match[1].upper() + match[2].lower()])
        at = match.end()
    return tuple(found)


def written(some: Iterable[Card]) -> str:
    """The cards as :func:`cards` reads them back."""
    return " ".join(map(str, some))
