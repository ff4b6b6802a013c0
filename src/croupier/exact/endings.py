"""How a wager can end: every outcome with the number of deals that bring it, and what follows.

Nothing here is rounded. A chance is a number of ways out of a total; a value is a fraction of the
stake. Outcomes that pay dollars or a share of a meter need to know the stake and the meters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from croupier.facts.money import Cents, Micros
from croupier.facts.odds import For, Odds, Push, Share, StakeOdds, Sum, To, odds

LOST, TIED = "lose", "tie"


@dataclass(frozen=True)
class Assumed:
    """What a value depends on beside the cards: the stake, and what stands on the meters."""

    stake_cents: Cents = Cents(100)
    meters_cents: tuple[tuple[str, Cents], ...] = ()

    def meter_cents(self, name: str) -> Cents:
        return dict(self.meters_cents)[name]


PLAIN = Assumed()


@dataclass(frozen=True)
class Ending:
    """One way for a wager to end; ``pays`` is the odds as written, None where it loses."""

    name: str
    ways: int
    pays: str | None

    @cached_property
    def odds(self) -> Odds | None:
        return odds(self.pays) if self.pays is not None else None

    def net(self, assumed: Assumed) -> Fraction:
        """What is won or lost, in stakes."""
        return net_of(self.odds, assumed)


def net_of(paid: Odds | None, assumed: Assumed) -> Fraction:
    """What one stake wins or loses at these odds, in stakes; nothing is rounded to cents here."""
    stake = Fraction(assumed.stake_cents)
    match paid:
        case None:
            return Fraction(-1)
        case To(gain, per):
            return Fraction(gain, per)
        case For(gain, per):
            return Fraction(gain, per) - 1
        case Sum(sum_cents):
            return sum_cents / stake
        case Share(percent, meter):
            return Fraction(percent, 100) * assumed.meter_cents(meter) / stake - 1
        case Push():
            return Fraction(0)
        case _:
            raise TypeError(f"no value is known for {paid!r}")


def net_cents(paid: Odds | None, stake_cents: Cents, meters: Mapping[str, Micros]) -> int:
    """What a stake wins or loses at these odds in whole cents, as a table pays it (ruling 4)."""
    if isinstance(paid, Share):
        return paid.draws_cents(meters[paid.meter]) - stake_cents
    if not isinstance(paid, StakeOdds):
        return -stake_cents
    return paid.pays_cents(stake_cents) - (0 if paid.returns_stake else stake_cents)


def paid_of(paid: Odds | None, assumed: Assumed) -> Fraction:
    """What these odds pay on one stake, whether the stake itself comes back or not."""
    keeps_stake = paid is None or not paid.returns_stake
    return net_of(paid, assumed) + (1 if keeps_stake else 0)


@dataclass(frozen=True)
class Endings:
    """Every way one wager can end under one paytable."""

    wager: str
    paytable: str
    endings: tuple[Ending, ...]

    @property
    def total(self) -> int:
        return sum(ending.ways for ending in self.endings)

    def chance(self, ending: Ending) -> Fraction:
        return Fraction(ending.ways, self.total)

    def moment(self, power: int, assumed: Assumed = PLAIN) -> Fraction:
        """The mean of a power of the net result, in stakes."""
        summed = sum(
            (ending.ways * ending.net(assumed) ** power for ending in self.endings), Fraction(0)
        )
        return summed / self.total

    def ev(self, assumed: Assumed = PLAIN) -> Fraction:
        return self.moment(1, assumed)

    def variance(self, assumed: Assumed = PLAIN) -> Fraction:
        return self.moment(2, assumed) - self.ev(assumed) ** 2

    def hit_frequency(self) -> Fraction:
        """The chance of ending with more than the stake lost: a win or a push."""
        hits = sum(e.ways for e in self.endings if e.pays is not None)
        return Fraction(hits, self.total)

    def slopes(self, assumed: Assumed = PLAIN) -> Mapping[str, Fraction]:
        """By meter: how much the value of one stake grows with each dollar on that meter."""
        slopes: dict[str, Fraction] = {}
        for ending in self.endings:
            if isinstance(ending.odds, Share):
                share = Fraction(ending.odds.percent, 100) * 100 / assumed.stake_cents
                slopes.setdefault(ending.odds.meter, Fraction(0))
                slopes[ending.odds.meter] += self.chance(ending) * share
        return slopes
