"""Traceability: every clause has a row, every row is true, and the list of tests is fresh."""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import fields

from croupier.rulebook.book import Rulebook
from croupier.rulebook.citations import clauses_cited
from croupier.rulebook.loader import rulings, rulings_on, shipped_books
from croupier.rulebook.trace import COMING, STATUSES, Row, read_trace, totals, write_trace
from croupier.table.commands import AnyCommand
from tests.citing import regulated_books
from tests.trace import CITATIONS, complaints

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "src" / "croupier"

# How many clauses each document has, and one hash of their ids in the order printed there.
CLAUSES = {
    "UTH-S": (535, "fc76a9c6bbbd05d2e145722bd897098e2d76f1a0db2d515e98b89b5916879b69"),
    "UTH-14": (357, "8caa31ebf7cca075099b926dc08d9fb93464ed12a6d9d9ea2cd9e136113351e3"),
    "FCP-14": (407, "74b41bb8117202439fc20106311ecd6be693df12fa28680b11e7aedb49ffb3b7"),
}
every_book = pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.id)
every_regulated_book = pytest.mark.parametrize("book", regulated_books(), ids=lambda book: book.id)


@every_regulated_book
def test_every_clause_has_a_row(book: Rulebook) -> None:
    digest = hashlib.sha256("\n".join(book.trace).encode()).hexdigest()
    assert (len(book.trace), digest) == CLAUSES[book.id]


@every_book
def test_rows_are_whole(book: Rulebook) -> None:
    for clause, row in book.trace.items():
        assert row.means.strip().endswith((".", "?")), clause
        assert row.awaits in ("", *COMING), clause
        assert bool(row.reason) == (row.status == "physical"), clause
        if book.regulated:
            assert bool(row.acts) == (row.status in ("attested", "implied")), clause


@every_book
def test_at_most_eight_percent_is_left_to_people_alone(book: Rulebook) -> None:
    counted = totals(book.trace.values())
    assert set(counted) == set(STATUSES)
    assert counted["physical"] <= 0.08 * len(book.trace)


@every_book
def test_a_row_says_what_is_and_not_what_will_be(book: Rulebook) -> None:
    promised = r"\b(table|software|check|layout|house) will\b"
    assert [clause for clause, row in book.trace.items() if re.search(promised, row.means)] == []


COMMANDS = {kind.__struct_config__.tag: kind for kind in AnyCommand.__args__}


@every_regulated_book
def test_the_acts_that_are_named_exist(book: Rulebook) -> None:
    for row in book.trace.values():
        for act in row.acts:
            command, _, said = act.partition(".")
            field, _, value = said.partition("=")
            assert command in COMMANDS, act
            if field:
                own = COMMANDS[command].__annotations__
                assert field in own, act
                assert not value or repr(value) in own[field].replace('"', "'"), act


@every_regulated_book
def test_what_a_field_attests_is_never_said_by_its_default(book: Rulebook) -> None:
    for row in book.trace.values():
        for act in row.acts if row.status == "attested" else ():
            command, _, said = act.partition(".")
            required = [field.name for field in fields(COMMANDS[command]) if field.required]
            assert not said or said.partition("=")[0] in required, act


@every_regulated_book
def test_what_is_attested_is_said_in_an_act_of_its_own(book: Rulebook) -> None:
    """No other clause of its chapter is attested by the same act or field."""
    said = Counter(
        (clause.partition(".")[0], act)
        for clause, row in book.trace.items()
        if row.status == "attested"
        for act in row.acts
    )
    assert [act for act, times in said.items() if times > 1] == []


@every_regulated_book
def test_what_is_done_has_code_and_tests_and_the_rest_names_what_brings_it(book: Rulebook) -> None:
    unproved = [
        clause
        for clause, row in book.trace.items()
        if row.status not in ("heading", "definition", "physical")
        and not row.awaits
        and not (row.code and row.tests)
    ]
    assert unproved == []


@every_book
def test_every_paytable_line_is_enforced(book: Rulebook) -> None:
    tables = [t for by_letter in book.paytables.values() for t in by_letter.values()]
    tables += [t for by_stake in book.envy.values() for t in by_stake.values()]
    cited = [line.clause for table in tables for line in table.lines]
    cited += [meter.clause for table in tables for meter in table.meters]
    assert {book.trace[clause].status for clause in cited} == {"enforced"}
    assert all(book.trace[clause].tests for clause in cited) or not book.regulated


@every_book
def test_the_book_cites_only_clauses_that_exist(book: Rulebook) -> None:
    assert clauses_cited(book) <= set(book.trace)


def test_rulings_cite_only_clauses_that_exist() -> None:
    known = {book.cite(clause) for book in shipped_books() for clause in book.trace}
    assert list(rulings()) == list(range(1, len(rulings()) + 1))
    assert {clause for ruling in rulings().values() for clause in ruling.clauses} <= known


@every_book
def test_a_ruling_that_a_row_names_is_found_with_its_clause(book: Rulebook) -> None:
    for clause, row in book.trace.items():
        _, _, after = row.means.partition("ruling")
        named = {int(number) for number in re.findall(r"\d+", after)}
        assert named <= {ruling.number for ruling in rulings_on(book, clause)}, clause


@every_book
def test_code_that_is_named_exists(book: Rulebook) -> None:
    for place in {place for row in book.trace.values() for place in row.code}:
        path, _, name = place.partition(":")
        assert (PACKAGE / path).is_file(), place
        if name:
            tree = ast.parse((PACKAGE / path).read_text("utf-8"))
            assert name in {getattr(node, "name", "") for node in tree.body}, place


def test_the_lists_of_tests_are_fresh(pytestconfig: pytest.Config) -> None:
    """A run of all tests has collected them; a run of some asks a process of its own."""
    citations = pytestconfig.stash[CITATIONS]
    if citations.files.issuperset((ROOT / "tests").rglob("test_*.py")):
        assert complaints(citations) == []
    else:
        command = [sys.executable, "-m", "tests.trace", "--check"]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (run.returncode, run.stderr) == (0, "")


def test_written_and_read_back() -> None:
    rows = {"1.A": Row("attested", 'He said "cut".', tests=("a", "b"), acts=("cut",))}
    assert read_trace(write_trace(rows)) == rows
