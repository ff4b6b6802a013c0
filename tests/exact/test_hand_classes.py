"""Sample hands stand where the kernels number their classes."""

from __future__ import annotations

import numpy as np

from croupier.exact.hand_classes import best_five_counts, kinds
from croupier.exact.hand_samples import five_card_sample, samples
from croupier.exact.kernels import four_card_rank
from croupier.exact.kernels.hand_order import class_strengths
from croupier.exact.kernels.poker_rank import rank_hands
from croupier.facts.hands import FIVE_CARD, FOUR_CARD


def test_samples_are_in_the_kernels_order() -> None:
    five = [[card.number for card in hand.cards] for hand in samples(FIVE_CARD)]
    assert np.array_equal(rank_hands(five), np.arange(7462))
    quads = [[card.number for card in hand.cards] for hand in samples(FOUR_CARD)]
    assert np.array_equal(four_card_rank.rank_hands(quads), np.arange(2535))


def test_one_sample_is_that_of_all_samples() -> None:
    for strength, hand in zip(class_strengths().tolist(), samples(FIVE_CARD), strict=True):
        alone = five_card_sample(strength)
        assert (alone, alone.category) == (hand, hand.category)


def test_every_six_card_hand_is_counted_once() -> None:
    assert best_five_counts(6).sum() == 20_358_520


def test_five_and_six_cards_are_counted_as_the_kernel_ranks_them() -> None:
    """Every kind of five cards, and beside it every sixth: each six cards come up six times."""
    cards, weights = kinds(5)
    fives, sixes = (np.zeros(7462, dtype=np.int64) for _ in range(2))
    np.add.at(fives, rank_hands(cards), weights)
    assert np.array_equal(best_five_counts(5), fives)
    for sixth in range(52):
        able = (cards != sixth).all(axis=1)
        hands = np.column_stack([cards[able], np.full(np.count_nonzero(able), sixth, np.uint8)])
        np.add.at(sixes, rank_hands(hands), weights[able])
    assert np.array_equal(6 * best_five_counts(6), sixes)
