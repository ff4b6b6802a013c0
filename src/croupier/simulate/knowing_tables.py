"""Players who know cards too early, as tables the simulator's kernels decide by."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from croupier.exact import holdem as exact_holdem
from croupier.exact.base_game import whole_numbers
from croupier.exact.hand_partitions import base_partition, first_opening_class
from croupier.exact.kernels.array_types import Int64s, Uint8s
from croupier.exact.kernels.positions import SUIT_NAMES
from croupier.exact.kernels.showdown_rows import (
    LOSS,
    LOSS_QUALIFYING,
    TIE,
    WIN,
    WIN_QUALIFYING,
)
from croupier.games.rules import Rules
from croupier.simulate.decision_tables import base_of, holdem_minds
from croupier.simulate.kernels import holdem, known_cards
from croupier.simulate.kernels.known_cards import NAMES, UNKNOWN
from croupier.simulate.plan import FirstActions, KnowingStrategy, PlayerStrategy, SimulationPlan

_MEETINGS = [WIN, WIN_QUALIFYING, TIE, TIE, LOSS, LOSS_QUALIFYING]  # as settlement numbers them
_PLACES = UNKNOWN + 1


def known_card_minds(
    plan: SimulationPlan,
) -> tuple[known_cards.KnowingDecisions, holdem.HoldemHands]:
    """The decisions of every box at Hold'em with one Play, and what ranks its hands."""
    honest, hands = holdem_minds(plan)
    names = [name for name, _ in exact_holdem.actions(plan.rules)]
    firsts = [_first_actions(mind, base_of(plan.rules), names) for mind in plan.minds]
    sizes = [len(actions) for _, actions, _ in firsts]
    seen = np.array([_seen(mind) for mind in plan.minds])
    minds = known_cards.KnowingDecisions(
        honest=honest,
        pays=showdown_pays(plan.rules),
        hands=hands,
        seen=seen,
        counts_out=seen[:, [0, 2, 3]].sum(axis=1) > 0,
        parts=np.array([parts for parts, _, _ in firsts]),
        starts=np.cumsum([0, *sizes[:-1]]),
        widths=np.array([width for _, _, width in firsts]),
        firsts=np.concatenate([actions for _, actions, _ in firsts]),
        burnt=int(known_cards.dealt_cards(len(plan.seats), _deals_six(plan))) - 1,
    )
    return minds, hands


def _deals_six(plan: SimulationPlan) -> bool:
    """Whether a wager brings cards of its own."""
    return bool({place.only_for for place in plan.rules.book.places} & {*plan.sides})


def showdown_pays(rules: Rules) -> known_cards.ShowdownPays:
    """What a bet on the flop, one at the end and a fold bring; a street that is not asked folds."""
    hands = base_partition(rules)
    bets = [exact_holdem.actions_on(rules, street)[:1] for street in (1, 2)]
    plays: list[Fraction | None] = [bet[0][1] if bet else None for bet in bets]
    nets = [exact_holdem.round_nets(rules, hands, play) for play in (*plays, None)]
    _, units = whole_numbers([net for each in nets for net in each], rules)
    shaped = np.array(units, dtype=np.int64).reshape(3, len(hands.firsts), -1)
    return known_cards.ShowdownPays(
        hands.cells, np.ascontiguousarray(shaped[:, :, _MEETINGS]), first_opening_class(rules)
    )


def _seen(mind: PlayerStrategy) -> tuple[int, int, int, int]:
    if not isinstance(mind, KnowingStrategy):
        return 0, 0, 0, 0
    return mind.dealer, mind.flop, mind.late, mind.burn


def _first_actions(
    mind: PlayerStrategy, rules: Rules, names: list[str]
) -> tuple[Int64s, Uint8s, int]:
    """By two known cards, what is known up to suits; the actions; and how many a hole has."""
    nothing = np.zeros(_PLACES**2, np.int64), np.zeros(0, np.uint8), 0
    if not isinstance(mind, KnowingStrategy):
        return nothing
    found = mind.first_actions(rules)
    if found is None:
        return nothing
    numbers = [names.index(name) if name in names else holdem.CHECKS for name in found.actions]
    actions = np.array(numbers, np.uint8)[np.array([*found.best.values()])]
    return _parts(mind, found), actions.reshape(-1), actions.shape[2]


def _parts(mind: KnowingStrategy, found: FirstActions) -> Int64s:
    """By the cards of dealer, out of play and of turn or river: the part, and the renaming."""
    number = {known: part for part, known in enumerate(found.best)}
    parts = np.full(_PLACES**2, -1, np.int64)
    sizes = (mind.dealer, mind.burn, mind.late)
    count = sum(sizes)
    for one in range(UNKNOWN) if count else (UNKNOWN,):
        for other in range(UNKNOWN) if count > 1 else (UNKNOWN,):
            if one == other != UNKNOWN:
                continue
            known, name = _canonical((one, other)[:count], sizes)
            parts[one * _PLACES + other] = NAMES * number[known] + name
    return parts


def _canonical(
    cards: tuple[int, ...], sizes: tuple[int, int, int]
) -> tuple[tuple[tuple[int, ...], ...], int]:
    """These cards, place by place, under the renaming of suits that makes them least."""
    ends = np.cumsum(sizes).tolist()
    places = [cards[end - size : end] for end, size in zip(ends, sizes, strict=True)]

    def renamed(name: list[int]) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(sorted(card & ~3 | name[card & 3] for card in place)) for place in places
        )

    return min((renamed(name), number) for number, name in enumerate(SUIT_NAMES.tolist()))
