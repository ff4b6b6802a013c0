"""The lab's own arithmetic, against tables, brute force and the readable code."""

from __future__ import annotations

import math
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from croupier.audit.lab import chances, tails
from croupier.audit.lab.collect import FORMATS, as_text, key_files, read_decks
from croupier.audit.lab.orders import draws, kinds_of_hand, lehmer, patterns, until_each
from croupier.audit.lab.trials import fit, mean_of, merged, normal, worst
from croupier.audit.lab.verdict import holm
from croupier.facts.cards import DECK, written
from croupier.facts.errors import Unreadable
from croupier.facts.hands import FIVE_CARD
from croupier.table.shoe import shuffled

RNG = np.random.default_rng(12)
DECKS = RNG.permuted(np.tile(np.arange(52, dtype=np.uint8), (500, 1)), axis=1)


# Critical values from the chi-square table of the NIST/SEMATECH e-Handbook, section 1.3.6.7.4.
@pytest.mark.parametrize(
    ("statistic", "degrees", "level"),
    [
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (9.488, 4, 0.05),
        (18.307, 10, 0.05),
        (23.209, 10, 0.01),
        (67.505, 50, 0.05),
        (135.807, 100, 0.01),
    ],
)
def test_the_tail_of_a_chi_square(statistic: float, degrees: int, level: float) -> None:
    assert tails.chi_square_tail(statistic, degrees) == pytest.approx(level, rel=1e-3)
    assert tails.chi_square_limit(level, degrees) == pytest.approx(statistic, abs=6e-4)


def test_the_incomplete_gamma_function_where_it_is_simple() -> None:
    for x in (0.01, 0.5, 1.0, 3.0, 10.0, 50.0):
        assert tails.upper_gamma(1, x) == pytest.approx(math.exp(-x))
        assert tails.upper_gamma(0.5, x) == pytest.approx(math.erfc(math.sqrt(x)))
        sums = sum(math.exp(-x) * x**k / math.factorial(k) for k in range(7))
        assert tails.upper_gamma(7, x) == pytest.approx(sums)
    assert tails.upper_gamma(3, 0) == 1


def test_a_large_chi_square_is_nearly_normal() -> None:
    for z in (-3.0, 0.0, 2.0, 4.0):
        degrees = 250_000
        cube = (1 - 2 / (9 * degrees) + z * math.sqrt(2 / (9 * degrees))) ** 3 * degrees
        upper = 0.5 * math.erfc(z / math.sqrt(2))
        assert tails.chi_square_tail(cube, degrees) == pytest.approx(upper, rel=1e-3)


def test_a_poisson_count_is_judged_on_both_sides() -> None:
    assert tails.poisson_tail(0, 5) == pytest.approx(2 * math.exp(-5))
    assert tails.poisson_tail(1, 1e-58) < 1e-15
    assert tails.poisson_tail(5, 5) == 1
    assert tails.poisson_tail(0, 1e-58) == 1


def test_power_of_one_degree_is_that_of_a_normal() -> None:
    for level in (0.05, 0.01, 0.0003):
        assert tails.noncentrality(level, 1) == pytest.approx(tails.shift(level) ** 2, rel=1e-3)


def test_what_a_trial_says_it_finds_it_finds() -> None:
    """95 of 100 samples that are off by the stated deviation fail, and one of 100 fair ones."""
    level, size, cells, runs = 0.01, 100_000, 12, 2_000
    fair = np.full(cells, 1 / cells)
    off = fit("", RNG.multinomial(size, fair), fair, "").smallest(level)
    bent = np.full(cells, (1 - (1 + off) / cells) / (cells - 1))
    bent[0] = (1 + off) / cells
    for chance, often in ((bent, 0.95), (fair, level)):
        samples = RNG.multinomial(size, chance, runs)
        failed = np.mean([fit("", counts, fair, "").p < level for counts in samples])
        assert failed == pytest.approx(often, abs=0.02)


def test_what_a_mean_says_it_finds_it_finds() -> None:
    level, size, runs = 0.01, 400, 2_000
    off = mean_of("", RNG.normal(0, 3, 100_000), 0, 3, "").smallest(level) * math.sqrt(250) * 3
    samples = RNG.normal(off, 3, (runs, size))
    failed = np.mean([mean_of("", values, 0, 3, "").p < level for values in samples])
    assert failed == pytest.approx(0.95, abs=0.02)


def test_the_worst_of_several_pays_for_all() -> None:
    several = [normal("", z, 100, "", 0.1) for z in (0.5, 3.0, -1.0)]
    found = worst("all", several)
    assert (found.name, found.statistic) == ("all", 3.0)
    assert found.p == pytest.approx(3 * tails.normal_tail(3.0))
    assert found.smallest(0.03) == several[1].smallest(0.01)


def test_rare_outcomes_are_counted_together() -> None:
    seen, expected = merged(np.array([1, 0, 60, 38, 1]), np.array([0.01, 0.02, 0.6, 0.36, 0.01]))
    assert seen.tolist() == [61, 39]
    assert expected.tolist() == pytest.approx([63, 37])


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]


# What a fair deck does


