"""UTH-S: every line of every paytable, with amounts worked out from the regulation's own words."""

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
    Deal,
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


def _first_two(box: str, dealer: str = "7d 9c") -> Deal:
    """The board pairs twice, so that the final hand is never the one of the first two cards."""
    return Deal(board="3c 3d 8h 8s 5c", dealer=dealer, box=box)


ACES = ("black aces", "red aces", "aces against aces")
FIRST_TWO = {
    "aces against aces": _first_two("As Ah", dealer="Ac Ad"),
    "black aces": _first_two("As Ac", dealer="Ad Kd"),
    "mixed aces": _first_two("Ah As", dealer="Ad Kd"),
    "red aces": _first_two("Ad Ah", dealer="Ac Kd"),
    "AK suited": _first_two("Ah Kh"),
    "AQ suited": _first_two("Qs As"),
    "AJ suited": _first_two("Ac Jc"),
    "AK offsuit": _first_two("Kc Ad"),
    "AQ offsuit": _first_two("As Qh"),
    "AJ offsuit": _first_two("Jd Ac"),
    "kings": _first_two("Kh Kd"),
    "queens": _first_two("Qs Qc"),
    "jacks": _first_two("Jh Js"),
    "tens": _first_two("Tc Td"),
    "twos": _first_two("2h 2s"),
    "AT suited": _first_two("Ah Th"),
    "KQ suited": _first_two("Ks Qs", dealer="Ac Ad"),
}


def either(name: str) -> tuple[str, str]:
    return f"{name}, player beaten", f"{name}, dealer beaten"


def _beats(name: str, board: str, higher: str, lower: str) -> dict[str, Deal]:
    """The lower hand makes ``name``; first the player holds it, then the dealer."""
    player_beaten, dealer_beaten = either(name)
    return {
        player_beaten: Deal(board=board, dealer=higher, box=lower),
        dealer_beaten: Deal(board=board, dealer=lower, box=higher),
    }


BEATS = {
    **_beats("straight flush", "5h 6h 7h 8h 2c", "9h Ts", "4h Kd"),
    **_beats("four of a kind", "9c 9d 4h 4s Kd", "9h 9s", "4c 4d"),
    **_beats("full house", "Kh Kd 7c 7s 2d", "Ks 2c", "7h Ac"),
    **_beats("flush", "2d 7d Jd Qc 3s", "Ad 4d", "Kd 9d"),
    **_beats("straight", "6c 7d 8h Kc 2d", "9s Ts", "4s 5c"),
    **_beats("three of a kind", "Qc 7h 2d 9s 4c", "Qd Qs", "7c 7s"),
    **_beats("two pairs", "Ac Kd 7h 2s 9c", "7c 7d", "As Kc"),
    "under a royal flush": Deal(board="Ts Js Qs Ks 2d", dealer="As 3c", box="9s 4d"),
    "tied straight flushes": Deal(board="5h 6h 7h 8h 9h", dealer="Ac Ad", box="2c 3d"),
}

# The player's own cards always make more of the board than the board itself shows, where they can.
BOARDS = {
    "royal flush": Deal(board="Ah Kh Qh Jh Th", box="9h 8h", dealer="2c 2d"),
    "straight flush": Deal(board="9c Tc Jc Qc Kc", box="Ac 2d", dealer="3h 3d"),
    "four of a kind": Deal(board="8h 8d 8s 8c 2d", box="Ac Ad", dealer="3h 3d"),
    "full house": Deal(board="9s 9d 9h 4c 4d", box="9c Kh", dealer="3h 3d"),
    "flush": Deal(board="2d 7d Jd Qd 9d", box="8d Td", dealer="3h 3c"),
    "straight": Deal(board="Ac 2d 3h 4s 5c", box="6c 7d", dealer="Kh Kc"),
    "three of a kind": Deal(board="Qc Qd Qs 7h 2c", box="Qh 7s", dealer="3h 4c"),
    "two pairs": Deal(board="3h 3s 2c 2d 9s", box="3d Kc", dealer="Ah Ac"),
    "pair of aces": Deal(board="Ac Ad 9s 6h 3c", box="Ah As", dealer="Kh Kc"),
    "pair of tens": Deal(board="Tc Td 4s 7h 2c", box="Th Ts", dealer="Kh Kc"),
    "pair of nines": Deal(board="9c 9d As Kd Qh", box="9h 9s", dealer="2h 2c"),
    "no pair": Deal(board="Ac Kd Qh Js 9c", box="Th Ts", dealer="2h 2c"),
}

DEALS = {
    "blind": UTH_HANDS,
    "trips": UTH_HANDS,
    "progressive": UTH_HANDS,
    "envy": UTH_HANDS,
    "six_card_bonus": UTH_SIX_CARDS,
    "ultimate_pairs": FIRST_TWO,
    "bad_beat": BEATS,
    "play_the_board": BOARDS,
}

_THREE_METERS = Terms(
    meters={"mega": "$25,000.107", "major": "$1,900.005", "minor": "$310.559"},
    resets={"mega": "$10,000", "major": "$1,000", "minor": "$250"},
)
TERMS = {
    "A": Terms(meters={"main": "$25,000.107"}, resets={"main": "$10,000"}),
    "B": Terms(
        meters={"major": "$1,900.005", "minor": "$310.559"},
        resets={"major": "$1,000", "minor": "$250"},
    ),
    "C": _THREE_METERS,
    "D": _THREE_METERS,
}

