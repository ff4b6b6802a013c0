"""The cost of skill: what decisions gave away against the best ones, by exact values.

Every decision of a log is valued from the tables of the solver, so the figure is that of the log
and not an estimate. Of a log beyond :data:`MOST_KEPT` boxes so many are drawn, each as likely as
any other, and the standard error is told with the mean.

What a box could not do is nobody's mistake: a decision is held against the best of those that its
chips covered, as the coach does it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.audit.log.finding import counted
from croupier.audit.records import schema as rec
from croupier.exact.advice import advise
from croupier.exact.many_decisions import PositionRows, Valuer, ValueRows
from croupier.exact.solution import Solution
from croupier.facts.cards import Card
from croupier.facts.progress import Progress
from croupier.games.rules import Rules
from croupier.rulebook.book import Street

MOST_KEPT = 1_000_000
MOST_ON_BOARD = 5
UNDEALT = 255  # where nobody had to decide by a card, it may never have come
NONE, CHECK, FOLD, PLAY = range(4)  # what was done; nothing where a box had decided before
_DONE = {"check": CHECK, "fold": FOLD, "play": PLAY}
_NAMES = {CHECK: "check", FOLD: "fold"}
ALL_CHIPS = "all chips"


class Skill(msgspec.Struct, frozen=True):
    """Per box that had to decide, in Antes; ``perfect`` is the share that gave nothing away.

    ``error`` is None where every box was valued: the mean is then that of the log itself.
    ``unseen`` boxes decided with cards that the log does not name, and are in no figure.
    """

    decided: int
    valued: int
    unseen: int
    cost: float
    error: float | None
    perfect: float

    @property
    def summary(self) -> str:
        boxes = counted(self.decided, "box", "boxes")
        cost = f"{self.cost:.4f} Antes a box that decided"
        whole = f"every decision of {boxes} was valued exactly"
        if self.error is None:
            said = f"{cost}; {whole}, and {self.perfect:.0%} of the boxes gave nothing away"
        else:
            said = (
                f"{cost}, standard error {self.error:.4f}; {self.valued:,} of {boxes}, drawn by "
                f"chance, were valued exactly, and {self.perfect:.0%} of them gave nothing away"
            )
        if not self.unseen:
            return said
        unseen = counted(self.unseen, "box", "boxes")
        return f"{said}; {unseen} more decided with cards that the log does not name"


class StreetLosses(NamedTuple):
    """One street: the boxes that decided there, what each gave away, what it did, what was best.

    ``best`` and ``done`` are places in ``names``; a Play of a size that has no value of its own
    stands under the size that is nearest.
    """

    street: int
    boxes: NDArray[np.int64]
    given: NDArray[np.float64]
    done: NDArray[np.int64]
    best: NDArray[np.int64]
    names: tuple[str, ...]


@dataclass(frozen=True)
class ValuedBox:
    """A box whose decisions are valued: its cards, what it could see, and what it did.

    ``chips_cents`` is what it had left at each of them; None where the log does not say.
    """

    cards: tuple[Card, ...]
    board: tuple[Card, ...]
    up: Card | None
    decisions: tuple[rec.DecisionRecord, ...]
    ante_cents: int
    chips_cents: tuple[int | None, ...] = ()

    def covered(self, at: int) -> Fraction | None:
        """The largest Play in Antes that its chips covered; what it did play was covered."""
        chips = self.chips_cents[at] if at < len(self.chips_cents) else None
        if chips is None:
            return None
        return Fraction(max(chips, self.decisions[at].cents), self.ante_cents)


class ValuedBoxes:
    """The decisions of a log, a few bytes a box; beyond so many boxes a sample by chance."""

    def __init__(self, most: int = MOST_KEPT, seed: int = 1) -> None:
        self.decided = self.unseen = 0
        self._rows: list[bytes] = []
        self._shape: tuple[int, int, int] | None = None
        self._most, self._chance = most, Random(seed)

    def add(self, choice: ValuedBox, streets: int) -> None:
        up = () if choice.up is None else (choice.up,)
        shape = (len(choice.cards), len(up), streets)
        if self._shape not in (None, shape) or not choice.ante_cents:
            self.unseen += 1
            return
        self._shape = shape
        self.decided += 1
        at = len(self._rows)
        if at >= self._most:
            at = self._chance.randrange(self.decided)
            if at >= self._most:
                return
        board = bytes(card.number for card in choice.board)
        numbers = bytes(card.number for card in choice.cards)
        numbers += board.ljust(MOST_ON_BOARD, bytes([UNDEALT]))
        numbers += bytes(card.number for card in up)
        done = [_DONE[decision.action] for decision in choice.decisions[:streets]]
        multiples = [d.cents / choice.ante_cents for d in choice.decisions[:streets]]
        multiples += [0.0] * (streets - len(done))
        covered = (choice.covered(place) for place in range(len(done)))
        most = [math.inf if one is None else float(one) for one in covered]
        most += [math.inf] * (streets - len(done))
        row = numbers + bytes(done).ljust(streets, bytes([NONE]))
        row += np.array([*multiples, *most], dtype=np.float64).tobytes()
        self._rows[at : at + 1] = [row]

    def __len__(self) -> int:
        return len(self._rows)

    def losses(
        self, rules: Rules, solution: Solution, progress: Progress = lambda what, done: None
    ) -> NDArray[np.float64]:
        """By box: what its decisions gave away, in Antes."""
        total = np.zeros(len(self._rows))
        for street in self.by_street(Valuer(rules, solution, progress)):
            total[street.boxes] += street.given
        return total

    def by_street(self, valuer: Valuer) -> Iterator[StreetLosses]:
        """Every street on which somebody decided, the first one first."""
        if self._shape is None:
            return
        own, up, streets = self._shape
        cards = own + MOST_ON_BOARD + up
        raw = np.frombuffer(b"".join(self._rows), dtype=np.uint8).reshape(len(self._rows), -1)
        done = raw[:, cards : cards + streets]
        floats = np.ascontiguousarray(raw[:, cards + streets :]).view(np.float64)
        multiples, covered = floats[:, :streets], floats[:, streets:]
        for at in range(streets):
            deciding = np.flatnonzero(done[:, at] != NONE)
            if not len(deciding):
                continue
            rows, in_sight = raw[deciding], on_board(valuer.rules, at)
            values = valuer.values(
                PositionRows(
                    rows[:, :own],
                    rows[:, own : own + in_sight],
                    rows[:, own + MOST_ON_BOARD : cards],
                )
            )
            names, worths = _offered(values, covered[deciding, at], valuer.rules.book.streets[at])
            offered, played = np.array(worths), multiples[deciding, at]
            worth = _worth_of_done(values, done[deciding, at], played)
            yield StreetLosses(
                at,
                deciding,
                offered.max(axis=0) - worth,
                _places_of_done(names, done[deciding, at], played),
                offered.argmax(axis=0),
                names,
            )


def on_board(rules: Rules, street: int) -> int:
    """How many cards of a board are in sight when this street is asked about."""
    return rules.book.dealing[0].face_up(rules.book.streets[street].name)["board"]


def _offered(
    values: ValueRows, covered: NDArray[np.float64], street: Street
) -> tuple[tuple[str, ...], list[NDArray[np.float64]]]:
    """What each action is worth that the chips covered; of a range of sizes the largest too."""
    sizes = _sizes(values)
    names = [name for name in values if not name.endswith("x")]
    worths = [values[name] for name in names]
    names += [f"{size:g}x" for size, _ in sizes]
    worths += [np.where(size <= covered, value, -np.inf) for size, value in sizes]
    if street.least_multiple is not None and street.most_multiple is not None:
        least, most = street.least_multiple, street.most_multiple
        between = (least < covered) & (covered < most)
        at_most = _at_multiple(np.where(between, covered, least), sizes)
        names.append(ALL_CHIPS)
        worths.append(np.where(between, at_most, -np.inf))
    return tuple(names), worths


def _sizes(values: ValueRows) -> list[tuple[float, NDArray[np.float64]]]:
    sizes = [(float(name[:-1]), value) for name, value in values.items() if name.endswith("x")]
    return sorted(sizes, key=lambda one: one[0])


def _worth_of_done(
    values: ValueRows, done: NDArray[np.uint8], multiples: NDArray[np.float64]
) -> NDArray[np.float64]:
    worth = np.zeros(len(done))
    for code, name in _NAMES.items():
        if name in values:
            worth[done == code] = values[name][done == code]
    played = done == PLAY
    worth[played] = _at_multiple(
        multiples[played], [(size, value[played]) for size, value in _sizes(values)]
    )
    return worth


def _places_of_done(
    names: tuple[str, ...], done: NDArray[np.uint8], multiples: NDArray[np.float64]
) -> NDArray[np.int64]:
    """What was done as a place among the names; a Play under the size nearest to it."""
    places = np.zeros(len(done), dtype=np.int64)
    for code, name in _NAMES.items():
        if name in names:
            places[done == code] = names.index(name)
    sizes = [place for place, name in enumerate(names) if name.endswith("x")]
    if sizes:
        off = np.abs(multiples[:, None] - np.array([float(names[place][:-1]) for place in sizes]))
        nearest = np.array(sizes)[off.argmin(axis=1)]
        places = np.where(done == PLAY, nearest, places)
    return places


def _at_multiple(
    multiples: NDArray[np.float64], sizes: Sequence[tuple[float, NDArray[np.float64]]]
) -> NDArray[np.float64]:
    """A Play between two sizes is worth what lies between them: a result is linear in Play."""
    (least, at_least), (most, at_most) = sizes[0], sizes[-1]
    share = (multiples - least) / (most - least) if most > least else np.zeros(len(multiples))
    worth = at_least * (1 - share) + at_most * share
    for size, value in sizes:
        worth = np.where(multiples == size, value, worth)
    return worth


def skill_of(
    choices: ValuedBoxes,
    rules: Rules,
    solution: Solution,
    progress: Progress = lambda what, done: None,
) -> Skill | None:
    losses = choices.losses(rules, solution, progress)
    count = len(losses)
    if not count:
        return None
    error = None
    if count < choices.decided:
        left = 1 - count / choices.decided  # a sample of nearly all of them errs less
        error = float(losses.std(ddof=1)) * math.sqrt(left / count) if count > 1 else math.inf
    return Skill(
        decided=choices.decided,
        valued=count,
        unseen=choices.unseen,
        cost=float(losses.mean()),
        error=error,
        perfect=float(np.mean(losses == 0)),
    )


def lost(rules: Rules, solution: Solution, choice: ValuedBox) -> Fraction:
    """What the decisions of one box gave away, in Antes; exactly, one by one, and slowly."""
    total = Fraction(0)
    for at, decision in enumerate(choice.decisions):
        board = choice.board[: on_board(rules, at)]
        values = advise(rules, lambda: solution, choice.cards, board, choice.up)
        action = decision.action
        if action == "play":
            worth = _worth_of_play(values, Fraction(decision.cents, choice.ante_cents))
        else:
            worth = values[action]
        covered = choice.covered(at)
        total += max(_covered_values(values, rules.book.streets[at], covered)) - worth
    return total


def _covered_values(
    values: dict[str, Fraction], street: Street, covered: Fraction | None
) -> Iterator[Fraction]:
    """The worth of every action that so many Antes in chips covered."""
    for name, value in values.items():
        if covered is None or not name.endswith("x") or Fraction(name[:-1]) <= covered:
            yield value
    least, most = street.least_multiple, street.most_multiple
    if covered is not None and least is not None and most is not None and least < covered < most:
        yield _worth_of_play(values, covered)


def _worth_of_play(values: dict[str, Fraction], multiple: Fraction) -> Fraction:
    """A Play between two sizes is worth what lies between them: a result is linear in Play."""
    sizes = {Fraction(name[:-1]): value for name, value in values.items() if name.endswith("x")}
    if multiple in sizes:
        return sizes[multiple]
    least, most = min(sizes), max(sizes)
    if least == most:
        return sizes[least]
    share = (multiple - least) / (most - least)
    return sizes[least] * (1 - share) + sizes[most] * share
