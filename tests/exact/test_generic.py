"""The generic solver against plain loops, settlement, and the solver of Four Card Poker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import combinations
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest

from croupier.exact import four_card, generic
from croupier.exact.base_game import BaseGame
from croupier.exact.kernels import four_card as kernel
from croupier.exact.kernels.showdowns import showdowns
from croupier.exact.solution import Solution
from croupier.exact.solve import solve
from croupier.facts.cards import DECK, Card, Rank, cards
from croupier.facts.errors import Refusal
from croupier.facts.hands import FOUR_CARD, Hand
from croupier.facts.money import Cents
from croupier.facts.showings import Showing
from croupier.games.game import Game
from croupier.games.registry import the_registry
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules, bind
from croupier.games.watched_places import places_looked_at
from croupier.rulebook.loader import read_book
from croupier.table.receipt import Receipt
from croupier.table.settlement import settle
from tests.exact.kernels.test_four_card_kernel import SMALL_DECKS
from tests.toy import showdown

TOY = (Path(__file__).parents[1] / "toy" / "TOY-1.toml").read_text("utf-8")
FCP = (files("croupier.rulebook") / "books" / "FCP-14.toml").read_text("utf-8")
TIE = 'outcome = "lose"'
NEEDS = 'dealer_needs = { hand = "pair", pushes = ["play"], clause = "2.E" }'
MULTIPLES = "multiples = [1]"
ACTIONS = {"3x": kernel.MOST, "1x": kernel.LEAST, "fold": kernel.FOLD}


def changed(text: str, *changes: tuple[str, str]) -> str:
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return text


def toy(*changes: tuple[str, str], letters: dict[str, str] | None = None) -> Rules:
    return bind(showdown.GAME, read_book(changed(TOY, *changes)), letters or {})


def by_wagers(base: BaseGame) -> dict[object, int]:
    return {(case.action, case.wagers): case.ways for case in base.cases}


# The toy game, with hands compared by two numbers and nothing of the product


Strength = tuple[bool, int, int]


def strength(two: tuple[Card, ...]) -> Strength:
    high, low = sorted((card.rank for card in two), reverse=True)
    return high == low, high, low


@cache
def met(deck: tuple[Card, ...]) -> dict[tuple[Card, ...], Counter[Strength]]:
    """By the player's two cards: how often the dealer has each strength."""
    pairs = [(1 << a.number | 1 << b.number, (a, b)) for a, b in combinations(sorted(deck), 2)]
    ranked = [(bits, strength(two)) for bits, two in pairs]
    return {two: Counter(s for bits, s in ranked if not bits & own) for own, two in pairs}


def toy_result(
    player: Strength,
    dealer: Strength,
    play: int,
    tie: int = -1,
    pushes: tuple[str, ...] = ("play",),
) -> Fraction:
    """What Ante and Play win together in Antes: 2.C to 2.E and 3.A of TOY-1."""
    won = tie if player == dealer else 1 if player > dealer else -1
    ante = 0 if "ante" in pushes and not dealer[0] else won
    pays = Fraction(6, 5) if won == 1 else won
    return Fraction(ante) + (0 if "play" in pushes and not dealer[0] else play * pays)


def plain_toy(
    deck: tuple[Card, ...],
    plays: tuple[int, ...] = (1,),
    tie: int = -1,
    pushes: tuple[str, ...] = ("play",),
) -> tuple[Fraction, dict[tuple[Card, ...], str]]:
    """The value of the game and the best action of each hand, of equals the smallest wager."""
    net, deals = Fraction(0), comb(len(deck) - 2, 2)
    best: dict[tuple[Card, ...], str] = {}
    for own, dealers in met(deck).items():
        values = {"fold": Fraction(-deals)}
        for play in plays:
            values[f"{play}x"] = sum(
                (n * toy_result(strength(own), d, play, tie, pushes) for d, n in dealers.items()),
                Fraction(0),
            )
        best[own] = max(values, key=lambda action: values[action])
        net += values[best[own]]
    return net / deals / len(best), best