# What an award leaves: after 100% the reset and the rest of a cent, after 10% all but the award.
METERS_AFTER = {
    "UTH-S 12.D(1)(a)(i)": {"main": "$10,000.007"},
    "UTH-S 12.D(1)(a)(ii)": {"main": "$22,500.097"},
    "UTH-S 12.D(1)(b)(i)": {"major": "$1,000.005"},
    "UTH-S 12.D(1)(b)(ii)": {"minor": "$250.009"},
    "UTH-S 12.D(1)(c)(i)": {"mega": "$10,000.007"},
    "UTH-S 12.D(1)(c)(ii)": {"major": "$1,000.005"},
    "UTH-S 12.D(1)(c)(iii)": {"minor": "$250.009"},
    "UTH-S 12.D(1)(d)(i)": {"mega": "$10,000.007"},
    "UTH-S 12.D(1)(d)(ii)": {"major": "$1,000.005"},
    "UTH-S 12.D(1)(d)(iii)": {"minor": "$250.009"},
}

CASES: list[Case] = []

# Blind. Paid when the player wins; $10.01 at 3 to 2 is rounded up to the cent (ruling 4). B has no
# line for a straight: it pushes (ruling 5).
CASES += paytable(
    "blind A",
    line("royal flush", "$15", "500 to 1", 7_500_00, 15_00, "UTH-S 12.B(1)(a)"),
    line("straight flush", "$15", "50 to 1", 750_00, 15_00, "UTH-S 12.B(1)(b)"),
    line("four of a kind", "$15", "10 to 1", 150_00, 15_00, "UTH-S 12.B(1)(c)"),
    line("full house", "$15", "3 to 1", 45_00, 15_00, "UTH-S 12.B(1)(d)"),
    line("flush", "$15", "3 to 2", 22_50, 15_00, "UTH-S 12.B(1)(e)"),
    line("flush", "$10.01", "3 to 2", 15_02, 10_01, "UTH-S 12.B(1)(e)"),
    line("straight", "$15", "1 to 1", 15_00, 15_00, "UTH-S 12.B(1)(f)"),
    line(("three aces", "no pair"), "$15", "push", 0, 15_00, "UTH-S 12.B(1)(g)"),
)
CASES += paytable(
    "blind B",
    line("royal flush", "$15", "500 to 1", 7_500_00, 15_00, "UTH-S 12.B(2)(a)"),
    line("straight flush", "$15", "50 to 1", 750_00, 15_00, "UTH-S 12.B(2)(b)"),
    line("four of a kind", "$15", "10 to 1", 150_00, 15_00, "UTH-S 12.B(2)(c)"),
    line("full house", "$15", "3 to 1", 45_00, 15_00, "UTH-S 12.B(2)(d)"),
    line("flush", "$15", "3 to 2", 22_50, 15_00, "UTH-S 12.B(2)(e)"),
    line("flush", "$10.01", "3 to 2", 15_02, 10_01, "UTH-S 12.B(2)(e)"),
    line("highest straight", "$15", "push", 0, 15_00, "UTH-S 12.B(2)(f)"),
    line(("three aces", "no pair"), "$15", "push", 0, 15_00, "UTH-S 12.B(2)(f)"),
)

