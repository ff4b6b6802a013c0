"""The seam a game fits: which hands it compares and what each of its wagers looks at.

Everything else about a game is data in its rulebooks. A new game is one module in this folder with
a ``GAME``, and one TOML.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.facts.errors import Refusal, quoted
from croupier.facts.hands import Hand, Ranking
from croupier.facts.showings import SAYINGS, Showing, meaning
from croupier.rulebook.book import Paytable

if TYPE_CHECKING:
    from croupier.games.round import FinishedBox, FinishedRound

Look = Callable[["FinishedRound", "FinishedBox"], Showing | None]


@dataclass(frozen=True, eq=False)
class Game:
    """``looks`` maps each ``judged_by`` of the rulebook to what is seen; None means it loses.

    ``sayings`` are phrases of paytables that only this game's looks know to be true. There is one
    of each game, compared by identity.
    """

    id: str
    name: str
    ranking: Ranking
    player: Callable[[FinishedRound, FinishedBox], Showing]
    dealer: Callable[[FinishedRound], Hand]
    looks: Mapping[str, Look]
    sayings: tuple[str, ...] = ()


def least_hands(game: Game) -> str:
    """How the least hand is written that a dealer needs."""
    return ", ".join(("ace high", "pair of fours", *map(str, game.ranking.order[1:])))


def refuse_unsaid(game: Game, table: Paytable, clause: str) -> None:
    """Every line of a paytable must be a phrase that somebody understands."""
    for line in table.lines:
        if meaning(line.phrase) is None and line.phrase not in game.sayings:
            known = ", ".join((*SAYINGS, *game.sayings))
            raise Refusal(f"nothing is known as {quoted(line.phrase)}; known are {known}", clause)
