"""Random variants on the full deck: what is dealt by the million agrees with what is counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from croupier.games.registry import the_registry
from croupier.games.rules import bind
from croupier.games.variants import varied
from croupier.simulate.simulation import simulate
from tests.exact.test_variants import drawn
from tests.simulate.tables import shipped_plan

MOST = 5  # standard errors


@pytest.mark.prove
@pytest.mark.parametrize("number", range(8))
def test_a_simulated_variant_agrees_with_the_solver(number: int) -> None:
    plan, registry = shipped_plan("UTH-S", seed=number), the_registry()
    sides = {"trips.fold": "forfeit", "trips.needs": "win"} if number % 2 else {}
    book = varied(registry, plan.rules.book, {**drawn(number), "flop": "2,3", **sides})
    rules = bind(
        plan.rules.game, book, dict(plan.rules.letters), progressive=plan.rules.progressive
    )
    (box,) = simulate(replace(plan, rules=rules), 2_000_000).boxes
    known = {figure.wager: figure.z for figure in box.figures if figure.z is not None}
    assert {"base", "trips"} <= set(known)
    assert {wager: z for wager, z in known.items() if abs(z) > MOST} == {}
