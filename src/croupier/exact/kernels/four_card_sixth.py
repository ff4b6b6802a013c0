"""Four Card Poker beside a wager on the player's five cards and a sixth of its own.

The sixth card lies neither with the player nor with the dealer, so of the dealer's hands that
:mod:`.showdowns` counts those that hold it are taken away: again a sum, with changing signs, over
the subsets S of the player's five cards, of N(S + sixth card + up card). The same walk through the
classes tells N; sets of six cards are ranked as they come.

Most sixth cards leave a hand on one line of the wager. Theirs are all deals that those of the other
cards leave.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from croupier.exact.kernels.array_types import Int16s, Int64s, Uint8s, Uint32s, int64
from croupier.exact.kernels.card_sets import NO_EXCHANGE, CardSets, exchanged, walk
from croupier.exact.kernels.compiled import in_chunks, kernel, threads_to_use
from croupier.exact.kernels.four_card import LOSS, TIE, WIN
from croupier.exact.kernels.showdowns import (
    DEALER_SIZE,
    HAND_SIZE,
    Showdowns,
    ShowdownSpace,
    add_class,
    add_row,
    bases_of,
    classes_with_sixth,
    new_space,
    runs_of,
    start_run,
)

NO_CARD = np.uint8(255)  # in lines of sixth cards: this card is in the hand, or not in the deck
SUBSETS = (1 << HAND_SIZE) - 1  # of the player's cards, but all five


class Asked(NamedTuple):
    """What is done and told apart, by kind of hand."""

    actions: Uint8s  # [hand, up card]
    lines: Int64s  # by hand: the line of its five cards
    sixth: Uint8s  # [hand, sixth card]: the line of all six, from 0, or NO_CARD
    common: Uint8s  # by hand: the line that most of its sixth cards have
    others: int  # the dealer's hands that hold the up card and not the sixth


class _Room(NamedTuple):
    space: ShowdownSpace
    kinds: Int64s  # (32,): by subset of the player's cards its kind
    exchanges: Int64s
    held: Int64s  # (52,): by up card, the dealer's hands that hold the sixth card too
    tally: Int64s  # [line of five cards, line of six, action, outcome]


def tally_with_sixth(
    shown: Showdowns, actions: Uint8s, hand_lines: ArrayLike, sixth: Uint8s,
    threads: int | None = None,
) -> Int64s:  # fmt: skip
    """Count every deal of five cards, an up card, the dealer's others and a sixth card: by line of
    the five cards, line of all six, action and outcome."""
    sets, workers = shown.sets, threads_to_use(threads)
    lines = np.ascontiguousarray(hand_lines, dtype=np.int64)
    wide = int(sixth[sixth != NO_CARD].max()) + 1
    counted = np.stack([np.count_nonzero(sixth == line, axis=1) for line in range(wide)])
    left = len(sets.deck) - HAND_SIZE - 2
    asked = Asked(
        actions, lines, sixth, counted.argmax(axis=0).astype(np.uint8), comb(left, DEALER_SIZE - 1)
    )
    with_card, sorted_hands, class_ends = classes_with_sixth(sets, workers)
    runs = runs_of(shown.classes, class_ends)
    bases = bases_of(sets, with_card, runs, workers)
    by_class = np.argsort(shown.classes, kind="stable")
    ends = np.searchsorted(shown.classes[by_class], np.arange(int(runs[-1]) + 1))

    def meet(room: _Room, start: int, stop: int) -> None:
        for run in range(start, stop):
            start_run(bases[run], sets.starts, sets.steps, room.space.counts)
            _count_run(
                runs[run], runs[run + 1], sorted_hands, class_ends, shown, with_card, by_class,
                ends, asked, room,
            )  # fmt: skip

    rooms = [_room(len(sets.cards), int(lines.max()) + 1, wide) for _ in range(workers)]
    in_chunks(meet, rooms, len(runs) - 1, 1, lambda done: None)
    return sum((room.tally for room in rooms[1:]), start=rooms[0].tally)


def _room(kinds: int, lines: int, wide: int) -> _Room:
    return _Room(
        new_space(kinds),
        np.zeros(SUBSETS + 1, np.int64),
        np.zeros(SUBSETS + 1, np.int64),
        np.zeros(52, np.int64),
        np.zeros((lines, wide, 3, 3), np.int64),
    )


@kernel
def _count_run(
    first: int, last: int, sorted_hands: Uint32s, class_ends: Int64s, shown: Showdowns,
    with_card: Int16s, by_class: Int64s, ends: Int64s, asked: Asked, room: _Room,
) -> None:  # fmt: skip
    """Take the counts through a run of classes and count each class's hands on the way."""
    space = room.space
    for best in range(first, last):
        made = sorted_hands[class_ends[best] : class_ends[best + 1]]
        reached = add_class(made, shown.sets, space)
        for at in range(ends[best], ends[best + 1]):
            _count_hand(by_class[at], best, shown, with_card, asked, room)
        for at in range(reached):
            kind = space.queue[at]
            space.counts[kind] += space.fresh[kind] - (space.fresh[kind] << 32)
            space.fresh[kind] = 0