def test_the_toy_game_by_a_plain_loop() -> None:
    solved = generic.solve_base(toy())
    value, best = plain_toy(DECK)
    assert solved.base.ev == value
    assert solved.base.deals == comb(52, 2) * comb(50, 2)
    assert {own: decision.best for (own, _), decision in solved.decisions.items()} == best
    assert sum(solved.base.action_ways().values()) == solved.base.deals


SOME = cards("2c 3c 3d 5h 7s 7d 7h 9c Tc Td Jh Qs Kc Kh Ac As")


@pytest.mark.parametrize("tie", [1, 0, -1])
@pytest.mark.parametrize("pushes", [("play",), ("ante",), ("ante", "play"), ()])
def test_ties_and_what_the_dealer_needs(tie: int, pushes: tuple[str, ...]) -> None:
    named = ", ".join(f'"{wager}"' for wager in pushes)
    needs = NEEDS.replace('["play"]', f"[{named}]") if pushes else ""
    outcome = {1: "win", 0: "push", -1: "lose"}[tie]
    rules = toy((TIE, f'outcome = "{outcome}"'), (NEEDS, needs))
    solved = generic.solve_base(rules, SOME)
    value, best = plain_toy(SOME, (1,), tie, pushes)
    assert solved.base.ev == value
    assert {own: decision.best for (own, _), decision in solved.decisions.items()} == best


def test_each_play_of_a_list_is_considered() -> None:
    solved = generic.solve_base(toy((MULTIPLES, "multiples = [2, 5]")), SOME)
    value, best = plain_toy(SOME, (2, 5))
    assert solved.base.ev == value
    assert {own: decision.best for (own, _), decision in solved.decisions.items()} == best
    assert solved.base.actions == ("5x", "2x", "fold")


def test_of_a_range_only_the_ends_are_considered() -> None:
    solved = generic.solve_base(toy((MULTIPLES, "least_multiple = 1\nmost_multiple = 4")), SOME)
    assert solved.base.actions == ("4x", "1x", "fold")
    assert solved.base.ev == plain_toy(SOME, (1, 2, 3, 4))[0]


def test_of_equal_actions_the_smallest_wager() -> None:
    # With one rank left every hand ties: nothing is won or lost, whatever is played.
    aces = cards("Ac Ad Ah As")
    push = (TIE, 'outcome = "push"')
    solved = generic.solve_base(toy(push, (MULTIPLES, "multiples = [1, 2]")), aces)
    assert {decision.best for decision in solved.decisions.values()} == {"1x"}
    # The dealer never has a pair, so Play pushes and the lowest hand loses its Ante either way.
    unpaired = generic.solve_base(toy(), cards("2c 3d 4h 5s"))
    low = unpaired.decisions[cards("2c 3d"), ()]
    assert dict(low.values) == {"1x": -1, "fold": -1}
    assert low.best == "fold"


# Every deal through settlement, shared cards and a dealer's card face up included


BOARD_PLACES = """
[[places]]
name = "board"
cards = 2
clause = "2.A"

[[streets]]"""
BOARD_STEPS = """{ deal = 1, to = "dealer", clause = "2.A" },
  { deal = 1, to = "dealer", face = "up", clause = "2.A" },
  { deal = 1, to = "board", face = "up", clause = "2.A" },
  { deal = 1, to = "board", face = "up", after = "play", clause = "2.A" },"""


def four_with_board(round: FinishedRound, box: FinishedBox) -> Showing:
    four = box.cards + round.at("board")
    return Showing(FOUR_CARD.hand(four), four)


def dealer_with_board(round: FinishedRound) -> Hand:
    return FOUR_CARD.hand(round.at("dealer") + round.at("board"))


BOARD_GAME = Game(
    id="toy",
    name="Toy with a board",
    ranking=FOUR_CARD,
    player=four_with_board,
    dealer=dealer_with_board,
    looks={"two cards": four_with_board},
)


