"""Short ways to cite clauses that stand under the same id in several rulebooks."""

from __future__ import annotations


def in_book(book: str, *clauses: str) -> tuple[str, ...]:
    return tuple(f"{book} {clause}" for clause in clauses)


def in_uth(*clauses: str) -> tuple[str, ...]:
    """The same clause of both editions of Ultimate Texas Hold'em."""
    return in_book("UTH-S", *clauses) + in_book("UTH-14", *clauses)
