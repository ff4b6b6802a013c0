"""Games of one decision with known cards: kernels, definition and published values agree."""

from __future__ import annotations

import pytest

from croupier.exact import generic
from croupier.exact.solution_cache import solved
from croupier.facts.cards import Card, cards
from croupier.games.shapes import GameShape
from croupier.protection.four_card import KnownFourCard
from croupier.protection.knowledge import KINDS, NOTHING, Knowledge
from croupier.protection.one_decision import KnownOneDecision
from tests.exact.conftest import rules_of

NINE = tuple(sorted(cards("2c 3c 4c Qc 2d 4d Kd Qh As")))
ALIKE = tuple(sorted(cards("2c 3c 4c Qc 2d 3d 4d Qd Kh")))  # clubs and diamonds tell nothing
THIRTEEN = tuple(sorted(cards("2c 3c 4c 2d 3d 4d 2h 4h Kh 2s Qs Ks As")))


@pytest.mark.parametrize("deck", [NINE, ALIKE], ids=["suits apart", "suits alike"])
@pytest.mark.parametrize(
    "knows", [NOTHING, *KINDS[GameShape.OWN_CARDS]], ids=lambda kind: kind.name
)
def test_three_card_poker_is_counted_as_the_definition_says(
    knows: Knowledge, deck: tuple[Card, ...]
) -> None:
    rules = rules_of("TCP-1")
    play, lines = KnownOneDecision(rules, deck).solve(knows, lambda what, done: None)
    base = generic.solve_knowing(rules, deck, knows.dealer)
    assert (play.ev, play.square, play.average_wager) == (
        base.ev, base.moment(2), base.average_wager,
    )  # fmt: skip
    assert sum(line.chance * line.value for line in lines) == base.ev
    assert (
        sum(line.chance * line.honest_value for line in lines)
        == generic.solve_base(rules, deck).base.ev
    )


def test_more_of_the_dealers_cards_are_never_worth_less() -> None:
    rules = rules_of("TCP-1")
    kinds = (NOTHING, *KINDS[GameShape.OWN_CARDS])
    worth = [KnownOneDecision(rules, ALIKE).solve(kind, lambda what, done: None) for kind in kinds]
    values = [play.ev for play, _ in worth]
    assert values == sorted(values)
    assert len({*values}) == len(kinds)


@pytest.mark.prove
def test_nothing_known_is_the_solvers_game_of_one_decision() -> None:
    rules = rules_of("TCP-1")
    found, _ = KnownOneDecision(rules).solve(NOTHING, lambda what, done: None)
    base = solved(rules).base
    assert (found.ev, found.square, found.average_wager) == (
        base.ev, base.moment(2), base.average_wager,
    )  # fmt: skip


@pytest.mark.prove
@pytest.mark.parametrize("knows", KINDS[GameShape.FOUR_CARD], ids=lambda kind: kind.name)
def test_four_card_poker_is_counted_as_the_definition_says(knows: Knowledge) -> None:
    rules = rules_of("FCP-14")
    deck = tuple(card.number for card in THIRTEEN)
    play, lines, _ = KnownFourCard(rules, deck).solve(knows)
    base = generic.solve_knowing(rules, THIRTEEN, knows.dealer, knows.burn)
    assert (play.ev, play.square, play.average_wager) == (
        base.ev, base.moment(2), base.average_wager,
    )  # fmt: skip
    assert (
        sum(line.chance * line.honest_value for line in lines)
        == generic.solve_base(rules, THIRTEEN).base.ev
    )


@pytest.mark.prove
def test_more_known_at_four_card_poker_is_never_worth_less() -> None:
    rules = rules_of("FCP-14")
    deck = tuple(card.number for card in THIRTEEN)
    worth = {
        kind.name: KnownFourCard(rules, deck).solve(kind)[0].ev
        for kind in KINDS[GameShape.FOUR_CARD]
    }
    nothing = generic.solve_base(rules, THIRTEEN).base.ev
    assert nothing < worth["dealer"] < worth["dealer2"]
    assert nothing <= worth["burn"]


@pytest.mark.prove
def test_three_card_poker_with_one_dealer_card_is_worth_what_is_published() -> None:
    """Player's edge 3.48%: M. Shackleford, Wizard of Odds newsletter, September 6, 2003."""
    play, _ = KnownOneDecision(rules_of("TCP-1")).solve(
        KINDS[GameShape.OWN_CARDS][0], lambda what, done: None
    )
    assert f"{100 * float(play.ev):.4f}" == "3.4829"
    assert f"{play.standard_deviation:.4f}" == "1.7417"