# Trips
CASES += paytable(
    "trips A",
    line("royal flush", "$7", "50 to 1", 350_00, 7_00, "UTH-S 12.C(1)(a)"),
    line("straight flush", "$7", "40 to 1", 280_00, 7_00, "UTH-S 12.C(1)(b)"),
    line("four of a kind", "$7", "30 to 1", 210_00, 7_00, "UTH-S 12.C(1)(c)"),
    line("full house", "$7", "9 to 1", 63_00, 7_00, "UTH-S 12.C(1)(d)"),
    line("flush", "$7", "7 to 1", 49_00, 7_00, "UTH-S 12.C(1)(e)"),
    line("straight", "$7", "4 to 1", 28_00, 7_00, "UTH-S 12.C(1)(f)"),
    line("three of a kind", "$7", "3 to 1", 21_00, 7_00, "UTH-S 12.C(1)(g)"),
    loses("aces and kings", "$7", "UTH-S 12.C(1)"),
)
CASES += paytable(
    "trips B",
    line("royal flush", "$11", "50 to 1", 550_00, 11_00, "UTH-S 12.C(2)(a)"),
    line("straight flush", "$11", "40 to 1", 440_00, 11_00, "UTH-S 12.C(2)(b)"),
    line("four of a kind", "$11", "30 to 1", 330_00, 11_00, "UTH-S 12.C(2)(c)"),
    line("full house", "$11", "8 to 1", 88_00, 11_00, "UTH-S 12.C(2)(d)"),
    line("flush", "$11", "6 to 1", 66_00, 11_00, "UTH-S 12.C(2)(e)"),
    line("straight", "$11", "5 to 1", 55_00, 11_00, "UTH-S 12.C(2)(f)"),
    line("three of a kind", "$11", "3 to 1", 33_00, 11_00, "UTH-S 12.C(2)(g)"),
    loses("aces and kings", "$11", "UTH-S 12.C(2)"),
)
CASES += paytable(
    "trips C",
    line("royal flush", "$13", "50 to 1", 650_00, 13_00, "UTH-S 12.C(3)(a)"),
    line("straight flush", "$13", "40 to 1", 520_00, 13_00, "UTH-S 12.C(3)(b)"),
    line("four of a kind", "$13", "30 to 1", 390_00, 13_00, "UTH-S 12.C(3)(c)"),
    line("full house", "$13", "8 to 1", 104_00, 13_00, "UTH-S 12.C(3)(d)"),
    line("flush", "$13", "7 to 1", 91_00, 13_00, "UTH-S 12.C(3)(e)"),
    line("straight", "$13", "4 to 1", 52_00, 13_00, "UTH-S 12.C(3)(f)"),
    line("three of a kind", "$13", "3 to 1", 39_00, 13_00, "UTH-S 12.C(3)(g)"),
    loses("aces and kings", "$13", "UTH-S 12.C(3)"),
)
CASES += paytable(
    "trips D",
    line("royal flush", "$17", "50 to 1", 850_00, 17_00, "UTH-S 12.C(4)(a)"),
    line("straight flush", "$17", "40 to 1", 680_00, 17_00, "UTH-S 12.C(4)(b)"),
    line("four of a kind", "$17", "20 to 1", 340_00, 17_00, "UTH-S 12.C(4)(c)"),
    line("full house", "$17", "7 to 1", 119_00, 17_00, "UTH-S 12.C(4)(d)"),
    line("flush", "$17", "6 to 1", 102_00, 17_00, "UTH-S 12.C(4)(e)"),
    line("straight", "$17", "5 to 1", 85_00, 17_00, "UTH-S 12.C(4)(f)"),
    line("three of a kind", "$17", "3 to 1", 51_00, 17_00, "UTH-S 12.C(4)(g)"),
    loses("aces and kings", "$17", "UTH-S 12.C(4)"),
)
CASES += paytable(
    "trips E",
    line("royal flush", "$19", "50 to 1", 950_00, 19_00, "UTH-S 12.C(5)(a)"),
    line("straight flush", "$19", "40 to 1", 760_00, 19_00, "UTH-S 12.C(5)(b)"),
    line("four of a kind", "$19", "30 to 1", 570_00, 19_00, "UTH-S 12.C(5)(c)"),
    line("full house", "$19", "7 to 1", 133_00, 19_00, "UTH-S 12.C(5)(d)"),
    line("flush", "$19", "6 to 1", 114_00, 19_00, "UTH-S 12.C(5)(e)"),
    line("straight", "$19", "5 to 1", 95_00, 19_00, "UTH-S 12.C(5)(f)"),
    line("three of a kind", "$19", "3 to 1", 57_00, 19_00, "UTH-S 12.C(5)(g)"),
    loses("aces and kings", "$19", "UTH-S 12.C(5)"),
)

# Progressive. A meter pays whole cents whatever the stake, and the stake stays with the house
# (ruling 4).
CASES += paytable(
    "progressive A",
    line("royal flush", "$1", "100% of meter", 25_000_10, 0, "UTH-S 12.D(1)(a)(i)"),
    line("straight flush", "$5", "10% of meter", 2_500_01, 0, "UTH-S 12.D(1)(a)(ii)"),
    line("four of a kind", "$1", "300 to 1", 300_00, 1_00, "UTH-S 12.D(1)(a)(iii)"),
    line("full house", "$5", "50 to 1", 250_00, 5_00, "UTH-S 12.D(1)(a)(iv)"),
    line("flush", "$1", "40 to 1", 40_00, 1_00, "UTH-S 12.D(1)(a)(v)"),
    line("straight", "$5", "30 to 1", 150_00, 5_00, "UTH-S 12.D(1)(a)(vi)"),
    line("three of a kind", "$5", "9 to 1", 45_00, 5_00, "UTH-S 12.D(1)(a)(vii)"),
    loses("aces and kings", "$5", "UTH-S 12.D(1)(a)"),
)
CASES += paytable(
    "progressive B",
    line("royal flush", "$5", "100% of major", 1_900_00, 0, "UTH-S 12.D(1)(b)(i)"),
    line("straight flush", "$1", "100% of minor", 310_55, 0, "UTH-S 12.D(1)(b)(ii)"),
    line("four of a kind", "$5", "300 for 1", 1_500_00, 0, "UTH-S 12.D(1)(b)(iii)"),
    line("full house", "$1", "50 for 1", 50_00, 0, "UTH-S 12.D(1)(b)(iv)"),
    line("flush", "$5", "40 for 1", 200_00, 0, "UTH-S 12.D(1)(b)(v)"),
    line("straight", "$1", "30 for 1", 30_00, 0, "UTH-S 12.D(1)(b)(vi)"),
    line("three of a kind", "$1", "9 for 1", 9_00, 0, "UTH-S 12.D(1)(b)(vii)"),
    loses("aces and kings", "$5", "UTH-S 12.D(1)(b)"),
)
CASES += paytable(
    "progressive C",
    line("royal flush", "$1", "100% of mega", 25_000_10, 0, "UTH-S 12.D(1)(c)(i)"),
    line("straight flush", "$5", "100% of major", 1_900_00, 0, "UTH-S 12.D(1)(c)(ii)"),
    line("four of a kind", "$1", "100% of minor", 310_55, 0, "UTH-S 12.D(1)(c)(iii)"),
    line("full house", "$5", "50 for 1", 250_00, 0, "UTH-S 12.D(1)(c)(iv)"),
    line("flush", "$1", "40 for 1", 40_00, 0, "UTH-S 12.D(1)(c)(v)"),
    line("straight", "$5", "30 for 1", 150_00, 0, "UTH-S 12.D(1)(c)(vi)"),
    line("three of a kind", "$5", "10 for 1", 50_00, 0, "UTH-S 12.D(1)(c)(vii)"),
    loses("aces and kings", "$5", "UTH-S 12.D(1)(c)"),
)
CASES += paytable(
    "progressive D",
    line("royal flush", "$5", "100% of mega", 25_000_10, 0, "UTH-S 12.D(1)(d)(i)"),
    line("straight flush", "$1", "100% of major", 1_900_00, 0, "UTH-S 12.D(1)(d)(ii)"),
    line("four of a kind", "$5", "100% of minor", 310_55, 0, "UTH-S 12.D(1)(d)(iii)"),
    line("full house", "$1", "50 for 1", 50_00, 0, "UTH-S 12.D(1)(d)(iv)"),
    line("flush", "$5", "40 for 1", 200_00, 0, "UTH-S 12.D(1)(d)(v)"),
    line("straight", "$1", "30 for 1", 30_00, 0, "UTH-S 12.D(1)(d)(vi)"),
    line("three of a kind", "$1", "9 for 1", 9_00, 0, "UTH-S 12.D(1)(d)(vii)"),
    loses("aces and kings", "$5", "UTH-S 12.D(1)(d)"),
)

