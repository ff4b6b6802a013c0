"""The strategy chart of the README, drawn from the exact solution."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import croupier
from croupier.documents.chart import INK, QUIET
from croupier.documents.mathematics.charts import ACTIONS
from croupier.facts.cards import LETTERS

FILE = Path(__file__).parents[1] / "docs" / "pictures" / "strategy-uth.svg"
RANKS = LETTERS[::-1]
CELL, LEFT, TOP, KEY = 34, 30, 64, 40
WIDTH, HEIGHT = LEFT + 13 * CELL + 16, TOP + 13 * CELL + KEY
SAYS = {"4x": "4x: play four times the Ante", "check": "check"}


def strategy_chart() -> str:
    """What is best with two cards before the flop: suited above the diagonal, others below."""
    solution = croupier.solve(croupier.rules("UTH-S", blind="A"))
    best = {hand.name: hand.best for hand in solution.hands}
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
            f' width="{WIDTH}" role="img" font-family="Georgia, serif" text-anchor="middle">',
            "<title>Ultimate Texas Hold'em: the best choice before the flop</title>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#fffdf8"/>',
            *_lettering(),
            *(line for row in range(13) for line in _row(best, row)),
            *_key(sorted(set(best.values()))),
            "</svg>\n",
        )
    )


def _lettering() -> Iterator[str]:
    middle = LEFT + 13 * CELL // 2
    yield _text(middle, 26, "Before the flop, suited hands above the diagonal", INK, 16)
    for at, rank in enumerate(RANKS):
        yield _text(LEFT + at * CELL + CELL // 2, TOP - 10, rank, QUIET, 13)
        yield _text(LEFT - 14, TOP + at * CELL + CELL // 2 + 5, rank, QUIET, 13)


def _row(best: dict[str, str], row: int) -> Iterator[str]:
    for column in range(13):
        hand = _hand(row, column)
        x, y = LEFT + column * CELL, TOP + row * CELL
        ink = QUIET if best[hand] == "check" else "white"
        yield (
            f'<rect x="{x}" y="{y}" width="{CELL - 2}" height="{CELL - 2}" rx="3"'
            f' fill="{ACTIONS[best[hand]]}"/>'
        )
        yield _text(x + CELL // 2 - 1, y + CELL // 2 + 3, hand, ink, 11)


def _hand(row: int, column: int) -> str:
    high, low = RANKS[min(row, column)], RANKS[max(row, column)]
    return high + low + ("" if row == column else "s" if column > row else "o")


def _key(actions: list[str]) -> Iterator[str]:
    y = TOP + 13 * CELL + 14
    for at, action in enumerate(actions):
        x = LEFT + at * 230
        yield f'<rect x="{x}" y="{y}" width="16" height="16" rx="3" fill="{ACTIONS[action]}"/>'
        yield _text(x + 24, y + 13, SAYS.get(action, action), INK, 13, anchor="start")


def _text(x: int, y: int, words: str, ink: str, size: int, anchor: str = "middle") -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{ink}" text-anchor="{anchor}">'
        f"{words}</text>"
    )
