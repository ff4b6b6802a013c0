"""The coach: what each choice is worth exactly, and hands that are hard; for practice only.

A page lets it count in a process of its own, so that a table never waits for it: everything that
goes in and comes out is plain text and numbers.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import permutations
from random import Random
from typing import TYPE_CHECKING

import msgspec

from croupier.facts.cards import DECK, Card, cards
from croupier.facts.hands import Category
from croupier.games.registry import the_registry
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.practice import reasons
from croupier.practice.explanation import Explanation, StrategyChart
from croupier.practice.reasons import ShowdownCount
from croupier.rulebook.book import Street
from croupier.submission.check import check

if TYPE_CHECKING:
    from croupier.exact.solution import Solution

HARD_ANTES = Fraction(1, 4)
MOST_TRIES, MOST_DEALS = 60, 2_000


class Worth(msgspec.Struct, frozen=True):
    """``antes`` is for showing; ``exact`` is the same value as a fraction."""

    action: str
    antes: float
    exact: str


class Position(msgspec.Struct, frozen=True):
    """What a player sees when a question is put to him; cards by their names.

    ``known`` are cards of the dealer that he should not have seen, ``dead`` those out of play.
    """

    street: str
    own: tuple[str, ...]
    board: tuple[str, ...] = ()
    up: str = ""
    known: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()


ActionCount = Callable[[Rules, Position], dict[str, Fraction]]
"""Who says what each action is worth, in Antes, of the sizes the least and the most."""


def get_ready() -> None:
    """A Ctrl-C is for who started the coach, not for the coach."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def worths(
    submission: str,
    position: Position,
    solve: Callable[[Rules], Solution] | None = None,
    count: ActionCount | None = None,
) -> tuple[Worth, ...]:
    """The exact value of each choice, the best first; ``solve`` may show how far it is, and
    ``count`` count instead of the solver."""
    values = _values(rules_of(submission), position, solve, count)
    return tuple(Worth(action, float(value), str(value)) for action, value in values.items())


def explained(submission: str, position: Position) -> tuple[tuple[Worth, ...], Explanation | None]:
    """The exact value of each choice, and why the best is the best; the reasons are those of who
    sees no more than he should."""
    # Reasons are counted where values are: the table's own process loads neither.
    from croupier.practice import showdown_counts

    return explained_by(submission, position, None, showdown_counts)


def explained_by(
    submission: str, position: Position, count: ActionCount | None, showdowns: ShowdownCount
) -> tuple[tuple[Worth, ...], Explanation | None]:
    """The same, with whoever counts values and showdowns."""
    rules = rules_of(submission)
    values = _values(rules, position, count=count)
    worths = tuple(Worth(action, float(value), str(value)) for action, value in values.items())
    if position.known or position.dead:
        return worths, None
    up = _read((position.up,) if position.up else ())
    own, board = _read(position.own), _read(position.board)
    why = reasons.explained(rules, position.street, own, board, up, values, showdowns)
    return worths, why


def hand_classes(submission: str, positions: Sequence[Position]) -> tuple[str, ...]:
    """What each of these hands is called, for a drill that remembers kinds of hands."""
    rules = rules_of(submission)
    return tuple(hand_class(rules, position) for position in positions)


def chart(submission: str) -> StrategyChart | None:
    """What is best with every hand of a table's game, where such a chart is known."""
    from croupier.practice.strategy_chart import strategy_chart

    return strategy_chart(rules_of(submission))


def hard_hand(
    submission: str,
    street: str,
    seed: int,
    wanted: str = "",
    asked: frozenset[Position] = frozenset(),
    count: ActionCount | None = None,
) -> tuple[Position, str]:
    """A hand where playing and not playing are worth about the same, and its class: what drills
    are made of. With a class, a hand of that class whatever it is worth; never one of those that
    were ``asked`` before, nor the same in other suits."""
    rules, chance = rules_of(submission), Random(seed)
    closest: tuple[Fraction, Position] | None = None
    for position in dealt(rules, street, chance, MOST_DEALS if wanted else MOST_TRIES):
        held = hand_class(rules, position)
        if (wanted and held != wanted) or in_one_suit_order(position) in asked:
            continue
        gap = _gap(_values(rules, position, count=count))
        if wanted or gap <= HARD_ANTES:
            return position, held
        if closest is None or gap < closest[0]:
            closest = gap, position
    if closest is None:  # all were asked before: then one of them again
        position = next(dealt(rules, street, chance, 1))
        return position, hand_class(rules, position)
    return closest[1], hand_class(rules, closest[1])


