"""Shared hands: what is drawn by chance is drawn without bias, and meets what is counted."""

from __future__ import annotations

from itertools import combinations, islice
from math import inf, sqrt
from random import Random

import numpy as np
import pytest

from croupier.facts.cards import cards
from croupier.protection import holdem
from croupier.protection.advice import advise
from croupier.protection.first_values import hole_place, values_beside
from croupier.protection.knowledge import NOTHING
from croupier.protection.known_game import known_game
from croupier.protection.players import SimulatedDeal, player
from croupier.protection.screening import SHARES
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


@pytest.mark.prove
def test_the_first_decision_beside_other_boxes_is_nearly_the_best() -> None:
    """Five hands at once are solved here, draw by draw: of what they are worth before the flop no
    fifth is lost by adding up what each card changes alone."""
    game, beside = known_game(RULES), values_beside(RULES)
    solver, lost = holdem.Solver(game, NOTHING), np.zeros(2)
    for seed in (1002, 1003):
        others = tuple(sorted(Random(seed).sample(range(52), 10)))
        (one,) = solver.solve(holdem.Problem((), others, 1))
        places = [hole_place(tuple(hole)) for hole in one.spots.holes.tolist()]
        added_up, honest = (
            np.array([beside(place, np.array([cards], np.uint8))[0] for place in places])
            for cards in (others, ())
        )
        best, spots = one.values[:, [0, -1]], np.arange(len(places))
        for at, values in enumerate((added_up, honest)):
            missed = best.max(axis=1) - best[spots, values.argmax(axis=1)]
            lost[at] += missed.sum() / (one.spots.ways.sum() * one.deals * game.denominator)
    assert lost[0] < lost[1] / 5
    assert lost[1] > 0.02


@pytest.mark.prove
def test_who_sees_no_other_hand_values_the_first_decision_as_advice_does() -> None:
    own = cards("Kd 5c")
    advised = advise(RULES, own, (), (), ())
    hole = hole_place((own[0].number, own[1].number))
    ((raised, waited),) = values_beside(RULES)(hole, np.array([()], np.uint8))
    assert (raised, waited) == pytest.approx((float(advised["4x"]), float(advised["check"])))


@pytest.mark.prove
def test_who_shares_waits_where_the_cards_he_wants_are_gone() -> None:
    own, gone, live = (
        tuple(card.number for card in cards(lying))
        for lying in ("Kd 5c", "Ks Kh Kc 5d 5h 5s As Ad", "2s 2h 3c 3d 4h 4s 6s 6d")
    )
    board, dealer = (0, 5, 11, 22, 33), (40, 41)
    play = player(RULES, SHARES)
    firsts = [play(SimulatedDeal(own, dealer, (), board, others))[0] for others in (gone, live)]
    assert firsts == ["check", "4x"]
