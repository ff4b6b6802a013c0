"""Clauses that no other test proves by what the software does, each on a round of its own."""

from __future__ import annotations

import pytest

from croupier.facts.errors import Refusal
from tests.table.settlement.rounds import (
    UTH_HANDS,
    UTH_SIX_CARDS,
    Case,
    Deal,
    Scalar,
    Terms,
    fcp_round,
    paid_to,
    round_text,
    settled,
    uth_round,
)

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


# One deal, every letter of its wager, and what each pays on $1.
FOUR_CARD_THREES = Deal(box="9s 9d 9h 5c 3d", dealer="2c 4d 6h 8s Tc Qd")
CHOSEN = [
    ("UTH-S 12.C", "trips", UTH_HANDS["full house"], {"A": 9, "B": 8, "C": 8, "D": 7, "E": 7}),
    ("UTH-14 12.C", "trips", UTH_HANDS["full house"], {"A": 9, "B": 8, "C": 8, "D": 7}),
    (
        "UTH-S 12.D(1)",
        "progressive",
        UTH_HANDS["three of a kind"],
        {"A": 9, "B": 9, "C": 10, "D": 9},
    ),
    *(
        (
            f"{book} 12.E",
            "six_card_bonus",
            UTH_SIX_CARDS["super royal of diamonds"],
            {"A": 1_000_000, "B": 100_000},
        )
        for book in ("UTH-S", "UTH-14")
    ),
    (
        "UTH-S 12.Ebis",
        "ultimate_pairs",
        Deal(box="Ah Kh", board="3c 3d 8h 8s 5c", dealer="7d 9c"),
        {"A": 25, "B": 25, "C": 20, "D": 20, "E": 20, "F": 20},
    ),
    (
        "UTH-S 12.Fbis",
        "bad_beat",
        Deal(box="7h Ac", board="Kh Kd 7c 7s 2d", dealer="Ks 2c"),
        {"A": 40, "B": 50, "C": 50},
    ),
    (
        "UTH-S 12.G",
        "play_the_board",
        Deal(box="Ah Kh", board="Qc Qh Qd 7h 2d", dealer="7d 9c"),
        {"A": 7, "B": 6, "C": 6},
    ),
    (
        "FCP-14 12.C",
        "aces_up",
        FOUR_CARD_THREES,
        {"A": 9, "B": 7, "C": 8, "D": 8, "E": 8, "F": 7},
    ),
    ("FCP-14 12.D(1)", "progressive", FOUR_CARD_THREES, {"A": 9, "B": 15, "C": 9}),
    (
        "FCP-14 12.G",
        "six_card_bonus",
        Deal(box="9s 9d 9h 5c 3d", six_card_box="5s", dealer="2c 4d 6h 8s Tc Qd"),
        {"A": 25, "B": 20, "C": 20, "D": 25, "super-A": 20, "super-B": 20},
    ),
]


@pytest.mark.parametrize(
    ("book", "wager", "deal", "pays"),
    [
        pytest.param(
            clause.split()[0],
            wager,
            deal,
            pays,
            id=f"{clause.split()[0]} {wager}",
            marks=pytest.mark.clause(clause),
        )
        for clause, wager, deal, pays in CHOSEN
    ],
)
def test_the_chosen_letter_says_what_is_paid(
    book: str, wager: str, deal: Deal, pays: dict[str, int]
) -> None:
    terms = Terms(meters={}, resets={}) if wager == "progressive" else None
    for letter, dollars in pays.items():
        case = Case("", "$1", "", (), wager, letter)
        text = (
            fcp_round(case, deal, terms) if book == "FCP-14" else uth_round(book, case, deal, terms)
        )
        (line,) = paid_to(settled(text), 1, wager)
        assert (letter, line.paid_cents) == (letter, dollars * 100)


