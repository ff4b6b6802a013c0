"""How knowing shows: the test's rounds by plain binomials, and the officer's report."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest

from croupier.documents.blocks import Facts, Grid
from croupier.documents.filing import filing_of
from croupier.documents.html import page
from croupier.documents.protection_report import protection_report
from croupier.facts.money import Cents, dollars
from croupier.protection.detectability import (
    CONFIDENCE,
    LAPSES,
    POWER,
    detectability_of,
    differing,
    differing_from_simple,
    rounds_to_detect,
)
from croupier.protection.knowledge import knowledge
from croupier.protection.worth import (
    NO_SIMPLE_PLAYER,
    Detectability,
    KnowledgeWorth,
    PlayValue,
    StrategyLine,
    apart,
    most_revealing,
)
from croupier.submission.check import shipped_submission
from tests.audit.log.logs import HOUSE

ALWAYS, HALF = ((("4x", Fraction(1)),), (("4x", Fraction(1, 2)), ("check", Fraction(1, 2))))


def line(hand: str, chance: Fraction, best: tuple[tuple[str, Fraction], ...]) -> StrategyLine:
    worth = Fraction(1, 10)
    return StrategyLine("dealer A", hand, chance, worth, Fraction(0), Fraction(0), best, ALWAYS)


LINES = (line("K5o", Fraction(1, 4), HALF), line("AA", Fraction(3, 4), ALWAYS))


def tells(rounds: int) -> bool:
    """Where every round tells: knowing decisions among so many, by their binomials."""

    def at_least(count: int, each: float) -> float:
        ways = range(count, rounds + 1)
        return sum(comb(rounds, n) * each**n * (1 - each) ** (rounds - n) for n in ways)

    return any(
        at_least(count, LAPSES) <= 1 - CONFIDENCE and at_least(count, 1 - LAPSES) >= POWER
        for count in range(rounds + 1)
    )


def test_rounds_are_those_of_the_binomials() -> None:
    found = rounds_to_detect(Fraction(1))
    assert found is not None
    assert (tells(found), tells(found - 1)) == (True, False)
    seldom = rounds_to_detect(Fraction(1, 10))
    assert seldom is not None
    assert seldom > 5 * found
    assert rounds_to_detect(Fraction(1, 10**6)) is None


def test_what_is_done_otherwise_reveals() -> None:
    assert [apart(each) for each in LINES] == [Fraction(1, 2), 0]
    assert differing(LINES) == Fraction(1, 8)
    assert most_revealing(LINES, 5) == [LINES[0]]


def test_a_simple_player_is_told_where_there_is_one() -> None:
    simply = tuple(replace(each, simple=(("check", Fraction(1)),)) for each in LINES)
    assert differing_from_simple(simply) == Fraction(7, 8)
    assert differing_from_simple((*simply, LINES[0])) is None
    assert [each.other for each in detectability_of(simply)] == ["optimal", "simple"]
    assert [each.other for each in detectability_of(LINES)] == ["optimal"]


@pytest.mark.parametrize("book", ["UTH-S", "FCP-14", "TCP-1"])
def test_the_officer_reads_worth_clause_and_signs(book: str) -> None:
    filing = filing_of(shipped_submission(book), HOUSE)
    rules = filing.rules
    play = PlayValue(Fraction(1, 10), Fraction(25), Fraction(3), (("4x", Fraction(1)),))
    knows = knowledge(rules, "dealer")
    told = (Detectability("optimal", Fraction(1, 8), 40),)
    named = (rules.game.id, book, rules.letters, knows)
    worth = KnowledgeWorth(*named, play, Fraction(-1, 50), LINES, detectability=told)
    report = protection_report(filing, [worth])
    assert NO_SIMPLE_PLAYER in page(report)
    (facts,) = (block for block in report.blocks if isinstance(block, Facts))
    said = {fact.label: fact.value for fact in facts.rows}
    assert said["Kept hidden by"].startswith(f"{book} ")
    assert said["First decisions unlike optimal play"] == "12.5% of rounds"
    table = next(block for block in report.blocks if isinstance(block, Grid))
    limit = filing.submission.limit("ante")
    assert limit is not None
    # 12 points more of each of a hundred Antes
    assert table.rows[0][2] == dollars(Cents(12 * limit.minimum_cents))
    assert "Watch: " in page(report)
    assert "passes in at most 1% of logs" in page(report)
