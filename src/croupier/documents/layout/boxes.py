"""A betting box: its areas from the dealer outward to the player's cards.

Every row is a radius around the middle of the dealer's edge; what stands beside each other in a
row stands at other degrees of it, so that no box can reach into the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, radians

from croupier.documents.layout.letter_widths import width
from croupier.documents.layout.paytable_areas import pay_lines, tall_enough
from croupier.documents.layout.shapes import Area, Disk, Letters, Shape, Slab, around, stacked
from croupier.documents.layout.texts import CLOSED, NOT_OFFERED, in_dollars, payouts
from croupier.games.rules import PROGRESSIVE, Rules
from croupier.rulebook.book import Wager

SENSOR_ROW, SIDE_ROW, ANTE_ROW, PLAY_ROW, CARD_ROW = 683.0, 744.0, 819.0, 896.0, 990.0
SPREAD_DEGREES, WIDEST_BOX = 158.0, 33.0
SENSOR_MM, SIDE_MM, SPOT_MM, SIGN_MM = 27.0, 58.0, 32.0, 12.0
SIDE_GAP_MM, BOX_GAP_MM, GAP_MM = 7.0, 14.0, 7.0
CARD_WIDE, CARD_STEP, HAND_TALL = 63.0, 22.0, 94.0
PAYS_BESIDE_CARDS, PAYS_BESIDE_PLAY, PAYS_MM = 942.0, 868.0, (132.0, 122.0)
LINE_MM, LIGHT_AT = 10.4, (0.0, -15.0)


def box_width(boxes: int) -> float:
    """The degrees each box has to itself."""
    return min(WIDEST_BOX, SPREAD_DEGREES / boxes)


def middle_of(box: int, boxes: int) -> float:
    """Where a box lies; the first is farthest to the dealer's left, our right."""
    return ((boxes - 1) / 2 - (box - 1)) * box_width(boxes)


def box_areas(rules: Rules, box: int, boxes: int) -> Iterator[Area]:
    """Every area of one box that this table's Rules ask for."""
    middle, whole = middle_of(box, boxes), box_width(boxes)
    yield _hand(rules, box, middle)
    yield from _contest(rules, box, middle)
    yield from _side_wagers(rules, box, middle, whole)
    yield from _pays(rules, box, middle, whole)


def _hand(rules: Rules, box: int, at: float) -> Area:
    number = Letters(str(box), 0.0, 20.0, 56.0, width(str(box), 56.0), "number")
    return Area(
        place="box",
        kind="hand",
        shape=_hand_shape(rules),
        spot=around(CARD_ROW, at),
        box=box,
        letters=(number,),
    )


def _hand_shape(rules: Rules) -> Slab:
    """Two cards lie beside each other, more of them fanned."""
    count = rules.book.place("box").cards
    step = CARD_WIDE if count < 3 else CARD_STEP
    return Slab(CARD_WIDE + (count - 1) * step + 12, HAND_TALL, 8.0)


def _opening(rules: Rules) -> list[Wager]:
    """The wagers against the dealer that are down before the first card."""
    wagers = rules.book.wagers
    return [wager for wager in wagers if wager.judged_by == "contest" and wager.decides is None]


def _contest(rules: Rules, box: int, at: float) -> Iterator[Area]:
    """The wagers against the dealer; those of equal size stand side by side with a sign."""
    book, opening = rules.book, _opening(rules)
    step = degrees((2 * SPOT_MM + 2 * SIGN_MM + 4) / ANTE_ROW)
    for n, wager in enumerate(opening):
        off = (n - (len(opening) - 1) / 2) * step
        yield _spot(rules, wager, box, ANTE_ROW, at + off, "spot", Disk(SPOT_MM))
    beside = book.table.layout.beside
    if beside is not None:
        yield Area(
            place="sign",
            kind="sign",
            shape=Disk(SIGN_MM),
            spot=around(ANTE_ROW, at),
            box=box,
            clause=book.cite(beside.clause),
            letters=(Letters(beside.sign, 0.0, 5.0, 20.0, width(beside.sign, 20.0)),),
        )
    for wager in book.wagers:
        if wager.decides is not None:
            yield _spot(rules, wager, box, PLAY_ROW, at, "spot", Disk(SPOT_MM))


def _side_wagers(rules: Rules, box: int, at: float, whole: float) -> Iterator[Area]:
    """What a player may leave: the wagers that are offered, and those every layout has room for."""
    optional = [w for w in rules.book.wagers if w.optional]
    drawn = [w for w in optional if rules.offers(w.name) or w.layout_clause is not None]
    side = [wager for wager in drawn if wager.name != PROGRESSIVE]
    room = (whole - degrees(BOX_GAP_MM / SIDE_ROW)) / max(len(side), 1)
    step = min(degrees((SIDE_MM + SIDE_GAP_MM) / SIDE_ROW), room)
    wide = min(SIDE_MM, radians(step) * SIDE_ROW - SIDE_GAP_MM)
    for n, wager in enumerate(side):
        off = (n - (len(side) - 1) / 2) * step
        kind = "side" if rules.offers(wager.name) else CLOSED
        yield _spot(rules, wager, box, SIDE_ROW, at + off, kind, Slab(wide, wide, 11.0))
    for wager in drawn:
        if wager.name == PROGRESSIVE:
            yield _spot(rules, wager, box, SENSOR_ROW, at, "sensor", Disk(SENSOR_MM))


def _spot(
    rules: Rules, wager: Wager, box: int, row: float, at: float, kind: str, shape: Shape
) -> Area:
    """The betting area of a wager; where no clause names it, wagers go on areas of the layout."""
    cited = rules.book.table.layout.areas.get(wager.name)
    clause = cited.clause if cited else rules.book.procedure.layout_clause
    lines = wager.title.upper().split(" ")
    terms = rules.progressive if wager.name == PROGRESSIVE else None
    if terms is not None:
        lines.append(in_dollars(terms.stake_cents))
    if kind == CLOSED:
        lines += NOT_OFFERED.upper().split(" ")
    light, rise = (LIGHT_AT, -4.5) if kind == "sensor" else (None, 0.0)
    return Area(
        place=CLOSED if kind == CLOSED else "wager",
        kind=kind,
        shape=shape,
        spot=around(row, at),
        box=box,
        wager=wager.name,
        clause=rules.book.cite(clause),
        letters=stacked(lines, shape, 13.5 if kind == "spot" else 11.5, rise),
        light=light,
    )


def _pays(rules: Rules, box: int, at: float, whole: float) -> Iterator[Area]:
    """What the wagers of every table pay: to the left the one a player may leave.

    Where one wager opens the box there is room beside Play, otherwise only beside the cards.
    """
    row, near = PAYS_BESIDE_CARDS, _hand_shape(rules).wide / 2 + GAP_MM
    if len(_opening(rules)) == 1:
        row, near = PAYS_BESIDE_PLAY, SPOT_MM + 2 * GAP_MM
    reach = (row - PAYS_MM[1] / 2) * radians(whole) / 2 - BOX_GAP_MM / 2
    wide = min(PAYS_MM[0], reach - near)
    for table in payouts(rules):
        if table.at_each_box:
            side = -1 if rules.book.wager(table.wager).optional else 1
            shape = Slab(wide, min(PAYS_MM[1], tall_enough(table, wide, LINE_MM)))
            yield Area(
                place="pays",
                kind="pays",
                shape=shape,
                spot=around(row, at + side * degrees((near + wide / 2) / row)),
                box=box,
                wager=table.wager,
                clause=rules.book.cite(table.clause),
                letters=pay_lines(table, shape, LINE_MM),
            )