def board_rules() -> Rules:
    text = changed(
        TOY,
        ("\n[[streets]]", BOARD_PLACES),
        ('{ deal = 2, to = "dealer", clause = "2.A" },', BOARD_STEPS),
        (MULTIPLES, "multiples = [1, 3]"),
        (TIE, 'outcome = "push"'),
    )
    return bind(BOARD_GAME, read_book(text), {})


def net_of(receipt: Receipt) -> int:
    return sum(line.net_cents for line in receipt.lines)


def board_deals(deck: set[Card], own: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """The dealer's up card, the board's up card, then the two that are turned later."""
    rest = deck - {*own}
    for up in rest:
        for board in rest - {up}:
            for down in rest - {up, board}:
                for later in rest - {up, board, down}:
                    yield up, board, down, later


def test_a_game_with_a_board_through_settlement() -> None:
    rules, deck = board_rules(), cards("2c 3c 4c 4d 5d 5h 3h")
    solved = generic.solve_base(rules, deck)
    net, deals = 0, 0
    for own in combinations(sorted(deck), 2):
        results: dict[tuple[Card, ...], Counter[int]] = {}
        for up, board, down, later in board_deals({*deck}, own):
            lying = {"dealer": (down, up), "board": (board, later)}
            for play in (0, 1, 3):
                stakes = {"ante": Cents(500)} | ({"play": Cents(500 * play)} if play else {})
                settled = settle(FinishedRound(rules, lying, (FinishedBox(1, own, stakes),)))
                results.setdefault((up, board), Counter())[play] += net_of(settled)
            deals += 1
        for face_up, result in results.items():
            best = max((0, 1, 3), key=lambda play: result[play])
            decision = solved.decisions[own, face_up]
            assert decision.best == {0: "fold", 1: "1x", 3: "3x"}[best]
            assert decision.value == Fraction(result[best], 500 * 6)
            net += result[best]
    assert solved.base.deals == deals
    assert solved.base.ev == Fraction(net, 500 * deals)
    assert generic.hand_values(rules, solved) == ()


# Four Card Poker


def four_card_rules(*changes: tuple[str, str]) -> Rules:
    return bind(the_registry().games["four-card"], read_book(changed(FCP, *changes)), {})


def assert_same_as_kernels(rules: Rules, text: str) -> None:
    """Every decision, every action's value and every count."""
    deck = cards(text)
    solved = generic.solve_base(rules, deck)
    shown = showdowns(np.array([card.number for card in deck], dtype=np.uint8))
    stakes = four_card.stakes_of(rules)
    actions = kernel.best_actions(shown, stakes)
    assert len(solved.decisions) == comb(len(deck), 5) * (len(deck) - 5)
    for (own, (up,)), decision in solved.decisions.items():
        numbers = tuple(card.number for card in own)
        place = shown.place(numbers, up.number)
        assert actions[place] == ACTIONS[decision.best]
        of_class = int(shown.classes[place[0]])
        values = kernel.action_values(shown.of(numbers, up.number), stakes, of_class)
        exact = [Fraction(value, values.denominator) for value in values[:3]]
        assert [value for _, value in decision.values] == exact
    played = four_card.played(rules, shown, actions)
    assert by_wagers(solved.base) == by_wagers(played)
    assert solved.base.actions == played.actions


@pytest.mark.parametrize("name", list(SMALL_DECKS)[:3])
def test_four_card_poker_on_a_small_deck(name: str) -> None:
    assert_same_as_kernels(four_card_rules(), SMALL_DECKS[name])


@pytest.mark.parametrize("outcome", ["push", "lose"])
def test_four_card_poker_when_a_tie_does_not_win(outcome: str) -> None:
    rules = four_card_rules(('tie = { outcome = "win"', f'tie = {{ outcome = "{outcome}"'))
    assert_same_as_kernels(rules, SMALL_DECKS["two and two suits alike"])


def test_hands_are_named_with_the_card_that_is_up() -> None:
    rules = four_card_rules()
    solved = generic.solve_base(rules, cards("2c3c4c5c 2d3d4d5d 2h3h 9s"))
    named = {hand.name: hand for hand in generic.hand_values(rules, solved)}
    assert "straight flush, five high, nine up" in named
    assert sum(hand.ways for hand in named.values()) == solved.base.deals
    mean = sum((h.ways * dict(h.values)["fold"] for h in named.values()), Fraction(0))
    assert mean == -solved.base.deals


# Solving a game that has no solver of its own


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(toy(letters={"pair_side": "A"}))


def test_progress_goes_to_the_end() -> None:
    told: list[float] = []
    generic.solve_base(toy(), SOME, lambda what, done: told.append(done))
    assert told == sorted(told)
    assert told[-1] == 1


def test_the_toy_game_is_solved_with_its_side_wager(solution: Solution) -> None:
    assert solution.ev == plain_toy(DECK)[0]
    side = solution.side("pair_side", "A")
    # 6 pairs of aces at 20 to 1 and 72 others at 11 for 1, of 1,326 hands.
    assert side.ev == Fraction(6 * 20 + 72 * 10 - 1248, 1326)
    assert {hand.name: hand.best for hand in solution.hands}["three high"] == "fold"
    assert sum(hand.ways for hand in solution.hands) == solution.base.deals


def test_base_and_side_wager_together_by_a_plain_loop(solution: Solution) -> None:
    best, deals = plain_toy(DECK)[1], comb(52, 2) * comb(50, 2)
    total, squares = Fraction(0), Fraction(0)
    for own, dealers in met(DECK).items():
        pair_side = (20 if own[0].rank is Rank.ACE else 10) if strength(own)[0] else -1
        for dealer, ways in dealers.items():
            base = toy_result(strength(own), dealer, 1) if best[own] != "fold" else Fraction(-1)
            total += ways * (base + pair_side)
            squares += ways * (base + pair_side) ** 2
    deviation = sqrt(squares / deals - (total / deals) ** 2)
    assert solution.together(solution.side("pair_side", "A")) == pytest.approx(deviation, rel=1e-12)


def test_a_wager_that_looks_at_other_cards_is_refused_in_words() -> None:
    board = board_rules()
    table = board.book.paytables["pair_side"]["A"]
    assert places_looked_at(board, "two cards") == {"board"}
    with pytest.raises(Refusal, match=r'"two cards" is decided by cards at board too.* TOY-1 3\.B'):
        generic.OwnCards(board).counted()["two cards"](table)
    solved = generic.solve_base(board, cards("2c 3c 4c 4d 5d 5h"))
    assert generic.OwnCards(board).base_with(solved, table, "two cards") is None


def test_a_game_of_several_decisions_is_refused() -> None:
    registry = the_registry()
    book = registry.book("UTH-S")
    with pytest.raises(Refusal, match=r"the generic solver knows only .* UTH-S 11\.F"):
        generic.solve_base(bind(registry.game_of(book), book, {"blind": "A"}))


def test_ways_of_dealing_that_show_different_cards_are_refused() -> None:
    written = TOY[TOY.index("\n[[dealing]]") : TOY.index("\n[[irr")]
    up = 'to = "dealer", face = "up"'
    other = written.replace('way = "hand"', 'way = "shoe"').replace('to = "dealer"', up)
    with pytest.raises(Refusal, match=r"in_sight is .2 own; or 2 own, 2 dealer.* TOY-1 2\.B"):
        generic.solve_base(toy(("\n[[irr", f"{other}\n[[irr")), SOME)


@pytest.mark.parametrize("text", ["2c 3c 4c", "2c 3c 4c 4c 5c"])
def test_a_deck_that_cannot_be_dealt(text: str) -> None:
    with pytest.raises(ValueError, match="at least 4 cards, all different"):
        generic.solve_base(toy(), cards(text))
