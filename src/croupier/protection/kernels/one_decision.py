"""A game of one decision and few cards when the dealer's are known: every hand dealt against every.

The dealer's hands are looked up in a cube with an axis a card, 52 for a card there is not, so that
up to three cards are ranked by one look.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import Int32s, Int64s, Uint8s, int64
from croupier.protection.kernels.compiled import kernel

NO_CARD = 52
OUTCOMES = 6  # win, tie and loss, each with a dealer who opens and with one who does not


class OneDecision(NamedTuple):
    """The player's hands, the dealer's, and what each action brings."""

    own: Uint8s  # (hands, cards)
    order: Int32s  # by hand: its place among all hands
    cells: Int32s  # by hand: how it is paid
    names: Int32s  # by hand: what it is called
    honest: Uint8s  # by hand: the action where nothing is known
    simple: Uint8s  # by hand: the action of a simple player
    cube: Int32s  # (53, 53, 53): the place of the dealer's hand
    first_opening: int
    nets: Int64s  # (actions, cells, outcomes), in units
    deck: Int64s


class OneDecisionTally(NamedTuple):
    ends: Int64s  # (actions, cells, outcomes)
    lines: Int64s  # (lines, names, 3 + three times the actions)
    best: Uint8s  # by hand: the action of the last known cards


@kernel
def meet_known(
    start: int, stop: int, game: OneDecision, known: Int64s, weight: int, line: int, dealt: int,
    tally: OneDecisionTally,
) -> None:  # fmt: skip
    """Decide these hands when the dealer has the known cards, or any of so many sets that differ
    from them in suits alone, and so many others."""
    rest, ends = np.empty(52, np.int64), np.empty(OUTCOMES, np.int64)
    taken = int64(0)
    for card in known:
        taken |= 1 << card
    for hand in range(start, stop):
        held = int64(0)
        for card in game.own[hand]:
            held |= 1 << int64(card)
        if held & taken:
            continue
        count = 0
        for card in game.deck:
            rest[count] = card
            count += 1 - ((held | taken) >> card & 1)
        _count_ends(game, game.order[hand], known, rest[:count], dealt, ends)
        _decide(game, hand, ends, weight, line, tally)


@kernel
def _count_ends(
    game: OneDecision, mine: int, known: Int64s, rest: Int64s, dealt: int, ends: Int64s
) -> None:
    """Every way to deal the dealer's other cards, none to three of them."""
    ends[:] = 0
    one = known[0] if len(known) > 0 else 52
    two = known[1] if len(known) > 1 else 52
    if dealt == 0:
        three = known[2] if len(known) > 2 else 52
        _count(game.cube[one, two, three], mine, game.first_opening, ends)
        return
    if dealt == 1:
        alone = game.cube[one, two]
        for card in rest:
            _count(alone[card], mine, game.first_opening, ends)
        return
    for a in range(len(rest)):
        if dealt == 2:
            both = game.cube[one, rest[a]]
            for b in range(a):
                _count(both[rest[b]], mine, game.first_opening, ends)
            continue
        for b in range(a):
            row = game.cube[rest[a], rest[b]]
            for c in range(b):
                _count(row[rest[c]], mine, game.first_opening, ends)


@kernel
def _count(dealers: int, mine: int, first_opening: int, ends: Int64s) -> None:
    shut = int64(dealers < first_opening)
    if dealers < mine:
        ends[shut] += 1
    elif dealers == mine:
        ends[2 + shut] += 1
    else:
        ends[4 + shut] += 1


@kernel
def _decide(
    game: OneDecision, hand: int, ends: Int64s, weight: int, line: int, tally: OneDecisionTally
) -> None:
    """The best action, of equal ones the later, which is the smaller wager; and those of honest and
    simple play."""
    actions, cell = len(game.nets), game.cells[hand]
    best, honest = 0, int64(game.honest[hand])
    value = honest_value = deals = int64(0)
    for ending in range(OUTCOMES):
        deals += ends[ending]
    for action in range(actions):
        total = int64(0)
        for ending in range(OUTCOMES):
            total += ends[ending] * game.nets[action, cell, ending]
        if action == 0 or total >= value:
            best, value = action, total
        if action == honest:
            honest_value = total
    tally.best[hand] = best
    for ending in range(OUTCOMES):
        tally.ends[best, cell, ending] += weight * ends[ending]
    mine = tally.lines[line, game.names[hand]]
    mine[0] += weight * deals
    mine[1] += weight * value
    mine[2] += weight * honest_value
    mine[3 + best] += weight * deals
    mine[3 + actions + honest] += weight * deals
    mine[3 + 2 * actions + int64(game.simple[hand])] += weight * deals
