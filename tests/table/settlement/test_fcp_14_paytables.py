"""FCP-14: every line of every paytable, with amounts worked out from the regulation's own words."""

import pytest

from croupier.facts.errors import Refusal
from croupier.games.registry import the_registry
from tests.table.settlement.rounds import (
    OTHER_SUPER_ROYALS,
    SUPER_ROYALS,
    Case,
    Deal,
    LeastReset,
    Paid,
    Terms,
    Wagers,
    each,
    each_least,
    fcp_round,
    line,
    lines_in_the_book,
    lines_proved,
    loses,
    nothing,
    paid_to,
    paytable,
    round_text,
    settled,
)


def _against_four_sixes(box: str, six_card_box: str | None = None) -> Deal:
    """The dealer beats all but four of a higher kind, which no paytable may care about."""
    return Deal(box=box, dealer="6c 6d 6h 6s 3s 8d", six_card_box=six_card_box)


HANDS = {
    "four aces": _against_four_sixes("Ac Ad Ah As Kd"),
    "four kings": _against_four_sixes("Kc Kd Kh Ks Ac"),
    "four fives": _against_four_sixes("5c 5d 5h 5s Ac"),
    "straight flush": _against_four_sixes("Ah Kh Qh Jh 2c"),
    "low straight flush": _against_four_sixes("Ac 2c 3c 4c Kd"),
    "three aces": _against_four_sixes("Ac Ad Ah Ks 2s"),
    "three of a kind": _against_four_sixes("7c 7d 7h Ks 2s"),
    "flush": _against_four_sixes("Ad Kd Qd Td 2c"),
    "straight": _against_four_sixes("Ac 2d 3h 4s 9c"),
    "two pairs": _against_four_sixes("3c 3d 2h 2s Ac"),
    "pair of aces": _against_four_sixes("Ac Ad 5h 7s 9c"),
    "pair of kings": _against_four_sixes("Kc Kd Ah Qs 9c"),
    "no pair": _against_four_sixes("Ac Kd Qh 9s 7c"),
    "royal flush in five": _against_four_sixes("Ah Kh Qh Jh Th"),
    "straight flush in five": _against_four_sixes("9c Tc Jc Qc Kc"),
    "full house in five": _against_four_sixes("9s 9d 9h 4c 4d"),
    "flush in five": _against_four_sixes("2d 7d Jd Qd 9d"),
    "straight in five": _against_four_sixes("Ac 2d 3h 4s 5c"),
    "two pairs in five": _against_four_sixes("Ac Ad Kc Kd Qh"),
}

# For a neighbour of the Envy holder: no deal that Envy looks at holds these.
NEIGHBOUR = "4c 7d 9h Tc Js"

# The card in the box is always one of those that make the hand.
SIX_CARDS = {
    "super royal of diamonds": _against_four_sixes("Ad Kd Qd Jd Td", "9d"),
    "super royal of hearts": _against_four_sixes("9h Th Jh Qh Kh", "Ah"),
    "super royal of spades": _against_four_sixes("As Ks 9s Ts Js", "Qs"),
    "super royal of clubs": _against_four_sixes("9c Ac Jc Qc Kc", "Tc"),
    "royal flush": _against_four_sixes("As Ks Qs Js 9h", "Ts"),
    "straight flush": _against_four_sixes("Qc Jc Tc 9c 8c", "Kc"),
    "four of a kind": _against_four_sixes("9c 9d 9h Kd Ks", "9s"),
    "full house": _against_four_sixes("9h 9d 4c 4s 4h", "9c"),
    "flush": _against_four_sixes("2d 7d Jd Kd 9c", "Ad"),
    "straight": _against_four_sixes("Ac 2d 3h 4s Kd", "5c"),
    "three of a kind": _against_four_sixes("Qc 7h 2d 9s Qd", "Qs"),
    "three pairs": _against_four_sixes("Ac Ad Kc Kd Qc", "Qd"),
}
ROYALS = ("royal flush", *SUPER_ROYALS)

TERMS = {
    "A": Terms(meters={"main": "$25,000.107"}, resets={"main": "$5,000"}),
    "B": Terms(meters={"main": "$1,900.005"}, resets={"main": "$1,000"}),
    "C": Terms(meters={"main": "$25,000.107"}, resets={"main": "$10,000"}),
}

