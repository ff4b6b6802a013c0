"""Tables of a page, and numbers as people read them: three digits and a unit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

Cell = str
BYTES = ("B", "kB", "MB", "GB", "TB", "PB")
BITS = ("Mbit/s", "Gbit/s", "Tbit/s")
SPANS = ((365 * 86_400, "years"), (86_400, "days"), (3_600, "hours"), (60, "minutes"), (1, "s"))
COUNTS = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))


def table(head: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> str:
    ruler = ("---", *("---:" for _ in head[1:]))
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ruler, *rows))


def number(value: float) -> Cell:
    for unit, name in COUNTS:
        if value >= unit:
            return f"{_digits(value / unit)} {name}"
    return f"{value:,}" if isinstance(value, int) else _digits(value)


def bytes_(value: float) -> Cell:
    return _scaled(value, BYTES)


def bits(mbit: float) -> Cell:
    return _scaled(mbit, BITS)


def dollars(value: float) -> Cell:
    return f"${_digits(value)}"


def share(value: float) -> Cell:
    return f"{value:.0%}" if value >= 0.1 else f"{value:.2%}"


def span(seconds: float) -> Cell:
    if math.isinf(seconds):
        return "any"
    unit, name = next(((unit, name) for unit, name in SPANS if seconds >= unit), SPANS[-1])
    return f"{_digits(seconds / unit)} {name}"


def bold_greatest(shares: Mapping[str, float]) -> dict[str, Cell]:
    greatest = max(shares.values())
    return {
        name: f"**{share(value)}**" if value == greatest else share(value)
        for name, value in shares.items()
    }


def _scaled(value: float, units: Sequence[str]) -> Cell:
    at = 0
    while value >= 1000 and at < len(units) - 1:
        value, at = value / 1000, at + 1
    return f"{_digits(value)} {units[at]}"


def _digits(value: float) -> str:
    """Three of them, more where they stand before the point."""
    places = max(0, 2 - math.floor(math.log10(abs(value)))) if value else 0
    return f"{value:,.{min(places, 4)}f}"