# Envy. For the hand of box 2, to box 1 for its Progressive wager.
CASES += paytable(
    "envy A",
    line("royal flush", "$1", "$1,000", 1_000_00, 0, "UTH-S 12.D(6)(a)(i)"),
    line("straight flush", "$1", "$300", 300_00, 0, "UTH-S 12.D(6)(a)(ii)"),
    nothing("four of a kind", "$1", "UTH-S 12.D(6)(a)"),
    line("royal flush", "$5", "$5,000", 5_000_00, 0, "UTH-S 12.D(7)(a)(i)"),
    line("straight flush", "$5", "$1,500", 1_500_00, 0, "UTH-S 12.D(7)(a)(ii)"),
    nothing("four of a kind", "$5", "UTH-S 12.D(7)(a)"),
)
CASES += paytable(
    "envy B",
    line("royal flush", "$1", "$1,000", 1_000_00, 0, "UTH-S 12.D(6)(b)(i)"),
    line("straight flush", "$1", "$300", 300_00, 0, "UTH-S 12.D(6)(b)(ii)"),
    nothing("four of a kind", "$1", "UTH-S 12.D(6)(b)"),
    line("royal flush", "$5", "$5,000", 5_000_00, 0, "UTH-S 12.D(7)(b)(i)"),
    line("straight flush", "$5", "$1,500", 1_500_00, 0, "UTH-S 12.D(7)(b)(ii)"),
    nothing("four of a kind", "$5", "UTH-S 12.D(7)(b)"),
)
CASES += paytable(
    "envy C",
    line("royal flush", "$1", "$1,000", 1_000_00, 0, "UTH-S 12.D(6)(c)(i)"),
    line("straight flush", "$1", "$300", 300_00, 0, "UTH-S 12.D(6)(c)(ii)"),
    nothing("four of a kind", "$1", "UTH-S 12.D(6)(c)"),
    line("royal flush", "$5", "$5,000", 5_000_00, 0, "UTH-S 12.D(7)(c)(i)"),
    line("straight flush", "$5", "$1,500", 1_500_00, 0, "UTH-S 12.D(7)(c)(ii)"),
    nothing("four of a kind", "$5", "UTH-S 12.D(7)(c)"),
)
CASES += paytable(
    "envy D",
    line("royal flush", "$1", "$1,000", 1_000_00, 0, "UTH-S 12.D(6)(d)(i)"),
    line("straight flush", "$1", "$300", 300_00, 0, "UTH-S 12.D(6)(d)(ii)"),
    nothing("four of a kind", "$1", "UTH-S 12.D(6)(d)"),
    line("royal flush", "$5", "$5,000", 5_000_00, 0, "UTH-S 12.D(7)(d)(i)"),
    line("straight flush", "$5", "$1,500", 1_500_00, 0, "UTH-S 12.D(7)(d)(ii)"),
    nothing("four of a kind", "$5", "UTH-S 12.D(7)(d)"),
)

