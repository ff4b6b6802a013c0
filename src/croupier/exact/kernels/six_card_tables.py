"""What four cards make with a player's two, by the ranks that are left and by those of one suit."""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.kernels.array_types import Int64s, Uint8s
from croupier.exact.kernels.compiled import leaf
from croupier.exact.kernels.hand_order import class_strengths
from croupier.exact.kernels.poker_rank import rank_once
from croupier.exact.kernels.suit_views import RANK_PAIRS

LESS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL, SUPER_ROYAL = range(9)
SIXES = 9
HALF = 32  # two counts share a number
ROYAL_AT, SUPER_AT = 24, 44  # three of the rare ones do
SETS_OF_RANKS = 1 << 13
_ROYAL_RANKS, _SUPER_RANKS = 0b1111100000000, 0b1111110000000
# By the number of a category, as hands are ordered: which half counts it, and from which bit on.
_PLACES = {3: (0, 0), 4: (0, HALF), 6: (1, 0), 7: (1, HALF)}


class SuitTables(NamedTuple):
    """How many sets of four make a flush in a suit, by the ranks of it that are out (a 13-bit set).

    Flushes that are no straight flush and flushes whose six cards hold a straight share the first
    number; straight flushes, royals and super royals the second. Where two of the player's cards
    are of the suit, sets that hold one card of another suit are counted as if it completed no
    straight; ``filling`` says how many threes of the suit each rank would complete.
    """

    one: Int64s  # [rank of the suit, rank of the player's other card, set, 2]
    two: Int64s  # [rank pair, set, 2]
    filling: Uint8s  # [rank pair, set, rank]


class RankSets(NamedTuple):
    """By the player's pair of ranks: the four ranks that make something with it."""

    first: Int64s  # (92,)
    size: Uint8s  # how many different ranks
    ranks: Uint8s  # [set, 4]
    cards: Uint8s  # [set, 4]: how many of each
    half: Uint8s  # which number counts it
    shift: Uint8s


@cache
def rank_sets() -> RankSets:
    """Sorted out by ranking six cards of these ranks in mixed suits."""
    fours = list(combinations_with_replacement(range(13), 4))
    first, found, sixes = [0], [], []
    for high in range(13):
        for low in range(high + 1):
            for four in fours:
                six = sorted((low, high, *four))
                if max(map(six.count, six)) <= 4:
                    found.append(four)
                    sixes.append([4 * rank + at % 4 for at, rank in enumerate(six)])
            first.append(len(found))
    made = (class_strengths() >> 20)[rank_once(np.array(sixes, np.uint8))]
    kept = np.flatnonzero(np.isin(made, [*_PLACES]))
    sizes, ranks_of, cards_of, where = [], [], [], []
    for at in kept.tolist():
        different = sorted(set(found[at]))
        spare = [0] * (4 - len(different))
        sizes.append(len(different))
        ranks_of.append(different + spare)
        cards_of.append([found[at].count(rank) for rank in different] + spare)
        where.append(_PLACES[int(made[at])])
    half, shift = np.array(where, np.uint8).T.copy()
    size, ranks, cards = (np.array(part, np.uint8) for part in (sizes, ranks_of, cards_of))
    return RankSets(np.searchsorted(kept, np.array(first)), size, ranks, cards, half, shift)


@cache
def suit_tables(cards: int) -> SuitTables:
    """Of a deck of so many cards: by sets that are all left, and from these by those that are out.

    Three cards of the suit stand with any card of another that is left.
    """
    sets = np.arange(SETS_OF_RANKS)
    held = np.bitwise_count(sets).astype(np.int64)
    runs = [31 << low for low in range(9)] + [0b1000000001111]
    has_run = np.any([sets & run == run for run in runs], axis=0)
    is_royal, is_super = sets & _ROYAL_RANKS == _ROYAL_RANKS, sets == _SUPER_RANKS

    def made(suited: Int64s, every: Int64s, is_set: NDArray[np.bool_]) -> Int64s:
        run, royal, more = has_run[suited], is_royal[suited], is_super[suited]
        plain = (~run).astype(np.int64) + (has_run[every].astype(np.int64) << HALF)
        rare = (run & ~royal) + ((royal & ~more).astype(np.int64) << ROYAL_AT)
        rare += more.astype(np.int64) << SUPER_AT
        return np.stack([plain, rare], axis=1) * is_set[:, None]

    one = np.zeros((13, 13, SETS_OF_RANKS, 2), np.int64)
    for x in range(13):
        is_four = (held == 4) & (sets >> x & 1 == 0)
        for y in range(13):
            suited = sets | 1 << x
            one[x, y] = _avoiding(made(suited, suited | 1 << y, is_four))
    two = np.zeros((RANK_PAIRS, SETS_OF_RANKS, 2), np.int64)
    filling = np.zeros((RANK_PAIRS, SETS_OF_RANKS, 13), np.uint8)
    others = np.maximum(cards - 20 + held, 0)  # cards of other suits left, seven being out
    for x, y in combinations(range(13), 2):
        own, pair = 1 << x | 1 << y, y * (y + 1) // 2 + x
        is_apart, suited = sets & own == 0, sets | own
        three = _avoiding(made(suited, suited, is_apart & (held == 3)))
        two[pair] = _avoiding(made(suited, suited, is_apart & (held == 4)))
        two[pair] += three * others[:, None]
        completed = has_run[suited[:, None] | 1 << np.arange(13)] & ~has_run[suited][:, None]
        filling[pair] = _avoiding(completed * (is_apart & (held == 3)).astype(np.int64)[:, None])
    return SuitTables(one, two, filling)


def _avoiding(of_sets: Int64s) -> Int64s:
    """From what sets make to what all sets make that have no card of a given one."""
    sums = of_sets.copy()
    for bit in range(13):
        halves = sums.reshape(SETS_OF_RANKS >> (bit + 1), 2, 1 << bit, -1)
        halves[:, 1] += halves[:, 0]
    return sums[::-1]


@leaf
def ways_to_take(cards: int, taken: int) -> int:
    """How many ways there are to take one to four of so many cards."""
    if taken == 1:
        return cards
    if taken == 2:
        return cards * (cards - 1) // 2
    if taken == 3:
        return cards * (cards - 1) * (cards - 2) // 6
    return 1 if cards == 4 else 0
