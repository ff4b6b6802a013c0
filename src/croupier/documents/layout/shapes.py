"""Areas of the felt: a shape, where it lies, and the letters in it.

An area is drawn in a frame of its own: its middle is the origin, x runs to the right and y
downward as the player before it sees them. Lengths are millimeters.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, radians, sqrt, tan
from typing import Literal

import msgspec

from croupier.documents import svg
from croupier.documents.layout import letter_widths
from croupier.documents.layout.letter_widths import ASCENT, DESCENT

Style = Literal["title", "line", "odds", "number", "small"]
Anchor = Literal["start", "middle", "end"]
LEADING = 1.16
MARGIN_MM, AIR_MM = 5.5, 2.0
"""From an edge to its letters; in a spot with a ring inside its edge, so much more."""


class Disk(msgspec.Struct, frozen=True):
    radius: float

    @property
    def size(self) -> tuple[float, float]:
        return 2 * self.radius, 2 * self.radius

    def width_at(self, top: float, bottom: float) -> float:
        """How wide a line of letters between these heights may be."""
        reach = max(abs(top), abs(bottom))
        return 2 * sqrt(max(self.radius**2 - reach**2, 0)) - 2 * MARGIN_MM

    def drawn(self, style: str, inset: float = 0) -> str:
        return svg.element("circle", class_=style, r=self.radius - inset)


class Slab(msgspec.Struct, frozen=True):
    wide: float
    tall: float
    corner: float = 6.0

    @property
    def size(self) -> tuple[float, float]:
        return self.wide, self.tall

    @property
    def rows(self) -> tuple[float, float]:
        """Between which heights lines of letters may stand."""
        return MARGIN_MM - self.tall / 2, self.tall / 2 - MARGIN_MM

    def width_at(self, top: float, bottom: float) -> float:
        return self.wide - 2 * MARGIN_MM

    def drawn(self, style: str, inset: float = 0) -> str:
        wide, tall = self.wide - 2 * inset, self.tall - 2 * inset
        corner = max(self.corner - inset, 0)
        return svg.element(
            "rect", class_=style, x=-wide / 2, y=-tall / 2, width=wide, height=tall, rx=corner
        )


class Wedge(msgspec.Struct, frozen=True):
    """A cell of a fan around the middle of the dealer's edge; it opens toward the players."""

    inner: float
    outer: float
    half_degrees: float

    @property
    def middle(self) -> float:
        return (self.inner + self.outer) / 2

    @property
    def size(self) -> tuple[float, float]:
        return self.width_at(0, 0), self.outer - self.inner

    def width_at(self, top: float, bottom: float) -> float:
        return 2 * (self.middle + top) * tan(radians(self.half_degrees)) - 2 * MARGIN_MM

    @property
    def rows(self) -> tuple[float, float]:
        """Between which heights lines reach from side to side; the outer edge is curved."""
        end = self.outer * cos(radians(self.half_degrees)) - self.middle
        return self.inner - self.middle + MARGIN_MM, end - MARGIN_MM / 2

    def drawn(self, style: str, inset: float = 0) -> str:
        half, middle = self.half_degrees, self.middle
        corners = [
            (x, y - middle)
            for radius, degrees in (
                (self.inner, -half),
                (self.inner, half),
                (self.outer, half),
                (self.outer, -half),
            )
            for x, y in [svg.polar(radius, degrees)]
        ]
        a, b, c, d = (f"{svg.number(x)} {svg.number(y)}" for x, y in corners)
        inner, outer = svg.number(self.inner), svg.number(self.outer)
        path = f"M{a}A{inner} {inner} 0 0 0 {b}L{c}A{outer} {outer} 0 0 1 {d}Z"
        return svg.element("path", class_=style, d=path)


Shape = Disk | Slab | Wedge


class Letters(msgspec.Struct, frozen=True):
    """A line of text on the felt: where its baseline begins, and how long it is."""

    text: str
    x: float
    y: float
    size: float
    length: float
    style: Style = "title"
    anchor: Anchor = "middle"
    payout: str | None = None


class Spot(msgspec.Struct, frozen=True):
    """Where the middle of an area lies, and by how many degrees it is turned clockwise."""

    x: float
    y: float
    turn: float = 0.0


def around(radius: float, degrees: float) -> Spot:
    """A spot that faces away from the middle of the dealer's edge, toward its player."""
    return Spot(*svg.polar(radius, degrees), -degrees)


class Area(msgspec.Struct, frozen=True, kw_only=True):
    """One area of the layout, with the clause that asks for it where one does."""

    place: str
    kind: str
    shape: Shape
    spot: Spot
    box: int | None = None
    wager: str | None = None
    clause: str | None = None
    letters: tuple[Letters, ...] = ()
    cards: tuple[tuple[float, float], ...] = ()


class Curved(msgspec.Struct, frozen=True, kw_only=True):
    """Lettering along an arc, its middle at so many degrees."""

    place: str
    text: str
    radius: float
    degrees: float
    size: float
    length: float
    statement: str | None = None
    clause: str | None = None


def stacked(
    lines: Iterable[str], shape: Shape, largest: float, rise: float = 0.0
) -> tuple[Letters, ...]:
    """Lines under each other in the middle of a shape, as large as all of them fit."""
    texts = list(lines)
    size = largest
    while size > 1 and not _all_fit(texts, shape, size, rise):
        size *= 0.97
    return tuple(
        Letters(text, 0.0, y, size, letter_widths.width(text, size))
        for text, y in zip(texts, _baselines(len(texts), size, rise), strict=True)
    )


def _all_fit(texts: list[str], shape: Shape, size: float, rise: float) -> bool:
    tall = shape.size[1] - 2 * MARGIN_MM
    return len(texts) * size * LEADING <= tall and all(
        letter_widths.width(text, size) + 2 * AIR_MM
        <= shape.width_at(y - ASCENT * size, y + DESCENT * size)
        for text, y in zip(texts, _baselines(len(texts), size, rise), strict=True)
    )


def _baselines(count: int, size: float, rise: float) -> list[float]:
    first = -(count - 1) * size * LEADING / 2 + size * (ASCENT - DESCENT) / 2 + size * 0.06
    return [first + n * size * LEADING - rise for n in range(count)]