# Six Card Bonus
CASES += paytable(
    "six_card_bonus A",
    line("super royal of diamonds", "$5", "$1,000,000", 1_000_000_00, 5_00, "UTH-S 12.E(1)(a)"),
    line(OTHER_SUPER_ROYALS, "$5", "$100,000", 100_000_00, 5_00, "UTH-S 12.E(1)(b)"),
    line("royal flush", "$5", "1,000 to 1", 5_000_00, 5_00, "UTH-S 12.E(1)(c)"),
    line("straight flush", "$5", "200 to 1", 1_000_00, 5_00, "UTH-S 12.E(1)(d)"),
    line("four of a kind", "$5", "50 to 1", 250_00, 5_00, "UTH-S 12.E(1)(e)"),
    line("full house", "$5", "20 to 1", 100_00, 5_00, "UTH-S 12.E(1)(f)"),
    line("flush", "$5", "15 to 1", 75_00, 5_00, "UTH-S 12.E(1)(g)"),
    line("straight", "$5", "10 to 1", 50_00, 5_00, "UTH-S 12.E(1)(h)"),
    line("three of a kind", "$5", "5 to 1", 25_00, 5_00, "UTH-S 12.E(1)(i)"),
    loses("three pairs", "$5", "UTH-S 12.E(1)"),
)
CASES += paytable(
    "six_card_bonus B",
    line(SUPER_ROYALS, "$7", "$100,000", 100_000_00, 7_00, "UTH-S 12.E(2)(a)"),
    line("royal flush", "$7", "1,000 to 1", 7_000_00, 7_00, "UTH-S 12.E(2)(b)"),
    line("straight flush", "$7", "200 to 1", 1_400_00, 7_00, "UTH-S 12.E(2)(c)"),
    line("four of a kind", "$7", "50 to 1", 350_00, 7_00, "UTH-S 12.E(2)(d)"),
    line("full house", "$7", "20 to 1", 140_00, 7_00, "UTH-S 12.E(2)(e)"),
    line("flush", "$7", "15 to 1", 105_00, 7_00, "UTH-S 12.E(2)(f)"),
    line("straight", "$7", "10 to 1", 70_00, 7_00, "UTH-S 12.E(2)(g)"),
    line("three of a kind", "$7", "5 to 1", 35_00, 7_00, "UTH-S 12.E(2)(h)"),
    loses("three pairs", "$7", "UTH-S 12.E(2)"),
)

