"""Wagers on a box's cards and others dealt for them alone: how they tell six cards apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.exact.hand_classes import common_cells, lines_of_classes
from croupier.exact.hand_samples import samples
from croupier.exact.kernels import six_card_tables as kernel
from croupier.exact.kernels.poker_rank import rank_once
from croupier.exact.kernels.positions import CHOOSE, FULL_DECK
from croupier.exact.side_wagers import line_number
from croupier.facts.cards import Card, Rank, Suit
from croupier.facts.hands import FIVE_CARD, SUPER_ROYAL_RANKS
from croupier.facts.showings import Showing
from croupier.rulebook.book import Paytable

SIX_CARDS = "six cards"
SUPER_ROYALS = tuple(
    tuple(Card(Rank(rank), suit) for rank in sorted(SUPER_ROYAL_RANKS)) for suit in Suit
)
# By the half that counts it and its first bit, as the kernel's sets of ranks are marked.
_MADE = {
    (0, 0): kernel.THREE,
    (0, kernel.HALF): kernel.STRAIGHT,
    (1, 0): kernel.FULL_HOUSE,
    (1, kernel.HALF): kernel.FOUR,
}
MetPart = tuple[tuple[int, ...], Fraction]
SharedLines = tuple[MetPart, ...]
"""By wager its line, and in what share of these deals each is paid so."""


@dataclass(frozen=True)
class SixCells:
    """Cells of classes that these paytables treat alike; and last, one of the super royals, whose
    suits come equally often."""

    of_class: NDArray[np.uint8]
    firsts: NDArray[np.int64]  # by cell but the last: one of its classes
    shares: tuple[SharedLines, ...]

    @classmethod
    def of(cls, tables: Sequence[Paytable]) -> SixCells:
        alike = np.zeros(len(samples(FIVE_CARD)), dtype=np.uint8)
        lines = [lines_of_classes(table, FIVE_CARD) for table in tables]
        cells, firsts = common_cells([alike, *lines])
        plain = (tuple(int(of_table[first]) for of_table in lines) for first in firsts)
        suits = Counter(
            tuple(line_number(table, Showing(FIVE_CARD.best(six), six)) for table in tables)
            for six in SUPER_ROYALS
        )
        by_suit = tuple((line, Fraction(n, len(SUPER_ROYALS))) for line, n in suits.items())
        return cls(cells, firsts, (*(((line, Fraction(1)),) for line in plain), by_suit))

    def of_hands(self, hands: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The cells of rows of six cards."""
        found = self.of_class[rank_once(hands)]
        for six in SUPER_ROYALS:
            numbers = [card.number for card in six]
            found[np.isin(hands, numbers).all(axis=1)] = len(self.firsts)
        return found


def sixes_with(hole: Sequence[int], out: NDArray[np.uint8]) -> NDArray[np.int64]:
    """By row of cards that are out: how many sets of four of the others make what with a hole.

    The same tables as the count reads, of a whole deck, and nothing compiled.
    """
    suits, sets = kernel.suit_tables(len(FULL_DECK)), kernel.rank_sets()
    low, high = sorted(card >> 2 for card in hole)
    pair = high * (high + 1) // 2 + low
    left = np.stack([4 - np.count_nonzero(out >> 2 == rank, axis=1) for rank in range(13)], axis=1)
    left[:, [low]] -= 1
    left[:, [high]] -= 1
    made = np.zeros((len(out), kernel.SIXES), np.int64)
    for at in range(sets.first[pair], sets.first[pair + 1]):
        ways = CHOOSE[left[:, sets.ranks[at]], sets.cards[at]].prod(axis=1)
        made[:, _MADE[int(sets.half[at]), int(sets.shift[at])]] += ways
    for suit in {card & 3 for card in hole}:
        own = [card >> 2 for card in hole if card & 3 == suit]
        mask = np.where(out & 3 == suit, 1 << (out >> 2).astype(np.int64), 0).sum(axis=1)
        other = low + high - own[0]
        table = suits.one[own[0], other] if len(own) == 1 else suits.two[pair]
        plain, rare = table[mask].T
        made[:, kernel.FLUSH] += plain & (1 << kernel.HALF) - 1
        made[:, kernel.STRAIGHT] -= plain >> kernel.HALF
        made[:, kernel.STRAIGHT_FLUSH] += rare & (1 << kernel.ROYAL_AT) - 1
        made[:, kernel.ROYAL] += (
            rare >> kernel.ROYAL_AT & (1 << kernel.SUPER_AT - kernel.ROYAL_AT) - 1
        )
        made[:, kernel.SUPER_ROYAL] += rare >> kernel.SUPER_AT
        if len(own) == 2:
            of_others = left - (mask[:, None] >> np.arange(13) & 1 ^ 1)
            made[:, kernel.STRAIGHT] -= (suits.filling[pair][mask] * of_others).sum(axis=1)
    cards = len(FULL_DECK) - len(hole) - out.shape[1]
    made[:, kernel.LESS] = CHOOSE[cards, 4] - made.sum(axis=1)
    return made
