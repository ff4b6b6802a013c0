"""What a player notices at Four Card Poker, for every kind of hand and every up card.

What the best four are called comes as a table by class; the rest compares five cards with one. No
feature tells suits apart. ``croupier.exact.strategy.features`` says in plain code what each means.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import Int16s, Int64s, Uint8s
from croupier.exact.kernels.compiled import in_chunks, kernel, threads_to_use
from croupier.exact.kernels.four_card import NO_ACTION
from croupier.exact.kernels.rule_programs import RuleProgram, decide_columns
from croupier.exact.kernels.showdowns import Showdowns

NAMES = ("made", "kicker", "up_card", "up_held", "up_against_made", "over_up")
_MADE, _KICKER, _UP_CARD, _UP_HELD, _UP_AGAINST_MADE, _OVER_UP = range(len(NAMES))


class Called(NamedTuple):
    """By class of four-card hands, ranks from 0: what it is called by, and its kicker plus one."""

    leads: Int64s
    kickers: Int64s  # 0 where there is none


def decide_hands(
    shown: Showdowns, program: RuleProgram, called: Called, threads: int | None = None
) -> tuple[Uint8s, Int64s]:
    """By hand and up card what the rules write; and how many positions each rule decides."""
    actions = np.full(shown.can_be_up.shape, NO_ACTION, dtype=np.uint8)
    uses = [np.zeros(len(program.writes), np.int64) for _ in range(threads_to_use(threads))]

    def decide(mine: Int64s, start: int, stop: int) -> None:
        _decide_hands(start, stop, shown, program, called, actions, mine)

    in_chunks(decide, uses, len(actions), 4_096, lambda done: None)
    return actions, sum(uses[1:], uses[0])


def values_with(cards: tuple[int, ...], hand_class: int, called: Called) -> Int16s:
    """Every feature of one hand against each up card, as the kernels see it."""
    values = np.zeros((len(NAMES), 52), dtype=np.int16)
    _notice(np.array(cards, dtype=np.uint8), hand_class, called, values)
    return values


@kernel
def _decide_hands(
    start: int, stop: int, shown: Showdowns, program: RuleProgram, called: Called, actions: Uint8s,
    uses: Int64s,
) -> None:  # fmt: skip
    values, chosen = np.zeros((len(program.used), 52), np.int16), np.zeros(52, np.int16)
    for hand in range(start, stop):
        _notice(shown.hands[hand], shown.classes[hand], called, values)
        decide_columns(program, values, 52, chosen)
        for up in shown.sets.deck:
            if shown.can_be_up[hand, up]:
                actions[hand, up] = program.writes[chosen[up]]
                uses[chosen[up]] += shown.weights[hand]


@kernel
def _notice(cards: Uint8s, hand_class: int, called: Called, values: Int16s) -> None:
    lead = called.leads[hand_class]
    for up in range(52):
        rank, held, over = up >> 2, 0, 0
        for card in cards:
            held += card >> 2 == rank
            over += card >> 2 > rank
        values[_MADE, up] = hand_class
        values[_KICKER, up] = called.kickers[hand_class]
        values[_UP_CARD, up] = rank + 1
        values[_UP_HELD, up] = held
        values[_UP_AGAINST_MADE, up] = 0 if rank < lead else 1 if rank == lead else 2
        values[_OVER_UP, up] = over
