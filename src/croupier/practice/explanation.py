"""What a coach says beside his numbers: reasons in words, the rule that decides, and the chart."""

from __future__ import annotations

import msgspec


class Explanation(msgspec.Struct, frozen=True):
    """``words``, the most telling first. ``rules`` of the simple ``strategy`` for this street, of
    which ``deciding`` decides (-1 where there is none); ``cell`` is the hand's in the chart."""

    words: tuple[str, ...]
    strategy: str = ""
    rules: tuple[str, ...] = ()
    deciding: int = -1
    cell: str = ""


class ChartRow(msgspec.Struct, frozen=True):
    """``cells`` are (name, best action), one for each column; ("", "") where no hand is."""

    name: str
    cells: tuple[tuple[str, str], ...]


class StrategyChart(msgspec.Struct, frozen=True):
    """What is best with every hand, as people print it; ``says`` how it is read."""

    title: str
    says: str
    columns: tuple[str, ...]
    rows: tuple[ChartRow, ...]
