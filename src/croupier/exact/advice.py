"""What each action is worth with the cards in sight, exactly, everything still unseen counted.

For practice tables and analysts only: no live round ever shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, lru_cache, partial
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact import four_card, generic, holdem, holdem_bets
from croupier.exact.assumptions import refuse_base
from croupier.exact.base_game import FOLD, BetsInAntes, wager_results
from croupier.exact.hand_partitions import first_opening_class
from croupier.exact.hand_samples import five_card_sample
from croupier.exact.kernels.hand_order import class_strengths
from croupier.exact.kernels.poker_rank import (
    CLASSES,
    RANK_COUNTS,
    SUITED,
    classes_of_sums,
)
from croupier.exact.kernels.positions import NO_SUIT
from croupier.exact.side_wagers import line_number
from croupier.exact.solution_cache import KnownHands
from croupier.exact.strategy.chart_names import start_name
from croupier.facts.cards import DECK, Card, Cards, written
from croupier.facts.errors import Unreadable
from croupier.facts.hands import FIVE_CARD, Hand
from croupier.facts.showings import Showing
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of

ValuesByAction = dict[str, Fraction]
_ENDS = 5  # how many ways a showdown ends, see holdem.ends_of


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
        raise Unreadable(f"{rules.game.name} needs five cards and the dealer's up card, no board")
    return four_card.values_of_hand(rules, cards, up_card)


def _holdem(
    later: Callable[[Rules, Cards, Cards], ValuesByAction],
    rules: Rules,
    solution: Callable[[], KnownHands],
    hole: tuple[Card, ...],
    board: tuple[Card, ...],
    up_card: Card | None,
) -> ValuesByAction:
    """Before the flop as it was solved; what comes later is counted."""
    _refuse_sight(rules, hole, board, up_card)
    if not board:
        name = start_name(*hole)
        return next(dict(hand.values) for hand in solution().hands if hand.name == name)
    return later(rules, hole, board)


def later_bet(
    rules: Rules, hole: Cards, board: Cards, dealer: Cards = (), dead: Cards = ()
) -> ValuesByAction:
    """Hold'em where bets add up, with three or four cards on the board, and perhaps some known. A
    bet on the flop that was made before is in no value: it adds the same to all."""
    classes, ends = dealers_met(hole, board, first_opening_class(rules), dealer, dead)
    stays, with_flop, with_turn, *_ = (
        mean_results(rules, classes, ends, play) for _, play in holdem_bets.actions(rules)
    )
    flop, turn = (
        [more - less for more, less in zip(values, stays, strict=True)]
        for values in (with_flop, with_turn)
    )
    kept, bet, street = sum(stays, Fraction(0)), turn, holdem_bets.later_streets(rules)[1]
    if len(board) == holdem.BOARDS[1]:
        bet, street = flop, holdem_bets.later_streets(rules)[0]
        kept += _won_on_turns(hole + board + dealer + dead, turn)
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
    known = [str(holdem.on_board_at(rules, street)) for street in rules.book.streets]
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
    classes, ends = dealers_met(hole, board, first_opening_class(rules), dealer, dead)
    deals = int(ends.sum())
    summed = partial(summed_results, rules, classes, ends)
    at_end = {name: summed(play) for name, play in (*holdem.actions_on(rules, 2), (FOLD, None))}
    if len(board) == 5:
        return _means(at_end, deals)
    unit = lcm(*(of_one for of_one, _ in at_end.values()))
    checked = np.maximum.reduce([won * (unit // of_one) for of_one, won in at_end.values()])
    on_flop = {name: summed(multiple) for name, multiple in holdem.actions_on(rules, 1)}
    flop = holdem.asked(rules)[1]
    otherwise = holdem.CHECK if flop is None else flop.otherwise
    return _means({**on_flop, otherwise: (unit, checked)}, deals)


def _means(summed: Mapping[str, tuple[int, NDArray[np.int64]]], deals: int) -> ValuesByAction:
    return {name: Fraction(int(won.sum()), unit * deals) for name, (unit, won) in summed.items()}


Adviser = Callable[[Rules, Callable[[], KnownHands], Cards, Cards, Card | None], ValuesByAction]
ADVISERS: dict[GameShape, Adviser] = {
    GameShape.HOLDEM: partial(_holdem, on_board),
    GameShape.HOLDEM_BETS: partial(_holdem, later_bet),
    GameShape.FOUR_CARD: _four_card,
    GameShape.OWN_CARDS: _generic,
}


class _Kinds(NamedTuple):
    """The 26 kinds of cards that the suit of a flush sees (:mod:`.kernels.suit_views`), and the
    dealer's hands as pairs of them, by how many cards of it are not known."""

    numbers: NDArray[np.int64]  # by kind: what it adds to the sum of a hand
    hands: tuple[NDArray[np.int64], ...]  # (kinds, hands)
    sums: tuple[NDArray[np.int64], ...]  # by hand: what it adds
    paired: NDArray[np.int64]  # by kind: the hand of two cards of it