# What an award leaves: after 100% the reset and the rest of a cent, after 10% all but the award.
METERS_AFTER = {
    "FCP-14 12.D(1)(a)(i)": {"main": "$5,000.007"},
    "FCP-14 12.D(1)(b)(i)": {"main": "$1,000.005"},
    "FCP-14 12.D(1)(c)(i)": {"main": "$10,000.007"},
    "FCP-14 12.D(1)(c)(ii)": {"main": "$22,500.097"},
}

CASES: list[Case] = []

# Ante bonus. Paid on the Ante whether the dealer is beaten or not: only the two highest deals here
# win.
CASES += paytable(
    "ante_bonus A",
    line(("four aces", "four kings", "four fives"), "$15", "25 to 1", 375_00, 0, "FCP-14 12.B(1)"),
    line(("straight flush", "low straight flush"), "$15", "20 to 1", 300_00, 0, "FCP-14 12.B(2)"),
    line("three of a kind", "$15", "2 to 1", 30_00, 0, "FCP-14 12.B(3)"),
    nothing("flush", "$15", "FCP-14 12.B"),
)

# Aces Up
CASES += paytable(
    "aces_up A",
    line(("four aces", "four kings"), "$7", "50 to 1", 350_00, 7_00, "FCP-14 12.C(1)(a)"),
    line("straight flush", "$7", "30 to 1", 210_00, 7_00, "FCP-14 12.C(1)(b)"),
    line("three of a kind", "$7", "9 to 1", 63_00, 7_00, "FCP-14 12.C(1)(c)"),
    line("flush", "$7", "6 to 1", 42_00, 7_00, "FCP-14 12.C(1)(d)"),
    line("straight", "$7", "4 to 1", 28_00, 7_00, "FCP-14 12.C(1)(e)"),
    line("two pairs", "$7", "2 to 1", 14_00, 7_00, "FCP-14 12.C(1)(f)"),
    line("pair of aces", "$7", "1 to 1", 7_00, 7_00, "FCP-14 12.C(1)(g)"),
    loses(("pair of kings", "no pair"), "$7", "FCP-14 12.C(1)"),
)
CASES += paytable(
    "aces_up B",
    line(("four aces", "four kings"), "$11", "50 to 1", 550_00, 11_00, "FCP-14 12.C(2)(a)"),
    line("straight flush", "$11", "30 to 1", 330_00, 11_00, "FCP-14 12.C(2)(b)"),
    line("three of a kind", "$11", "7 to 1", 77_00, 11_00, "FCP-14 12.C(2)(c)"),
    line("flush", "$11", "6 to 1", 66_00, 11_00, "FCP-14 12.C(2)(d)"),
    line("straight", "$11", "5 to 1", 55_00, 11_00, "FCP-14 12.C(2)(e)"),
    line("two pairs", "$11", "2 to 1", 22_00, 11_00, "FCP-14 12.C(2)(f)"),
    line("pair of aces", "$11", "1 to 1", 11_00, 11_00, "FCP-14 12.C(2)(g)"),
    loses(("pair of kings", "no pair"), "$11", "FCP-14 12.C(2)"),
)
CASES += paytable(
    "aces_up C",
    line(("four aces", "four kings"), "$13", "50 to 1", 650_00, 13_00, "FCP-14 12.C(3)(a)"),
    line("straight flush", "$13", "40 to 1", 520_00, 13_00, "FCP-14 12.C(3)(b)"),
    line("three of a kind", "$13", "8 to 1", 104_00, 13_00, "FCP-14 12.C(3)(c)"),
    line("flush", "$13", "5 to 1", 65_00, 13_00, "FCP-14 12.C(3)(d)"),
    line("straight", "$13", "4 to 1", 52_00, 13_00, "FCP-14 12.C(3)(e)"),
    line("two pairs", "$13", "3 to 1", 39_00, 13_00, "FCP-14 12.C(3)(f)"),
    line("pair of aces", "$13", "1 to 1", 13_00, 13_00, "FCP-14 12.C(3)(g)"),
    loses(("pair of kings", "no pair"), "$13", "FCP-14 12.C(3)"),
)
CASES += paytable(
    "aces_up D",
    line(("four aces", "four kings"), "$17", "50 to 1", 850_00, 17_00, "FCP-14 12.C(4)(a)"),
    line("straight flush", "$17", "40 to 1", 680_00, 17_00, "FCP-14 12.C(4)(b)"),
    line("three of a kind", "$17", "8 to 1", 136_00, 17_00, "FCP-14 12.C(4)(c)"),
    line("flush", "$17", "6 to 1", 102_00, 17_00, "FCP-14 12.C(4)(d)"),
    line("straight", "$17", "4 to 1", 68_00, 17_00, "FCP-14 12.C(4)(e)"),
    line("two pairs", "$17", "2 to 1", 34_00, 17_00, "FCP-14 12.C(4)(f)"),
    line("pair of aces", "$17", "1 to 1", 17_00, 17_00, "FCP-14 12.C(4)(g)"),
    loses(("pair of kings", "no pair"), "$17", "FCP-14 12.C(4)"),
)
CASES += paytable(
    "aces_up E",
    line(("four aces", "four kings"), "$19", "50 to 1", 950_00, 19_00, "FCP-14 12.C(5)(a)"),
    line("straight flush", "$19", "30 to 1", 570_00, 19_00, "FCP-14 12.C(5)(b)"),
    line("three of a kind", "$19", "8 to 1", 152_00, 19_00, "FCP-14 12.C(5)(c)"),
    line("flush", "$19", "6 to 1", 114_00, 19_00, "FCP-14 12.C(5)(d)"),
    line("straight", "$19", "4 to 1", 76_00, 19_00, "FCP-14 12.C(5)(e)"),
    line("two pairs", "$19", "3 to 1", 57_00, 19_00, "FCP-14 12.C(5)(f)"),
    line("pair of aces", "$19", "1 to 1", 19_00, 19_00, "FCP-14 12.C(5)(g)"),
    loses(("pair of kings", "no pair"), "$19", "FCP-14 12.C(5)"),
)
CASES += paytable(
    "aces_up F",
    line(("four aces", "four kings"), "$23", "50 to 1", 1_150_00, 23_00, "FCP-14 12.C(6)(a)"),
    line("straight flush", "$23", "40 to 1", 920_00, 23_00, "FCP-14 12.C(6)(b)"),
    line("three of a kind", "$23", "7 to 1", 161_00, 23_00, "FCP-14 12.C(6)(c)"),
    line("flush", "$23", "5 to 1", 115_00, 23_00, "FCP-14 12.C(6)(d)"),
    line("straight", "$23", "4 to 1", 92_00, 23_00, "FCP-14 12.C(6)(e)"),
    line("two pairs", "$23", "3 to 1", 69_00, 23_00, "FCP-14 12.C(6)(f)"),
    line("pair of aces", "$23", "1 to 1", 23_00, 23_00, "FCP-14 12.C(6)(g)"),
    loses(("pair of kings", "no pair"), "$23", "FCP-14 12.C(6)"),
)