SIX_CARDS = [
    ("6.F(1)", "royal flush", "Ts 9h As Ks Qs", "Js"),
    ("6.F(2)", "straight flush", "9c 8c Kc Qc Jc", "Tc"),
    ("6.F(3)", "four of a kind", "8s 8c 8h 8d Kd", "Ks"),
    ("6.F(4)", "full house", "4h 9c 9h 9d 4c", "4s"),
    ("6.F(5)", "flush", "Ad 9c 2d 7d Jd", "Kd"),
    ("6.F(6)", "straight", "5c Kd Ac 2d 3h", "4s"),
    ("6.F(7)", "three of a kind", "Qd Qs Qc 7h 2d", "9s"),
]


@pytest.mark.parametrize(
    ("book", "hand", "five", "last"),
    [
        pytest.param(
            book,
            hand,
            five,
            last,
            id=f"{book} {hand}",
            marks=pytest.mark.clause(f"{book} {clause}"),
        )
        for book in ("UTH-S", "UTH-14", "FCP-14")
        for clause, hand, five, last in SIX_CARDS
    ],
)
def test_the_hands_that_win_the_six_card_bonus(book: str, hand: str, five: str, last: str) -> None:
    """Lines (c) to (i) of the first table with a Super Royal pay them, in this order."""
    line = "cdefghi"[[named for _, named, _, _ in SIX_CARDS].index(hand)]
    if book == "FCP-14":
        deal = Deal(box=five, six_card_box=last, dealer="3s 5s 6h 6c 2h 7c")
        case = Case("", "$1", "", (), "six_card_bonus", "super-A")
        paid = paid_to(settled(fcp_round(case, deal)), 1, "six_card_bonus")
        assert [one.clause for one in paid] == [f"FCP-14 12.G(1)bis({line})"]
    else:
        deal = Deal(
            box=five[:5], six_card_box=f"{five[6:]} {last}", board="3s 5s 6h 6c 2h", dealer="6s 7c"
        )
        case = Case("", "$1", "", (), "six_card_bonus", "A")
        paid = paid_to(settled(uth_round(book, case, deal)), 1, "six_card_bonus")
        assert [one.clause for one in paid] == [f"{book} 12.E(1)({line})"]


@pytest.mark.parametrize(
    "book",
    [
        pytest.param(book, marks=pytest.mark.clause(f"{book} 6.F(7)", f"{book} 11.I(3)"))
        for book in ("UTH-S", "UTH-14")
    ],
)
def test_two_pairs_lose_the_six_card_bonus(book: str) -> None:
    case = Case("", "$1", "", (), "six_card_bonus", "A")
    text = uth_round(book, case, UTH_SIX_CARDS["three pairs"])
    assert [line.outcome for line in paid_to(settled(text), 1, "six_card_bonus")] == ["lose"]


@pytest.mark.parametrize(
    "book",
    [
        pytest.param(book, marks=pytest.mark.clause(f"{book} 12.F", f"{book} 12.F(2)"))
        for book in ("UTH-S", "UTH-14")
    ],
)
def test_envy_and_six_card_bonus_are_outside_the_payout_limit(book: str) -> None:
    stakes: dict[str, Scalar] = {"ante": "$200", "blind": "$200", "play": "$200", "trips": "$5"}
    boxes: list[dict[str, Scalar]] = [
        {"seat": 1, "cards": "Ah Kh", **stakes, "six_card_bonus": "$5", "progressive": True},
        {"seat": 2, "cards": "9h 8h", "ante": "$10", "blind": "$10", "play": "$10"},
    ]
    places = PLACES | {"six_card_box": "As Ac Ad 5c"}
    text = round_text(book, TABLES | {"envy": "A"}, places, boxes, TERMS)
    receipt = settled(f'payout_limit = "$50,000"\n{text}')
    paid = {line.wager: line.paid_cents for line in receipt.of(1)}
    # $200 Ante, $100,000 Blind, $200 Play and $250 Trips come to $50,650 over the limit.
    assert paid["payout_limit"] == -50_650_00
    assert paid["six_card_bonus"] == 250_00
    assert paid["envy"] == 300_00
    assert paid["progressive"] == 20_000_00
