"""Charts as SVG, drawn by hand as the felt is: axes, lines, bands, bars, and words beside them.

A chart is a plot between two axes. Every chart is equally wide, so letters are equally large in
all of them; words are text, and colors stand in attributes, so that a chart needs nothing beside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from croupier.documents import svg
from croupier.documents.layout.letters import width
from croupier.documents.svg import Point, element

INK, QUIET, FELT, GOLD, RED, PALE, GRID = (
    *("#1c1b19", "#66625a", "#14532d", "#b8862d", "#8f2d23", "#ece7da", "#e4dfd2"),
)
FONT = "Libertinus Serif, Georgia, serif"
MINUS = "\N{MINUS SIGN}"

WIDE, LETTERS, SMALL = 600.0, 12.0, 10.5
TITLE, UNDER, RIGHT, TICK = 24.0, 22.0, 16.0, 4.0
"""Above the plot for a title, below it for the values, to its right, and the length of a tick."""
KEY_STEP = 62.0
"""From one color of a key to the next."""
OTHER_FACE = 1.2
"""So much wider than measured may be the letters of a face that stands in for ours."""

AxisLabel = Callable[[float], str]


@dataclass(frozen=True)
class Axis:
    """The values from one end of a chart to the other, and how those that are marked are written.

    ``first`` is at the left or at the bottom, and may be the higher of the two ends.
    """

    first: float
    last: float
    ticks: tuple[float, ...]
    written: AxisLabel
    title: str = ""
    has_grid: bool = True
    is_logarithmic: bool = False

    def share(self, value: float) -> float:
        """How far along the axis a value lies, from 0 to 1."""
        if self.is_logarithmic:
            return log10(value / self.first) / log10(self.last / self.first)
        return (value - self.first) / (self.last - self.first)

    @property
    def labels(self) -> list[str]:
        return [self.written(tick) for tick in self.ticks]


def numbers(
    values: Iterable[float], written: AxisLabel | None = None, title: str = "", *,
    room: float = 5, least_step: float = 0.0, has_grid: bool = True,
) -> Axis:  # fmt: skip
    """An axis over all these values, from one round number to another.

    ``room`` is how many steps there may be between them.
    """
    low, high = min(values := [*values]), max(values)
    step = round_step((high - low) / room, least_step)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    ticks = tuple(round(n * step, 12) for n in range(first, max(last, first + 1) + 1))
    return Axis(ticks[0], ticks[-1], ticks, written or decimals(ticks), title, has_grid)


def round_step(about: float, least: float = 0.0) -> float:
    """The next of 1, 2, 2.5 and 5 times a power of ten."""
    about = max(about, least, 1e-12)
    power = 10.0 ** floor(log10(about))
    return next(n * power for n in (1, 2, 2.5, 5, 10) if n * power >= about * (1 - 1e-9))


def powers_of_ten(first: int, last: int, written: AxisLabel, title: str) -> Axis:
    ticks = tuple(10.0**power for power in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], ticks, written, title, is_logarithmic=True)


def names(said: Sequence[str], title: str = "", *, is_down: bool = False) -> Axis:
    """A place for each name: the first is 0, and the axis ends half a place beyond the last."""
    ends = (-0.5, max(len(said), 1) - 0.5)
    first, last = reversed(ends) if is_down else ends
    ticks = tuple(map(float, range(len(said))))
    return Axis(first, last, ticks, lambda at: said[int(at)], title, has_grid=False)


def decimals(ticks: Sequence[float]) -> AxisLabel:
    """As few digits after the point as tell all of them apart."""
    digits = next(n for n in range(13) if all(round(tick, n) == tick for tick in ticks))
    return lambda value: signed(value, f"{abs(value):,.{digits}f}")


def whole(value: float) -> str:
    return signed(value, f"{abs(value):,.0f}")


def in_dollars(value: float) -> str:
    return signed(value, f"${abs(value):,.0f}")


def signed(value: float, written: str) -> str:
    """With a minus sign as wide as a plus, and none before a zero."""
    return f"{MINUS}{written}" if value < 0 and written.strip("$0.,%") else written


@dataclass(frozen=True)
class Plot:
    """The room between two axes; its methods draw what lies in it, by values."""

    x: Axis
    y: Axis
    tall: float

    @property
    def left(self) -> float:
        return 2 * TICK + longest(self.y.labels)

    @property
    def top(self) -> float:
        return TITLE if self.y.title else 2 * TICK

    @property
    def bottom(self) -> float:
        return self.top + self.tall

    def at(self, x: float, y: float) -> Point:
        return (
            self.left + self.x.share(x) * (WIDE - RIGHT - self.left),
            self.bottom - self.y.share(y) * self.tall,
        )

    def line(
        self, points: Iterable[Point], color: str, thick: float = 2, dash: str | None = None
    ) -> str:
        path = svg.open_path(*(self.at(*point) for point in points))
        return element(
            "path", d=path, fill="none", stroke=color, stroke_width=thick, stroke_dasharray=dash,
            stroke_linejoin="round",
        )  # fmt: skip

    def across(self, y: float, color: str, dash: str | None = None) -> str:
        """A line at one value of y from side to side."""
        return self.line([(self.x.first, y), (self.x.last, y)], color, 1.5, dash)

    def upright(self, x: float, color: str, dash: str | None = None) -> str:
        return self.line([(x, self.y.first), (x, self.y.last)], color, 1.2, dash)

    def band(self, low: Sequence[Point], high: Sequence[Point], color: str) -> str:
        """What lies between two lines."""
        around = (*low, *reversed(high))
        return element("path", d=svg.polygon(*(self.at(*point) for point in around)), fill=color)

    def bar(self, one: Point, other: Point, color: str, edge: str | None = None) -> str:
        """From one corner to the other."""
        (x1, y1), (x2, y2) = self.at(*one), self.at(*other)
        return box(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1), color, edge)

    def row(self, y: float, x1: float, x2: float, thick: float, color: str) -> str:
        """A bar along a place of y, of a thickness on paper."""
        (left, middle), (right, _) = self.at(x1, y), self.at(x2, y)
        return box(left, middle - thick / 2, right - left, thick, color)

    def tick(self, x: float, y: float, tall: float, color: str) -> str:
        middle, at = self.at(x, y)
        return box(middle - 1.5, at - tall / 2, 3.0, tall, color)

    def dot(
        self, x: float, y: float, color: str, radius: float = 3.2, opacity: float | None = None
    ) -> str:
        across, down = self.at(x, y)
        return element("circle", cx=across, cy=down, r=radius, fill=color, fill_opacity=opacity)

    def words(
        self, said: str, x: float, y: float, color: str = INK, *, anchor: str = "middle",
        by: Point = (0.0, 0.0), size: float = SMALL,
    ) -> str:  # fmt: skip
        """Words beside a point, moved on paper by so much to the right and down."""
        across, down = self.at(x, y)
        return words(said, across + by[0], down + by[1], color, anchor=anchor, size=size)

    def drawn(self, *marks: str) -> str:
        """The chart with these marks, the first of them undermost."""
        tall = self.bottom + UNDER + (18 if self.x.title else 0)
        return drawing(tall, *self._grid(), *marks, *self._across(), *self._down())

    def _grid(self) -> Iterator[str]:
        if self.y.has_grid:
            for tick in self.y.ticks:
                yield self.line([(self.x.first, tick), (self.x.last, tick)], GRID, 1)
        if self.x.has_grid:
            for tick in self.x.ticks:
                yield self.line([(tick, self.y.first), (tick, self.y.last)], GRID, 1)

    def _across(self) -> Iterator[str]:
        """The axis of x; labels that would touch the one before them are left out."""
        yield _rule(self.left, self.bottom, WIDE - RIGHT, self.bottom)
        end = 0.0
        for tick, label in zip(self.x.ticks, self.x.labels, strict=True):
            x = self.at(tick, self.y.first)[0]
            half = width(label, LETTERS) * OTHER_FACE / 2
            middle = min(x, WIDE - half)
            if self.x.has_grid:
                yield _rule(x, self.bottom, x, self.bottom + TICK)
            if middle - half > end:
                yield words(label, middle, self.bottom + 16, QUIET)
                end = middle + half + 4
        if self.x.title:
            middle = (self.left + WIDE - RIGHT) / 2
            yield words(self.x.title, middle, self.bottom + 34)

    def _down(self) -> Iterator[str]:
        """The axis of y, its title above it."""
        if not self.y.has_grid:
            yield _rule(self.left, self.top, self.left, self.bottom)
        for tick, label in zip(self.y.ticks, self.y.labels, strict=True):
            y = self.at(self.x.first, tick)[1]
            yield words(label, self.left - 2 * TICK, y + 4, QUIET, anchor="end")
        if self.y.title:
            yield words(self.y.title, 0.0, 11.0, anchor="start")


def spread(labels: Sequence[str]) -> float:
    """How many steps an axis of x has room for when the marks on it are as long as these."""
    return max(2.0, min(8.0, 0.85 * WIDE / (longest(labels) + 14)))


def longest(labels: Sequence[str]) -> float:
    """The room that the longest of these takes in any face."""
    return max((width(label, LETTERS) for label in labels), default=0.0) * OTHER_FACE


def drawing(tall: float, *inside: str) -> str:
    """A drawing of this height with the letters of the documents."""
    return element(
        "svg",
        *inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {svg.number(WIDE)} {svg.number(tall)}",
        width=WIDE,
        height=tall,
        font_family=FONT,
        font_size=LETTERS,
    )


def words(
    said: str, x: float, y: float, color: str = INK, *, anchor: str = "middle",
    size: float = LETTERS,
) -> str:  # fmt: skip
    return element(
        "text", svg.letters(said), x=x, y=y, fill=color, text_anchor=anchor,
        font_size=size if size != LETTERS else None,
    )  # fmt: skip


def box(x: float, y: float, wide: float, tall: float, color: str, edge: str | None = None) -> str:
    return element("rect", x=x, y=y, width=wide, height=tall, fill=color, stroke=edge)


def key(colors: Mapping[str, str], x: float, y: float) -> Iterator[str]:
    """Which color is which, beside each other."""
    for n, (said, color) in enumerate(colors.items()):
        yield box(x + n * KEY_STEP, y, 11.0, 11.0, color)
        yield words(said, x + n * KEY_STEP + 16, y + 10, anchor="start")


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=QUIET)
