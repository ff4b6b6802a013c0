"""Shares in percent, as reports write them."""

from __future__ import annotations

from fractions import Fraction


def percent(share: Fraction | float, digits: int = 4) -> str:
    return f"{100 * float(share):.{digits}f}%"
