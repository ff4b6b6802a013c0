"""Rounds of Hold'em with one Play: the cards as they lie, and what a strategy's tables decide.

Cards come in the order board, dealer, boxes, then the four of the Six Card Bonus. A decision before
the flop is a number for each of 1,326 holes; on the flop one for each canonical flop and hole; at
the end one bit in the solver's map of boards (see :mod:`croupier.exact.kernels.positions`). Any
board's canonical row and the renaming of suits that leads there stand in one table of 2,598,960
numbers, so a decision costs a few reads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.kernels import four_card_rank
from croupier.exact.kernels.array_types import (
    Int32s,
    Int64s,
    Uint8s,
    Uint16s,
    Uint32s,
    Uint64s,
    int64,
)
from croupier.exact.kernels.poker_rank import PokerRankTables, has_flush, rank_of_counts, tables
from croupier.exact.kernels.positions import next_set, suit_keys
from croupier.simulate.kernels.compiled import kernel, part
from croupier.simulate.kernels.counter_shoe import (
    DECK,
    DealBatch,
    code_of,
)
from croupier.simulate.kernels.round_loop import round_loops
from croupier.simulate.kernels.settlement import (
    SUPER_ROYALS,
    TIED,
    RoundArrays,
    StakedRules,
    end_case,
    settle,
)

FINAL, FLOP, FIRST_TWO, BOARD, SIX, LOWER = range(6)
LOOKS = ("final hand", "hole cards and flop", "first two cards", "board", "six cards", "lower hand")
CHECKS = 255  # before the flop; the raises are numbered from 0
COMMON = 7  # cards of board and dealer
_ACES, _SUPER = 48, 0x1F80  # the first ace; nine to ace of one suit


class HoldemHands(NamedTuple):
    """What ranks hands: the solver's tables for five, six and seven cards, and a bit a card."""

    five: PokerRankTables
    six: PokerRankTables
    seven: PokerRankTables
    bits: Uint64s  # by card: 16 bits a suit, as the four-card tables have them


def rank_tables() -> HoldemHands:
    return HoldemHands(tables(5), tables(6), tables(7), four_card_rank.tables().bits)


class CommonCards(NamedTuple):
    """What all boxes share: sums and sets of cards (see poker_rank and four_card_rank), classes."""

    flop: np.uint64
    flop_bits: np.uint64
    board: np.uint64
    board_bits: np.uint64
    six: np.uint64
    six_bits: np.uint64
    board_class: int
    dealer: int
    dealer_aces: bool


class HoldemDecisions(NamedTuple):
    """How the boxes play: the tables of each strategy, and where positions stand in them."""

    of_box: Int64s  # by box: its strategy
    preflop: Uint8s  # [strategy, hole]
    flop: Uint64s  # [strategy, size, canonical flop, word]: a bit a hole, 1 to bet
    river: Uint64s  # [strategy, size, canonical board, word]
    first_bet: int  # the action that is the first size on the flop
    first_end: int  # the first size at the end
    fold: int
    flop_of: Int32s  # by code of a flop: its canonical flop
    flop_name: Uint8s  # by code of a flop: its renaming
    renamed_holes: Uint16s  # [renaming, hole]
    board_places: Uint32s  # by code of a board: canonical board and renaming
    names: Uint8s  # [renaming, suit]
    choose: Int64s


@kernel
def find_boards(boards: Uint8s, names: Uint8s, choose: Int64s, places: Uint32s) -> None:
    """By code of any five cards: the canonical board, times 32, and the number of the renaming."""
    for row in range(len(boards)):
        places[code_of(boards[row], 0, 5, choose)] = 32 * row
    whole, at = np.arange(DECK), np.arange(5)
    keys, moved = np.empty(4, np.int64), np.empty(5, np.int64)
    while True:
        suit_keys(whole, at, 5, keys)
        name = _renaming(keys, names)
        for place in range(5):
            moved[place] = (at[place] >> 2) * 4 + names[name, at[place] & 3]
        canonical = places[code_of(moved, 0, 5, choose)] >> 5
        places[code_of(at, 0, 5, choose)] = canonical * 32 + name
        if not next_set(at, 5, DECK):
            return


