"""UTH-14: every line of every paytable, with amounts worked out from the regulation's own words."""

import pytest

from croupier.facts.errors import Refusal
from croupier.games.registry import the_registry
from tests.table.settlement.rounds import (
    OTHER_SUPER_ROYALS,
    SUPER_ROYALS,
    UTH_HANDS,
    UTH_NEIGHBOUR,
    UTH_SIX_CARDS,
    Case,
    LeastReset,
    Paid,
    Terms,
    Wagers,
    each,
    each_least,
    line,
    lines_in_the_book,
    lines_proved,
    loses,
    nothing,
    paid_to,
    paytable,
    round_text,
    settled,
    uth_round,
)

TERMS = Terms(meters={"main": "$25,000.107"}, resets={"main": "$10,000"})

# What an award leaves: after 100% the reset and the rest of a cent, after 10% all but the award.
METERS_AFTER = {
    "UTH-14 12.D(1)(a)": {"main": "$10,000.007"},
    "UTH-14 12.D(1)(b)": {"main": "$22,500.097"},
}

CASES: list[Case] = []

# Blind. Paid when the player wins; $10.01 at 3 to 2 is rounded up to the cent (ruling 4). B has no
# line for a straight: it pushes (ruling 5).
CASES += paytable(
    "blind A",
    line("royal flush", "$15", "500 to 1", 7_500_00, 15_00, "UTH-14 12.B(1)(a)"),
    line("straight flush", "$15", "50 to 1", 750_00, 15_00, "UTH-14 12.B(1)(b)"),
    line("four of a kind", "$15", "10 to 1", 150_00, 15_00, "UTH-14 12.B(1)(c)"),
    line("full house", "$15", "3 to 1", 45_00, 15_00, "UTH-14 12.B(1)(d)"),
    line("flush", "$15", "3 to 2", 22_50, 15_00, "UTH-14 12.B(1)(e)"),
    line("flush", "$10.01", "3 to 2", 15_02, 10_01, "UTH-14 12.B(1)(e)"),
    line("straight", "$15", "1 to 1", 15_00, 15_00, "UTH-14 12.B(1)(f)"),
    line(("three aces", "no pair"), "$15", "push", 0, 15_00, "UTH-14 12.B(1)(g)"),
)
CASES += paytable(
    "blind B",
    line("royal flush", "$15", "500 to 1", 7_500_00, 15_00, "UTH-14 12.B(2)(a)"),
    line("straight flush", "$15", "50 to 1", 750_00, 15_00, "UTH-14 12.B(2)(b)"),
    line("four of a kind", "$15", "10 to 1", 150_00, 15_00, "UTH-14 12.B(2)(c)"),
    line("full house", "$15", "3 to 1", 45_00, 15_00, "UTH-14 12.B(2)(d)"),
    line("flush", "$15", "3 to 2", 22_50, 15_00, "UTH-14 12.B(2)(e)"),
    line("flush", "$10.01", "3 to 2", 15_02, 10_01, "UTH-14 12.B(2)(e)"),
    line("highest straight", "$15", "push", 0, 15_00, "UTH-14 12.B(2)(f)"),
    line(("three aces", "no pair"), "$15", "push", 0, 15_00, "UTH-14 12.B(2)(f)"),
)

