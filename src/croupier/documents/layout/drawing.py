"""The table layout as SVG: to scale, one unit a millimeter, purely vector.

Areas are groups that say in ``data-`` attributes what they are: place, box, wager, clause. Colors
are classes of ``felt.css``, so a page shows the same drawing in a dye of its own.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import degrees

from croupier.documents import svg
from croupier.documents.blocks import standing
from croupier.documents.layout.center import CARD_MM, FAN_MM, flank
from croupier.documents.layout.letter_widths import size_to_fit, width
from croupier.documents.layout.logo import Logo
from croupier.documents.layout.plan import LayoutPlan, plan
from croupier.documents.layout.shapes import Area, Curved, Letters
from croupier.documents.svg import element, moved, number
from croupier.games.registry import Registry
from croupier.submission.submission import Submission

RADIUS_MM, BACK_MM, CORNER_MM = 1050.0, 60.0, 46.0
RAIL_MM, EDGE_MM, IMPRINT_MM = 72.0, 26.0, 480.0
SUITS = "♠♥♣♦"


def felt(
    submission: Submission, registry: Registry, logo: Logo | None = None, *, in_page: bool = False
) -> str:
    """The layout of this table, with the operator's logo where one is given.

    A page of ours forbids styles inside itself: it links ``felt.css``, gives the drawing its size,
    and tells in words what it shows.
    """
    drawn = plan(submission, registry, logo is not None)
    wide = 2 * (RADIUS_MM + RAIL_MM)
    tall = EDGE_MM + BACK_MM + RADIUS_MM + RAIL_MM
    left, top = -wide / 2, -BACK_MM - EDGE_MM
    title = f"{registry.book(submission.rulebook).title}: table {submission.table}"
    return element(
        "svg",
        element("title", svg.letters(title)),
        *([] if in_page else [element("style", _style())]),
        _shades(),
        _table(),
        _ornaments(drawn),
        *(_area(area, logo) for area in drawn.areas),
        *(_curved(line, n) for n, line in enumerate(drawn.lettering)),
        _imprint(submission, left + EDGE_MM, top + tall - EDGE_MM),
        xmlns="http://www.w3.org/2000/svg",
        class_="felt",
        width=None if in_page else f"{number(wide)}mm",
        height=None if in_page else f"{number(tall)}mm",
        viewBox=f"{number(left)} {number(top)} {number(wide)} {number(tall)}",
        data_rulebook=submission.rulebook,
        data_table=submission.table,
        data_boxes=submission.boxes,
        id="felt" if in_page else None,
        aria_hidden="true" if in_page else None,
    )


def _imprint(submission: Submission, x: float, y: float) -> str:
    """In the corner beyond the rail: which version this is, and whether it was approved."""
    version = f"version {submission.version}" if submission.version else "version not numbered"
    said = f"Table {submission.table}, {version}. {standing(submission.approved)}"
    size = size_to_fit([said], IMPRINT_MM, 17.0)
    length = width(said, size)
    return element(
        "text", svg.letters(said), class_="felt-text felt-imprint", x=x, y=y, font_size=size,
        textLength=length, lengthAdjust="spacingAndGlyphs",
    )  # fmt: skip


@cache
def _style() -> str:
    return (files("croupier.documents") / "felt.css").read_text("utf-8")


def _shades() -> str:
    """Light falls on the middle of the table, and along the top of its padded rail."""
    return element(
        "defs",
        _shade("felt-dye", 320.0, RADIUS_MM, (0.0, 0.55, 1.0)),
        _shade("felt-leather", 0.0, RADIUS_MM + RAIL_MM, (0.0, 0.955, 0.975, 1.0)),
    )


def _shade(name: str, y: float, radius: float, stops: tuple[float, ...]) -> str:
    """A shade around a point before the dealer; the style has a color for each of its stops."""
    drawn = [
        element("stop", class_=f"{name}-{n}", offset=f"{at:g}") for n, at in enumerate(stops, 1)
    ]
    return element(
        "radialGradient", *drawn, id=name, cx=0.0, cy=y, r=radius, gradientUnits="userSpaceOnUse"
    )


def _table() -> str:
    return element(
        "g",
        element("path", class_="felt-rail", d=_half_moon(RAIL_MM, EDGE_MM)),
        element("path", class_="felt-rail-seam", d=_half_moon(RAIL_MM / 2, EDGE_MM / 2)),
        element("path", class_="felt-cloth", d=_half_moon(0, 0), data_place="cloth"),
        element("path", class_="felt-border", d=_half_moon(-5, -5)),
    )


def _half_moon(beyond: float, behind: float) -> str:
    """The outline of the table, so far beyond the cloth; the dealer's edge is straight."""
    radius, back = RADIUS_MM + beyond, BACK_MM + behind
    r, b, c = number(radius), number(back), number(CORNER_MM)
    low, side = number(CORNER_MM - back), number(radius - CORNER_MM)
    return (
        f"M-{r} 0L-{r} {low}A{c} {c} 0 0 1 -{side} -{b}L{side} -{b}"
        f"A{c} {c} 0 0 1 {r} {low}L{r} 0A{r} {r} 0 0 1 -{r} 0Z"
    )


