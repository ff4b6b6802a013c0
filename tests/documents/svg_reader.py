"""A finished layout read back from its SVG, to hold against its plan: where areas really lie.

Nothing here knows how the drawing was made. Transforms are applied, outlines become polygons and
every text becomes the strip it covers, all in millimeters of the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import atan2, cos, hypot, pi, radians, sin, sqrt
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import msgspec

from croupier.documents.layout.letters import ASCENT, DESCENT
from croupier.documents.layout.shapes import Polygon
from croupier.documents.svg import Point

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
COMMAND = re.compile(r"([MLAZ])([^MLAZ]*)")
ROUND_STEPS, CURVED_STEPS, ARC_STEP_MM = 28, 120, 14.0


class Text(msgspec.Struct, frozen=True):
    """A text and the strip of felt it covers; ``payout`` is the clause of a paytable's line."""

    text: str
    strip: Polygon
    payout: str | None = None


class DrawnArea(msgspec.Struct, frozen=True):
    """An area as it was found in the drawing."""

    place: str
    box: int | None
    wager: str | None
    statement: str | None
    clause: str | None
    outline: Polygon
    texts: tuple[Text, ...]
    cards: int = 0
    has_light: bool = False


class Drawing(msgspec.Struct, frozen=True):
    """``millimeters`` is whether the drawing says that one of its units is a millimeter."""

    title: str
    areas: tuple[DrawnArea, ...]
    imprint: Text
    cloth: Polygon
    has_logo: bool
    millimeters: bool


def read_felt(text: str) -> Drawing:
    root = ElementTree.fromstring(text)
    cloth = next(part for part in root.iter(f"{SVG}path") if part.get("data-place") == "cloth")
    groups = [group for group in root.iter(f"{SVG}g") if group.get("data-place")]
    imprint = next(part for part in root.iter(f"{SVG}text") if "imprint" in part.get("class", ""))
    return Drawing(
        title=root.findtext(f"{SVG}title") or "",
        imprint=_straight(imprint, _Transform("")),
        areas=tuple(_seen(g) for g in groups if g.get("data-place") != "ornament"),
        cloth=_path(cloth.get("d") or ""),
        has_logo=root.find(f".//{SVG}g[@data-place='logo']/{SVG}image") is not None,
        millimeters=_is_in_millimeters(root),
    )


def _is_in_millimeters(root: Element) -> bool:
    wide, tall = (root.get("viewBox") or "0 0 0 0").split()[2:]
    return (root.get("width"), root.get("height")) == (f"{wide}mm", f"{tall}mm")


def _seen(group: Element) -> DrawnArea:
    box = group.get("data-box")
    curved = group.find(f"{SVG}text/{SVG}textPath")
    shapes = [part for part in group if part.tag in _OUTLINES]
    if curved is not None:
        text = _curved(group, curved)
        outline: Polygon = text.strip
        texts: tuple[Text, ...] = (text,)
    else:
        move = _Transform(group.get("transform") or "")
        outline = tuple(move(point) for point in _OUTLINES[shapes[0].tag](shapes[0]))
        straight = group.findall(f"{SVG}text")
        texts = tuple(_straight(part, move) for part in straight)
    classes = [part.get("class") for part in shapes]
    return DrawnArea(
        place=group.get("data-place") or "",
        box=int(box) if box is not None else None,
        wager=group.get("data-wager"),
        statement=group.get("data-statement"),
        clause=group.get("data-clause"),
        outline=outline,
        texts=texts,
        cards=classes.count("felt-card"),
        has_light=any(part.get("data-light") for part in shapes),
    )


class _Transform:
    """``translate(x y) rotate(a)`` as a function of points."""

    def __init__(self, written: str) -> None:
        numbers = [float(found) for found in NUMBER.findall(written)]
        self.x, self.y, turn = (*numbers, 0.0, 0.0, 0.0)[:3]
        self.cos, self.sin = cos(radians(turn)), sin(radians(turn))

    def __call__(self, point: Point) -> Point:
        x, y = point
        return self.x + x * self.cos - y * self.sin, self.y + x * self.sin + y * self.cos


