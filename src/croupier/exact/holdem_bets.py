"""Hold'em with bets that add up solved: 55.6 trillion deals, and the best decision on each street.

Beside the kernels this needs what :mod:`.holdem` needs: the Rules in whole numbers, and from counts
the base game.
"""

from __future__ import annotations

from collections import OrderedDict
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from croupier.exact import holdem
from croupier.exact.assumptions import refuse_base
from croupier.exact.base_game import FOLD, BetsInAntes, whole_numbers
from croupier.exact.hand_partitions import (
    Partition,
    Partitions,
    final_partition,
    first_opening_class,
)
from croupier.exact.kernels import holdem_bets as kernel
from croupier.exact.kernels.holdem_counts import HoldemCounts
from croupier.exact.kernels.positions import FULL_DECK
from croupier.exact.solution import HandValue
from croupier.facts.progress import Progress
from croupier.games.rules import Rules
from croupier.rulebook.book import Street

TURN = 4  # cards of the board in sight when the turn is asked about


def later_streets(rules: Rules) -> tuple[Street | None, Street | None]:
    """The streets that are asked on the flop and on the turn; None: not asked."""
    asked = {holdem.on_board_at(rules, street): street for street in rules.book.streets}
    return asked.get(holdem.BOARDS[1]), asked.get(TURN)


def actions(rules: Rules) -> list[tuple[str, BetsInAntes]]:
    """The kernel's actions by name and bets, in its order: none beside the first bet, the flop's,
    the turn's, both; and the fold."""
    first = rules.book.streets[0]
    found: list[tuple[str, BetsInAntes]] = []
    for with_turn, with_flop in product((False, True), repeat=2):
        made = zip(later_streets(rules), (with_flop, with_turn), strict=True)
        later = [street for street, is_made in made if is_made and street is not None]
        bets = {
            rules.book.played_on(street).name: Fraction(max(street.multiples, default=0))
            for street in (first, *later)
        }
        names = (f"{max(first.multiples)}x", *(street.key for street in later))
        found.append((" + ".join(names), bets))
    return [*found, (FOLD, None)]


def solve_base(rules: Rules, progress: Progress = lambda what, done: None) -> holdem.SolvedHoldem:
    """Find the best strategy and count every deal under it."""
    game, final = kernel_game(rules)
    best = best_bets(rules, progress)
    by_start = kernel.count(game, best.strategy, progress=progress)
    nothing = np.zeros((0, *by_start.shape[1:]), dtype=np.int64)
    counts = HoldemCounts(by_start, *[nothing] * 5)
    cells = Partitions(final, final, final, final)
    return holdem.SolvedHoldem(rules, actions(rules), cells, counts, None)


_DECIDED: OrderedDict[bytes, kernel.BestBets] = OrderedDict()


def best_bets(rules: Rules, progress: Progress = lambda what, done: None) -> kernel.BestBets:
    """The best decision in every position, and no deal counted."""
    game, _ = kernel_game(rules)
    results = (each[game.cell_of_class] for each in (game.shown, game.flop, game.turn))
    asked = holdem.hashed(*results, game.folded, game.denominator, game.first_qualifying)
    return holdem.lately(_DECIDED, asked, lambda: kernel.decide(game, progress=progress))


def kernel_game(rules: Rules) -> tuple[kernel.BetsGame, Partition]:
    """The Rules in whole numbers: the round without a later bet, what each of these adds to it, and
    the fold."""
    refuse_base(rules)
    final = final_partition(rules)
    stays, with_flop, with_turn, _, folded = (
        holdem.round_nets(rules, final, play) for _, play in actions(rules)
    )
    flop, turn = (
        [more - less for more, less in zip(nets, stays, strict=True)]
        for nets in (with_flop, with_turn)
    )
    assert len({*folded}) == 1, "a fold gives up the same whatever comes"
    unit, units = whole_numbers([*stays, *flop, *turn, folded[0]], rules)
    results = np.array(units[:-1], dtype=np.int64).reshape(3, len(final.firsts), -1)
    return kernel.BetsGame(
        cell_of_class=final.cells,
        shown=results[0],
        flop=results[1],
        turn=results[2],
        folded=units[-1],
        denominator=unit,
        first_qualifying=first_opening_class(rules),
    ), final


def hand_values(rules: Rules) -> tuple[HandValue, ...]:
    """What the first bet and the fold are worth with each of the 169 starting hands, in Antes."""
    game, _ = kernel_game(rules)
    values = best_bets(rules).start_values
    bet = f"{max(rules.book.streets[0].multiples)}x"
    return holdem.values_of_starts(
        values, (bet, FOLD), game.denominator, kernel.deals_a_hole(FULL_DECK)
    )


def later_values(
    rules: Rules, holes: NDArray[np.uint8], boards: NDArray[np.uint8]
) -> dict[str, NDArray[np.float64]]:
    """In Antes, what the bet and the check are worth in each position on the flop or the turn.

    A bet on the flop that was made before is in neither: it adds the same to both.
    """
    game, _ = kernel_game(rules)
    flop, turn = later_streets(rules)
    street = flop if boards.shape[1] == holdem.BOARDS[1] else turn
    assert street is not None, "a position is valued where something is asked"
    stays, bets, deals = kernel.position_values(best_bets(rules), holes, boards)
    whole = game.denominator * deals
    made = {f"{multiple}x": (stays + bets) / whole for multiple in street.multiples}
    return {**made, street.otherwise: stays / whole}
