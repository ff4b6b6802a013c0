"""What each action is worth with the cards in sight, exactly, everything still unseen counted.

For practice tables and analysts only: no live round ever shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import lcm

import numpy as np
from numpy.typing import NDArray

from croupier.exact import four_card, generic, uth
from croupier.exact.assumptions import refuse_base
from croupier.exact.base_game import FOLD, wager_results
from croupier.exact.hand_classes import samples
from croupier.exact.kernels.poker_rank import rank_once
from croupier.exact.solution_cache import KnownHands
from croupier.facts.cards import DECK, Card, Cards, written
from croupier.facts.errors import Unreadable
from croupier.facts.hands import FIVE_CARD
from croupier.games.rules import Rules

ValuesByAction = dict[str, Fraction]
_ENDS = 5  # how many ways a showdown ends, see uth.ends_of


def advise(
    rules: Rules,
    solution: Callable[[], KnownHands],
    cards: tuple[Card, ...],
    board: tuple[Card, ...] = (),
    up_card: Card | None = None,
) -> ValuesByAction:
    """The exact value of each action in Antes, the best first; a solution is asked for only where
    the cards in sight are too few to count everything unseen."""
    refuse_twice(cards + board + ((up_card,) if up_card is not None else ()))
    refuse_base(rules)
    advise_on = ADVISERS.get(rules.game.id, _generic)
    values = advise_on(rules, solution, cards, board, up_card)
    return dict(sorted(values.items(), key=lambda item: item[1], reverse=True))


def _generic(
    rules: Rules,
    solution: Callable[[], KnownHands],
    cards: tuple[Card, ...],
    board: tuple[Card, ...],
    up_card: Card | None,
) -> ValuesByAction:
    """A game without a solver of its own: every hand of the dealer is dealt against these cards."""
    up = (up_card,) if up_card is not None else ()
    return dict(generic.decision_of(rules, cards, up + board).values)


def _four_card(
    rules: Rules,
    solution: Callable[[], KnownHands],
    cards: tuple[Card, ...],
    board: tuple[Card, ...],
    up_card: Card | None,
) -> ValuesByAction:
    if len(cards) != 5 or up_card is None or board:
        raise Unreadable("Four Card Poker needs five cards and the dealer's up card, no board")
    return four_card.values_of_hand(rules, cards, up_card)


def _uth(
    rules: Rules,
    solution: Callable[[], KnownHands],
    hole: tuple[Card, ...],
    board: tuple[Card, ...],
    up_card: Card | None,
) -> ValuesByAction:
    if len(hole) != 2 or up_card is not None:
        raise Unreadable("Ultimate Texas Hold'em needs the player's two cards, and no up card")
    if len(board) not in (0, 3, 5):
        raise Unreadable(f"a board has 0, 3 or 5 cards in sight, not {len(board)}")
    if not board:
        name = uth.start_name(*hole)
        return next(dict(hand.values) for hand in solution().hands if hand.name == name)
    return on_board(rules, hole, board)


def on_board(
    rules: Rules,
    hole: Cards,
    board: Cards,
    dealer: Cards = (),
    dead: Cards = (),
) -> ValuesByAction:
    """Ultimate Texas Hold'em with three or five cards on the board, and perhaps some known."""
    fold = _nets(rules, None, 0)[0]
    classes, ends = dealers_met(hole, board, uth.first_opening_class(rules), dealer, dead)
    played = partial(mean_results, rules, classes, ends)
    at_end = {name: played(multiple) for name, multiple in uth.actions_on(rules, 2)}
    if len(board) == 5:
        return {**{name: values[0] for name, values in at_end.items()}, FOLD: fold}
    checked = [max(values) for values in zip(*at_end.values(), [fold] * len(ends), strict=True)]
    on_flop = {name: played(multiple) for name, multiple in uth.actions_on(rules, 1)}
    return {
        name: sum(values, Fraction(0)) / len(values)
        for name, values in {**on_flop, uth.CHECK: checked}.items()
    }


