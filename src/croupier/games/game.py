"""The seam a game fits: which hands it compares and what each of its wagers looks at.

Everything else about a game is data in its rulebooks. A new game is one module in this folder with
a ``GAME``, and one TOML.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.facts.hands import Hand, Ranking
from croupier.facts.showings import Showing

if TYPE_CHECKING:
    from croupier.games.round import Box, Round

Look = Callable[["Round", "Box"], Showing | None]


@dataclass(frozen=True)
class Game:
    """``looks`` maps each ``judged_by`` of the rulebook to what is seen; None means it loses."""

    id: str
    name: str
    ranking: Ranking
    player: Callable[[Round, Box], Showing]
    dealer: Callable[[Round], Hand]
    looks: Mapping[str, Look]
