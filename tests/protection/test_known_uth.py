"""Ultimate Texas Hold'em with known cards: the kernels against the definition, and against sense.

Sources of the published figures: E. Jacobson's series on hole-card play, 888casino.com (2013-2015)
and advancedadvantageplay.com (2024).
"""

from __future__ import annotations

import pytest

from croupier.facts.cards import cards
from croupier.games.rules import Rules
from croupier.protection import uth
from croupier.protection.knowledge import NOTHING, Knowledge, kinds_of
from croupier.protection.worth import PlayValue
from tests.exact.conftest import rules_of
from tests.protection.plain_uth import PlainUth

# Two suits that are alike and two that are not; pairs, straights and four to a flush.
SMALL = tuple(sorted(cards("Tc Jc Qc Kc Td Jd Qd Kd Kh Qs")))
RULES = rules_of("UTH-S", blind="A")


def counted(rules: Rules, knows: Knowledge, deck: tuple[int, ...]) -> PlayValue:
    return uth.play(rules, *uth.solved(rules, knows, cards=deck))


QUICK, *SLOW = kinds_of("uth")


@pytest.mark.parametrize(
    "knows",
    [QUICK, *(pytest.param(kind, marks=pytest.mark.prove) for kind in (NOTHING, *SLOW))],
    ids=lambda kind: kind.name,
)
def test_a_small_deck_is_counted_as_the_definition_says(knows: Knowledge) -> None:
    found = counted(RULES, knows, tuple(card.number for card in SMALL))
    net, square, stake, actions = PlainUth(RULES, SMALL, knows).value()
    assert (found.ev, found.square, found.average_wager) == (net, square, stake)
    assert {action: share for action, share in found.actions if share} == actions
