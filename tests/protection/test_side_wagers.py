"""Side wagers with known cards: the counts against dealing every hand out."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from croupier.exact.enumeration import DealTable
from croupier.exact.side_wagers import line_number
from croupier.exact.solution_cache import solved
from croupier.facts.cards import DECK, Card
from croupier.facts.hands import FIVE_CARD, FOUR_CARD
from croupier.facts.showings import Showing
from croupier.games.shapes import GameShape
from croupier.protection.four_card import KnownFourCard
from croupier.protection.knowledge import KINDS, Knowledge, KnownPlaces, known_cards
from croupier.protection.lower_hands import by_lower
from croupier.protection.side_wagers import _own_cards, sides_of
from croupier.rulebook.book import Paytable
from tests.exact.conftest import rules_of
from tests.protection.plain_holdem import without
from tests.protection.test_known_holdem import SMALL
from tests.protection.test_known_one_decision import THIRTEEN

UTH, FCP, TCP = rules_of("UTH-S", blind="A"), rules_of("FCP-14"), rules_of("TCP-1")


def test_own_cards_are_counted_without_the_known_ones() -> None:
    table, known = TCP.book.paytables["pair_plus"]["A"], KnownPlaces(dealer=(3, 51))
    rest = [card for card in DECK if card.number not in known.all]
    ranking = TCP.game.ranking
    plain = Counter(
        line_number(table, Showing(ranking.hand(own), own)) for own in combinations(rest, 3)
    )
    assert dict(enumerate(_own_cards(TCP, table, "three cards")(known).tolist())) == plain


@pytest.mark.prove
@pytest.mark.parametrize("knows", KINDS[GameShape.HOLDEM], ids=lambda kind: kind.name)
def test_over_all_that_can_be_known_a_wager_is_worth_what_it_is_honestly(knows: Knowledge) -> None:
    honest = [side for side in solved(UTH).side_wagers if side.endings.wager != "bad_beat"]
    for side in sides_of(UTH, knows, honest, True, lambda what, done: None):
        told = solved(UTH).side(side.endings.wager, side.endings.paytable, side.reading)
        assert side.ev == told.ev
        assert side.chosen_ev is not None
        assert side.chosen_ev >= max(side.ev, Fraction(0))


@pytest.mark.prove
@pytest.mark.parametrize("knows", KINDS[GameShape.HOLDEM], ids=lambda kind: kind.name)
def test_the_lower_hand_on_a_small_deck_is_counted_as_dealt(knows: Knowledge) -> None:
    table = UTH.book.paytables["bad_beat"]["A"]
    deck = tuple(card.number for card in SMALL)
    known = known_cards(knows, deck)
    count = by_lower(table, known, deck)
    for each in known[:: len(known) // 6]:
        assert dict(enumerate(count(each).tolist())) == plain_lower(table, each)


def plain_lower(table: Paytable, known: KnownPlaces) -> dict[int, int]:
    """Every deal of the small deck with these cards where they are known to lie."""
    tally = dict.fromkeys(range(len(table.lines) + 1), 0)
    on_board, dealers = named(known.flop + known.late), named(known.dealer)
    deck = without(SMALL, named(known.all))
    for rest in combinations(deck, 5 - len(on_board)):
        board = on_board + rest
        for hole in combinations(without(deck, board), 2):
            mine = FIVE_CARD.best(hole + board)
            for other in combinations(without(deck, board, hole), 2 - len(dealers)):
                theirs = FIVE_CARD.best(dealers + other + board)
                lower = min(mine, theirs)
                line = line_number(table, Showing(lower, lower.cards))
                tally[len(table.lines) if mine == theirs else line] += 1
    return tally


def named(numbers: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(DECK[number] for number in numbers)


@pytest.mark.prove
def test_what_a_fold_forfeits_is_counted_as_dealt() -> None:
    """One more card of the dealer known, on the small deck, the plain way."""
    (knows, *_), deck = KINDS[GameShape.FOUR_CARD], tuple(card.number for card in THIRTEEN)
    _, _, forfeited = KnownFourCard(FCP, deck).solve(knows)
    table = FCP.book.paytables["progressive"]["B"]
    found = np.sum([counts for _, counts in forfeited(table, "four-card hand")], axis=0)
    dealt, plain = DealTable(FCP, THIRTEEN), [0] * (len(table.lines) + 1)
    for own in combinations(THIRTEEN, 5):
        best = FOUR_CARD.best(own)
        line = line_number(table, Showing(best, own))
        for up, *_ in dealt.face_up(own):
            for known in without(THIRTEEN, own, up):
                meetings = list(dealt.meetings(own, ((*up, known),)))
                folds = dealt.decide(meetings).best == "fold"
                plain[-1 if folds else line] += sum(meeting.ways for meeting in meetings)
    assert found.tolist() == plain
