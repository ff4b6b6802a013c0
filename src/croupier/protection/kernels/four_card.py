"""Four Card Poker when more of the dealer's cards are known: every hand against every such set.

For each set of known cards of the dealer (the up card among them) all ways to complete it are
sorted by class. The player's hands are taken in the same order, so that at each of them ``counts``
stands at its class: for every few cards, how many completions hold them and rank below the hand, in
the lower 32 bits, and as the hand, in the upper. Completions that hold none of the player's five
cards are then a sum with changing signs over subsets of the five; the largest subsets are whole
completions, whose class is looked up. A hand is four cards that count and a fifth: hands with the
same four follow each other and share half of that sum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import (
    Int16s,
    Int32s,
    Int64s,
    Uint8s,
    Uint32s,
    Uint64s,
    int64,
)
from croupier.exact.kernels.card_sets import NO_EXCHANGE, exchanged, walk
from croupier.exact.kernels.four_card import FOLD, LEAST, LOSS, MOST, TIE, WIN, Stakes
from croupier.exact.kernels.positions import sorted_in_place
from croupier.protection.kernels.compiled import kernel, lean, part

VALUE, HONEST_VALUE, DONE, HONEST_DONE, SIMPLY_DONE = 0, 1, 2, 5, 8
COLUMNS = 11
SIMPLY = 2  # the lowest bit of the simple player's action
SUBSETS = np.array([0, 1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14])
"""The subsets of four cards but themselves, a bit a card, the smallest first."""


class PlayerHands(NamedTuple):
    """All hands of five cards, the lowest class first, within it by the four cards that count."""

    cards: Uint8s  # (hands, 5): the four that count, rising, then the fifth
    fours: Int32s  # the code of the four
    held: Uint64s  # a bit a card
    classes: Int16s
    kinds: Int32s  # the row of the solver's tables
    exchanges: Uint8s  # how its columns are read
    paid: Int32s  # how the wagers that a fold forfeits pay it
    names: Int32s  # by class: what the hand is called, numbered
    cells: Int32s  # by class: how the Ante bonus pays it


class Representatives(NamedTuple):
    """One hand of each that some renamings of suits make each other."""

    hands: Int32s  # rising
    weights: Uint8s  # how many each stands for


class KnownSet(NamedTuple):
    """Cards of the dealer that are known, and their completions, the lowest class first."""

    cards: Int64s
    held: int  # a bit a card
    weight: int  # how many such sets are alike
    sorted_cards: Uint8s  # (completions, cards), rising, in the order of their classes
    sorted_classes: Int16s
    classes: Int16s  # by code of the cards
    line: Int64s  # by which of the known cards is up: the line of the strategy
    beside: Int64s  # and what is known of the others


class Honest(NamedTuple):
    """What the solver knows: by kind of hand and up card."""

    actions: Uint8s  # and from bit SIMPLY on what a simple player does
    below: Int32s
    equal: Int32s
    completions: int


class FifthCards(NamedTuple):
    """For four cards and a place among them: the subsets of the four, each beside a fifth card.

    The code of such a subset is a number of its own and one of the fifth, by how many it passes.
    """

    codes: Int64s
    passed: Int64s
    of_fifth: Int64s  # by how many are lower


class FourCardTally(NamedTuple):
    ends: Int64s  # (actions, cells, outcomes)
    lines: Int64s  # (lines, names, columns)
    kept: Int64s  # (known beside the up card, kept or folded, paid)


@kernel
def find_kinds(cards: Uint8s, steps: Uint32s, first: int, kinds: Int32s, exchanges: Uint8s) -> None:
    """Where each hand stands in the solver's tables."""
    for hand in range(len(cards)):
        kind, exchange = 0, NO_EXCHANGE
        for place in range(cards.shape[1]):
            kind, exchange = walk(steps, kind, exchange, int64(cards[hand, place]))
        kinds[hand] = kind - first
        exchanges[hand] = exchange


