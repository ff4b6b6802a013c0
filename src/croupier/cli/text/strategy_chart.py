"""Strategy chart in colored text: starting hands, or hands against up cards."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from croupier.exact.solution import HandValue
from croupier.facts.cards import LETTERS, Rank

_LARGE, _SMALL, _NONE = "bold black on green", "black on yellow", "dim"
_RANKS = LETTERS[::-1]


def strategy_chart(hands: Sequence[HandValue]) -> Text | None:
    """The chart that fits these hands; None when there is none."""
    best = {hand.name: hand.best for hand in hands}
    if "AKs" in best:
        return _starting_hands(best, [action for action, _ in hands[0].values])
    if any(name.endswith(", ace up") for name in best):
        return _hands_by_up_card(best)
    return None


def _starting_hands(best: dict[str, str], actions: list[str]) -> Text:
    """Suited hands above the diagonal, the others below."""
    *plays, otherwise = actions
    raised = f"raise {' or '.join(plays)}, " if plays else ""
    chart = Text("Before the flop", style="bold")
    chart.append(f"  {raised}· {otherwise}; suited above the diagonal\n", style="not bold dim")
    chart.append("    " + "  ".join(_RANKS) + "\n", style="not bold dim")
    for row, high in enumerate(_RANKS):
        chart.append(f" {high} ", style="not bold dim")
        for column, low in enumerate(_RANKS):
            _mark(chart, best[_name(high, low, row, column)])
        chart.append("\n")
    return chart


def _hands_by_up_card(best: dict[str, str]) -> Text:
    """What is mostly done with a hand against each up card."""
    ups = sorted(Rank, reverse=True)
    chart = Text("By hand and up card", style="bold")
    chart.append("  what is mostly done: Play 3x or 1x, · fold\n", style="not bold dim")
    chart.append(f"{'':18}" + "  ".join(_RANKS) + "\n", style="not bold dim")
    for name in dict.fromkeys(hand.rpartition(", ")[0] for hand in best):
        chart.append(f"{name:17}", style="not bold default")
        for up in ups:
            _mark(chart, best.get(f"{name}, {up.one} up"))
        chart.append("\n")
    return chart


def _mark(chart: Text, action: str | None) -> None:
    if action is None:
        chart.append("   ")
        return
    if action in ("check", "fold"):
        chart.append(" · ", style=_NONE)
    else:
        chart.append(f" {action[0]} ", style=_SMALL if action == "1x" else _LARGE)


def _name(row_rank: str, column_rank: str, row: int, column: int) -> str:
    if row == column:
        return row_rank + column_rank
    if column > row:
        return f"{row_rank}{column_rank}s"
    return f"{column_rank}{row_rank}o"