# Progressive. A and B look at the best four cards, C at all five (ruling 19).
CASES += paytable(
    "progressive A",
    line("four aces", "$1", "100% of meter", 25_000_10, 0, "FCP-14 12.D(1)(a)(i)"),
    line(("four kings", "four fives"), "$1", "300 for 1", 300_00, 0, "FCP-14 12.D(1)(a)(ii)"),
    line("straight flush", "$5", "100 for 1", 500_00, 0, "FCP-14 12.D(1)(a)(iii)"),
    line("three of a kind", "$5", "9 for 1", 45_00, 0, "FCP-14 12.D(1)(a)(iv)"),
    loses("flush", "$5", "FCP-14 12.D(1)(a)"),
)
CASES += paytable(
    "progressive B",
    line("four aces", "$5", "100% of meter", 1_900_00, 0, "FCP-14 12.D(1)(b)(i)"),
    line(("four kings", "four fives"), "$5", "300 for 1", 1_500_00, 0, "FCP-14 12.D(1)(b)(ii)"),
    line("straight flush", "$1", "100 for 1", 100_00, 0, "FCP-14 12.D(1)(b)(iii)"),
    line("three of a kind", "$1", "15 for 1", 15_00, 0, "FCP-14 12.D(1)(b)(iv)"),
    loses("flush", "$5", "FCP-14 12.D(1)(b)"),
)
CASES += paytable(
    "progressive C",
    line("royal flush in five", "$1", "100% of meter", 25_000_10, 0, "FCP-14 12.D(1)(c)(i)"),
    line("straight flush in five", "$5", "10% of meter", 2_500_01, 0, "FCP-14 12.D(1)(c)(ii)"),
    line(("four aces", "four kings"), "$1", "300 for 1", 300_00, 0, "FCP-14 12.D(1)(c)(ii)bis"),
    line("full house in five", "$5", "50 for 1", 250_00, 0, "FCP-14 12.D(1)(c)(iii)"),
    line("flush in five", "$1", "40 for 1", 40_00, 0, "FCP-14 12.D(1)(c)(iv)"),
    line("straight in five", "$5", "30 for 1", 150_00, 0, "FCP-14 12.D(1)(c)(v)"),
    line("three of a kind", "$5", "9 for 1", 45_00, 0, "FCP-14 12.D(1)(c)(vi)"),
    loses(("two pairs in five", "straight flush"), "$5", "FCP-14 12.D(1)(c)"),
)