def _ornaments(drawn: LayoutPlan) -> str:
    """Rays behind the names and hairlines that hold the arcs together."""
    has_fan = any(area.kind == "cell" for area in drawn.areas)
    outer = FAN_MM[0] - 8 if has_fan else FAN_MM[1] - 8
    rays = []
    for degree in range(-72, 73, 2):
        (x1, y1), (x2, y2) = svg.polar(246, degree), svg.polar(outer, degree)
        if y1 > 216:
            rays.append(element("line", class_="felt-ray", x1=x1, y1=y1, x2=x2, y2=y2))
    closing = [] if has_fan else _closing()
    return element("g", *rays, *closing, *_corners(), *_flanks(drawn), data_place="ornament")


def _closing() -> list[str]:
    """Two hairlines below the rules, where otherwise the fan closes the lettering off."""
    return [
        element("path", class_="felt-hair", d=svg.arc(FAN_MM[1] + beyond, -half, half))
        for beyond, half in ((9, 32), (13, 26))
    ]


def _corners() -> list[str]:
    """A pair of suits, hardly darker than the cloth, where nobody sits."""
    return [
        _suit(suit, x, 112.0, 160.0, "felt-suit")
        for suit, x in zip(SUITS, (-900.0, -760.0, 760.0, 900.0), strict=True)
    ]


def _flanks(drawn: LayoutPlan) -> list[str]:
    """The four suits on a side of the dealer's cards where nothing else lies."""
    row = [area for area in drawn.areas if area.kind == "cards"]
    middle = next(area for area in row if area.spot.x == 0)
    beside = flank(middle.shape.size[0])
    free = [x for x in (-beside, beside) if not any(area.spot.x * x > 0 for area in row)]
    return [
        _suit(suit, x + (n - 1.5) * 40, middle.spot.y + 14, 40.0, "felt-jewel")
        for x in free
        for n, suit in enumerate(SUITS)
    ]


def _suit(suit: str, x: float, y: float, size: float, style: str) -> str:
    return element(
        "text", suit, class_=f"felt-text {style}", x=x, y=y, font_size=size, text_anchor="middle"
    )


def _area(area: Area, logo: Logo | None) -> str:
    if area.kind == "logo" and logo is not None:
        inside = [_image(area, logo.uri)]
    else:
        inside = [area.shape.drawn(f"felt-{area.kind}")]
    inside += _details(area)
    inside += [_letters(line) for line in area.letters]
    return element(
        "g",
        *inside,
        class_="felt-area",
        transform=moved(area.spot.x, area.spot.y, area.spot.turn),
        data_place=area.place,
        data_box=area.box,
        data_wager=area.wager,
        data_clause=area.clause,
    )


def _details(area: Area) -> list[str]:
    """What only some kinds of areas have inside: rings, a light, grooves, places for cards."""
    if area.kind in ("spot", "side"):
        return [area.shape.drawn(f"felt-{area.kind}-ring", 3.4)]
    if area.kind == "sensor":
        light = element("circle", class_="felt-light", cy=-15.0, r=3.2, data_light="progressive")
        return [area.shape.drawn("felt-sensor-ring", 2.6), light]
    if area.kind == "inventory":
        return _grooves(*area.shape.size)
    wide, tall = CARD_MM
    return [
        element(
            "rect",
            class_="felt-card",
            x=x - wide / 2,
            y=y - tall / 2,
            width=wide,
            height=tall,
            rx=4,
        )
        for x, y in area.cards
    ]


def _grooves(wide: float, tall: float) -> list[str]:
    count = 12
    step = (wide - 24) / count
    return [
        element(
            "rect",
            class_="felt-groove",
            x=-wide / 2 + 12 + n * step + 1.5,
            y=-tall / 2 + 9,
            width=step - 3,
            height=tall - 30,
            rx=(step - 3) / 2,
        )
        for n in range(count)
    ]


def _letters(line: Letters) -> str:
    return element(
        "text",
        svg.letters(line.text),
        class_=f"felt-text felt-{line.style}",
        x=line.x or None,
        y=line.y,
        font_size=line.size,
        text_anchor=line.anchor,
        textLength=line.length,
        lengthAdjust="spacingAndGlyphs",
        data_payout=line.payout,
    )


def _curved(line: Curved, n: int) -> str:
    """Lettering on an arc; the path is a little longer than the text and shares its middle."""
    half = degrees((line.length / 2 + line.size) / line.radius)
    path = svg.arc(line.radius, line.degrees - half, line.degrees + half)
    along = element(
        "textPath",
        svg.letters(line.text),
        href=f"#felt-arc-{n}",
        startOffset="50%",
        text_anchor="middle",
        textLength=line.length,
        lengthAdjust="spacing",
    )
    return element(
        "g",
        element("path", id=f"felt-arc-{n}", d=path, fill="none"),
        element(
            "text",
            along,
            class_=f"felt-text felt-{line.place}",
            font_size=line.size,
        ),
        data_place=line.place,
        data_statement=line.statement,
        data_clause=line.clause,
    )


def _image(area: Area, uri: str) -> str:
    wide, tall = area.shape.size
    return element(
        "image", href=uri, x=-wide / 2, y=-tall / 2, width=wide, height=tall, class_="felt-logo"
    )
