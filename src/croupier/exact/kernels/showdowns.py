"""Every player's five cards against every up card: how many dealer's hands lose, tie and win.

Let r be the class of the player's best four. Wanted is the number of six-card sets that hold the up
card, hold none of the player's cards, and rank below r, or at r. By inclusion and exclusion that is
a sum, with changing signs, over the subsets S of the player's five cards, of N(S + up card): how
many six-card sets hold those cards and rank so. Four facts make this quick:

- N depends on the kind of its set alone (see :mod:`.card_sets`): one array of 152,829 numbers. It
  is taken through the classes from the weakest to the best, so that it always stands at one r. Each
  number has two halves: below r in the lower 32 bits, at r in the upper; sums keep them apart.
- Going from one class to the next changes few numbers. For five cards N counts single sixth cards;
  for fewer it is a sum over sets one larger, in which each six-card set comes up 6 - size times.
- The player's hand is F + x, F the four cards that count. Hands with the same F share half of the
  sum, and the largest subset of the other half needs no N: F + x + up card cannot rank below r.
- For one S the sums for all up cards read one row of the table of steps.

The classes are cut into runs that threads take one by one. A run starts from the N of its first
class, which is again a sum over sets one larger. Nothing is shared but what is only read, and each
result is written by one thread to its own place, so no answer depends on their number or order.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from croupier.exact.kernels import four_card_rank
from croupier.exact.kernels.array_types import (
    Bools,
    Int16s,
    Int32s,
    Int64s,
    Uint8s,
    Uint16s,
    Uint32s,
    int64,
)
from croupier.exact.kernels.card_sets import (
    NO_EXCHANGE,
    CardSets,
    card_sets,
    exchanged,
    walk,
)
from croupier.exact.kernels.compiled import in_chunks, kernel, threads_to_use
from croupier.exact.kernels.four_card_rank import FourCardRankTables

HAND_SIZE = 5
DEALER_SIZE = 6
_RUNS = 16
_BLOCKS = 16


class Showdowns(NamedTuple):
    """By kind of player's hand and by up card, as the kind's representative sees it."""

    sets: CardSets
    hands: Uint8s  # by kind of hand: the representative's cards
    weights: Int64s  # by kind of hand: how many hands it stands for
    classes: Int16s  # by kind of hand: the class of its best four
    can_be_up: Bools  # [hand, card]: in the deck and not in the hand
    below: Int32s  # [hand, up card]: how many dealer's hands the player beats
    equal: Uint16s  # [hand, up card]: how many dealer's hands tie; at most 19,485
    completions: int  # how many dealer's hands there are for one hand and up card

    def place(self, cards: tuple[int, ...], up: int) -> tuple[int, int]:
        """The row and the column where these cards and this up card are found."""
        if all(0 <= card < 52 for card in (*cards, up)) and len(cards) == HAND_SIZE:
            kind, exchange = self.sets.kind_of(cards)
            place = kind - int(self.sets.starts[HAND_SIZE]), int(exchanged(up, exchange))
            if place[0] >= 0 and self.can_be_up[place]:
                return place
        raise ValueError("five cards and an up card, all different and of this deck, are needed")

    def of(self, cards: tuple[int, ...], up: int) -> tuple[int, int, int]:
        """How many dealer's hands lose to, tie with and beat these cards, with this card up."""
        place = self.place(cards, up)
        below, equal = int(self.below[place]), int(self.equal[place])
        return below, equal, self.completions - below - equal


