"""The lettering of the felt: names and rules along arcs around the dealer.

The rules stand just inside the fan of payouts, or where it would end when there is none; the names
take the room that is left, and grow with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, hypot, radians

from croupier.documents.layout.center import FAN_MM
from croupier.documents.layout.letter_widths import ASCENT, size_to_fit, width
from croupier.documents.layout.shapes import Area, Curved, Slab, Spot
from croupier.documents.layout.texts import Statement, statements
from croupier.games.rules import Rules
from croupier.submission.submission import Submission

RULE_ROWS = (
    ("even_money", "tie"),
    ("play_sizes", "paid_anyway"),
    ("dealer_needs", "least_paid"),
    ("payout_limit",),
)
"""The statements by the arc they stand on, the shortest nearest to the dealer."""

RULE_MM, RULE_STEP, RULE_HALF_DEGREES, WITHOUT_FAN = 14.0, 21.0, 60.0, 1.35
BETWEEN = "   ♦   "
CARDS_END, NAME_STEP, LARGEST_NAMES = 230.0, 164.0, 1.8
LOGO_TALL_MM, LOGO_RATIO = 120.0, 3.0
NAMES = (
    ("facility", 80.0, 44.0, 38.0),
    ("operator", 105.0, 15.0, 38.0),
    ("game", 164.0, 50.0, 50.0),
)
"""Each name: how far beyond the dealer's cards, how large at most, how far to each side."""


def lettering(
    submission: Submission, rules: Rules, has_fan: bool, has_logo: bool
) -> Iterator[Curved]:
    """Every line along an arc; a logo takes the place of the facility's name."""
    grown = 1.0 if has_fan else WITHOUT_FAN
    outermost = (FAN_MM[0] if has_fan else FAN_MM[1]) - 13.0 * grown
    said = statements(rules)
    rows = [[s for s in said if s.name in names] for names in RULE_ROWS]
    rows = [row for row in rows if row]
    first = outermost - RULE_STEP * grown * (len(rows) - 1)
    yield from _names(submission, rules, first - 30.0 * grown, has_logo)
    for n, row in enumerate(rows):
        yield from _rule_row(rules, row, first + RULE_STEP * grown * n, RULE_MM * grown)


def logo_area(operator: Curved, clause: str | None) -> Area:
    """A place for the logo between the dealer's cards and the operator's name."""
    reach, tall = operator.radius - ASCENT * operator.size - 5.0, LOGO_TALL_MM
    while hypot(LOGO_RATIO * tall / 2, CARDS_END + tall) > reach:
        tall *= 0.97
    shape = Slab(LOGO_RATIO * tall, tall, 0.0)
    spot = Spot(0.0, CARDS_END + tall / 2)
    return Area(place="logo", kind="logo", shape=shape, spot=spot, clause=clause)


def _names(
    submission: Submission, rules: Rules, outermost: float, has_logo: bool
) -> Iterator[Curved]:
    named = rules.book.table.operator_named
    clause = rules.book.cite(named.clause) if named is not None else None
    texts = {
        "facility": submission.facility.upper(),
        "operator": submission.operator,
        "game": rules.game.name.upper(),
    }
    grown = min((outermost - CARDS_END) / NAME_STEP, LARGEST_NAMES)
    for place, beyond, largest, half in NAMES:
        if place == "facility" and has_logo:
            continue
        radius, text = CARDS_END + beyond * grown, texts[place]
        size = size_to_fit([text], 2 * radius * radians(half), largest * grown, 0.08)
        yield Curved(
            place=place,
            text=text,
            radius=radius,
            degrees=0.0,
            size=size,
            length=width(text, size, 0.08),
            clause=clause if place != "game" else None,
        )


def _rule_row(
    rules: Rules, row: list[Statement], radius: float, largest: float
) -> Iterator[Curved]:
    """Statements one after another on the same arc, with a diamond between them."""
    texts = [statement.text.upper() for statement in row]
    most = 2 * radius * radians(RULE_HALF_DEGREES)
    size = size_to_fit([BETWEEN.join(texts)], most, largest, 0.05)
    gap, at = width(BETWEEN, size, 0.05), 0.0
    lengths = [width(text, size, 0.05) for text in texts]
    at = -(sum(lengths) + gap * (len(texts) - 1)) / 2
    for statement, text, length in zip(row, texts, lengths, strict=True):
        if statement is not row[0]:
            yield Curved(
                place="ornament",
                text=BETWEEN.strip(),
                radius=radius,
                degrees=degrees((at - gap / 2) / radius),
                size=size,
                length=width(BETWEEN.strip(), size),
            )
        yield Curved(
            place="rule",
            text=text,
            radius=radius,
            degrees=degrees((at + length / 2) / radius),
            size=size,
            length=length,
            statement=statement.name,
            clause=rules.book.cite(statement.clause),
        )
        at += length + gap