# Trips
CASES += paytable(
    "trips A",
    line("royal flush", "$7", "50 to 1", 350_00, 7_00, "UTH-14 12.C(1)(a)"),
    line("straight flush", "$7", "40 to 1", 280_00, 7_00, "UTH-14 12.C(1)(b)"),
    line("four of a kind", "$7", "30 to 1", 210_00, 7_00, "UTH-14 12.C(1)(c)"),
    line("full house", "$7", "9 to 1", 63_00, 7_00, "UTH-14 12.C(1)(d)"),
    line("flush", "$7", "7 to 1", 49_00, 7_00, "UTH-14 12.C(1)(e)"),
    line("straight", "$7", "4 to 1", 28_00, 7_00, "UTH-14 12.C(1)(f)"),
    line("three of a kind", "$7", "3 to 1", 21_00, 7_00, "UTH-14 12.C(1)(g)"),
    loses("aces and kings", "$7", "UTH-14 12.C(1)"),
)
CASES += paytable(
    "trips B",
    line("royal flush", "$11", "50 to 1", 550_00, 11_00, "UTH-14 12.C(2)(a)"),
    line("straight flush", "$11", "40 to 1", 440_00, 11_00, "UTH-14 12.C(2)(b)"),
    line("four of a kind", "$11", "30 to 1", 330_00, 11_00, "UTH-14 12.C(2)(c)"),
    line("full house", "$11", "8 to 1", 88_00, 11_00, "UTH-14 12.C(2)(d)"),
    line("flush", "$11", "6 to 1", 66_00, 11_00, "UTH-14 12.C(2)(e)"),
    line("straight", "$11", "5 to 1", 55_00, 11_00, "UTH-14 12.C(2)(f)"),
    line("three of a kind", "$11", "3 to 1", 33_00, 11_00, "UTH-14 12.C(2)(g)"),
    loses("aces and kings", "$11", "UTH-14 12.C(2)"),
)
CASES += paytable(
    "trips C",
    line("royal flush", "$13", "50 to 1", 650_00, 13_00, "UTH-14 12.C(3)(a)"),
    line("straight flush", "$13", "40 to 1", 520_00, 13_00, "UTH-14 12.C(3)(b)"),
    line("four of a kind", "$13", "30 to 1", 390_00, 13_00, "UTH-14 12.C(3)(c)"),
    line("full house", "$13", "8 to 1", 104_00, 13_00, "UTH-14 12.C(3)(d)"),
    line("flush", "$13", "7 to 1", 91_00, 13_00, "UTH-14 12.C(3)(e)"),
    line("straight", "$13", "4 to 1", 52_00, 13_00, "UTH-14 12.C(3)(f)"),
    line("three of a kind", "$13", "3 to 1", 39_00, 13_00, "UTH-14 12.C(3)(g)"),
    loses("aces and kings", "$13", "UTH-14 12.C(3)"),
)
CASES += paytable(
    "trips D",
    line("royal flush", "$17", "50 to 1", 850_00, 17_00, "UTH-14 12.C(4)(a)"),
    line("straight flush", "$17", "40 to 1", 680_00, 17_00, "UTH-14 12.C(4)(b)"),
    line("four of a kind", "$17", "20 to 1", 340_00, 17_00, "UTH-14 12.C(4)(c)"),
    line("full house", "$17", "7 to 1", 119_00, 17_00, "UTH-14 12.C(4)(d)"),
    line("flush", "$17", "6 to 1", 102_00, 17_00, "UTH-14 12.C(4)(e)"),
    line("straight", "$17", "5 to 1", 85_00, 17_00, "UTH-14 12.C(4)(f)"),
    line("three of a kind", "$17", "3 to 1", 51_00, 17_00, "UTH-14 12.C(4)(g)"),
    loses("aces and kings", "$17", "UTH-14 12.C(4)"),
)

# Progressive. The regulation prints one paytable without a letter.
CASES += paytable(
    "progressive A",
    line("royal flush", "$1", "100% of meter", 25_000_10, 0, "UTH-14 12.D(1)(a)"),
    line("straight flush", "$5", "10% of meter", 2_500_01, 0, "UTH-14 12.D(1)(b)"),
    line("four of a kind", "$1", "300 to 1", 300_00, 1_00, "UTH-14 12.D(1)(c)"),
    line("full house", "$5", "50 to 1", 250_00, 5_00, "UTH-14 12.D(1)(d)"),
    line("flush", "$1", "40 to 1", 40_00, 1_00, "UTH-14 12.D(1)(e)"),
    line("straight", "$5", "30 to 1", 150_00, 5_00, "UTH-14 12.D(1)(f)"),
    line("three of a kind", "$5", "9 to 1", 45_00, 5_00, "UTH-14 12.D(1)(g)"),
    loses("aces and kings", "$5", "UTH-14 12.D(1)"),
)

# Envy. For the hand of box 2, to box 1 for its Progressive wager; one paytable without a letter.
CASES += paytable(
    "envy A",
    line("royal flush", "$1", "$1,000", 1_000_00, 0, "UTH-14 12.D(5)(a)(i)"),
    line("straight flush", "$1", "$300", 300_00, 0, "UTH-14 12.D(5)(a)(ii)"),
    nothing("four of a kind", "$1", "UTH-14 12.D(5)(a)"),
    line("royal flush", "$5", "$5,000", 5_000_00, 0, "UTH-14 12.D(5)(b)(i)"),
    line("straight flush", "$5", "$1,500", 1_500_00, 0, "UTH-14 12.D(5)(b)(ii)"),
    nothing("four of a kind", "$5", "UTH-14 12.D(5)(b)"),
)

