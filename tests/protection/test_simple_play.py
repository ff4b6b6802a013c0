"""What a simple player does first where cards are known: as dealing every hand out counts it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from croupier.exact.strategy.chart_names import four_card_name, start_name
from croupier.exact.strategy.features import CardsInSight
from croupier.exact.strategy.strategy_file import Strategy
from croupier.facts.cards import DECK, Cards, cards
from croupier.facts.hands import FOUR_CARD
from croupier.games.registry import the_registry
from croupier.games.rules import Rules, bind
from croupier.games.shapes import GameShape
from croupier.games.variants import varied
from croupier.protection import holdem
from croupier.protection.detectability import detectability_of
from croupier.protection.four_card import KnownFourCard
from croupier.protection.knowledge import KINDS, NOTHING, Knowledge
from croupier.protection.known_game import known_game
from croupier.protection.one_decision import KnownOneDecision
from croupier.protection.simple_holdem import simple_holdem
from croupier.protection.simple_strategy import simple_strategy
from croupier.protection.worth import StrategyLine
from tests.exact.conftest import rules_of
from tests.protection.plain_holdem import PlainHoldem, without

UTH, FCP, TCP = rules_of("UTH-S", blind="A"), rules_of("FCP-14"), rules_of("TCP-1")
CASINO = rules_of("CH-1", ante="A")
QUEENS = tuple(sorted(cards("2c 3c 6c Qc 2d 4d 7d Qd 7h")))  # plays and folds a queen
TWELVE = tuple(sorted(cards("2c 3c Jc 2d 9d Jd 2h 9h Kh 9s Js As")))
TEN = tuple(sorted(cards("5c Tc Jc Qc 5d Td Jd Qd 2d 3h")))  # plays and folds flops
Named = tuple[str, str]


def simple(rules: Rules) -> Strategy:
    strategy = simple_strategy(rules)
    assert strategy is not None
    return strategy


def shares(done: Iterable[tuple[Named, str]]) -> dict[Named, dict[str, Fraction]]:
    """By known ranks and hand: each action by its chance."""
    counts: defaultdict[Named, Counter[str]] = defaultdict(Counter)
    for named, action in done:
        counts[named][action] += 1
    return {
        named: {action: Fraction(number, each.total()) for action, number in each.items()}
        for named, each in counts.items()
    }


def simply(lines: tuple[StrategyLine, ...]) -> dict[Named, dict[str, Fraction]]:
    return {(line.known, line.hand): dict(line.simple or ()) for line in lines}


def ranks(held: Cards) -> str:
    return " ".join(card.rank.letter for card in sorted(held, reverse=True))


@pytest.mark.parametrize("knows", KINDS[GameShape.OWN_CARDS], ids=lambda kind: kind.name)
def test_at_three_card_poker(knows: Knowledge) -> None:
    _, lines = KnownOneDecision(TCP, QUEENS).solve(knows, lambda what, done: None)
    strategy = simple(TCP)
    plain = shares(
        ((ranks(known), TCP.game.ranking.hand(own).aloud),
         strategy.action("play", CardsInSight(own)))
        for known in combinations(QUEENS, knows.dealer)
        for own in combinations(without(QUEENS, known), 3)
    )  # fmt: skip
    assert simply(lines) == plain
    assert any(len(done) == 2 for done in plain.values())


@pytest.mark.parametrize("knows", KINDS[GameShape.FOUR_CARD], ids=lambda kind: kind.name)
def test_at_four_card_poker(knows: Knowledge) -> None:
    deck = tuple(card.number for card in TWELVE)
    _, lines, _ = KnownFourCard(FCP, deck).solve(knows)
    strategy, plain = simple(FCP), []
    for own in combinations(TWELVE, 5):
        name = four_card_name(FOUR_CARD.best(own))
        for up in without(TWELVE, own):
            action = strategy.action("play", CardsInSight(own, (up,)))
            for others in combinations(without(TWELVE, own, (up,)), knows.dealer + knows.burn):
                place = "burn" if knows.burn else "dealer"
                plain.append(((f"{up.rank.letter} up, {place} {ranks(others)}", name), action))
    assert simply(lines) == shares(plain)
    assert {action for _, action in plain} == {"3x", "1x", "fold"}


@pytest.mark.prove
@pytest.mark.parametrize("knows", KINDS[GameShape.HOLDEM], ids=lambda kind: kind.name)
def test_on_the_flop_at_casino_holdem(knows: Knowledge) -> None:
    deck = tuple(card.number for card in TEN)
    game, found = holdem.solved(CASINO, knows, cards=deck)
    lines = holdem.lines(game, found, {}, knows, simple_holdem(CASINO, game, deck))
    plain = shares(flop_decisions(knows))
    assert simply(lines) == plain
    assert any(len(done) == 2 for done in plain.values())


def flop_decisions(knows: Knowledge) -> Iterator[tuple[Named, str]]:
    """Every first decision at Casino Hold'em, with what is known of it and the starting hand."""
    (street,) = CASINO.book.streets
    strategy = simple(CASINO)
    action = cache(lambda hole, flop: strategy.action(street.name, CardsInSight(hole, flop)))
    for deck, dealer, on_flop, late, hole in PlainHoldem(CASINO, TEN, knows).known():
        burn = without(TEN, deck, dealer)
        places = (("dealer", dealer), ("flop", on_flop), ("late", late), ("burn", burn))
        known = ", ".join(f"{place} {ranks(held)}" for place, held in places if held)
        for others in combinations(without(deck, on_flop, late, hole), 3 - len(on_flop)):
            yield (known, start_name(*hole)), action(hole, tuple(sorted(on_flop + others)))


def test_before_the_flop_it_is_the_shipped_rule() -> None:
    game, strategy = known_game(UTH), simple(UTH)
    (problem,) = holdem.problems(NOTHING)
    spots = holdem.Spots(problem, by_card=False)
    numbers = np.zeros((len(spots.ways), 1, 3), np.int64), np.zeros((len(spots.ways), 7), np.int64)
    done = simple_holdem(UTH, game)
    assert done is not None
    found = done(holdem.Solved(problem, (), 1, spots, *numbers, deals=5))
    for (low, high), ways, counts in zip(spots.holes, spots.ways, found.tolist(), strict=True):
        action = strategy.action("before the flop", CardsInSight((DECK[low], DECK[high])))
        assert counts == [5 * ways * (action == name) for name in ("4x", "check")]


def test_there_is_none_who_bets_what_may_not_be_bet() -> None:
    registry = the_registry()
    for chosen, fits in (({"preflop": "5,4,3"}, True), ({"preflop": "3"}, False)):
        book = varied(registry, UTH.book, chosen)
        rules = bind(registry.game_of(book), book, {"blind": "A"})
        assert (simple_strategy(rules) is not None) is fits


def test_where_none_ships_nothing_is_told_of_him(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{simple_strategy.__module__}.shipped", dict)
    simple_strategy.cache_clear()
    _, lines = KnownOneDecision(TCP, QUEENS).solve(NOTHING, lambda what, done: None)
    simple_strategy.cache_clear()
    assert {line.simple for line in lines} == {None}
    assert [each.other for each in detectability_of(lines)] == ["optimal"]