def showdowns(
    deck: ArrayLike | None = None,
    threads: int | None = None,
    progress: Callable[[float], None] = lambda done: None,
) -> Showdowns:
    """Count the dealer's hands for every player's hand and up card of this deck."""
    held = np.arange(52) if deck is None else np.unique(deck)
    if len(held) < HAND_SIZE + DEALER_SIZE or held[0] < 0 or held[-1] > 51:
        raise ValueError("a deck holds at least eleven different cards, numbered from 0 to 51")
    sets = card_sets(held.astype(np.uint8))
    workers = threads_to_use(threads)
    hands = sets.cards[sets.starts[HAND_SIZE] :]
    classes = four_card_rank.rank_hands(hands)
    with_card, sorted_hands, class_ends = classes_with_sixth(sets, workers)
    runs = runs_of(classes, class_ends)
    bases = bases_of(sets, with_card, runs, workers)
    order = _order_hands(sets, classes)
    below = np.zeros((len(hands), 52), dtype=np.int32)
    equal = np.zeros((len(hands), 52), dtype=np.uint16)

    def meet(space: ShowdownSpace, start: int, stop: int) -> None:
        for run in range(start, stop):
            start_run(bases[run], sets.starts, sets.steps, space.counts)
            _meet_run(
                runs[run], runs[run + 1], sorted_hands, class_ends, sets, order,
                with_card, space, below, equal,
            )  # fmt: skip

    spaces = [new_space(len(sets.cards)) for _ in range(workers)]
    in_chunks(meet, spaces, len(runs) - 1, 1, progress)
    completions = comb(len(held) - HAND_SIZE - 1, DEALER_SIZE - 1)
    weights = sets.weights[sets.starts[HAND_SIZE] :]
    return Showdowns(sets, hands, weights, classes, with_card >= 0, below, equal, completions)


class ShowdownSpace(NamedTuple):
    """What one thread works on, by kind of set."""

    counts: Int64s  # N: below the class at hand, and at it in the upper half
    fresh: Int64s  # the sets of the class at hand; zero between classes
    queue: Uint32s  # the kinds with a fresh number


def new_space(kinds: int) -> ShowdownSpace:
    return ShowdownSpace(
        np.zeros(kinds, dtype=np.int64),
        np.zeros(kinds, dtype=np.int64),
        np.zeros(kinds, dtype=np.uint32),
    )


class _Order(NamedTuple):
    """The player's hands by class, and within a class by the four cards that count."""

    ends: Int64s  # by class: where its hands end, after a leading 0
    hands: Int32s  # the hands
    fours: Int32s  # by hand: the kind of the four cards that count
    fifths: Uint8s  # by hand: the fifth card, as the representative of the four sees it
    exchanges: Uint8s  # by hand: the exchange that makes the four their representative


def _order_hands(sets: CardSets, classes: Int16s) -> _Order:
    first_four, first_five = sets.starts[4], sets.starts[5]
    four_classes = four_card_rank.rank_hands(sets.cards[first_four:first_five, :4])
    fours = np.zeros(len(classes), dtype=np.int32)
    fifths = np.zeros(len(classes), dtype=np.uint8)
    exchanges = np.zeros(len(classes), dtype=np.uint8)
    _split_hands(sets, classes, four_classes, fours, fifths, exchanges)
    hands = np.argsort(classes.astype(np.int64) << 32 | fours).astype(np.int32)
    ends = np.searchsorted(classes[hands], np.arange(four_card_rank.CLASSES + 1))
    return _Order(ends, hands, fours, fifths, exchanges)


@kernel
def _split_hands(
    sets: CardSets,
    classes: Int16s,
    four_classes: Int16s,
    fours: Int32s,
    fifths: Uint8s,
    exchanges: Uint8s,
) -> None:
    """Split each hand into four cards of the same class and a fifth."""
    first_four, first_five = sets.starts[4], sets.starts[5]
    for hand in range(len(classes)):
        cards, parents = sets.cards[first_five + hand], sets.parents[first_five + hand]
        left_out = 0
        while four_classes[parents[left_out] - first_four] != classes[hand]:
            left_out += 1
        kind, exchange = 0, NO_EXCHANGE
        for at in range(HAND_SIZE):
            if at != left_out:
                kind, exchange = walk(sets.steps, kind, exchange, int64(cards[at]))
        fours[hand] = kind
        fifths[hand] = exchanged(int64(cards[left_out]), exchange)
        exchanges[hand] = exchange


