"""Four Card Poker beside a wager on six cards, one of them its own: as plain dealing has it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from croupier.exact.kernels import four_card
from croupier.exact.kernels.four_card import LOSS, TIE, WIN
from croupier.exact.kernels.four_card_sixth import NO_CARD, tally_with_sixth
from croupier.exact.kernels.poker_rank import rank_hand
from croupier.exact.kernels.showdowns import showdowns
from tests.exact.kernels.test_four_card_kernel import SMALL_DECKS, Readable, deck_of, usual_stakes

# A thirteenth card, so that one is left beside the player's five, the dealer's six and the sixth.
DECKS = {
    "one long suit": SMALL_DECKS["one long suit"],
    "wheels": SMALL_DECKS["wheels"],
    "nothing to spare": SMALL_DECKS["two and two suits alike"],
}


def line_of(six: tuple[int, ...]) -> int:
    """Any partition that exchanging suits does not change; one line is the common one."""
    return max(0, rank_hand(six) // 1000 - 2)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.prove] * (n == "wheels")) for n in DECKS]
)
def test_every_deal_of_a_small_deck_with_a_sixth_card(name: str) -> None:
    deck = deck_of(DECKS[name])
    shown, plain = showdowns(deck), Readable(deck)
    actions = four_card.best_actions(shown, usual_stakes())
    own = np.array([plain.best[tuple(hand)].strength for hand in shown.hands.tolist()])
    sixth = np.full((len(shown.hands), 52), NO_CARD, dtype=np.uint8)
    for kind, cards in enumerate(shown.hands.tolist()):
        for card in set(plain.deck) - set(cards):
            sixth[kind, card] = line_of((*cards, card))
    counted = tally_with_sixth(shown, actions, own, sixth)
    expected = np.zeros_like(counted)
    for hand in combinations(plain.deck, 5):
        player = plain.best[hand]
        others = [card for card in plain.deck if card not in hand]
        for card in others:
            line = line_of((*hand, card))
            for dealer in combinations([other for other in others if other != card], 6):
                met = plain.best[dealer]
                outcome = WIN if player > met else TIE if player == met else LOSS
                for up in dealer:
                    action = actions[shown.place(hand, up)]
                    expected[player.strength, line, action, outcome] += 1
    assert np.array_equal(counted, expected)
