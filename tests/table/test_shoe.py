"""The shoe: every order alike, no card favoured, and scripts for tests and disputes."""

from __future__ import annotations

import random
import secrets
from collections import Counter
from itertools import permutations

import pytest

from croupier.facts.cards import DECK, Card
from croupier.table.shoe import ElectronicShoe, EmptyShoe, ScriptedShoe, below, shuffled


def test_an_electronic_shoe_deals_each_card_once() -> None:
    shoe = ElectronicShoe(secrets.randbelow)
    drawn = [card for _ in range(4) for card in shoe.draw(13)]
    assert sorted(drawn) == sorted(map(str, DECK))
    with pytest.raises(EmptyShoe):
        shoe.draw(1)


def test_every_order_comes_from_exactly_one_run_of_chance() -> None:
    """All 24 draws for four cards give the 24 orders, each once: no order is favoured."""
    orders: Counter[tuple[Card, ...]] = Counter()
    four = DECK[:4]
    for a in range(4):
        for b in range(3):
            for c in range(2):
                draws = iter((a, b, c))
                limits: list[int] = []

                def chance(limit: int, /, draws: object = draws, limits: list[int] = limits) -> int:
                    limits.append(limit)
                    return next(draws)  # type: ignore[call-overload, no-any-return]

                orders[shuffled(chance, four)] += 1
                assert limits == [4, 3, 2]
    assert orders == Counter(permutations(four))


def test_numbers_from_bits_reject_instead_of_folding() -> None:
    """Of two bits, 3 lies above a limit of three: it is drawn again, never made into 0."""
    bits = iter((3, 3, 1, 3, 2, 0))
    draw = below(lambda count: next(bits))
    assert [draw(3), draw(3), draw(3)] == [1, 2, 0]
    assert below(lambda count: 7)(1) == 0
    with pytest.raises(ValueError, match="no number lies below 0"):
        below(lambda count: 0)(0)
    counted = Counter(below(random.Random(1).getrandbits)(5) for _ in range(5))
    assert set(counted) <= set(range(5))


def test_a_script_is_dealt_as_written() -> None:
    shoe = ScriptedShoe("Ah Kd 10c")
    assert shoe.draw(2) == ("Ah", "Kd")
    with pytest.raises(EmptyShoe):
        shoe.draw(-1)
    assert shoe.draw(1) == ("Tc",)
    with pytest.raises(EmptyShoe):
        shoe.draw(1)
