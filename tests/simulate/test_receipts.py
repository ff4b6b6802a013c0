"""The simulator's settlement equals the one settlement function, line by line, cent by cent."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from itertools import islice
from math import ceil
from multiprocessing import get_context

import pytest

from croupier.exact.strategy.strategy_file import shipped
from croupier.games.registry import the_registry
from croupier.simulate.plan import PlayerStrategy, SimulationPlan
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


def plans(book_id: str, count: int, seed: int = 0) -> Iterator[SimulationPlan]:
    """Tables that go through all paytables, stakes, readings and numbers of boxes together.

    Box 1 makes every wager, the others most of them.
    """
    book = the_registry().book(book_id)
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
        minds = [PlayerStrategy(), PlayerStrategy(simple, shipped()[simple])]
        seats = [
            seat_of(rules, chance, box // together, minds[box % 2], 0.8 if box else 1.0)
            for box in range(boxes)
        ]
        yield plan_of(rules, seats, seed=number)


def lines_of_book(book_id: str) -> set[Hit]:
    """Every line of every paytable that a box can choose to play for."""
    book = the_registry().book(book_id)
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


def hits(plan: SimulationPlan, *rows: Cards) -> set[Hit]:
    letters = dict(plan.rules.letters)
    return {(name, letters[name], line) for some in rows for name, line in lines_hit(plan, some)}


# The two editions of one game share their kernels.
UNLIKE = [pytest.param(b, marks=[pytest.mark.prove] * (b == "UTH-14")) for b in BOOKS]


@pytest.mark.parametrize("book_id", UNLIKE)
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


@pytest.mark.parametrize("book_id", UNLIKE)
def test_random_rounds(book_id: str) -> None:
    """The rounds a simulation deals, as they come."""
    for plan in plans(book_id, 3, seed=1):
        assert differences(plan, dealt(plan, 1_000_000, 80)) == []


def test_a_wrong_amount_is_noticed() -> None:
    """The comparison has teeth: settled by other paytables, the same rounds differ."""
    plan, *_ = plans("UTH-S", 1)
    other = bound("UTH-S", letters_of("UTH-S", 0) | {"play_the_board": "B"}, hand="final")
    rows = dealt(plan, 0, 60)
    assert differences(plan, rows) == []
    assert differences(plan, rows, other) != []


MILLIONS = 700_000  # rounds of each rulebook, at least: over two million together
TABLES, PART = 24, 1_000


@pytest.mark.prove
@pytest.mark.parametrize("book_id", BOOKS)
def test_millions_of_random_rounds(book_id: str) -> None:
    """Dealt and stacked in turn, on all cores; every line of every paytable comes up."""
    shares = [Fraction(1, 1 + number % 4) for number in range(TABLES)]
    parts = [ceil(MILLIONS * share / sum(shares) / PART) for share in shares]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as crew:
        compared = list(crew.map(_compared, [book_id] * TABLES, range(TABLES), parts))
    assert [wrong for _, wrong, _ in compared if wrong] == []
    assert lines_of_book(book_id) - set().union(*(seen for _, _, seen in compared)) == set()
    assert sum(rounds for rounds, _, _ in compared) >= MILLIONS


def _compared(book_id: str, number: int, parts: int) -> tuple[int, list[str], set[Hit]]:
    """One table's rounds: how many, where they differ, and which lines they paid."""
    plan = next(islice(plans(book_id, TABLES, seed=2), number, None))
    chance, wrong, seen = random.Random(number), list[str](), set[Hit]()
    rows = [directed(plan, chance)]
    for part in range(parts):
        rows.append(dealt(plan, PART * part, PART // 2))
        rows.append(stacked(plan, PART // 2, chance))
    for some in rows:
        wrong += differences(plan, some)
        seen |= hits(plan, some)
    return sum(map(len, rows)), wrong[:10], seen
