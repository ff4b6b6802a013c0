"""Four Card Poker when more of the dealer's cards are known: every hand against every such set.

For each set of known cards of the dealer (the up card among them) all ways to complete it are
sorted by class. The player's hands are taken in the same order, so that at each of them ``counts``
stands at its class: for every few cards, how many completions hold them and rank below the hand, in
the lower 32 bits, and as the hand, in the upper. Completions that hold none of the player's five
cards are then a sum with changing signs over subsets of the five; the largest subsets are whole
completions, whose class is looked up.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier.exact.kernels.array_types import Int16s, Int32s, Int64s, Uint8s, Uint32s, int64
from croupier.exact.kernels.card_sets import NO_EXCHANGE, exchanged, walk
from croupier.exact.kernels.four_card import FOLD, LEAST, LOSS, MOST, TIE, WIN, Stakes
from croupier.protection.kernels.compiled import kernel, lean, part

VALUE, HONEST_VALUE, DONE, HONEST_DONE = 0, 1, 2, 5
COLUMNS = 8


class PlayerHands(NamedTuple):
    """All hands of five cards, the lowest class first."""

    cards: Uint8s  # (hands, 5), rising
    classes: Int16s
    masks: Int16s  # (hands, 4): the ranks held in each suit
    kinds: Int32s  # the row of the solver's tables
    exchanges: Uint8s  # how its columns are read
    names: Int32s  # what the hand is called, numbered
    cells: Int32s  # how the Ante bonus pays it
    paid: Int32s  # how the wagers that a fold forfeits pay it


class KnownSet(NamedTuple):
    """Cards of the dealer that are known, and their completions, the lowest class first."""

    cards: Int64s
    weight: int  # how many such sets are alike
    twins: Int64s  # by suit: the earlier suit that may change names with it, or -1
    sorted_cards: Uint8s  # (completions, cards), rising, in the order of their classes
    sorted_classes: Int16s
    classes: Int16s  # by code of the cards
    line: Int64s  # by which of the known cards is up: the line of the strategy
    beside: Int64s  # and what is known of the others


class Honest(NamedTuple):
    """What the solver knows: by kind of hand and up card."""

    actions: Uint8s
    below: Int32s
    equal: Int32s
    completions: int


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


@lean
def meet_known(
    hands: PlayerHands, known: KnownSet, stakes: Stakes, honest: Honest, burnt: bool,
    completions: int, choose: Int64s, counts: Int64s, tally: FourCardTally,
) -> None:  # fmt: skip
    """Settle every hand against one set of known cards, and add up what is done.

    With ``burnt`` one of two known cards is up and the other out of play: the dealer's hands are
    all those with the up card but those with both. ``counts`` has a row a size of subset.
    """
    counts[:] = 0
    size = known.sorted_cards.shape[1]
    at, past = 0, 0
    best = int64(-1)
    for hand in range(len(hands.cards)):
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
        weight = _weight(hands.masks[hand], known.twins) if _apart(hands, hand, known) else 0
        if weight == 0:
            continue
        both = _avoiding(hands.cards[hand], size, choose, counts, known.classes, best)
        below, equal = both & 0xFFFFFFFF, both >> 32
        times = weight * known.weight
        if burnt:
            for up in range(len(known.cards)):
                column = exchanged(known.cards[up], int64(hands.exchanges[hand]))
                lower = int64(honest.below[hands.kinds[hand], column]) - below
                same = int64(honest.equal[hands.kinds[hand], column]) - equal
                _tally(hands, hand, known, up, 1, stakes, honest, completions, lower, same, times,
                       tally)  # fmt: skip
        else:
            ups = len(known.cards)
            _tally(hands, hand, known, 0, ups, stakes, honest, completions, below, equal, times,
                   tally)  # fmt: skip


@part
def _apart(hands: PlayerHands, hand: int, known: KnownSet) -> bool:
    held = int64(0)
    for card in known.cards:
        held |= int64(hands.masks[hand, card & 3]) >> (card >> 2) & 1
    return held == 0


@part
def _weight(masks: Int16s, twins: Int64s) -> int:
    """How many hands this one stands for; 0 where another stands for it."""
    weight = 1
    for suit in range(4):
        alike, same, before = 1, 1, twins[suit]
        if before >= 0 and masks[suit] > masks[before]:
            return 0
        while before >= 0:
            alike += 1
            same += masks[before] == masks[suit]
            before = twins[before]
        weight = weight * alike // same
    return weight


@part
def _add(cards: Uint8s, size: int, choose: Int64s, number: int, counts: Int64s) -> None:
    """Add a completion to the counts of all its subsets but itself."""
    for subset in range((1 << size) - 1):
        code, taken = 0, 0
        for place in range(size):
            if subset >> place & 1:
                taken += 1
                code += choose[cards[place], taken]
        counts[taken, code] += number


@part
def _avoiding(
    cards: Uint8s, size: int, choose: Int64s, counts: Int64s, classes: Int16s, best: int
) -> int:
    """Completions with none of these five cards, below this class and at it, packed."""
    total = counts[0, 0]
    for a in range(5):
        ca = int64(cards[a])
        total -= counts[1, ca]
        for b in range(a):
            cb = int64(cards[b])
            two = cb + choose[ca, 2]
            total += counts[2, two]
            for c in range(b):
                cc = int64(cards[c])
                three = cc + choose[cb, 2] + choose[ca, 3]
                if size == 3:
                    total -= _packed(classes[three], best)
                    continue
                total -= counts[3, three]
                for d in range(c):
                    four = int64(cards[d]) + choose[cc, 2] + choose[cb, 3] + choose[ca, 4]
                    total += _packed(classes[four], best)
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
    from the first on: the decision is the same for all of them."""
    above = completions - below - equal
    edge = stakes.unit * (below + stakes.ties * equal - above)
    bonus = stakes.bonus_of_class[hands.classes[hand]] * completions
    at_most, at_least = (1 + stakes.most) * edge + bonus, (1 + stakes.least) * edge + bonus
    folded = -stakes.unit * completions
    action, value = FOLD, folded
    if max(at_most, at_least) > folded:
        action, value = (MOST, at_most) if at_most > at_least else (LEAST, at_least)
    kind, cell, name, deals = hands.kinds[hand], hands.cells[hand], hands.names[hand], 0
    for up in range(first, first + ups):
        column = exchanged(known.cards[up], int64(hands.exchanges[hand]))
        otherwise = int64(honest.actions[kind, column])
        honest_value = at_most if otherwise == MOST else at_least if otherwise == LEAST else folded
        line = known.line[up]
        tally.lines[line, name, VALUE] += weight * value
        tally.lines[line, name, HONEST_VALUE] += weight * honest_value
        tally.lines[line, name, DONE + action] += weight * completions
        tally.lines[line, name, HONEST_DONE + otherwise] += weight * completions
        folds = 1 if action == FOLD else 0
        tally.kept[known.beside[up], folds, hands.paid[hand]] += weight * completions
        deals += weight
    tally.ends[action, cell, WIN] += deals * below
    tally.ends[action, cell, TIE] += deals * equal
    tally.ends[action, cell, LOSS] += deals * above
