"""Hold'em with one Play in whole numbers: what decides money when cards are known."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from croupier.exact import holdem as honest_holdem
from croupier.exact.assumptions import refuse_base
from croupier.exact.base_game import Showdown, wager_results, whole_numbers
from croupier.exact.hand_partitions import base_partition, first_opening_class
from croupier.exact.hand_samples import samples
from croupier.exact.kernels.showdown_rows import OUTCOMES
from croupier.facts.errors import Unreadable
from croupier.facts.hands import FIVE_CARD
from croupier.games.rules import Rules
from croupier.protection.kernels import holdem as kernel


@dataclass(frozen=True)
class KnownGame:
    """The Rules in whole numbers: what each Play and the fold bring, by cell and outcome.

    ``plays`` are those that are worth considering before the river, the river's and the fold. Where
    the river is not asked about, who waits on the flop has folded: the river's Play is the fold.
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
    raises, on_flop, on_river = map(len, honest_holdem.sizes(rules))
    if (on_flop, on_river) != (1, min(raises, 1)):
        raise Unreadable(
            "known cards are counted where flop and river have one Play each after a raise, or the "
            f"flop alone has one; {rules.book.id} has others"
        )
    hands = base_partition(rules)
    actions = honest_holdem.actions(rules)
    actions += actions[-1:] if not on_river else []
    nets = [honest_holdem.round_nets(rules, hands, multiple) for _, multiple in actions]
    won = Showdown.WIN, True, samples(FIVE_CARD)[hands.firsts[0]]
    staked = [
        sum((stake for stake, _ in wager_results(rules, multiple, *won).values()), Fraction(0))
        for _, multiple in actions
    ]
    kept = _worth_considering(actions, nets) if raises > 1 else list(range(len(actions)))
    unit, units = whole_numbers([net for play in kept for net in nets[play]], rules)
    shaped = np.array(units, dtype=np.int64).reshape(len(kept), len(hands.firsts), OUTCOMES)
    pays = kernel.KnownPays(hands.cells, shaped, shaped**2, first_opening_class(rules))
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
