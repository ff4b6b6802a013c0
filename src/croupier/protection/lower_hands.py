"""The lower of both final hands at Ultimate Texas Hold'em when cards are known, by line.

On each view of a board (:mod:`croupier.exact.kernels.suit_views`) pairs of hands are counted once;
how often a board that looks so can come, with known cards on it, is a product of binomials.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from math import comb

import numpy as np

from croupier.exact.hand_classes import lines_of_classes
from croupier.exact.kernels.array_types import Int64s, Uint8s
from croupier.exact.kernels.compiled import in_chunks, threads_to_use
from croupier.exact.kernels.poker_rank import tables
from croupier.exact.kernels.positions import CHOOSE, FULL_DECK, NO_SUIT
from croupier.exact.kernels.suit_views import Views, row_of
from croupier.facts.hands import FIVE_CARD
from croupier.protection.kernels import uth as kernel
from croupier.protection.kernels.lower_hands import count_lower
from croupier.protection.knowledge import KnownPlaces
from croupier.protection.uth import Problem, kinds_of_cards, suit_names, views_of
from croupier.rulebook.book import Paytable

KnownKey = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Known cards of the dealer, out of play and on the board, up to suits."""


def by_lower(
    table: Paytable, known: Iterable[KnownPlaces], cards: tuple[int, ...] = FULL_DECK
) -> Callable[[KnownPlaces], Int64s]:
    """Deals by line for each of these known cards; all are counted at once."""
    names = suit_names(cards)
    keys = sorted({_key(each, names) for each in known})
    lines = lines_of_classes(table, FIVE_CARD)
    by_problem: dict[tuple[tuple[int, ...], tuple[int, ...]], list[KnownKey]] = {}
    for key in keys:
        by_problem.setdefault(key[:2], []).append(key)
    found: dict[KnownKey, Int64s] = {}
    for (dealer, burn), of_problem in by_problem.items():
        rows = _LowerRows(Problem(dealer, burn, 1, cards), lines, len(table.lines))
        found |= {key: rows.count(key[2]) for key in of_problem}
    return lambda known: found[_key(known, names)]


@cache
def _key(known: KnownPlaces, suits: tuple[tuple[int, ...], ...]) -> KnownKey:
    places = (known.dealer, known.burn, known.flop + known.late)

    def renamed(names: tuple[int, ...], lies: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(card & ~3 | names[card & 3] for card in lies))

    dealer, burn, board = min(tuple(renamed(n, lies) for lies in places) for n in suits)
    return dealer, burn, board


class _LowerRows:
    """One deck without the dealer's known cards and those out of play."""

    def __init__(self, problem: Problem, lines: Uint8s, lost: int) -> None:
        self.problem, self.views, self.lost = problem, views_of(problem), lost
        rows = len(self.views.boards.kinds)
        self.found = np.zeros((rows, lost + 1), np.int64)
        dealer = kernel.KnownDealer(kinds_of_cards(problem.dealer, self.views))
        in_chunks(
            lambda _, start, stop: count_lower(
                start, stop, self.views, tables(7), lines, dealer, self.found
            ),
            [None] * threads_to_use(None), rows, 64, lambda done: None,
        )  # fmt: skip
        self.kinds = self.views.boards.kinds.astype(np.int64)
        self.rank_rows = _rank_rows(self.views)
        self.ways = [self._ways(suit) for suit in (0, 1, 2, 3, NO_SUIT)]

    def count(self, on_board: tuple[int, ...]) -> Int64s:
        """Deals by line with these cards on the board; what is no lower hand of a line loses."""
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
        tally[self.lost] += deals - tally.sum()
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
