"""Which places of the table a wager looks at, beside a box's own cards."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.facts.cards import DECK, Cards
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules


def places_looked_at(rules: Rules, judged_by: str) -> set[str]:
    """Where a wager looks beside a box's own cards, found by watching it look at some deal."""
    deck = iter(DECK)
    watched = _Watched(
        (place.name, tuple(next(deck) for _ in range(place.cards))) for place in rules.book.places
    )
    box = FinishedBox(seat=1, cards=watched.pop("box"), stakes={})
    rules.game.looks[judged_by](FinishedRound(rules, watched, (box,)), box)
    return watched.places


class _Watched(dict[str, Cards]):
    """Cards by place that remember which places were looked at."""

    def __init__(self, dealt: Iterable[tuple[str, Cards]]) -> None:
        super().__init__(dealt)
        self.places: set[str] = set()

    def __getitem__(self, place: str) -> Cards:
        self.places.add(place)
        return super().__getitem__(place)

    def get(self, place: str, default: Cards = ()) -> Cards:  # type: ignore[override]
        self.places.add(place)
        return super().get(place, default)
