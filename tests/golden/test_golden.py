"""Golden rounds stay as they were, and none is missing.

They prove how the clauses of a regulation are told, so a book of house rules needs none.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import pytest

from croupier.rulebook.book import Rulebook
from croupier.table.events import AnyEvent
from tests.citing import regulated_books
from tests.golden.page import PAGE, page
from tests.golden.points import SCRIPTS, point, points_of
from tests.golden.scenarios import SCENARIOS, golden
from tests.table.tables import EVERY_WAY, terms

FOLDER = Path(__file__).parent


# By the files that are there: which points a book has is found only when one of them is looked at.
KEPT = {path.stem for path in FOLDER.glob("*.txt")}


@pytest.mark.parametrize("name", sorted(KEPT | set(SCENARIOS)))
def test_the_round_is_as_it_was(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    was = path.read_text("utf-8") if path.exists() else ""
    now = (SCENARIOS.get(name) or golden()[name])().text()
    changed = list(difflib.unified_diff(was.splitlines(), now.splitlines(), lineterm="", n=2))
    assert not changed, "run `make golden` if this is right\n" + "\n".join(changed[:40])


def test_no_round_is_left_over() -> None:
    assert set(golden()) == KEPT


def test_every_way_of_dealing_has_its_round() -> None:
    assert {f"round-{book}-{way}".lower() for book, way in EVERY_WAY} <= set(SCENARIOS)
    shipped = {(book.id, way.way) for book in regulated_books() for way in book.dealing}
    assert shipped == set(EVERY_WAY)


def test_every_irregularity_of_every_book_has_its_round() -> None:
    missing = [
        (book.id, rule.name)
        for book in regulated_books()
        for rule in book.irregularities
        if not any(name.startswith(f"{rule.name}-{book.id.lower()}") for name in SCENARIOS)
    ]
    assert missing == []


@pytest.mark.parametrize("book", regulated_books(), ids=lambda book: book.id)
def test_every_irregularity_is_shown_at_each_of_its_points(book: Rulebook) -> None:
    """The points are found by trying; a point that is new or gone changes its golden text."""
    found, every = points_of(book.id), golden()
    assert {rule.name for rule in book.irregularities} <= set(found)
    for name, points in found.items():
        assert f"{name}-{book.id.lower()}-points" in every
        assert points.found


@pytest.mark.parametrize(("book", "way"), EVERY_WAY)
def test_the_scripts_come_through_every_point_of_a_round(book: str, way: str) -> None:
    """Where no script comes, nothing could be tried."""
    plain = SCRIPTS[0]
    places = {point(table.state) for table, _ in plain(book, way)}
    bound = terms(book, way)
    for n in range(1, len(bound.plans[way]) + 1):
        assert any(place.startswith(f"dealing, before step {n}:") for place in places)
    for street in bound.book.streets:
        assert any(place.startswith(f"{street.name}: box") for place in places)
    assert {"revealing", "clearing", *(f"settling, box {n} next" for n in (1, 2, 3))} <= places
    assert any(place.startswith("round 1, betting") for place in places)
    assert any(place.startswith("round 2, betting") for place in places)


def test_every_command_and_event_has_its_line_in_the_docs() -> None:
    assert PAGE.read_text("utf-8") == page(), "run `make golden`"


def clauses_of_conduct(book: Rulebook) -> set[str]:
    """Every clause a book gives for what people do at its table."""
    orders = [book.procedure, *(way.procedure for way in book.dealing), *book.streets]
    named = {
        getattr(order, field)
        for order in orders
        for field in order.__struct_fields__
        if field.endswith("clause") and getattr(order, field) is not None
    }
    steps = {step.clause for way in book.dealing for step in way.steps}
    counts = {way.stub_count.clause for way in book.dealing if way.stub_count is not None}
    rules = book.irregularities
    ordered = {clause for rule in rules for clause in (rule.clause, *rule.order_clauses)}
    return named | steps | counts | ordered


@pytest.mark.parametrize("book", regulated_books(), ids=lambda book: book.id)
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


@pytest.mark.parametrize("book", regulated_books(), ids=lambda book: book.id)
def test_what_people_attest_or_imply_is_on_the_event_of_the_act_named(book: Rulebook) -> None:
    """Each act that the trace names for a clause has, in some round, a record that cites it."""
    recorded: dict[str, set[str]] = {}
    for name, play in SCENARIOS.items():
        if book.id.lower() in name:
            for clause, acts in play().acts.items():
                recorded.setdefault(clause, set()).update(acts)
    unrecorded = [
        (clause, act)
        for clause, row in book.trace.items()
        for act in row.acts
        if act.partition(".")[0] not in recorded.get(book.cite(clause), ())
    ]
    assert unrecorded == []


def test_every_event_and_every_viewer_is_seen_in_some_round() -> None:
    told = {type(event) for play in SCENARIOS.values() for event in play().events}
    assert {kind.__name__ for kind in set(AnyEvent.__args__) - told} == set()
    text = "\n".join(path.read_text("utf-8") for path in FOLDER.glob("*.txt"))
    for viewer in ("Ann", "dealer", "floorperson", "surveillance", "public"):
        assert viewer in text
