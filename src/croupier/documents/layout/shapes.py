"""Areas of the felt: a shape, where it lies, and the letters in it.

An area is drawn in a frame of its own: its middle is the origin, x runs to the right and y
downward as the player before it sees them. Lengths are millimeters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import cos, degrees, radians, sin, sqrt, tan
from typing import Literal

import msgspec

from croupier.documents import svg
from croupier.documents.layout import letter_widths
from croupier.documents.layout.letter_widths import ASCENT, DESCENT
from croupier.documents.layout.polygons import Point, Polygon

Bounds = tuple[float, float, float, float]
Style = Literal["title", "line", "odds", "number", "imprint"]
Anchor = Literal["start", "middle", "end"]
LEADING = 1.16
MARGIN_MM, AIR_MM = 5.5, 2.0
"""From an edge to its letters; in a spot with a ring inside its edge, so much more."""
ROUND_STEPS, ARC_STEP_MM = 28, 14.0
"""A circle and an arc become polygons: so many corners, or one at least every so often."""


class Disk(msgspec.Struct, frozen=True):
    radius: float

    @property
    def size(self) -> tuple[float, float]:
        return 2 * self.radius, 2 * self.radius

    def width_at(self, top: float, bottom: float) -> float:
        """How wide a line of letters between these heights may be."""
        reach = max(abs(top), abs(bottom))
        return 2 * sqrt(max(self.radius**2 - reach**2, 0)) - 2 * MARGIN_MM

    @property
    def outline(self) -> Polygon:
        turns = (360 * n / ROUND_STEPS for n in range(ROUND_STEPS))
        return tuple(svg.polar(self.radius, turn) for turn in turns)

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

    @property
    def outline(self) -> Polygon:
        x, y = self.wide / 2, self.tall / 2
        return (-x, -y), (x, -y), (x, y), (-x, y)

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

    @property
    def outline(self) -> Polygon:
        half = self.half_degrees
        corners = (*_arc(self.inner, -half, half), *_arc(self.outer, half, -half))
        return tuple((x, y - self.middle) for x, y in corners)

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


class HalfMoon(msgspec.Struct, frozen=True):
    """The outline of a table around the middle of its dealer's edge, which is straight."""

    radius: float
    back: float
    corner: float

    @property
    def bounds(self) -> Bounds:
        return -self.radius, -self.back, self.radius, self.radius

    @property
    def outline(self) -> Polygon:
        side, low = self.radius - self.corner, self.corner - self.back
        turned = [(x + side, low - y) for x, y in _arc(self.corner, 0, 90)]
        right = [*turned, *_arc(self.radius, 90, 0)]
        return (*right, *((-x, y) for x, y in reversed(right)))

    def grown(self, beyond: float, behind: float) -> HalfMoon:
        """The same so much larger toward the players, and behind the dealer."""
        return HalfMoon(self.radius + beyond, self.back + behind, self.corner)

    @property
    def path(self) -> str:
        r, b, c = svg.number(self.radius), svg.number(self.back), svg.number(self.corner)
        low, side = svg.number(self.corner - self.back), svg.number(self.radius - self.corner)
        return (
            f"M-{r} 0L-{r} {low}A{c} {c} 0 0 1 -{side} -{b}L{side} -{b}"
            f"A{c} {c} 0 0 1 {r} {low}L{r} 0A{r} {r} 0 0 1 -{r} 0Z"
        )


def _arc(radius: float, start: float, end: float) -> Iterator[Point]:
    """Points along an arc around the origin, both of its ends among them."""
    steps = max(ROUND_STEPS // 4, round(radians(abs(end - start)) * radius / ARC_STEP_MM))
    return (svg.polar(radius, start + (end - start) * n / steps) for n in range(steps + 1))


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

    @property
    def strip(self) -> Polygon:
        """What the letters cover, which keep to their length in any face."""
        left = self.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * self.length
        right, top, bottom = left + self.length, self.y - ASCENT * self.size, self.y
        bottom += DESCENT * self.size
        return (left, top), (right, top), (right, bottom), (left, bottom)


class Spot(msgspec.Struct, frozen=True):
    """Where the middle of an area lies, and by how many degrees it is turned clockwise."""

    x: float
    y: float
    turn: float = 0.0

    def __call__(self, polygon: Polygon) -> Polygon:
        """What is said in the frame of an area, in that of the table."""
        along, across = cos(radians(self.turn)), sin(radians(self.turn))
        return tuple(
            (self.x + x * along - y * across, self.y + x * across + y * along) for x, y in polygon
        )


def around(radius: float, degrees: float) -> Spot:
    """A spot that faces away from the middle of the dealer's edge, toward its player."""
    return Spot(*svg.polar(radius, degrees), -degrees)


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Something that lies on the felt, with the clause that asks for it where one does."""

    place: str
    box: int | None = None
    wager: str | None = None
    clause: str | None = None

    @property
    def outline(self) -> Polygon:
        """What it covers of the table."""
        raise NotImplementedError

    @property
    def words(self) -> str:
        """What is to be read in it."""
        raise NotImplementedError

    @property
    def bounds(self) -> Bounds:
        xs, ys = zip(*self.outline, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def middle(self) -> Point:
        left, top, right, bottom = self.bounds
        return (left + right) / 2, (top + bottom) / 2


class Area(Part, frozen=True, kw_only=True):
    """A shape with letters, places for cards or a light in it."""

    kind: str
    shape: Shape
    spot: Spot
    letters: tuple[Letters, ...] = ()
    cards: tuple[Point, ...] = ()
    light: Point | None = None

    @property
    def outline(self) -> Polygon:
        return self.spot(self.shape.outline)

    @property
    def words(self) -> str:
        return " ".join(svg.shown(line.text) for line in self.letters)


class Curved(Part, frozen=True, kw_only=True):
    """Lettering along an arc, its middle at so many degrees."""

    text: str
    radius: float
    degrees: float
    size: float
    length: float
    statement: str | None = None

    @property
    def outline(self) -> Polygon:
        """Letters on an arc cover a piece of a ring."""
        half = degrees(self.length / 2 / self.radius)
        left, right = self.degrees - half, self.degrees + half
        inner, outer = self.radius - ASCENT * self.size, self.radius + DESCENT * self.size
        return (*_arc(inner, left, right), *_arc(outer, right, left))

    @property
    def words(self) -> str:
        return svg.shown(self.text)


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
