"""Every hand of a box dealt out, against every hand the dealer can have: where and how many cards.

The rulebook says how many cards lie where, which of them are face up when the player decides and
which Plays may be made; the game's own functions rank the hands.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, pairwise
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.assumptions import GENERIC, base_facts
from croupier.exact.base_game import RoundEnding, Showdown, actions, case_of
from croupier.exact.side_wagers import line_number
from croupier.facts.cards import DECK, Cards, Suit
from croupier.facts.hands import Hand
from croupier.facts.showings import NAME_A_SUIT, Showing
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.rulebook.book import Place, Rulebook, Street


@dataclass(frozen=True)
class HandDecision:
    """What each action is worth in Antes, from the largest wager to the fold, and the best."""

    best: str
    values: tuple[tuple[str, Fraction], ...]

    @property
    def value(self) -> Fraction:
        return dict(self.values)[self.best]


class DealTable:
    """A deck, where its cards are dealt, and what can be done: what the rulebook says of these."""

    def __init__(self, rules: Rules, deck: Cards) -> None:
        self.rules, self.deck = rules, deck
        street = _street(rules)
        self.actions = actions(street)
        self.own = rules.book.place("box").cards
        self.dealer, *self.shared = dealt_places(rules.book)
        self.ups = _ups(rules.book, street, (self.dealer, *self.shared))
        self.suits_alike = (
            deck == DECK and not self.shared and not any(self.ups) and (not _names_a_suit(rules))
        )
        used = self.own + self.dealer.cards + sum(place.cards for place in self.shared)
        if len(set(deck)) < len(deck) or len(deck) < used:
            raise ValueError(f"one box needs a deck of at least {used} cards, all different")
        # Each of these is asked again and again for the same cards.
        self.dealers = cache(self._dealers)
        self.dealer_hand = cache(self._dealer_hand)
        self.alike: dict[tuple[int, ...], Hand] = {}
        self.decided: dict[tuple[Meeting, ...], HandDecision] = {}
        self.endings: dict[tuple[str, Showdown, bool, Cards], RoundEnding] = {}

    def hands(self) -> list[tuple[Cards, int]]:
        """The cards a box can have, and how many hands each stands for: all whose suits are only
        called otherwise, where nothing tells suits apart."""
        if not self.suits_alike:
            return [(own, 1) for own in combinations(self.deck, self.own)]
        return _hands_of_kinds(self.own)

    def face_up(self, own: Cards) -> Iterator[tuple[Cards, ...]]:
        """All cards that can lie face up beside these, the dealer's first."""
        return _dealt_out(self.deck, self.ups, own)

    def meetings(self, own: Cards, up: tuple[Cards, ...]) -> Iterator[Meeting]:
        """Every hand the player can end with, against all the dealer's hands."""
        down = [place.cards - len(lies) for place, lies in zip(self.shared, up[1:], strict=True)]
        for turned in _dealt_out(self.deck, down, own, *up):
            shared = tuple(_both(*cards) for cards in zip(up[1:], turned, strict=True))
            hand = player_hand(self.rules, own, self._at(shared))
            paid_as = self.paid_as(hand)
            for showdown, opens, ways in self.dealers(up[0], shared).meet(hand, _bits(own)):
                yield Meeting(paid_as, showdown, opens, ways)

    def paid_as(self, hand: Hand) -> Hand:
        """The first hand seen that every paytable of the base game pays alike."""
        tables = (self.rules.paytable(w.name) for w in self.rules.book.wagers if not w.optional)
        showing = Showing(hand, hand.cards)
        lines = tuple(line_number(table, showing) for table in tables if table is not None)
        return self.alike.setdefault(lines, hand)

    def decide(self, meetings: list[Meeting]) -> HandDecision:
        """What each action is worth; hands that meet the dealer's alike are decided once."""
        key = tuple(meetings)
        if key not in self.decided:
            self.decided[key] = self._decide(meetings)
        return self.decided[key]

    def _decide(self, meetings: list[Meeting]) -> HandDecision:
        """The fold and small wagers come first among equals."""
        deals = sum(meeting.ways for meeting in meetings)
        values = {}
        for action in self.actions:
            nets = [self.ending(action, meeting).net for meeting in meetings]
            unit = lcm(*(net.denominator for net in nets))  # whole numbers add up faster
            units = (net.numerator * (unit // net.denominator) for net in nets)
            paid = sum(met.ways * each for met, each in zip(meetings, units, strict=True))
            values[action] = Fraction(paid, unit * deals)
        best = max(reversed(values), key=lambda action: values[action])
        return HandDecision(best, tuple(values.items()))

    def ending(self, action: str, meeting: Meeting) -> RoundEnding:
        """What one such deal pays."""
        hand, showdown, opens = meeting.hand, meeting.showdown, meeting.dealer_opens
        key = (action, showdown, opens, hand.cards)
        if key not in self.endings:
            multiple = self.actions[action]
            self.endings[key] = case_of(self.rules, action, multiple, showdown, opens, hand, 1)
        return self.endings[key]

    def _dealers(self, up: Cards, shared: tuple[Cards, ...]) -> Dealers:
        if self.suits_alike and not up:
            ranked, kind_of, bits = self._all_dealers()
        else:
            rest = _without(self.deck, up, *shared)
            downs = list(combinations(rest, self.dealer.cards - len(up)))
            ranked = [self.dealer_hand(_both(up, down), shared) for down in downs]
            kind_of = np.arange(len(ranked))
            bits = np.array([_bits(up) | _bits(down) for down in downs], dtype=np.uint64)
        hands = sorted(set(ranked))
        place = {hand: at for at, hand in enumerate(hands)}
        places = np.array([place[hand] for hand in ranked])[kind_of]
        firsts = np.searchsorted(np.sort(places), np.arange(len(hands) + 1)).tolist()
        contest, ranking = self.rules.book.contest, self.rules.game.ranking
        opening = bisect_left(hands, True, key=lambda hand: contest.opens(ranking, hand))
        return Dealers(hands, firsts, bits[np.argsort(places, kind="stable")], firsts[opening])

    def _all_dealers(self) -> tuple[list[Hand], NDArray[np.int64], NDArray[np.uint64]]:
        """The hands of a dealer from a whole deck: one ranked of those that suits alone tell apart,
        which of these each is, and the bits of their cards."""
        kinds = suit_kinds(self.dealer.cards)
        ranked = [
            self.dealer_hand(tuple(DECK[card] for card in kinds.sets[first]), ())
            for first in kinds.firsts
        ]
        bits = (np.uint64(1) << kinds.sets.astype(np.uint64)).sum(axis=1, dtype=np.uint64)
        return ranked, kinds.kind_of, bits

    def _dealer_hand(self, cards: Cards, shared: tuple[Cards, ...]) -> Hand:
        lying = {self.dealer.name: cards, **self._at(shared)}
        return self.rules.game.dealer(FinishedRound(self.rules, lying, ()))

    def _at(self, shared: tuple[Cards, ...]) -> dict[str, Cards]:
        return {place.name: lies for place, lies in zip(self.shared, shared, strict=True)}


class Meeting(NamedTuple):
    """A hand paid as the player's, against the dealer's hands that end the round in one way."""

    hand: Hand
    showdown: Showdown
    dealer_opens: bool
    ways: int


@dataclass(frozen=True)
class Dealers:
    """The dealer's hands from the lowest to the highest: each that differs once, where it begins
    among all, and the cards of all; ``opening`` is where the first stands that opens."""

    hands: list[Hand]
    firsts: list[int]
    bits: NDArray[np.uint64]
    opening: int

    def meet(self, hand: Hand, held: int) -> Iterator[tuple[Showdown, bool, int]]:
        """How often the player wins, ties and loses, when the dealer opens and when not."""
        low = self.firsts[bisect_left(self.hands, hand)]
        high = self.firsts[bisect_right(self.hands, hand)]
        apart = self.bits & np.uint64(held) == 0
        for start, end in pairwise(sorted({0, low, high, self.opening, len(self.bits)})):
            showdown = (
                Showdown.WIN if end <= low else Showdown.TIE if end <= high else Showdown.LOSS
            )
            yield showdown, start >= self.opening, int(np.count_nonzero(apart[start:end]))


class SuitKinds(NamedTuple):
    """Sets of cards of a whole deck, and which of them are one set with its suits renamed."""

    sets: NDArray[np.uint8]  # (sets, cards)
    kind_of: NDArray[np.int64]  # by set
    firsts: NDArray[np.int64]  # by kind: one of its sets
    counts: NDArray[np.int64]  # by kind: how many sets it has


@cache
def suit_kinds(size: int) -> SuitKinds:
    """A kind is the ranks held in each suit, whichever suits these are."""
    cards = chain.from_iterable(combinations(range(len(DECK)), size))
    sets = np.fromiter(cards, dtype=np.uint8).reshape(-1, size)
    bits = (1 << np.arange(len(DECK)) // len(Suit))[sets]
    held = [(bits * (sets & 3 == suit)).sum(axis=1) for suit in range(len(Suit))]
    names = sum(ranks << 13 * place for place, ranks in enumerate(np.sort(held, axis=0)))
    _, firsts, kind_of, counts = np.unique(
        names, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(firsts)  # kinds stand as their first sets do
    return SuitKinds(sets, np.argsort(order)[kind_of], firsts[order], counts[order])


@cache
def _hands_of_kinds(size: int) -> list[tuple[Cards, int]]:
    """The first hand of each kind, and how many hands it has."""
    kinds = suit_kinds(size)
    firsts = kinds.sets[kinds.firsts].tolist()
    hands = (tuple(DECK[card] for card in first) for first in firsts)
    return list(zip(hands, kinds.counts.tolist(), strict=True))


def _names_a_suit(rules: Rules) -> bool:
    """Whether a paytable that may be asked about, or the game itself, tells suits apart."""
    bound = [table for _, table in rules.paytables]
    tables = [*bound, *(table for by in rules.book.paytables.values() for table in by.values())]
    said = {line.phrase for table in tables for line in table.lines}
    return bool(rules.game.sayings) or not said.isdisjoint(NAME_A_SUIT)


def _street(rules: Rules) -> Street:
    GENERIC.refuse(rules, base_facts(rules))
    return rules.book.streets[0]


def dealt_places(book: Rulebook) -> tuple[Place, ...]:
    """The dealer's place, then those all boxes share; cards for a side wager alone are unseen."""
    shared = (
        place
        for place in book.places
        if place.name not in ("box", "dealer") and place.only_for is None
    )
    return (book.place("dealer"), *shared)


def _ups(book: Rulebook, street: Street, places: Sequence[Place]) -> tuple[int, ...]:
    """How many cards of each place lie face up when the player decides, however they are dealt."""
    if not book.dealing:
        return (0,) * len(places)
    up = book.dealing[0].face_up(street.name)
    return tuple(up[place.name] for place in places)


def player_hand(rules: Rules, own: Cards, shared: Mapping[str, Cards]) -> Hand:
    box = FinishedBox(seat=1, cards=own, stakes={})
    return rules.game.player(FinishedRound(rules, shared, (box,)), box).hand


def _dealt_out(deck: Cards, counts: Sequence[int], *taken: Cards) -> Iterator[tuple[Cards, ...]]:
    """Every way to deal so many of the cards that are not taken to each of some places."""
    if not any(counts):
        yield ((),) * len(counts)
        return
    for first in combinations(_without(deck, *taken), counts[0]):
        for others in _dealt_out(deck, counts[1:], *taken, first):
            yield (first, *others)


def _both(some: Cards, others: Cards) -> Cards:
    """Sorted, so that the same cards are ranked once however they came."""
    return tuple(sorted(some + others))


def _without(cards: Cards, *taken: Cards) -> Cards:
    gone = _bits(sum(taken, ()))
    return tuple(card for card in cards if not gone >> card.number & 1)


def _bits(cards: Cards) -> int:
    return sum(1 << card.number for card in cards)
