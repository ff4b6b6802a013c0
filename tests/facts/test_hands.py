"""The readable evaluators, pinned by complete enumeration and by the names dealers call."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.facts.cards import DECK, Card, Suit, cards
from croupier.facts.hands import (
    FIVE_CARD,
    FOUR_CARD,
    THREE_CARD,
    TWO_CARD,
    Category,
    Ranking,
    super_royal_suit,
)
from tests.citing import in_book, in_uth


def enumerated(ranking: Ranking) -> tuple[Counter[Category], int, str]:
    """Counts by category, the number of distinct hands, and one hash of the whole order.

    The hash is of each hand's place among all distinct hands, as two bytes, in the order in which
    ``combinations`` takes the cards from the two of clubs up to the ace of spades.
    """
    hands = [ranking.hand(some) for some in combinations(DECK, ranking.size)]
    keys = [(hand.strength, hand.ranks) for hand in hands]
    place = {key: number for number, key in enumerate(sorted(set(keys)))}
    order = array("H", (place[key] for key in keys))
    digest = hashlib.sha256(order.tobytes()).hexdigest()
    return Counter(hand.category for hand in hands), len(place), digest


# Counts: any poker text; e.g. the table of five-card frequencies in R. Epstein, "The Theory of
# Gambling and Statistical Logic". 7,462 distinct hands: K. Suffecool's well-known count.
@pytest.mark.clause(*in_uth("6.A", "6.B", "6.C", "6.D", *(f"6.D({n})" for n in range(1, 10))))
@pytest.mark.clause(*in_uth("6.F", *(f"6.F({n})" for n in range(1, 8))))
@pytest.mark.clause(*in_book("FCP-14", "6.F", *(f"6.F({n})" for n in range(1, 8))))
@pytest.mark.prove
def test_all_five_card_hands() -> None:
    counts, distinct, digest = enumerated(FIVE_CARD)
    assert counts == {
        Category.ROYAL_FLUSH: 4,
        Category.STRAIGHT_FLUSH: 36,
        Category.FOUR_OF_A_KIND: 624,
        Category.FULL_HOUSE: 3_744,
        Category.FLUSH: 5_108,
        Category.STRAIGHT: 10_200,
        Category.THREE_OF_A_KIND: 54_912,
        Category.TWO_PAIR: 123_552,
        Category.PAIR: 1_098_240,
        Category.HIGH_CARD: 1_302_540,
    }
    assert (counts.total(), distinct) == (comb(52, 5), 7_462)
    assert digest == "915368d8101d00b07f992aa5df74de3677e75b25e89d7e8d087e24e1fad77ef2"


# Each kind of hand by its highest and its lowest, and the highest of the kind below it.
@pytest.mark.parametrize(
    ("category", "highest", "lowest", "below"),
    [
        pytest.param(*hands, marks=pytest.mark.clause(*in_uth("6.D", f"6.D({number})")))
        for number, hands in enumerate(
            (
                ("royal flush", "Ah Kh Qh Jh Th", "Ac Kc Qc Jc Tc", "Kh Qh Jh Th 9h"),
                ("straight flush", "Ks Qs Js Ts 9s", "5h 4h 3h 2h Ah", "Ac Ad Ah As Kc"),
                ("four of a kind", "Ac Ad Ah As Kc", "2c 2d 2h 2s 3c", "Ac Ad Ah Ks Kc"),
                ("full house", "Ac Ad Ah Ks Kc", "2c 2d 2h 3s 3c", "Ah Kh Qh Jh 9h"),
                ("flush", "Ah Kh Qh Jh 9h", "7c 5c 4c 3c 2c", "Ac Kd Qh Js Tc"),
                ("straight", "Ac Kd Qh Js Tc", "5c 4d 3h 2s Ac", "Ac Ad Ah Ks Qc"),
                ("three of a kind", "Ac Ad Ah Ks Qc", "2c 2d 2h 4s 3c", "Ac Ad Kh Ks Qc"),
                ("two pair", "Ac Ad Kh Ks Qc", "3c 3d 2h 2s 4c", "Ac Ad Kh Qs Jc"),
                ("pair", "Ac Ad Kh Qs Jc", "2c 2d 5h 4s 3c", "Ac Kd Qh Js 9c"),
            ),
            start=1,
        )
    ],
)
def test_where_each_hand_of_five_stands(
    category: str, highest: str, lowest: str, below: str
) -> None:
    high, low, under = (FIVE_CARD.hand(cards(text)) for text in (highest, lowest, below))
    assert (high.category, low.category) == (category, category)
    assert under.category != category
    assert high >= low > under
    assert (high == low) == (category == "royal flush")


@pytest.mark.clause(*in_uth("6.B"))
@pytest.mark.parametrize("suits", ["cdhsc", "hhhhh"])
def test_an_ace_stands_below_the_two_and_above_the_king(suits: str) -> None:
    """And no run goes on around it: it is at one of the two ends."""
    hands = [
        FIVE_CARD.hand(
            cards(" ".join(rank + suit for rank, suit in zip(ranks, suits, strict=True)))
        )
        for ranks in ("AKQJT", "65432", "5432A", "KA234", "QKA23", "JQKA2")
    ]
    top, six, wheel, *wrapped = hands
    assert top > six > wheel
    assert "straight" in wheel.category
    assert {hand.category for hand in wrapped} == {"flush" if suits == "hhhhh" else "high card"}


# Counts by inclusion: 12 straights x 4 suits; 13*4 trips; 12*4^3 - 48 straights; 4*C(13,3) - 48
# flushes; 13*6*48 pairs; the rest high card.
def test_all_three_card_hands() -> None:
    counts, distinct, _ = enumerated(THREE_CARD)
    by_how_rare = sorted(counts, key=lambda category: -counts[category])
    assert THREE_CARD.order == tuple(by_how_rare)
    assert counts == {
        Category.STRAIGHT_FLUSH: 48,
        Category.THREE_OF_A_KIND: 52,
        Category.STRAIGHT: 720,
        Category.FLUSH: 1_096,
        Category.PAIR: 3_744,
        Category.HIGH_CARD: 16_440,
    }
    assert (counts.total(), distinct) == (comb(52, 3), 741)


@pytest.mark.parametrize(
    ("called", "enough", "short"),
    [("queen high", "Qc 3d 2h", "Jc Td 8h"), ("pair", "2c 2d 3h", "Ac Kd Jh")],
)
def test_at_least(called: str, enough: str, short: str) -> None:
    least = THREE_CARD.least(called)
    assert THREE_CARD.hand(cards(short)) < least <= THREE_CARD.hand(cards(enough))


def test_a_hand_nobody_has_heard_of() -> None:
    with pytest.raises(ValueError, match="full boat"):
        THREE_CARD.least("full boat")
    with pytest.raises(ValueError, match="not in tuple"):
        THREE_CARD.least("two pair")


# Counts by inclusion: 13 quads; 11 straights x 4 suits; 13*4*48 trips; 4*C(13,4) - 44 flushes;
# 11*4^4 - 44 straights; C(13,2)*36 two pair; 13*6*C(12,2)*16 pairs; the rest high card.
@pytest.mark.clause(*in_book("FCP-14", "6.A", "6.A(1)", "6.A(2)", "6.B", "6.C"))
@pytest.mark.clause(*in_book("FCP-14", *(f"6.C({n})" for n in range(1, 8))))
def test_all_four_card_hands() -> None:
    counts, distinct, digest = enumerated(FOUR_CARD)
    assert counts == {
        Category.FOUR_OF_A_KIND: 13,
        Category.STRAIGHT_FLUSH: 44,
        Category.THREE_OF_A_KIND: 2_496,
        Category.FLUSH: 2_816,
        Category.STRAIGHT: 2_772,
        Category.TWO_PAIR: 2_808,
        Category.PAIR: 82_368,
        Category.HIGH_CARD: 177_408,
    }
    assert (counts.total(), distinct) == (comb(52, 4), 13 + 11 + 156 + 704 + 11 + 78 + 858 + 704)
    assert digest == "9175ffa3baf949e11aa4096c770c3fea30b1b2feba7abbf3bb2843b7a5d4ec3f"


# https://wizardofvegas.com, thread on Four Card Poker: best four of five cards, of 2,598,960.
@pytest.mark.prove
@pytest.mark.clause("FCP-14 11.D(4)(b)")
def test_best_four_of_five_counts() -> None:
    counts = Counter(FOUR_CARD.best(five).category for five in combinations(DECK, 5))
    assert counts[Category.FOUR_OF_A_KIND] == 624
    assert counts[Category.STRAIGHT_FLUSH] == 2_072
    assert counts[Category.THREE_OF_A_KIND] == 58_656
    assert counts[Category.FLUSH] == 114_616
    assert counts[Category.STRAIGHT] == 101_808
    assert counts[Category.TWO_PAIR] == 123_552


@pytest.mark.parametrize(
    ("ranking", "dealt", "aloud"),
    [
        (FIVE_CARD, "Ah Kh Qh Jh Th", "royal flush"),
        (FIVE_CARD, "5h 4h 3h 2h Ah", "straight flush, five high"),
        (FIVE_CARD, "6c 6d 6h 6s 2c", "four of a kind, sixes"),
        (FIVE_CARD, "Ac Ad Ah Ks Kc", "full house, aces over kings"),
        (FIVE_CARD, "Ac 9c 7c 4c 2c", "flush, ace high"),
        (FIVE_CARD, "Tc 9d 8h 7s 6c", "straight, ten high"),
        (FIVE_CARD, "2c 2d 2h As Kc", "three of a kind, twos"),
        (FIVE_CARD, "Ac Ad Kh Ks 2c", "two pair, aces and kings"),
        (FIVE_CARD, "Qc Qd 4h 3s 2c", "pair of queens"),
        (FIVE_CARD, "Kc Qd 4h 3s 2c", "king high"),
        (FIVE_CARD, "Kc Kd Ah As Qc Qh 2d", "two pair, aces and kings"),
        (FOUR_CARD, "4h 3h 2h Ah 9c", "straight flush, four high"),
        (FOUR_CARD, "Ac Kd Qh Js", "straight, ace high"),
        (FOUR_CARD, "Kc Ad 2h 3s", "ace high"),
        (TWO_CARD, "Ac Ad", "pair of aces"),
    ],
)
def test_what_hands_are_called(ranking: Ranking, dealt: str, aloud: str) -> None:
    assert ranking.best(cards(dealt)).aloud == aloud


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("2c 2d Ah 4s 3c", "2h 2s Kh Qs Jc"),
        ("Ac Ad 3h 3s 2c", "Ah As 2h 2s Kc"),
        ("3c 3d 3h 2s 2c", "2h 2d 2s Ah As"),
        ("6c 5d 4h 3s 2c", "5c 4d 3h 2s Ac"),
        ("Ac Kd Qh Js 9c", "Ad Kh Qs Jc 8d"),
    ],
)
@pytest.mark.clause(*in_uth("6.E", "6.E(1)", "6.E(2)"))
def test_the_higher_of_five(higher: str, lower: str) -> None:
    assert FIVE_CARD.hand(cards(higher)) > FIVE_CARD.hand(cards(lower))


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("2c 2d 2h 2s", "Ac Kc Qc Jc"),
        ("2c 2d 2h 3s", "Ac Kc Qc 9c"),
        ("5c 4c 3c 9c", "Ac Kd Qc Jc"),
        ("5c 4d 3c 2c", "Ac Ad Kc Kd"),
        ("4c 4d 4h As", "4h 4s 4d Ks"),
        ("Ac Ad Kh 2s", "Ah As Qh Js"),
    ],
)
@pytest.mark.clause("FCP-14 6.C", "FCP-14 6.D", "FCP-14 6.E")
def test_the_higher_of_four(higher: str, lower: str) -> None:
    assert FOUR_CARD.hand(cards(higher)) > FOUR_CARD.hand(cards(lower))


@given(st.permutations(DECK), st.permutations(list(Suit)))
@pytest.mark.clause(*in_uth("6.C"))
def test_suits_and_order_never_matter_to_five(deck: list[Card], suits: list[Suit]) -> None:
    assert _is_the_same(FIVE_CARD, deck, suits)


@given(st.permutations(DECK), st.permutations(list(Suit)))
@pytest.mark.clause("FCP-14 6.B")
def test_suits_and_order_never_matter_to_four(deck: list[Card], suits: list[Suit]) -> None:
    assert _is_the_same(FOUR_CARD, deck, suits)


def _is_the_same(ranking: Ranking, deck: list[Card], suits: list[Suit]) -> bool:
    """Whether the best hand of some cards stays as good with suits exchanged and cards reversed."""
    some = tuple(deck[: ranking.size + 2])
    moved = tuple(Card(card.rank, suits[card.suit]) for card in reversed(some))
    return ranking.best(some) == ranking.best(moved)


@pytest.mark.clause("UTH-S 6.F(8)", "UTH-14 6.F(8)", "FCP-14 6.F(8)")
def test_super_royal() -> None:
    assert super_royal_suit(cards("9d Td Jd Qd Kd Ad")) is Suit.DIAMONDS
    assert super_royal_suit(cards("9d Td Jd Qd Kd Ah")) is None
    assert super_royal_suit(cards("8d Td Jd Qd Kd Ad")) is None
    found = [six for six in combinations(DECK[28:], 6) if super_royal_suit(six) is not None]
    assert len(found) == 4