@cache
def _kinds() -> _Kinds:
    in_suit = [0] * 13 + [1 << (SUITED + rank) for rank in range(13)]
    numbers = [RANK_COUNTS[kind % 13] + bit for kind, bit in enumerate(in_suit)]
    pairs = [(low, high) for high in range(26) for low in range(high + 1)]
    listed = ([()], [(kind,) for kind in range(26)], pairs)
    hands = [np.array(some, dtype=np.int64).reshape(len(some), -1).T for some in listed]
    adds = np.array(numbers)
    sums = tuple(adds[some].sum(axis=0) for some in hands)
    paired = np.array([pairs.index((kind, kind)) for kind in range(26)])
    return _Kinds(adds, tuple(hands), sums, paired)


def dealers_met(
    hole: Cards, board: Cards, first_opening: int, dealer: Cards = (), dead: Cards = ()
) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """For every way the board can end: the player's class, and how many dealer's hands end in
    each of the five ways. Cards known to be the dealer's or out of play come nowhere else.

    A suit matters where the board has three cards of it. Of boards that look alike to that suit one
    is met, and of the dealer's hands that look alike to it one is ranked.
    """
    seen = hole + board + dealer + dead
    unseen = _numbers(tuple(card for card in DECK if card not in seen))
    to_come = _ways_to_end(unseen, 5 - len(board))
    boards = np.hstack([np.tile(_numbers(board), (len(to_come), 1)), to_come])
    suit = _flush_suits(boards)
    coming = np.sort(_kinds_of(to_come, suit), axis=1)
    firsts = alike = np.zeros(1, dtype=np.int64)
    if len(boards) > 1:
        looks = suit * 26**2 + coming @ 26 ** np.arange(coming.shape[1])
        _, firsts, alike = np.unique(looks, return_index=True, return_inverse=True)
    suit, numbers = suit[firsts], _kinds().numbers
    on_board, own, known = (
        numbers[_kinds_of(cards, suit)].sum(axis=1)
        for cards in (boards[firsts], _numbers(hole)[None], _numbers(dealer)[None])
    )
    classes = classes_of_sums(on_board + own)
    left = _left(unseen, suit, coming[firsts])
    ends = _meet(classes, on_board + known, left, 2 - len(dealer), first_opening)
    return classes[alike], ends[alike]


def _ways_to_end(unseen: NDArray[np.int64], cards: int) -> NDArray[np.int64]:
    """What can still come on the board: pairs, either first, single cards, or nothing."""
    if cards == 2:
        high, low = np.tril_indices(len(unseen), -1)
        return np.stack([unseen[low], unseen[high]], axis=1)
    return unseen[:, None] if cards else np.zeros((1, 0), dtype=np.int64)


def _flush_suits(boards: NDArray[np.int64]) -> NDArray[np.int64]:
    """By board: the suit of three or more of its cards, or NO_SUIT."""
    held = ((boards & 3)[:, :, None] == np.arange(4)).sum(axis=1) >= 3
    return np.where(held.any(axis=1), held.argmax(axis=1), NO_SUIT)


def _kinds_of(cards: NDArray[np.int64], suit: NDArray[np.int64]) -> NDArray[np.int64]:
    """By row: the kinds of its cards as the row's suit sees them."""
    kinds: NDArray[np.int64] = (cards >> 2) + 13 * (cards & 3 == suit[:, None])
    return kinds


def _left(
    unseen: NDArray[np.int64], suit: NDArray[np.int64], coming: NDArray[np.int64]
) -> NDArray[np.int64]:
    """By board and kind: how many cards are left for the dealer."""
    left = np.zeros((len(suit), 26), dtype=np.int64)
    for one in set(suit.tolist()):
        kinds = _kinds_of(unseen[None], np.array([one]))[0]
        left[suit == one] = np.bincount(kinds, minlength=26)
    for kind in coming.T:
        left[np.arange(len(left)), kind] -= 1
    return left