# Ultimate Pairs. Only B looks at the dealer's two cards; only D and E at the colour of the aces
# (ruling 15).
CASES += paytable(
    "ultimate_pairs A",
    line(ACES, "$15", "30 to 1", 450_00, 15_00, "UTH-S 12.Ebis(1)(a)"),
    line("AK suited", "$15", "25 to 1", 375_00, 15_00, "UTH-S 12.Ebis(1)(b)"),
    line(("AQ suited", "AJ suited"), "$15", "20 to 1", 300_00, 15_00, "UTH-S 12.Ebis(1)(c)"),
    line("AK offsuit", "$15", "15 to 1", 225_00, 15_00, "UTH-S 12.Ebis(1)(d)"),
    line(("jacks", "queens", "kings"), "$15", "10 to 1", 150_00, 15_00, "UTH-S 12.Ebis(1)(e)"),
    line(("AQ offsuit", "AJ offsuit"), "$15", "5 to 1", 75_00, 15_00, "UTH-S 12.Ebis(1)(f)"),
    line(("tens", "twos"), "$15", "3 to 1", 45_00, 15_00, "UTH-S 12.Ebis(1)(g)"),
    loses(("AT suited", "KQ suited"), "$15", "UTH-S 12.Ebis(1)"),
)
CASES += paytable(
    "ultimate_pairs B",
    line("aces against aces", "$2.50", "1,000 to 1", 2_500_00, 2_50, "UTH-S 12.Ebis(2)(a)"),
    line(("black aces", "red aces"), "$2.50", "30 to 1", 75_00, 2_50, "UTH-S 12.Ebis(2)(b)"),
    line("AK suited", "$2.50", "25 to 1", 62_50, 2_50, "UTH-S 12.Ebis(2)(c)"),
    line(("AQ suited", "AJ suited"), "$2.50", "20 to 1", 50_00, 2_50, "UTH-S 12.Ebis(2)(d)"),
    line("AK offsuit", "$2.50", "15 to 1", 37_50, 2_50, "UTH-S 12.Ebis(2)(e)"),
    line(("jacks", "queens", "kings"), "$2.50", "10 to 1", 25_00, 2_50, "UTH-S 12.Ebis(2)(f)"),
    line(("AQ offsuit", "AJ offsuit"), "$2.50", "5 to 1", 12_50, 2_50, "UTH-S 12.Ebis(2)(g)"),
    line(("tens", "twos"), "$2.50", "3 to 1", 7_50, 2_50, "UTH-S 12.Ebis(2)(h)"),
    loses(("AT suited", "KQ suited"), "$2.50", "UTH-S 12.Ebis(2)"),
)
CASES += paytable(
    "ultimate_pairs C",
    line(ACES, "$3", "30 to 1", 90_00, 3_00, "UTH-S 12.Ebis(3)(a)"),
    line("AK suited", "$3", "20 to 1", 60_00, 3_00, "UTH-S 12.Ebis(3)(b)"),
    line(("AQ suited", "AJ suited"), "$3", "20 to 1", 60_00, 3_00, "UTH-S 12.Ebis(3)(c)"),
    line("AK offsuit", "$3", "10 to 1", 30_00, 3_00, "UTH-S 12.Ebis(3)(d)"),
    line(("jacks", "queens", "kings"), "$3", "5 to 1", 15_00, 3_00, "UTH-S 12.Ebis(3)(e)"),
    line(("AQ offsuit", "AJ offsuit"), "$3", "10 to 1", 30_00, 3_00, "UTH-S 12.Ebis(3)(f)"),
    line(("tens", "twos"), "$3", "5 to 1", 15_00, 3_00, "UTH-S 12.Ebis(3)(g)"),
    loses(("AT suited", "KQ suited"), "$3", "UTH-S 12.Ebis(3)"),
)
CASES += paytable(
    "ultimate_pairs D",
    line("red aces", "$7", "100 to 1", 700_00, 7_00, "UTH-S 12.Ebis(4)(a)"),
    line(("black aces", "mixed aces"), "$7", "30 to 1", 210_00, 7_00, "UTH-S 12.Ebis(4)(b)"),
    line("AK suited", "$7", "20 to 1", 140_00, 7_00, "UTH-S 12.Ebis(4)(c)"),
    line(("AQ suited", "AJ suited"), "$7", "20 to 1", 140_00, 7_00, "UTH-S 12.Ebis(4)(d)"),
    line("AK offsuit", "$7", "10 to 1", 70_00, 7_00, "UTH-S 12.Ebis(4)(e)"),
    line(("jacks", "queens", "kings"), "$7", "4 to 1", 28_00, 7_00, "UTH-S 12.Ebis(4)(f)"),
    line(("AQ offsuit", "AJ offsuit"), "$7", "10 to 1", 70_00, 7_00, "UTH-S 12.Ebis(4)(g)"),
    line(("tens", "twos"), "$7", "4 to 1", 28_00, 7_00, "UTH-S 12.Ebis(4)(h)"),
    loses(("AT suited", "KQ suited"), "$7", "UTH-S 12.Ebis(4)"),
)
CASES += paytable(
    "ultimate_pairs E",
    line("red aces", "$11", "50 to 1", 550_00, 11_00, "UTH-S 12.Ebis(5)(a)"),
    line(("black aces", "mixed aces"), "$11", "25 to 1", 275_00, 11_00, "UTH-S 12.Ebis(5)(b)"),
    line("AK suited", "$11", "20 to 1", 220_00, 11_00, "UTH-S 12.Ebis(5)(c)"),
    line(("AQ suited", "AJ suited"), "$11", "20 to 1", 220_00, 11_00, "UTH-S 12.Ebis(5)(d)"),
    line("AK offsuit", "$11", "10 to 1", 110_00, 11_00, "UTH-S 12.Ebis(5)(e)"),
    line(("jacks", "queens", "kings"), "$11", "5 to 1", 55_00, 11_00, "UTH-S 12.Ebis(5)(f)"),
    line(("AQ offsuit", "AJ offsuit"), "$11", "10 to 1", 110_00, 11_00, "UTH-S 12.Ebis(5)(g)"),
    line(("tens", "twos"), "$11", "5 to 1", 55_00, 11_00, "UTH-S 12.Ebis(5)(h)"),
    loses(("AT suited", "KQ suited"), "$11", "UTH-S 12.Ebis(5)"),
)
CASES += paytable(
    "ultimate_pairs F",
    line(ACES, "$13", "25 to 1", 325_00, 13_00, "UTH-S 12.Ebis(6)(a)"),
    line("AK suited", "$13", "20 to 1", 260_00, 13_00, "UTH-S 12.Ebis(6)(b)"),
    line(("AQ suited", "AJ suited"), "$13", "20 to 1", 260_00, 13_00, "UTH-S 12.Ebis(6)(c)"),
    line("AK offsuit", "$13", "10 to 1", 130_00, 13_00, "UTH-S 12.Ebis(6)(d)"),
    line(("jacks", "queens", "kings"), "$13", "5 to 1", 65_00, 13_00, "UTH-S 12.Ebis(6)(e)"),
    line(("AQ offsuit", "AJ offsuit"), "$13", "10 to 1", 130_00, 13_00, "UTH-S 12.Ebis(6)(f)"),
    line(("tens", "twos"), "$13", "5 to 1", 65_00, 13_00, "UTH-S 12.Ebis(6)(g)"),
    loses(("AT suited", "KQ suited"), "$13", "UTH-S 12.Ebis(6)"),
)

