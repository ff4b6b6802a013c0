"""What each wager returns in theory: the exact value, on the money wagered, for a table's terms.

The base game is taken at its best play, a side wager at its least stake, the Progressive with its
meters at their resets and without Envy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from croupier.exact.endings import Assumed
from croupier.exact.solution import Solution
from croupier.games.registry import Registry
from croupier.games.rules import PROGRESSIVE, Rules, bind
from croupier.submission.submission import Submission

Solutions = Callable[[Rules], Solution | None]
BASE = "base game"


def theory_of(
    filed: Submission, registry: Registry, solutions: Solutions
) -> Mapping[str, Fraction]:
    """By wager, and the base game together; empty where no solution is at hand."""
    solution = solutions(base_rules(filed, registry))
    if solution is None:
        return {}
    base = solution.base
    returns = {BASE: 1 + base.ev / base.average_wager}
    letters = dict(filed.paytables)
    for wager in registry.book(filed.rulebook).wagers:
        if wager.optional and wager.name in letters:
            returns[wager.name] = 1 + _side(solution, filed, wager.name, letters[wager.name])
    return returns


def base_rules(filed: Submission, registry: Registry) -> Rules:
    """The base game alone, so that one answer serves every submission that plays it."""
    book = registry.book(filed.rulebook)
    letters = dict(filed.paytables)
    base = {w.name: letters[w.name] for w in book.wagers if not w.optional and w.name in letters}
    return bind(registry.game_of(book), book, base)


def _side(solution: Solution, filed: Submission, wager: str, letter: str) -> Fraction:
    offer = filed.progressive if wager == PROGRESSIVE else None
    side = solution.side(wager, letter, offer.hand if offer is not None else None)
    limit = filed.limit(wager)
    if offer is not None:
        resets = tuple((meter.name, meter.reset_cents) for meter in offer.meters)
        side = replace(side, assumed=Assumed(offer.stake_cents, resets))
    elif limit is not None:
        side = replace(side, assumed=Assumed(limit.minimum_cents))
    return side.ev