@kernel
def find_representatives(
    cards: Uint8s, place_of_code: Int32s, names: Uint8s, choose: Int64s, weights: Uint8s
) -> None:
    """How many hands each stands for under these names of suits; 0 where another stands for it."""
    renamed = np.empty(5, np.int64)
    for hand in range(len(cards)):
        same = 0
        for name in names:
            for at in range(5):
                card = int64(cards[hand, at])
                renamed[at] = card & ~3 | int64(name[card & 3])
            sorted_in_place(renamed, 5)
            code = int64(0)
            for at in range(5):
                code += choose[renamed[at], at + 1]
            if place_of_code[code] < hand:
                same = 0
                break
            same += place_of_code[code] == hand
        weights[hand] = len(names) // same if same else 0


@kernel
def new_fifth_cards() -> FifthCards:
    return FifthCards(np.zeros(15, np.int64), np.zeros(15, np.int64), np.zeros(4, np.int64))


@lean
def meet_known(
    hands: PlayerHands, chosen: Representatives, known: KnownSet, stakes: Stakes, honest: Honest,
    burnt: bool, completions: int, choose: Int64s, subsets: Int64s, counts: Int64s,
    fifths: FifthCards, tally: FourCardTally,
) -> None:  # fmt: skip
    """Settle every hand against one set of known cards, and add up what is done.

    With ``burnt`` one of two known cards is up and the other out of play: the dealer's hands are
    all those with the up card but those with both. ``counts`` has a row a size of subset.
    """
    counts[:] = 0
    size = known.sorted_cards.shape[1]
    at, past = 0, 0
    best, four, place, shared = int64(-1), int64(-1), 0, int64(0)
    for number in range(len(chosen.hands)):
        hand = chosen.hands[number]
        if int64(hands.held[hand]) & known.held:
            continue
        if int64(hands.classes[hand]) != best:
            best = int64(hands.classes[hand])
            while past < at:
                _add(known.sorted_cards[past], size, choose, 1 - (1 << 32), counts)
                past += 1
            while at < len(known.sorted_classes) and known.sorted_classes[at] < best:
                _add(known.sorted_cards[at], size, choose, 1, counts)
                at += 1
            past = at
            while at < len(known.sorted_classes) and known.sorted_classes[at] == best:
                _add(known.sorted_cards[at], size, choose, 1 << 32, counts)
                at += 1
            four = int64(-1)
        cards = hands.cards[hand]
        if int64(hands.fours[hand]) != four:
            four, place = int64(hands.fours[hand]), -1
            shared = _without_four(cards, size, choose, counts, known.classes, best)
        lower = _lower_than_fifth(cards)
        if lower != place:
            place = lower
            _place_fifth(cards, place, subsets, choose, fifths)
        both = shared + _with_fifth(int64(cards[4]), size, choose, counts, known.classes, best,
                                    fifths)  # fmt: skip
        below, equal = both & 0xFFFFFFFF, both >> 32
        times = int64(chosen.weights[number]) * known.weight
        if burnt:
            for up in range(len(known.cards)):
                column = exchanged(known.cards[up], int64(hands.exchanges[hand]))
                less = int64(honest.below[hands.kinds[hand], column]) - below
                same = int64(honest.equal[hands.kinds[hand], column]) - equal
                _tally(hands, hand, known, up, 1, stakes, honest, completions, less, same, times,
                       tally)  # fmt: skip
        else:
            ups = len(known.cards)
            _tally(hands, hand, known, 0, ups, stakes, honest, completions, below, equal, times,
                   tally)  # fmt: skip


@part
def _add(cards: Uint8s, size: int, choose: Int64s, number: int, counts: Int64s) -> None:
    """Add a completion to the counts of all its subsets but itself."""
    counts[0, 0] += number
    for a in range(size):
        one = int64(cards[a])
        counts[1, one] += number
        for b in range(a):
            two = int64(cards[b]) + choose[one, 2]
            counts[2, two] += number
            if size == 4:
                for c in range(b):
                    three = int64(cards[c]) + choose[cards[b], 2] + choose[one, 3]
                    counts[3, three] += number