# Bad Beat. Paid on the lower hand, whoever holds it; a tie loses (ruling 14).
CASES += paytable(
    "bad_beat A",
    line(either("straight flush"), "$3", "10,000 to 1", 30_000_00, 3_00, "UTH-S 12.Fbis(1)(b)"),
    line(either("four of a kind"), "$3", "500 to 1", 1_500_00, 3_00, "UTH-S 12.Fbis(1)(c)"),
    line(either("full house"), "$3", "40 to 1", 120_00, 3_00, "UTH-S 12.Fbis(1)(d)"),
    line(either("flush"), "$3", "25 to 1", 75_00, 3_00, "UTH-S 12.Fbis(1)(e)"),
    line(either("straight"), "$3", "20 to 1", 60_00, 3_00, "UTH-S 12.Fbis(1)(f)"),
    line(either("three of a kind"), "$3", "9 to 1", 27_00, 3_00, "UTH-S 12.Fbis(1)(g)"),
    line("under a royal flush", "$3", "10,000 to 1", 30_000_00, 3_00, "UTH-S 12.Fbis(1)(b)"),
    loses(either("two pairs"), "$3", "UTH-S 12.Fbis(1)"),
    loses("tied straight flushes", "$3", "UTH-S 12.Fbis(1)"),
)
CASES += paytable(
    "bad_beat B",
    line(either("straight flush"), "$7", "7,500 to 1", 52_500_00, 7_00, "UTH-S 12.Fbis(2)(b)"),
    line(either("four of a kind"), "$7", "500 to 1", 3_500_00, 7_00, "UTH-S 12.Fbis(2)(c)"),
    line(either("full house"), "$7", "50 to 1", 350_00, 7_00, "UTH-S 12.Fbis(2)(d)"),
    line(either("flush"), "$7", "30 to 1", 210_00, 7_00, "UTH-S 12.Fbis(2)(e)"),
    line(either("straight"), "$7", "20 to 1", 140_00, 7_00, "UTH-S 12.Fbis(2)(f)"),
    line(either("three of a kind"), "$7", "9 to 1", 63_00, 7_00, "UTH-S 12.Fbis(2)(g)"),
    loses(either("two pairs"), "$7", "UTH-S 12.Fbis(2)"),
    loses("tied straight flushes", "$7", "UTH-S 12.Fbis(2)"),
)
CASES += paytable(
    "bad_beat C",
    line(either("straight flush"), "$11", "2,500 to 1", 27_500_00, 11_00, "UTH-S 12.Fbis(3)(b)"),
    line(either("four of a kind"), "$11", "500 to 1", 5_500_00, 11_00, "UTH-S 12.Fbis(3)(c)"),
    line(either("full house"), "$11", "50 to 1", 550_00, 11_00, "UTH-S 12.Fbis(3)(d)"),
    line(either("flush"), "$11", "30 to 1", 330_00, 11_00, "UTH-S 12.Fbis(3)(e)"),
    line(either("straight"), "$11", "20 to 1", 220_00, 11_00, "UTH-S 12.Fbis(3)(f)"),
    line(either("three of a kind"), "$11", "9 to 1", 99_00, 11_00, "UTH-S 12.Fbis(3)(g)"),
    loses(either("two pairs"), "$11", "UTH-S 12.Fbis(3)"),
    loses("tied straight flushes", "$11", "UTH-S 12.Fbis(3)"),
)

# Play the Board. The board alone counts, whatever the player makes of it (ruling 15).
CASES += paytable(
    "play_the_board A",
    line("royal flush", "$4", "1,000 to 1", 4_000_00, 4_00, "UTH-S 12.G(1)(a)"),
    line("straight flush", "$4", "200 to 1", 800_00, 4_00, "UTH-S 12.G(1)(b)"),
    line("four of a kind", "$4", "100 to 1", 400_00, 4_00, "UTH-S 12.G(1)(c)"),
    line("full house", "$4", "50 to 1", 200_00, 4_00, "UTH-S 12.G(1)(d)"),
    line("flush", "$4", "40 to 1", 160_00, 4_00, "UTH-S 12.G(1)(e)"),
    line("straight", "$4", "25 to 1", 100_00, 4_00, "UTH-S 12.G(1)(f)"),
    line("three of a kind", "$4", "7 to 1", 28_00, 4_00, "UTH-S 12.G(1)(g)"),
    line("two pairs", "$4", "3 to 1", 12_00, 4_00, "UTH-S 12.G(1)(h)"),
    line(("pair of tens", "pair of aces"), "$4", "1 to 1", 4_00, 4_00, "UTH-S 12.G(1)(g)bis"),
    loses(("pair of nines", "no pair"), "$4", "UTH-S 12.G(1)"),
)
CASES += paytable(
    "play_the_board B",
    line("royal flush", "$9", "1,000 to 1", 9_000_00, 9_00, "UTH-S 12.G(2)(a)"),
    line("straight flush", "$9", "200 to 1", 1_800_00, 9_00, "UTH-S 12.G(2)(b)"),
    line("four of a kind", "$9", "100 to 1", 900_00, 9_00, "UTH-S 12.G(2)(c)"),
    line("full house", "$9", "50 to 1", 450_00, 9_00, "UTH-S 12.G(2)(d)"),
    line("flush", "$9", "40 to 1", 360_00, 9_00, "UTH-S 12.G(2)(e)"),
    line("straight", "$9", "25 to 1", 225_00, 9_00, "UTH-S 12.G(2)(f)"),
    line("three of a kind", "$9", "6 to 1", 54_00, 9_00, "UTH-S 12.G(2)(g)"),
    line("two pairs", "$9", "3 to 1", 27_00, 9_00, "UTH-S 12.G(2)(h)"),
    line(("pair of tens", "pair of aces"), "$9", "1 to 1", 9_00, 9_00, "UTH-S 12.G(2)(g)bis"),
    loses(("pair of nines", "no pair"), "$9", "UTH-S 12.G(2)"),
)
CASES += paytable(
    "play_the_board C",
    line("royal flush", "$15", "1,000 to 1", 15_000_00, 15_00, "UTH-S 12.G(3)(a)"),
    line("straight flush", "$15", "200 to 1", 3_000_00, 15_00, "UTH-S 12.G(3)(b)"),
    line("four of a kind", "$15", "100 to 1", 1_500_00, 15_00, "UTH-S 12.G(3)(c)"),
    line("full house", "$15", "50 to 1", 750_00, 15_00, "UTH-S 12.G(3)(d)"),
    line("flush", "$15", "40 to 1", 600_00, 15_00, "UTH-S 12.G(3)(e)"),
    line("straight", "$15", "20 to 1", 300_00, 15_00, "UTH-S 12.G(3)(f)"),
    line("three of a kind", "$15", "6 to 1", 90_00, 15_00, "UTH-S 12.G(3)(g)"),
    line("two pairs", "$15", "3 to 1", 45_00, 15_00, "UTH-S 12.G(3)(h)"),
    line(("pair of tens", "pair of aces"), "$15", "1 to 1", 15_00, 15_00, "UTH-S 12.G(3)(g)bis"),
    loses(("pair of nines", "no pair"), "$15", "UTH-S 12.G(3)"),
)


