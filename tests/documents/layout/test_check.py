"""The layout checker: each thing that can be wrong with a drawing, done to one and found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from msgspec import structs

from croupier.documents.layout.check import CheckedLayout, payouts_inscribed
from croupier.documents.layout.plan import Area, LayoutPlan
from croupier.documents.layout.shapes import inside, overlap
from croupier.games.registry import the_registry
from croupier.submission.check import shipped_submission
from croupier.submission.submission import Submission
from tests.citing import cited
from tests.documents.layouts import BOOKS, Tampered, findings, layout, with_letter, without

Tampering = Callable[[Tampered], LayoutPlan]
Case = tuple[str, Tampering, str]

BOTH: dict[str, Case] = {
    "no name": ("2.B(1)", lambda t: t.removed(t.line("operator")), "nor a logo is drawn"),
    "another name": (
        "2.B(1)",
        lambda t: t.changed(t.line("operator"), text="Somebody"),
        'operator\'s name "Croupier"',
    ),
    "no Ante": (
        "2.B(2)",
        lambda t: t.removed(t.area("wager", box=2, wager="ante")),
        "box 2 has no area",
    ),
    "no Play": (
        "2.B(2)",
        lambda t: t.removed(t.area("wager", box=6, wager="play")),
        "box 6 has no area for Play",
    ),
    "Ante marked Play": (
        "2.B(2)",
        lambda t: t.reworded(t.area("wager", box=1, wager="ante"), "ANTE", "PLAY"),
        'marks its Ante area "PLAY"',
    ),
    "Play upon Ante": (
        "2.B(2)",
        lambda t: t.moved(t.area("wager", box=3, wager="play"), 0, -40),
        "overlap",
    ),
    "Play off the felt": (
        "2.B(2)",
        lambda t: t.moved(t.area("wager", box=3, wager="play"), 0, 900),
        "does not lie on the felt",
    ),
    "words too long": (
        "2.B(2)",
        lambda t: stretched(t, t.area("wager", box=1, wager="ante")),
        "reaches beyond",
    ),
}

UTH: dict[str, Case] = {
    "no Blind": (
        "2.B(2)",
        lambda t: t.removed(t.area("wager", box=4, wager="blind")),
        "box 4 has no area for Blind",
    ),
    "Blind left of Ante": (
        "2.B(2)",
        lambda t: t.swapped(
            t.area("wager", box=5, wager="ante"), t.area("wager", box=5, wager="blind")
        ),
        "box 5 has Blind not to the right of Ante",
    ),
    "no equal sign": (
        "2.B(2)",
        lambda t: t.removed(t.area("sign", box=1)),
        "box 1 has no = between Ante and Blind",
    ),
    "another sign": (
        "2.B(2)",
        lambda t: t.reworded(t.area("sign", box=1), "=", "+"),
        "box 1 has no = between",
    ),
    "the sign elsewhere": (
        "2.B(2)",
        lambda t: t.swapped(t.area("sign", box=2), t.area("wager", box=2, wager="play")),
        "box 2 has no = between",
    ),
    "no board": (
        "2.B(3)",
        lambda t: t.removed(t.area("board")),
        "no one place for the cards of the board",
    ),
    "the board beside the inventory": (
        "2.B(3)",
        lambda t: t.moved(t.area("board"), 300, 0),
        "not lie directly in front of the table inventory",
    ),
    "the board far from the inventory": (
        "2.B(3)",
        lambda t: t.moved(t.area("board"), 0, 90),
        "not lie directly in front of the table inventory",
    ),
    "four board cards": (
        "2.B(3)",
        lambda t: t.changed(t.area("board"), cards=t.area("board").cards[1:]),
        "the place of the board is for 4 cards, not 5",
    ),
    "no dealer": ("2.B(4)", lambda t: t.removed(t.area("dealer")), "the cards of the dealer"),
    "no Progressive": (
        "2.B(5)",
        lambda t: t.removed(t.area("wager", box=1, wager="progressive")),
        "box 1 has no area for Progressive",
    ),
    "no Six Card Bonus": (
        "2.B(6)",
        lambda t: t.removed(t.area("wager", box=1, wager="six_card_bonus")),
        "box 1 has no area for Six Card Bonus",
    ),
    "no payouts at a box": (
        "2.B(7)",
        lambda t: t.removed(t.area("pays", box=3, wager="blind")),
        '"Blind pays" is not inscribed at box 3',
    ),
    "no payouts in the fan": (
        "2.B(7)",
        lambda t: t.removed(t.area("pays", wager="envy")),
        '"Envy bonus pays" is not inscribed',
    ),
    "no Ante push": (
        "2.B(8)(a)",
        lambda t: t.removed(t.line("rule", statement="dealer_needs")),
        "dealer has less than a pair",
    ),
    "no Blind push": (
        "2.B(8)(b)",
        lambda t: t.removed(t.line("rule", statement="least_paid")),
        "below a straight",
    ),
    "no Play sizes": (
        "2.B(8)(c)",
        lambda t: t.removed(t.line("rule", statement="play_sizes")),
        "3 or 4 times the Ante before the flop, 2 times on the flop, 1 time on the river",
    ),
    "no payout limit": (
        "2.B(8)(d)",
        lambda t: t.removed(t.line("rule", statement="payout_limit")),
        "Payout limit $50,000 a hand for Ante, Blind, Play and Trips",
    ),
    "no light": (
        "2.C(1)",
        lambda t: t.changed(t.area("wager", box=1, wager="progressive"), light=None),
        "acceptor of box 1 has no light",
    ),
    "no drop box": ("2.D(1)", lambda t: t.removed(t.area("drop_box")), "there is no drop box"),
    "tip box beside the drop box": (
        "2.D(1)",
        lambda t: t.moved(t.area("tip_box"), -1200, 0),
        "on the same side of the dealer",
    ),
    "tip box with the players": (
        "2.D(1)",
        lambda t: t.moved(t.area("tip_box"), 0, 400),
        "the tip box is not on the dealer's side",
    ),
    "no rack": ("2.D(2)", lambda t: t.removed(t.area("discard_rack")), "there is no discard rack"),
    "a box behind the dealer": (
        "2.A",
        lambda t: t.moved(t.area("box", box=3), 0, -1100),
        "box 3 does not lie opposite the dealer",
    ),
}

FCP: dict[str, Case] = {
    "no Aces Up": (
        "2.B(2)",
        lambda t: t.removed(t.area("wager", box=7, wager="aces_up")),
        "box 7 has no area for Aces Up",
    ),
    "no Progressive": (
        "2.B(3)",
        lambda t: t.removed(t.area("wager", box=1, wager="progressive")),
        "box 1 has no area for Progressive",
    ),
    "no Six Card Bonus": (
        "2.B(4)",
        lambda t: t.removed(t.area("wager", box=1, wager="six_card_bonus")),
        "box 1 has no area for Six Card Bonus",
    ),
    "no payouts": (
        "2.B(5)",
        lambda t: t.removed(t.area("pays", box=3, wager="ante_bonus")),
        '"Ante bonus pays" is not inscribed at box 3',
    ),
    "no light": (
        "2.C(1)",
        lambda t: t.changed(t.area("wager", box=1, wager="progressive"), light=None),
        "acceptor of box 1 has no light",
    ),
    "no tip box": ("2.D", lambda t: t.removed(t.area("tip_box")), "there is no tip box"),
    "drop box beside the tip box": (
        "2.D",
        lambda t: t.moved(t.area("drop_box"), 1200, 0),
        "on the same side of the dealer",
    ),
    "tip box with the players": (
        "2.D",
        lambda t: t.moved(t.area("tip_box"), 0, 400),
        "the tip box is not on the dealer's side",
    ),
    "no rack": ("2.F", lambda t: t.removed(t.area("discard_rack")), "there is no discard rack"),
    "rack with the players": (
        "2.F",
        lambda t: t.moved(t.area("discard_rack"), 0, 300),
        "the discard rack is not on the dealer's side",
    ),
    "no inventory": ("2.A(2)", lambda t: t.removed(t.area("inventory")), "no table inventory"),
    "a box behind the dealer": (
        "2.A(2)",
        lambda t: t.moved(t.area("box", box=4), 0, -1100),
        "box 4 does not lie opposite the dealer",
    ),
    "no place for the dealer": (
        "8.E",
        lambda t: t.removed(t.area("dealer")),
        "the cards of the dealer",
    ),
}

ALSO = {"tip box with the players": ("2.E",)}
"""No other place for the tip box has been approved."""

CASES = [
    pytest.param(book, *case, marks=cited(book, case[0], *ALSO.get(name, ())), id=f"{book} {name}")
    for book, own in (("UTH-S", UTH), ("UTH-14", UTH), ("FCP-14", FCP))
    for name, case in (BOTH | own).items()
]


def stretched(drawing: Tampered, area: Area) -> LayoutPlan:
    letters = tuple(structs.replace(line, length=90.0) for line in area.letters)
    return drawing.changed(area, letters=letters)


@pytest.mark.parametrize(("book", "clause", "tampering", "said"), CASES)
def test_what_is_wrong_is_found(book: str, clause: str, tampering: Tampering, said: str) -> None:
    table = shipped_submission(book)
    found = findings(tampering(Tampered(layout(table))), table)
    assert [c for c, sentence in found if said in sentence][:1] == [f"{book} {clause}"], found


@pytest.mark.parametrize("book", BOOKS)
def test_every_payout_is_read_word_for_word(book: str) -> None:
    """Each line of each paytable, spoiled once, is the line that is missed and the one too many."""
    table = replace(shipped_submission(book), boxes=1)
    drawing = Tampered(layout(table))
    lines = [
        (area, line)
        for area in drawing.layout.at("pays")
        for line in area.letters
        if line.payout is not None
    ]
    assert len(lines) > 20
    for area, line in lines:
        spoiled = structs.replace(line, text="7 to 11")
        letters = tuple(spoiled if each == line else each for each in area.letters)
        seen = CheckedLayout(
            drawing.changed(area, letters=letters), table, table.rules(the_registry())
        )
        missed, extra = payouts_inscribed(seen)
        assert missed.clause == f"{book} {line.payout}"
        assert "not inscribed" in missed.sentence
        assert "7 to 11" in extra.sentence


def other(table: Submission, **changed: object) -> Submission:
    return replace(table, **changed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("drawn", "filed", "said"),
    [
        (
            shipped_submission("UTH-S"),
            without(shipped_submission("UTH-S"), "bad_beat"),
            'box 1 has an area for "bad_beat", which is not offered',
        ),
        (
            shipped_submission("UTH-S"),
            without(shipped_submission("UTH-S"), "bad_beat"),
            'payouts of "bad_beat" are inscribed, which is not offered',
        ),
        (
            shipped_submission("FCP-14"),
            without(shipped_submission("FCP-14"), "six_card_bonus"),
            "there is a six card box for a wager that is not offered",
        ),
        (
            shipped_submission("UTH-S"),
            with_letter(shipped_submission("UTH-S"), "blind", "B"),
            "is inscribed and is no rule of this table",
        ),
        (
            shipped_submission("UTH-S"),
            other(shipped_submission("UTH-S"), payout_limit_cents=None),
            'PLAY AND TRIPS TOGETHER" is inscribed and is no rule of this table',
        ),
        (
            shipped_submission("UTH-S"),
            other(shipped_submission("UTH-S"), boxes=5),
            "there is an area for box 6; this table has 5",
        ),
        (
            other(shipped_submission("UTH-S"), boxes=5),
            shipped_submission("UTH-S"),
            "box 6 has no area for Ante",
        ),
        (
            without(shipped_submission("UTH-S"), "six_card_bonus"),
            without(shipped_submission("UTH-S"), "six_card_bonus", "trips"),
            "box 1 has no area for Trips that is marked not offered",
        ),
        (
            without(shipped_submission("UTH-S"), "six_card_bonus", "trips"),
            without(shipped_submission("UTH-S"), "six_card_bonus"),
            'box 1 has "trips" marked as not offered',
        ),
    ],
)
def test_the_drawing_of_another_table_is_not_this_ones(
    drawn: Submission, filed: Submission, said: str
) -> None:
    assert any(said in sentence for _, sentence in findings(layout(drawn), filed))


def test_polygons() -> None:
    square = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
    beside = tuple((x + 10, y) for x, y in square)
    upon = tuple((x + 9, y + 5) for x, y in square)
    within = tuple((x / 10 + 4, y / 10 + 4) for x, y in square)
    assert inside((5, 5), square)
    assert not inside((15, 5), square)
    assert not overlap(square, beside), "areas may touch"
    assert overlap(square, upon)
    assert overlap(square, within)
    assert overlap(within, square)
