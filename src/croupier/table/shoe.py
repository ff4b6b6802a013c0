"""The shoe is a device behind a small port: it hands out cards, and nobody sees what is to come."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Protocol, TypeVar

from croupier.facts.cards import DECK, cards

NUMBER_DOMAIN, ORDER_DOMAIN = "croupier number 1", "croupier order 1"
WORDS = 2**32
T = TypeVar("T")


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


def digest(*parts: bytes | str | int) -> bytes:
    """SHA-256 over the parts, each with its length before it; numbers are decimal text."""
    return hashlib.sha256(sized(*parts)).digest()


def sized(*parts: bytes | str | int) -> bytes:
    raw = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    return b"".join([len(part).to_bytes(8, "big") + part for part in raw])


def number_hash(round: int, box: int, number: str) -> str:
    """What a player commits to with a wager: his number, in hex, bound to round and box."""
    return digest(NUMBER_DOMAIN, round, box, bytes.fromhex(number)).hex()


def order_of(round: int, numbers: Mapping[int, str]) -> tuple[int, ...]:
    """In which order the places of a committed pack are dealt: a shuffle that all players' numbers
    make together, by box (ruling 39). Without any number the pack is dealt as it lies.
    """
    if not numbers:
        return tuple(range(len(DECK)))
    parts = [part for box in sorted(numbers) for part in (box, bytes.fromhex(numbers[box]))]
    words = _words(digest(ORDER_DOMAIN, round, *parts))

    def below_limit(limit: int, /) -> int:
        """A word above the last whole multiple of the limit is passed over."""
        whole = WORDS // limit * limit
        return next(word for word in words if word < whole) % limit

    return shuffled(below_limit, range(len(DECK)))


def _words(seed: bytes) -> Iterator[int]:
    """Numbers of four bytes, from hashes of the seed and 0, 1, 2, and so on."""
    for number in count():
        block = digest(ORDER_DOMAIN, seed, number)
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, len(block), 4))


def shuffled(random_below: RandomBelow, deck: Iterable[T]) -> tuple[T, ...]:
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
        self._rest = [str(card) for card in shuffled(random_below, DECK)]

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