def hand_class(rules: Rules, position: Position) -> str:
    """What people call such a hand: two cards as in a chart, more by what they make."""
    held = _read(position.own + position.board)
    if len(held) < rules.game.ranking.size:
        high, low = sorted(_read(position.own), reverse=True)
        suited = "" if high.rank == low.rank else "s" if high.suit == low.suit else "o"
        return f"{high.rank.letter}{low.rank.letter}{suited}"
    made = rules.game.ranking.best(held)
    return made.aloud if made.category is Category.PAIR else str(made.category)


def in_one_suit_order(position: Position) -> Position:
    """The same for all hands that only the names of suits tell apart."""

    def renamed(names: Mapping[str, str]) -> Position:
        own, board = (
            tuple(sorted(card[0] + names[card[1]] for card in cards))
            for cards in (position.own, position.board)
        )
        up = position.up and position.up[0] + names[position.up[1]]
        return Position(position.street, own, board, up)

    orders = (dict(zip("shdc", names, strict=True)) for names in permutations("shdc"))
    return min(
        (renamed(names) for names in orders), key=lambda each: (each.own, each.board, each.up)
    )


def flashed_hand(
    submission: str, street: str, seed: int, count: ActionCount | None = None
) -> Position:
    """A hand that is played otherwise by who saw a card of the dealer: what surveillance drills
    are made of. Before the flop one count takes seconds, so there any hand will do."""
    rules, chance = rules_of(submission), Random(seed)
    board = rules.book.dealing[0].face_up(street)["board"]
    slow = shape_of(rules) is GameShape.HOLDEM and not board
    for position in dealt(rules, street, chance, MOST_TRIES):
        hidden = [card for card in map(str, DECK) if card not in (*position.own, *position.board)]
        flashed = chance.choice([card for card in hidden if card != position.up])
        seen = msgspec.structs.replace(position, known=(flashed,))
        if slow or _best(rules, seen, count) != _best(rules, position, count):
            return seen
    return seen


def _best(rules: Rules, position: Position, count: ActionCount | None) -> str:
    return next(iter(_values(rules, position, count=count)))


def _gap(values: Mapping[str, Fraction]) -> Fraction:
    """Between the best of playing and the best of not playing; two sizes are never hard."""
    played = max(value for action, value in values.items() if action.endswith("x"))
    return abs(played - max(value for action, value in values.items() if not action.endswith("x")))


def with_sizes_between(street: Street, values: dict[str, Fraction]) -> dict[str, Fraction]:
    """Where any size is allowed the value grows evenly from the least Play to the most."""
    if street.least_multiple is None:
        return values
    least, *inside, most = street.sizes
    low, high = values[f"{least}x"], values[f"{most}x"]
    between = {f"{size}x": low + (high - low) * (size - least) / (most - least) for size in inside}
    return values | between


@lru_cache(maxsize=4)
def rules_of(submission: str) -> Rules:
    registry = the_registry()
    checked = check(submission, registry).submission
    assert checked is not None, "a table plays by this submission"
    return checked.rules(registry)


@lru_cache(maxsize=512)  # a table asks, then the reasons, then the record
def _values(
    rules: Rules,
    position: Position,
    solve: Callable[[Rules], Solution] | None = None,
    count: ActionCount | None = None,
) -> Mapping[str, Fraction]:
    values = (count or partial(counted, solve))(rules, position)
    street = next(street for street in rules.book.streets if street.name == position.street)
    every = with_sizes_between(street, values)
    return dict(sorted(every.items(), key=lambda item: item[1], reverse=True))


def counted(
    solve: Callable[[Rules], Solution] | None, rules: Rules, position: Position
) -> dict[str, Fraction]:
    # The solver is imported where it counts: the table's own process never needs it.
    from croupier.exact.advice import advise
    from croupier.exact.solution_cache import known_hands, solved

    up = _read((position.up,) if position.up else ())
    own, board = _read(position.own), _read(position.board)
    if position.known or position.dead:
        from croupier.protection.advice import advise as advise_knowing

        return advise_knowing(rules, own, up + board, _read(position.known), _read(position.dead))
    hands = partial(known_hands, rules, lambda: (solve or solved)(rules))
    return advise(rules, hands, own, board, up[0] if up else None)


def dealt(rules: Rules, street: str, chance: Random, most: int) -> Iterator[Position]:
    """Random hands as they stand when this street is asked about."""
    places = {place.name: place.cards for place in rules.book.places}
    shown = rules.book.dealing[0].face_up(street)
    for _ in range(most):
        names = [str(card) for card in chance.sample(DECK, places["box"] + shown.total())]
        own, in_sight = names[: places["box"]], names[places["box"] :]
        board, up = in_sight[: shown["board"]], "".join(in_sight[shown["board"] :])
        yield Position(street, tuple(own), tuple(board), up)


def _read(names: tuple[str, ...]) -> tuple[Card, ...]:
    return cards(" ".join(names))
