"""A fair log fails its statistics once in a hundred times at most, and loaded ones are found.

Logs are drawn as arrays of counts and judged by the function that the command calls.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier.audit.lab.binomial import binomial, found
from croupier.audit.lab.verdict import LEVEL
from croupier.audit.log.statistics.judgment import LOST, UNLISTED, judged_counts
from tests.audit.log.fair_logs import BOOKS, FairLogs

SIZES = (1_000, 10_000, 100_000)


def failures(logs: FairLogs, count: int) -> int:
    return sum(not logs.verdict().passed for _ in range(count))


def refuse_more_than_said(failed: int, count: int) -> None:
    """Not one in a thousand fair functions would show so many."""
    assert binomial(count, LEVEL).above(failed) > 0.001, f"{failed} of {count:,} fair logs failed"


@pytest.mark.parametrize("book", BOOKS)
def test_fair_logs_fail_no_more_often_than_is_said(book: str) -> None:
    refuse_more_than_said(failures(FairLogs(book, 10_000, seed=17), 200), 200)


@pytest.mark.prove
@pytest.mark.parametrize("rounds", SIZES)
@pytest.mark.parametrize("book", BOOKS)
def test_two_thousand_fair_logs_fail_no_more_often_than_is_said(book: str, rounds: int) -> None:
    failed = failures(FairLogs(book, rounds, seed=2_027), 2_000)
    print(f"{book}, {rounds:,} rounds: {failed} of 2,000 fair logs failed")
    refuse_more_than_said(failed, 2_000)


@pytest.mark.parametrize(("book", "wager"), [("UTH-S", "bad_beat"), ("FCP-14", "six_card_bonus")])
def test_one_top_award_is_no_sign_of_anything(book: str, wager: str) -> None:
    """A log of ten thousand rounds with one award of the rarest line."""
    logs = FairLogs(book, 10_000, seed=3)
    drawn, due = logs.drawn(), logs.chances.sides[wager]
    rarest = min(due, key=due.__getitem__)
    ends = {end: round(10_000 * chance) for end, chance in due.items()}
    drawn.sides[wager].update({**ends, rarest: 1})  # type: ignore[attr-defined]
    line = next(
        each
        for each in judged_counts([(drawn, logs.chances)]).lines
        if each.name == f"{book}: {logs.chances.rules.book.wager(wager).title}"
    )
    assert line.passed, line


@pytest.mark.parametrize(
    ("book", "wager", "line"),
    [("UTH-S", "trips", "7 to 1"), ("UTH-14", "trips", "7 to 1"), ("FCP-14", "aces_up", "6 to 1"),
     ("TCP-1", "pair_plus", "4 to 1")],
)  # fmt: skip
@pytest.mark.parametrize("kept", [0.0, 0.5])
def test_a_line_that_is_not_paid_is_found(book: str, wager: str, line: str, kept: float) -> None:
    """The hands of a line are told as lost, always or every other time."""
    fair = FairLogs(book, 10_000, seed=5).chances.sides[wager]
    withheld = fair[line] * (1 - kept)
    loaded = {wager: {line: fair[line] - withheld, LOST: fair[LOST] + withheld}}
    assert failures(FairLogs(book, 10_000, seed=5, loaded=loaded), 50) >= 48


def test_a_payment_that_no_line_makes_is_found_at_once() -> None:
    logs = FairLogs("UTH-S", 1_000, seed=7)
    drawn = logs.drawn()
    drawn.sides["trips"][UNLISTED] = 1  # type: ignore[index]
    (failed,) = judged_counts([(drawn, logs.chances)]).failed
    assert (failed.name, failed.p) == ("UTH-S: Trips", 0.0)
    assert failed.seen.startswith(UNLISTED)


@pytest.mark.parametrize(("book", "share"), [("UTH-S", 0.1), ("FCP-14", 0.1), ("TCP-1", 0.1)])
def test_a_shuffle_that_favors_the_dealer_is_found(book: str, share: float) -> None:
    """In one round of ten the dealer has the better of two hands."""
    logs = FairLogs(book, 10_000, seed=9)
    logs.dealers = better_of_two(logs.chances.fair.dealers(), share)
    assert failures(logs, 50) >= 48


def better_of_two(ways: NDArray[np.int64], share: float) -> NDArray[np.float64]:
    fair = ways / ways.sum()
    at_most = fair.cumsum()
    better: NDArray[np.float64] = at_most**2 - np.concatenate([[0.0], at_most[:-1]]) ** 2
    mixed: NDArray[np.float64] = (1 - share) * fair + share * better
    return mixed


@pytest.mark.parametrize(
    ("size", "chance"), [(30, Fraction(1, 7)), (200, Fraction(1, 1000)), (400, Fraction(9, 10))]
)
def test_binomial_tails_are_those_of_exact_arithmetic(size: int, chance: Fraction) -> None:
    ways = [comb(size, k) * chance**k * (1 - chance) ** (size - k) for k in range(size + 1)]
    counted = binomial(size, float(chance))
    for count in range(size + 1):
        at_most, at_least = sum(ways[: count + 1]), sum(ways[count:])
        assert counted.tail(count) == pytest.approx(
            float(min(1, 2 * min(at_most, at_least))), rel=1e-8, abs=1e-200
        )
        assert counted.above(count) == pytest.approx(float(at_least), rel=1e-8, abs=1e-200)


@pytest.mark.parametrize(("size", "chance"), [(1_000, 0.03), (10_000, 0.17), (500, 0.9)])
def test_what_a_count_would_have_shown_it_shows_so_often(size: int, chance: float) -> None:
    draw = np.random.default_rng(4)
    too_low, too_high = found(size, chance, 0.001)
    few, many = binomial(size, chance).limits(0.001)
    low = draw.binomial(size, chance * (1 - too_low), 20_000)
    high = draw.binomial(size, chance * (1 + too_high), 20_000)
    assert float(np.mean(low <= few)) == pytest.approx(0.95, abs=0.01)
    assert float(np.mean(high >= many)) == pytest.approx(0.95, abs=0.01)
    assert all(binomial(size, chance).tail(count) <= 0.001 for count in (few, many))
    assert all(binomial(size, chance).tail(count) > 0.001 for count in (few + 1, many - 1))


def test_where_even_nothing_would_not_be_found_it_is_said() -> None:
    too_low, too_high = found(200, 0.001, 0.001)
    assert too_low == float("inf")
    assert 1 < too_high < 100
