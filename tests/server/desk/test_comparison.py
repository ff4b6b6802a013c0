"""Two submissions side by side."""

from __future__ import annotations

import pytest

from croupier.facts.errors import Unreadable
from croupier.games.registry import the_registry
from croupier.server.desk.comparison import Comparison, compared
from croupier.server.desk.earnings import PlayAssumptions
from croupier.submission.check import shipped_text
from tests.submission.forms import edited

UTH = shipped_text("UTH-S")


def between(first: str, second: str) -> Comparison:
    return compared(first, second, the_registry(), PlayAssumptions())


def test_what_changes_for_player_house_and_clause() -> None:
    found = between(UTH, edited("UTH-S", paytables__blind='"B"', table__boxes="5"))
    player = {row.what: (row.first, row.second) for row in found.player}
    assert player["House edge of the Ante"] == ("2.18%", "5.91%")
    assert {"Hold an hour", "Deviation of an hour"} <= {row.what for row in found.house}
    clauses = {row.what: row.clauses for row in found.rules}
    assert clauses["Paytables: Blind"] == ("UTH-S 12.B(1)", "UTH-S 12.B(2)")
    assert clauses["The table: Betting positions"] == ("UTH-S 2.A",)
    assert "Blind, straight" in clauses


def test_the_same_twice_differs_in_nothing() -> None:
    found = between(UTH, UTH)
    assert (found.player, found.house, found.rules, found.findings) == ((), (), (), ())
    assert found.first == found.second


def test_a_finding_of_one_alone_is_told() -> None:
    found = between(UTH, edited("UTH-S", dealing__fallbacks="[]"))
    told = {(row.first, row.second) for row in found.findings}
    assert told == {("warning", "none"), ("none", "warning")}


def test_two_editions_are_compared_with_the_clauses_of_both() -> None:
    found = between(UTH, shipped_text("UTH-14"))
    cited = " ".join(clause for row in found.rules for clause in row.clauses)
    assert "UTH-S" in cited
    assert "UTH-14" in cited


def test_one_with_errors_is_refused() -> None:
    with pytest.raises(Unreadable, match=r"the second submission has errors: line .* at most 6"):
        between(UTH, edited("UTH-S", table__boxes="9"))
