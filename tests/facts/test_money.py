"""Money: printing and reading back is the identity, to the cent and to the micro."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.facts.errors import Unreadable
from croupier.facts.money import (
    MOST_DOLLARS,
    Cents,
    Micros,
    cents,
    dollars,
    in_micros,
    meter_dollars,
    meter_exactly,
    micros,
    whole_cents,
)

amounts_cents = st.integers(0, MOST_DOLLARS * 100)
amounts_micros = st.integers(0, MOST_DOLLARS * 1_000_000)


@given(amounts_cents)
def test_printing_and_reading_money_is_the_identity(amount: int) -> None:
    assert cents(dollars(amount)) == amount
    assert cents(dollars(amount).replace(",", "")) == amount
    assert micros(dollars(amount)) == amount * 10_000


@given(amounts_micros)
def test_printing_and_reading_a_meter_is_the_identity(amount: int) -> None:
    assert micros(meter_exactly(amount)) == amount


@given(amounts_micros)
def test_a_meter_shows_whole_cents_rounded_down(amount: int) -> None:
    shown = cents(meter_dollars(amount))
    assert shown * 10_000 <= amount < (shown + 1) * 10_000
    assert whole_cents(Micros(amount)) == shown


@given(amounts_cents)
def test_cents_are_micros_and_back(amount: int) -> None:
    assert whole_cents(in_micros(Cents(amount))) == amount


@given(st.integers(1, 10**14))
def test_a_loss_is_printed_with_its_minus_first(amount: int) -> None:
    assert dollars(-amount) == f"-{dollars(amount)}"


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("$0", 0),
        ("$0.01", 1),
        ("$10", 1_000),
        ("$12.50", 1_250),
        ("$1000", 100_000),
        ("$1,000", 100_000),
        ("$1,000.05", 100_005),
        ("$1,000,000", 100_000_000),
        ("$1,000,000,000,000", 10**14),
    ],
)
def test_money_is_read_as_people_write_it(text: str, amount: int) -> None:
    assert cents(text) == amount


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0, "$0.00"),
        (5, "$0.05"),
        (1_250, "$12.50"),
        (100_000, "$1,000.00"),
        (-5, "-$0.05"),
        (-150_000, "-$1,500.00"),
    ],
)
def test_money_is_printed_as_people_read_it(amount: int, text: str) -> None:
    assert dollars(amount) == text


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("$310.55", 310_550_000),
        ("$0.000001", 1),
        ("$25,000.10", 25_000_100_000),
        ("$1.123", 1_123_000),
    ],
)
def test_a_meter_may_be_finer_than_a_cent(text: str, amount: int) -> None:
    assert micros(text) == amount


NO_MONEY = [
    "",
    "$",
    "10",
    "ten",
    "$ten",
    "$-1",
    "-$1",
    "$+1",
    "$1.5",
    "$1.",
    "$.50",
    "$1,00",
    "$1,0000",
    "$1,000,00",
    "$,100",
    "$1000,000",
    " $1",
    "$1 ",
    "$1\n",
    "$$1",
    "$1_000",
    "$1e3",
    "$0x1",
    "$1.0000000",
    "$\N{ARABIC-INDIC DIGIT ONE}",
    "$\N{FULLWIDTH DIGIT ONE}",
    "$\N{SUPERSCRIPT TWO}",
    "\N{FULLWIDTH DOLLAR SIGN}1",
    "$1\x00",
    "$1,000,000,000,001",
    "$" + "9" * 1_000_000,
    "$1." + "0" * 1_000_000,
    "\N{LANGUAGE TAG}" * 200,
]


@pytest.mark.parametrize("text", NO_MONEY, ids=lambda text: ascii(text[:12]))
def test_what_is_no_money_is_unreadable(text: str) -> None:
    for read in (cents, micros):
        with pytest.raises(Unreadable) as caught:
            read(text)
        assert len(str(caught.value)) < 300
        assert str(caught.value).isprintable()


@pytest.mark.parametrize("text", ["$1.123", "$1.000", "$1.000001"])
def test_cents_are_never_finer_than_a_cent(text: str) -> None:
    with pytest.raises(Unreadable, match="finer than a cent"):
        cents(text)


@given(st.text() | st.from_regex(r"\$[\d,.]{0,20}", fullmatch=True))
def test_any_text_is_money_or_unreadable(text: str) -> None:
    try:
        amount = cents(text)
    except Unreadable:
        return
    assert cents(dollars(amount)) == amount
