"""The simulator's settlement equals the one settlement function, line by line, cent by cent."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from croupier.exact.strategies import shipped
from croupier.games.house import the_house
from croupier.simulate.plan import Mind, Plan
from croupier.simulate.rounds import dealt
from tests.simulate.receipts import (
    Cards,
    bound,
    differences,
    directed,
    letters_of,
    lines_hit,
    plan_of,
    seat_of,
    stacked,
)

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
NAMES = {"uth": "uth-simple", "four-card": "four-card-simple"}
Hit = tuple[str, str, int]


def plans(book_id: str, count: int, seed: int = 0) -> Iterator[Plan]:
    """Tables that go through all paytables, stakes, readings and numbers of boxes together.

    Box 1 makes every wager, the others most of them.
    """
    book = the_house().book(book_id)
    simple = NAMES[book.game]
    for number in range(count):
        chance = random.Random(1000 * seed + number)
        terms: dict[str, object] = {}
        if book.game == "uth":
            terms["hand"] = ("final", "flop")[number // 4 % 2]
        if book_id == "UTH-S":
            terms["holder_must_wager"] = number % 3 == 0
        rules = bound(book_id, letters_of(book_id, number), (100, 500)[number // 2 % 2], **terms)
        boxes = 1 + number % min(4, book.table.boxes.count)
        together = 2 if book_id != "UTH-14" else 1
        minds = [Mind(), Mind(simple, shipped()[simple])]
        seats = [
            seat_of(rules, chance, box // together, minds[box % 2], 0.8 if box else 1.0)
            for box in range(boxes)
        ]
        yield plan_of(rules, seats, seed=number)


def lines_of_book(book_id: str) -> set[Hit]:
    """Every line of every paytable that a box can choose to play for."""
    book = the_house().book(book_id)
    optional = {wager.name for wager in book.wagers if wager.optional}
    tables = {name: tables for name, tables in book.paytables.items() if name in optional}
    lines = {
        (name, letter, number)
        for name, letters in tables.items()
        for letter, table in letters.items()
        for number in range(len(table.lines))
    }
    for letter, by_stake in book.envy.items():
        for table in by_stake.values():
            lines |= {("envy", letter, number) for number in range(len(table.lines))}
    return lines


def hits(plan: Plan, *rows: Cards) -> set[Hit]:
    letters = dict(plan.rules.letters)
    return {(name, letters[name], line) for some in rows for name, line in lines_hit(plan, some)}


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_line_of_every_paytable(book_id: str) -> None:
    """Directed and stacked rounds: no line differs, and none was left out."""
    seen: set[Hit] = set()
    for number, plan in enumerate(plans(book_id, 8)):
        chance = random.Random(number)
        rows = directed(plan, chance, each=2), stacked(plan, 40, chance)
        for some in rows:
            assert differences(plan, some) == []
        seen |= hits(plan, *rows)
    assert lines_of_book(book_id) - seen == set()


@pytest.mark.parametrize("book_id", BOOKS)
def test_random_rounds(book_id: str) -> None:
    """The rounds a simulation deals, as they come."""
    for plan in plans(book_id, 3, seed=1):
        assert differences(plan, dealt(plan, 1_000_000, 300)) == []


def test_a_wrong_amount_is_noticed() -> None:
    """The comparison has teeth: settled by other paytables, the same rounds differ."""
    plan, *_ = plans("UTH-S", 1)
    other = bound("UTH-S", letters_of("UTH-S", 0) | {"play_the_board": "B"}, hand="final")
    rows = dealt(plan, 0, 60)
    assert differences(plan, rows) == []
    assert differences(plan, rows, other) != []


@pytest.mark.prove
@pytest.mark.parametrize("book_id", BOOKS)
def test_a_million_random_rounds(book_id: str) -> None:
    for plan in plans(book_id, 24, seed=2):
        boxes = len(plan.seats)
        for part in range(20):
            assert differences(plan, dealt(plan, 10_000 * part, 1_500 // boxes)) == []
            chance = random.Random(part)
            assert differences(plan, stacked(plan, 750 // boxes, chance)) == []
