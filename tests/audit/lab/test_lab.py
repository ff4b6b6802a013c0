"""The lab: a fair shuffle passes, and every shuffle that is known to be bad is found out."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np
import pytest

from croupier.audit.lab.bits import Bits, battery, bits_of
from croupier.audit.lab.chances import CARDS
from croupier.audit.lab.collect import dealt, raw_output
from croupier.audit.lab.deals import FEWEST_DECKS, cards_by_place, duplicates, trials_of_deals
from croupier.audit.lab.orders import DeckArray
from croupier.audit.lab.verdict import MARYLAND_LEVEL, Verdict, judged
from croupier.facts.cards import DECK, Card
from croupier.facts.errors import Unreadable
from croupier.ledger.shoe.entropy import Chance, fresh_order

DECKS = 20_000
DAY_MS = 24 * 60 * 60 * 1000

Shuffle = Callable[[random.Random], Iterable[int]]


def verdict_on(decks: DeckArray) -> Verdict:
    return judged(trials_of_deals(decks))


def failures(verdict: Verdict) -> set[str]:
    return {line.name for line in verdict.failed}


@pytest.fixture(scope="module")
def fair() -> DeckArray:
    """Seeded bytes through the watched source and the shuffle that deal at the tables."""
    return np.concatenate(list(dealt(DECKS, Chance(random.Random(2026).randbytes))))


def test_the_production_shuffle_passes(fair: DeckArray) -> None:
    verdict = verdict_on(fair)
    assert verdict.passed, failures(verdict)
    assert len(verdict.lines) == 28
    assert all(0 <= line.p <= line.adjusted <= 1 for line in verdict.lines)
    assert all("{" not in line.finds and line.finds for line in verdict.lines)


def test_the_maryland_trial_fails_a_fair_sample_about_once_in_twenty(fair: DeckArray) -> None:
    """That is what 95% says. The whole of this sample is such a one: alone its p is 0.029."""
    samples = np.split(fair, 20)
    passed = sum(cards_by_place(sample).p >= MARYLAND_LEVEL for sample in samples)
    assert passed >= 15  # fewer only once in 3,000 times
    whole = verdict_on(fair).maryland
    assert whole is not None
    assert (round(whole.p, 3), whole.passed) == (0.029, False)


def test_the_raw_output_passes() -> None:
    raw = b"".join(raw_output(1_000_000, Chance(random.Random(7).randbytes)))
    assert len(raw) == 1_000_000
    assert judged(battery(bits_of(raw), "raw")).passed


def test_the_collector_deals_what_the_table_deals() -> None:
    collected = np.concatenate(list(dealt(1_500, Chance(random.Random(4).randbytes))))
    chance = Chance(random.Random(4).randbytes)
    assert collected.tolist() == [
        [card.number for card in fresh_order(chance)] for _ in range(1_500)
    ]


# Shuffles that are known to be bad. None of them is in the package.


def swapped(other: Callable[[int], int], places: Iterable[int]) -> list[int]:
    order = list(range(CARDS))
    for place in places:
        at = other(place)
        order[place], order[at] = order[at], order[place]
    return order


def never_stays(chance: random.Random) -> list[int]:
    """One too few: no card stays at its place, the last one least of all."""
    return swapped(chance.randrange, range(CARDS - 1, 0, -1))


def swaps_with_all(chance: random.Random) -> list[int]:
    """Each place with any of all 52: 52^52 runs cannot fall evenly on 52! orders."""
    return swapped(lambda place: chance.randrange(CARDS), range(CARDS))


def folds(chance: random.Random) -> list[int]:
    """A remainder of eight bits: the low numbers come too often."""
    return swapped(lambda place: chance.getrandbits(8) % (place + 1), range(CARDS - 1, 0, -1))


def counts_milliseconds(chance: random.Random) -> list[int]:
    """The whole deck hangs on the time of day."""
    order = list(range(CARDS))
    random.Random(chance.randrange(DAY_MS)).shuffle(order)
    return order


def sticks(chance: random.Random) -> list[int]:
    """The source gives the last bits again, once in sixteen times."""
    last = 0

    def bits(width: int) -> int:
        nonlocal last
        last = last if chance.random() < 1 / 16 else chance.getrandbits(6)
        return last >> (6 - width)

    def below(limit: int) -> int:
        width = (limit - 1).bit_length()
        return next(number for number in iter(lambda: bits(width), None) if number < limit)

    return swapped(lambda place: below(place + 1), range(CARDS - 1, 0, -1))


def forgets_the_ace(chance: random.Random) -> list[int]:
    """The ace of spades is among the last ten places a tenth too often."""
    order = list(range(CARDS))
    chance.shuffle(order)
    at = order.index(CARDS - 1)
    if at < CARDS - 10 and chance.random() < 0.1:
        other = chance.randrange(CARDS - 10, CARDS)
        order[at], order[other] = order[other], order[at]
    return order


BAD: dict[Shuffle, tuple[int, set[str]]] = {
    never_stays: (
        DECKS,
        {"cards by place", "one card at one place", "numbers drawn by limit"},
    ),
    swaps_with_all: (DECKS, {"cards by place", "Lehmer code by place", "numbers drawn by limit"}),
    folds: (DECKS, {"cards by place", "numbers drawn by limit"}),
    counts_milliseconds: (2 * DECKS, {"duplicate decks"}),
    sticks: (DECKS, {"correlation of numbers drawn"}),
    forgets_the_ace: (DECKS, {"one card at one place"}),
}


DEAR = (sticks, counts_milliseconds)  # seconds each


@pytest.mark.parametrize(
    "shuffle",
    [pytest.param(bad, marks=[pytest.mark.prove] * (bad in DEAR)) for bad in BAD],
    ids=lambda shuffle: shuffle.__name__,
)
def test_a_bad_shuffle_is_found_out(shuffle: Shuffle) -> None:
    size, found_by = BAD[shuffle]
    chance = random.Random(99)
    decks = np.array([list(shuffle(chance)) for _ in range(size)], dtype=np.uint8)
    verdict = verdict_on(decks)
    assert not verdict.passed
    assert found_by <= failures(verdict)


def test_the_maryland_trial_finds_a_bad_shuffle_too() -> None:
    chance = random.Random(98)
    decks = np.array([never_stays(chance) for _ in range(FEWEST_DECKS)], dtype=np.uint8)
    maryland = verdict_on(decks).maryland
    assert maryland is not None
    assert not maryland.passed


def test_a_deck_that_is_hardly_shuffled_between_rounds_is_found_out() -> None:
    chance, order, rows = random.Random(5), list(range(CARDS)), []
    for _ in range(FEWEST_DECKS):
        for place in chance.sample(range(CARDS), 20):
            other = chance.randrange(CARDS)
            order[place], order[other] = order[other], order[place]
        rows.append(order.copy())
    found = failures(verdict_on(np.array(rows, dtype=np.uint8)))
    assert {"matches with the deck before", "serial correlation of decks"} <= found


def test_a_deck_too_even_to_be_fair_is_found_out(fair: DeckArray) -> None:
    """Every card the same number of times at every place: by turns, and not by chance."""
    turns = (np.arange(CARDS) + np.arange(CARDS * 200)[:, None]) % CARDS
    assert "cards by place" in failures(verdict_on(turns.astype(np.uint8)))


def test_swapping_with_all_is_uneven_on_three_cards_already() -> None:
    """Arkin and others: 27 runs cannot fall evenly on six orders."""
    orders: Counter[tuple[int, ...]] = Counter()
    for run in range(27):
        order, draws = [1, 2, 3], (run // 9, run // 3 % 3, run % 3)
        for place, other in enumerate(draws):
            order[place], order[other] = order[other], order[place]
        orders[tuple(order)] += 1
    assert sorted(orders.values()) == [4, 4, 4, 5, 5, 5]


def test_a_seed_of_32_bits_is_within_reach_of_a_million_decks() -> None:
    """What the duplicate trial states of itself, for a sample of the size a lab takes."""
    decks = np.tile(np.arange(CARDS, dtype=np.uint8), (1_000, 1))
    trial = duplicates(decks)
    assert (trial.statistic, trial.p) == (999, 0.0)
    bits = trial.smallest(0.01)
    assert bits + 2 * np.log2(1_000) > 32 + 4


BAD_BITS: dict[str, Callable[[np.random.Generator], Bits]] = {
    "monobit": lambda chance: (chance.random(2_000_000) < 0.503).astype(np.uint8),
    "block frequency": lambda chance: np.tile(chance.integers(0, 2, 64, np.uint8), 20_000),
    "runs": lambda chance: np.repeat(chance.integers(0, 2, 400_000, np.uint8), 2),
    "serial patterns": lambda chance: np.tile(np.array([0, 0, 1, 1], np.uint8), 100_000),
    "bytes": lambda chance: np.unpackbits(chance.integers(0, 251, 200_000, np.uint8)),
    "autocorrelation": lambda chance: np.tile(chance.integers(0, 2, 61, np.uint8), 8_000),
}


@pytest.mark.parametrize("name", BAD_BITS)
def test_bad_bits_are_found_out(name: str) -> None:
    bits = BAD_BITS[name](np.random.default_rng(3))
    assert f"raw: {name}" in failures(judged(battery(bits, "raw")))


def test_too_few_decks_are_no_verdict(fair: DeckArray) -> None:
    with pytest.raises(Unreadable, match="at least 10,000 decks, not 9,999"):
        trials_of_deals(fair[: FEWEST_DECKS - 1])


def test_progress_is_told_from_beginning_to_end(fair: DeckArray) -> None:
    told: list[tuple[str, float]] = []
    trials_of_deals(fair[:FEWEST_DECKS], lambda what, done: told.append((what, done)))
    assert told[0] == ("cards by place", 0.0)
    assert [done for _, done in told] == sorted(done for _, done in told)


def test_the_shuffle_under_test_is_the_deck_in_order() -> None:
    """The numbers drawn are worked back from an unshuffled deck in this order."""
    assert [card.number for card in DECK] == list(range(CARDS))
    assert all(isinstance(card, Card) for card in fresh_order(Chance()))
