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

from croupier.exact import four_card, generic, holdem_bets, uth
from croupier.exact.assumptions import refuse_base
from croupier.exact.base_game import FOLD, BetsInAntes, wager_results
from croupier.exact.hand_classes import samples
from croupier.exact.kernels.poker_rank import rank_once
from croupier.exact.solution_cache import KnownHands
from croupier.facts.cards import DECK, Card, Cards, written
from croupier.facts.errors import Unreadable
from croupier.facts.hands import FIVE_CARD
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of

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
    advise_on = ADVISERS[shape_of(rules)]
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
    _refuse_sight(rules, hole, board, up_card)
    if not board:
        name = uth.start_name(*hole)
        return next(dict(hand.values) for hand in solution().hands if hand.name == name)
    return on_board(rules, hole, board)


def _holdem_bets(
    rules: Rules,
    solution: Callable[[], KnownHands],
    hole: tuple[Card, ...],
    board: tuple[Card, ...],
    up_card: Card | None,
) -> ValuesByAction:
    """A bet on the flop that was made before is in no value: it adds the same to all."""
    _refuse_sight(rules, hole, board, up_card)
    if not board:
        name = uth.start_name(*hole)
        return next(dict(hand.values) for hand in solution().hands if hand.name == name)
    return _later_bet(rules, hole, board)


def _later_bet(rules: Rules, hole: Cards, board: Cards) -> ValuesByAction:
    classes, ends = dealers_met(hole, board, uth.first_opening_class(rules))
    stays, with_flop, with_turn, *_ = (
        mean_results(rules, classes, ends, play) for _, play in holdem_bets.actions(rules)
    )
    flop, turn = (
        [more - less for more, less in zip(values, stays, strict=True)]
        for values in (with_flop, with_turn)
    )
    kept, bet, street = sum(stays, Fraction(0)), turn, holdem_bets.later_streets(rules)[1]
    if len(board) == uth.BOARDS[1]:
        bet, street = flop, holdem_bets.later_streets(rules)[0]
        kept += _won_on_turns(hole + board, turn)
    assert street is not None, "only a street of the book is asked about"
    made = {f"{size}x": (kept + sum(bet, Fraction(0))) / len(ends) for size in street.multiples}
    return {**made, street.otherwise: kept / len(ends)}


def _won_on_turns(seen: Cards, bet: list[Fraction]) -> Fraction:
    """What a bet on the turn adds, made where it wins: by the pairs that can come, either first."""
    unseen = [card for card in DECK if card not in seen]
    by_turn = dict.fromkeys(unseen, Fraction(0))
    pairs = ((a, b) for place, b in enumerate(unseen) for a in unseen[:place])
    for pair, value in zip(pairs, bet, strict=True):
        for turn in pair:
            by_turn[turn] += value
    return sum((max(value, Fraction(0)) for value in by_turn.values()), Fraction(0)) / 2


def _refuse_sight(rules: Rules, hole: Cards, board: Cards, up_card: Card | None) -> None:
    """Hold'em is decided with two cards of one's own and as many of the board as a street has."""
    if len(hole) != 2 or up_card is not None:
        raise Unreadable(f"{rules.game.name} needs the player's two cards, and no up card")
    known = [str(uth.on_board_at(rules, street)) for street in rules.book.streets]
    if str(len(board)) not in known:
        *most, last = known
        said = f"{', '.join(most)} or {last}" if most else last
        raise Unreadable(f"a board has {said} cards in sight, not {len(board)}")


def on_board(
    rules: Rules,
    hole: Cards,
    board: Cards,
    dealer: Cards = (),
    dead: Cards = (),
) -> ValuesByAction:
    """Hold'em with three or five cards on the board, and perhaps some known."""
    fold = _nets(rules, None, 0)[0]
    classes, ends = dealers_met(hole, board, uth.first_opening_class(rules), dealer, dead)
    played = partial(mean_results, rules, classes, ends)
    at_end = {name: played(multiple) for name, multiple in uth.actions_on(rules, 2)}
    if len(board) == 5:
        return {**{name: values[0] for name, values in at_end.items()}, FOLD: fold}
    checked = [max(values) for values in zip(*at_end.values(), [fold] * len(ends), strict=True)]
    on_flop = {name: played(multiple) for name, multiple in uth.actions_on(rules, 1)}
    flop = uth.asked(rules)[1]
    otherwise = uth.CHECK if flop is None else flop.otherwise
    return {
        name: sum(values, Fraction(0)) / len(values)
        for name, values in {**on_flop, otherwise: checked}.items()
    }


ADVISERS = {
    GameShape.HOLDEM: _uth,
    GameShape.HOLDEM_BETS: _holdem_bets,
    GameShape.FOUR_CARD: _four_card,
    GameShape.OWN_CARDS: _generic,
}


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
    none = np.zeros((1, 0), dtype=np.uint8)
    to_come = {3: pairs, 4: unseen[:, None]}.get(len(board), none)
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
    play: BetsInAntes,
) -> list[Fraction]:
    """The mean result of a Play of this size on each board, by the class held there and by how
    many dealer's hands end in each of the five ways."""
    held, which = np.unique(classes, return_inverse=True)
    nets = [_nets(rules, play, int(hand_class)) for hand_class in held]
    unit = lcm(*(net.denominator for of_hand in nets for net in of_hand))
    in_units = np.array([[int(net * unit) for net in of_hand] for of_hand in nets])
    won = (in_units[which] * ends).sum(axis=1)
    dealers = ends.sum(axis=1)
    return [Fraction(int(w), unit * int(d)) for w, d in zip(won, dealers, strict=True)]


def _nets(rules: Rules, play: BetsInAntes, hand_class: int) -> tuple[Fraction, ...]:
    """What a round wins or loses with this hand, ending by ending; a fold always loses alike."""
    hand = samples(FIVE_CARD)[hand_class]
    ends = uth.ends_of(rules, hand)
    ended = [wager_results(rules, play, *end, hand).values() for end in ends]
    return tuple(sum((net for _, net in results), Fraction(0)) for results in ended)


def refuse_twice(cards: tuple[Card, ...]) -> None:
    twice = [card for card in dict.fromkeys(cards) if cards.count(card) > 1]
    if twice:
        raise Unreadable(f"{written(twice)} is there more than once; a deck has one of each")
