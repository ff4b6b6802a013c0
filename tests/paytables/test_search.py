"""Paytables by their targets: the same as trying every one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

import croupier
from croupier.exact.endings import PLAIN, Ending, Endings, net_of
from croupier.facts.errors import Unreadable
from croupier.paytables import search as searching
from croupier.paytables.search import PricedTable, Target, priced, search

ENDINGS = Endings(
    "toy",
    "A",
    (
        Ending("royal flush", 3, "20 to 1"),
        Ending("flush", 40, "6 for 1"),
        Ending("straight", 45, "4 to 1"),
        Ending("pair", 150, "1 to 1"),
        Ending("lose", 760, None),
        Ending("tie", 2, "push"),
    ),
)
NEAR = priced(ENDINGS, PLAIN)
NETS = {"royal flush": 0, "flush": -1, "straight": 0, "pair": 0}
EDGE = (Fraction(5, 100), Fraction(12, 100))


def tried(parts: int, top: int, most: int, *, may_leave_out: bool) -> set[tuple[Fraction, ...]]:
    """Every price of every line, royal flush first; 0 for a line that is left out."""
    ways = {end.name: end.ways for end in ENDINGS.endings}
    found: set[tuple[Fraction, ...]] = set()
    prices = [Fraction(n, parts) for n in range(0 if may_leave_out else 1, most * parts + 1)]
    for flush, straight, pair in product(prices, repeat=3):
        if not (Fraction(top) >= flush >= straight >= pair):
            continue
        pays = {"royal flush": Fraction(top), "flush": flush, "straight": straight, "pair": pair}
        won = sum(ways[name] * (pay + NETS[name] if pay else -1) for name, pay in pays.items())
        if EDGE[0] <= -(won - ways["lose"]) / Fraction(1000) <= EDGE[1]:
            found.add((Fraction(top), flush, straight, pair))
    return found


def prices_of(table: PricedTable) -> tuple[Fraction, ...]:
    pays = {line.name: line.pays for line in table.lines}
    return tuple(pays.get(line.name, Fraction(0)) for line in NEAR.lines)


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("keeps_hits", [True, False])
def test_all_that_meet_the_edge_are_found_and_no_other(parts: int, keeps_hits: bool) -> None:
    found = search(NEAR, Target(EDGE, top=15, parts=parts, keeps_hits=keeps_hits))
    expected = tried(parts, 15, 15, may_leave_out=not keeps_hits)
    assert {prices_of(table) for table in found} == expected
    assert len(found) == len(expected) > 3
    assert [table.distance for table in found] == sorted(table.distance for table in found)
    for table in found:
        assert EDGE[0] <= table.edge <= EDGE[1]


def test_what_another_play_may_bring_below_the_edge_is_found_too() -> None:
    """By line, as many deals as another play can change: every price that reaches the edge so."""
    gains = {"flush": 3, "pair": 5}
    found = search(NEAR, Target(EDGE, top=15), gains)
    wide = (EDGE[0], EDGE[1] + Fraction(200, 1000))
    every = search(NEAR, Target(wide, top=15))
    reached = []
    for table in every:
        pays = {line.name: line.pays for line in table.lines}
        nets = {
            "flush": pays.get("flush", Fraction(0)) - 6,
            "pair": pays.get("pair", Fraction(-1)) - 1,
        }
        gained = sum((ways * abs(nets[name]) for name, ways in gains.items()), Fraction(0))
        if table.edge - gained / 1000 <= EDGE[1]:
            reached.append(table)
    assert {prices_of(t) for t in found} == {prices_of(t) for t in reached}
    assert len(found) > len(search(NEAR, Target(EDGE, top=15)))


def test_a_line_of_a_base_game_is_left_out_for_a_push() -> None:
    pushed = search(replace(NEAR, left_out=Fraction(0)), Target(EDGE, top=15))
    without = [table for table in pushed if "pair" not in [line.name for line in table.lines]]
    assert without
    for table in without:
        paid = sum(line.ways * net_of(line.odds, PLAIN) for line in table.lines)
        assert table.edge == -(paid - 760) / 1000


def test_the_given_paytable_is_nearest_to_itself() -> None:
    low, high = NEAR.edge - Fraction(1, 100), NEAR.edge + Fraction(1, 100)
    first, *others = search(NEAR, Target((low, high), top=20))
    assert (first.distance, first.lines) == (0.0, NEAR.lines)
    assert others[0].distance > 0
    assert NEAR.edge == -ENDINGS.ev()
    assert NEAR.standard_deviation == pytest.approx(float(ENDINGS.variance()) ** 0.5)
    assert NEAR.hit_frequency == ENDINGS.hit_frequency()


def test_the_deviation_is_within_what_was_asked() -> None:
    every = search(NEAR, Target(EDGE, top=15))
    swings = sorted(table.standard_deviation for table in every)
    middle = (swings[1], swings[-2])
    kept = search(NEAR, Target(EDGE, top=15, volatility=middle))
    assert [t for t in every if middle[0] <= t.standard_deviation <= middle[1]] == kept
    assert len(kept) < len(every)


def test_one_more_on_a_line_is_counted_again() -> None:
    for effect, line in zip(NEAR.effects(), NEAR.lines, strict=True):
        assert effect.chance == Fraction(line.ways, 1000)
        assert effect.edge == -effect.chance
        assert effect.deviation > 0


def test_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MOST_FOUND", 3)
    with pytest.raises(Unreadable, match="more than 3 paytables meet these targets"):
        search(NEAR, Target(EDGE))


def test_from_python_a_wager_is_what_the_solver_says() -> None:
    rules = croupier.rules("TCP-1")
    target = croupier.Target((Fraction(22, 1000), Fraction(24, 1000)), top=40)
    found = croupier.design(rules, "pair_plus", target)
    side = croupier.solve(rules).side("pair_plus", "A")
    assert found.found[0].edge == -side.ev
    assert found.found[0].table.standard_deviation == pytest.approx(side.standard_deviation)
    with pytest.raises(Unreadable, match='"pairplus"'):
        croupier.design(rules, "pairplus", target)
