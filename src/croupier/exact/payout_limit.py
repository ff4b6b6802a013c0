"""Values under the payout limit: what each Ante of a table is worth.

Paid by odds alone an Ante is worth the same whatever its size. A limit in dollars cuts what a large
Ante wins, and the best strategy is found again with the cut in it (ruling 7).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from croupier.exact import holdem
from croupier.exact.base_game import PAYOUT_LIMIT, LimitedAnte, Showdown, wager_results
from croupier.exact.hand_samples import samples
from croupier.facts.hands import FIVE_CARD
from croupier.facts.money import Cents
from croupier.facts.progress import Progress
from croupier.games.rules import Rules


@dataclass(frozen=True)
class AnteValue:
    """What one Ante of this size is worth at its best under the payout limit."""

    ante_cents: Cents
    ev: Fraction


def largest_uncut_cents(rules: Rules, limit_cents: Cents) -> Cents:
    """The largest Ante of which the limit never cuts anything, with no other wager beside it."""
    everything = LimitedAnte(Cents(100), Cents(0))
    multiple = max(multiple for _, multiple in holdem.actions(rules) if multiple is not None)
    most = max(
        -wager_results(rules, multiple, Showdown.WIN, True, hand, everything)[PAYOUT_LIMIT][1]
        for hand in samples(FIVE_CARD)
    )
    return Cents(int(limit_cents / most))


def values_by_ante(
    rules: Rules, limit_cents: Cents, antes: Iterable[Cents], progress: Progress
) -> tuple[AnteValue, ...]:
    """What each of these Antes is worth under a payout limit, played its best."""
    sizes = tuple(antes)
    found = []
    for number, ante_cents in enumerate(sizes):
        progress("Antes under the payout limit", number / len(sizes))
        ev = holdem.best_value(rules, LimitedAnte(ante_cents, limit_cents))
        found.append(AnteValue(ante_cents, ev))
    return tuple(found)
