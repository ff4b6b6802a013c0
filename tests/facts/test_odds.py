"""Odds: printing and reading back is the identity, and each kind pays as ruling 4 says."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents, Micros
from croupier.facts.odds import MAIN_METER, PUSH, For, Odds, Push, Share, Sum, To, odds

numbers = st.integers(1, 20) | st.integers(1, 10**12 - 1)
meters = st.sampled_from([MAIN_METER, "mega", "major", "minor"])
any_odds = (
    st.builds(To, numbers, numbers)
    | st.builds(For, numbers, numbers)
    | st.builds(Sum, st.integers(0, 10**14).map(Cents))
    | st.builds(Share, st.integers(1, 100), meters)
    | st.just(PUSH)
)


@given(any_odds)
def test_printing_and_reading_odds_is_the_identity(some: Odds) -> None:
    assert odds(str(some)) == some


@pytest.mark.parametrize(
    ("text", "some"),
    [
        ("50 to 1", To(50)),
        ("3 to 2", To(3, 2)),
        ("1,000 to 1", To(1_000)),
        ("1000 to 1", To(1_000)),
        ("300 for 1", For(300)),
        ("$100,000", Sum(Cents(100_000_00))),
        ("$0.50", Sum(Cents(50))),
        ("10% of meter", Share(10)),
        ("100% of mega", Share(100, "mega")),
        ("push", Push()),
    ],
)
def test_odds_are_read_as_the_regulations_write_them(text: str, some: Odds) -> None:
    assert odds(text) == some


@given(any_odds, any_odds)
def test_different_odds_print_differently(one: Odds, other: Odds) -> None:
    assert (one == other) == (str(one) == str(other))


@given(numbers, numbers, st.integers(0, 10**10))
def test_to_and_for_pay_the_same_and_round_up(gain: int, stake: int, stake_cents: int) -> None:
    due = ceil(Fraction(gain, stake) * stake_cents)
    assert To(gain, stake).pays_cents(stake_cents) == due
    assert For(gain, stake).pays_cents(stake_cents) == due
    assert To(gain, stake).returns_stake
    assert not For(gain, stake).returns_stake


@pytest.mark.clause("UTH-S 12.B(1)(e)", "UTH-14 12.B(1)(e)")
@pytest.mark.parametrize(("stake", "due"), [(10_00, 15_00), (1, 2), (3, 5), (5_01, 7_52), (0, 0)])
def test_three_to_two_rounds_up_to_the_cent(stake: int, due: int) -> None:
    assert To(3, 2).pays_cents(stake) == due


@given(st.integers(0, 10**12), st.integers(0, 10**10))
def test_a_sum_is_the_same_for_any_stake(sum_cents: int, stake_cents: int) -> None:
    assert Sum(Cents(sum_cents)).pays_cents(stake_cents) == sum_cents
    assert Sum(Cents(sum_cents)).returns_stake


@given(st.integers(0, 10**10))
def test_a_push_pays_nothing_and_gives_the_stake_back(stake_cents: int) -> None:
    assert PUSH.pays_cents(stake_cents) == 0
    assert PUSH.returns_stake


@given(st.integers(1, 100), st.integers(0, 10**15))
def test_a_share_is_whole_cents_rounded_down(percent: int, meter_micros: int) -> None:
    due = floor(Fraction(percent, 100) * meter_micros / 10_000)
    assert Share(percent).draws_cents(Micros(meter_micros)) == due
    assert not Share(percent).returns_stake


NO_ODDS = [
    "",
    "50",
    "50-1",
    "50:1",
    "50 to",
    "to 1",
    "50 To 1",
    "50  to 1",
    " 50 to 1",
    "50 to 1 ",
    "50 to 1\n",
    "0 to 1",
    "50 to 0",
    "-1 to 1",
    "1.5 to 1",
    "1,00 to 1",
    "fifty to 1",
    "50 against 1",
    "0% of meter",
    "101% of meter",
    "10% of",
    "10% of Mega",
    "10 % of meter",
    "10%",
    "$",
    "$-1",
    "$1.5",
    "$1,00",
    "Push",
    "pushes",
    "\N{ARABIC-INDIC DIGIT FIVE} to 1",
    "50\N{NO-BREAK SPACE}to 1",
    "9" * 13 + " to 1",
    "9" * 1_000_000 + " to 1",
    "10% of " + "m" * 1_000_000,
    "x" * 1_000_000,
]


@pytest.mark.parametrize("text", NO_ODDS, ids=lambda text: ascii(text[:14]))
def test_what_is_no_odds_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        odds(text)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


@given(st.text())
def test_any_text_is_odds_or_unreadable(text: str) -> None:
    try:
        some = odds(text)
    except Unreadable:
        return
    assert odds(str(some)) == some
