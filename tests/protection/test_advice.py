"""Advice with known cards: over all that could be known, it averages to honest advice."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from croupier.cli import main
from croupier.exact import advice as honest
from croupier.exact import generic
from croupier.exact.solution_cache import solved
from croupier.facts.cards import DECK, Card, cards
from croupier.facts.errors import Unreadable
from croupier.protection.advice import advise
from tests.exact.conftest import rules_of

UTH, FCP, TCP = rules_of("UTH-S", blind="A"), rules_of("FCP-14"), rules_of("TCP-1")
THB = rules_of("THB-1", ante="A")
HOLE, RIVER = cards("Kd 5c"), cards("Qh 8s 2d 3h 3s")


def unseen(*seen: tuple[Card, ...]) -> list[tuple[Card, ...]]:
    return [(card,) for card in DECK if card not in sum(seen, ())]


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


@pytest.mark.prove
def test_a_bet_on_the_flop_averages_over_the_dealers_card() -> None:
    known = unseen(HOLE, RIVER[:3])
    found = mean([advise(UTH, HOLE, RIVER[:3], card, ())["2x"] for card in known])
    assert found == honest.on_board(UTH, HOLE, RIVER[:3])["2x"]


def test_a_bet_on_the_river_averages_over_what_is_out_of_play() -> None:
    found = mean([advise(UTH, HOLE, RIVER, (), card)["1x"] for card in unseen(HOLE, RIVER)])
    assert found == honest.on_board(UTH, HOLE, RIVER)["1x"] == Fraction(-85, 66)


def test_a_bet_on_the_turn_averages_over_the_dealers_card_and_over_what_is_out_of_play() -> None:
    known = unseen(HOLE, RIVER[:4])
    wanted = honest.later_bet(THB, HOLE, RIVER[:4])["1x"]
    assert mean([advise(THB, HOLE, RIVER[:4], card, ())["1x"] for card in known]) == wanted
    assert mean([advise(THB, HOLE, RIVER[:4], (), card)["1x"] for card in known]) == wanted


def test_before_the_flop_bets_that_add_up_are_not_counted_with_known_cards() -> None:
    with pytest.raises(Unreadable, match="once the flop lies there"):
        advise(THB, HOLE, (), cards("9h"), ())


def test_both_of_the_dealers_cards_leave_no_doubt() -> None:
    assert advise(UTH, HOLE, RIVER, cards("Ah 9c"), ()) == {"fold": -2, "1x": -3}
    assert advise(UTH, HOLE, RIVER, cards("Jh 9c"), ()) == {"1x": 2, "fold": -2}


def test_four_card_poker_averages_over_one_more_card() -> None:
    own, up, four = cards("Ah Kd 9c 7s 2d"), cards("3c"), cards("4c 8d Jh Qs")
    known = unseen(own, up, four)
    each = [advise(FCP, own, up, four + card, ())["1x"] for card in known]
    assert mean(each) == advise(FCP, own, up, four, ())["1x"]
    assert {abs(value) for value in each} == {2}


def test_a_game_of_one_decision_averages_over_the_dealers_card() -> None:
    own = cards("Qd 6c 3s")
    found = mean([advise(TCP, own, (), card, ())["1x"] for card in unseen(own)])
    assert found == dict(generic.decision_of(TCP, own).values)["1x"]


@pytest.mark.parametrize(
    ("own", "seen", "dealer", "says"),
    [
        ("Kd 5c 2c", "", "9h", "played with 2 cards, not with 3"),
        ("Kd 5c", "2c", "9h", "0 or 3 or 5 cards lie face up"),
        ("Kd 5c", "", "9h 8h 7h", "2 cards face down, not 3"),
        ("Kd 5c", "", "Kd", "more than once"),
    ],
)
def test_cards_that_cannot_lie_so_are_refused(own: str, seen: str, dealer: str, says: str) -> None:
    with pytest.raises(Unreadable, match=says):
        advise(UTH, cards(own), cards(seen), cards(dealer), ())


def test_the_command_takes_known_cards(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["advise", "uth", "Kd5c", "--board", "Qh8s2d3h3s", "--dealer", "Ah", "--dead", "9c"]
    assert main([*line, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    values = advise(UTH, HOLE, RIVER, cards("Ah"), cards("9c"))
    assert told["values_exact"] == {action: str(value) for action, value in values.items()}


@pytest.mark.prove
def test_a_raise_before_the_flop_averages_over_the_dealers_card() -> None:
    hole = cards("Ad Ac")
    # Every other card stands for two, of the suits in the hole and of those beside it.
    alike = [f"{rank}{suit}" for rank in "23456789TJQK" for suit in "ds"] + ["As"]
    found = mean([advise(UTH, hole, (), cards(card), ())["4x"] for card in alike])
    pair = next(hand for hand in solved(UTH).hands if hand.name == "AA")
    assert found == dict(pair.values)["4x"]
