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

from croupier.exact.kernels.array_types import Int32s, Int64s, Uint8s, Uint16s, Uint32s
from croupier.exact.kernels.compiled import kernel, leaf
from croupier.exact.kernels.poker_rank import PokerRankTables, rank_of_counts
from croupier.exact.kernels.suit_views import Views

WIN_QUALIFYING, WIN, TIE, LOSS_QUALIFYING, LOSS = range(5)
OUTCOMES = 5


OUTCOME_SLOTS = 8  # room for five outcomes that the processor adds up at once
_PAIR_BITS, _LOW_BITS = 9, 7  # a key to sort by: the class, and below it the pair


class ShowdownRows(NamedTuple):
    """One problem, and room to solve it; made by :func:`new_showdown`."""

    live: Int64s  # (26,): cards left of each kind
    classes: Uint16s  # (351,): the class of each pair that can be held
    listed: Uint16s  # those pairs, as they are numbered
    order: Uint16s  # the same, the weakest first
    wins: Int32s  # in that order: the dealer's hands below the player's
    ties: Int32s
    weak: Int32s  # and the dealer's hands that do not qualify
    outcomes: Int32s  # (351, 8): by pair, the dealer's hands by outcome
    keys: Uint32s
    by_rank: Uint16s
    ends: Int32s
    below: Int64s
    upto: Int64s
    unqualified: Int64s


@kernel
def new_showdown() -> ShowdownRows:
    pairs, kinds = 351, 26
    return ShowdownRows(
        np.zeros(kinds, np.int64),
        np.zeros(pairs, np.uint16),
        np.zeros(pairs, np.uint16),
        np.zeros(pairs, np.uint16),
        np.zeros(pairs, np.int32),
        np.zeros(pairs, np.int32),
        np.zeros(pairs, np.int32),
        np.zeros((pairs, OUTCOME_SLOTS), np.int32),
        np.zeros((2, pairs), np.uint32),
        np.zeros(pairs, np.uint16),
        np.zeros((2, 129), np.int32),
        np.zeros(kinds, np.int64),
        np.zeros(kinds, np.int64),
        np.zeros(kinds, np.int64),
    )


@leaf
def live_after(kinds: Uint8s, live_in_deck: Int64s, live: Int64s) -> bool:
    """What is left of each kind after these cards; False if the deck has not so many."""
    for kind in range(len(live)):
        live[kind] = live_in_deck[kind]
    enough = True
    for kind in kinds:
        live[kind] -= 1
        enough = enough and live[kind] >= 0
    return enough


@leaf
def solve_showdown(
    kinds: Uint8s, tables: PokerRankTables, views: Views, qualifying: int, showdown: ShowdownRows
) -> int:
    """Rank and sort every pair on the board of these kinds, and count the outcomes of each.

    ``live`` is set; ``qualifying`` is the dealer's least class that does. The number of pairs.
    """
    count = meet_dealers(kinds, tables, views, qualifying, showdown)
    dealers = dealers_hands(showdown.live)
    order, classes = showdown.order, showdown.classes
    wins, ties, weak = showdown.wins, showdown.ties, showdown.weak
    for at in range(count):
        pair = order[at]
        write_outcome(
            classes[pair] >= qualifying, wins[at], ties[at], weak[at], dealers,
            showdown.outcomes[pair],
        )  # fmt: skip
    return count


@leaf
def meet_dealers(
    kinds: Uint8s, tables: PokerRankTables, views: Views, qualifying: int, showdown: ShowdownRows
) -> int:
    """The same without outcomes: the pairs in order, with ``wins``, ``ties`` and ``weak``."""
    count = rank_pairs(kinds, tables, views, showdown)
    sort_by_class(showdown.keys, showdown.ends, count, showdown.order)
    _count_lower(count, views, qualifying, showdown)
    return count


@leaf
def dealers_hands(live: Int64s) -> int:
    """How many hands the dealer can have when the player has two of the cards left."""
    cards = live.sum() - 2
    return cards * (cards - 1) // 2


@leaf
def rank_pairs(kinds: Uint8s, tables: PokerRankTables, views: Views, showdown: ShowdownRows) -> int:
    """Rank every pair that can be held on this board, and list those."""
    total, suited, in_suit = np.uint64(0), 0, 0
    for kind in kinds:
        total += tables.cards[4 * (kind % 13)]
        if kind >= 13:
            suited |= 1 << (kind - 13)
            in_suit += 1
    live, by_rank, keys = showdown.live, showdown.by_rank, showdown.keys[0]
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
                best = by_rank[views.rank_pair[pair]]
            else:
                best = tables.flushes[suited | (1 << high) >> 13 | (1 << low) >> 13]
            showdown.classes[pair] = best
            showdown.listed[count] = pair
            keys[count] = np.uint32(best) << np.uint32(_PAIR_BITS) | np.uint32(pair)
            count += 1
    return count


