"""Why a thing happened: every clause a page may show has words, and the rulings that read it."""

from __future__ import annotations

import pytest

from croupier.games.registry import the_registry
from croupier.rulebook.book import Rulebook
from croupier.server.pages.clause_explanation import explained
from croupier.server.pit.messages import NotHere


@pytest.mark.parametrize("book", the_registry().books.values(), ids=lambda book: book.id)
def test_every_clause_is_explained(book: Rulebook) -> None:
    for clause, row in book.trace.items():
        assert explained(the_registry(), book.cite(clause)).means == row.means


def test_rulings_come_with_it() -> None:
    """By the ruling's own list, by the words of the clause, and by what an event cites."""
    told = explained(the_registry(), "UTH-S 13.F", 33)
    numbers = [ruling.number for ruling in told.rulings]
    assert numbers[0] == 33
    assert 29 in numbers


def test_a_clause_without_a_line_is_read_with_the_one_above() -> None:
    assert explained(the_registry(), "UTH-S 11.H(1)(z)").clause == "UTH-S 11.H(1)"


@pytest.mark.parametrize("cited", ["UTH-S 99", "XYZ 11.H", "", "UTH-S", "UTH-S ((("])
def test_what_no_rulebook_has(cited: str) -> None:
    with pytest.raises(NotHere):
        explained(the_registry(), cited)
