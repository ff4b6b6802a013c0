"""Hold'em with one Play before the flop: raising and waiting, for every hole and known card.

So many cards as other boxes hold cannot be counted beforehand. What each of them alone changes is
counted, and added up.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from croupier.exact import holdem as exact_holdem
from croupier.exact.kernels.array_types import Uint8s
from croupier.exact.kernels.compiled import Progress, kept_arrays
from croupier.exact.kernels.positions import SUIT_NAMES, positions
from croupier.exact.solution_file import rules_digest
from croupier.games.rules import Rules
from croupier.protection import holdem
from croupier.protection.knowledge import Knowledge, knowledge
from croupier.protection.known_game import KnownGame
from croupier.protection.source_hash import protection_code

FirstValues = NDArray[np.float64]
"""(52, 1326, 2): raising and waiting, by known card and hole, in Antes; not a number where the hole
has the card."""

BesideValues = Callable[[int, Uint8s], NDArray[np.float64]]
"""By the place of a hole and sets of cards out of play: raising and waiting for each set."""


def first_values(
    rules: Rules, knows: Knowledge, progress: Progress = lambda what, done: None
) -> FirstValues:
    """What is worth what when one card is known, wherever it is.

    Kept on this machine: it takes as long as solving the game with that knowledge.
    """
    assert knows.dealer + knows.flop + knows.late + knows.burn == 1
    name = f"first-{knows.name}-{rules_digest(rules)[:16]}-{protection_code()[:16]}"
    return kept_arrays(name, lambda: {"values": _counted(rules, knows, progress)})["values"]


def _counted(rules: Rules, knows: Knowledge, progress: Progress) -> FirstValues:
    game, found = holdem.solved(rules, knows, progress)
    found_for = {one.problem.dealer + one.problem.burn + one.late: one for one in found}
    values = np.full((52, 1326, 2), np.nan)
    for card in range(52):
        if knows.flop:
            (one,) = found
            values[card] = _of_spots(game, one, one.spots.infos[:, card])
            continue
        names = next(
            number
            for number, names in enumerate(SUIT_NAMES.tolist())
            if (card & ~3 | names[card & 3],) in found_for
        )
        one = found_for[(card & ~3 | int(SUIT_NAMES[names][card & 3]),)]
        values[card] = _of_spots(game, one, one.spots.infos[positions().renamed_holes[names], 0])
    holes = positions().holes
    values[holes.T, np.arange(1326)] = np.nan
    return values


def _of_spots(game: KnownGame, one: holdem.Solved, spots: NDArray[np.int32]) -> FirstValues:
    deals = (one.spots.ways * one.deals * game.denominator).astype(np.float64)
    sums = one.values[:, [0, -1]].astype(np.float64) / deals[:, None]
    return np.where(spots[:, None] >= 0, sums[spots], np.nan)


def values_beside(rules: Rules, progress: Progress = lambda what, done: None) -> BesideValues:
    """What is worth what beside cards that other boxes show: what each alone changes, added up."""
    honest = _honest_values(rules)
    changes = first_values(rules, knowledge(rules, "burn"), progress) - honest

    def values(hole: int, sets: Uint8s) -> NDArray[np.float64]:
        found: NDArray[np.float64] = honest[hole] + changes[sets, hole].sum(axis=1)
        return found

    return values


def hole_place(own: tuple[int, ...]) -> int:
    """Where a hole stands among all."""
    low, high = sorted(own)
    return high * (high - 1) // 2 + low


def _honest_values(rules: Rules) -> NDArray[np.float64]:
    """(1326, 2): what raising and waiting bring who knows nothing, by hole, in Antes."""
    game, _ = exact_holdem.kernel_game(rules)
    start_of = positions().start_of
    deals = np.bincount(start_of) * float(game.denominator * exact_holdem.DEALS_A_HOLE)
    sums = exact_holdem.decided(game).start_values[:, [0, -1]]
    found: NDArray[np.float64] = (sums / deals[:, None])[start_of]
    return found
