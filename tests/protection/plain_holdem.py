"""Hold'em with one Play with known cards, by plain enumeration from the definition.

It knows nothing of the kernels: every way to lay the known cards and then hole, flop, turn and
river, and the dealer's hole is dealt, settled by :func:`wager_results`, and what a player knows at
a decision is the key under which deals are put together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations

from croupier.exact.base_game import Showdown, wager_results
from croupier.exact.holdem import on_board_at
from croupier.facts.cards import Card
from croupier.facts.hands import FIVE_CARD
from croupier.games.rules import Rules
from croupier.protection.knowledge import Knowledge

Cards = tuple[Card, ...]
Sums = tuple[int, int, int, dict[str, int]]
"""Results, squares and stakes over some deals, in half Antes, and the deals by action."""


def without(deck: Cards, *taken: Cards) -> Cards:
    gone = {card for cards in taken for card in cards}
    return tuple(card for card in deck if card not in gone)


class PlainHoldem:
    """The whole game on one deck, knowing some cards."""

    def __init__(self, rules: Rules, deck: Cards, knows: Knowledge) -> None:
        self.rules, self.deck, self.knows = rules, deck, knows
        best = {frozenset(seven): FIVE_CARD.best(seven) for seven in combinations(deck, 7)}
        self.hands = sorted(set(best.values()))
        order = {hand: place for place, hand in enumerate(self.hands)}
        self.places = {seven: order[hand] for seven, hand in best.items()}
        self.results = cache(self._results)
        self.multiples = {on_board_at(rules, s): s.multiples for s in rules.book.streets}

    def value(self) -> tuple[Fraction, Fraction, Fraction, dict[str, Fraction]]:
        """The mean result, square and stake in Antes, and the chance of each action."""
        net, square, stake, done = added([self.best_first(*known) for known in self.known()])
        deals = sum(done.values())
        shares = {action: Fraction(number, deals) for action, number in done.items()}
        half = 2 * deals
        return Fraction(net, half), Fraction(square, 2 * half), Fraction(stake, half), shares

    def known(self) -> Iterator[tuple[Cards, Cards, Cards, Cards, Cards]]:
        """The cards left, the dealer's, the flop's and the late known ones, and the hole."""
        for dealer in combinations(self.deck, self.knows.dealer):
            for burn in combinations(without(self.deck, dealer), self.knows.burn):
                deck = without(self.deck, dealer, burn)
                for on_flop in combinations(deck, self.knows.flop):
                    for late in combinations(deck, self.knows.late):
                        for hole in combinations(without(deck, on_flop, late), 2):
                            yield deck, dealer, on_flop, late, hole

    def best_first(
        self, deck: Cards, dealer: Cards, on_flop: Cards, late: Cards, hole: Cards
    ) -> Sums:
        """Before the flop: each raise, or waiting with the flop decided for the best."""
        preflop, flop_street, river = (self.multiples.get(seen, ()) for seen in (0, 3, 5))
        raised: dict[int, list[Sums]] = {multiple: [] for multiple in preflop}
        waited: list[Sums] = []
        for others in combinations(without(deck, on_flop, late, hole), 3 - len(on_flop)):
            flop = on_flop + others
            boards = list(self.boards(deck, flop, late, hole))
            bet = self.total(boards, dealer, hole, deck, flop_street[0])
            ends = []
            for board in boards:
                fold = self.total([board], dealer, hole, deck, None)
                shown = [self.total([board], dealer, hole, deck, multiple) for multiple in river]
                ends.append(next((last for last in shown if last[0] > fold[0]), fold))
            check = added(ends)
            waited.append(bet if bet[0] > check[0] else check)
            for multiple in raised:
                raised[multiple].append(self.total(boards, dealer, hole, deck, multiple))
        best = added(waited)
        for multiple in sorted(raised):
            one = added(raised[multiple])
            best = one if one[0] > best[0] else best
        return best

    def boards(self, deck: Cards, flop: Cards, late: Cards, hole: Cards) -> Iterator[Cards]:
        for others in combinations(without(deck, flop, late, hole), 2 - len(late)):
            yield flop + late + others

    def total(
        self, boards: list[Cards], dealer: Cards, hole: Cards, deck: Cards, multiple: int | None
    ) -> Sums:
        """All hands of the dealer on these boards, after a Play or a fold."""
        net = square = stake = deals = 0
        for board in boards:
            mine = self.places[frozenset(hole + board)]
            for others in combinations(without(deck, hole, board), 2 - len(dealer)):
                theirs = self.places[frozenset(dealer + others + board)]
                units, staked = self.results(mine, theirs, multiple)
                net, square, stake = net + units, square + units**2, stake + staked
                deals += 1
        return net, square, stake, {f"{multiple}x" if multiple else "fold": deals}

    def _results(self, mine: int, theirs: int, multiple: int | None) -> tuple[int, int]:
        """What a round wins and stakes, in half Antes, by the places of both hands in order."""
        showdown = Showdown((mine > theirs) - (mine < theirs))
        opens = self.rules.book.contest.opens(FIVE_CARD, self.hands[theirs])
        play = Fraction(multiple) if multiple is not None else None
        results = wager_results(self.rules, play, showdown, opens, self.hands[mine]).values()
        return int(2 * sum(net for _, net in results)), int(2 * sum(stake for stake, _ in results))


def added(parts: list[Sums]) -> Sums:
    done: defaultdict[str, int] = defaultdict(int)
    for *_, actions in parts:
        for action, number in actions.items():
            done[action] += number
    nets, squares, stakes, _ = zip(*parts, strict=True)
    return sum(nets), sum(squares), sum(stakes), dict(done)
