"""Paytables of a base game: what its own best play takes off an edge is within what is promised."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

import croupier
from croupier.exact.solution_cache import solved
from croupier.exact.solve import solve
from croupier.facts.odds import To
from croupier.games.registry import the_registry
from croupier.games.rules import Rules
from croupier.paytables.base_wager import (
    apart,
    best_ev,
    chances_of_lines,
    counted_lines,
    with_lines,
)
from croupier.paytables.foldable import foldable_lines
from croupier.paytables.search import PricedTable
from croupier.submission.check import shipped_submission


def untold(what: str, done: float) -> None:
    pass


def priced_at(near: PricedTable, pays: tuple[int, ...]) -> PricedTable:
    """The lines in their order at these prices; 0 leaves a line out, which then pushes."""
    lines = tuple(
        line.at(Fraction(price)) for line, price in zip(near.lines, pays, strict=True) if price
    )
    gone = sum(line.ways for line, price in zip(near.lines, pays, strict=True) if not price)
    kept = (*near.kept, (near.left_out, gone))
    return replace(near, lines=lines, kept=kept)


def holds(rules: Rules, wager: str, tables: list[tuple[int, ...]]) -> list[Fraction]:
    """For each paytable, its edge under its own best play lies where it must; how far below."""
    near, foldable = counted_lines(rules, wager, untold), foldable_lines(rules, wager, untold)
    assert near.edge == -best_ev(rules, untold)
    gained = []
    for pays in tables:
        table = priced_at(near, pays)
        edge = -best_ev(with_lines(rules, wager, table), untold)
        assert table.edge - apart(near, table, foldable) <= edge <= table.edge, pays
        gained.append(table.edge - edge)
    return gained


@pytest.mark.parametrize(
    ("book", "wager"), [("TCP-1", "ante_bonus"), ("FCP-14", "ante_bonus"), ("UTH-S", "blind")]
)
def test_how_often_a_line_is_paid_is_read_from_the_kept_solution(book: str, wager: str) -> None:
    """What the sliders of the analyst's page rest on, beside a count of its own."""
    rules = shipped_submission(book).rules(the_registry())
    (found,) = chances_of_lines(rules, solved(rules).base).values()
    near = counted_lines(rules, wager, untold)
    assert found == {line.name: Fraction(line.ways, near.total) for line in near.lines}


def test_nobody_folds_what_an_ante_bonus_pays() -> None:
    """Three Card Poker: no straight is ever folded, so the edge is linear to the last digit."""
    rules = croupier.rules("TCP-1")
    assert set(foldable_lines(rules, "ante_bonus", untold).values()) == {0}
    assert holds(rules, "ante_bonus", [(7, 3, 2), (5, 4, 0), (0, 0, 0)]) == [0, 0, 0]


@pytest.mark.prove
def test_every_small_paytable_that_meets_the_edge_is_found() -> None:
    """Three Card Poker: each of so many Ante Bonuses solved by itself, beside the search."""
    rules = croupier.rules("TCP-1")
    near = counted_lines(rules, "ante_bonus", untold)
    low, high = near.edge - Fraction(1, 500), near.edge + Fraction(1, 500)
    target = croupier.Target((low, high), top=5)
    found = croupier.design(rules, "ante_bonus", target, most=1000)
    told = {tuple(int(line.pays) for line in each.table.lines) for each in found.found}
    expected = set()
    for three, straight in product(range(1, 6), repeat=2):
        if straight <= three:
            other = with_lines(rules, "ante_bonus", priced_at(near, (5, three, straight)))
            if low <= -solve(other).ev <= high:
                expected.add((5, three, straight))
    assert {pays for pays in told if len(pays) == 3} == expected
    assert expected


@pytest.mark.prove
def test_a_blind_is_folded_next_to_never() -> None:
    """Ultimate Texas Hold'em: of all that a Blind pays for, quads alone are ever folded."""
    rules = croupier.rules("UTH-S", blind="A")
    near, foldable = counted_lines(rules, "blind", untold), foldable_lines(rules, "blind", untold)
    named = {name for name, ways in foldable.items() if ways}
    assert named <= {line.name for line in near.lines}
    assert sum(foldable.values()) < near.total / 100_000
    for line in near.lines:
        assert isinstance(line.odds, To)
    pays = [int(line.pays) for line in near.lines]
    holds(rules, "blind", [tuple(2 * price for price in pays), (0,) * len(pays)])


@pytest.mark.prove
@pytest.mark.parametrize("game", ["CH-1", "THB-1"])
def test_what_is_gained_by_folding_otherwise_is_within_the_bound(game: str) -> None:
    rules = croupier.rules(game, ante="A")
    near = counted_lines(rules, "ante", untold)
    pays = [int(line.pays) for line in near.lines]
    more = tuple(price * 4 for price in pays)
    assert max(holds(rules, "ante", [more, (0,) * len(pays)])) > 0
