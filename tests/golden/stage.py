"""The stage of the golden rounds: their cards, their players, and how a scenario is registered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from croupier.table import commands as do
from croupier.table.agenda import asked_box, phase
from croupier.table.terms import Terms
from tests.golden.writing import Written
from tests.table.people import dealer, floor, player
from tests.table.tables import EVERY_WAY, terms

# One shuffle, written down once, so that every scenario can be read beside the others.
DECK = (
    "9c Qs 4h Jd 7h 2s Kd 5c Ts 8d Ah 3s 6d Jc Qh 4c Td 2h 8s Kc 5d 7s 3h Ac 9h 6s Js 2c "
    "Qd 4s 8h Th Kh 3d 7c 5s Ad 6c 9d Jh 2d Ks 4d Qc 8c 5h Tc 7d 3c As 9s 6h"
)
ROYAL = "2c 3c 4d 5d Qh Jh Th 2s 3s 9c 9d Ah Kh 4c 4s 8d 8s"
FOUR_ACES = "2c 3c 4d 5d 7h 8s 9s Ac Ad Ah As Kd 4c 6h 8h Th Jd 2d 3d 5h 6c 7c"
THREE_NINES = "2c 3c 4d 5d 9h 9c Th 2s 3s Kc Kd 9d Qh 4c 4s 8d 8s"
THREE_JACKS = "2c 3c 4d 5d 7h 8s 9s Jc Jd Jh 2d Kd 4c 6h 8h Th Td 2s 3d 5h 6c 7c"
SMALL = {"UTH-S": THREE_NINES, "UTH-14": THREE_NINES, "FCP-14": THREE_JACKS}
TOP = {"UTH-S": ROYAL, "UTH-14": ROYAL, "FCP-14": FOUR_ACES}
# Box 2 holds the best hand there is, box 1 the next best: both win the Progressive.
TWO_FLUSHES = "2c 3c 4d 5d Qh Jh Th 2s 3s 9c 9d 9h 8h Ah Kh 8d 8s"
TWO_FOURS = "2c 3c 4d 5d 7h 8s 9s Kc Kd Kh Ks 4c Ac Ad Ah As Jd 2d 3d 5h 6c 7c"
BOTH_WIN = {"UTH-S": TWO_FLUSHES, "UTH-14": TWO_FLUSHES, "FCP-14": TWO_FOURS}
BOOKS = ("UTH-S", "UTH-14", "FCP-14")

Scenario = Callable[[], Written]
SCENARIOS: dict[str, Scenario] = {}
F = TypeVar("F", bound=Callable[..., Written])


def scenario(name: str, *variants: tuple[str, ...]) -> Callable[[F], F]:
    """Register a scenario once for each variant; the name tells them apart."""

    def register(play: F) -> F:
        for variant in variants:
            SCENARIOS["-".join((name, *variant)).lower()] = partial(play, *variant)
        return play

    return register


EACH = tuple((book,) for book in BOOKS)
UTH = (("UTH-S",), ("UTH-14",))
ALL_WAYS = tuple(EVERY_WAY)
COUNTS = tuple((book, way) for book in BOOKS for way in ("shoe", "hand", "shuffler"))


def seated(bound: Terms, boxes: int = 2, script: str = DECK) -> Written:
    table = Written(bound, script)
    for box in range(1, boxes + 1):
        table.sit(box, ("Ann", "Bob", "Cyd")[box - 1])
    table.work()
    return table


def base(book: str, **more: str) -> dict[str, str]:
    wagers = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
    return wagers | more


def side(book: str) -> dict[str, str]:
    return {"aces_up": "$5"} if book == "FCP-14" else {"trips": "$5"}


def closed(book: str, way: str = "shuffler", **changes: object) -> Written:
    """Two boxes in the round, "no more bets" said, no card dealt."""
    table = seated(terms(book, way, **changes))
    table.bet(1, **base(book, **side(book)), progressive="$5")
    table.bet(2, **base(book))
    table.work(lambda state: state.round.stage == "play")
    return table


def seat_asked(table: Written) -> int:
    box = asked_box(table.state)
    return box.seat if box is not None else 0


def answer(table: Written, *answers: str) -> None:
    """Answers of the boxes in the order they are asked; the house goes on in between."""
    for word in answers:
        seat = seat_asked(table)
        name = table.at(seat)
        if word == "check":
            table.give(player(do.Check, name, box=seat))
        elif word == "fold":
            table.give(player(do.Fold, name, box=seat))
        else:
            table.give(player(do.Play, name, box=seat, cents=int(word) * 100))
        table.work(lambda state: phase(state) in ("acting", "revealing"))


def play_out(table: Written) -> None:
    while phase(table.state) == "acting":
        answer(table, "30")
    table.work()


def declare(table: Written, name: str, **more: object) -> None:
    table.give(dealer(do.Declare, name=name, **more))


def confirm(table: Written) -> None:
    table.give(floor(do.Confirm, upheld=True, meters=table.meters))
