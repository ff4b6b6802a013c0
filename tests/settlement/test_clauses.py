"""Clauses that no other test proves by what the software does, each on a round of its own."""

from __future__ import annotations

import pytest

from croupier.facts.errors import Refusal
from tests.settlement.rounds import Scalar, Terms, paid_to, round_text, settled

TABLES = {"blind": "A", "trips": "A", "six_card_bonus": "A", "progressive": "A"}
PLACES = {"board": "Qh Jh Th 2c 3d", "dealer": "4s 4d"}
TERMS = Terms(meters={"main": "$20,000"}, resets={"main": "$10,000"})
BOX: dict[str, Scalar] = {"seat": 1, "cards": "5c 5d", "ante": "$10", "blind": "$10"}


def refusal_of(text: str) -> Refusal:
    with pytest.raises(Refusal) as refused:
        settled(text)
    return refused.value


@pytest.mark.parametrize(
    ("place", "cards", "said"),
    [
        pytest.param(
            place, cards, said, id=f"{place} {cards}", marks=pytest.mark.clause(f"UTH-S {clause}")
        )
        for place, clause, cards, said in [
            ("dealer", "11.L(1)", "4s", "has 1 card where 2 must be"),
            ("dealer", "11.L(1)", "4s 4d 4h", "has 3 cards where 2 must be"),
            ("board", "11.L(2)", "Qh Jh Th 2c", "has 4 cards where 5 must be"),
            ("board", "11.L(2)", "Qh Jh Th 2c 3d 8s", "has 6 cards where 5 must be"),
        ]
    ],
)
def test_the_dealer_has_two_cards_and_the_board_five(place: str, cards: str, said: str) -> None:
    assert settled(round_text("UTH-S", TABLES, PLACES, [BOX])).lines
    refusal = refusal_of(round_text("UTH-S", TABLES, PLACES | {place: cards}, [BOX]))
    assert said in refusal.sentence


@pytest.mark.parametrize(
    ("book", "wager", "stake"),
    [
        pytest.param(book, wager, stake, marks=pytest.mark.clause(f"{book} {clause}"))
        for book in ("UTH-S", "UTH-14")
        for wager, stake, clause in [("trips", "$5", "7.F(2)"), ("progressive", True, "7.F(3)(a)")]
    ],
)
def test_a_side_wager_needs_ante_and_blind(book: str, wager: str, stake: str | bool) -> None:
    side: dict[str, Scalar] = {wager: stake}
    assert settled(round_text(book, TABLES, PLACES, [BOX | side], TERMS)).lines
    alone = {key: value for key, value in BOX.items() if key not in ("ante", "blind")}
    refusal = refusal_of(round_text(book, TABLES, PLACES, [alone | side], TERMS))
    assert refusal.sentence.endswith("it needs Ante and Blind")
    assert refusal.clause == f"{book} 7.F(1)"


@pytest.mark.parametrize(
    ("wager", "letter", "clause"),
    [
        pytest.param("blind", "C", "12.B", marks=pytest.mark.clause("UTH-14 12.B")),
        pytest.param("six_card_bonus", "C", "12.E", marks=pytest.mark.clause("UTH-14 12.E")),
    ],
)
def test_the_2014_edition_refuses_a_letter_it_does_not_have(
    wager: str, letter: str, clause: str
) -> None:
    text = round_text("UTH-14", TABLES | {wager: letter}, PLACES, [BOX])
    assert refusal_of(text).clause == f"UTH-14 {clause}"


@pytest.mark.clause("UTH-S 12.D(5)(b)")
@pytest.mark.parametrize("letter", ["A", "B", "C", "D"])
def test_the_envy_letter_is_chosen_apart_from_the_progressive_letter(letter: str) -> None:
    boxes: list[dict[str, Scalar]] = [
        {"seat": 2, "cards": "Ah Kh", "ante": "$10", "blind": "$10", "play": "$10"},
        BOX | {"progressive": True},
    ]
    receipt = settled(round_text("UTH-S", TABLES | {"envy": letter}, PLACES, boxes, TERMS))
    (envy,) = paid_to(receipt, 1, "envy")
    assert envy.paid_cents == 1_000_00
    assert envy.clause == f"UTH-S 12.D(6)({letter.lower()})(i)"
