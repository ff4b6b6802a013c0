"""Chance from the operating system alone: watched, unbiased, and without a seed to lose."""

from __future__ import annotations

import ast
import os
import random
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path

import pytest

import croupier.ledger
from croupier.facts.cards import DECK
from croupier.ledger.shoe.entropy import BLOCK_BYTES, REMEMBERED, Chance, StuckSource, fresh_order

ROOM = Path(croupier.ledger.__file__).parent


def test_a_fresh_order_holds_every_card_once() -> None:
    chance = Chance()
    first, second = fresh_order(chance), fresh_order(chance)
    assert sorted(first) == sorted(second) == sorted(DECK)
    assert first != second


def test_as_many_bits_as_asked_and_every_one_of_them_lives() -> None:
    chance = Chance()
    for width in (0, 1, 5, 6, 8, 13, 256, 1000):
        numbers = [chance(width) for _ in range(200)]
        assert max(numbers) < 2**width
        ever_set = 0
        for number in numbers:
            ever_set |= number
        assert ever_set == 2**width - 1


def test_every_number_is_cut_from_a_block_of_its_own() -> None:
    """Nothing is kept for the next number, so two processes that were one share none."""
    given: list[bytes] = []

    def source(size: int, /) -> bytes:
        given.append(os.urandom(size))
        return given[-1]

    chance = Chance(source)
    assert [chance(8) for _ in range(3)] == [block[0] for block in given[1:]]
    assert {len(block) for block in given} == {BLOCK_BYTES}
    assert chance.take(40) == (given[-2] + given[-1])[:40]


def blocks(choose: Callable[[int], bytes]) -> Callable[[int], bytes]:
    numbers = count()
    return lambda size: choose(next(numbers))[:size]


BAD_SOURCES: dict[str, Callable[[int], Iterable[int]]] = {
    "all zero": lambda number: bytes(BLOCK_BYTES),
    "all one": lambda number: b"\xff" * BLOCK_BYTES,
    "one byte that moves": lambda number: bytes([number % 256]) * BLOCK_BYTES,
    "few values": lambda number: random.Random(number).choices(range(11), k=BLOCK_BYTES),
    "the same block": lambda number: bytes(range(BLOCK_BYTES)),
    "stuck after a while": lambda number: random.Random(min(number, 99)).randbytes(BLOCK_BYTES),
    "a circle": lambda number: random.Random(number % REMEMBERED).randbytes(BLOCK_BYTES),
    "too few bytes": lambda number: random.Random(number).randbytes(BLOCK_BYTES - 1),
}


@pytest.mark.parametrize("name", BAD_SOURCES)
def test_a_source_that_is_stuck_stops_play(name: str) -> None:
    bad = BAD_SOURCES[name]
    chance = Chance(blocks(lambda number: bytes(bad(number))))
    with pytest.raises(StuckSource, match="no card is dealt from it"):
        chance.take(2 * REMEMBERED * BLOCK_BYTES)


def test_a_source_that_failed_stays_shut() -> None:
    """It gives good blocks again, and still nothing is dealt before somebody has looked."""
    chance = Chance(
        blocks(lambda number: bytes(BLOCK_BYTES) if number == 9 else os.urandom(BLOCK_BYTES))
    )
    with pytest.raises(StuckSource):
        fresh_order(chance)
    with pytest.raises(StuckSource, match="stands still"):
        chance(6)


def test_a_sound_source_passes_for_long() -> None:
    chance = Chance(random.Random(5).randbytes)
    counted = Counter(chance(6) for _ in range(20 * REMEMBERED))
    assert set(counted) == set(range(64))


def test_production_takes_no_seed() -> None:
    """A 32-bit seed reaches one in 2^193 orders; there is no way to give one."""
    with pytest.raises(TypeError):
        Chance(42)(6)  # type: ignore[arg-type]
    for path in ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            module = node.module if isinstance(node, ast.ImportFrom) else ""
            assert "random" not in names, path
            assert module not in {"random", "numpy.random"}, path