@part
def _without_four(
    cards: Uint8s, size: int, choose: Int64s, counts: Int64s, classes: Int16s, best: int
) -> int:
    """Completions with none of the first four cards, below this class and at it, packed."""
    total = counts[0, 0]
    for a in range(4):
        ca = int64(cards[a])
        total -= counts[1, ca]
        for b in range(a):
            cb = int64(cards[b])
            total += counts[2, cb + choose[ca, 2]]
            for c in range(b):
                three = int64(cards[c]) + choose[cb, 2] + choose[ca, 3]
                if size == 3:
                    total -= _packed(classes[three], best)
                else:
                    total -= counts[3, three]
    if size == 4:
        code = int64(cards[0]) + choose[cards[1], 2] + choose[cards[2], 3] + choose[cards[3], 4]
        total += _packed(classes[code], best)
    return total


@part
def _lower_than_fifth(cards: Uint8s) -> int:
    lower = 0
    for at in range(4):
        lower += cards[at] < cards[4]
    return lower


@part
def _place_fifth(
    cards: Uint8s, lower: int, subsets: Int64s, choose: Int64s, fifths: FifthCards
) -> None:
    """Prepare the codes of subsets of the four with a fifth card that has so many below it."""
    for at in range(len(subsets)):
        code, taken, passed = int64(0), 0, 0
        for place in range(4):
            if subsets[at] >> place & 1:
                taken += 1
                passed += place < lower
                code += choose[cards[place], taken + (place >= lower)]
        fifths.codes[at], fifths.passed[at] = code, passed


@part
def _with_fifth(
    fifth: int, size: int, choose: Int64s, counts: Int64s, classes: Int16s, best: int,
    fifths: FifthCards,
) -> int:  # fmt: skip
    """The part of the sum whose subsets hold the fifth card."""
    codes, passed, mine = fifths.codes, fifths.passed, fifths.of_fifth
    for lower in range(4):
        mine[lower] = choose[fifth, lower + 1]
    total = -counts[1, fifth]
    for at in range(1, 5):
        total += counts[2, codes[at] + mine[passed[at]]]
    if size == 3:
        for at in range(5, 11):
            total -= _packed(classes[codes[at] + mine[passed[at]]], best)
        return total
    for at in range(5, 11):
        total -= counts[3, codes[at] + mine[passed[at]]]
    for at in range(11, 15):
        total += _packed(classes[codes[at] + mine[passed[at]]], best)
    return total


@part
def _packed(found: int, best: int) -> int:
    return int64(found < best) + (int64(found == best) << 32)


@part
def _tally(
    hands: PlayerHands, hand: int, known: KnownSet, first: int, ups: int, stakes: Stakes,
    honest: Honest, completions: int, below: int, equal: int, weight: int, tally: FourCardTally,
) -> None:  # fmt: skip
    """Decide, and count what comes of it and of the honest action with each of so many cards up,
    from the first on, and what a simple player does: the decision is the same for all of them."""
    above = completions - below - equal
    edge = stakes.unit * (below + stakes.ties * equal - above)
    bonus = stakes.bonus_of_class[hands.classes[hand]] * completions
    at_most, at_least = (1 + stakes.most) * edge + bonus, (1 + stakes.least) * edge + bonus
    folded = -stakes.unit * completions
    action, value = FOLD, folded
    if max(at_most, at_least) > folded:
        action, value = (MOST, at_most) if at_most > at_least else (LEAST, at_least)
    best, kind, deals = hands.classes[hand], hands.kinds[hand], 0
    cell, name = hands.cells[best], hands.names[best]
    for up in range(first, first + ups):
        column = exchanged(known.cards[up], int64(hands.exchanges[hand]))
        both = int64(honest.actions[kind, column])
        otherwise, simply = both & (1 << SIMPLY) - 1, both >> SIMPLY
        honest_value = at_most if otherwise == MOST else at_least if otherwise == LEAST else folded
        line = known.line[up]
        tally.lines[line, name, VALUE] += weight * value
        tally.lines[line, name, HONEST_VALUE] += weight * honest_value
        tally.lines[line, name, DONE + action] += weight * completions
        tally.lines[line, name, HONEST_DONE + otherwise] += weight * completions
        tally.lines[line, name, SIMPLY_DONE + simply] += weight * completions
        folds = 1 if action == FOLD else 0
        tally.kept[known.beside[up], folds, hands.paid[hand]] += weight * completions
        deals += weight
    tally.ends[action, cell, WIN] += deals * below
    tally.ends[action, cell, TIE] += deals * equal
    tally.ends[action, cell, LOSS] += deals * above
