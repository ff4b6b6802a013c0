"""The dealer's card and the player's guide: one page each, in order, paying what is paid."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

import pytest

from croupier.documents.dealer_card import dealer_card
from croupier.documents.pdf import typeset
from croupier.documents.player_guide import LOOKS, player_guide
from croupier.documents.round_words import RoundWords
from croupier.games.registry import the_registry
from croupier.submission.submission import Devices
from tests.documents.printing import (
    assert_pays_only_what_is_offered,
    dealt_by,
    filed,
    pages,
    plain,
)
from tests.submission.forms import BOOKS

WAYS = [(book.id, way.way) for book in the_registry().books.values() for way in book.dealing]


@pytest.mark.parametrize(("book", "way"), WAYS)
def test_the_dealers_card_is_one_page_for_every_way_of_dealing(book: str, way: str) -> None:
    filing = dealt_by(filed(book), way)
    (text,) = pages(typeset(dealer_card(filing)))
    assert f"The deal, {filing.book.way(way).title}" in text
    for case in filing.book.irregularities:
        assert case.happens in text
    assert_pays_only_what_is_offered(filing, text.partition("What is paid")[2])


@pytest.mark.parametrize(("book", "way"), WAYS)
def test_every_card_and_every_question_has_its_step_in_order(book: str, way: str) -> None:
    """A question is asked once the cards before it lie, and the stub goes when all are dealt."""
    filing = dealt_by(filed(book), way)
    steps = list(RoundWords(filing, filing.book.way(way)).deal())
    asked = [step.clause for step in steps if "ask each box" in step.text]
    assert asked == [street.ask_clause for street in filing.book.streets]
    expected, streets = [], iter(filing.book.streets)
    for step in filing.book.way(way).steps:
        if step.after is not None:
            expected.append(next(streets).ask_clause)
        expected.append(step.clause)
    told = iter([step.clause for step in steps])
    squeezed = [clause for clause, _ in groupby(expected)]
    assert all(clause in told for clause in squeezed)


def test_cards_dealt_one_by_one_are_one_sentence() -> None:
    filing = dealt_by(filed("FCP-14"), "shoe")
    first, second, *_ = RoundWords(filing, filing.book.way("shoe")).deal()
    assert first.text == (
        "Deal one card at a time, face down, to each box in play, from your left, then to your own "
        "place, until each box has five and you have five."
    )
    assert second.text == "Deal one card face up to your own place."


def test_the_progressive_is_told_only_where_it_is_offered() -> None:
    (text,) = pages(typeset(dealer_card(plain("UTH-S"))))
    assert "rogressive" not in text
    (text,) = pages(typeset(dealer_card(filed("UTH-S"))))
    assert "Lock out further Progressive wagers" in text


def test_without_a_counting_shuffler_the_stub_is_counted() -> None:
    filing = filed("UTH-S", devices__counts_to_52="false")
    (text,) = pages(typeset(dealer_card(filing)))
    assert "In every 5th round or sooner count the stub, face down: 52 cards in all." in text


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("make", [filed, plain], ids=["everything", "nothing optional"])
def test_the_players_guide_is_one_page_and_pays_what_is_paid(book: str, make: type) -> None:
    filing = make(book)
    (text,) = pages(typeset(player_guide(filing)))
    assert_pays_only_what_is_offered(filing, text.partition("What is paid")[2])
    for wager in filing.offered():
        if wager.optional:
            assert LOOKS[filing.rules.judged_by(wager.name)] in text
            assert filing.submission.limit(wager.name) is None or "in steps of $5" in text
    order = [str(category) for category in reversed(filing.rules.game.ranking.order)]
    assert ", ".join(order) in text


def test_a_super_royal_says_its_suits() -> None:
    """$1,000,000 is for diamonds under A; under B all suits pay the same."""
    (text,) = pages(typeset(player_guide(filed("UTH-S"))))
    assert "Super royal of hearts, spades or clubs $100,000" in text
    (text,) = pages(typeset(player_guide(filed("UTH-S", paytables__six_card_bonus='"B"'))))
    assert "Super royal of any suit $100,000" in text


def test_the_round_by_hand_shuffles_cuts_and_covers() -> None:
    shipped = dealt_by(filed("UTH-S"), "shoe")
    filing = replace(shipped, submission=replace(shipped.submission, devices=Devices()))
    words = RoundWords(filing, filing.book.way("shoe"))
    first, second, *_ = words.wagers_close()
    assert (first.clause, second.clause) == ("5.B", "5.F")
    told = [step.text for step in (*words.deal(), *words.settle())]
    assert any("under a cover card" in text for text in told)
    assert "Remove the cover card and turn up the dealer's cards." in told
    counted = next(n for n, text in enumerate(told) if "count the stub" in text)
    away = next(n for n, text in enumerate(told) if "in the discard rack" in text)
    assert counted < away


def test_what_is_lost_by_leaving_is_said() -> None:
    (text,) = pages(typeset(player_guide(filed("UTH-S"))))
    assert "If you leave during a round, your hand checks, then folds." in text
    (text,) = pages(typeset(player_guide(filed("UTH-S", table__abandoned_wagers='"lost"'))))
    assert "If you leave during a round, your wagers are lost." in text


def test_every_look_of_every_game_has_its_words() -> None:
    """Of a player's own cards the rulebook's word is enough: "your three cards"."""
    known = {look for game in the_registry().games.values() for look in game.looks}
    assert known - {"three cards"} == set(LOOKS)
    (text,) = pages(typeset(player_guide(filed("TCP-1"))))
    assert "Pair Plus your three cards $5 to $100" in " ".join(text.split())
