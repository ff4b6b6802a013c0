"""Sample hands stand where the kernels number their classes."""

from __future__ import annotations

import numpy as np

from croupier.exact.hand_classes import samples, six_card_counts
from croupier.exact.kernels import four_card_rank
from croupier.exact.kernels.poker_rank import rank_hands
from croupier.facts.hands import FIVE_CARD, FOUR_CARD


def test_samples_are_in_the_kernels_order() -> None:
    five = [[card.number for card in hand.cards] for hand in samples(FIVE_CARD)]
    assert np.array_equal(rank_hands(five), np.arange(7462))
    quads = [[card.number for card in hand.cards] for hand in samples(FOUR_CARD)]
    assert np.array_equal(four_card_rank.rank_hands(quads), np.arange(2535))


def test_every_six_card_hand_is_counted_once() -> None:
    assert six_card_counts().sum() == 20_358_520
