"""Money is whole cents. Meters are kept in micros, millionths of a dollar, and pay whole cents."""

from __future__ import annotations

import re
from typing import NewType

from croupier.facts.errors import Unreadable, quoted

Cents = NewType("Cents", int)
Micros = NewType("Micros", int)

MICROS_A_CENT = 10_000
MOST_DOLLARS = 1_000_000_000_000
_AMOUNT = re.compile(r"\$(\d{1,3}(?:,\d{3}){1,4}|\d{1,13})(?:\.(\d{2,6}))?", re.ASCII)


def cents(text: str) -> Cents:
    """Read an amount of money: ``$10``, ``$12.50``, ``$1,000.00``."""
    whole, fraction = _parts(text)
    if len(fraction) > 2:
        raise Unreadable(f"{quoted(text)} is finer than a cent; write two decimals, like $12.50")
    return Cents(whole * 100 + int(fraction or 0))


def micros(text: str) -> Micros:
    """Read what stands on a meter: like money, with up to six decimals."""
    whole, fraction = _parts(text)
    return Micros(whole * 1_000_000 + int(fraction.ljust(6, "0")))


def dollars(amount_cents: int) -> str:
    """Print an amount as :func:`cents` reads it; a loss has its minus before the sign."""
    sign = "-" if amount_cents < 0 else ""
    return f"{sign}${abs(amount_cents) // 100:,}.{abs(amount_cents) % 100:02}"


def money(amount_cents: int) -> str:
    """Dollars without cents where there are none, as people say a sum."""
    return dollars(amount_cents).removesuffix(".00")


def meter_dollars(amount_micros: int) -> str:
    """Print a meter as people see it: whole cents, rounded down."""
    return dollars(whole_cents(Micros(amount_micros)))


def meter_exactly(amount_micros: int) -> str:
    """Print a meter to its last digit, as :func:`micros` reads it."""
    return f"${amount_micros // 1_000_000:,}.{amount_micros % 1_000_000:06}"


def whole_cents(amount: Micros) -> Cents:
    return Cents(amount // MICROS_A_CENT)


def in_micros(amount: Cents) -> Micros:
    return Micros(amount * MICROS_A_CENT)


def _parts(text: str) -> tuple[int, str]:
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise Unreadable(f"{quoted(text)} is not an amount; write dollars like $10 or $1,250.50")
    whole = int(match[1].replace(",", ""))
    if whole > MOST_DOLLARS:
        raise Unreadable(f"{quoted(text)} is more than any table holds; check the digits")
    return whole, match[2] or ""
