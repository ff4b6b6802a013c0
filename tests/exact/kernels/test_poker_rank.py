"""The batch evaluator against the readable ranking, and against the textbook's counts."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.exact.kernels import poker_rank
from croupier.exact.kernels.poker_rank import CLASSES, rank_hand, rank_hands, rank_once
from croupier.facts.cards import DECK, Card, card, cards
from croupier.facts.hands import FIVE_CARD, Category, Hand

# FIGURES.md, "Seven-card hand counts, of 133,784,560": textbook.
SEVEN_CARD_COUNTS = {
    Category.HIGH_CARD: 23_294_460,
    Category.PAIR: 58_627_800,
    Category.TWO_PAIR: 31_433_400,
    Category.THREE_OF_A_KIND: 6_461_620,
    Category.STRAIGHT: 6_180_020,
    Category.FLUSH: 4_047_644,
    Category.FULL_HOUSE: 3_473_184,
    Category.FOUR_OF_A_KIND: 224_848,
    Category.STRAIGHT_FLUSH: 37_260,
    Category.ROYAL_FLUSH: 4_324,
}


def five_ranks_and_flushes() -> list[tuple[Card, ...]]:
    """One hand of every class: each set of ranks suited, each multiset of ranks in mixed suits."""
    suited = [tuple(DECK[4 * rank] for rank in ranks) for ranks in combinations(range(13), 5)]
    mixed = [
        tuple(DECK[4 * rank + place % 4] for place, rank in enumerate(ranks))
        for ranks in multisets()
    ]
    return suited + mixed


def multisets() -> list[tuple[int, ...]]:
    """Five ranks, rising, none five times. With suits 0, 1, 2, 3, 0 no card then comes twice."""
    return [
        (a, b, c, d, e)
        for e in range(13)
        for d in range(e + 1)
        for c in range(d + 1)
        for b in range(c + 1)
        for a in range(b + 1)
        if a != e
    ]


def numbers(hands: list[tuple[Card, ...]]) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    return np.array([[card.number for card in hand] for hand in hands], dtype=np.uint8)


@pytest.fixture(scope="module")
def class_of() -> dict[Hand, int]:
    """The classes as the readable ranking orders them."""
    ranked = sorted({FIVE_CARD.hand(hand) for hand in five_ranks_and_flushes()})
    return {hand: number for number, hand in enumerate(ranked)}


def test_every_class_has_its_place_in_the_readable_order(class_of: dict[Hand, int]) -> None:
    assert len(class_of) == CLASSES
    hands = five_ranks_and_flushes()
    expected = [class_of[FIVE_CARD.hand(hand)] for hand in hands]
    assert rank_hands(numbers(hands)).tolist() == expected


@pytest.mark.parametrize("size", poker_rank.HAND_SIZES)
def test_random_hands_rank_as_the_best_five(size: int, class_of: dict[Hand, int]) -> None:
    drawing = np.random.default_rng(size)
    hands = np.array([drawing.permutation(52)[:size] for _ in range(300)])
    best = [class_of[FIVE_CARD.best(DECK[number] for number in hand)] for hand in hands]
    small = hands.astype(np.uint8)
    laid_out = (hands, small, np.asfortranarray(hands), np.asfortranarray(small), small[:, ::-1])
    for same in laid_out:
        assert rank_hands(same).tolist() == best
    assert [rank_hands(hand[None])[0] for hand in small] == best
    assert [rank_hand(hand) for hand in hands.tolist()] == best


@pytest.mark.parametrize("size", poker_rank.HAND_SIZES)
@given(data=st.data())
def test_hands_of_few_ranks_or_suits_rank_as_the_best_five(
    size: int, class_of: dict[Hand, int], data: st.DataObject
) -> None:
    """Random cards seldom make the strong hands; cards near each other do."""
    some = data.draw(st.sampled_from([DECK[:16], DECK[20:40], DECK[::4], DECK[36:], DECK[::2]]))
    hand = data.draw(st.lists(st.sampled_from(some), min_size=size, max_size=size, unique=True))
    assert rank_hands(numbers([tuple(hand)]))[0] == class_of[FIVE_CARD.best(hand)]


def test_the_ends_of_the_order() -> None:
    weakest, royal = cards("7c 5d 4h 3s 2c"), cards("As Ks Qs Js Ts")
    assert rank_hands(numbers([weakest, royal])).tolist() == [0, CLASSES - 1]


def test_the_order_of_cards_does_not_matter() -> None:
    hand = numbers([cards("Ah Kh Qh Jh Th 2c 2d")])
    shuffled = np.random.default_rng(7).permuted(np.repeat(hand, 200, axis=0), axis=1)
    assert set(rank_hands(shuffled)) == {CLASSES - 1}


@pytest.mark.parametrize(
    ("hands", "reason"),
    [
        ([[0, 1, 2, 3]], "rows of 5, 6 or 7"),
        ([0, 1, 2, 3, 4], "rows of 5, 6 or 7"),
        ([[0, 1, 2, 3, 52]], "from 0 to 51"),
        ([[0, 1, 2, 3, -1]], "from 0 to 51"),
        ([[0, 1, 2, 3, 4], [0, 1, 2, 3, -1]], "hand 1 is not 5 different cards"),
        ([[0, 1, 2, 3, 4], [0, 1, 2, 3, 260]], "hand 1 is not 5 different cards"),
        ([[0, 1, 2, 3, 4], [0, 1, 2, 3, 60]], "hand 1 is not 5 different cards"),
        ([[0, 1, 2, 3, 3]], "this is not 5 different cards"),
        ([[0, 1, 2, 3, 4], [0, 1, 2, 3, 3]], "hand 1 is not 5 different cards"),
        (np.array([[0, 1, 2, 3, 200]], dtype=np.uint8), "this is not 5 different cards"),
        ([[0.0, 1.0, 2.0, 3.0, 4.0]], "integers"),
    ],
)
def test_what_is_no_hand_is_refused(hands: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        rank_hands(hands)  # type: ignore[arg-type]


def test_one_hand_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="5, 6 or 7"):
        rank_hand([0, 1, 2, 3])


def test_no_hands_have_no_ranks() -> None:
    assert rank_hands(np.empty((0, 7), dtype=np.uint8)).tolist() == []


def test_wheels_are_straights_and_round_the_corner_is_none(class_of: dict[Hand, int]) -> None:
    wheel, corner = cards("Ah 2c 3d 4s 5h"), cards("Qh Kc Ad 2s 3h")
    expected = [class_of[FIVE_CARD.hand(hand)] for hand in (wheel, corner)]
    assert rank_hands(numbers([wheel, corner])).tolist() == expected
    assert card("5h").rank in FIVE_CARD.hand(wheel).ranks


@pytest.mark.prove
def test_all_five_card_hands_rank_as_the_readable_code_ranks_them(
    class_of: dict[Hand, int],
) -> None:
    hands = np.array(list(combinations(range(52), 5)), dtype=np.uint8)
    ranks = rank_hands(hands)
    for hand, rank in zip(hands.tolist(), ranks.tolist(), strict=True):
        assert class_of[FIVE_CARD.hand(tuple(DECK[number] for number in hand))] == rank


@pytest.mark.prove
@pytest.mark.parametrize("size", [6, 7])
def test_six_and_seven_cards_rank_as_their_best_five(size: int) -> None:
    """A million random hands against the maximum over their fives, which are proved above."""
    drawing = np.random.default_rng(size)
    hands = drawing.random((1_000_000, 52)).argpartition(size, axis=1)[:, :size].astype(np.uint8)
    fives = [rank_hands(hands[:, list(five)]) for five in combinations(range(size), 5)]
    assert (rank_hands(hands) == np.max(fives, axis=0)).all()


@pytest.mark.prove
def test_seven_card_hands_are_as_frequent_as_the_textbook_says(class_of: dict[Hand, int]) -> None:
    category_of = {number: hand.category for hand, number in class_of.items()}
    found: Counter[Category] = Counter()
    for two in combinations(range(52), 2):
        higher = np.arange(two[1] + 1, 52, dtype=np.uint8)
        if len(higher) < 5:
            continue
        rest = np.array(list(combinations(higher, 5)), dtype=np.uint8)
        hands = np.hstack([np.tile(np.array(two, dtype=np.uint8), (len(rest), 1)), rest])
        for number, times in enumerate(np.bincount(rank_hands(hands))):
            found[category_of[number]] += int(times)
    assert found == SEVEN_CARD_COUNTS


@pytest.mark.parametrize("size", [5, 6, 7])
def test_ranking_once_is_ranking(size: int) -> None:
    chance = np.random.default_rng(5)
    decks = np.tile(np.arange(52, dtype=np.uint8), (20_000, 1))
    hands = np.ascontiguousarray(chance.permuted(decks, axis=1)[:, :size])
    assert np.array_equal(rank_once(hands), rank_hands(hands))
