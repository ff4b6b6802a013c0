"""Four Card Poker, exactly: the best action for every hand and up card, and what all deals bring.

:mod:`.showdowns` counts, without any rule, how often each hand loses, ties and wins against each up
card. Here the rules come in, as arguments. An action's result is linear in the Play wager, so no
wager between the least and the most is ever better than both of them: three actions remain. With
the actions known, by the best choice or by a strategy that is given, one pass over hands and up
cards counts all 167 trillion deals by whatever partition of the player's hands and of the up cards
is asked for. Counts are integers; whoever asks multiplies them by what a deal pays.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from croupier.exact.kernels import four_card_rank
from croupier.exact.kernels.array_types import Int64s, Uint8s, int64
from croupier.exact.kernels.compiled import in_chunks, kernel, threads_to_use
from croupier.exact.kernels.four_card_rank import FourCardRankTables
from croupier.exact.kernels.showdowns import HAND_SIZE, Showdowns

MOST, LEAST, FOLD = range(3)  # actions: Play at its most, at its least, or none
WIN, TIE, LOSS = range(3)  # outcomes: how the player's hand compares with the dealer's
NO_ACTION = 255  # in tables of actions: this card is in the player's hand, or not in the deck

_CHUNK = 4_096


class Stakes(NamedTuple):
    """What decides an action. Pays are whole numbers of ``1 / unit`` Antes."""

    least: int  # Play, in Antes
    most: int
    ties: int  # Ante and Play on a tie: 1 they win, 0 they push, -1 they lose
    unit: int
    bonus_of_class: Int64s  # by class: what Play made brings, whoever wins

    @classmethod
    def of_cells(
        cls, cell_of_class: ArrayLike, bonus_pay: ArrayLike, unit: int = 1,
        least: int = 1, most: int = 3, ties: int = 1,
    ) -> Stakes:  # fmt: skip
        """Stakes with a bonus for each cell of a partition of the classes."""
        bonus = np.asarray(bonus_pay, dtype=np.int64)[np.asarray(cell_of_class)]
        return cls(least, most, ties, unit, bonus)


class ActionValues(NamedTuple):
    """What each action brings on average, in Antes, as numerators over one denominator."""

    most: int
    least: int
    fold: int
    denominator: int

    @property
    def best(self) -> int:
        """The best action; of equal ones that with the smallest wager."""
        if max(self.most, self.least) <= self.fold:
            return FOLD
        return MOST if self.most > self.least else LEAST


def action_values(showdown: tuple[int, int, int], stakes: Stakes, hand_class: int) -> ActionValues:
    """The value of each action, when so many dealer's hands lose, tie and win."""
    below, equal, above = showdown
    deals = below + equal + above
    edge = stakes.unit * (below + stakes.ties * equal - above)
    bonus = int(stakes.bonus_of_class[hand_class]) * deals
    return ActionValues(
        (1 + stakes.most) * edge + bonus,
        (1 + stakes.least) * edge + bonus,
        -stakes.unit * deals,
        stakes.unit * deals,
    )


def best_actions(showdowns: Showdowns, stakes: Stakes, threads: int | None = None) -> Uint8s:
    """The best action for each kind of hand and up card, as :class:`ActionValues` chooses it."""
    largest = int(np.abs(stakes.bonus_of_class).max(initial=0)) + stakes.unit * (1 + stakes.most)
    if largest * showdowns.completions >= 1 << 62:
        raise ValueError("these odds are too fine or too high to be compared exactly")
    actions = np.full(showdowns.below.shape, NO_ACTION, dtype=np.uint8)
    bonus = stakes.bonus_of_class[showdowns.classes]

    def choose(_: None, start: int, stop: int) -> None:
        _choose(showdowns, stakes[:4], bonus, start, stop, actions)

    workers: list[None] = [None] * threads_to_use(threads)
    in_chunks(choose, workers, len(actions), _CHUNK, lambda done: None)
    return actions


def tally(
    showdowns: Showdowns,
    actions: Uint8s,
    hand_lines: ArrayLike,
    card_lines: ArrayLike | None = None,
    threads: int | None = None,
) -> Int64s:
    """Count every deal: ``[line of the hand, line of the up card, action, outcome]``.

    ``hand_lines`` gives each kind of hand its line and ``card_lines`` each card as an up card; both
    may be any partition that exchanging suits does not change. A hand that folds is counted as if
    it had been shown.
    """
    by_hand = np.ascontiguousarray(hand_lines, dtype=np.int64)
    by_card = np.zeros(52, dtype=np.int64) if card_lines is None else np.asarray(card_lines)
    if by_hand.shape != showdowns.weights.shape or by_card.shape != (52,):
        raise ValueError("a partition has one line for each kind of hand, or for each card")
    if min(by_hand.min(), by_card.min()) < 0:
        raise ValueError("lines are numbered from 0")
    if actions.shape != showdowns.can_be_up.shape or ((actions > FOLD) & showdowns.can_be_up).any():
        raise ValueError("a strategy has an action for each kind of hand and up card")
    shape = (int(by_hand.max()) + 1, int(by_card.max()) + 1, 3, 3)
    counts = [np.zeros(shape, dtype=np.int64) for _ in range(threads_to_use(threads))]
    by_card = by_card.astype(np.int64)

    def count(mine: Int64s, start: int, stop: int) -> None:
        _count(showdowns, actions, by_hand, by_card, start, stop, mine)

    in_chunks(count, counts, len(actions), _CHUNK, lambda done: None)
    return sum(counts[1:], start=counts[0])


