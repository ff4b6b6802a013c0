"""Hold'em with one Play with known cards: the kernels against the definition, and against sense.

Sources of the published figures: E. Jacobson's series on hole-card play, 888casino.com (2013-2015)
and advancedadvantageplay.com (2024).
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import pytest

from croupier.exact.kernels.positions import FULL_DECK
from croupier.exact.solution_cache import solved
from croupier.exact.strategy.chart_names import start_name
from croupier.facts.cards import DECK, Card, cards
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape
from croupier.protection import holdem
from croupier.protection.knowledge import KINDS, NOTHING, Knowledge, knowledge
from croupier.protection.shares import OTHER_HAND
from croupier.protection.worth import PlayValue
from tests.exact.conftest import rules_of
from tests.protection.plain_holdem import PlainHoldem

# Two suits that are alike and two that are not; pairs, straights and four to a flush.
SMALL = tuple(sorted(cards("Tc Jc Qc Kc Td Jd Qd Kd Kh Qs")))
RULES = rules_of("UTH-S", blind="A")
CASINO = rules_of("CH-1", ante="A")
PLACES = ("dealer", "flop", "late", "burn")
HOLES = [(low, high) for high in range(52) for low in range(high)]


def counted(rules: Rules, knows: Knowledge, deck: tuple[int, ...]) -> PlayValue:
    return holdem.play(rules, *holdem.solved(rules, knows, cards=deck))


@pytest.mark.prove
@pytest.mark.parametrize("knows", [NOTHING, *KINDS[GameShape.HOLDEM]], ids=lambda kind: kind.name)
def test_a_small_deck_is_counted_as_the_definition_says(knows: Knowledge) -> None:
    counted_as_defined(knows, SMALL)


@pytest.mark.prove
def test_two_shared_hands_are_counted_as_the_definition_says() -> None:
    """One more card, for two boxes are dealt; a suit without any card sees no suit."""
    counted_as_defined(OTHER_HAND, tuple(sorted((*SMALL, *cards("9c")))))


@pytest.mark.prove
@pytest.mark.parametrize("knows", [NOTHING, *KINDS[GameShape.HOLDEM]], ids=lambda kind: kind.name)
def test_one_decision_with_a_board_is_counted_as_the_definition_says(knows: Knowledge) -> None:
    counted_as_defined(knows, SMALL, CASINO)


def counted_as_defined(knows: Knowledge, deck: tuple[Card, ...], rules: Rules = RULES) -> None:
    found = counted(rules, knows, tuple(card.number for card in deck))
    net, square, stake, actions = PlainHoldem(rules, deck, knows).value()
    assert (found.ev, found.square, found.average_wager) == (net, square, stake)
    assert {action: share for action, share in found.actions if share} == actions


@pytest.mark.prove
@pytest.mark.parametrize("knows", KINDS[GameShape.HOLDEM], ids=lambda kind: kind.name)
def test_honest_play_is_worth_the_same_over_all_that_could_be_known(knows: Knowledge) -> None:
    deck = tuple(card.number for card in SMALL)
    game, found = holdem.solved(RULES, knows, cards=deck)
    honest = holdem.HonestPlay(game, deck)
    first = {hole: int(honest.first[code]) for code, hole in enumerate(HOLES)}
    value = deals = 0
    for one in found:
        for spot, (low, high) in enumerate(one.spots.holes.tolist()):
            value += one.weight * one.honestly(spot, first[low, high])
            deals += one.weight * int(one.spots.ways[spot]) * one.deals
    assert Fraction(value, deals * game.denominator) == counted(RULES, NOTHING, deck).ev


@pytest.mark.prove
def test_more_knowledge_is_never_worth_less() -> None:
    deck = tuple(card.number for card in SMALL)
    kinds = (NOTHING, *KINDS[GameShape.HOLDEM])
    worth = {kind: counted(RULES, kind, deck).ev for kind in kinds}
    compared = 0
    for less in kinds:
        for more in kinds:
            if all(getattr(less, place) <= getattr(more, place) for place in PLACES):
                assert worth[less] <= worth[more]
                compared += less != more
    assert compared == 15


@pytest.mark.prove
@pytest.mark.parametrize(
    ("name", "edge"),
    [
        ("dealer", "13.5922"),
        ("dealer+flop", "22.3286"),
        ("dealer+turn-or-river", "26.1867"),
        ("dealers", "38.5816"),
    ],
)
def test_what_is_published_is_met(name: str, edge: str) -> None:
    found = counted(RULES, knowledge(RULES, name), FULL_DECK)
    assert f"{100 * float(found.ev):.4f}" == edge


@pytest.mark.prove
@pytest.mark.parametrize("rules", [RULES, CASINO], ids=lambda rules: rules.book.id)
def test_nothing_known_is_the_solvers_game(rules: Rules) -> None:
    base = solved(rules).base
    found = counted(rules, NOTHING, FULL_DECK)
    assert (found.ev, found.square, found.average_wager) == (
        base.ev, base.moment(2), base.average_wager,
    )  # fmt: skip
    assert dict(found.actions) == {
        action: Fraction(ways, base.deals) for action, ways in base.action_ways().items()
    }


@pytest.mark.prove
def test_a_raise_averages_over_what_is_known_to_what_it_is_worth_honestly() -> None:
    honest = {hand.name: dict(hand.values)["4x"] for hand in solved(RULES).hands}
    game, (found,) = holdem.solved(RULES, knowledge(RULES, "flop"))
    sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for hole, ways, values in zip(found.spots.holes, found.spots.ways, found.values, strict=True):
        mine = sums[start_name(DECK[hole[0]], DECK[hole[1]])]
        mine[0] += int(values[0])
        mine[1] += int(ways) * found.deals * game.denominator
    assert {hand: Fraction(*both) for hand, both in sums.items()} == honest
