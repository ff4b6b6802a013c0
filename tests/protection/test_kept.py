"""Answers are kept by rules, code and question, and read back as they were."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.exact.endings import PLAIN, Ending, Endings
from croupier.exact.solution_cache import kept_answer
from croupier.facts.errors import Unavailable
from croupier.protection.knowledge import knowledge
from croupier.protection.protect import _question, kept_worth, protect
from croupier.protection.worth import KnowledgeWorth, PlayValue, SideWorth, StrategyLine
from tests.exact.conftest import rules_of

RULES = rules_of("UTH-S", blind="A")
ALWAYS = (("4x", Fraction(1)),)
HALF, THIRD, FIFTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 5)
LINE = StrategyLine("dealer A", "AA", HALF, THIRD, FIFTH, Fraction(1, 7), ALWAYS, ALWAYS, ALWAYS)


def test_what_was_counted_is_read_back_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    kind = knowledge(RULES, "dealers")
    play = PlayValue(Fraction(1, 10), Fraction(25), Fraction(3), ALWAYS)
    side = SideWorth(Endings("trips", "A", (Ending("flush", 3, "7 to 1"),)), PLAIN, None)
    named = (RULES.game.id, RULES.book.id, RULES.letters, kind)
    worth = KnowledgeWorth(*named, play, Fraction(-1, 50), (LINE,), (side,))
    asked = _question(RULES, kind, before_wagers=False)
    with pytest.raises(Unavailable, match="not yet"):
        kept_worth(RULES, kind, "not yet")
    kept_answer(RULES, asked, KnowledgeWorth, lambda: worth)
    assert kept_worth(RULES, kind, "not yet") == worth
    assert protect(RULES, "dealers") == worth
    other = rules_of("UTH-S", blind="B")
    for rules, known in ((other, kind), (RULES, replace(kind, burn=1))):
        with pytest.raises(Unavailable, match="not yet"):
            kept_worth(rules, known, "not yet")
