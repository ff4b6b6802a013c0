"""What the coach's reasons count, by the solver's kernels."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np

from croupier.exact.advice import dealers_met
from croupier.exact.base_game import Showdown
from croupier.exact.enumeration import DealTable
from croupier.exact.hand_partitions import first_opening_class
from croupier.exact.hand_samples import samples
from croupier.exact.kernels import four_card as four_card_kernel
from croupier.exact.kernels.poker_rank import rank_once
from croupier.facts.cards import DECK, Cards
from croupier.facts.hands import FIVE_CARD, Category
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.practice.reasons import HOLDEM, ShowdownOdds


def odds(rules: Rules, own: Cards, board: Cards, up: Cards) -> ShowdownOdds | None:
    """Everything unseen counted; None before the flop, where too much is to come."""
    shape = shape_of(rules)
    if shape is GameShape.FOUR_CARD:
        numbers = tuple(card.number for card in own)
        below, equal, above = four_card_kernel.deal_out(numbers, up[0].number)
        return ShowdownOdds(below, equal, above, below + equal + above)
    if shape in HOLDEM:
        return _holdem_odds(rules, own, board) if board else None
    table, ways = DealTable(rules, DECK), Counter[Showdown]()
    opens = 0
    for meeting in table.meetings(tuple(sorted(own)), ((),) * len(table.ups)):
        ways[meeting.showdown] += meeting.ways
        opens += meeting.ways if meeting.dealer_opens else 0
    return ShowdownOdds(ways[Showdown.WIN], ways[Showdown.TIE], ways[Showdown.LOSS], opens)


def _holdem_odds(rules: Rules, own: Cards, board: Cards) -> ShowdownOdds:
    first = first_opening_class(rules)
    classes, ends = dealers_met(own, board, first)
    won, won_closed, tied, lost, lost_closed = (int(ways) for ways in ends.sum(axis=0))
    # A tie is a dealer's hand of the same class: it opens where the player's own would.
    tied_open = int(ends[classes >= first, 2].sum())
    return ShowdownOdds(won + won_closed, tied, lost + lost_closed, won + lost + tied_open)


def beaten_by(own: Cards, board: Cards) -> Counter[Category]:
    """The dealer's hands that beat you on a whole board, by category."""
    unseen = [card.number for card in DECK if card not in own + board]
    pairs = np.array(list(combinations(unseen, 2)), dtype=np.uint8)
    on_board = np.array([card.number for card in board], dtype=np.uint8)
    hole = np.array([[card.number for card in own + board]], dtype=np.uint8)
    dealers = rank_once(np.hstack([np.tile(on_board, (len(pairs), 1)), pairs]))
    higher, ways = np.unique(dealers[dealers > rank_once(hole)[0]], return_counts=True)
    hands, found = samples(FIVE_CARD), Counter[Category]()
    for hand_class, count in zip(higher, ways, strict=True):
        found[hands[int(hand_class)].category] += int(count)
    return found