@leaf
def sort_by_class(keys: Uint32s, ends: Int32s, count: int, order: Uint16s) -> None:
    """Sort by the low seven bits of the class, then, keeping that order, by the high six."""
    given, half_sorted = keys[0], keys[1]
    low, high = ends[0], ends[1]
    low[:], high[:] = 0, 0
    for at in range(count):
        low[_low_bits(given[at]) + np.uint32(1)] += 1
        high[_high_bits(given[at]) + np.uint32(1)] += 1
    for bucket in range(128):
        low[bucket + 1] += low[bucket]
        high[bucket + 1] += high[bucket]
    for at in range(count):
        bits = _low_bits(given[at])
        half_sorted[np.uint32(low[bits])] = given[at]
        low[bits] += 1
    for at in range(count):
        bits = _high_bits(half_sorted[at])
        order[np.uint32(high[bits])] = half_sorted[at] & np.uint32((1 << _PAIR_BITS) - 1)
        high[bits] += 1


@leaf
def _low_bits(key: np.uint32) -> np.uint32:
    return np.uint32(key >> np.uint32(_PAIR_BITS) & np.uint32((1 << _LOW_BITS) - 1))


@leaf
def _high_bits(key: np.uint32) -> np.uint32:
    return np.uint32(key >> np.uint32(_PAIR_BITS + _LOW_BITS))


@leaf
def hands_of(low: int, high: int, live: Int64s) -> int:
    """How many hands a pair of kinds is."""
    if low == high:
        return live[low] * (live[low] - 1) // 2
    return live[low] * live[high]


@leaf
def add_hands(low: int, high: int, live: Int64s, holding: Int64s) -> None:
    """Add a pair's hands to the count of hands that hold one given card of each kind."""
    if low == high:
        holding[low] += live[low] - 1
    else:
        holding[low] += live[high]
        holding[high] += live[low]


@leaf
def _count_lower(count: int, views: Views, qualifying: int, showdown: ShowdownRows) -> None:
    """The walk: groups of equal hands in rising order."""
    live, order, classes = showdown.live, showdown.order, showdown.classes
    wins, ties, weak = showdown.wins, showdown.ties, showdown.weak
    below, upto, unqualified = showdown.below, showdown.upto, showdown.unqualified
    lows, highs = views.low, views.high
    below[:], upto[:] = 0, 0
    all_unqualified = _count_unqualified(count, views, qualifying, showdown)
    lower, first = 0, 0
    while first < count:
        last, equal, hand = first, 0, classes[order[first]]
        while last < count and classes[order[last]] == hand:
            low, high = lows[order[last]], highs[order[last]]
            equal += hands_of(low, high, live)
            add_hands(low, high, live, upto)
            last += 1
        own = 1 if hand < qualifying else 0
        for at in range(first, last):
            low, high = lows[order[at]], highs[order[at]]
            blocked = below[low] + below[high]
            wins[at] = lower - blocked
            ties[at] = equal - (upto[low] + upto[high] - blocked) + 1
            weak[at] = all_unqualified - unqualified[low] - unqualified[high] + own
        for at in range(first, last):
            low, high = lows[order[at]], highs[order[at]]
            below[low], below[high] = upto[low], upto[high]
        lower += equal
        first = last


@leaf
def write_outcome(
    qualifies: bool, wins: int, ties: int, weak: int, dealers: int, outcome: Int32s
) -> None:
    """If the player's class qualifies no higher dealer is weak; if not, every lower one is."""
    outcome[TIE] = ties
    if qualifies:
        outcome[WIN], outcome[WIN_QUALIFYING] = weak, wins - weak
        outcome[LOSS], outcome[LOSS_QUALIFYING] = 0, dealers - wins - ties
    else:
        outcome[WIN], outcome[WIN_QUALIFYING] = wins, 0
        outcome[LOSS], outcome[LOSS_QUALIFYING] = weak - wins - ties, dealers - weak


@leaf
def weigh_outcomes(
    qualifies: bool, nets: Int64s, dealers: int
) -> tuple[int, np.int32, np.int32, np.int32]:
    """What the outcomes of one class bring: so much in all, for each win, tie and weak dealer.

    ``nets`` are by outcome. Sums of what :func:`write_outcome` writes, in fewer steps.
    """
    whole = dealers * nets[LOSS_QUALIFYING]
    if qualifies:
        win, tie = nets[WIN_QUALIFYING], nets[TIE]
        loss, weak = nets[LOSS_QUALIFYING], nets[WIN] - nets[WIN_QUALIFYING]
    else:
        win, tie = nets[WIN], nets[TIE]
        loss, weak = nets[LOSS], nets[LOSS] - nets[LOSS_QUALIFYING]
    return whole, np.int32(win - loss), np.int32(tie - loss), np.int32(weak)


@leaf
def _count_unqualified(count: int, views: Views, qualifying: int, showdown: ShowdownRows) -> int:
    """Hands below the least class that qualifies; those that hold a card by its kind."""
    order, live, unqualified = showdown.order, showdown.live, showdown.unqualified
    unqualified[:] = 0
    hands, at = 0, 0
    while at < count and showdown.classes[order[at]] < qualifying:
        low, high = views.low[order[at]], views.high[order[at]]
        hands += hands_of(low, high, live)
        add_hands(low, high, live, unqualified)
        at += 1
    return hands
