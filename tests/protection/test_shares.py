"""Shared hands: what is drawn by chance is drawn without bias, and meets what is counted."""

from __future__ import annotations

from itertools import combinations, islice
from math import inf, sqrt
from random import Random

import pytest

from croupier.protection.shares import (
    FEWEST,
    WITHIN,
    ControlledMean,
    averaged,
    controls_of,
    shared,
)
from tests.exact.conftest import rules_of

RULES = rules_of("UTH-S", blind="A")


def test_controls_are_nothing_on_average() -> None:
    sets = [*combinations(range(0, 52), 3)]
    by_control = zip(*map(controls_of, sets), strict=True)
    assert [sum(each) / len(sets) for each in by_control] == pytest.approx([0, 0], abs=1e-9)


def test_without_controls_it_is_the_mean_and_its_standard_error() -> None:
    values, found = [1.0, 2.0] * FEWEST, ControlledMean()
    for value in values:
        found.add(value, ())
    assert found.estimate() == pytest.approx((1.5, sqrt(0.25 / (len(values) - 1))))


def test_what_a_control_brings_is_no_error() -> None:
    chance, found = Random(3), ControlledMean()
    for _ in range(FEWEST):
        control = chance.random()
        found.add(7 + 2 * control, (control, 5.0))  # the second never varies
    assert found.estimate() == pytest.approx((7, 0), abs=1e-6)


def test_drawing_ends_when_the_error_is_small_enough_but_not_at_once() -> None:
    chance = Random(4)
    draws = iter(lambda: (chance.random(), ()), None)
    told: list[str] = []
    _, error, count = averaged(draws, 0.02, lambda what, done: told.append(what))
    assert error <= 0.02
    assert count == len(told) > FEWEST
    assert "standard error" in told[-1]
    assert "standard error" not in told[FEWEST - 2]
    assert averaged(((1.0, ()) for _ in range(100)), 0.02, lambda what, done: None) == (
        1.0, 0.0, FEWEST,
    )  # fmt: skip


def test_few_draws_tell_no_error() -> None:
    found = ControlledMean()
    for value in islice((0.0, 1.0) * FEWEST, FEWEST - 1):
        found.add(value, ())
    assert found.estimate()[1] == inf


@pytest.mark.prove
def test_two_shared_hands_drawn_meet_those_that_are_counted() -> None:
    counted, drawn = shared(RULES, 2), shared(RULES, 2, within=WITHIN)
    assert (counted.samples, drawn.samples >= FEWEST) == (0, True)
    assert abs(drawn.gain - counted.gain) < 4 * drawn.standard_error
