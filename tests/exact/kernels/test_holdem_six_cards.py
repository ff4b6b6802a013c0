"""Hold'em beside a wager on six cards, four of them its own: as plain enumeration deals them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from croupier.exact.kernels.holdem_six_cards import count_with_six
from croupier.exact.kernels.six_card_tables import (
    FLUSH,
    FOUR,
    FULL_HOUSE,
    LESS,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    SUPER_ROYAL,
    THREE,
)
from croupier.facts.cards import Card, cards
from croupier.facts.hands import FIVE_CARD, Category, super_royal_suit
from tests.exact.kernels.test_holdem_kernel import (
    BLIND_PAY,
    BY_CATEGORY,
    GAME,
    OUTCOMES,
    as_arrays,
    named_cards,
    numbers,
    odd_strategy,
)
from tests.exact.plain_holdem import CATEGORIES, FOLD, Cards, Key, PlainGame, best_hand, without

MADE = {
    Category.THREE_OF_A_KIND: THREE,
    Category.STRAIGHT: STRAIGHT,
    Category.FLUSH: FLUSH,
    Category.FULL_HOUSE: FULL_HOUSE,
    Category.FOUR_OF_A_KIND: FOUR,
    Category.STRAIGHT_FLUSH: STRAIGHT_FLUSH,
    Category.ROYAL_FLUSH: ROYAL,
}
# Nine cards lie with player, board and dealer: four of thirteen are left, of fourteen five.
DECKS = {
    "a super royal": "9s Ts Js Qs Ks As Th Qh Ah 9d Jd Kd Ac",
    "wheel and flushes": "2s 3s 4s 5s 2h 3h 4h 5h 9d 9c As Ah Ad",
    "one long suit": "2s 4s 5s 6s 7s 8s 9s 3h 4h 6h 8h 7d 7c",
    "two suits alike": "6s 7s 8s 9s Ts 6h 7h 8h 9h Th 8d 8c Td Tc",
}


@cache
def made_of(six: frozenset[Card]) -> int:
    if super_royal_suit(six) is not None:
        return SUPER_ROYAL
    return MADE.get(best_hand(six).category, LESS)


def plain_counts(game: PlainGame) -> Counter[Key]:
    """Every deal with four cards more: by what six make, then as the kernel tells it apart."""
    strategy, found = odd_strategy(), Counter[Key]()
    for hole in combinations(game.deck, 2):
        raised, is_pair = strategy.preflop(hole), hole[0].rank == hole[1].rank
        for board in combinations(without(game.deck, hole), 5):
            late: int | str = 1 if strategy.river(hole, board) else FOLD
            flops: Counter[Key] = Counter()
            for flop in combinations(board, 3):
                on_flop = 2 if strategy.flop(hole, flop) else late
                flops[is_pair, FIVE_CARD.hand(hole + flop).category, raised or on_flop] += 1
            category, showdowns = game.showdowns(hole, board)
            for one in showdowns:
                left: Cards = without(game.deck, hole, board, one.dealer)
                sixes = Counter(made_of(frozenset(hole + four)) for four in combinations(left, 4))
                for six, ways in sixes.items():
                    for (held, made, action), times in flops.items():
                        key = (six, held, made, one.lower, action, category, one.outcome)
                        found[key] += ways * times
    return found


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, id=name, marks=[pytest.mark.prove] * (number > 0))
        for number, (name, text) in enumerate(DECKS.items())
    ],
)
def test_every_deal_of_a_small_deck_with_four_cards_more(text: str) -> None:
    deck = tuple(sorted(numbers(cards(text))))
    plain = PlainGame(named_cards(deck), BLIND_PAY, Category.PAIR, (4, 3))
    is_pair = [low // 4 == high // 4 for high in range(52) for low in range(high)]
    side = replace(BY_CATEGORY, hole=np.array(is_pair, dtype=np.uint8))
    counts = count_with_six(GAME, as_arrays(odd_strategy(), deck), side, deck)
    found: Counter[Key] = Counter()
    for six, line, low, action, cell, outcome in np.argwhere(counts).tolist():
        made, held = CATEGORIES[line // 2], bool(line % 2)
        base = ((4, 3, 2, 1, FOLD)[action], CATEGORIES[cell], list(OUTCOMES)[outcome])
        times = int(counts[six, line, low, action, cell, outcome])
        found[six, held, made, CATEGORIES[low], *base] = times
    assert found == plain_counts(plain)