# Envy. For the four-card hand of box 2, to box 1 for its Progressive wager.
CASES += paytable(
    "envy A",
    line("four aces", "$1", "$100", 100_00, 0, "FCP-14 12.E(1)(a)"),
    line(("four kings", "four fives"), "$1", "$10", 10_00, 0, "FCP-14 12.E(1)(b)"),
    line("straight flush", "$1", "$5", 5_00, 0, "FCP-14 12.E(1)(c)"),
    nothing("three aces", "$1", "FCP-14 12.E(1)"),
    line("four aces", "$5", "$500", 500_00, 0, "FCP-14 12.F(1)(a)"),
    line(("four kings", "four fives"), "$5", "$50", 50_00, 0, "FCP-14 12.F(1)(b)"),
    line("straight flush", "$5", "$25", 25_00, 0, "FCP-14 12.F(1)(c)"),
    nothing("three aces", "$5", "FCP-14 12.F(1)"),
)
CASES += paytable(
    "envy B",
    line("four aces", "$1", "$100", 100_00, 0, "FCP-14 12.E(2)(a)"),
    line(("four kings", "four fives"), "$1", "$25", 25_00, 0, "FCP-14 12.E(2)(b)"),
    nothing("straight flush", "$1", "FCP-14 12.E(2)"),
    line("four aces", "$5", "$500", 500_00, 0, "FCP-14 12.F(2)(a)"),
    line(("four kings", "four fives"), "$5", "$125", 125_00, 0, "FCP-14 12.F(2)(b)"),
    nothing("straight flush", "$5", "FCP-14 12.F(2)"),
)
CASES += paytable(
    "envy C",
    line("four aces", "$1", "$1,000", 1_000_00, 0, "FCP-14 12.E(3)(a)"),
    line(("four kings", "four fives"), "$1", "$300", 300_00, 0, "FCP-14 12.E(3)(b)"),
    nothing("straight flush", "$1", "FCP-14 12.E(3)"),
    line("four aces", "$5", "$5,000", 5_000_00, 0, "FCP-14 12.F(3)(a)"),
    line(("four kings", "four fives"), "$5", "$1,500", 1_500_00, 0, "FCP-14 12.F(3)(b)"),
    nothing("straight flush", "$5", "FCP-14 12.F(3)"),
)

