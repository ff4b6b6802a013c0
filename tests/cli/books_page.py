"""``python -m tests.cli.books_page``: play the evening of docs/books.md and write its transcripts.

A test plays the same evening and says when the page is stale.
"""

from __future__ import annotations

import io
import os
import re
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

from croupier.cli import main
from croupier.ledger.opening import open_ledger
from tests.ledger.accountant import Watched, eventful

PAGE = Path(__file__).parents[2] / "docs" / "books.md"
SCREEN = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
SECTION = re.compile(r"<!-- ([a-z][a-z -]*) -->\n(.*?)<!-- end -->", re.DOTALL)
# What is another each time: when it was made, and the ledger with its hashes.
HEADING = re.compile(r"^(from the beginning until|ledger |(table|link|desk)/)")


def play(path: Path) -> None:
    ledger = open_ledger(str(path), create=True)
    eventful(Watched(seed=6), ledger, "UTH-S", "UTH-1", link="pit")
    ledger.close()


def transcript(path: Path, words: str) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        assert main(["books", str(path), *words.split(), "--theory"]) == 0
    told = "\n".join(line.rstrip() for line in out.getvalue().strip().splitlines())
    return f"$ croupier books {path.name} {words}\n{told}"


def lasting(text: str) -> list[str]:
    return [line for line in text.splitlines() if not HEADING.match(line)]


def written(page: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "casino.db"
        play(path)
        return SECTION.sub(
            lambda found: (
                f"<!-- {found[1]} -->\n```\n{transcript(path, found[1])}\n```\n<!-- end -->"
            ),
            page,
        )


if __name__ == "__main__":
    os.environ |= SCREEN
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
    print("docs/books.md: written")
