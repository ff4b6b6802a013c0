"""Strategy as a picture: the 13 by 13 chart of starting hands."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from croupier.exact.solution import HandValue
from croupier.facts.cards import LETTERS

_STYLES = {"4x": "bold black on green", "3x": "bold black on yellow", "check": "dim"}
_SHORT = {"4x": "4", "3x": "3", "check": "·"}


def preflop_chart(hands: Iterable[HandValue]) -> Text | None:
    """Suited hands above the diagonal, the others below; None when these are no two-card hands."""
    best = {hand.name: hand.best for hand in hands}
    if "AKs" not in best:
        return None
    ranks = LETTERS[::-1]
    chart = Text("Before the flop: 4 raise 4x, 3 raise 3x, · check; suited above the diagonal\n")
    chart.append("    " + "  ".join(ranks) + "\n", style="dim")
    for row, high in enumerate(ranks):
        chart.append(f" {high} ", style="dim")
        for column, low in enumerate(ranks):
            name = _name(high, low, row, column)
            chart.append(f" {_SHORT[best[name]]} ", style=_STYLES[best[name]])
        chart.append("\n")
    return chart


def _name(row_rank: str, column_rank: str, row: int, column: int) -> str:
    if row == column:
        return row_rank + column_rank
    if column > row:
        return f"{row_rank}{column_rank}s"
    return f"{column_rank}{row_rank}o"