def test_hands_are_counted_as_everybody_counts_them() -> None:
    assert list(chances.HANDS.values()) == [
        *(40, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540)
    ]


@pytest.mark.parametrize(
    ("fair", "mean", "variance"),
    [
        (chances.descents(), 51 / 2, 53 / 12),  # Eulerian
        (chances.gaps(), 48 / 5, None),  # 48 others fall evenly into five gaps
        (chances.matches(), 1, 1),  # fixed points
        (chances.overlaps(20), 400 / 52, None),  # hypergeometric
        (chances.collections(13, 3_000), 13 * sum(1 / k for k in range(1, 14)), None),
    ],
)
def test_probabilities_add_up(fair: list[float], mean: float, variance: float | None) -> None:
    values = np.arange(len(fair))
    assert sum(fair) == pytest.approx(1)
    assert min(fair) >= 0
    assert float(values @ fair) == pytest.approx(mean)
    if variance is not None:
        assert float((values - mean) ** 2 @ fair) == pytest.approx(variance)


def test_four_suits_take_four_cards_at_least() -> None:
    fair = chances.whole_sets(4)
    assert fair[4] == pytest.approx(13**4 * 24 / math.perm(52, 4))
    assert fair[:4] == [0, 0, 0, 0]
    assert sum(chances.whole_sets(13)) == pytest.approx(1)


# Decks as numbers


def test_the_numbers_drawn_are_worked_back_exactly() -> None:
    """Given again to the shuffle of the tables, they deal the same deck."""
    for row, drawn in zip(DECKS, draws(DECKS), strict=True):
        numbers = iter(drawn[:0:-1].tolist())
        again = shuffled(lambda limit, numbers=numbers: next(numbers), range(52))
        assert list(again) == row.tolist()


def test_the_lehmer_code_names_every_order_once() -> None:
    orders = np.array(list(permutations(range(5))), dtype=np.uint8)
    digits = lehmer(orders)
    assert len({tuple(row) for row in digits.tolist()}) == 120
    assert all((digits[:, place] <= 4 - place).all() for place in range(5))


def test_patterns_are_orders_of_neighbors() -> None:
    assert len(patterns(DECKS, 5)) == 10 * len(DECKS)
    row = np.concatenate([np.array([2, 0, 1, 0 + 3, 4 + 1, 4]), np.arange(6, 52)])
    codes = patterns(row[None, :].astype(np.uint8), 3)
    assert codes[:3].tolist() == [4, 1, 0]


def test_kinds_of_hand_are_those_of_the_table() -> None:
    """Random hands, and straights, wheels and flushes in every suit."""
    hands = [RNG.choice(52, 5, replace=False).tolist() for _ in range(3_000)]
    hands += [[4 * (low + step) % 52 for step in range(5)] for low in range(13)]
    hands += [[4 * (low + step) % 52 + step % 2 for step in range(5)] for low in range(13)]
    hands += [[4 * rank + suit for rank in (0, 2, 3, 7, 9)] for suit in range(4)]
    hands += [[4 * rank + suit for suit in range(4)] + [(4 * rank + 9) % 52] for rank in range(13)]
    names = list(chances.HANDS)
    kinds = kinds_of_hand(np.array(hands, dtype=np.uint8))
    for hand, kind in zip(hands, kinds.tolist(), strict=True):
        called = FIVE_CARD.hand(tuple(DECK[number] for number in hand)).category
        assert names[kind] == str(called).replace("royal", "straight")


def test_until_each_counts_cards() -> None:
    row = np.array([[0, 0, 1, 0, 2, 1, 3, 0]], dtype=np.uint8)
    assert until_each(row, 4).tolist() == [7]
    assert until_each(row, 2).tolist() == [3]


# Files


@pytest.mark.parametrize("name", FORMATS)
def test_a_collection_reads_back(name: str) -> None:
    assert (read_decks(FORMATS[name](DECKS)) == DECKS).all()


def test_a_line_is_the_cards_as_everybody_writes_them() -> None:
    first = as_text(DECKS).decode().splitlines()[0]
    assert first == written(DECK[number] for number in DECKS[0])


def test_a_bad_collection_is_refused() -> None:
    text = as_text(DECKS)
    line = text.index(b"\n") + 1
    twice = text[: 2 * line] + text[2 * line : 2 * line + 3] * 2 + text[2 * line + 6 :]
    for content, problem in (
        (b"", "no collection of deals"),
        (text[:-1], "no collection of deals"),
        (twice, "deck 3 does not hold every card once"),
        (text.replace(b"Ah", b"Ax", 1), "deck 1 does not hold every card once"),
        (text.replace(b" ", b",", 1), "deck 1 does not hold every card once"),
        (bytes(52), "deck 1 does not hold every card once"),
    ):
        with pytest.raises(Unreadable, match=problem):
            read_decks(content)


def test_key_files_are_those_of_the_package() -> None:
    files = {file.path: file.sha256 for file in key_files()}
    assert {"table/shoe.py", "ledger/shoe/entropy.py"} <= set(files)
    assert {len(digest) for digest in files.values()} == {64}
    assert Counter(files.values()).most_common(1)[0][1] == 1
