"""Random variants on the full deck: what is dealt by the million agrees with what is counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from croupier.exact.strategy.strategy_file import shipped
from croupier.facts.errors import Unreadable
from croupier.games.registry import the_registry
from croupier.games.rules import bind
from croupier.games.variants import varied
from croupier.simulate.plan import PlayerStrategy
from croupier.simulate.simulation import simulate
from tests.exact.test_variants import SPACES, drawn, drawn_of
from tests.simulate.tables import shipped_plan

MOST = 5  # standard errors


def test_a_strategy_file_knows_the_sizes_of_the_book_that_is_played() -> None:
    registry = the_registry()
    book = varied(registry, registry.book("UTH-S"), {"preflop": "5,4,3"})
    text = shipped()["uth-simple"].replace('"4x"', '"5x"')
    mine = PlayerStrategy("mine", text, book).strategy
    assert mine is not None
    assert mine.rules[book.streets[0].name][0].do == "5x"
    with pytest.raises(Unreadable, match=r"5x.* cannot be done here; choose 4x, 3x, check"):
        _ = PlayerStrategy("mine", text).strategy
    other = PlayerStrategy("mine", shipped()["four-card-simple"], book).strategy
    assert other is not None
    assert other.game == "four-card"


@pytest.mark.prove
@pytest.mark.parametrize("number", range(8))
def test_a_simulated_variant_agrees_with_the_solver(number: int) -> None:
    sides = {"trips.fold": "forfeit", "trips.needs": "win"} if number % 2 else {}
    assert {"base", "trips"} <= agreed("UTH-S", {**drawn(number), "flop": "2,3", **sides}, number)


@pytest.mark.prove
@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("book_id", SPACES)
def test_a_simulated_variant_of_the_others_agrees_too(book_id: str, number: int) -> None:
    assert "base" in agreed(book_id, drawn_of(book_id, number), number)


def agreed(book_id: str, chosen: dict[str, str], seed: int) -> set[str]:
    """The wagers whose mean was compared with the exact one."""
    plan, registry = shipped_plan(book_id, seed=seed), the_registry()
    book = varied(registry, plan.rules.book, chosen)
    rules = bind(
        plan.rules.game, book, dict(plan.rules.letters), progressive=plan.rules.progressive
    )
    (box,) = simulate(replace(plan, rules=rules), 2_000_000).boxes
    known = {figure.wager: figure.z for figure in box.figures if figure.z is not None}
    assert {wager: z for wager, z in known.items() if abs(z) > MOST} == {}
    return set(known)
