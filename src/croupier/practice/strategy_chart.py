"""The chart of a solution that is kept or shipped, for the coach's page.

Apart from :mod:`.explanation`, which a table's own process and a browser load: they solve nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from croupier.exact.shipped_solutions import shipped_hands
from croupier.exact.solution_cache import kept
from croupier.exact.strategy.chart_names import facing, square_name, without_up
from croupier.facts.cards import Rank
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.practice.explanation import ChartRow, StrategyChart


@lru_cache(maxsize=4)
def strategy_chart(rules: Rules) -> StrategyChart | None:
    """The chart of these rules, from their solution; None where none is kept or it has none."""
    known = kept(rules) or shipped_hands(rules)
    best = {hand.name: hand.best for hand in known.hands} if known is not None else {}
    ranks = sorted(Rank, reverse=True)
    letters = tuple(rank.letter for rank in ranks)
    if shape_of(rules) is GameShape.HOLDEM and best:
        rows = [
            ChartRow(row.letter, tuple(_cell(best, square_name(row, column)) for column in ranks))
            for row in ranks
        ]
        says = "suited hands above the diagonal, the others below"
        return StrategyChart("Before the flop", says, letters, tuple(rows))
    if shape_of(rules) is GameShape.FOUR_CARD and best:
        names = dict.fromkeys(without_up(name) for name in best)
        rows = [
            ChartRow(name, tuple(_cell(best, facing(name, up)) for up in ranks)) for name in names
        ]
        says = "your hand by the dealer's up card; what is mostly best"
        return StrategyChart("By hand and up card", says, letters, tuple(rows))
    return None


def _cell(best: Mapping[str, str], name: str) -> tuple[str, str]:
    return (name, best[name]) if name in best else ("", "")