@each(CASES)
def test_every_line_pays_what_the_regulation_says(case: Case) -> None:
    deal = DEALS[case.wager][case.deal]
    terms = {"progressive": TERMS.get(case.letter), "envy": TERMS["A"]}.get(case.wager)
    receipt = settled(uth_round("UTH-S", case, deal, terms, UTH_NEIGHBOUR))
    assert paid_to(receipt, 1, case.wager) == case.expected
    assert receipt.meters == (terms.after(METERS_AFTER.get(case.clause, {})) if terms else {})


def test_no_line_of_a_paytable_is_missing() -> None:
    assert lines_proved(CASES) == lines_in_the_book(the_registry().book("UTH-S"))


@pytest.mark.clause("UTH-S 12.A")
def test_ante_and_play_pay_even_money() -> None:
    deal = UTH_HANDS["aces and kings"]
    box: Wagers = {"seat": 1, "cards": deal.box, "ante": "$15", "blind": "$15", "play": "$60"}
    receipt = settled(round_text("UTH-S", {"blind": "A"}, deal.places, [box]))
    assert paid_to(receipt, 1, "ante") == (Paid("win", "1 to 1", 15_00, 15_00, "UTH-S 12.A"),)
    assert paid_to(receipt, 1, "play") == (Paid("win", "1 to 1", 60_00, 60_00, "UTH-S 12.A"),)


@pytest.mark.clause("UTH-S 12.D(4)")
def test_a_second_royal_flush_finds_the_reset_meter() -> None:
    wagers: Wagers = {"ante": "$20", "blind": "$20", "play": "$20", "progressive": True}
    boxes: list[Wagers] = [
        {"seat": 1, "cards": "3c 3d", **wagers},
        {"seat": 2, "cards": "4c 4d", **wagers},
    ]
    places = {"board": "Ah Kh Qh Jh Th", "dealer": "2c 2d"}
    paytables = {"blind": "A", "progressive": "A"}
    receipt = settled(round_text("UTH-S", paytables, places, boxes, TERMS["A"]))
    clause = "UTH-S 12.D(1)(a)(i)"
    first, second = paid_to(receipt, 2, "progressive"), paid_to(receipt, 1, "progressive")
    assert first == (Paid("win", "100% of meter", 25_000_10, 0, clause),)
    assert second == (Paid("win", "100% of meter", 10_000_00, 0, clause),)
    assert receipt.meters == TERMS["A"].after({"main": "$10,000.007"})


@each_least(
    [
        LeastReset("A", "main", "$10,000", "$9,999.99", "UTH-S 12.D(3)(b)(i)"),
        LeastReset("B", "major", "$1,000", "$999.99", "UTH-S 12.D(3)(b)(ii)(1)"),
        LeastReset("B", "minor", "$250", "$249.99", "UTH-S 12.D(3)(b)(ii)(2)"),
        LeastReset("C", "mega", "$10,000", "$9,999.99", "UTH-S 12.D(3)(b)(iii)(1)"),
        LeastReset("C", "major", "$1,000", "$999.99", "UTH-S 12.D(3)(b)(iii)(2)"),
        LeastReset("C", "minor", "$250", "$249.99", "UTH-S 12.D(3)(b)(iii)(3)"),
        LeastReset("D", "mega", "$10,000", "$9,999.99", "UTH-S 12.D(3)(b)(iv)(1)"),
        LeastReset("D", "major", "$1,000", "$999.99", "UTH-S 12.D(3)(b)(iv)(2)"),
        LeastReset("D", "minor", "$250", "$249.99", "UTH-S 12.D(3)(b)(iv)(3)"),
    ]
)
def test_a_meter_resets_to_no_less_than_its_minimum(reset: LeastReset) -> None:
    (case,) = paytable(f"progressive {reset.letter}", loses("no pair", "$1", reset.clause))
    deal, terms = UTH_HANDS["no pair"], TERMS[reset.letter]
    with pytest.raises(Refusal) as refused:
        settled(uth_round("UTH-S", case, deal, terms.resetting(reset.meter, reset.below)))
    assert refused.value.clause == reset.clause
    settled(uth_round("UTH-S", case, deal, terms.resetting(reset.meter, reset.least)))
