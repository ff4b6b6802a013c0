"""A game that is one file and one TOML has all its documents without another line of code."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.cli import main
from croupier.documents.document_set import MAKERS
from croupier.games.registry import games_in, open_registry
from croupier.rulebook.loader import read_book
from tests import toy
from tests.documents.printing import pages, text_of

BOOK = Path(toy.__file__).parent / "TOY-1.toml"
TABLE = """
[facility]
name = "Toy Hall"
operator = "Toys"

[table]
id = "T1"
rulebook = "TOY-1"
boxes = 3
abandoned_wagers = "lost"

[paytables]
pair_side = "A"

[limits]
ante = { minimum = "$10", maximum = "$500", increment = "$5" }
pair_side = { minimum = "$10", maximum = "$500", increment = "$5" }

[dealing]
method = "hand"
"""


def test_every_document(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    registry = open_registry(
        games_in(toy.__name__, toy.__path__), [read_book(BOOK.read_text("utf-8"))]
    )
    (tmp_path / "toy.toml").write_text(TABLE, "utf-8")
    status = main(["print", str(tmp_path / "toy.toml"), "--out", str(tmp_path / "out")], registry)
    assert (status, capsys.readouterr().err.count("Traceback")) == (0, 0)
    made = {path.stem: path for path in (tmp_path / "out").glob("*.pdf")}
    assert set(made) == set(MAKERS)
    for name in ("signs", "submission", "dealer-card", "player-guide"):
        text = text_of(made[name].read_bytes())
        for part in ("Pair of aces 20 to 1", "Pair 11 for 1", "Draft: not yet approved"):
            assert part in text, name
    for name in ("dealer-card", "player-guide", "layout"):
        assert len(pages(made[name].read_bytes())) == 1
    report = " ".join(text_of(made["mathematics"].read_bytes()).split())
    assert "What is best with each hand" in report
    assert "every hand that a box can hold is dealt out" in report
    (card,) = pages(made["dealer-card"].read_bytes())
    assert "Ante pays 1 to 1. Play pays 6 to 5." in card
