"""A Progressive by its targets: what it gives back, worked out again from its counts."""

from __future__ import annotations

import json
from fractions import Fraction

import croupier
from tests.cli.ledger_commands import run


def test_plans_give_back_what_odds_resets_rate_and_envy_do() -> None:
    asked = "design progressive --edge 20..22 --near A --seats 4 --rate 18% --json"
    told = json.loads(run(*asked.split()).out)
    solution = croupier.solve(croupier.rules("UTH-S", blind="A"))
    side = solution.side("progressive", "A")
    ways = {end.name: Fraction(end.ways, side.endings.total) for end in side.endings.endings}
    by_odds = sum(
        (
            chance * (end.net(side.assumed) + 1)
            for end, chance in zip(side.endings.endings, ways.values(), strict=True)
            if end.pays is not None and "%" not in end.pays
        ),
        Fraction(0),
    )
    envy = solution.envy_of(side)
    assert envy is not None
    assert told["plans"]
    for plan in told["plans"]:
        reset = int(plan["resets"]["main"].strip("$").replace(",", "").split(".")[0])
        back = by_odds + ways["royal flush"] * reset + Fraction(str(plan["rate"]))
        edge = 1 - back - 3 * envy.ev_each_box
        assert Fraction(plan["edge_exact"]) == edge
        assert Fraction(20, 100) <= edge <= Fraction(22, 100)
    nearest = told["plans"][0]
    assert (nearest["resets"], nearest["rate"]) == ({"main": "$10,000.00"}, 0.19)


def test_an_even_meter_is_even() -> None:
    told = json.loads(
        run(*["design", "progressive", "--edge", "0..90", "--near", "A", "--json"]).out
    )
    solution = croupier.solve(croupier.rules("UTH-S", blind="A"))
    side = solution.side("progressive", "A")
    envy = solution.envy_of(side)
    assert envy is not None
    assert sorted(map(int, told["break_even_meter"])) == [*range(7)]
    for others, meters in told["break_even_meter"].items():
        cents = round(meters["main"] * 100)
        at = side.assuming({}, {"main": cents})
        assert abs(float(at.ev + int(others) * envy.ev_each_box)) < 1e-7
