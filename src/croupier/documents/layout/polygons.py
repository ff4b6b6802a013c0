"""Polygons on the felt: whether a point lies in one, and whether two share any felt."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

Point = tuple[float, float]
Polygon = tuple[Point, ...]
EDGE_MM = 12.0


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
        steps = max(1, round(hypot(x2 - x1, y2 - y1) / EDGE_MM))
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
