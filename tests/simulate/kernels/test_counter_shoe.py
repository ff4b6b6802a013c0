"""Cards from a counter: the published generator, unbiased, and the same for everybody."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from croupier.simulate.kernels.counter_shoe import deal_rounds, new_shoe, philox

# From the known-answer file of Random123, the authors' own library: counter, key, output.
KNOWN = [
    ((0,) * 4, (0,) * 2, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN)
def test_the_generator_is_philox(
    counter: tuple[int, ...], key: tuple[int, ...], words: tuple[int, ...]
) -> None:
    found = philox(*(np.uint64(word) for word in (*counter, *key)))
    assert tuple(int(word) for word in found) == words


def plainly_dealt(seed: int, round: int, count: int) -> list[int]:
    """The same deal in plain Python: a shuffle from the front, a draw at a time."""
    deck, draws, block = list(range(52)), list[int](), 0
    for place in range(count):
        left = 52 - place
        while True:
            if not draws:
                counter = (block, round & 0xFFFFFFFF, round >> 32, 0)
                key = (seed & 0xFFFFFFFF, seed >> 32)
                words = philox(*(np.uint64(word) for word in (*counter, *key)))
                draws = [half for word in words for half in (int(word) & 0xFFFF, int(word) >> 16)]
                block += 1
            product = draws.pop(0) * left
            if product % 65536 >= 65536 % left:
                break
        drawn = place + product // 65536
        deck[place], deck[drawn] = deck[drawn], deck[place]
    return deck[:count]


def dealt(
    seed: int, first: int, rounds: int, count: int
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    rows = np.zeros((rounds, count), dtype=np.int64)
    deal_rounds(np.uint64(seed), first, count, rounds, new_shoe(), rows)
    return rows


@pytest.mark.parametrize("seed", [0, 1, (1 << 64) - 1])
@pytest.mark.parametrize("first", [0, (1 << 32) - 5, (1 << 36) + 3])
def test_a_deal_is_a_shuffle_by_counter(seed: int, first: int) -> None:
    rows = dealt(seed, first, 20, 42)
    assert rows.tolist() == [plainly_dealt(seed, first + row, 42) for row in range(20)]


def test_no_card_comes_twice_and_rounds_differ() -> None:
    rows = dealt(5, 0, 2_000, 52)
    assert (np.sort(rows, axis=1) == np.arange(52)).all()
    assert len({tuple(row) for row in rows.tolist()}) == 2_000


def test_every_card_comes_everywhere() -> None:
    """Each of 52 cards at each of 13 places, and each pair of the last two: chi-square is usual."""
    rounds = 200_000
    rows = dealt(3, 0, rounds, 13)
    for place in range(13):
        assert _excess(np.bincount(rows[:, place], minlength=52), rounds / 52) < 5
    pairs = Counter(zip(rows[:, 0].tolist(), rows[:, 12].tolist(), strict=True))
    assert len(pairs) == 52 * 51
    assert _excess(np.array(list(pairs.values())), rounds / len(pairs)) < 5


def _excess(counts: np.ndarray[tuple[int], np.dtype[np.int64]], expected: float) -> float:
    """By how many of its standard deviations chi-square lies off its mean."""
    freedom = len(counts) - 1
    square = float(((counts - expected) ** 2 / expected).sum())
    return abs(square - freedom) / float(np.sqrt(2 * freedom))
