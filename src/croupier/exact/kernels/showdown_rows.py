"""One showdown problem: rank every pair of kinds on a board, count the dealer's hands against it.

The pairs are sorted by class once. Then one walk through them in rising order knows at each step
how many dealer's hands are lower, and how many of these hold a given card. The player's two cards
block the dealer's hands that hold either, so by inclusion and exclusion

    lower, unblocked = lower - lower with the first card - lower with the second.

No hand with both cards is lower: it would be the player's own. Among equal hands it is one, and is
added back. Kinds with several cards count as often as they have cards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import Int64s, Uint8s
from croupier.exact.kernels.compiled import kernel
from croupier.exact.kernels.poker_rank import PokerRankTables, rank_of_counts
from croupier.exact.kernels.suit_views import Views

WIN_QUALIFYING, WIN, TIE, LOSS_QUALIFYING, LOSS = range(5)
OUTCOMES = 5


OUTCOME_SLOTS = 8  # room for five outcomes that the processor adds up at once


class ShowdownRows(NamedTuple):
    """One problem, and room to solve it; made by :func:`new_showdown`."""

    live: Int64s  # (26,): cards left of each kind
    classes: Int64s  # (351,): the class of each pair that can be held
    order: Int64s  # those pairs, the weakest first
    outcomes: Int64s  # (351, 8): by pair, the dealer's hands by outcome
    spare: Int64s
    by_rank: Int64s
    ends: Int64s
    below: Int64s
    upto: Int64s
    weak: Int64s


@kernel
def new_showdown() -> ShowdownRows:
    pairs, kinds = 351, 26
    return ShowdownRows(
        np.zeros(kinds, np.int64),
        np.zeros(pairs, np.int64),
        np.zeros(pairs, np.int64),
        np.zeros((pairs, OUTCOME_SLOTS), np.int64),
        np.zeros(pairs, np.int64),
        np.zeros(pairs, np.int64),
        np.zeros(129, np.int64),
        np.zeros(kinds, np.int64),
        np.zeros(kinds, np.int64),
        np.zeros(kinds, np.int64),
    )


@kernel
def live_after(kinds: Uint8s, live_in_deck: Int64s, live: Int64s) -> bool:
    """What is left of each kind after these cards; False if the deck has not so many."""
    live[:] = live_in_deck
    enough = True
    for kind in kinds:
        live[kind] -= 1
        enough = enough and live[kind] >= 0
    return enough


@kernel
def solve_showdown(
    kinds: Uint8s, tables: PokerRankTables, views: Views, qualifying: int, showdown: ShowdownRows
) -> int:
    """Rank and sort every pair on the board of these kinds, and count the outcomes of each.

    ``live`` is set; ``qualifying`` is the dealer's least class that does. The number of pairs.
    """
    count = rank_pairs(kinds, tables, views, showdown)
    _sort_by_class(showdown.classes, showdown.spare, showdown.order, showdown.ends, count)
    _count_outcomes(count, views, qualifying, showdown)
    return count


@kernel
def dealers_hands(live: Int64s) -> int:
    """How many hands the dealer can have when the player has two of the cards left."""
    cards = live.sum() - 2
    return cards * (cards - 1) // 2


@kernel
def rank_pairs(kinds: Uint8s, tables: PokerRankTables, views: Views, showdown: ShowdownRows) -> int:
    """Rank every pair that can be held on this board, and list those."""
    total, suited, in_suit = np.uint64(0), 0, 0
    for kind in kinds:
        total += tables.cards[4 * (kind % 13)]
        if kind >= 13:
            suited |= 1 << (kind - 13)
            in_suit += 1
    live, by_rank = showdown.live, showdown.by_rank
    count, pair = 0, -1
    for high in range(26 if in_suit else 13):
        for low in range(high + 1):
            pair += 1
            if high < 13:  # ranked even if it cannot be held: the same ranks may be, with the suit
                cards = tables.cards[4 * low] + tables.cards[4 * high]
                by_rank[pair] = rank_of_counts(total + cards, tables)
            if live[low] == 0 or live[high] == 0 or (low == high and live[low] == 1):
                continue
            if in_suit + (low >= 13) + (high >= 13) < 5:
                showdown.classes[pair] = by_rank[views.rank_pair[pair]]
            else:
                ranks = suited | (1 << high) >> 13 | (1 << low) >> 13
                showdown.classes[pair] = tables.flushes[ranks]
            showdown.spare[count] = pair
            count += 1
    return count


@kernel
def _sort_by_class(classes: Int64s, spare: Int64s, order: Int64s, ends: Int64s, count: int) -> None:
    """Sort by the low seven bits of the class, then, keeping that order, by the high six."""
    _sort_by_bits(classes, spare, order, ends, count, 0)
    spare[:count] = order[:count]
    _sort_by_bits(classes, spare, order, ends, count, 7)


@kernel
def _sort_by_bits(
    classes: Int64s, source: Int64s, target: Int64s, ends: Int64s, count: int, shift: int
) -> None:
    ends[:] = 0
    for at in range(count):
        ends[((classes[source[at]] >> shift) & 127) + 1] += 1
    for bucket in range(128):
        ends[bucket + 1] += ends[bucket]
    for at in range(count):
        bucket = (classes[source[at]] >> shift) & 127
        target[ends[bucket]] = source[at]
        ends[bucket] += 1


@kernel
def hands_of(low: int, high: int, live: Int64s) -> int:
    """How many hands a pair of kinds is."""
    if low == high:
        return live[low] * (live[low] - 1) // 2
    return live[low] * live[high]


@kernel
def add_hands(low: int, high: int, live: Int64s, holding: Int64s) -> None:
    """Add a pair's hands to the count of hands that hold one given card of each kind."""
    if low == high:
        holding[low] += live[low] - 1
    else:
        holding[low] += live[high]
        holding[high] += live[low]


