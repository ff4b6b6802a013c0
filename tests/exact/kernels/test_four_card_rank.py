"""The fast four-card evaluator equals the readable one."""

import random
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.exact.kernels import four_card_rank
from croupier.exact.kernels.card_sets import card_sets
from croupier.facts.cards import DECK, cards
from croupier.facts.hands import FOUR_CARD, Category, Hand

# FIGURES.md, from a wizardofvegas.com thread: the best four of five cards.
BEST_OF_FIVE = {
    Category.FOUR_OF_A_KIND: 624,
    Category.STRAIGHT_FLUSH: 2_072,
    Category.THREE_OF_A_KIND: 58_656,
    Category.FLUSH: 114_616,
    Category.STRAIGHT: 101_808,
    Category.TWO_PAIR: 123_552,
}


def readable(numbers: list[int]) -> Hand:
    return FOUR_CARD.best(DECK[number] for number in numbers)


def assert_same_order(rows: list[list[int]]) -> None:
    """Equal hands have equal classes, higher hands higher classes, and categories agree."""
    classes = four_card_rank.rank_hands(rows)
    hands = [readable(row) for row in rows]
    by_class: dict[int, Hand] = {}
    for found, hand in zip(classes.tolist(), hands, strict=True):
        assert by_class.setdefault(found, hand) == hand
        assert FOUR_CARD.order[four_card_rank.tables().categories[found]] == hand.category
    in_order = [by_class[found] for found in sorted(by_class)]
    assert all(lower < higher for lower, higher in pairwise(in_order))


def random_hands(size: int, count: int) -> list[list[int]]:
    chance = random.Random(size)
    return [chance.sample(range(52), size) for _ in range(count)]


def test_every_kind_of_four_cards() -> None:
    sets = card_sets(np.arange(52, dtype=np.uint8))
    rows = sets.cards[sets.starts[4] : sets.starts[5], :4].tolist()
    assert_same_order(rows)
    assert len(set(four_card_rank.rank_hands(rows).tolist())) == four_card_rank.CLASSES


@pytest.mark.parametrize("size", [4, 5, 6])
def test_random_hands(size: int) -> None:
    assert_same_order(random_hands(size, 3_000))


@given(st.sets(st.integers(0, 51), min_size=4, max_size=6).map(list), st.randoms())
def test_the_order_of_cards_is_nothing(hand: list[int], chance: random.Random) -> None:
    shuffled = chance.sample(hand, len(hand))
    assert four_card_rank.rank_hands([hand]) == four_card_rank.rank_hands([shuffled])


def test_best_of_five_cards() -> None:
    hands = np.array(list(combinations(range(52), 5)), dtype=np.uint8)
    found = np.bincount(four_card_rank.tables().categories[four_card_rank.rank_hands(hands)])
    counts = dict(zip(FOUR_CARD.order, found.tolist(), strict=True))
    assert sum(counts.values()) == 2_598_960
    assert {category: counts[category] for category in BEST_OF_FIVE} == BEST_OF_FIVE


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("As Kd Qc 2h 2d", "3s 3d 2c 2h 4d"),
        ("As Ks Qs Js", "2h 2d 2s 2c"),
        ("As Ks Qs 9s Ad Ac", "2h 3h 4h Ah"),
        ("Ks Ac 2h 3d", "2c 3d 4h As"),
        ("Ac 2d 3h 4s", "2c 3d 4h 5s"),
        ("Ac Kd Qh Js", "2c 3c 4c 6c"),
        ("Ac Kc Qc 9c", "2c 2d 2h 3s"),
    ],
)
def test_the_order_of_this_game(lower: str, higher: str) -> None:
    weak, strong = ([[card.number for card in cards(text)]] for text in (lower, higher))
    assert four_card_rank.rank_hands(weak)[0] < four_card_rank.rank_hands(strong)[0]


@pytest.mark.parametrize(
    ("hands", "complaint"),
    [
        ([[0, 1, 2]], "rows of 4, 5 or 6"),
        ([0, 1, 2, 3], "rows of 4, 5 or 6"),
        ([[0, 1, 2, 52]], "from 0 to 51"),
        ([[0, 1, 2, -1]], "from 0 to 51"),
        ([[0.0, 1.0, 2.0, 3.0]], "integers"),
        ([[0, 1, 2, 3], [0, 1, 2, 2]], "hand 1 is not 4 different cards"),
        (np.array([[0, 1, 2, 3, 200, 5]], dtype=np.uint8), "hand 0 is not 6 different cards"),
    ],
)
def test_what_is_no_hand(hands: object, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        four_card_rank.rank_hands(hands)  # type: ignore[arg-type]


def test_no_hands() -> None:
    assert len(four_card_rank.rank_hands(np.empty((0, 5), dtype=np.uint8))) == 0


@pytest.mark.prove
def test_all_four_card_hands() -> None:
    assert_same_order([list(hand) for hand in combinations(range(52), 4)])


@pytest.mark.prove
@pytest.mark.parametrize("size", [5, 6])
def test_many_random_hands(size: int) -> None:
    assert_same_order(random_hands(size, 100_000))
