"""The lower of both final hands at Hold'em with one Play when cards are known, by line.

On each view of a board (:mod:`croupier.exact.kernels.suit_views`) pairs of hands are counted once;
how often a board that looks so can come, with known cards on it, is a product of binomials.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import comb

import numpy as np

from croupier.exact.hand_classes import common_cells, lines_of_classes
from croupier.exact.kernels.array_types import Int64s, Uint8s
from croupier.exact.kernels.compiled import in_chunks, threads_to_use
from croupier.exact.kernels.poker_rank import tables
from croupier.exact.kernels.positions import CHOOSE, FULL_DECK, NO_SUIT
from croupier.exact.kernels.suit_views import Views, row_of
from croupier.facts.hands import FIVE_CARD
from croupier.protection.holdem import Problem, kinds_of_cards, views_of
from croupier.protection.kernels import holdem as kernel
from croupier.protection.kernels.lower_hands import count_lower
from croupier.protection.knowledge import KnownPlaces
from croupier.protection.suits import SuitNames, renamed, suit_names
from croupier.rulebook.book import Paytable

KnownKey = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Known cards of the dealer, out of play and on the board, up to suits."""


def by_lower(
    table: Paytable,
    known: Sequence[KnownPlaces],
    cards: tuple[int, ...] = FULL_DECK,
    beside: tuple[Paytable, ...] = (),
) -> Callable[[KnownPlaces], Int64s]:
    """Deals by line for each of these known cards; all are counted at once, and for the tables
    ``beside`` this one too."""
    tables_of_wager = tuple(dict.fromkeys((*beside, table)))
    cells, firsts = common_cells([lines_of_classes(each, FIVE_CARD) for each in tables_of_wager])
    counted = _counted(cells.tobytes(), tuple(known), cards)
    lines, names = lines_of_classes(table, FIVE_CARD)[firsts], suit_names(cards)

    def count(known: KnownPlaces) -> Int64s:
        *apart, tied = counted[_key(known, names)].tolist()
        found = np.zeros(len(table.lines) + 1, np.int64)
        np.add.at(found, lines, apart)
        found[-1] += tied
        return found

    return count


@lru_cache(maxsize=1)
def _counted(
    cells: bytes, known: tuple[KnownPlaces, ...], cards: tuple[int, ...]
) -> dict[KnownKey, Int64s]:
    """Deals by cell of the lower hand's class, and last those that tie."""
    cell_of_class, names = np.frombuffer(cells, np.uint8), suit_names(cards)
    by_problem: dict[tuple[tuple[int, ...], tuple[int, ...]], list[KnownKey]] = {}
    for key in sorted({_key(each, names) for each in known}):
        by_problem.setdefault(key[:2], []).append(key)
    found: dict[KnownKey, Int64s] = {}
    for (dealer, burn), keys in by_problem.items():
        rows = _LowerRows(Problem(dealer, burn, 1, cards), cell_of_class)
        found |= {key: rows.count(key[2]) for key in keys}
    return found


@cache
def _key(known: KnownPlaces, suits: tuple[SuitNames, ...]) -> KnownKey:
    places = (known.dealer, known.burn, known.flop + known.late)

    dealer, burn, board = min(tuple(renamed(lies, n) for lies in places) for n in suits)
    return dealer, burn, board


class _LowerRows:
    """One deck without the dealer's known cards and those out of play."""

    def __init__(self, problem: Problem, cells: Uint8s) -> None:
        self.problem, self.views = problem, views_of(problem)
        rows = len(self.views.boards.kinds)
        self.found = np.zeros((rows, int(cells.max()) + 2), np.int64)
        dealer = kernel.KnownDealer(kinds_of_cards(problem.dealer, self.views))
        in_chunks(
            lambda _, start, stop: count_lower(
                start, stop, self.views, tables(7), cells, dealer, self.found
            ),
            [None] * threads_to_use(None), rows, 64, lambda done: None,
        )  # fmt: skip
        self.kinds = self.views.boards.kinds.astype(np.int64)
        self.rank_rows = _rank_rows(self.views)
        self.ways = [self._ways(suit) for suit in (0, 1, 2, 3, NO_SUIT)]

    def count(self, on_board: tuple[int, ...]) -> Int64s:
        """Deals by cell with these cards on the board; all that are left tie."""
        times = np.zeros(len(self.kinds), np.int64)
        for suit, ways in zip((NO_SUIT, 0, 1, 2, 3), (self.ways[-1], *self.ways[:4]), strict=True):
            mine = ways
            for card in on_board:
                kind = (card >> 2) + 13 * (card & 3 == suit)
                live = int(self.views.live[self.views.family_of[suit], kind])
                mine = mine * (self.kinds == kind).sum(axis=1) // live
            times += mine
            if suit != NO_SUIT:  # these boards were counted by their ranks, as if without flushes
                np.subtract.at(times, self.rank_rows, mine)
        tally: Int64s = (times[:, None] * self.found).sum(axis=0)
        deck, known = len(self.problem.deck), len(on_board)
        boards = comb(deck - known, 5 - known)
        deals = boards * comb(deck - 5, 2) * self.problem.dealers
        tally[-1] = deals - tally.sum()
        return tally

    def _ways(self, suit: int) -> Int64s:
        """By row: how many boards look so to this suit, or to none."""
        family = self.views.family_of[suit]
        live = self.views.live[family]
        ways = np.where(self.views.boards.families == family, 1, 0).astype(np.int64)
        for kind in range(26):
            ways *= CHOOSE[live[kind], (self.kinds == kind).sum(axis=1)]
        return ways


def _rank_rows(views: Views) -> Int64s:
    """By row: the row of the same ranks, seen by no suit."""
    by_rank = np.sort(views.boards.kinds.astype(np.int64) % 13, axis=1)
    return np.array([row_of(kinds, 5, 0, views.boards) for kinds in by_rank])
