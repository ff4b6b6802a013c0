"""Letters set in shapes: how wide they are, and how large they can be inside what is drawn.

The widths are those of Libertinus Serif in its semibold cut, the face that the documents are set
in, a little rounded up. Every text of the felt also carries its length, to which any other face
that stands in for it is drawn out or pressed together: what fits here fits everywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Literal

import msgspec

from croupier.documents.layout.shapes import MARGIN_MM, DrawnShape, Polygon, Slab, Wedge
from croupier.documents.layout.texts import Payouts

LetterStyle = Literal["title", "line", "odds", "number", "imprint"]
Anchor = Literal["start", "middle", "end"]

LEADING, AIR_MM = 1.16, 2.0
"""From line to line as a share of the size; room left beside lines that stand in a ring."""
TITLE, TITLE_STEP, LINE_STEP = 1.12, 1.5, 1.22
TRACKING = 0.05
GAP = "   "
ASCENT, DESCENT = 0.72, 0.22
"""How far letters reach above and below their line, as shares of their size."""

_WIDTHS = {
    27: " !',.:;|`\N{RIGHT SINGLE QUOTATION MARK}·",
    33: '()[]{}/\\-ijlfrtI"*•',
    44: "Jcsze?",
    51: "0123456789abgkopqvxy$#SFT",
    57: "dhnuLEPVY+=<>^_~",
    63: "BRZCK",
    71: "ADGHNOQUXw&%♦",
    84: "mMW@♣♠♥",
}
_WIDTH = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_UNKNOWN, _WIDE = 76, 100


class Letters(msgspec.Struct, frozen=True):
    """A line of text on the felt: where its baseline begins, and how long it is."""

    text: str
    x: float
    y: float
    size: float
    length: float
    style: LetterStyle = "title"
    anchor: Anchor = "middle"
    payout: str | None = None

    @property
    def strip(self) -> Polygon:
        """What the letters cover, which keep to their length in any face."""
        left = self.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * self.length
        right, top, bottom = left + self.length, self.y - ASCENT * self.size, self.y
        bottom += DESCENT * self.size
        return (left, top), (right, top), (right, bottom), (left, bottom)


def width(text: str, size: float, tracking: float = 0) -> float:
    """The width of a text; ``tracking`` is the space after each letter as a share of the size."""
    hundredths = sum(_of(letter) for letter in text)
    return size * (hundredths / 100 + tracking * max(len(text) - 1, 0))


def size_to_fit(texts: Iterable[str], most_mm: float, largest: float, tracking: float = 0) -> float:
    """The largest size, up to a limit, at which each of the texts is no wider than this."""
    widest = max((width(text, 1, tracking) for text in texts), default=0)
    return largest if widest * largest <= most_mm else most_mm / widest


def _of(letter: str) -> int:
    if letter in _WIDTH:
        return _WIDTH[letter]
    if unicodedata.combining(letter):
        return 0
    return _WIDE if unicodedata.east_asian_width(letter) in "WF" else _UNKNOWN


def stacked(
    lines: Iterable[str], shape: DrawnShape, largest: float, rise: float = 0.0
) -> tuple[Letters, ...]:
    """Lines under each other in the middle of a shape, as large as all of them fit."""
    texts = list(lines)
    size = largest
    while size > 1 and not _all_fit(texts, shape, size, rise):
        size *= 0.97
    return tuple(
        Letters(text, 0.0, y, size, width(text, size))
        for text, y in zip(texts, _baselines(len(texts), size, rise), strict=True)
    )


def _all_fit(texts: list[str], shape: DrawnShape, size: float, rise: float) -> bool:
    tall = shape.size[1] - 2 * MARGIN_MM
    return len(texts) * size * LEADING <= tall and all(
        width(text, size) + 2 * AIR_MM <= shape.width_at(y - ASCENT * size, y + DESCENT * size)
        for text, y in zip(texts, _baselines(len(texts), size, rise), strict=True)
    )


def _baselines(count: int, size: float, rise: float) -> list[float]:
    first = -(count - 1) * size * LEADING / 2 + size * (ASCENT - DESCENT) / 2 + size * 0.06
    return [first + n * size * LEADING - rise for n in range(count)]


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
