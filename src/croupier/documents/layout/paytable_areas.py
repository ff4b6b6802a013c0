"""A paytable set in an area of the felt: its title, and each hand with what it pays."""

from __future__ import annotations

from croupier.documents.layout.letter_widths import ASCENT, size_to_fit, width
from croupier.documents.layout.shapes import MARGIN_MM, Letters, Slab, Wedge
from croupier.documents.layout.texts import Payouts

TITLE, TITLE_STEP, LINE_STEP = 1.12, 1.5, 1.22
TRACKING = 0.05
GAP = "   "


def pay_lines(table: Payouts, shape: Slab | Wedge, largest: float) -> tuple[Letters, ...]:
    """The title above, then each hand to the left and what it pays to the right."""
    top, bottom = shape.rows
    wide = shape.width_at(top, bottom)
    size = min(_line_size(table, wide, largest), (bottom - top) / _steps(table))
    title = table.title.upper()
    title_mm = size_to_fit([title], wide, size * TITLE, TRACKING)
    first = (top + bottom - size * _steps(table)) / 2
    letters = [
        Letters(title, 0.0, first + size * ASCENT, title_mm, width(title, title_mm, TRACKING))
    ]
    for n, line in enumerate(table.lines):
        y = first + size * (TITLE_STEP + n * LINE_STEP + ASCENT)
        left, right = width(line.phrase, size), width(line.odds, size)
        letters += [
            Letters(line.phrase, -wide / 2, y, size, left, "line", "start", line.clause),
            Letters(line.odds, wide / 2, y, size, right, "odds", "end", line.clause),
        ]
    return tuple(letters)


def fits(table: Payouts, shape: Slab | Wedge, size: float) -> bool:
    """Whether all lines find room under each other at this size."""
    top, bottom = shape.rows
    return size * _steps(table) <= bottom - top


def tall_enough(table: Payouts, wide: float, largest: float) -> float:
    """The height a table asks for at this width."""
    inside = Slab(wide, 0).width_at(0, 0)
    return _line_size(table, inside, largest) * _steps(table) + 2 * MARGIN_MM


def widest_line(table: Payouts, size: float) -> float:
    lines = [f"{line.phrase}{GAP}{line.odds}" for line in table.lines]
    title = width(table.title.upper(), size * TITLE, TRACKING)
    return max(title, *(width(line, size) for line in lines))


def _line_size(table: Payouts, wide: float, largest: float) -> float:
    lines = [f"{line.phrase}{GAP}{line.odds}" for line in table.lines]
    return size_to_fit(lines, wide, largest)


def _steps(table: Payouts) -> float:
    """How many times the size of its letters a table is tall."""
    return TITLE_STEP + LINE_STEP * len(table.lines) - 0.2
