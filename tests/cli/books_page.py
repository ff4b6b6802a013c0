"""``python -m tests.cli.books_page``: play the evening of docs/books.md and write its transcripts.

The page plays the same evening where it is run, and so shows when it is stale.
"""

from __future__ import annotations

import io
import os
import re
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

from croupier.cli import main
from croupier.ledger.store.address import open_ledger
from tests.ledger.accountant import Watched, eventful

PAGE = Path(__file__).parents[2] / "docs" / "books.md"
SCREEN = {"COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"}
SECTION = re.compile(r"<!-- ([a-z][a-z -]*) -->\n(.*?)<!-- end -->", re.DOTALL)
# What is another each time: when it was made, and the ledger with its hashes.
FLEETING = re.compile(r"(made |^ledger |hash )\S+", re.MULTILINE)


def play(path: Path) -> None:
    ledger = open_ledger(str(path), create=True)
    eventful(Watched(seed=6), ledger, "UTH-S", "UTH-1", link="pit")
    ledger.close()


def transcript(path: Path, words: str) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        assert main(["books", str(path), *words.split(), "--theory"]) == 0
    told = "\n".join(line.rstrip() for line in out.getvalue().strip().splitlines())
    lasting = FLEETING.sub(r"\1...", told)
    return f"$ croupier books {path.name} {words} --theory\n{lasting}"


def written(page: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "casino.db"
        play(path)
        return SECTION.sub(
            lambda found: (
                f"<!-- {found[1]} -->\n```console\n{transcript(path, found[1])}\n```\n<!-- end -->"
            ),
            page,
        )


if __name__ == "__main__":
    os.environ |= SCREEN
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
    print("docs/books.md: written")
