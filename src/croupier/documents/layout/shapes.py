"""Shapes of the felt and the geometry between them: outlines, what lies inside, what overlaps.

A shape is drawn in a frame of its own: its middle is the origin, x runs to the right and y
downward as the player before it sees them; a spot says where that frame lies. Lengths are
millimeters.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, hypot, radians, sin, sqrt, tan

import msgspec

from croupier.documents import svg
from croupier.documents.svg import Point

Polygon = tuple[Point, ...]
Bounds = tuple[float, float, float, float]

MARGIN_MM = 5.5
"""From the edge of a shape to its letters."""
ROUND_STEPS, ARC_STEP_MM = 28, 14.0
"""A circle and an arc become polygons: so many corners, or one at least every so often."""
ALONG_MM = 12.0
"""Outlines are compared at points of theirs so far from each other."""


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
        corners = (*arc_points(self.inner, -half, half), *arc_points(self.outer, half, -half))
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


DrawnShape = Disk | Slab | Wedge


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
        turned = [(x + side, low - y) for x, y in arc_points(self.corner, 0, 90)]
        right = [*turned, *arc_points(self.radius, 90, 0)]
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


def arc_points(radius: float, start: float, end: float) -> Iterator[Point]:
    """Points along an arc around the origin, both of its ends among them."""
    steps = max(ROUND_STEPS // 4, round(radians(abs(end - start)) * radius / ARC_STEP_MM))
    return (svg.polar(radius, start + (end - start) * n / steps) for n in range(steps + 1))


class BettingSpot(msgspec.Struct, frozen=True):
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


def around(radius: float, degrees: float) -> BettingSpot:
    """A spot that faces away from the middle of the dealer's edge, toward its player."""
    return BettingSpot(*svg.polar(radius, degrees), -degrees)


def overlap(one: Polygon, other: Polygon, by_mm: float = 0.3) -> bool:
    """Whether two outlines share more felt than a line's width."""
    return _reaches_into(one, other, by_mm) or _reaches_into(other, one, by_mm)


def inside(point: Point, polygon: Polygon) -> bool:
    x, y = point
    crossed = False
    for (x1, y1), (x2, y2) in _edges(polygon):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            crossed = not crossed
    return crossed


def _reaches_into(one: Polygon, other: Polygon, by_mm: float) -> bool:
    xs, ys = zip(*other, strict=True)
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    near = (p for p in _along(one) if left < p[0] < right and top < p[1] < bottom)
    return any(inside(p, other) and to_edge(p, other) > by_mm for p in near)


def _along(polygon: Polygon) -> Iterator[Point]:
    """Points on an outline, close to each other."""
    for (x1, y1), (x2, y2) in _edges(polygon):
        steps = max(1, round(hypot(x2 - x1, y2 - y1) / ALONG_MM))
        for n in range(steps):
            yield x1 + (x2 - x1) * n / steps, y1 + (y2 - y1) * n / steps


def to_edge(point: Point, polygon: Polygon) -> float:
    """How far a point lies from the nearest edge, on either side of it."""
    return min(_distance(point, a, b) for a, b in _edges(polygon))


def _distance(point: Point, a: Point, b: Point) -> float:
    (x, y), (x1, y1), (x2, y2) = point, a, b
    along, across = x2 - x1, y2 - y1
    length = along**2 + across**2
    t = max(0.0, min(1.0, ((x - x1) * along + (y - y1) * across) / length)) if length else 0.0
    return hypot(x - x1 - t * along, y - y1 - t * across)


def _edges(polygon: Polygon) -> Iterator[tuple[Point, Point]]:
    yield from zip(polygon, (*polygon[1:], polygon[0]), strict=True)
