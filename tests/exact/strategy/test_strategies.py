"""Strategies: features and whole strategies against plain code; what those shipped are worth."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from croupier.exact import four_card
from croupier.exact.base_game import Showdown, wager_results
from croupier.exact.kernels import four_card_features, holdem, holdem_features
from croupier.exact.kernels.four_card_rank import rank_hands as rank_four
from croupier.exact.kernels.positions import positions
from croupier.exact.kernels.showdowns import showdowns
from croupier.exact.solution_cache import solved
from croupier.exact.strategy.features import CardsInSight, Feature, streets_of
from croupier.exact.strategy.strategies import (
    StrategyValue,
    called,
    evaluate,
    four_card_actions,
    holdem_decisions,
    hole_values,
    play,
)
from croupier.exact.strategy.strategy_file import Strategy, read_strategy, shipped
from croupier.facts.cards import DECK, Card, cards
from croupier.facts.errors import Unreadable
from croupier.facts.hands import FOUR_CARD
from croupier.games.registry import the_registry
from croupier.games.rules import Rules, bind
from tests.exact.kernels.test_holdem_kernel import BLIND_PAY, GAME, OUTCOMES
from tests.exact.plain_holdem import CATEGORIES, FOLD, PlainGame, PlainStrategy, count_deals
from tests.exact.strategy.test_strategy_files import LAST, four_card_file

ASKED = the_registry().book("UTH-S").streets
PAGE = (Path(__file__).parents[3] / "docs" / "strategy-files.md").read_text("utf-8")


def rules_of(game: str) -> Rules:
    book = next(book for book in the_registry().books.values() if book.game == game)
    letters = {"uth": {"blind": "A"}, "casino-holdem": {"ante": "A"}}.get(game, {})
    return bind(the_registry().game_of(book), book, letters)


def features_of(game: str) -> dict[str, Feature]:
    return {
        name: each
        for street in streets_of(the_registry(), game)
        for name, each in street.features.items()
    }


# Kernels against plain code


def plain_numbers(game: str, sight: CardsInSight, street: int) -> dict[str, int]:
    return {
        name: each.number(sight)
        for name, each in streets_of(the_registry(), game)[street].features.items()
    }


def check_uth(rng: random.Random, boards: int, holes_each: int, size: int) -> None:
    everyone = holdem_features.Holes(hole_values(), np.ones(1326, dtype=np.bool_))
    for _ in range(boards):
        board = tuple(rng.sample(range(52), size))
        found = holdem_features.values_on(board, everyone)
        for hole in rng.sample(sorted(found), holes_each):
            sight = CardsInSight((DECK[hole[0]], DECK[hole[1]]), tuple(DECK[n] for n in board))
            by_kernel = dict(zip(holdem_features.NAMES, found[hole].tolist(), strict=True))
            for name, number in plain_numbers("uth", sight, 1 if size == 3 else 2).items():
                assert by_kernel[name] == number, (name, sight)


def check_four_card(rng: random.Random, hands: int) -> None:
    known = called()
    for _ in range(hands):
        *hand, up = rng.sample(range(52), 6)
        hand_class = int(rank_four([hand])[0])
        found = four_card_features.values_with(tuple(hand), hand_class, known)[:, up]
        sight = CardsInSight(tuple(DECK[n] for n in hand), (DECK[up],))
        assert plain_numbers("four-card", sight, 0) == dict(
            zip(four_card_features.NAMES, found.tolist(), strict=True)
        )


@pytest.mark.parametrize("size", [3, 5])
def test_features_of_uth_are_those_of_plain_code(size: int) -> None:
    check_uth(random.Random(size), 100, 5, size)


def test_features_of_four_card_are_those_of_plain_code() -> None:
    check_four_card(random.Random(4), 500)


@pytest.mark.prove
@pytest.mark.parametrize("size", [3, 5])
def test_features_of_uth_on_many_positions(size: int) -> None:
    check_uth(random.Random(10 + size), 5_000, 10, size)


@pytest.mark.prove
def test_features_of_four_card_on_many_positions() -> None:
    check_four_card(random.Random(14), 200_000)


def sight_of(own: str, table: str) -> CardsInSight:
    return CardsInSight(cards(own), cards(table))


@pytest.mark.parametrize(
    ("own", "board", "name", "value"),
    [
        ("Kd 5c", "Kh 8s 2d", "hidden", "pair"),
        ("Kd 5c", "8h 8s 2d", "hidden", "high card"),  # the pair is on the board
        ("Kd Kc", "Ah As 5d 5c 2s", "hidden", "two pair"),  # aces and kings for aces and fives
        ("5d Qc", "Ah As Kd Kc 5s", "hidden", "high card"),  # the fives do not count
        ("5d Qc", "Ah As Kd Kc 5s", "hidden_pair", 5),
        ("2d 7c", "Kh Ks Kd", "hidden", "high card"),
        ("Kd 7c", "Kh Ks 2d", "hidden", "three of a kind"),
        ("9d 8c", "7h 6s 5d 4c 3s", "hidden", "straight"),
        ("Th 2c", "Ah 8h 4h", "flush_cards", 4),
        ("Th 2c", "Ah 8h 4h", "flush_high", 10),
        ("9h 8c", "7d 6s 2h", "straight_ranks", 2),
        ("9h 8c", "7d 6s 5h", "straight_ranks", 0),
        ("Ah 2c", "3d 4s Kh", "straight_ranks", 1),
        ("Qh 2c", "Ad 9s 4h", "kicker_place", 2),
        ("Qh 2c", "Ad Ks 4h", "kicker_place", 1),
        ("Th 3c", "As Qd 8c 6h 4s", "dealer_outs", 15 + 8),  # pairs; K, J; a ten ties
        ("2h 3c", "As Kd Qc Jh 9s", "plays_board", True),
        ("2h 3c", "As 2d 4c 5h 9s", "board_straight", 4),
    ],
)
def test_features_by_example(own: str, board: str, name: str, value: object) -> None:
    feature = features_of("uth")[name]
    assert feature.read(sight_of(own, board)) == value


# Whole strategies, on small decks, deal by deal

ODD_UTH = """
game = "uth"
[[before_the_flop]]
do = "4x"
when = { start = "any pair, AKs", high = "K or higher" }
[[before_the_flop]]
do = "3x"
when = { suited = true, low = "T or higher" }
[[before_the_flop]]
do = "check"
[[flop]]
do = "2x"
when = { hidden = "two pair or better" }
[[flop]]
do = "2x"
when = { flush_cards = "4 or more" }
unless = { board = "pair or better", overcards = "0" }
[[flop]]
do = "2x"
when = { straight_ranks = "1 or more", kicker_place = 1 }
[[flop]]
do = "check"
[[river]]
do = "fold"
when = { plays_board = true }
[[river]]
do = "1x"
when = { dealer_outs = "2 or fewer" }
[[river]]
do = "1x"
when = { hidden_pair = "Q or higher", board_flush = "under 3" }
[[river]]
do = "fold"
"""


@pytest.mark.parametrize(
    "deck",
    [
        "9s Ts Js Qs Ks Th Kh 2d As",
        pytest.param("9s Ts Js Qs Ks 9h Th Kh 2d Kd As", marks=pytest.mark.prove),
        pytest.param("9s 9h Ts Th Js Jh Qs Qh Ks Kh As Ah", marks=pytest.mark.prove),
    ],
)
def test_a_whole_strategy_of_uth_deal_by_deal(deck: str) -> None:
    strategy = read_strategy(ODD_UTH, "odd")
    held = tuple(sorted(cards(deck)))
    plain = PlainGame(held, BLIND_PAY, CATEGORIES[1], (4, 3))
    multiples = {"4x": 4, "3x": 3, "check": 0}

    def sight(hole: tuple[Card, ...], board: tuple[Card, ...] = ()) -> CardsInSight:
        return CardsInSight(hole, board, held)

    asked = PlainStrategy(
        lambda hole: multiples[strategy.action("before the flop", sight(hole))],
        cache(lambda hole, flop: strategy.action("flop", sight(hole, flop)) == "2x"),
        cache(lambda hole, board: strategy.action("river", sight(hole, board)) == "1x"),
    )
    expected: Counter[tuple[object, ...]] = Counter()
    for (_, *rest), times in count_deals(plain, asked)["start"].items():
        expected[tuple(rest)] += times
    numbers = tuple(card.number for card in held)
    decisions, _ = holdem_decisions(strategy, ASKED, numbers)
    counts = holdem.count(GAME, decisions, deck=numbers).by_start.sum(axis=0)
    actions = (4, 3, 2, 1, FOLD)
    assert expected == {
        (actions[action], CATEGORIES[cell], list(OUTCOMES)[outcome]): counts[action, cell, outcome]
        for action, cell, outcome in np.argwhere(counts).tolist()
    }


ODD_FOUR_CARD = four_card_file(
    'do = "3x"\nwhen = { made = "pair of queens or better", up_against_made = "lower, same" }',
    'do = "1x"\nwhen = { kicker = "any", over_up = "2 or more" }\nunless = { up_held = 0 }',
    'do = "1x"\nwhen = { up_card = "J or lower", made = "pair or better" }',
    LAST,
)


def test_a_whole_strategy_of_four_card_deal_by_deal() -> None:
    strategy = read_strategy(ODD_FOUR_CARD, "odd")
    deck = cards("9s Ts Js Qs Ks Th Kh 2d Kd As Ac")
    best = {six: FOUR_CARD.best(six) for six in combinations(sorted(deck), 6)}
    rules = rules_of("four-card")
    ways: Counter[str] = Counter()
    won = Fraction(0)
    for hand in combinations(sorted(deck), 5):
        mine = FOUR_CARD.best(hand)
        left = [card for card in sorted(deck) if card not in hand]
        for up in left:
            action = strategy.action("play", CardsInSight(hand, (up,)))
            multiple = {"3x": Fraction(3), "1x": Fraction(1), "fold": None}[action]
            for six in combinations(left, 6):
                if up in six:
                    theirs = best[six]
                    shown = Showdown((mine > theirs) - (mine < theirs))
                    nets = wager_results(rules, multiple, shown, True, mine).values()
                    won += sum(net for _, net in nets)
                    ways[action] += 1
    seen = showdowns([card.number for card in deck])
    actions, _ = four_card_actions(strategy, seen)
    base = four_card.played(rules, seen, actions)
    assert base.action_ways() == {"3x": ways["3x"], "1x": ways["1x"], "fold": ways["fold"]}
    assert base.ev == won / base.deals


def test_a_strategy_is_for_its_game_only() -> None:
    strategy = read_strategy(four_card_file(LAST), "mine.toml")
    with pytest.raises(Unreadable, match="is a strategy for four-card, not uth"):
        evaluate(rules_of("uth"), strategy)


# The full deck


DEAR = ("uth-simple", "casino-holdem-simple")  # many positions: `make prove` plays them


@cache
def played(name: str) -> tuple[Strategy, StrategyValue]:
    strategy = read_strategy(shipped()[name], name)
    return strategy, play(rules_of(strategy.game), strategy, lambda what, done: None)


def test_the_usual_range_is_500_of_1326_holes() -> None:
    strategy = read_strategy(shipped()["uth-simple"], "uth-simple")
    holes = [CardsInSight(hole) for hole in combinations(DECK, 2)]
    raised = sum(strategy.action("before the flop", hole) == "4x" for hole in holes)
    assert (raised, len(holes)) == (500, 1326)


@pytest.mark.prove
def test_the_simple_strategy_of_uth() -> None:
    _, found = played("uth-simple")
    assert found.base.deals == 27_813_810_024_000
    assert found.base.ev == Fraction(-452323427, 18592119000)
    assert round(float(-100 * found.base.ev), 2) == 2.43  # Wizard of Odds: about 2.43%
    assert found.idle == ()


def test_the_simple_strategy_of_four_card() -> None:
    _, found = played("four-card-simple")
    assert found.base.deals == 167_439_136_344_480
    assert found.base.ev == Fraction(-2126333389, 74219475330)
    assert found.idle == ()


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.prove] * (n in DEAR)) for n in shipped()],
)
def test_the_page_tells_what_the_shipped_strategies_are_worth(name: str) -> None:
    strategy, found = played(name)
    cost = solved(rules_of(strategy.game)).ev - found.base.ev
    figures = (-found.base.ev, -found.base.ev / found.base.average_wager, cost)
    row = " | ".join(f"{100 * float(figure):.4f}%" for figure in figures)
    assert f"| `{name}` | {row} |" in PAGE


# Printed by Shuffle Master for players; Elliot Frome's analysis of it: a payback of about 98.41%
# of all money wagered (Casino City Times, 14 April 2004).
PAMPHLET = four_card_file(
    'do = "3x"\nwhen = { made = "pair of tens or better" }',
    'do = "1x"\nwhen = { made = "pair of threes or better" }',
    LAST,
)


def test_the_pamphlet_of_four_card() -> None:
    base = evaluate(rules_of("four-card"), read_strategy(PAMPHLET, "pamphlet"))
    assert base.ev == Fraction(-6583447951, 193795296695)
    assert abs(1 + float(base.ev / base.average_wager) - 0.9841) < 0.0001


def test_rules_that_never_decide_are_found() -> None:
    text = four_card_file(
        'do = "3x"\nwhen = { made = "pair or better" }',
        'do = "1x"\nwhen = { made = "flush" }',
        LAST,
        'do = "1x"',
    )
    found = play(rules_of("four-card"), read_strategy(text, "mine"), lambda what, done: None)
    assert [(street.name, number) for street, number in found.idle] == [("play", 2), ("play", 4)]


@pytest.mark.prove
def test_holes_raised_before_the_flop_are_not_asked_again() -> None:
    decisions, uses = holdem_decisions(played("uth-simple")[0], ASKED)
    raised = decisions.preflop != holdem.NO_RAISE
    assert not decisions.flop[:, raised].any()
    assert uses["before the flop"].tolist() == [500, 826]
    assert uses["flop"].sum() == 826 * 19600
    assert uses["river"].sum() == 826 * 2118760
    assert decisions.river.shape[:2] == (1, len(positions().boards))