@kernel
def _count_hand(
    hand: int, best: int, shown: Showdowns, with_card: Int16s, asked: Asked, room: _Room
) -> None:
    """Count the deals of one kind of hand, sixth card by sixth card."""
    sets, held, common = shown.sets, room.held, asked.common[hand]
    by_sixth = room.tally[asked.lines[hand]]
    weight = shown.weights[hand]
    sixths = len(sets.deck) - HAND_SIZE - DEALER_SIZE
    for up in sets.deck:
        if shown.can_be_up[hand, up]:
            below, equal = int64(shown.below[hand, up]), int64(shown.equal[hand, up])
            counted = by_sixth[common, asked.actions[hand, up]]
            counted[WIN] += weight * sixths * below
            counted[TIE] += weight * sixths * equal
            counted[LOSS] += weight * sixths * (shown.completions - below - equal)
    _walk_subsets(sets, sets.starts[HAND_SIZE] + hand, room.kinds, room.exchanges)
    for sixth in sets.deck:
        line = asked.sixth[hand, sixth]
        if line in (NO_CARD, common):
            continue
        _count_held(best, sets, int64(sixth), with_card, room)
        for up in sets.deck:
            if up == sixth or not shown.can_be_up[hand, up]:
                continue
            action = asked.actions[hand, up]
            below = int64(shown.below[hand, up]) - (held[up] & 0xFFFFFFFF)
            equal = int64(shown.equal[hand, up]) - (held[up] >> 32)
            above = asked.others - below - equal
            for counted, sign in ((by_sixth[line, action], 1), (by_sixth[common, action], -1)):
                counted[WIN] += sign * weight * below
                counted[TIE] += sign * weight * equal
                counted[LOSS] += sign * weight * above


@kernel
def _walk_subsets(sets: CardSets, kind: int, kinds: Int64s, exchanges: Int64s) -> None:
    """The kind and exchange of each subset of a hand; bit i of a subset takes card i."""
    kinds[0], exchanges[0] = 0, NO_EXCHANGE
    for at in range(HAND_SIZE):
        card = int64(sets.cards[kind, at])
        for subset in range(1 << at):
            if subset | 1 << at < SUBSETS:
                grown, exchange = walk(sets.steps, kinds[subset], exchanges[subset], card)
                kinds[subset | 1 << at], exchanges[subset | 1 << at] = grown, exchange


@kernel
def _count_held(best: int, sets: CardSets, sixth: int, with_card: Int16s, room: _Room) -> None:
    """By up card: the dealer's hands below the class and at it (in the upper half) that hold the
    sixth card too, and none of the player's."""
    held, counts, first_five = room.held, room.space.counts, sets.starts[HAND_SIZE]
    held[:] = 0
    for subset in range(SUBSETS):
        kind, exchange = walk(sets.steps, room.kinds[subset], room.exchanges[subset], sixth)
        taken = 0
        for at in range(HAND_SIZE):
            taken += subset >> at & 1
        sign = 1 - 2 * (taken & 1)
        if kind < first_five:
            add_row(held, counts, sets.steps[kind], exchange, sign)
            continue
        for up in sets.deck:
            six = with_card[kind - first_five, exchanged(int64(up), exchange)]
            if 0 <= six <= best:
                held[up] += sign * (1 if six < best else 1 << 32)
