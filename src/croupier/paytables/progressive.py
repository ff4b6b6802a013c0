"""A Progressive by its targets: resets and rates that give back so much over many rounds.

Meters pay only what was put into them, so over many rounds a wager gives back what its odds pay,
the resets as often as each is called for, and the share of it by which meters grow. Shares of a
meter that are less than all of it change when it is paid, not how much. Envy comes on top, for each
other box. What must stand on a meter for an even wager does depend on the shares.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from croupier.exact.solution import EnvyValue, SideValue
from croupier.facts.money import Cents
from croupier.facts.odds import Share

MULTIPLES = tuple(Fraction(halves, 2) for halves in range(2, 21))
RATES = tuple(Fraction(percent, 100) for percent in range(1, 51))
OTHER_BOXES = range(1, 7)


@dataclass(frozen=True)
class ProgressivePlan:
    """Resets as a multiple of the least, the rate of all meters together, and what comes of it.

    ``returns`` is what a stake gives back over many rounds: by odds, by resets, by the rate and, at
    a full table, by Envy.
    """

    multiple: Fraction
    resets_cents: tuple[tuple[str, Cents], ...]
    rate: Fraction
    returns: tuple[Fraction, Fraction, Fraction, Fraction]

    @property
    def edge(self) -> Fraction:
        return 1 - sum(self.returns, Fraction(0))


@dataclass(frozen=True)
class ProgressiveDesign:
    """Everything about one paytable of a Progressive: its plans, its shares, what Envy adds for
    each number of other boxes, and by meter what must stand on it for an even wager then."""

    paytable: str
    stake_cents: Cents
    shares: tuple[tuple[str, str], ...]
    envy: tuple[tuple[int, Fraction], ...]
    break_even: tuple[tuple[int, tuple[tuple[str, Fraction], ...]], ...]
    plans: tuple[ProgressivePlan, ...]


def design_progressive(
    side: SideValue,
    envy: EnvyValue | None,
    seats: int,
    edge: tuple[Fraction, Fraction],
    near_rate: Fraction | None,
) -> ProgressiveDesign:
    """All resets and rates that meet a long-run edge with so many seats played, the nearest to the
    resets of ``side`` and the given rate first."""
    each = envy.ev_each_box if envy is not None else Fraction(0)
    found = [plan for plan in _plans(side, (seats - 1) * each) if edge[0] <= plan.edge <= edge[1]]
    rate = near_rate if near_rate is not None else Fraction(0)
    found.sort(key=lambda plan: (abs(plan.multiple - 1) + abs(plan.rate - rate) * 10, plan.edge))
    shares = ((e.name, e.pays or "") for e in side.endings.endings if isinstance(e.odds, Share))
    return ProgressiveDesign(
        side.endings.paytable,
        side.assumed.stake_cents,
        tuple(shares),
        tuple((others, others * each) for others in OTHER_BOXES),
        tuple((n, tuple(side.break_even_dollars(n * each).items())) for n in (0, *OTHER_BOXES)),
        tuple(found),
    )


def _plans(side: SideValue, envy: Fraction) -> Iterator[ProgressivePlan]:
    by_odds, by_resets = side.long_run()
    for multiple in MULTIPLES:
        resets = tuple((name, Cents(int(cents * multiple))) for name, cents in side.resets_cents)
        for rate in RATES:
            yield ProgressivePlan(
                multiple, resets, rate, (by_odds, by_resets * multiple, rate, envy)
            )
