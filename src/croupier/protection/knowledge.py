"""What a player can know too early: which cards, and where they lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from croupier.facts.errors import Unreadable
from croupier.facts.names import known_entry
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of


@dataclass(frozen=True)
class Knowledge:
    """How many cards are known of each place, before the first decision and from then on.

    The dealer's are those beside cards that lie face up anyway; ``late`` are turn and river, which
    are alike; ``burn`` is out of play, as the bottom card of the stub is. ``minutes``: so long it
    takes to count, not seconds.
    """

    name: str
    says: str
    dealer: int = 0
    flop: int = 0
    late: int = 0
    burn: int = 0
    minutes: bool = False


KNOWS = "knows:"  # before the name of a kind, where strategies are named
NOTHING = Knowledge("nothing", "no card too early")
_DEALER = Knowledge("dealer", "one of the dealer's cards", dealer=1)
_BURN = Knowledge("burn", "a card out of play", burn=1)
_ONE_MORE = Knowledge("dealer", "one more of the dealer's cards", dealer=1)
_TWO_MORE = Knowledge("dealer2", "two more of the dealer's cards", dealer=2, minutes=True)
_HOLDEM = (
    _DEALER,
    Knowledge("dealers", "both of the dealer's cards", dealer=2, minutes=True),
    Knowledge("flop", "one card of the flop", flop=1),
    Knowledge("turn-or-river", "one of turn and river", late=1),
    _BURN,
    Knowledge("dealer+flop", "one of the dealer's cards and one of the flop", dealer=1, flop=1),
    Knowledge(
        "dealer+turn-or-river",
        "one of the dealer's cards and one of turn and river",
        dealer=1,
        late=1,
        minutes=True,
    ),
    Knowledge(
        "dealer+burn",
        "one of the dealer's cards and a card out of play",
        dealer=1,
        burn=1,
        minutes=True,
    ),
)
_OTHERS = (_DEALER, Knowledge("dealer2", "two of the dealer's cards", dealer=2))
KINDS: Mapping[GameShape, tuple[Knowledge, ...]] = {
    GameShape.HOLDEM: _HOLDEM,
    GameShape.FOUR_CARD: (_ONE_MORE, _TWO_MORE, _BURN),
    GameShape.OWN_CARDS: _OTHERS,
}


def knowledge(rules: Rules, name: str) -> Knowledge:
    """The kind of this name; another word is answered with all of them."""
    shape = shape_of(rules)
    if shape not in KINDS:
        raise Unreadable(f"known cards are not counted for {rules.game.name}: it is {shape}")
    kinds = {kind.name: kind for kind in KINDS[shape]}
    return known_entry(name, kinds, "kind of knowledge", where=rules.game.name)


class KnownPlaces(NamedTuple):
    """Cards that are known before the wagers are made, by number, place by place."""

    dealer: tuple[int, ...] = ()
    flop: tuple[int, ...] = ()
    late: tuple[int, ...] = ()
    burn: tuple[int, ...] = ()

    @property
    def all(self) -> tuple[int, ...]:
        return self.dealer + self.flop + self.late + self.burn


def known_cards(knows: Knowledge, deck: tuple[int, ...] = tuple(range(52))) -> list[KnownPlaces]:
    """Everything that can be known; suits are not exchanged, for a paytable may name one."""
    counts = (knows.dealer, knows.flop, knows.late, knows.burn)
    return [KnownPlaces(*places) for places in _laid(deck, counts)]


def _laid(deck: tuple[int, ...], counts: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    if not counts:
        yield ()
        return
    for first in combinations(deck, counts[0]):
        rest = tuple(card for card in deck if card not in first)
        for others in _laid(rest, counts[1:]):
            yield (first, *others)
