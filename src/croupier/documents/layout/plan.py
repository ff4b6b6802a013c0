"""Where everything on the felt lies, in millimeters: one geometry for paper, screen and check.

The origin is the middle of the dealer's edge, y runs toward the players, and the drawing is seen
from their side: box 1, farthest to the dealer's left, is on the right. An area is turned so that
its letters stand upright for the player before it.
"""

from __future__ import annotations

import msgspec

from croupier.documents.blocks import standing
from croupier.documents.layout.arc_text import lettering, logo_area
from croupier.documents.layout.boxes import box_areas
from croupier.documents.layout.center import dealer_side, fan
from croupier.documents.layout.letter_widths import size_to_fit, width
from croupier.documents.layout.shapes import Area, Curved, HalfMoon, Letters, Part
from croupier.games.registry import Registry
from croupier.submission.submission import Submission

CLOTH = HalfMoon(radius=1050.0, back=60.0, corner=46.0)
RAIL_MM, EDGE_MM, IMPRINT_MM = 72.0, 26.0, 480.0


class LayoutPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Every area and every line of lettering; a page lays cards and chips on the areas.

    The SVG is drawn from this and from nothing else, and it is this that is checked.
    """

    title: str
    rulebook: str
    table: str
    boxes: int
    areas: tuple[Area, ...]
    lettering: tuple[Curved, ...]
    imprint: Letters
    cloth: HalfMoon = CLOTH
    rail: HalfMoon = CLOTH.grown(RAIL_MM, EDGE_MM)

    def area(self, place: str, box: int | None = None, wager: str | None = None) -> Area | None:
        """The area of a place, at a box or of a wager where it has one."""
        wanted = (place, box, wager)
        return next((a for a in self.areas if (a.place, a.box, a.wager) == wanted), None)

    def at(self, place: str, box: int | None = None, wager: str | None = None) -> list[Area]:
        """All areas of a place, of any box and any wager where none is asked for."""
        return [
            area
            for area in self.areas
            if area.place == place and box in (None, area.box) and wager in (None, area.wager)
        ]

    def lines(self, place: str) -> list[Curved]:
        return [line for line in self.lettering if line.place == place]

    @property
    def parts(self) -> tuple[Part, ...]:
        """Everything that says something, which ornaments do not."""
        return (*self.areas, *(line for line in self.lettering if line.place != "ornament"))


def plan(submission: Submission, registry: Registry, has_logo: bool = False) -> LayoutPlan:
    """What the layout of this table shows, and where."""
    rules = submission.rules(registry)
    cells = tuple(fan(rules))
    areas = [*dealer_side(rules, submission), *cells]
    for box in range(1, submission.boxes + 1):
        areas += box_areas(rules, box, submission.boxes)
    lines = tuple(lettering(submission, rules, bool(cells), has_logo))
    if has_logo:
        areas += [logo_area(line, line.clause) for line in lines if line.place == "operator"]
    return LayoutPlan(
        title=f"{rules.book.title}: table {submission.table}",
        rulebook=submission.rulebook,
        table=submission.table,
        boxes=submission.boxes,
        areas=tuple(areas),
        lettering=lines,
        imprint=_imprint(submission),
    )


def _imprint(submission: Submission) -> Letters:
    """In the corner beyond the rail: which version this is, and whether it was approved."""
    version = f"version {submission.version}" if submission.version else "version not numbered"
    said = f"Table {submission.table}, {version}. {standing(submission.approved)}"
    size = size_to_fit([said], IMPRINT_MM, 17.0)
    left, _, _, bottom = CLOTH.grown(RAIL_MM, EDGE_MM).bounds
    return Letters(
        text=said,
        x=left + EDGE_MM,
        y=bottom - EDGE_MM,
        size=size,
        length=width(said, size),
        style="imprint",
        anchor="start",
    )