def _meet(
    player: NDArray[np.uint16],
    known: NDArray[np.int64],
    left: NDArray[np.int64],
    unknown: int,
    first_opening: int,
) -> NDArray[np.int64]:
    """By board: how many of the dealer's hands end in each of the five ways."""
    kinds = _kinds()
    sums = known[:, None] + kinds.sums[unknown]
    ways = np.ones(sums.shape, dtype=np.int64)
    for cards in kinds.hands[unknown]:
        ways *= left[:, cards]
    if unknown == 2:
        ways[:, kinds.paired] = left * (left - 1) // 2
    dealers = classes_of_sums(np.where(ways > 0, sums, 0))
    mine = player[:, None]
    ended = np.where(mine > dealers, 0, np.where(mine == dealers, 2, 3))
    ended += (mine != dealers) & (dealers < first_opening)
    ended += _ENDS * np.arange(len(left))[:, None]
    counts = np.bincount(ended.reshape(-1), ways.reshape(-1), len(left) * _ENDS)
    return counts.astype(np.int64).reshape(-1, _ENDS)


def _numbers(cards: Cards) -> NDArray[np.int64]:
    return np.array([card.number for card in cards], dtype=np.int64)


def mean_results(
    rules: Rules,
    classes: NDArray[np.uint16],
    ends: NDArray[np.int64],
    play: BetsInAntes,
) -> list[Fraction]:
    """The mean result of a Play of this size on each board, by the class held there and by how
    many dealer's hands end in each of the five ways."""
    unit, won = summed_results(rules, classes, ends, play)
    dealers = ends.sum(axis=1)
    return [Fraction(w, unit * d) for w, d in zip(won.tolist(), dealers.tolist(), strict=True)]


def summed_results(
    rules: Rules, classes: NDArray[np.uint16], ends: NDArray[np.int64], play: BetsInAntes
) -> tuple[int, NDArray[np.int64]]:
    """What all dealer's hands bring together on each board: so many units in one Ante, and whole
    units."""
    bets = tuple(play.items()) if isinstance(play, Mapping) else play
    unit, nets = _paid(rules, bets).nets(classes)
    return unit, (nets * ends).sum(axis=1)


class PaidClasses:
    """What a round with one Play wins or loses by class of hand.

    Hands of which the paytables say the same are paid alike: one of them is asked about.
    """

    def __init__(self, rules: Rules, play: BetsInAntes) -> None:
        self._rules, self._play = rules, play
        bound = (rules.paytable(wager.name) for wager in rules.book.wagers if not wager.optional)
        self._tables = [table for table in bound if table is not None]
        self._alike: dict[tuple[bool | int, ...], int] = {}
        self._cells = np.full(CLASSES, -1)
        self._nets: list[tuple[Fraction, ...]] = []
        self._unit, self._in_units = 1, np.zeros((0, _ENDS), dtype=np.int64)

    def nets(self, classes: NDArray[np.uint16]) -> tuple[int, NDArray[np.int64]]:
        """How many units make one Ante, and by hand and ending the result in units."""
        for hand_class in {*classes[self._cells[classes] < 0].tolist()}:
            sample = five_card_sample(int(class_strengths()[hand_class]))
            self._cells[hand_class] = self._cell(sample)
        if len(self._nets) > len(self._in_units):
            self._unit = lcm(*(net.denominator for results in self._nets for net in results))
            in_units = [[int(net * self._unit) for net in results] for results in self._nets]
            self._in_units = np.array(in_units)
        return self._unit, self._in_units[self._cells[classes]]

    def _cell(self, hand: Hand) -> int:
        showing = Showing(hand, hand.cards)
        lines = (line_number(table, showing) for table in self._tables)
        said = (self._rules.book.contest.opens(FIVE_CARD, hand), *lines)
        if said not in self._alike:
            self._alike[said] = len(self._nets)
            self._nets.append(round_results(self._rules, self._play, hand))
        return self._alike[said]


@lru_cache(maxsize=64)
def _paid(rules: Rules, bets: Fraction | tuple[tuple[str, Fraction], ...] | None) -> PaidClasses:
    return PaidClasses(rules, dict(bets) if isinstance(bets, tuple) else bets)


def round_results(rules: Rules, play: BetsInAntes, hand: Hand) -> tuple[Fraction, ...]:
    """What a round wins or loses with this hand, ending by ending."""
    ends = holdem.ends_of(rules, hand)
    ended = [wager_results(rules, play, *end, hand).values() for end in ends]
    return tuple(sum((net for _, net in results), Fraction(0)) for results in ended)


def refuse_twice(cards: tuple[Card, ...]) -> None:
    twice = [card for card in dict.fromkeys(cards) if cards.count(card) > 1]
    if twice:
        raise Unreadable(f"{written(twice)} is there more than once; a deck has one of each")
