"""The side wagers, exactly: how often each line of each paytable is paid.

What a wager looks at decides how its endings are counted: classes of five, six or four-of-five
cards are tallied once for all paytables; the first two cards are few enough to ask the readable
code. What depends on all nine cards of a round comes from the solution of the base game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.base_game import Showdown
from croupier.exact.endings import LOST, TIED, Ending, Endings
from croupier.exact.hand_classes import (
    best_five_counts,
    four_of_five_counts,
    lines_of_classes,
)
from croupier.facts.cards import DECK, Card, Rank, Suit
from croupier.facts.hands import (
    FIVE_CARD,
    FOUR_CARD,
    SUPER_ROYAL_RANKS,
    TWO_CARD,
    Ranking,
)
from croupier.facts.odds import PUSH
from croupier.facts.showings import NAME_A_SUIT, Showing
from croupier.games.rules import Rules
from croupier.rulebook.book import Paytable, Wager

LineCounts = Counter[int]
"""By number of line, one past the last for a loss: in how many deals it is the one."""

Counted = Callable[[Paytable], LineCounts]
ACES = TWO_CARD.hand((Card(Rank.ACE, Suit.CLUBS), Card(Rank.ACE, Suit.SPADES)))


def paytables_of(rules: Rules, wager: Wager) -> dict[str, Paytable]:
    """By letter: every paytable of the rulebook, and a designer's own that the Rules bind."""
    tables = dict(rules.book.paytables.get(wager.name, {}))
    letter, bound = dict(rules.letters).get(wager.name), rules.paytable(wager.name)
    if letter is not None and bound is not None:
        tables[letter] = bound
    return tables


def endings(wager: str, letter: str, table: Paytable, counted: Counted) -> Endings:
    """Every way this wager can end under this paytable."""
    tally = counted(table)
    paid = [
        Ending(line.phrase, tally[number], str(line.odds))
        for number, line in enumerate(table.lines)
    ]
    lost = Ending(LOST, tally[len(table.lines)], None)
    tied = [Ending(TIED, tally[line], str(PUSH)) for line in tally if line > len(table.lines)]
    return Endings(wager, letter, (*paid, lost, *tied))


class SideTerms(NamedTuple):
    """How a side wager depends on play: a fold forfeits it; its hand must beat the dealer's."""

    forfeits: bool = False
    must_win: bool = False

    @classmethod
    def of(cls, wager: Wager) -> SideTerms:
        return cls(wager.fold.outcome == "forfeit", wager.must_win is not None)


def endings_of(terms: SideTerms, table: Paytable) -> int:
    """How many ways a wager can end: its lines, the loss, and where it must win, the tie."""
    return len(table.lines) + (2 if terms.must_win else 1)


def line_after(
    terms: SideTerms, table: Paytable, line: int, folded: bool, showdown: Showdown
) -> int:
    """The line that ends a wager, given the line of its hand: one that must win is lost with a
    lower hand, and goes back, one past the loss, with an equal one."""
    lost = len(table.lines)
    if folded and terms.forfeits:
        return lost
    if not terms.must_win or showdown is Showdown.WIN:
        return line
    return lost + 1 if showdown is Showdown.TIE else lost


def by_classes(ranking: Ranking, counts: NDArray[np.int64]) -> Counted:
    """Count a wager that is judged by one hand, given how many deals bring each class."""

    def counted(table: Paytable) -> LineCounts:
        ways = np.zeros(len(table.lines) + 1, dtype=np.int64)
        np.add.at(ways, lines_of_classes(table, ranking), counts)
        return Counter(dict(enumerate(ways.tolist())))

    return counted


def by_first_two(table: Paytable) -> LineCounts:
    """Ultimate Pairs: the player's two cards, and whether the dealer's are a pair of aces."""
    tally: LineCounts = Counter()
    for two, (alone, against_aces) in lines_of_two(table).items():
        aces_left = 4 - sum(card.rank is Rank.ACE for card in two)
        dealer_aces = comb(aces_left, 2)
        tally[against_aces] += dealer_aces
        tally[alone] += comb(len(DECK) - 2, 2) - dealer_aces
    return tally


@lru_cache(maxsize=16)
def lines_of_two(table: Paytable) -> Mapping[tuple[Card, Card], tuple[int, int]]:
    """By two cards, in the order of their hole codes: the lines that pay them alone and against
    the dealer's pair of aces. Suits matter as same or different, unless a phrase names one."""
    named = not {line.phrase for line in table.lines}.isdisjoint(NAME_A_SUIT)
    alike: dict[object, tuple[int, int]] = {}
    lines = {}
    for two in ((low, high) for place, high in enumerate(DECK) for low in DECK[:place]):
        kind = two if named else (two[0].rank, two[1].rank, two[0].suit is two[1].suit)
        if kind not in alike:
            hand = TWO_CARD.hand(two)
            shown = (Showing(hand, two, dealer) for dealer in (None, ACES))
            alone, against_aces = (line_number(table, showing) for showing in shown)
            alike[kind] = alone, against_aces
        lines[two] = alike[kind]
    return lines


def by_six_cards(table: Paytable) -> LineCounts:
    """Six Card Bonus: by the best five, except for the six-card hands a class does not tell."""
    tally = by_classes(FIVE_CARD, best_five_counts(6))(table)
    for suit in Suit:
        six = tuple(Card(Rank(rank), suit) for rank in sorted(SUPER_ROYAL_RANKS))
        royal = FIVE_CARD.best(six)
        tally[line_number(table, Showing(royal, royal.cards))] -= 1
        tally[line_number(table, Showing(royal, six))] += 1
    return tally


def line_number(table: Paytable, showing: Showing) -> int:
    """The line a showing is paid by; one past the last for a loss."""
    line = table.line_for(showing)
    return len(table.lines) if line is None else table.lines.index(line)


WITHOUT_A_DEALER: Mapping[str, Counted] = {
    "hole cards and flop": lambda table: by_classes(FIVE_CARD, best_five_counts(5))(table),
    "board": lambda table: by_classes(FIVE_CARD, best_five_counts(5))(table),
    "five cards": lambda table: by_classes(FIVE_CARD, best_five_counts(5))(table),
    "four-card hand": lambda table: by_classes(FOUR_CARD, four_of_five_counts())(table),
    "six cards": by_six_cards,
    "first two cards": by_first_two,
}
"""How to count a wager by what it looks at, where the cards alone decide it."""