ADVISERS = {"uth": _uth, "four-card": _four_card}


def dealers_met(
    hole: tuple[Card, ...],
    board: tuple[Card, ...],
    first_opening: int,
    dealer: tuple[Card, ...] = (),
    dead: tuple[Card, ...] = (),
) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """For every way the board can end: the player's class, and how many dealer's hands end in
    each of the five ways. Cards known to be the dealer's or out of play come nowhere else."""
    seen = hole + board + dealer + dead
    unseen = _numbers(tuple(card for card in DECK if card not in seen))
    pairs = np.array(
        [(a, b) for place, b in enumerate(unseen) for a in unseen[:place]], dtype=np.uint8
    )
    to_come = pairs if len(board) == 3 else np.zeros((1, 0), dtype=np.uint8)
    boards = np.hstack([np.tile(_numbers(board), (len(to_come), 1)), to_come])
    classes = rank_once(np.hstack([boards, np.tile(_numbers(hole), (len(boards), 1))]))
    hands = _hands_with(dealer, pairs, unseen)
    which, held = np.nonzero(_apart(to_come, hands))
    dealer_classes = rank_once(np.hstack([boards[which], hands[held]]))
    opens = dealer_classes >= first_opening
    player = classes[which]
    ends = np.where(player > dealer_classes, 0, np.where(player == dealer_classes, 2, 3))
    ends = ends + ((ends != 2) & ~opens)
    counts = np.bincount(which * _ENDS + ends, minlength=len(boards) * _ENDS)
    return classes, counts.reshape(-1, _ENDS)


def _numbers(cards: tuple[Card, ...]) -> NDArray[np.uint8]:
    return np.array([card.number for card in cards], dtype=np.uint8)


def _hands_with(
    dealer: tuple[Card, ...], pairs: NDArray[np.uint8], unseen: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """The hands the dealer can have who has these cards."""
    if not dealer:
        return pairs
    others = unseen[:, None] if len(dealer) == 1 else np.zeros((1, 0), dtype=np.uint8)
    return np.hstack([np.tile(_numbers(dealer), (len(others), 1)), others])


def _apart(to_come: NDArray[np.uint8], pairs: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """By what is to come on the board and by pair: whether the dealer can hold that pair then."""
    apart = np.ones((len(to_come), len(pairs)), dtype=np.bool_)
    for coming in to_come.T:
        for held in pairs.T:
            apart &= coming[:, None] != held
    return apart


def mean_results(
    rules: Rules,
    classes: NDArray[np.uint16],
    ends: NDArray[np.int64],
    multiple: Fraction | None,
) -> list[Fraction]:
    """The mean result of a Play of this size on each board, by the class held there and by how
    many dealer's hands end in each of the five ways."""
    held, which = np.unique(classes, return_inverse=True)
    nets = [_nets(rules, multiple, int(hand_class)) for hand_class in held]
    unit = lcm(*(net.denominator for of_hand in nets for net in of_hand))
    in_units = np.array([[int(net * unit) for net in of_hand] for of_hand in nets])
    won = (in_units[which] * ends).sum(axis=1)
    dealers = ends.sum(axis=1)
    return [Fraction(int(w), unit * int(d)) for w, d in zip(won, dealers, strict=True)]


def _nets(rules: Rules, multiple: Fraction | None, hand_class: int) -> tuple[Fraction, ...]:
    """What a round wins or loses with this hand, ending by ending; a fold always loses alike."""
    hand = samples(FIVE_CARD)[hand_class]
    ends = uth.ends_of(rules, hand)
    ended = [wager_results(rules, multiple, *end, hand).values() for end in ends]
    return tuple(sum((net for _, net in results), Fraction(0)) for results in ended)


def refuse_twice(cards: tuple[Card, ...]) -> None:
    twice = [card for card in dict.fromkeys(cards) if cards.count(card) > 1]
    if twice:
        raise Unreadable(f"{written(twice)} is there more than once; a deck has one of each")