def classes_with_sixth(sets: CardSets, workers: int) -> tuple[Int16s, Uint32s, Int64s]:
    """The class of each hand with each sixth card, and the hands sorted by that class.

    A hand stands in the sorted list once for each sixth card.
    """
    hands = sets.cards[sets.starts[HAND_SIZE] :]
    with_card = np.full((len(hands), 52), -1, dtype=np.int16)
    bounds = np.linspace(0, len(hands), _BLOCKS + 1).astype(np.int64)
    found = np.zeros((_BLOCKS, four_card_rank.CLASSES), dtype=np.int64)
    tables = four_card_rank.tables()

    def rank(_: None, start: int, stop: int) -> None:
        for block in range(start, stop):
            first, last = bounds[block], bounds[block + 1]
            _rank_with_sixth(hands, sets.deck, tables, first, last, with_card, found[block])

    in_chunks(rank, [None] * workers, _BLOCKS, 1, lambda done: None)
    ends = np.cumsum(found.sum(axis=0))
    places = np.cumsum(found, axis=0) - found + (ends - found.sum(axis=0))
    sorted_hands = np.empty(ends[-1], dtype=np.uint32)

    def sort(_: None, start: int, stop: int) -> None:
        for block in range(start, stop):
            _place_by_class(
                with_card, bounds[block], bounds[block + 1], places[block], sorted_hands
            )

    in_chunks(sort, [None] * workers, _BLOCKS, 1, lambda done: None)
    return with_card, sorted_hands, np.concatenate([[0], ends])


@kernel
def _rank_with_sixth(
    hands: Uint8s, deck: Uint8s, tables: FourCardRankTables, first: int, last: int,
    with_card: Int16s, found: Int64s,
) -> None:  # fmt: skip
    for hand in range(first, last):
        total = held = np.uint64(0)
        for card in hands[hand]:
            total += tables.cards[card]
            held |= tables.bits[card]
        for card in deck:
            if held & tables.bits[card]:
                continue
            best = four_card_rank.class_of(
                total + tables.cards[card], held | tables.bits[card], tables
            )
            with_card[hand, card] = best
            found[best] += 1


@kernel
def _place_by_class(
    with_card: Int16s, first: int, last: int, places: Int64s, sorted_hands: Uint32s
) -> None:
    for hand in range(first, last):
        for card in range(52):
            best = with_card[hand, card]
            if best >= 0:
                sorted_hands[places[best]] = hand
                places[best] += 1


def runs_of(classes: Int16s, class_ends: Int64s) -> Int64s:
    """Cut the classes into runs of about equal work, by what was measured of its two parts."""
    hands = np.bincount(classes, minlength=four_card_rank.CLASSES)
    work = np.cumsum(60 * hands + np.diff(class_ends))
    cuts = np.searchsorted(work, np.linspace(0, work[-1], _RUNS + 1)[1:-1])
    return np.unique(np.concatenate([[0], cuts, [four_card_rank.CLASSES]]))


def bases_of(sets: CardSets, with_card: Int16s, runs: Int64s, workers: int) -> Int32s:
    """By run and hand: how many sixth cards make a class below the run."""
    bases = np.zeros((len(runs) - 1, len(with_card)), dtype=np.int32)
    run_of_class = np.searchsorted(runs, np.arange(four_card_rank.CLASSES), side="right") - 1

    def count(_: None, start: int, stop: int) -> None:
        _count_below_runs(with_card, run_of_class, start, stop, bases)

    in_chunks(count, [None] * workers, len(with_card), 16_384, lambda done: None)
    return bases


@kernel
def _count_below_runs(
    with_card: Int16s, run_of_class: Int64s, first: int, last: int, bases: Int32s
) -> None:
    found = np.zeros(len(bases), dtype=np.int32)
    for hand in range(first, last):
        found[:] = 0
        for card in range(52):
            if with_card[hand, card] >= 0:
                found[run_of_class[with_card[hand, card]]] += 1
        for run in range(1, len(bases)):
            bases[run, hand] = bases[run - 1, hand] + found[run - 1]


@kernel
def start_run(base: Int32s, starts: Int64s, steps: Uint32s, counts: Int64s) -> None:
    """Set every count to the six-card sets below the run, from five cards down to one."""
    for hand in range(len(base)):
        counts[starts[HAND_SIZE] + hand] = base[hand]
    for size in range(HAND_SIZE - 1, 0, -1):
        for kind in range(starts[size], starts[size + 1]):
            total = 0
            for card in range(52):
                total += counts[steps[kind, card] >> 8]
            counts[kind] = total // (DEALER_SIZE - size)


