"""Hold'em with one Play on a small deck by plain enumeration, with readable hands.

It knows nothing of the kernels: every hole, flop, turn and river, and dealer's hole is dealt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations

from croupier.facts.cards import Card
from croupier.facts.hands import FIVE_CARD, Category, Hand

Cards = tuple[Card, ...]
CATEGORIES = tuple(Category)
FOLD = "fold"


def without(deck: Cards, *taken: Cards) -> Cards:
    gone = {card for cards in taken for card in cards}
    return tuple(card for card in deck if card not in gone)


@cache
def best_hand(cards: frozenset[Card]) -> Hand:
    return FIVE_CARD.best(cards)


@dataclass(frozen=True)
class Showdown:
    outcome: str
    lower: Category  # of the two hands
    dealer: Cards


@dataclass(frozen=True)
class PlainGame:
    """The whole game on one deck. Money is in units of half an Ante."""

    deck: Cards
    blind_pay: tuple[int, ...]  # by category
    least_to_qualify: Category
    raises: tuple[int, ...]
    most_paid: int | None = None  # a payout limit

    def showdowns(self, hole: Cards, board: Cards) -> tuple[Category, list[Showdown]]:
        mine = best_hand(frozenset(hole + board))
        found = []
        for dealer in combinations(without(self.deck, hole, board), 2):
            theirs = best_hand(frozenset(dealer + board))
            qualifies = theirs.strength >= CATEGORIES.index(self.least_to_qualify)
            result = "tie" if mine == theirs else "win" if mine > theirs else "loss"
            if result != "tie" and qualifies:
                result += " qualifying"
            found.append(Showdown(result, min(mine, theirs).category, dealer))
        return mine.category, found

    def result(self, category: Category, outcome: str, multiple: int) -> int:
        if outcome == "tie":
            return 0
        ante = 2 if outcome.endswith("qualifying") else 0
        if outcome.startswith("win"):
            paid = ante + 2 * multiple + self.blind_pay[CATEGORIES.index(category)]
            return paid if self.most_paid is None else min(paid, self.most_paid)
        return -ante - 2 * multiple - 2

    @cached_property
    def rivers(self) -> dict[tuple[Cards, Cards], tuple[Category, list[Showdown]]]:
        return {
            (hole, board): self.showdowns(hole, board)
            for hole in combinations(self.deck, 2)
            for board in combinations(without(self.deck, hole), 5)
        }

    def shown(self, hole: Cards, board: Cards, multiple: int) -> int:
        category, found = self.rivers[hole, board]
        return sum(self.result(category, one.outcome, multiple) for one in found)

    def folded(self, hole: Cards, board: Cards) -> int:
        return -4 * len(self.rivers[hole, board][1])

    def boards(self, hole: Cards, flop: Cards) -> Iterator[Cards]:
        for late in combinations(without(self.deck, hole, flop), 2):
            yield tuple(sorted(flop + late, key=self.deck.index))

    def flops(self, hole: Cards) -> Iterator[Cards]:
        return combinations(without(self.deck, hole), 3)


@dataclass(frozen=True)
class PlainStrategy:
    """Three questions, and what is answered."""

    preflop: Callable[[Cards], int]  # the multiple raised, 0 to check
    flop: Callable[[Cards, Cards], bool]
    river: Callable[[Cards, Cards], bool]


class BestPlay:
    """The values of every action where it is taken, and the best of them."""

    def __init__(self, game: PlainGame) -> None:
        self.game = game
        self.river_bets = {at: game.shown(*at, 1) > game.folded(*at) for at in game.rivers}
        self.flop_values: dict[tuple[Cards, Cards], tuple[int, int]] = {
            (hole, flop): self._flop_values(hole, flop)
            for hole in combinations(game.deck, 2)
            for flop in game.flops(hole)
        }
        self.start_values: dict[Cards, dict[int, int]] = {
            hole: self._start_values(hole) for hole in combinations(game.deck, 2)
        }

    def _flop_values(self, hole: Cards, flop: Cards) -> tuple[int, int]:
        bet = check = 0
        for board in self.game.boards(hole, flop):
            bet += self.game.shown(hole, board, 2)
            check += max(self.game.shown(hole, board, 1), self.game.folded(hole, board))
        return bet, check

    def _start_values(self, hole: Cards) -> dict[int, int]:
        values = dict.fromkeys((*self.game.raises, 0), 0)
        for flop in self.game.flops(hole):
            values[0] += max(self.flop_values[hole, flop])
            for board in self.game.boards(hole, flop):
                for multiple in self.game.raises:
                    values[multiple] += self.game.shown(hole, board, multiple)
        return values

    def strategy(self) -> PlainStrategy:
        return PlainStrategy(
            lambda hole: min(
                self.start_values[hole], key=lambda m: (-self.start_values[hole][m], m)
            ),
            lambda hole, flop: self.flop_values[hole, flop][0] > self.flop_values[hole, flop][1],
            lambda hole, board: self.river_bets[hole, board],
        )


Key = tuple[object, ...]


def count_deals(game: PlainGame, strategy: PlainStrategy) -> dict[str, Counter[Key]]:
    """Every deal by its action, the player's category and the outcome, and by one thing more; and
    at last by what is on the board, held, made on the flop, and the lower hand, together."""
    counts: dict[str, Counter[Key]] = {
        name: Counter() for name in ("start", "board", "flop", "low", "mirrored", "joint")
    }
    for hole in combinations(game.deck, 2):
        raised = strategy.preflop(hole)
        for flop in game.flops(hole):
            bet = strategy.flop(hole, flop)
            on_flop = FIVE_CARD.hand(hole + flop).category
            for board in game.boards(hole, flop):
                late = 1 if strategy.river(hole, board) else FOLD
                action = raised or (2 if bet else late)
                category, found = game.rivers[hole, board]
                on_board = best_hand(frozenset(board)).category
                for one in found:
                    base = (action, category, one.outcome)
                    counts["start"][hole, *base] += 1
                    counts["board"][on_board, *base] += 1
                    counts["flop"][on_flop, *base] += 1
                    counts["low"][one.lower, *base] += 1
                    is_pair = hole[0].rank == hole[1].rank
                    counts["joint"][on_board, is_pair, on_flop, one.lower, *base] += 1
                    if {card.rank for card in hole + one.dealer} == {game.deck[-1].rank}:
                        counts["mirrored"][base] += 1
    return counts
