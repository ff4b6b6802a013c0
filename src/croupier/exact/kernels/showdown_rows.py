"""One showdown problem: rank every pair of kinds on a board and count the dealer's hands against it.

The pairs are sorted by class once. Then one walk through them in rising order knows at each step how
many dealer's hands are lower, and how many of these hold a given card; a player's two cards block the
dealer's hands that hold either, so by inclusion and exclusion

    lower, unblocked = lower - lower with the first card - lower with the second.

No hand with both cards is lower: it would be the player's own. Among equal hands it is one, and is
added back. Kinds with several cards count as often as they have cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from croupier.exact.kernels.compiled import kernel
from croupier.exact.kernels.evaluate import rank_of_counts

WIN_QUALIFYING, WIN, TIE, LOSS_QUALIFYING, LOSS = range(5)
OUTCOMES = 5


@kernel
def live_after(kinds: Any, live_in_deck: Any, live: Any) -> Any:
    """What is left of each kind after these cards; False if the deck has not so many."""
    live[:] = live_in_deck
    enough = True
    for kind in kinds:
        live[kind] -= 1
        enough = enough and live[kind] >= 0
    return enough


@kernel
def sort_pairs(kinds: Any, live: Any, tables: Any, views: Any, classes: Any, order: Any) -> Any:
    """Rank every pair that can be held on this board; write those in rising order of class."""
    total, suited, in_suit = np.uint64(0), 0, 0
    for kind in kinds:
        total += tables.cards[4 * (kind % 13)]
        if kind >= 13:
            suited |= 1 << (kind - 13)
            in_suit += 1
    by_rank = np.empty(91, dtype=classes.dtype)
    spare = np.empty(len(order), dtype=order.dtype)
    count = 0
    pair = -1
    for high in range(26 if in_suit else 13):
        for low in range(high + 1):
            pair += 1
            own = (low >= 13) + (high >= 13)
            if own == 0:  # ranked even if it cannot be held: the same ranks may be, with the suit
                cards = tables.cards[4 * low] + tables.cards[4 * high]
                by_rank[pair] = rank_of_counts(total + cards, tables)
            if live[low] == 0 or live[high] == 0 or (low == high and live[low] == 1):
                continue
            if in_suit + own < 5:
                classes[pair] = by_rank[views.rank_pair[pair]]
            else:
                ranks = suited | (1 << high) >> 13 | (1 << low) >> 13
                classes[pair] = tables.flushes[ranks]
            spare[count] = pair
            count += 1
    _sort_by_class(classes, spare, order, count)
    return count


@kernel
def _sort_by_class(classes: Any, spare: Any, order: Any, count: Any) -> Any:
    """Sort by the low seven bits of the class, then, keeping that order, by the high six."""
    for shift, source, target in ((0, spare, order), (7, order, spare)):
        ends = np.zeros(129, dtype=np.int64)
        for at in range(count):
            ends[((classes[source[at]] >> shift) & 127) + 1] += 1
        for bucket in range(128):
            ends[bucket + 1] += ends[bucket]
        for at in range(count):
            bucket = (classes[source[at]] >> shift) & 127
            target[ends[bucket]] = source[at]
            ends[bucket] += 1
    order[:count] = spare[:count]


@kernel
def hands_of(low: Any, high: Any, live: Any) -> Any:
    """How many hands a pair of kinds is."""
    if low == high:
        return live[low] * (live[low] - 1) // 2
    return live[low] * live[high]


@kernel
def add_hands(low: Any, high: Any, live: Any, holding: Any) -> Any:
    """Add a pair's hands to the count of hands that hold one given card of each kind."""
    if low == high:
        holding[low] += live[low] - 1
    else:
        holding[low] += live[high]
        holding[high] += live[low]


@kernel
def count_outcomes(
    order: Any, count: Any, classes: Any, live: Any, views: Any, qualifying: Any, outcomes: Any
) -> Any:
    """For each pair: the dealer's hands by outcome. ``qualifying`` is the least class that does."""
    cards = live.sum() - 2
    dealers = cards * (cards - 1) // 2
    weak, weak_holding, splits = _unqualified(order, count, classes, live, views, qualifying)
    below, upto = np.zeros(26, np.int64), np.zeros(26, np.int64)
    lower = 0
    first = 0
    while first < count:
        last, equal = first, 0
        while last < count and classes[order[last]] == classes[order[first]]:
            low, high = views.low[order[last]], views.high[order[last]]
            equal += hands_of(low, high, live)
            add_hands(low, high, live, upto)
            last += 1
        qualifies = first >= splits
        for at in range(first, last):
            low, high = views.low[order[at]], views.high[order[at]]
            blocked = below[low] + below[high]
            wins = lower - blocked
            ties = equal - (upto[low] + upto[high] - blocked) + 1
            unqualified = weak - weak_holding[low] - weak_holding[high]
            row = outcomes[order[at]]
            if qualifies:
                row[WIN], row[WIN_QUALIFYING] = unqualified, wins - unqualified
                row[LOSS], row[LOSS_QUALIFYING] = 0, dealers - wins - ties
            else:
                unqualified += 1  # the player's own two cards, blocked twice
                row[WIN], row[WIN_QUALIFYING] = wins, 0
                row[LOSS] = unqualified - wins - ties
                row[LOSS_QUALIFYING] = dealers - unqualified
            row[TIE] = ties
        for at in range(first, last):
            low, high = views.low[order[at]], views.high[order[at]]
            below[low], below[high] = upto[low], upto[high]
        lower += equal
        first = last
    return dealers


@kernel
def _unqualified(
    order: Any, count: Any, classes: Any, live: Any, views: Any, qualifying: Any
) -> Any:
    """Hands below the least class that qualifies: all, those holding a card, and their pairs."""
    holding = np.zeros(26, dtype=np.int64)
    hands, at = 0, 0
    while at < count and classes[order[at]] < qualifying:
        low, high = views.low[order[at]], views.high[order[at]]
        hands += hands_of(low, high, live)
        add_hands(low, high, live, holding)
        at += 1
    return hands, holding, at
