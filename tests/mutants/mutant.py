"""A mutant: one source file with one thing wrong in it, and the clauses that this breaks."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "croupier"
TRACE = PACKAGE / "rulebook" / "trace"
BOOKS = ("UTH-S", "UTH-14", "FCP-14")
_FAMILIES = {"UTH": BOOKS[:2], "all": BOOKS}


@dataclass(frozen=True)
class Mutant:
    """``place`` is the file within the package, ``text`` what stands in it instead."""

    name: str
    place: str
    text: str
    clauses: tuple[str, ...]

    @property
    def digest(self) -> str:
        told = "\0".join((self.place, self.text, *self.clauses))
        return hashlib.sha256(told.encode()).hexdigest()


@cache
def enforced() -> dict[str, tuple[str, ...]]:
    """Every clause that the trace calls enforced, and the tests it cites.

    The trace is read as plain TOML: whoever plants mutants must not have the package loaded.
    """
    return {
        f"{book} {clause}": tuple(row.get("tests", ()))
        for book in BOOKS
        for clause, row in tomllib.loads((TRACE / f"{book}.toml").read_text("utf-8")).items()
        if row["status"] == "enforced"
    }


def in_books(said: str) -> list[str]:
    """A clause as it is cited, in each book that is meant: ``UTH`` are two, ``all`` are three."""
    book, _, clause = said.partition(" ")
    return [f"{each} {clause}" for each in _FAMILIES.get(book, (book,))]
