"""The dealer's side: the inventory and what stands beside it, the cards, the fan of payouts."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan, degrees

from croupier.documents.layout.letter_widths import size_to_fit, width
from croupier.documents.layout.paytable_areas import fits, pay_lines, widest_line
from croupier.documents.layout.shapes import Area, Letters, Slab, Spot, Wedge, around, stacked
from croupier.documents.layout.texts import Payouts, payouts
from croupier.games.rules import Rules
from croupier.rulebook.book import Cited, Place
from croupier.submission.submission import Devices, Submission

INVENTORY_MM, EQUIPMENT_Y = (560.0, 118.0), 14.0
CARD_MM, CARD_GAP = (63.0, 88.0), 8.0
ROW_Y, ROW_TALL, FLANK_WIDE, ROW_GAP = 152.0, 116.0, 168.0, 22.0
FAN_MM, FAN_HALF_DEGREES, FAN_LINE_MM = (500.0, 647.0), 74.0, 11.8
NARROWEST_CELL = 14.0

TITLES = {"dealer": "Dealer", "board": "Community cards", "six_card_box": "Six Card Bonus"}


def dealer_side(rules: Rules, submission: Submission) -> Iterator[Area]:
    """Inventory, drop box, tip box, discard rack, and where cards lie that are nobody's."""
    layout = rules.book.table.layout
    yield _inventory()
    stands: tuple[tuple[str, float, tuple[float, float], Cited | None], ...] = (
        ("drop_box", -352.0, (96.0, 62.0), layout.drop_box),
        ("tip_box", 352.0, (96.0, 62.0), layout.tip_box),
        ("discard_rack", -478.0, (92.0, 112.0), layout.discard_rack),
    )
    for place, x, size, cited in stands:
        clause = rules.book.cite(cited.clause) if cited is not None else None
        yield _equipment(place, place.replace("_", " "), x, size, clause)
    device = _device(submission.devices)
    if device is not None:
        yield _equipment("device", device, 500.0, (136.0, 112.0), None)
    ways = {way.way: way.held_in for way in rules.book.dealing}
    if ways.get(submission.dealing.method) == "shoe":
        clause = rules.book.cite(rules.book.procedure.shoe_place_clause)
        x = 500.0 if device is None else 640.0
        yield _equipment("shoe", "dealing shoe", x, (112.0, 112.0), clause)
    yield from _card_places(rules)


def _device(devices: Devices) -> str | None:
    if devices.shuffler:
        return "shuffler"
    return "automated shoe" if devices.automated_shoe or devices.reshuffling_shoe else None


def _inventory() -> Area:
    title = "TABLE INVENTORY"
    label = Letters(title, 0.0, INVENTORY_MM[1] / 2 - 6, 9.0, width(title, 9.0, 0.1))
    return Area(
        place="inventory",
        kind="inventory",
        shape=Slab(*INVENTORY_MM, 8.0),
        spot=Spot(0.0, EQUIPMENT_Y),
        letters=(label,),
    )


def _equipment(
    place: str, title: str, x: float, size: tuple[float, float], clause: str | None
) -> Area:
    shape = Slab(*size, 7.0)
    return Area(
        place=place,
        kind="equipment",
        shape=shape,
        spot=Spot(x, EQUIPMENT_Y),
        clause=clause,
        letters=stacked(title.upper().split(" "), shape, 13.0),
    )


def _card_places(rules: Rules) -> Iterator[Area]:
    """The board in front of the inventory, or the dealer's cards where there is no board."""
    shown = {
        place.name: place
        for place in rules.book.places
        if place.name != "box" and (place.only_for is None or rules.offers(place.only_for))
    }
    main = next(name for name in ("board", "dealer", *shown) if name in shown)
    wide = shown[main].cards * (CARD_MM[0] + CARD_GAP) - CARD_GAP + 24
    yield _card_place(rules, shown.pop(main), 0.0, wide)
    for place in shown.values():
        side = 1 if place.only_for is None else -1
        yield _card_place(rules, place, side * flank(wide), FLANK_WIDE)


def flank(wide: float) -> float:
    """How far from the middle lies what stands beside cards of this width."""
    return wide / 2 + ROW_GAP + FLANK_WIDE / 2


def _card_place(rules: Rules, place: Place, x: float, wide: float) -> Area:
    book = rules.book
    cited = book.table.layout.places.get(place.name)
    title = TITLES.get(place.name, place.name.replace("_", " ")).upper()
    size = size_to_fit([title], wide - 20, 10.0, 0.06)
    room = (wide - 24 - CARD_MM[0]) / max(place.cards - 1, 1)
    step = min(CARD_MM[0] + CARD_GAP, room)
    return Area(
        place=place.name,
        kind="cards",
        shape=Slab(wide, ROW_TALL, 10.0),
        spot=Spot(x, ROW_Y),
        clause=book.cite(cited.clause if cited else place.clause),
        letters=(Letters(title, 0.0, 50.0, size, width(title, size, 0.06)),),
        cards=tuple(((n - (place.cards - 1) / 2) * step, -8.0) for n in range(place.cards)),
    )


def fan(rules: Rules) -> Iterator[Area]:
    """The payouts that do not stand at each box, as cells of one fan that faces the players."""
    tables = [table for table in payouts(rules) if not table.at_each_box]
    size = _fan_size(tables)
    at = -sum(_cell_degrees(table, size) for table in tables) / 2
    for table in tables:
        half = _cell_degrees(table, size) / 2
        shape = Wedge(*FAN_MM, half)
        yield Area(
            place="pays",
            kind="cell",
            shape=shape,
            spot=around(shape.middle, at + half),
            wager=table.wager,
            clause=rules.book.cite(table.clause),
            letters=pay_lines(table, shape, size),
        )
        at += 2 * half


def _fan_size(tables: list[Payouts]) -> float:
    """The largest letters that all cells can share."""
    size = FAN_LINE_MM
    while sum(_cell_degrees(table, size) for table in tables) > 2 * FAN_HALF_DEGREES or not all(
        fits(table, Wedge(*FAN_MM, _cell_degrees(table, size) / 2), size) for table in tables
    ):
        size *= 0.98
    return size


def _cell_degrees(table: Payouts, size: float) -> float:
    half_mm = widest_line(table, size) / 2 + 9
    return max(NARROWEST_CELL, 2 * degrees(atan(half_mm / (FAN_MM[0] + 5))))
