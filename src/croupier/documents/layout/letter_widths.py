"""How wide letters are, so that what is written stays inside what is drawn.

The widths are those of Libertinus Serif in its semibold cut, the face that the documents are set
in, a little rounded up. Every text of the felt also carries its length, to which any other face
that stands in for it is drawn out or pressed together: what fits here fits everywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

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
