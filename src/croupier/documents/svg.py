"""The little of SVG that felt and charts need, written by hand: elements, numbers, paths."""

from __future__ import annotations

from math import cos, radians, sin
from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]
APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"


def element(name: str, *inside: str, **attributes: object) -> str:
    """``class_`` and ``data_box`` become ``class`` and ``data-box``; None is left out."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_value(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(inside)}</{name}>" if inside else f"<{name}{written}/>"


def letters(text: str) -> str:
    """Text fit to stand in a document."""
    return escape(shown(text))


def shown(text: str) -> str:
    """What of a text is to be seen in a drawing: what XML cannot hold is left out."""
    return "".join(letter for letter in text if letter.isprintable()).replace("'", APOSTROPHE)


def number(value: float) -> str:
    """A length to a hundredth, never ``-0``."""
    short = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def polar(radius: float, degrees: float) -> Point:
    """A point around the middle of the dealer's edge; degrees from straight ahead, to the right."""
    angle = radians(degrees)
    return radius * sin(angle), radius * cos(angle)


def arc(radius: float, left: float, right: float) -> str:
    """A path along a circle around the middle of the dealer's edge, read from left to right."""
    start, end = polar(radius, left), polar(radius, right)
    large = int(right - left > 180)
    return f"M{_pair(start)}A{number(radius)} {number(radius)} 0 {large} 0 {_pair(end)}"


def polygon(*points: Point) -> str:
    return f"{open_path(*points)}Z"


def open_path(*points: Point) -> str:
    """A line from point to point."""
    return f"M{'L'.join(_pair(point) for point in points)}"


def moved(x: float, y: float, turn: float = 0) -> str:
    turned = f" rotate({number(turn)})" if turn else ""
    return f"translate({number(x)} {number(y)}){turned}"


def _pair(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)
