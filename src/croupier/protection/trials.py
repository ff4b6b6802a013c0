"""Trials of the screen: simulated logs of honest players and of ones who know, and who is flagged.

Each log is one box of a table of six; a score must pass what six players and all kinds of knowledge
call for together. A log ends when its player is flagged.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from random import Random
from statistics import median

from croupier.exact.kernels.compiled import Progress, compile_progress
from croupier.facts.errors import Unreadable
from croupier.games.rules import Rules
from croupier.protection.players import HONEST, Playing, box_of, deal, player
from croupier.protection.screening import DecisionScreen, needed
from croupier.simulate.decision_tables import base_of

PLAYERS = 6


@dataclass(frozen=True)
class ScreenTrial:
    """The logs of one kind of player; ``after`` are the rounds in which they were flagged."""

    player: str
    logs: int
    after: tuple[int, ...]

    @property
    def half_after(self) -> float | None:
        """The round by which half of the flagged ones were."""
        return median(self.after) if self.after else None


def screen_trials(
    rules: Rules,
    logs: int,
    rounds: int,
    players: tuple[str, ...] = (),
    progress: Progress = lambda what, done: None,
) -> list[ScreenTrial]:
    """So many logs of each kind of player, of at most so many rounds each."""
    if logs < 1 or rounds < 1:
        raise Unreadable("at least one log of one round can be played")
    with compile_progress(progress):
        screen = DecisionScreen(base_of(rules), progress)
        kinds = players or (*HONEST, *screen.kinds)
        found = []
        for at, kind in enumerate(kinds):
            play, after = player(screen.rules, kind), []
            for seed in range(logs):
                progress(f"playing: {kind}", (at + seed / logs) / len(kinds))
                ended = flagged_after(screen, play, seed, rounds)
                after += [ended] if ended is not None else []
            found.append(ScreenTrial(kind, logs, tuple(sorted(after))))
    return found


def flagged_after(screen: DecisionScreen, play: Playing, seed: int, rounds: int) -> int | None:
    """In which round of a log its player is flagged; None if not at all."""
    chance, enough = Random(seed), log(needed(PLAYERS * len(screen.kinds)))
    screen.scores.clear()
    for number in range(1, rounds + 1):
        dealt = deal(screen.rules, chance, PLAYERS)
        screen.see(box_of(dealt, "one", play(dealt)))
        if max(score.now for score in screen.scores.values()) >= enough:
            return number
    return None
