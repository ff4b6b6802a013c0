"""The coach's reasons: counted like the values they explain, and true of the cards in sight."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from croupier.exact.shipped_solutions import shipped_hands
from croupier.exact.strategy.strategy_file import read_strategy
from croupier.facts.cards import DECK, cards
from croupier.facts.hands import FIVE_CARD, THREE_CARD, Category
from croupier.games.registry import the_registry
from croupier.games.variants import varied
from croupier.practice import reasons, showdown_counts
from croupier.practice.coach import Position, explained
from croupier.practice.strategy_chart import strategy_chart
from croupier.practice.winning_hand import winning_cards
from croupier.submission.check import shipped_submission
from croupier.submission.toml_writer import write_submission

UTH = shipped_submission("UTH-S")
HOLE, BOARD = cards("Kd 5c"), cards("Qh 8s 2d 3c Jh")


def test_what_beats_you_is_what_a_plain_count_finds() -> None:
    yours = FIVE_CARD.best(HOLE + BOARD)
    unseen = [card for card in DECK if card not in HOLE + BOARD]
    dealers = [FIVE_CARD.best((*pair, *BOARD)) for pair in combinations(unseen, 2)]
    rules = UTH.rules(the_registry())
    odds = showdown_counts.odds(rules, HOLE, BOARD, ())
    assert odds == (
        sum(hand < yours for hand in dealers),
        sum(hand == yours for hand in dealers),
        sum(hand > yours for hand in dealers),
        sum(rules.book.contest.opens(FIVE_CARD, hand) for hand in dealers),
    )
    beating = showdown_counts.beaten_by(HOLE, BOARD)
    for category in Category:
        assert beating[category] == sum(
            hand > yours and hand.category is category for hand in dealers
        )


def test_before_the_flop_wins_and_losses_are_counted_from_what_is_kept() -> None:
    """A whole number of ways for every hand; and since the dealer's hand is dealt as the player's,
    all of them together win as often as they lose."""
    rules, surplus = UTH.rules(the_registry()), Fraction()
    known = shipped_hands(rules)
    assert known is not None
    for hand in known.hands:
        values = dict(hand.values)
        more = (values["4x"] - values["3x"]) * reasons._ways_to_come(rules, HOLE, ())
        assert more.denominator == 1
        surplus += hand.ways * more
    assert surplus == 0
    _, why = explained(write_submission(UTH), Position("before the flop", ("Ah", "2c")))
    assert why is not None
    assert "2,097,572,400 boards and dealer's hands" in why.words[0]
    losing = replace(rules, book=varied(the_registry(), rules.book, {"tie": "lose"}))
    assert reasons._ways_to_come(losing, HOLE, ()) == 0


def test_a_game_of_ones_own_cards_is_counted_too() -> None:
    own = cards("Qd 6c 4h")
    rules = shipped_submission("TCP-1").rules(the_registry())
    odds = showdown_counts.odds(rules, own, (), ())
    assert odds is not None
    unseen = [card for card in DECK if card not in own]
    dealers = [THREE_CARD.hand(held) for held in combinations(unseen, 3)]
    assert odds.ways == len(dealers)
    assert odds.wins == sum(hand < THREE_CARD.hand(own) for hand in dealers)
    assert odds.opens == sum(rules.book.contest.opens(THREE_CARD, hand) for hand in dealers)


@pytest.mark.parametrize(
    ("hole", "board", "found"),
    [
        ("Kd 5d", "Qd 8s 2d", {Category.FLUSH: 9, Category.PAIR: 6}),
        ("9c 8h", "7d 6s 2c", {Category.STRAIGHT: 8, Category.PAIR: 6}),
        # What pairs the board improves everybody alike.
        ("Ac Kh", "7d 6s 2c", {Category.PAIR: 6}),
        ("7c 7h", "7d 6s 2c", {Category.FOUR_OF_A_KIND: 1, Category.FULL_HOUSE: 6}),
    ],
)
def test_outs(hole: str, board: str, found: dict[Category, int]) -> None:
    assert reasons.outs(cards(hole), cards(board)) == found


def test_the_rule_that_decides_is_named() -> None:
    submission = write_submission(UTH)
    _, why = explained(submission, Position("before the flop", ("Kd", "5c")))
    assert why is not None
    assert why.cell == "K5o"
    assert why.deciding == 0
    assert why.words[-1].startswith("The simple strategy says so too: 4x when")


def test_an_exception_says_what_the_strategy_costs() -> None:
    strategy = read_strategy(
        'game = "uth"\nname = "never"\nsource = "a test"\n[[before_the_flop]]\ndo = "check"\n'
        '[[flop]]\ndo = "check"\n[[river]]\ndo = "fold"\n',
        "never",
    )
    values = {"4x": 1, "check": 0.5}
    said = reasons._rule_words(strategy, "flop", 0, values)  # type: ignore[arg-type]
    assert said.startswith("An exception: the simple strategy says check otherwise")
    assert said.endswith("4x is worth 0.500 Antes more.")


def test_the_chart_lights_a_hand_that_is_in_it() -> None:
    for book, own, up in (("UTH-S", "Kd 5c", ""), ("FCP-14", "Kd 5c 5h 8s 2d", "Ah")):
        rules = shipped_submission(book).rules(the_registry())
        chart = strategy_chart(rules)
        assert chart is not None
        named = [name for row in chart.rows for name, _ in row.cells if name]
        assert reasons.chart_cell(rules, cards(own), (), cards(up)) in named
        assert len(named) == len(set(named))
        assert all(len(row.cells) == len(chart.columns) for row in chart.rows)


def test_the_cards_of_the_higher_hand_are_marked() -> None:
    rules = UTH.rules(the_registry())
    board = ("Kh", "Kc", "7d", "4s", "2c")
    assert set(winning_cards(rules, ("Ah", "Qd"), board, ("7c", "3s"))) == {
        *("Kh", "Kc", "7d", "7c", "4s")
    }
    assert "Ah" in winning_cards(rules, ("Ah", "Qd"), board, ("Ac", "Qh"))
