"""Odds as the regulations write them, each its own type.

``"50 to 1"`` pays and gives the stake back, ``"300 for 1"`` pays and keeps it, ``"$100,000"`` is a
fixed sum beside the stake, ``"10% of meter"`` a share of a meter, ``"push"`` gives the stake back
(ruling 4).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from croupier.facts.errors import Unreadable, quoted
from croupier.facts.money import Cents, Micros, cents, money, whole_cents

MAIN_METER = "main"


class Odds:
    """What a line of a paytable pays; printing one and reading it back is the identity."""

    __slots__ = ()
    returns_stake: ClassVar[bool]


class StakeOdds(Odds, ABC):
    """Odds that need nothing but the stake to be paid."""

    __slots__ = ()

    @abstractmethod
    def pays_cents(self, stake_cents: int) -> Cents: ...


@dataclass(frozen=True, slots=True)
class To(StakeOdds):
    """Pays ``gain`` for each ``stake`` wagered; the wager itself comes back."""

    gain: int
    stake: int = 1
    returns_stake = True

    def pays_cents(self, stake_cents: int) -> Cents:
        return _rounded_up(self.gain * stake_cents, self.stake)

    def __str__(self) -> str:
        return f"{self.gain:,} to {self.stake:,}"


@dataclass(frozen=True, slots=True)
class For(StakeOdds):
    """Pays ``gain`` for each ``stake`` wagered; the wager itself stays with the house."""

    gain: int
    stake: int = 1
    returns_stake = False

    def pays_cents(self, stake_cents: int) -> Cents:
        return _rounded_up(self.gain * stake_cents, self.stake)

    def __str__(self) -> str:
        return f"{self.gain:,} for {self.stake:,}"


@dataclass(frozen=True, slots=True)
class Sum(StakeOdds):
    """Pays one sum whatever the stake; the wager itself comes back."""

    sum_cents: Cents
    returns_stake = True

    def pays_cents(self, stake_cents: int) -> Cents:
        return self.sum_cents

    def __str__(self) -> str:
        return money(self.sum_cents)


@dataclass(frozen=True, slots=True)
class Push(StakeOdds):
    """Pays nothing; the wager comes back."""

    returns_stake = True

    def pays_cents(self, stake_cents: int) -> Cents:
        return Cents(0)

    def __str__(self) -> str:
        return "push"


@dataclass(frozen=True, slots=True)
class Share(Odds):
    """Pays a share of a meter in whole cents; the wager itself stays with the house."""

    percent: int
    meter: str = MAIN_METER
    returns_stake = False

    def draws_cents(self, meter_micros: Micros) -> Cents:
        return whole_cents(Micros(meter_micros * self.percent // 100))

    def __str__(self) -> str:
        return f"{self.percent}% of {'meter' if self.meter == MAIN_METER else self.meter}"


PUSH = Push()

_NUMBER = r"(\d{1,3}(?:,\d{3}){0,3}|\d{1,12})"
_RATIO = re.compile(rf"{_NUMBER} (to|for) {_NUMBER}", re.ASCII)
_SHARE = re.compile(r"(\d{1,3})% of ([a-z]{1,20})", re.ASCII)


def odds(text: str) -> Odds:
    """Read odds as they are printed on a layout."""
    if text == "push":
        return PUSH
    if text.startswith("$"):
        return Sum(cents(text))
    if match := _RATIO.fullmatch(text):
        gain, stake = (int(match[n].replace(",", "")) for n in (1, 3))
        if gain and stake:
            return To(gain, stake) if match[2] == "to" else For(gain, stake)
    elif match := _SHARE.fullmatch(text):
        percent, meter = int(match[1]), match[2]
        if 1 <= percent <= 100:
            return Share(percent, MAIN_METER if meter == "meter" else meter)
    raise Unreadable(
        f'{quoted(text)} is not odds; write "50 to 1", "300 for 1", "$100,000", '
        '"10% of meter" or "push"'
    )


def _rounded_up(product: int, divisor: int) -> Cents:
    return Cents(-(-product // divisor))
