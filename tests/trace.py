"""``python -m tests.trace``: write the tests that cite each clause into the traceability lists.

With ``--check`` it writes nothing and says what is stale, skipped or cites a clause nobody knows.

Tests cite clauses with ``@pytest.mark.clause("UTH-S 11.H(1)")``. Collecting every test (the long
proofs too) gives the list; nothing is run.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

from croupier.rulebook.loader import shipped_books
from croupier.rulebook.trace import Row, read_trace, write_trace
from tests.citing import regulated_books

ROOT = Path(__file__).parent.parent
BOOK_IDS = [book.id for book in regulated_books()]
HOUSE_RULES = [book for book in shipped_books() if not book.regulated]
TRACE = ROOT / "src" / "croupier" / "rulebook" / "trace"


class Citations:
    """A pytest plugin that notes which test cites which clause."""

    def __init__(self) -> None:
        self.by_clause: dict[str, set[str]] = {}
        self.skipped: set[str] = set()
        self.files: set[Path] = set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Before anything is left out."""
        for item in items:
            self.files.add(item.path)
            for marker in item.iter_markers("clause"):
                for clause in marker.args:
                    self.by_clause.setdefault(clause, set()).add(item.nodeid)
                if any(item.iter_markers("skip")) or any(item.iter_markers("skipif")):
                    self.skipped.add(item.nodeid)


CITATIONS = pytest.StashKey[Citations]()


def collected() -> Citations:
    citations = Citations()
    options = ["--collect-only", "-m", "", "-p", "no:cacheprovider", "-p", "no:terminal"]
    status = pytest.main([*options, str(ROOT / "tests")], plugins=[citations])
    if status != 0:
        sys.exit(f"the tests cannot be collected (pytest says {status})")
    return citations


def with_tests(book_id: str, rows: dict[str, Row], citations: Citations) -> dict[str, Row]:
    return {
        clause: msgspec.structs.replace(
            row, tests=tuple(sorted(citations.by_clause.get(f"{book_id} {clause}", ())))
        )
        for clause, row in rows.items()
    }


def fresh_lists(citations: Citations) -> dict[Path, str]:
    """What each traceability file should hold, given the tests that are there."""
    fresh = {}
    for book_id in BOOK_IDS:
        path = TRACE / f"{book_id}.toml"
        rows = read_trace(path.read_text("utf-8"))
        fresh[path] = write_trace(with_tests(book_id, rows, citations))
    return fresh


def complaints(citations: Citations) -> list[str]:
    fresh = fresh_lists(citations)
    stale = [path.name for path, text in fresh.items() if path.read_text("utf-8") != text]
    known = {f"{path.stem} {clause}" for path, text in fresh.items() for clause in read_trace(text)}
    known |= {book.cite(clause) for book in HOUSE_RULES for clause in book.trace}
    books = {*BOOK_IDS, *(book.id for book in HOUSE_RULES)}
    cited = {clause for clause in citations.by_clause if clause.split()[0] in books}
    return [
        *(f"{name} is stale: run `make trace`" for name in stale),
        *(f"{test} cites clauses and is skipped" for test in sorted(citations.skipped)),
        *(f"no rulebook has the clause {clause}" for clause in sorted(cited - known)),
    ]


def main(arguments: list[str]) -> None:
    citations = collected()
    if arguments == ["--check"]:
        sys.exit("; ".join(complaints(citations)) or 0)
    for path, text in fresh_lists(citations).items():
        path.write_text(text, "utf-8")
        print(f"{path.name}: written")


if __name__ == "__main__":
    main(sys.argv[1:])
