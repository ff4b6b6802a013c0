"""The entropy source: the operating system's generator under a continuous test, and no seed.

**Every order can come.** A shuffle takes 51 numbers, the first below 52, the next below 51 and so
on. Each is cut from 32 bytes of the operating system's own, so what is dealt is not the work of a
seed that is shorter than a deck (52! orders need 226 bits): all 52! runs of numbers can come, and
each gives an order of its own.

**No order is favored.** A number below a limit is made of just as many bits as the limit needs, and
what lies above is thrown away and drawn again. Nothing is folded by a remainder. What was drawn
before decides nothing, but for the cards that are out.

**No seed.** Nothing here can be given a seed, started again or made to repeat itself, and nothing
is kept for the next number, so two tables, or two processes that were one, never share a stream.
The kernel stirs new entropy into its generator by itself, and an attacker who learned its state
loses it again.
"""

from __future__ import annotations

import hashlib
import os
from collections import deque
from typing import Protocol

from croupier.facts.cards import DECK, Card
from croupier.facts.errors import Unavailable
from croupier.table.shoe import RandomBits, below, shuffled

BLOCK_BYTES = 32
REMEMBERED = 1024
FEWEST_VALUES = 12


class RandomBytes(Protocol):
    """Chance as the operating system gives it: so many bytes, as ``os.urandom`` does."""

    def __call__(self, count: int, /) -> bytes: ...


class StuckSource(Unavailable):
    """The source of chance repeats itself or stands still: no card may be dealt from it."""


class Chance:
    """Bits for a shuffle, each from a block of its own that passed the continuous test.

    A block is refused when it is one of the last 1,024 (in truth once in 2^246 blocks), or holds
    fewer than 12 different bytes (once in 2^80). The first block is only there to be compared with.
    After one failure the source stays shut: somebody has to look at the machine and start again.
    """

    def __init__(self, source: RandomBytes = os.urandom) -> None:
        self._source = source
        self._marks: deque[bytes] = deque()
        self._seen: set[bytes] = set()
        self._failure = ""

    def __call__(self, count: int, /) -> int:
        wanted = self.take((count + 7) // 8)
        return int.from_bytes(wanted, "big") >> (8 * len(wanted) - count)

    def take(self, count: int) -> bytes:
        """So many bytes, from as many blocks as they need; the rest of the last is thrown away."""
        blocks = [self._block() for _ in range(0, count, BLOCK_BYTES)]
        return b"".join(blocks)[:count]

    def _block(self) -> bytes:
        if not self._seen:
            self._tested(self._source(BLOCK_BYTES))
        return self._tested(self._source(BLOCK_BYTES))

    def _tested(self, block: bytes) -> bytes:
        """What is remembered of a block is its hash: memory does not tell what was dealt."""
        mark = hashlib.sha256(block).digest()
        if len(block) != BLOCK_BYTES or len(set(block)) < FEWEST_VALUES:
            self._failure = "stands still"
        elif mark in self._seen:
            self._failure = "repeats itself"
        if self._failure:
            raise StuckSource(f"the source of chance {self._failure}; no card is dealt from it")
        self._remember(mark)
        return block

    def _remember(self, mark: bytes) -> None:
        self._marks.append(mark)
        self._seen.add(mark)
        if len(self._marks) > REMEMBERED:
            self._seen.discard(self._marks.popleft())


def fresh_order(bits: RandomBits) -> tuple[Card, ...]:
    """The 52 cards in a fresh order: the one shuffle that tables, collectors and the lab call."""
    return shuffled(below(bits), DECK)
