"""The shoe is a device behind a small port: it hands out cards, and nobody sees what is to come."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from croupier.facts.cards import DECK, Card, cards


class Shoe(Protocol):
    """Draw the next cards; the table asks for as many as its next step needs."""

    def draw(self, count: int) -> tuple[str, ...]: ...


class EmptyShoe(Exception):
    """More cards were asked of a shoe than it holds."""


class RandomBelow(Protocol):
    """A source of chance: a whole number from 0 up to, not including, ``limit``, all alike."""

    def __call__(self, limit: int, /) -> int: ...


class RandomBits(Protocol):
    """Chance as a device gives it: ``count`` bits, as ``secrets.randbits`` does."""

    def __call__(self, count: int, /) -> int: ...


def below(bits: RandomBits) -> RandomBelow:
    """Numbers below a limit from bits, each as likely as any other.

    As many bits are taken as the limit needs, and a number that lies above is drawn again. Folding
    it back by a remainder would make the low numbers likelier.
    """

    def draw(limit: int, /) -> int:
        if limit < 1:
            raise ValueError(f"no number lies below {limit} and not below 0")
        width = (limit - 1).bit_length()
        while True:
            number = bits(width) if width else 0
            if number < limit:
                return number

    return draw


def shuffled(random_below: RandomBelow, deck: Iterable[Card] = DECK) -> tuple[Card, ...]:
    """Every order alike: each place takes one of the cards not placed yet, itself included.

    For 52 cards there are 52 * 51 * ... * 2 = 52! runs of numbers, and each gives an order of its
    own: an order could be worked back to its numbers. So when the numbers are alike and
    independent, the orders are alike, and none is out of reach.
    """
    order = list(deck)
    for place in range(len(order) - 1, 0, -1):
        other = random_below(place + 1)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


class ElectronicShoe:
    """A fresh shuffle from a source of chance that is handed in."""

    def __init__(self, random_below: RandomBelow) -> None:
        self._rest = [str(card) for card in shuffled(random_below)]

    def draw(self, count: int) -> tuple[str, ...]:
        return _drawn(self._rest, count)


class ScriptedShoe:
    """The cards somebody wrote down: for tests, replays and disputes."""

    def __init__(self, script: str) -> None:
        self._rest = [str(card) for card in cards(script)]

    def draw(self, count: int) -> tuple[str, ...]:
        return _drawn(self._rest, count)


def _drawn(rest: list[str], count: int) -> tuple[str, ...]:
    if not 0 <= count <= len(rest):
        raise EmptyShoe(f"{count} cards were asked for, {len(rest)} are left")
    drawn = tuple(rest[:count])
    del rest[:count]
    return drawn