def count_outcomes(
    showdowns: Showdowns,
    actions: Uint8s,
    cell_of_class: ArrayLike,
    side_lines: ArrayLike | None = None,
    threads: int | None = None,
) -> Int64s:
    """Count every deal: ``[line of a side wager, action, cell of the hand, outcome]``.

    The side wager is any that the player's five cards decide: ``side_lines`` gives each kind of
    hand its line. Without it there is one line.
    """
    cells = np.asarray(cell_of_class, dtype=np.int64)[showdowns.classes]
    sides = np.zeros(len(cells), np.int64) if side_lines is None else np.asarray(side_lines)
    most_cells = int(np.asarray(cell_of_class).max()) + 1
    lines = sides.astype(np.int64) * most_cells + cells
    found = tally(showdowns, actions, lines, threads=threads)[:, 0]
    counts = np.zeros((int(sides.max()) + 1, most_cells, 3, 3), dtype=np.int64)
    counts.reshape(-1, 3, 3)[: len(found)] = found
    return counts.transpose(0, 2, 1, 3)


def count_by_class_and_rank(
    showdowns: Showdowns, actions: Uint8s, threads: int | None = None
) -> Int64s:
    """Count every deal: ``[class of the hand, rank of the up card from two, action, outcome]``."""
    ranks = np.arange(52) // 4
    found = tally(showdowns, actions, showdowns.classes, ranks, threads)
    counts = np.zeros((four_card_rank.CLASSES, 13, 3, 3), dtype=np.int64)
    counts[: len(found)] = found
    return counts


def deal_out(
    cards: tuple[int, ...], up: int, deck: ArrayLike | None = None
) -> tuple[int, int, int]:
    """How many dealer's hands lose, tie and win, by dealing each of them.

    All 1.4 million take some milliseconds with NumPy, and nothing is compiled for one hand.
    """
    held = np.arange(52) if deck is None else np.unique(deck)
    known = [*cards, up]
    if len(cards) != HAND_SIZE or not np.isin(known, held).all() or len(set(known)) < len(known):
        raise ValueError("five cards and an up card, all different and of this deck, are needed")
    tables = four_card_rank.tables()
    own = np.array(cards)
    total, bits = tables.cards[own].sum(keepdims=True), tables.bits[own].sum(keepdims=True)
    hand_class = int(four_card_rank.classes_of(total, bits, tables)[0])
    return _deal_out(np.setdiff1d(held, known), up, hand_class, tables)


def _deal_out(
    unseen: Int64s, up: int, hand_class: int, tables: FourCardRankTables
) -> tuple[int, int, int]:
    """Deal the dealer's other five cards in every way: all ways with one second-highest card at
    once. The three below it are the first so many of all threes, in the order of their highest."""
    threes = np.array([(a, b, c) for a in range(len(unseen)) for b in range(a) for c in range(b)])
    cards, bits = tables.cards[unseen], tables.bits[unseen]
    trio_cards, trio_bits = cards[threes].sum(axis=1), bits[threes].sum(axis=1)
    below = equal = dealt = 0
    for second in range(3, len(unseen) - 1):
        ways = comb(second, 3)
        highest = slice(second + 1, None)
        totals = (cards[highest] + cards[second] + tables.cards[up])[:, None] + trio_cards[:ways]
        held = (bits[highest] | bits[second] | tables.bits[up])[:, None] | trio_bits[:ways]
        classes = four_card_rank.classes_of(totals, held, tables)
        below += int(np.count_nonzero(classes < hand_class))
        equal += int(np.count_nonzero(classes == hand_class))
        dealt += classes.size
    return below, equal, dealt - below - equal


@kernel
def _choose(
    showdowns: Showdowns,
    stakes: tuple[int, int, int, int],
    bonus: Int64s,
    first: int,
    last: int,
    actions: Uint8s,
) -> None:
    least, most, ties, unit = stakes
    deals = showdowns.completions
    for hand in range(first, last):
        for card in showdowns.sets.deck:
            if showdowns.can_be_up[hand, card]:
                below = int64(showdowns.below[hand, card])
                equal = int64(showdowns.equal[hand, card])
                edge = unit * (below + ties * equal - (deals - below - equal))
                at_most = (1 + most) * edge + bonus[hand] * deals
                at_least = (1 + least) * edge + bonus[hand] * deals
                if max(at_most, at_least) <= -unit * deals:
                    actions[hand, card] = FOLD
                else:
                    actions[hand, card] = MOST if at_most > at_least else LEAST


@kernel
def _count(
    showdowns: Showdowns, actions: Uint8s, by_hand: Int64s, by_card: Int64s, first: int, last: int,
    counts: Int64s,
) -> None:  # fmt: skip
    for hand in range(first, last):
        weight = showdowns.weights[hand]
        for card in showdowns.sets.deck:
            if showdowns.can_be_up[hand, card]:
                below = int64(showdowns.below[hand, card])
                equal = int64(showdowns.equal[hand, card])
                counted = counts[by_hand[hand], by_card[card], actions[hand, card]]
                counted[WIN] += weight * below
                counted[TIE] += weight * equal
                counted[LOSS] += weight * (showdowns.completions - below - equal)
