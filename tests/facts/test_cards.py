"""Cards: printing and reading back is the identity, and the one mapping to numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.facts.cards import DECK, Card, Rank, Suit, card, cards, written
from croupier.facts.errors import Unreadable

any_card = st.sampled_from(DECK)


def test_the_deck_holds_each_of_52_cards_once() -> None:
    assert len(DECK) == len(set(DECK)) == 52
    assert {(one.rank, one.suit) for one in DECK} == {(r, s) for r in Rank for s in Suit}


def test_a_number_is_a_place_in_the_deck_and_back() -> None:
    assert [one.number for one in DECK] == list(range(52))
    for number, one in enumerate(DECK):
        rank, suit = divmod(number, 4)
        assert one == Card(Rank(rank + 2), Suit(suit))


@pytest.mark.parametrize(
    ("text", "number"),
    [("2c", 0), ("2d", 1), ("2h", 2), ("2s", 3), ("3c", 4), ("Th", 34), ("Ac", 48), ("As", 51)],
)
def test_the_mapping_is_the_documented_one(text: str, number: int) -> None:
    assert card(text).number == number
    assert str(DECK[number]) == text


@given(any_card)
def test_printing_and_reading_a_card_is_the_identity(one: Card) -> None:
    assert card(str(one)) == one
    assert card(one.symbol) == one
    assert card(str(one).lower()) == card(str(one).upper()) == one


@given(st.lists(any_card, max_size=12))
def test_printing_and_reading_cards_is_the_identity(some: list[Card]) -> None:
    assert cards(written(some)) == tuple(some)
    assert cards(written(some).replace(" ", "")) == tuple(some)
    assert cards(f"  {written(some)}\n") == tuple(some)
    assert cards("".join(one.symbol for one in some)) == tuple(some)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10h", "Th"),
        ("10\N{BLACK HEART SUIT}", "Th"),
        ("AhKd", "Ah Kd"),
        ("10h10d", "Th Td"),
        ("Ah\tKd", "Ah Kd"),
        ("", ""),
        ("   ", ""),
    ],
)
def test_cards_are_read_as_people_write_them(text: str, expected: str) -> None:
    assert written(cards(text)) == expected


NO_CARDS = [
    "A",
    "h",
    "hA",
    "1h",
    "0h",
    "11h",
    "100h",
    "Ax",
    "Ah,Kd",
    "Ah Kd Q",
    "Ah|Kd",
    "A h",
    "joker",
    "\N{KELVIN SIGN}h",
    "A\N{LATIN SMALL LETTER LONG S}",
    "\N{FULLWIDTH DIGIT NINE}h",
    "\N{ARABIC-INDIC DIGIT NINE}h",
    "\N{CYRILLIC CAPITAL LETTER A}h",
    "\N{PLAYING CARD ACE OF SPADES}",
    "A\N{WHITE HEART SUIT}",
    "\x00",
    "Ah\x00",
    "?" * 1_000_000,
]


@pytest.mark.parametrize("text", NO_CARDS, ids=lambda text: ascii(text[:12]))
def test_what_is_no_card_is_unreadable(text: str) -> None:
    for read in (card, cards):
        with pytest.raises(Unreadable) as caught:
            read(text)
        assert len(str(caught.value)) < 300
        assert str(caught.value).isprintable()


@pytest.mark.parametrize("text", ["", "Ah Kd", "AhKd"])
def test_one_card_is_one_card(text: str) -> None:
    with pytest.raises(Unreadable):
        card(text)


@given(st.text())
def test_any_text_is_cards_or_unreadable(text: str) -> None:
    try:
        found = cards(text)
    except Unreadable:
        return
    assert cards(written(found)) == found


def test_cards_are_called_by_name() -> None:
    assert card("Qs").aloud == "queen of spades"
    assert card("Td").symbol == "T\N{BLACK DIAMOND SUIT}"
    assert (Rank.SIX.many, Rank.ACE.many) == ("sixes", "aces")