# Six Card Bonus
CASES += paytable(
    "six_card_bonus A",
    line("super royal of diamonds", "$5", "$1,000,000", 1_000_000_00, 5_00, "UTH-14 12.E(1)(a)"),
    line(OTHER_SUPER_ROYALS, "$5", "$100,000", 100_000_00, 5_00, "UTH-14 12.E(1)(b)"),
    line("royal flush", "$5", "1,000 to 1", 5_000_00, 5_00, "UTH-14 12.E(1)(c)"),
    line("straight flush", "$5", "200 to 1", 1_000_00, 5_00, "UTH-14 12.E(1)(d)"),
    line("four of a kind", "$5", "50 to 1", 250_00, 5_00, "UTH-14 12.E(1)(e)"),
    line("full house", "$5", "20 to 1", 100_00, 5_00, "UTH-14 12.E(1)(f)"),
    line("flush", "$5", "15 to 1", 75_00, 5_00, "UTH-14 12.E(1)(g)"),
    line("straight", "$5", "10 to 1", 50_00, 5_00, "UTH-14 12.E(1)(h)"),
    line("three of a kind", "$5", "5 to 1", 25_00, 5_00, "UTH-14 12.E(1)(i)"),
    loses("three pairs", "$5", "UTH-14 12.E(1)"),
)
CASES += paytable(
    "six_card_bonus B",
    line(SUPER_ROYALS, "$7", "$100,000", 100_000_00, 7_00, "UTH-14 12.E(2)(a)"),
    line("royal flush", "$7", "1,000 to 1", 7_000_00, 7_00, "UTH-14 12.E(2)(b)"),
    line("straight flush", "$7", "200 to 1", 1_400_00, 7_00, "UTH-14 12.E(2)(c)"),
    line("four of a kind", "$7", "50 to 1", 350_00, 7_00, "UTH-14 12.E(2)(d)"),
    line("full house", "$7", "20 to 1", 140_00, 7_00, "UTH-14 12.E(2)(e)"),
    line("flush", "$7", "15 to 1", 105_00, 7_00, "UTH-14 12.E(2)(f)"),
    line("straight", "$7", "10 to 1", 70_00, 7_00, "UTH-14 12.E(2)(g)"),
    line("three of a kind", "$7", "5 to 1", 35_00, 7_00, "UTH-14 12.E(2)(h)"),
    loses("three pairs", "$7", "UTH-14 12.E(2)"),
)


@each(CASES)
def test_every_line_pays_what_the_regulation_says(case: Case) -> None:
    deals = UTH_SIX_CARDS if case.wager == "six_card_bonus" else UTH_HANDS
    terms = TERMS if case.wager in ("progressive", "envy") else None
    receipt = settled(uth_round("UTH-14", case, deals[case.deal], terms, UTH_NEIGHBOUR))
    assert paid_to(receipt, 1, case.wager) == case.expected
    assert receipt.meters == (terms.after(METERS_AFTER.get(case.clause, {})) if terms else {})


def test_no_line_of_a_paytable_is_missing() -> None:
    assert lines_proved(CASES) == lines_in_the_book(the_registry().book("UTH-14"))


@pytest.mark.clause("UTH-14 12.A")
def test_ante_and_play_pay_even_money() -> None:
    deal = UTH_HANDS["aces and kings"]
    box: Wagers = {"seat": 1, "cards": deal.box, "ante": "$15", "blind": "$15", "play": "$45"}
    receipt = settled(round_text("UTH-14", {"blind": "A"}, deal.places, [box]))
    assert paid_to(receipt, 1, "ante") == (Paid("win", "1 to 1", 15_00, 15_00, "UTH-14 12.A"),)
    assert paid_to(receipt, 1, "play") == (Paid("win", "1 to 1", 45_00, 45_00, "UTH-14 12.A"),)


@pytest.mark.clause("UTH-14 12.D(4)")
def test_a_second_royal_flush_finds_the_reset_meter() -> None:
    wagers: Wagers = {"ante": "$20", "blind": "$20", "play": "$20", "progressive": True}
    boxes: list[Wagers] = [
        {"seat": 1, "cards": "3c 3d", **wagers},
        {"seat": 2, "cards": "4c 4d", **wagers},
    ]
    places = {"board": "Ah Kh Qh Jh Th", "dealer": "2c 2d"}
    paytables = {"blind": "A", "progressive": "A"}
    receipt = settled(round_text("UTH-14", paytables, places, boxes, TERMS))
    clause = "UTH-14 12.D(1)(a)"
    first, second = paid_to(receipt, 2, "progressive"), paid_to(receipt, 1, "progressive")
    assert first == (Paid("win", "100% of meter", 25_000_10, 0, clause),)
    assert second == (Paid("win", "100% of meter", 10_000_00, 0, clause),)
    assert receipt.meters == TERMS.after({"main": "$10,000.007"})


@each_least([LeastReset("A", "main", "$10,000", "$9,999.99", "UTH-14 12.D(3)(b)")])
def test_a_meter_resets_to_no_less_than_its_minimum(reset: LeastReset) -> None:
    (case,) = paytable("progressive A", loses("no pair", "$1", reset.clause))
    deal = UTH_HANDS["no pair"]
    with pytest.raises(Refusal) as refused:
        settled(uth_round("UTH-14", case, deal, TERMS.resetting(reset.meter, reset.below)))
    assert refused.value.clause == reset.clause
    settled(uth_round("UTH-14", case, deal, TERMS.resetting(reset.meter, reset.least)))
