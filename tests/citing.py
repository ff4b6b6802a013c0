"""Short ways to cite clauses that stand under the same id in several rulebooks."""

from __future__ import annotations

import pytest

from croupier.rulebook.book import Rulebook
from croupier.rulebook.loader import shipped_books


def in_book(book: str, *clauses: str) -> tuple[str, ...]:
    return tuple(f"{book} {clause}" for clause in clauses)


def in_uth(*clauses: str) -> tuple[str, ...]:
    """The same clause of both editions of Ultimate Texas Hold'em."""
    return in_book("UTH-S", *clauses) + in_book("UTH-14", *clauses)


def cited(book: str, *clauses: str) -> pytest.MarkDecorator:
    return pytest.mark.clause(*in_book(book, *clauses))


def each_book(*citations: str) -> pytest.MarkDecorator:
    """Run a test once a rulebook that is cited, each run citing the clauses of its own book."""
    clauses: dict[str, list[str]] = {}
    for citation in citations:
        book, _, clause = citation.partition(" ")
        clauses.setdefault(book, []).append(clause)
    return pytest.mark.parametrize(
        "book", [pytest.param(book, marks=cited(book, *own)) for book, own in clauses.items()]
    )


def regulated_books() -> list[Rulebook]:
    """The shipped books with a regulation behind them; the others are house rules, and have no
    list of clauses but their own."""
    return [book for book in shipped_books() if book.regulated]
