"""The table layout as SVG: to scale, one unit a millimeter, purely vector.

Areas are groups that say in ``data-`` attributes what they are: place, box, wager, clause. Colors
are classes of ``felt.css``, so a page shows the same drawing in a dye of its own.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import degrees

from croupier.documents import svg
from croupier.documents.layout.letters import Letters
from croupier.documents.layout.logo import Logo
from croupier.documents.layout.plan import (
    CARD_MM,
    EDGE_MM,
    FAN_MM,
    RAIL_MM,
    Area,
    Curved,
    LayoutPlan,
    flank,
    plan,
)
from croupier.documents.svg import element, moved, number
from croupier.games.registry import Registry
from croupier.submission.submission import Submission

SUITS = "♠♥♣♦"


def felt(
    submission: Submission, registry: Registry, logo: Logo | None = None, *, in_page: bool = False
) -> str:
    """The layout of this table, with the operator's logo where one is given."""
    return drawn(plan(submission, registry, logo is not None), logo, in_page=in_page)


def drawn(layout: LayoutPlan, logo: Logo | None = None, *, in_page: bool = False) -> str:
    """The drawing of a plan, with a logo where the plan has a place for it.

    A page of ours forbids styles inside itself: it links ``felt.css``, gives the drawing its size,
    and tells in words what it shows.
    """
    left, top, _, _ = layout.rail.bounds
    wide, tall = map(number, layout.size_mm)
    return element(
        "svg",
        element("title", svg.letters(layout.title)),
        *([] if in_page else [element("style", _style())]),
        _shades(layout),
        _table(layout),
        _ornaments(layout),
        *(_area(area, logo) for area in layout.areas),
        *(_curved(line, n) for n, line in enumerate(layout.lettering)),
        _letters(layout.imprint),
        xmlns="http://www.w3.org/2000/svg",
        class_="felt",
        width=None if in_page else f"{wide}mm",
        height=None if in_page else f"{tall}mm",
        viewBox=f"{number(left)} {number(top)} {wide} {tall}",
        data_rulebook=layout.rulebook,
        data_table=layout.table,
        data_boxes=layout.boxes,
        id="felt" if in_page else None,
        aria_hidden="true" if in_page else None,
    )


@cache
def _style() -> str:
    return (files("croupier.documents") / "felt.css").read_text("utf-8")


def _shades(layout: LayoutPlan) -> str:
    """Light falls on the middle of the table, and along the top of its padded rail."""
    return element(
        "defs",
        _shade("felt-dye", 320.0, layout.cloth.radius, (0.0, 0.55, 1.0)),
        _shade("felt-leather", 0.0, layout.rail.radius, (0.0, 0.955, 0.975, 1.0)),
    )


def _shade(name: str, y: float, radius: float, stops: tuple[float, ...]) -> str:
    """A shade around a point before the dealer; the style has a color for each of its stops."""
    drawn = [
        element("stop", class_=f"{name}-{n}", offset=f"{at:g}") for n, at in enumerate(stops, 1)
    ]
    return element(
        "radialGradient", *drawn, id=name, cx=0.0, cy=y, r=radius, gradientUnits="userSpaceOnUse"
    )


def _table(layout: LayoutPlan) -> str:
    cloth = layout.cloth
    seam = cloth.grown(RAIL_MM / 2, EDGE_MM / 2)
    return element(
        "g",
        element("path", class_="felt-rail", d=layout.rail.path),
        element("path", class_="felt-rail-seam", d=seam.path),
        element("path", class_="felt-cloth", d=cloth.path, data_place="cloth"),
        element("path", class_="felt-border", d=cloth.grown(-5, -5).path),
    )


def _ornaments(layout: LayoutPlan) -> str:
    """Rays behind the names and hairlines that hold the arcs together."""
    has_fan = any(area.kind == "cell" for area in layout.areas)
    outer = FAN_MM[0] - 8 if has_fan else FAN_MM[1] - 8
    rays = []
    for degree in range(-72, 73, 2):
        (x1, y1), (x2, y2) = svg.polar(246, degree), svg.polar(outer, degree)
        if y1 > 216:
            rays.append(element("line", class_="felt-ray", x1=x1, y1=y1, x2=x2, y2=y2))
    closing = [] if has_fan else _closing()
    return element("g", *rays, *closing, *_corners(), *_flanks(layout), data_place="ornament")


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


def _flanks(layout: LayoutPlan) -> list[str]:
    """The four suits on a side of the dealer's cards where nothing else lies."""
    row = [area for area in layout.areas if area.kind == "cards"]
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
    if area.light is not None:
        x, y = area.light
        light = element(
            "circle", class_="felt-light", cx=x or None, cy=y, r=3.2, data_light="progressive"
        )
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
