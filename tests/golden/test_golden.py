"""Golden rounds stay as they were, and none is missing."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import pytest

from croupier.rulebook.book import Rulebook
from croupier.rulebook.shelf import shipped_books
from croupier.table.events import AnyEvent
from tests.golden.scenarios import SCENARIOS
from tests.table.tables import EVERY_WAY

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_the_round_is_as_it_was(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    was = path.read_text("utf-8") if path.exists() else ""
    now = SCENARIOS[name]().text()
    changed = list(difflib.unified_diff(was.splitlines(), now.splitlines(), lineterm="", n=2))
    assert not changed, "run `make golden` if this is right\n" + "\n".join(changed[:40])


def test_no_round_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SCENARIOS)


def test_every_way_of_dealing_has_its_round() -> None:
    assert {f"round-{book}-{way}".lower() for book, way in EVERY_WAY} <= set(SCENARIOS)
    shipped = {(book.id, way.way) for book in shipped_books() for way in book.dealing}
    assert shipped == set(EVERY_WAY)


def test_every_irregularity_of_every_book_has_its_round() -> None:
    missing = [
        (book.id, rule.name)
        for book in shipped_books()
        for rule in book.irregularities
        if not any(name.startswith(f"{rule.name}-{book.id.lower()}") for name in SCENARIOS)
    ]
    assert missing == []


def clauses_of_conduct(book: Rulebook) -> set[str]:
    """Every clause a book gives for what people do at its table."""
    orders = [book.procedure, *(way.procedure for way in book.dealing), *book.streets]
    named = {
        getattr(order, field)
        for order in orders
        for field in order.__struct_fields__
        if field.endswith("clause")
    }
    steps = {step.clause for way in book.dealing for step in way.steps}
    counts = {way.stub_count.clause for way in book.dealing if way.stub_count is not None}
    return named | steps | counts | {rule.clause for rule in book.irregularities}


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.id)
def test_every_clause_of_conduct_is_told_in_some_round(book: Rulebook) -> None:
    """In an event, a refusal or a view: a clause nobody ever meets would be dead data."""
    told = {
        clause
        for name, play in SCENARIOS.items()
        if book.id.lower() in name
        for event in play().events
        for clause in event.clauses
    }
    text = "\n".join(
        path.read_text("utf-8") for path in FOLDER.glob("*.txt") if book.id.lower() in path.stem
    )
    told |= set(re.findall(rf"{book.id} [\w().]+", text))
    assert {book.cite(clause) for clause in clauses_of_conduct(book)} - told == set()


def test_every_event_and_every_viewer_is_seen_in_some_round() -> None:
    told = {type(event) for play in SCENARIOS.values() for event in play().events}
    assert {kind.__name__ for kind in set(AnyEvent.__args__) - told} == set()
    text = "\n".join(path.read_text("utf-8") for path in FOLDER.glob("*.txt"))
    for viewer in ("Ann", "dealer", "floorperson", "surveillance", "public"):
        assert viewer in text