@kernel
def _renaming(keys: Int64s, names: Uint8s) -> int:
    """The number of the renaming that puts suits in falling order of their keys."""
    for number in range(len(names)):
        same = True
        for suit in range(4):
            ahead = 0
            for other in range(4):
                ahead += keys[other] > keys[suit] or (keys[other] == keys[suit] and other < suit)
            same = same and names[number, suit] == ahead
        if same:
            return number
    return -1


@part
def ranked(total: np.uint64, held: np.uint64, tables: PokerRankTables) -> int:
    """The class of a hand, from the sum of its cards and the set of their bits."""
    if not has_flush(total):
        return int64(rank_of_counts(total, tables))
    best = int64(0)
    for suit in range(4):
        suited = int64((held >> np.uint64(16 * suit)) & np.uint64(0x1FFF))
        best = int64(max(best, tables.flushes[suited]))
    return best


@part
def decide(hand: DealBatch, rounds: int, minds: HoldemDecisions) -> None:
    """The action of every box in a handful of rounds, street by street.

    Rounds are taken together because the tables are large: while one answer is on its way from
    memory the next are asked for. At each street only the open decisions are gone through.
    """
    boxes = len(minds.of_box)
    asked = 0
    for row in range(rounds):
        for box in range(boxes):
            low, high = hole_of(hand.dealt[row], box)
            action = int64(minds.preflop[minds.of_box[box], high * (high - 1) // 2 + low])
            hand.actions[row, box] = action
            hand.asked[asked] = row * boxes + box
            asked += action == CHECKS
    decide_later(hand, asked, boxes, minds)


@part
def decide_later(hand: DealBatch, asked: int, boxes: int, minds: HoldemDecisions) -> None:
    """The decisions still open on the flop, then those at the end."""
    asked = _on_the_flop(hand, asked, boxes, minds)
    for at in range(asked):
        board = hand.dealt[hand.asked[at] // boxes]
        hand.spots[at] = minds.board_places[code_of(board, 0, 5, minds.choose)]
    for at in range(asked):
        row, box = hand.asked[at] // boxes, hand.asked[at] % boxes
        hand.actions[row, box] = _at_the_end(hand.dealt[row], box, hand.spots[at], minds)


@part
def hole_of(cards: Int64s, box: int) -> tuple[int, int]:
    """The two cards of a box, the lower first."""
    one, other = cards[COMMON + 2 * box], cards[COMMON + 2 * box + 1]
    return min(one, other), max(one, other)


@part
def _on_the_flop(hand: DealBatch, asked: int, boxes: int, minds: HoldemDecisions) -> int:
    """Bet or check; how many decisions are still open."""
    left = 0
    for at in range(asked):
        row, box = hand.asked[at] // boxes, hand.asked[at] % boxes
        low, high = hole_of(hand.dealt[row], box)
        code = code_of(hand.dealt[row], 0, 3, minds.choose)
        hole = int64(minds.renamed_holes[minds.flop_name[code], high * (high - 1) // 2 + low])
        bets = False
        for size in range(minds.flop.shape[1]):
            word = minds.flop[minds.of_box[box], size, minds.flop_of[code], hole >> 6]
            if (word >> np.uint64(hole & 63)) & np.uint64(1):
                hand.actions[row, box] = minds.first_bet + size
                bets = True
        hand.asked[left] = hand.asked[at]
        left += not bets
    return left


@part
def _at_the_end(cards: Int64s, box: int, spot: int, minds: HoldemDecisions) -> int:
    """By the bits of a hole in the solver's maps, on the board whose row and renaming ``spot`` is:
    the last action."""
    row, name = spot >> 5, spot & 31
    low, high = hole_of(cards, box)
    first = (low >> 2) * 4 + minds.names[name, low & 3]
    second = (high >> 2) * 4 + minds.names[name, high & 3]
    one, other = first, second
    for place in range(5):
        lies = (cards[place] >> 2) * 4 + minds.names[name, cards[place] & 3]
        one -= lies < first
        other -= lies < second
    least, most = min(one, other), max(one, other)
    bit = most * (most - 1) // 2 + least
    for size in range(minds.river.shape[1]):
        word = minds.river[minds.of_box[box], size, row, bit >> 6]
        if (word >> np.uint64(bit & 63)) & np.uint64(1):
            return minds.first_end + size
    return minds.fold


@part
def play(
    cards: Int64s, actions: Int64s, staked: StakedRules, hands: HoldemHands, seen: RoundArrays
) -> None:
    """Look at the cards of a round whose decisions are made, and settle."""
    boxes, with_six = len(actions), staked.six >= 0
    common = look_at_common(cards, cards[5:], cards[COMMON + 2 * boxes :], with_six, hands)
    for box in range(boxes):
        low, high = hole_of(cards, box)
        own = look_at_box(low, high, common, with_six, hands, seen.looks[box])
        end_case(staked, seen, box, actions[box], own, common.dealer)
    settle(staked, seen)


@part
def look_at_common(
    board: Int64s, dealer: Int64s, six: Int64s, with_six: bool, hands: HoldemHands
) -> CommonCards:
    """The board, the dealer's two cards and, where they are dealt, the four of the bonus."""
    numbers, bits = hands.five.cards, hands.bits
    flop = numbers[board[0]] + numbers[board[1]] + numbers[board[2]]
    flop_bits = bits[board[0]] | bits[board[1]] | bits[board[2]]
    total = flop + numbers[board[3]] + numbers[board[4]]
    held = flop_bits | bits[board[3]] | bits[board[4]]
    with_own = total + numbers[dealer[0]] + numbers[dealer[1]]
    with_own_bits = held | bits[dealer[0]] | bits[dealer[1]]
    four, four_bits = np.uint64(0), np.uint64(0)
    if with_six:
        four, four_bits = gathered(six, 0, 4, numbers, bits)
    return CommonCards(
        flop, flop_bits, total, held, four, four_bits,
        ranked(total, held, hands.five),
        ranked(with_own, with_own_bits, hands.seven),
        dealer[0] >= _ACES and dealer[1] >= _ACES,
    )  # fmt: skip


@part
def look_at_box(
    low: int, high: int, common: CommonCards, with_six: bool, hands: HoldemHands, looks: Int64s
) -> int:
    """Write the looks of a box with this hole; the class of its final hand."""
    numbers, bits = hands.five.cards, hands.bits
    hole, hole_bits = numbers[low] + numbers[high], bits[low] | bits[high]
    final = ranked(common.board + hole, common.board_bits | hole_bits, hands.seven)
    looks[FINAL] = final
    looks[FLOP] = ranked(common.flop + hole, common.flop_bits | hole_bits, hands.five)
    looks[FIRST_TWO] = 2 * (high * (high - 1) // 2 + low) + common.dealer_aces
    looks[BOARD] = common.board_class
    looks[LOWER] = min(final, common.dealer) if final != common.dealer else TIED
    if with_six:
        looks[SIX] = six_cards(common.six + hole, common.six_bits | hole_bits, hands.six)
    return final


@part
def gathered(
    cards: Int64s, first: int, last: int, numbers: Uint64s, bits: Uint64s
) -> tuple[np.uint64, np.uint64]:
    """The sum and the set of some cards in a row."""
    total, held = np.uint64(0), np.uint64(0)
    for place in range(first, last):
        total += numbers[cards[place]]
        held |= bits[cards[place]]
    return total, held


@part
def six_cards(total: np.uint64, held: np.uint64, tables: PokerRankTables) -> int:
    """The class of the best five of six, or which Super Royal they all make."""
    for suit in range(4):
        if held == np.uint64(_SUPER) << np.uint64(16 * suit):
            return SUPER_ROYALS + suit
    return ranked(total, held, tables)


play_rounds, note_rounds = round_loops(__name__, decide, play)


@part
def dealt_cards(boxes: int, with_six: bool) -> int:
    """How many cards a round takes."""
    return COMMON + 2 * boxes + (4 if with_six else 0)
