"""The first decision at Hold'em for every hole and all that can be known, looked up by cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from croupier.exact import holdem as honest_holdem
from croupier.exact.kernels.array_types import Uint8s
from croupier.exact.kernels.compiled import Progress, kept_arrays
from croupier.exact.solution_file import rules_digest
from croupier.games.rules import Rules
from croupier.protection import holdem
from croupier.protection.knowledge import Knowledge, KnownPlaces
from croupier.protection.known_game import KnownGame, known_game
from croupier.protection.source_hash import protection_code
from croupier.protection.suits import ALL_NAMES, renamed
from croupier.simulate.decision_tables import base_of

Known = tuple[tuple[int, ...], ...]
"""Cards of the dealer, out of play and late ones, up to suits."""


@dataclass(frozen=True)
class FirstDecisions:
    """By what is known: the place of the best action by hole, or by hole and card of the flop."""

    actions: tuple[str, ...]
    best: dict[Known, Uint8s]

    def action(self, known: KnownPlaces, own: tuple[int, ...]) -> str:
        """What is best with these cards."""
        lies, names = min(
            (
                tuple(renamed(place, names) for place in (known.dealer, known.burn, known.late)),
                names,
            )
            for names in ALL_NAMES
        )
        low, high = renamed(own, names)
        (on_flop,) = renamed(known.flop, names) or (0,)
        return self.actions[int(self.best[lies][high * (high - 1) // 2 + low, on_flop])]


def first_decisions(
    rules: Rules,
    knows: Knowledge,
    progress: Progress = lambda what, done: None,
    find: Callable[[], list[holdem.Solved]] | None = None,
) -> FirstDecisions:
    """Kept on this machine, whatever side wagers there are: without ``find`` it takes as long as
    solving the game."""
    decided_by = rules_digest(base_of(rules))[:16]
    name = f"decided-{knows.name}-{decided_by}-{protection_code()[:16]}"
    found = kept_arrays(
        name, lambda: _arrays(find() if find else holdem.solved(rules, knows, progress)[1])
    )
    sizes, best = (knows.dealer, knows.burn, knows.late), {}
    for cards, choices in zip(found["cards"].tolist(), found["choices"], strict=True):
        ends = np.cumsum(sizes).tolist()
        lies = tuple(tuple(cards[end - size : end]) for end, size in zip(ends, sizes, strict=True))
        best[lies] = choices
    return FirstDecisions(_names(known_game(rules)), best)


def _names(game: KnownGame) -> tuple[str, ...]:
    return (*(name for name, _ in game.plays[: game.early - 1]), honest_holdem.CHECK)


def _arrays(parts: list[holdem.Solved]) -> dict[str, np.ndarray]:
    """A row for each part: its known cards, and what is best."""
    cards = [[*one.problem.dealer, *one.problem.burn, *one.late] for one in parts]
    choices = [holdem.decided(one).astype(np.uint8)[one.spots.infos] for one in parts]
    return {"cards": np.array(cards, np.int64), "choices": np.array(choices)}