# Six Card Bonus. The plain paytables pay a Super Royal as a royal flush (ruling 16).
CASES += paytable(
    "six_card_bonus A",
    line(ROYALS, "$5", "1,000 to 1", 5_000_00, 5_00, "FCP-14 12.G(1)(a)"),
    line("straight flush", "$5", "200 to 1", 1_000_00, 5_00, "FCP-14 12.G(1)(b)"),
    line("four of a kind", "$5", "50 to 1", 250_00, 5_00, "FCP-14 12.G(1)(c)"),
    line("full house", "$5", "25 to 1", 125_00, 5_00, "FCP-14 12.G(1)(d)"),
    line("flush", "$5", "20 to 1", 100_00, 5_00, "FCP-14 12.G(1)(e)"),
    line("straight", "$5", "10 to 1", 50_00, 5_00, "FCP-14 12.G(1)(f)"),
    line("three of a kind", "$5", "5 to 1", 25_00, 5_00, "FCP-14 12.G(1)(g)"),
    loses("three pairs", "$5", "FCP-14 12.G(1)"),
)
CASES += paytable(
    "six_card_bonus B",
    line(ROYALS, "$7", "1,000 to 1", 7_000_00, 7_00, "FCP-14 12.G(2)(a)"),
    line("straight flush", "$7", "200 to 1", 1_400_00, 7_00, "FCP-14 12.G(2)(b)"),
    line("four of a kind", "$7", "100 to 1", 700_00, 7_00, "FCP-14 12.G(2)(c)"),
    line("full house", "$7", "20 to 1", 140_00, 7_00, "FCP-14 12.G(2)(d)"),
    line("flush", "$7", "15 to 1", 105_00, 7_00, "FCP-14 12.G(2)(e)"),
    line("straight", "$7", "9 to 1", 63_00, 7_00, "FCP-14 12.G(2)(f)"),
    line("three of a kind", "$7", "8 to 1", 56_00, 7_00, "FCP-14 12.G(2)(g)"),
    loses("three pairs", "$7", "FCP-14 12.G(2)"),
)
CASES += paytable(
    "six_card_bonus C",
    line(ROYALS, "$11", "1,000 to 1", 11_000_00, 11_00, "FCP-14 12.G(3)(a)"),
    line("straight flush", "$11", "200 to 1", 2_200_00, 11_00, "FCP-14 12.G(3)(b)"),
    line("four of a kind", "$11", "100 to 1", 1_100_00, 11_00, "FCP-14 12.G(3)(c)"),
    line("full house", "$11", "20 to 1", 220_00, 11_00, "FCP-14 12.G(3)(d)"),
    line("flush", "$11", "15 to 1", 165_00, 11_00, "FCP-14 12.G(3)(e)"),
    line("straight", "$11", "10 to 1", 110_00, 11_00, "FCP-14 12.G(3)(f)"),
    line("three of a kind", "$11", "7 to 1", 77_00, 11_00, "FCP-14 12.G(3)(g)"),
    loses("three pairs", "$11", "FCP-14 12.G(3)"),
)
CASES += paytable(
    "six_card_bonus D",
    line(ROYALS, "$13", "1,000 to 1", 13_000_00, 13_00, "FCP-14 12.G(4)(a)"),
    line("straight flush", "$13", "200 to 1", 2_600_00, 13_00, "FCP-14 12.G(4)(b)"),
    line("four of a kind", "$13", "50 to 1", 650_00, 13_00, "FCP-14 12.G(4)(c)"),
    line("full house", "$13", "25 to 1", 325_00, 13_00, "FCP-14 12.G(4)(d)"),
    line("flush", "$13", "15 to 1", 195_00, 13_00, "FCP-14 12.G(4)(e)"),
    line("straight", "$13", "10 to 1", 130_00, 13_00, "FCP-14 12.G(4)(f)"),
    line("three of a kind", "$13", "5 to 1", 65_00, 13_00, "FCP-14 12.G(4)(g)"),
    loses("three pairs", "$13", "FCP-14 12.G(4)"),
)
CASES += paytable(
    "six_card_bonus super-A",
    line("super royal of diamonds", "$5", "$1,000,000", 1_000_000_00, 5_00, "FCP-14 12.G(1)bis(a)"),
    line(OTHER_SUPER_ROYALS, "$5", "$100,000", 100_000_00, 5_00, "FCP-14 12.G(1)bis(b)"),
    line("royal flush", "$5", "1,000 to 1", 5_000_00, 5_00, "FCP-14 12.G(1)bis(c)"),
    line("straight flush", "$5", "200 to 1", 1_000_00, 5_00, "FCP-14 12.G(1)bis(d)"),
    line("four of a kind", "$5", "50 to 1", 250_00, 5_00, "FCP-14 12.G(1)bis(e)"),
    line("full house", "$5", "20 to 1", 100_00, 5_00, "FCP-14 12.G(1)bis(f)"),
    line("flush", "$5", "15 to 1", 75_00, 5_00, "FCP-14 12.G(1)bis(g)"),
    line("straight", "$5", "10 to 1", 50_00, 5_00, "FCP-14 12.G(1)bis(h)"),
    line("three of a kind", "$5", "5 to 1", 25_00, 5_00, "FCP-14 12.G(1)bis(i)"),
    loses("three pairs", "$5", "FCP-14 12.G(1)bis"),
)
CASES += paytable(
    "six_card_bonus super-B",
    line(SUPER_ROYALS, "$7", "$100,000", 100_000_00, 7_00, "FCP-14 12.G(2)bis(a)"),
    line("royal flush", "$7", "1,000 to 1", 7_000_00, 7_00, "FCP-14 12.G(2)bis(b)"),
    line("straight flush", "$7", "200 to 1", 1_400_00, 7_00, "FCP-14 12.G(2)bis(c)"),
    line("four of a kind", "$7", "50 to 1", 350_00, 7_00, "FCP-14 12.G(2)bis(d)"),
    line("full house", "$7", "20 to 1", 140_00, 7_00, "FCP-14 12.G(2)bis(e)"),
    line("flush", "$7", "15 to 1", 105_00, 7_00, "FCP-14 12.G(2)bis(f)"),
    line("straight", "$7", "10 to 1", 70_00, 7_00, "FCP-14 12.G(2)bis(g)"),
    line("three of a kind", "$7", "5 to 1", 35_00, 7_00, "FCP-14 12.G(2)bis(h)"),
    loses("three pairs", "$7", "FCP-14 12.G(2)bis"),
)


