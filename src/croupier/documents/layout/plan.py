"""Where everything on the felt lies, in millimeters: one geometry for paper and screen.

The origin is the middle of the dealer's edge, y runs toward the players, and the drawing is seen
from their side: box 1, farthest to the dealer's left, is on the right. An area is turned so that
its letters stand upright for the player before it.
"""

from __future__ import annotations

import msgspec

from croupier.documents.layout.arc_text import lettering, logo_area
from croupier.documents.layout.boxes import box_areas
from croupier.documents.layout.center import dealer_side, fan
from croupier.documents.layout.shapes import Area, Curved
from croupier.games.registry import Registry
from croupier.submission.submission import Submission


class LayoutPlan(msgspec.Struct, frozen=True):
    """Every area and every line of lettering; a page lays cards and chips on the areas."""

    areas: tuple[Area, ...]
    lettering: tuple[Curved, ...]

    def area(self, place: str, box: int | None = None, wager: str | None = None) -> Area | None:
        """The area of a place, at a box or of a wager where it has one."""
        wanted = (place, box, wager)
        return next((a for a in self.areas if (a.place, a.box, a.wager) == wanted), None)


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
    return LayoutPlan(tuple(areas), lines)
