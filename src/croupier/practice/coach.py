"""The coach: what each choice is worth exactly, and hands that are hard; for practice only.

A page lets it count in a process of its own, so that a table never waits for it: everything that
goes in and comes out is plain text and numbers.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache, partial
from random import Random
from typing import TYPE_CHECKING

import msgspec

from croupier.facts.cards import DECK, Card, cards
from croupier.games.registry import the_registry
from croupier.games.rules import Rules
from croupier.rulebook.book import Street
from croupier.submission.check import check

if TYPE_CHECKING:
    from croupier.exact.solution import Solution

HARD_ANTES = Fraction(1, 4)
MOST_TRIES = 60


class Worth(msgspec.Struct, frozen=True):
    """``antes`` is for showing; ``exact`` is the same value as a fraction."""

    action: str
    antes: float
    exact: str


class Position(msgspec.Struct, frozen=True):
    """What a player sees when a question is put to him; cards by their names.

    ``flashed`` is a card of the dealer that he should not have seen.
    """

    street: str
    own: tuple[str, ...]
    board: tuple[str, ...] = ()
    up: str = ""
    flashed: str = ""


def get_ready() -> None:
    """A Ctrl-C is for who started the coach, not for the coach."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def worths(
    submission: str, position: Position, solve: Callable[[Rules], Solution] | None = None
) -> tuple[Worth, ...]:
    """The exact value of each choice, the best first; ``solve`` may show how far it is."""
    values = _values(_rules(submission), position, solve)
    return tuple(Worth(action, float(value), str(value)) for action, value in values.items())


def hard_hand(submission: str, street: str, seed: int) -> Position:
    """A hand where playing and not playing are worth about the same: what drills are made of."""
    rules, chance = _rules(submission), Random(seed)
    closest: tuple[Fraction, Position] | None = None
    for position in _dealt(rules, street, chance):
        gap = _gap(_values(rules, position))
        if gap <= HARD_ANTES:
            return position
        if closest is None or gap < closest[0]:
            closest = gap, position
    assert closest is not None
    return closest[1]


def flashed_hand(submission: str, street: str, seed: int) -> Position:
    """A hand that is played otherwise by who saw a card of the dealer: what surveillance drills
    are made of. Before the flop one count takes seconds, so there any hand will do."""
    rules, chance = _rules(submission), Random(seed)
    slow = rules.game.id == "uth" and street == rules.book.streets[0].name
    for position in _dealt(rules, street, chance):
        hidden = [card for card in map(str, DECK) if card not in (*position.own, *position.board)]
        flashed = chance.choice([card for card in hidden if card != position.up])
        seen = msgspec.structs.replace(position, flashed=flashed)
        if slow or next(iter(_values(rules, seen))) != next(iter(_values(rules, position))):
            return seen
    return seen


def _gap(values: dict[str, Fraction]) -> Fraction:
    """Between the best of playing and the best of not playing; two sizes are never hard."""
    played = max(value for action, value in values.items() if action.endswith("x"))
    return abs(played - max(value for action, value in values.items() if not action.endswith("x")))


def with_sizes_between(street: Street, values: dict[str, Fraction]) -> dict[str, Fraction]:
    """Where any size is allowed the value grows evenly from the least Play to the most."""
    least, most = street.least_multiple, street.most_multiple
    if least is None or most is None:
        return values
    low, high = values[f"{least}x"], values[f"{most}x"]
    between = {
        f"{size}x": low + (high - low) * (size - least) / (most - least)
        for size in range(least + 1, most)
    }
    return values | between


@lru_cache(maxsize=4)
def _rules(submission: str) -> Rules:
    registry = the_registry()
    checked = check(submission, registry).submission
    assert checked is not None, "a table plays by this submission"
    return checked.rules(registry)


def _values(
    rules: Rules, position: Position, solve: Callable[[Rules], Solution] | None = None
) -> dict[str, Fraction]:
    # The solver is imported where it counts: the table's own process never needs it.
    from croupier.exact.advice import advise
    from croupier.exact.solution_cache import known_hands, solved

    up = _read((position.up,) if position.up else ())
    own, board = _read(position.own), _read(position.board)
    if position.flashed:
        from croupier.protection.advice import advise as advise_knowing

        values = advise_knowing(rules, own, up + board, _read((position.flashed,)), ())
    else:
        hands = partial(known_hands, rules, lambda: (solve or solved)(rules))
        values = advise(rules, hands, own, board, up[0] if up else None)
    street = next(street for street in rules.book.streets if street.name == position.street)
    every = with_sizes_between(street, values)
    return dict(sorted(every.items(), key=lambda item: item[1], reverse=True))


def _dealt(rules: Rules, street: str, chance: Random) -> Iterator[Position]:
    """Random hands as they stand when this street is asked about."""
    places = {place.name: place.cards for place in rules.book.places}
    shown = rules.book.dealing[0].face_up(street)
    for _ in range(MOST_TRIES):
        names = [str(card) for card in chance.sample(DECK, places["box"] + shown.total())]
        own, in_sight = names[: places["box"]], names[places["box"] :]
        board, up = in_sight[: shown["board"]], "".join(in_sight[shown["board"] :])
        yield Position(street, tuple(own), tuple(board), up)


def _read(names: tuple[str, ...]) -> tuple[Card, ...]:
    return cards(" ".join(names))