@kernel
def _count_outcomes(count: int, views: Views, qualifying: int, showdown: ShowdownRows) -> None:
    """The walk: groups of equal hands in rising order."""
    live, order, classes = showdown.live, showdown.order, showdown.classes
    below, upto = showdown.below, showdown.upto
    below[:], upto[:] = 0, 0
    unqualified = _count_unqualified(count, views, qualifying, showdown)
    dealers = dealers_hands(live)
    lower, first = 0, 0
    while first < count:
        last, equal = first, 0
        while last < count and classes[order[last]] == classes[order[first]]:
            low, high = views.low[order[last]], views.high[order[last]]
            equal += hands_of(low, high, live)
            add_hands(low, high, live, upto)
            last += 1
        qualifies = classes[order[first]] >= qualifying
        for at in range(first, last):
            low, high = views.low[order[at]], views.high[order[at]]
            blocked = below[low] + below[high]
            ties = equal - (upto[low] + upto[high] - blocked) + 1
            weak = unqualified - showdown.weak[low] - showdown.weak[high] + (not qualifies)
            write_outcome(
                qualifies, lower - blocked, ties, weak, dealers, showdown.outcomes[order[at]]
            )
        for at in range(first, last):
            low, high = views.low[order[at]], views.high[order[at]]
            below[low], below[high] = upto[low], upto[high]
        lower += equal
        first = last


@kernel
def write_outcome(
    qualifies: bool, wins: int, ties: int, weak: int, dealers: int, outcome: Int64s
) -> None:
    """If the player's class qualifies no higher dealer is weak; if not, every lower one is."""
    outcome[TIE] = ties
    if qualifies:
        outcome[WIN], outcome[WIN_QUALIFYING] = weak, wins - weak
        outcome[LOSS], outcome[LOSS_QUALIFYING] = 0, dealers - wins - ties
    else:
        outcome[WIN], outcome[WIN_QUALIFYING] = wins, 0
        outcome[LOSS], outcome[LOSS_QUALIFYING] = weak - wins - ties, dealers - weak


@kernel
def _count_unqualified(count: int, views: Views, qualifying: int, showdown: ShowdownRows) -> int:
    """Hands below the least class that qualifies; those that hold a card go to ``weak``."""
    showdown.weak[:] = 0
    hands, at = 0, 0
    while at < count and showdown.classes[showdown.order[at]] < qualifying:
        low, high = views.low[showdown.order[at]], views.high[showdown.order[at]]
        hands += hands_of(low, high, showdown.live)
        add_hands(low, high, showdown.live, showdown.weak)
        at += 1
    return hands