@kernel
def _meet_run(
    first: int, last: int, sorted_hands: Uint32s, class_ends: Int64s, sets: CardSets, order: _Order,
    with_card: Int16s, space: ShowdownSpace, below: Int32s, equal: Uint16s,
) -> None:  # fmt: skip
    """Take the counts through a run of classes and settle each class's hands on the way."""
    for best in range(first, last):
        made = sorted_hands[class_ends[best] : class_ends[best + 1]]
        reached = add_class(made, sets, space)
        _meet_class(best, sets, order, with_card, space.counts, below, equal)
        for at in range(reached):
            kind = space.queue[at]
            space.counts[kind] += space.fresh[kind] - (space.fresh[kind] << 32)
            space.fresh[kind] = 0


@kernel
def add_class(made: Uint32s, sets: CardSets, space: ShowdownSpace) -> int:
    """Count the six-card sets of one class in the upper halves; return how many kinds they reach.

    A kind waits in the queue until all sets one larger have told it their numbers, each weighted by
    how many sets it stands for: the queue takes larger sets first.
    """
    first_five = sets.starts[HAND_SIZE]
    reached = 0
    for hand in made:
        kind = first_five + hand
        if space.fresh[kind] == 0:
            space.queue[reached] = kind
            reached += 1
        space.fresh[kind] += 1
    at = 0
    size = HAND_SIZE
    while at < reached:
        kind = space.queue[at]
        while kind < sets.starts[size]:
            size -= 1
        if size < HAND_SIZE:
            space.fresh[kind] //= sets.weights[kind] * (DEALER_SIZE - size)
        space.counts[kind] += space.fresh[kind] << 32
        if size > 1:
            told = space.fresh[kind] * sets.weights[kind]
            for side in range(size):
                parent = sets.parents[kind, side]
                if space.fresh[parent] == 0:
                    space.queue[reached] = parent
                    reached += 1
                space.fresh[parent] += told
        at += 1
    return reached


@kernel
def _meet_class(
    best: int, sets: CardSets, order: _Order, with_card: Int16s, counts: Int64s, below: Int32s,
    equal: Uint16s,
) -> None:  # fmt: skip
    """Settle every player's hand of one class against every up card."""
    kinds = np.zeros(16, dtype=np.int64)
    exchanges = np.zeros(16, dtype=np.int64)
    shared = np.zeros(52, dtype=np.int64)
    sums = np.zeros(52, dtype=np.int64)
    four_cards = -1
    for at in range(order.ends[best], order.ends[best + 1]):
        hand = order.hands[at]
        if order.fours[hand] != four_cards:
            four_cards = order.fours[hand]
            _walk_subsets(sets, four_cards, kinds, exchanges)
            shared[:] = 0
            for subset in range(16):
                row = sets.steps[kinds[subset]]
                add_row(shared, counts, row, exchanges[subset], _sign(subset))
        sums[:] = shared
        fifth = int64(order.fifths[hand])
        for subset in range(15):
            kind, exchange = walk(sets.steps, kinds[subset], exchanges[subset], fifth)
            add_row(sums, counts, sets.steps[kind], exchange, -_sign(subset))
        exchange = int64(order.exchanges[hand])
        for card in sets.deck:
            with_six = with_card[hand, card]
            if with_six >= 0:
                both = sums[exchanged(int64(card), exchange)]
                both -= int64(with_six == best) << 32
                below[hand, card] = both & 0xFFFFFFFF
                equal[hand, card] = both >> 32


@kernel
def _walk_subsets(sets: CardSets, four_cards: int, kinds: Int64s, exchanges: Int64s) -> None:
    """The kind and exchange of each subset of four cards; bit i of a subset takes card i."""
    kinds[0], exchanges[0] = 0, NO_EXCHANGE
    for at in range(4):
        card = int64(sets.cards[four_cards, at])
        for subset in range(1 << at):
            kind, exchange = walk(sets.steps, kinds[subset], exchanges[subset], card)
            kinds[subset | 1 << at], exchanges[subset | 1 << at] = kind, exchange


@kernel
def _sign(subset: int) -> int:
    """Plus for a subset of an even number of cards, minus for an odd one."""
    return 1 - 2 * ((subset ^ subset >> 1 ^ subset >> 2 ^ subset >> 3) & 1)


@kernel
def add_row(sums: Int64s, counts: Int64s, row: Uint32s, exchange: int, sign: int) -> None:
    """Add the counts of one set with each card of the deck."""
    for rank in range(0, 52, 4):
        for suit in range(4):
            sums[rank + suit] += sign * counts[row[rank + (exchange >> (2 * suit) & 3)] >> 8]
