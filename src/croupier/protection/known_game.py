"""Ultimate Texas Hold'em in whole numbers: what decides money when cards are known."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from croupier.exact import uth as honest_uth
from croupier.exact.assumptions import refuse_base
from croupier.exact.base_game import Showdown, wager_results, whole_numbers
from croupier.exact.hand_classes import common_cells, lines_of_classes
from croupier.exact.hand_samples import samples
from croupier.exact.kernels.showdown_rows import (
    LOSS,
    LOSS_QUALIFYING,
    TIE,
    WIN,
    WIN_QUALIFYING,
)
from croupier.facts.errors import Unreadable
from croupier.facts.hands import FIVE_CARD
from croupier.games.rules import Rules
from croupier.protection.kernels import uth as kernel

_ENDS = {
    WIN_QUALIFYING: (Showdown.WIN, True),
    WIN: (Showdown.WIN, False),
    TIE: (Showdown.TIE, True),
    LOSS_QUALIFYING: (Showdown.LOSS, True),
    LOSS: (Showdown.LOSS, False),
}


@dataclass(frozen=True)
class KnownGame:
    """The Rules in whole numbers: what each Play and the fold bring, by cell and outcome.

    ``plays`` are those that are worth considering before the river, the river's and the fold.
    """

    plays: tuple[tuple[str, Fraction | None], ...]
    pays: kernel.KnownPays
    denominator: int
    staked: tuple[Fraction, ...]

    @property
    def early(self) -> int:
        """How many Plays there are before the river; the last of them is the flop's."""
        return len(self.plays) - 2

    @property
    def largest(self) -> int:
        return int(np.abs(self.pays.nets).max())


def known_game(rules: Rules) -> KnownGame:
    """What decides money, read from the Rules case by case."""
    refuse_base(rules)
    if [*map(len, honest_uth.sizes(rules))][1:] != [1, 1]:
        raise Unreadable(
            "known cards are counted where the flop and the river have one Play each; "
            f"{rules.book.id} has others"
        )
    tables_of_base = (rules.paytable(w.name) for w in rules.book.wagers if not w.optional)
    lines = [lines_of_classes(table, FIVE_CARD) for table in tables_of_base if table is not None]
    cells, firsts = common_cells(lines)
    ends = [_ENDS[outcome] for outcome in sorted(_ENDS)]
    actions = honest_uth.actions(rules)
    results = [
        [wager_results(rules, multiple, *end, samples(FIVE_CARD)[first])
         for first in firsts for end in ends]
        for _, multiple in actions
    ]  # fmt: skip
    nets = [[sum((net for _, net in one.values()), Fraction(0)) for one in of] for of in results]
    staked = [sum((stake for stake, _ in of[0].values()), Fraction(0)) for of in results]
    kept = _worth_considering(actions, nets)
    unit, units = whole_numbers([net for play in kept for net in nets[play]], rules)
    shaped = np.array(units, dtype=np.int64).reshape(len(kept), len(firsts), len(ends))
    pays = kernel.KnownPays(cells, shaped, shaped**2, honest_uth.first_opening_class(rules))
    return KnownGame(
        tuple(actions[play] for play in kept), pays, unit, tuple(staked[play] for play in kept)
    )


def _worth_considering(
    actions: list[tuple[str, Fraction | None]], nets: list[list[Fraction]]
) -> list[int]:
    """All actions but a raise that lies between two others in everything.

    If every round is linear in Play and the flop's is less than the lower raise, the lower raise is
    never better than both the higher and waiting: waiting may bet each flop.
    """
    (_, high), (_, low), (_, flop), *_ = actions
    if high is None or low is None or flop is None or not flop < low < high:
        return list(range(len(actions)))
    linear = all(
        (middle - less) * (high - flop) == (more - less) * (low - flop)
        for more, middle, less in zip(nets[0], nets[1], nets[2], strict=True)
    )
    return [play for play in range(len(actions)) if play != 1 or not linear]
