"""The most one player can win in a round with several boxes: branch and bound over boards.

Boxes share one board, so they cannot all hold the best hand. Only boards with three cards of a
royal flush or more are searched: the others give no box a royal flush, and what is found is held
against their bound. Say the suit is spades; then no other suit makes a flush, and cards are alike
that have the same rank and are no spades. A higher hand is paid no less than a lower one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement

from croupier.facts.cards import DECK, Card, Cards, Rank, Suit, cards
from croupier.facts.hands import FIVE_CARD, Category, Hand

CardKind = tuple[Rank, bool]  # of a card: its rank, and whether it is a spade
Hole = tuple[CardKind, CardKind]
HandWorth = Callable[[Hand, Hand | None], int]
"""What a box is paid for its hand, against the dealer's or, with None, one that opens and loses."""

ROYAL, STRAIGHT_FLUSH, FOUR, FULL_HOUSE, FLUSH = map(
    FIVE_CARD.hand,
    map(cards, ("AsKsQsJsTs", "KsQsJsTs9s", "2s2h2d2c3s", "2s2h2d3c3s", "7s5s4s3s2s")),
)


def most_won(worth: HandWorth, boxes: int) -> int:
    """The largest sum that so many boxes can be paid in one round."""
    bounds = {board: _bound(board, worth, boxes) for board in _boards()}
    most = 0
    for board in sorted(bounds, key=bounds.__getitem__, reverse=True):
        if bounds[board] <= most:
            break
        most = max(most, _BoardSearch(board, worth).most(boxes, most))
    assert most >= boxes * worth(STRAIGHT_FLUSH, None), "no board without a royal flush pays more"
    return most


@cache
def _boards() -> tuple[Cards, ...]:
    """Every board with three or more cards of a royal flush in spades, like ones once."""
    found: dict[tuple[CardKind, ...], Cards] = {}
    for royal in combinations(ROYAL.cards, 3):
        rest = [card for card in DECK if card not in royal]
        for two in combinations(rest, 2):
            found.setdefault(tuple(sorted(map(_kind, royal + two))), royal + two)
    return tuple(found.values())


def _kind(card: Card) -> CardKind:
    return card.rank, card.suit is Suit.SPADES


def _bound(board: Cards, worth: HandWorth, boxes: int) -> int:
    """What no boxes on this board can pass: as many of each hand as its cards could ever give."""
    if FIVE_CARD.hand(board).category in (Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        return boxes * worth(ROYAL, None)
    held = Counter(card.rank for card in board)
    hands = [ROYAL] + [STRAIGHT_FLUSH] * (_straight_flushes(board) - 1)
    hands += [FOUR] * sum(count > 1 for count in held.values())
    hands += [FULL_HOUSE if max(held.values()) > 1 else FLUSH] * boxes
    return sum(worth(hand, None) for hand in hands[:boxes])


def _straight_flushes(board: Cards) -> int:
    """How many boxes at most have a straight flush or royal flush, each with cards of its own."""
    lacking = [hand - set(board) for hand in _straight_flushes_in_spades()]
    holes = [cards_lacking for cards_lacking in lacking if len(cards_lacking) <= 2]
    for count in range(len(holes), 1, -1):
        for some in combinations(holes, count):
            if sum(map(len, some)) == len(frozenset().union(*some)):
                return count
    return min(len(holes), 1)


@cache
def _straight_flushes_in_spades() -> tuple[frozenset[Card], ...]:
    spades = [card for card in DECK if card.suit is Suit.SPADES]
    hands = map(FIVE_CARD.hand, combinations(spades, 5))
    return tuple(frozenset(h.cards) for h in hands if h.category is not Category.FLUSH)


class _BoardSearch:
    """The best boxes on one board: holes from the dearest down, each card held once."""

    def __init__(self, board: Cards, worth: HandWorth) -> None:
        self.board, self.worth = board, worth
        self.least = FIVE_CARD.hand(board)  # the dealer has it too, whatever he holds
        self.left = Counter(_kind(card) for card in DECK if card not in board)
        self.holes = sorted(map(self._at_most, self._holes()), reverse=True)
        self.found = 0

    def _at_most(self, hole: Hole) -> tuple[int, Hand, Hole]:
        """What a box with this hole is paid at most, and its hand."""
        hand = FIVE_CARD.best(self.board + self._cards(hole))
        return self.worth(hand, None if hand > self.least else self.least), hand, hole

    def most(self, boxes: int, least: int) -> int:
        """The best of all choices of so many holes, if it passes ``least``."""
        self.found = least
        self._choose(0, boxes, 0, [])
        return self.found

    def _choose(self, first: int, boxes: int, paid: int, hands: list[Hand]) -> None:
        if boxes == 0:
            self.found = max(self.found, self._against_the_dealer(hands, paid))
            return
        for at in range(first, len(self.holes)):
            pays, hand, hole = self.holes[at]
            if paid + boxes * pays <= self.found:
                return
            if self._holds(hole):
                self.left.subtract(hole)
                self._choose(at, boxes - 1, paid + pays, [*hands, hand])
                self.left.update(hole)

    def _against_the_dealer(self, hands: list[Hand], at_most: int) -> int:
        """What these boxes are paid against the dealer's hole that suits them best."""
        most = 0
        for hole in self._holes():
            dealer = FIVE_CARD.best(self.board + self._cards(hole))
            most = max(most, sum(self.worth(hand, dealer) for hand in hands))
            if most == at_most:
                break
        return most

    def _holes(self) -> Iterator[Hole]:
        return filter(self._holds, combinations_with_replacement(sorted(self.left), 2))

    def _holds(self, hole: Hole) -> bool:
        one, other = hole
        return self.left[one] > (one == other) and self.left[other] > 0

    def _cards(self, hole: Hole) -> Cards:
        """A hole of these kinds; which suit a card has that is no spade changes no hand."""
        taken = list(self.board)
        for kind in hole:
            taken.append(next(c for c in DECK if _kind(c) == kind and c not in taken))
        return tuple(taken[len(self.board) :])
