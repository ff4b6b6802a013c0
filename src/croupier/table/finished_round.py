"""Adapter from a round in state to the input of settlement, and its receipt from stored lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from croupier.facts.cards import DECK, Card
from croupier.facts.money import Micros
from croupier.games.round import FinishedBox as FinishedBox
from croupier.games.round import FinishedRound as FinishedRound
from croupier.table.receipt import Receipt
from croupier.table.state import Box, Round
from croupier.table.terms import Terms

_BY_NAME = {str(card): card for card in DECK}
_NO_PART = ("burn",)


def finished_round(terms: Terms, round: Round, meters: Mapping[str, Micros]) -> FinishedRound:
    """Every box but the abandoned ones: those lose all, and hold no hand (ruling 34)."""
    boxes = [box for box in round.boxes.values() if box.absent != "abandoned"]
    places = {place: real(cards) for place, cards in round.places.items() if place not in _NO_PART}
    return FinishedRound(terms.rules, places, tuple(map(finished_box, boxes)), dict(meters))


def finished_box(box: Box) -> FinishedBox:
    return FinishedBox(box.seat, real(box.cards), box.stakes, box.player, box.refused)


def receipt(terms: Terms, round: Round, meters: Mapping[str, Micros]) -> Receipt:
    """What the table settled, line by line; ``meters`` as they stood before the first box."""
    after = dict(meters)
    for line in round.lines:
        if line.meter is not None:
            after[line.meter] = Micros(line.meter_after_micros)
    return Receipt(finished_round(terms, round, meters), round.lines, after)


def are_known(names: Iterable[str]) -> bool:
    """Whether these are cards, and not places in a pack that nobody here can open."""
    return all(name in _BY_NAME for name in names)


def real(names: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple(_BY_NAME[name] for name in names)