@each(CASES)
def test_every_line_pays_what_the_regulation_says(case: Case) -> None:
    deals = SIX_CARDS if case.wager == "six_card_bonus" else HANDS
    terms = {"progressive": TERMS.get(case.letter), "envy": TERMS["A"]}.get(case.wager)
    receipt = settled(fcp_round(case, deals[case.deal], terms, NEIGHBOUR))
    assert paid_to(receipt, 1, case.wager) == case.expected
    assert receipt.meters == (terms.after(METERS_AFTER.get(case.clause, {})) if terms else {})


def test_no_line_of_a_paytable_is_missing() -> None:
    assert lines_proved(CASES) == lines_in_the_book(the_registry().book("FCP-14"))


@pytest.mark.clause("FCP-14 12.A")
def test_ante_and_play_pay_even_money() -> None:
    deal = HANDS["four kings"]
    box: Wagers = {"seat": 1, "cards": deal.box, "ante": "$15", "play": "$37.50"}
    receipt = settled(round_text("FCP-14", {"aces_up": "A"}, deal.places, [box]))
    assert paid_to(receipt, 1, "ante") == (Paid("win", "1 to 1", 15_00, 15_00, "FCP-14 12.A"),)
    assert paid_to(receipt, 1, "play") == (Paid("win", "1 to 1", 37_50, 37_50, "FCP-14 12.A"),)


@pytest.mark.clause("FCP-14 12.D(4)")
def test_a_second_straight_flush_finds_what_the_first_left() -> None:
    wagers: Wagers = {"ante": "$20", "play": "$20", "progressive": True}
    boxes: list[Wagers] = [
        {"seat": 1, "cards": "9c Tc Jc Qc Kc", **wagers},
        {"seat": 2, "cards": "2h 3h 4h 5h Ah", **wagers},
    ]
    places = {"dealer": "6c 6d 6h 6s 3s 8d"}
    paytables = {"aces_up": "A", "progressive": "C"}
    receipt = settled(round_text("FCP-14", paytables, places, boxes, TERMS["C"]))
    clause = "FCP-14 12.D(1)(c)(ii)"
    first, second = paid_to(receipt, 2, "progressive"), paid_to(receipt, 1, "progressive")
    assert first == (Paid("win", "10% of meter", 2_500_01, 0, clause),)
    assert second == (Paid("win", "10% of meter", 2_250_00, 0, clause),)
    assert receipt.meters == TERMS["C"].after({"main": "$20,250.097"})


@each_least(
    [
        LeastReset("A", "main", "$5,000", "$4,999.99", "FCP-14 12.D(3)(b)(i)"),
        LeastReset("B", "main", "$1,000", "$999.99", "FCP-14 12.D(3)(b)(ii)"),
        LeastReset("C", "main", "$10,000", "$9,999.99", "FCP-14 12.D(3)(b)(iii)"),
    ]
)
def test_a_meter_resets_to_no_less_than_its_minimum(reset: LeastReset) -> None:
    (case,) = paytable(f"progressive {reset.letter}", loses("no pair", "$1", reset.clause))
    deal, terms = HANDS["no pair"], TERMS[reset.letter]
    with pytest.raises(Refusal) as refused:
        settled(fcp_round(case, deal, terms.resetting(reset.meter, reset.below)))
    assert refused.value.clause == reset.clause
    settled(fcp_round(case, deal, terms.resetting(reset.meter, reset.least)))
