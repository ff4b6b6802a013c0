"""Hands put into cells that some paytables, and whether the dealer opens, treat alike.

Kernels of Hold'em count deals by such cells; lines of any of these paytables are sums of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.base_game import Showdown, wager_results
from croupier.exact.hand_classes import common_cells, lines_of_classes
from croupier.exact.hand_samples import samples
from croupier.exact.kernels.hand_order import class_strengths, strength_of
from croupier.facts.hands import FIVE_CARD
from croupier.games.rules import Rules
from croupier.rulebook.book import Paytable

FINAL = "final hand"


@dataclass(frozen=True)
class Partition:
    """Classes of hands put into cells that some paytables treat alike."""

    cells: NDArray[np.uint8]
    firsts: NDArray[np.int64]

    def lines(self, table: Paytable) -> list[int]:
        """By cell: the line of a paytable that pays for it."""
        return [int(line) for line in lines_of_classes(table, FIVE_CARD)[self.firsts]]


class Partitions(NamedTuple):
    """By what is looked at: the final hand, the board, hole cards and flop, the lower hand."""

    final: Partition
    board: Partition
    flop: Partition
    low: Partition


def all_partitions(rules: Rules) -> Partitions:
    by_look = _tables_by_look(rules)
    looks = ("board", "hole cards and flop", "lower hand")
    others = (partition_of(by_look.get(look, [])) for look in looks)
    return Partitions(final_partition(rules), *others)


def final_partition(rules: Rules) -> Partition:
    """The player's final hands that all wagers which look at them treat alike."""
    return _parted_by_opening(rules, _tables_by_look(rules)[FINAL])


def base_partition(rules: Rules) -> Partition:
    """The player's final hands that the base game treats alike."""
    return _parted_by_opening(rules, _base_tables(rules))


def _parted_by_opening(rules: Rules, tables: list[Paytable]) -> Partition:
    parted = partition_of(tables)
    if not _opening_matters(rules, parted):
        return parted
    opens = np.arange(len(samples(FIVE_CARD))) >= first_opening_class(rules)
    return Partition(*common_cells([opens.astype(np.uint8), parted.cells]))


def _base_tables(rules: Rules) -> list[Paytable]:
    bound = (rules.paytable(wager.name) for wager in rules.book.wagers if not wager.optional)
    return [table for table in bound if table is not None]


def _tables_by_look(rules: Rules) -> dict[str, list[Paytable]]:
    """Every paytable by what it looks at; those of the base game look at the final hand."""
    by_look = {FINAL: _base_tables(rules)}
    for look, table in _all_tables(rules):
        by_look.setdefault(look, []).append(table)
    return by_look


def _opening_matters(rules: Rules, final: Partition) -> bool:
    """Whether a tie pays otherwise where the dealer opens."""
    hands = (samples(FIVE_CARD)[first] for first in final.firsts)
    return any(
        wager_results(rules, Fraction(1), Showdown.TIE, True, hand)
        != wager_results(rules, Fraction(1), Showdown.TIE, False, hand)
        for hand in hands
    )


@lru_cache(maxsize=8)
def first_opening_class(rules: Rules) -> int:
    """The least class of hand with which the dealer opens."""
    needs = rules.book.contest.dealer_needs
    if needs is None:
        return 0
    least = FIVE_CARD.least(needs.hand)
    return int(np.searchsorted(class_strengths(), strength_of(least.strength, least.ranks)))


def _all_tables(rules: Rules) -> Iterator[tuple[str, Paytable]]:
    """Every paytable of the rulebook and of these Rules, with everything it may look at."""
    book = rules.book
    hands = book.progressive.hands if book.progressive is not None else {}

    def looks(judged_by: str) -> list[str]:
        return list(hands.values()) if judged_by == "progressive hand" else [judged_by]

    for wager in book.wagers:
        bound = rules.paytable(wager.name)
        tables = [*book.paytables.get(wager.name, {}).values(), *([bound] if bound else [])]
        for table in tables:
            yield from ((look, table) for look in looks(table.judged_by or wager.judged_by))
    if book.envy_bonus is None:
        return
    for by_stake in book.envy.values():
        for table in by_stake.values():
            yield from ((look, table) for look in looks(book.envy_bonus.judged_by))


def partition_of(tables: Iterable[Paytable]) -> Partition:
    lines = [lines_of_classes(table, FIVE_CARD) for table in tables]
    classes = len(samples(FIVE_CARD))
    return Partition(*common_cells([np.zeros(classes, dtype=np.uint8), *lines]))
