"""Strategy chart in colored text: starting hands, or hands against up cards."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from croupier.exact.solution import HandValue
from croupier.exact.strategy.chart_names import facing, square_name, without_up
from croupier.facts.cards import Rank

_LARGE, _SMALL, _NONE = "bold black on green", "black on yellow", "dim"
_RANKS = sorted(Rank, reverse=True)
_LETTERS = "  ".join(rank.letter for rank in _RANKS)


def strategy_chart(hands: Sequence[HandValue]) -> Text | None:
    """The chart that fits these hands; None when there is none."""
    best = {hand.name: hand.best for hand in hands}
    if "AKs" in best:
        return _starting_hands(best, [action for action, _ in hands[0].values])
    if any(name == facing(without_up(name), Rank.ACE) for name in best):
        return _hands_by_up_card(best)
    return None


def _starting_hands(best: dict[str, str], actions: list[str]) -> Text:
    """Suited hands above the diagonal, the others below."""
    *plays, otherwise = actions
    raised = f"raise {' or '.join(plays)}, " if plays else ""
    chart = Text("Before the flop", style="bold")
    chart.append(f"  {raised}· {otherwise}; suited above the diagonal\n", style="not bold dim")
    chart.append("    " + _LETTERS + "\n", style="not bold dim")
    for row in _RANKS:
        chart.append(f" {row.letter} ", style="not bold dim")
        for column in _RANKS:
            _mark(chart, best[square_name(row, column)])
        chart.append("\n")
    return chart


def _hands_by_up_card(best: dict[str, str]) -> Text:
    """What is mostly done with a hand against each up card."""
    chart = Text("By hand and up card", style="bold")
    chart.append("  what is mostly done: Play 3x or 1x, · fold\n", style="not bold dim")
    chart.append(f"{'':18}" + _LETTERS + "\n", style="not bold dim")
    for name in dict.fromkeys(map(without_up, best)):
        chart.append(f"{name:17}", style="not bold default")
        for up in _RANKS:
            _mark(chart, best.get(facing(name, up)))
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
