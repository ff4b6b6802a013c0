"""Any game on a small deck by plain enumeration through settlement, whatever its book says.

It knows nothing of the solvers: every deal is settled for every Play that the book allows, and a
player does the best with what lies in sight when each street is asked about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import NamedTuple

from croupier.facts.cards import Card
from croupier.facts.hands import Hand
from croupier.facts.money import Cents
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.table.settlement import settle_box

Cards = tuple[Card, ...]
ANTE = Cents(600)  # pays whole cents by halves and fifths of it
Bets = tuple[tuple[str, int], ...]
"""What was bet: each wager, and how many Antes."""


_MET: dict[tuple[object, ...], tuple[Hand, Hand]] = {}


class Deal(NamedTuple):
    own: Cards
    lying: dict[str, Cards]
    seen: tuple[Cards, ...]  # by street, what comes in sight for it


class Plain:
    """``ev`` is what one Ante wins or loses on average under the best play."""

    def __init__(self, rules: Rules, deck: Sequence[Card]) -> None:
        self.rules, self.deck = rules, tuple(sorted(deck))
        self.streets = rules.book.streets
        self._nets: dict[tuple[Hand, Hand, Bets], int] = {}
        self._stakes: dict[Bets, dict[str, Cents]] = {}

    @property
    def ev(self) -> Fraction:
        total = deals = 0
        for own in combinations(self.deck, self.rules.book.place("box").cards):
            dealt = list(self._deals(own))
            total, deals = total + self._best(dealt, 0, ()), deals + len(dealt)
        return Fraction(total, deals * ANTE)

    def _best(self, deals: list[Deal], at: int, bets: Bets) -> int:
        """What all these deals bring together, the player asked street by street, but on none whose
        wager lies there already."""
        made = [wager for wager, _ in bets]
        while at < len(self.streets) and self._wager(at) in made:
            at += 1
        if at == len(self.streets):
            return sum(self._net(deal, bets) for deal in deals)
        by_sight: defaultdict[Cards, list[Deal]] = defaultdict(list)
        for deal in deals:
            by_sight[sum(deal.seen[: at + 1], ())].append(deal)
        return sum(self._asked(alike, at, bets) for alike in by_sight.values())

    def _wager(self, at: int) -> str:
        return self.rules.book.played_on(self.streets[at]).name

    def _asked(self, deals: list[Deal], at: int, bets: Bets) -> int:
        street = self.streets[at]
        sizes: Sequence[int] = street.multiples
        if street.least_multiple is not None and street.most_multiple is not None:
            sizes = range(street.least_multiple, street.most_multiple + 1)
        plays = [self._best(deals, at + 1, (*bets, (self._wager(at), size))) for size in sizes]
        waits = street.otherwise == "check"
        return max([*plays, self._best(deals, at + 1 if waits else len(self.streets), bets)])

    def _net(self, deal: Deal, bets: Bets) -> int:
        """By settlement, in cents; rounds with the same hands are settled once."""
        if bets not in self._stakes:
            self._stakes[bets] = self._staked(bets)
        box = FinishedBox(1, deal.own, self._stakes[bets])
        key = (*self._hands(deal, box), bets)
        if key not in self._nets:
            lines = settle_box(FinishedRound(self.rules, deal.lying, (box,)), box, {})
            self._nets[key] = sum(line.net_cents for line in lines)
        return self._nets[key]

    def _hands(self, deal: Deal, box: FinishedBox) -> tuple[Hand, Hand]:
        """Both hands; which they are depends on the game and the cards alone."""
        key = (self.rules.game.id, deal.own, *deal.lying.items())
        if key not in _MET:
            round, game = FinishedRound(self.rules, deal.lying, (box,)), self.rules.game
            _MET[key] = game.player(round, box).hand, game.dealer(round)
        return _MET[key]

    def _staked(self, bets: Bets) -> dict[str, Cents]:
        stakes, made = {}, dict(bets)
        for wager in self.rules.book.wagers:
            if wager.optional or wager.paid_on is not None:
                continue
            if wager.beside is None:
                stakes[wager.name] = ANTE
            elif wager.name in made:
                stakes[wager.name] = Cents(made[wager.name] * ANTE)
        return stakes

    def _deals(self, own: Cards) -> Iterator[Deal]:
        places = [p for p in self.rules.book.places if p.name != "box" and p.only_for is None]
        ups = [self.rules.book.dealing[0].face_up(street.name) for street in self.streets]
        parts: list[
            tuple[str, int, int | None]
        ] = []  # place, how many cards, and the street that sees them; None for the rest
        for place in places:
            before = 0
            for at, up in enumerate(ups):
                parts.append((place.name, up[place.name] - before, at))
                before = up[place.name]
            parts.append((place.name, place.cards - before, None))
        rest = tuple(card for card in self.deck if card not in own)
        for dealt in _dealt(rest, [count for _, count, _ in parts]):
            lying: dict[str, Cards] = {}
            seen: list[Cards] = [()] * len(self.streets)
            for (name, _, first), cards in zip(parts, dealt, strict=True):
                lying[name] = lying.get(name, ()) + cards
                if first is not None:
                    seen[first] += cards
            yield Deal(own, lying, tuple(seen))


def _dealt(cards: Cards, counts: Sequence[int]) -> Iterator[tuple[Cards, ...]]:
    if not counts:
        yield ()
        return
    for first in combinations(cards, counts[0]):
        rest = tuple(card for card in cards if card not in first)
        for others in _dealt(rest, counts[1:]):
            yield (first, *others)


def holdem_deals(cards: int) -> int:
    """Deals of one box of Hold'em from so many cards, the flop told apart."""
    return comb(cards, 2) * comb(cards - 2, 3) * comb(cards - 5, 2) * comb(cards - 7, 2)