def _length(part: Element, name: str) -> float:
    return float(part.get(name) or 0)


def _circle(part: Element) -> Polygon:
    x, y, radius = _length(part, "cx"), _length(part, "cy"), _length(part, "r")
    turns = (2 * pi * n / ROUND_STEPS for n in range(ROUND_STEPS))
    return tuple((x + radius * cos(turn), y + radius * sin(turn)) for turn in turns)


def _rect(part: Element) -> Polygon:
    x, y = _length(part, "x"), _length(part, "y")
    wide, tall = _length(part, "width"), _length(part, "height")
    return (x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)


def _path(written: str) -> Polygon:
    points: list[Point] = []
    for command, arguments in COMMAND.findall(written):
        numbers = [float(found) for found in NUMBER.findall(arguments)]
        if command in "ML":
            points += zip(numbers[::2], numbers[1::2], strict=True)
        elif command == "A":
            radius, _, _, large, sweep, x, y = numbers
            points += _arc(points[-1], (x, y), radius, large != sweep, bool(sweep))
    return tuple(points)


def _arc(start: Point, end: Point, radius: float, left: bool, sweep: bool) -> Iterator[Point]:
    """Points along a circle's arc, by the rule SVG gives for its two flags."""
    (x1, y1), (x2, y2) = start, end
    chord = hypot(x2 - x1, y2 - y1)
    off = sqrt(max(radius**2 - chord**2 / 4, 0)) / chord * (1 if left else -1)
    middle_x = (x1 + x2) / 2 - off * (y2 - y1)
    middle_y = (y1 + y2) / 2 + off * (x2 - x1)
    first = atan2(y1 - middle_y, x1 - middle_x)
    whole = (atan2(y2 - middle_y, x2 - middle_x) - first) % (2 * pi)
    whole = whole if sweep else whole - 2 * pi
    steps = max(ROUND_STEPS // 4, round(abs(whole) * radius / ARC_STEP_MM))
    for n in range(1, steps + 1):
        turn = first + whole * n / steps
        yield middle_x + radius * cos(turn), middle_y + radius * sin(turn)


def _path_part(part: Element) -> Polygon:
    return _path(part.get("d") or "")


_OUTLINES = {
    f"{SVG}circle": _circle,
    f"{SVG}rect": _rect,
    f"{SVG}image": _rect,
    f"{SVG}path": _path_part,
}


def _straight(part: Element, move: _Transform) -> Text:
    """A text that keeps to its stated length covers a strip around its baseline."""
    x, y, size = _length(part, "x"), _length(part, "y"), _length(part, "font-size")
    long = _length(part, "textLength")
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[part.get("text-anchor") or "start"]
    left, top, bottom = x - shift * long, y - ASCENT * size, y + DESCENT * size
    corners = ((left, top), (left + long, top), (left + long, bottom), (left, bottom))
    strip = tuple(move(corner) for corner in corners)
    return Text(part.text or "", strip, part.get("data-payout"))


def _curved(group: Element, along: Element) -> Text:
    """Lettering in the middle of an arc around the origin covers a piece of a ring."""
    path, text = group.find(f"{SVG}path"), group.find(f"{SVG}text")
    if path is None or text is None:
        raise ValueError("lettering without its arc")
    points = _path(path.get("d") or "")
    (x1, y1), (x2, y2) = points[0], points[-1]
    radius = hypot(x1, y1)
    middle = (atan2(x1, y1) + atan2(x2, y2)) / 2
    half = _length(along, "textLength") / 2 / radius
    size = _length(text, "font-size")
    turns = [middle + half * (2 * n / CURVED_STEPS - 1) for n in range(CURVED_STEPS + 1)]
    inner, outer = radius - ASCENT * size, radius + DESCENT * size
    strip = [(inner * sin(turn), inner * cos(turn)) for turn in turns]
    strip += [(outer * sin(turn), outer * cos(turn)) for turn in reversed(turns)]
    return Text(along.text or "", tuple(strip))
