"""What knowing cards too early is worth: the value of an Ante, its risk, and what is done."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from croupier.exact.base_game import BaseGame
from croupier.exact.endings import Assumed, Endings
from croupier.exact.kernels.array_types import Int64s
from croupier.facts.csv_text import csv_text
from croupier.protection.knowledge import Knowledge
from croupier.rulebook.book import Paytable

Shares = tuple[tuple[str, Fraction], ...]
"""Actions by their chance."""

MOST_TELLING = 8
SIMPLE = "simple"
NO_SIMPLE_PLAYER = "No simple strategy that may be played here ships with this game."

_CSV_COLUMNS = (
    "known", "hand", "chance", "value", "honest_value", "gain", "first_gain", "best", "honest",
)  # fmt: skip


@dataclass(frozen=True)
class PlayValue:
    """The base game under one way of playing: its value and square in Antes, and what is done."""

    ev: Fraction
    square: Fraction
    average_wager: Fraction
    actions: Shares

    @property
    def variance(self) -> Fraction:
        return self.square - self.ev**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def element_of_risk(self) -> Fraction:
        """What is lost of everything wagered; below zero where the player wins."""
        return -self.ev / self.average_wager


@dataclass(frozen=True)
class StrategyLine:
    """One hand with known cards of some ranks, suits put together.

    ``best``, ``honest`` and ``simple`` are the first decision's actions by their chance among these
    deals: ``simple`` those of the strategy that ships with the game, None where none does.
    ``value`` is the best's, ``honest_value`` that of doing first what is best when nothing is known
    and then going on with what is known, ``throughout`` that of honest play to the end.
    """

    known: str
    hand: str
    chance: Fraction
    value: Fraction
    honest_value: Fraction
    throughout: Fraction
    best: Shares
    honest: Shares
    simple: Shares | None = None

    @property
    def gain(self) -> Fraction:
        """What knowing adds to the value of every Ante by these deals."""
        return self.chance * (self.value - self.throughout)

    @property
    def first_gain(self) -> Fraction:
        """What of it another first decision adds; the rest comes later in the round."""
        return self.chance * (self.value - self.honest_value)


def apart(line: StrategyLine, play: Shares | None = None) -> Fraction:
    """How often at least what is best here is not what this play, or honest play, does."""
    otherwise = dict(line.honest if play is None else play)
    each = (min(share, otherwise.get(action, Fraction(0))) for action, share in line.best)
    return 1 - sum(each, Fraction(0))


def most_revealing(lines: tuple[StrategyLine, ...], most: int) -> list[StrategyLine]:
    """The lines that bring most such rounds."""
    showing = [line for line in lines if apart(line)]
    return sorted(showing, key=lambda line: line.chance * apart(line), reverse=True)[:most]


KnownLines = list[tuple[int, Int64s]]
"""For all that can be known: how many choices of known cards are alike, and the deals by line."""


@dataclass(frozen=True)
class Detectability:
    """How often a first decision differs from another player's, and after how many rounds a test
    tells the two apart; None where that takes too many."""

    other: str
    share: Fraction
    rounds: int | None


Forfeited = Callable[[Paytable, str], KnownLines]
"""Counts a wager that a fold forfeits, by its paytable and what it looks at."""


@dataclass(frozen=True)
class SideWorth:
    """A side wager beside a player who knows.

    ``endings`` are those of a wager made in every round. ``chosen_ev`` is its value a round when
    it is made only where what is known makes it worth something, ``made`` how often that is; None
    where nobody asked.
    """

    endings: Endings
    assumed: Assumed
    reading: str | None
    chosen_ev: Fraction | None = None
    made: Fraction | None = None

    @property
    def ev(self) -> Fraction:
        return self.endings.ev(self.assumed)


@dataclass(frozen=True)
class KnowledgeWorth:
    """A game played at its best with some cards known, beside honest play.

    ``sides`` are the side wagers. Of one that depends on play only what a fold forfeits at Four
    Card Poker is counted; the others are named in ``not_counted``.
    """

    game: str
    rulebook: str
    paytables: tuple[tuple[str, str], ...]
    knows: Knowledge
    play: PlayValue
    honest_ev: Fraction
    lines: tuple[StrategyLine, ...]
    sides: tuple[SideWorth, ...] = ()
    not_counted: tuple[str, ...] = ()
    detectability: tuple[Detectability, ...] = ()

    @property
    def ev(self) -> Fraction:
        return self.play.ev

    @property
    def shows_note(self) -> str:
        """Why nothing is told of a simple player, where that is so."""
        told = any(each.other == SIMPLE for each in self.detectability)
        return "" if told else NO_SIMPLE_PLAYER

    @property
    def gain(self) -> Fraction:
        """How much more an Ante is worth than under the best honest play."""
        return self.play.ev - self.honest_ev

    def changes(self) -> list[StrategyLine]:
        """The lines on which something is decided otherwise, the most costly first."""
        changed = [line for line in self.lines if line.gain]
        return sorted(changed, key=lambda line: line.gain, reverse=True)

    def by_known(self) -> list[StrategyLine]:
        """All hands put together, for each of the known cards' ranks."""
        together: dict[str, list[StrategyLine]] = {}
        for line in self.lines:
            together.setdefault(line.known, []).append(line)
        return [_together(known, lines) for known, lines in together.items()]

    def to_json(self) -> str:
        return json.dumps(self.document())

    def to_csv(self) -> str:
        """One line for each hand and ranks of known cards."""
        rows = ((*_csv_row(line), self.rulebook) for line in self.lines)
        return csv_text(((*_CSV_COLUMNS, "rulebook"), *rows))

    def document(self) -> dict[str, Any]:
        """The answer as ``croupier protect --json`` prints it."""
        play = self.play
        return {
            "game": self.game,
            "rulebook": self.rulebook,
            "paytables": dict(self.paytables),
            "knows": self.knows.name,
            "ev": float(play.ev),
            "ev_exact": str(play.ev),
            "player_edge": float(play.ev),
            "house_edge": float(-play.ev),
            "element_of_risk": float(play.element_of_risk),
            "average_wager": float(play.average_wager),
            "standard_deviation": play.standard_deviation,
            "actions": {action: float(share) for action, share in play.actions},
            "actions_exact": {action: str(share) for action, share in play.actions},
            "honest_ev": float(self.honest_ev),
            "honest_ev_exact": str(self.honest_ev),
            "gain": float(self.gain),
            "gain_exact": str(self.gain),
            "side_wagers": self._side_documents(),
            "not_counted": list(self.not_counted),
            "shows": {
                each.other: {"first_decisions": float(each.share), "rounds": each.rounds}
                for each in self.detectability
            },
            "shows_note": self.shows_note,
            "telling": [
                {**_line_document(line), "of_rounds": float(line.chance * apart(line))}
                for line in most_revealing(self.lines, MOST_TELLING)
            ],
            "by_known": [_line_document(line) for line in self.by_known()],
            "changes": [_line_document(line) for line in self.changes()],
        }

    def _side_documents(self) -> dict[str, dict[str, Any]]:
        """By wager and paytable; where the hand that counts is open, by each reading of it too."""
        documents: dict[str, dict[str, Any]] = {}
        for side in self.sides:
            value: dict[str, Any] = {"ev": float(side.ev), "ev_exact": str(side.ev)}
            if side.chosen_ev is not None and side.made is not None:
                value["before_wagers"] = {
                    "ev": float(side.chosen_ev),
                    "ev_exact": str(side.chosen_ev),
                    "made": float(side.made),
                }
            by_table = documents.setdefault(side.endings.wager, {})
            first = by_table.setdefault(side.endings.paytable, dict(value))
            if side.reading is not None:
                first.setdefault("readings", {})[side.reading] = value
        return documents

    def __str__(self) -> str:
        return (
            f"{self.game} under {self.rulebook}, knowing {self.knows.says}: an Ante is worth "
            f"{100 * float(self.ev):+.4f}%, {100 * float(self.gain):+.4f} points more than honest "
            f"play; standard deviation {self.play.standard_deviation:.4f} Antes; exactly {self.ev}"
        )


def play_of(base: BaseGame) -> PlayValue:
    """What a counted base game says of itself."""
    ways = base.action_ways().items()
    return PlayValue(
        base.ev,
        base.moment(2),
        base.average_wager,
        tuple((action, Fraction(number, base.deals)) for action, number in ways),
    )


def line_of(
    known: str, hand: str, numbers: list[int], actions: Sequence[str], unit: int, total: int,
    throughout: int | None = None,
) -> StrategyLine:  # fmt: skip
    """A line from what kernels add up: deals, the best value and the honest one in units, then
    deals by best action, by honest action and, where there is a simple player, by his. A game of
    one decision ends with the first."""
    deals, value, honest_value, *done = numbers

    def shares(counts: list[int]) -> Shares:
        both = zip(actions, counts, strict=True)
        return tuple((action, Fraction(number, deals)) for action, number in both if number)

    best, honest, simple = (done[at * len(actions) : (at + 1) * len(actions)] for at in range(3))
    return StrategyLine(
        known,
        hand,
        Fraction(deals, total),
        Fraction(value, unit * deals),
        Fraction(honest_value, unit * deals),
        Fraction(honest_value if throughout is None else throughout, unit * deals),
        shares(best),
        shares(honest),
        shares(simple) if simple else None,
    )


def _together(known: str, lines: list[StrategyLine]) -> StrategyLine:
    chance = sum((line.chance for line in lines), Fraction(0))

    def mean(numbers: Iterable[Fraction]) -> Fraction:
        weighed = (line.chance * number for line, number in zip(lines, numbers, strict=True))
        return sum(weighed, Fraction(0)) / chance

    def shares(done: list[tuple[tuple[str, Fraction], ...]]) -> tuple[tuple[str, Fraction], ...]:
        names = dict.fromkeys(name for each in done for name, _ in each)
        return tuple(
            (name, mean(dict(each).get(name, Fraction(0)) for each in done)) for name in names
        )

    return StrategyLine(
        known,
        "any hand",
        chance,
        mean(line.value for line in lines),
        mean(line.honest_value for line in lines),
        mean(line.throughout for line in lines),
        shares([line.best for line in lines]),
        shares([line.honest for line in lines]),
    )


def _line_document(line: StrategyLine) -> dict[str, Any]:
    return {
        "known": line.known,
        "hand": line.hand,
        "chance": float(line.chance),
        "value": float(line.value),
        "honest_value": float(line.throughout),
        "gain": float(line.gain),
        "first_gain": float(line.first_gain),
        "best": {action: float(share) for action, share in line.best},
        "honest": {action: float(share) for action, share in line.honest},
    }


def shares_text(done: Shares) -> str:
    """``4x`` where it is always done, ``4x 25%, check 75%`` where it depends on suits."""
    if len(done) == 1:
        return done[0][0]
    return ", ".join(f"{action} {100 * float(share):.0f}%" for action, share in done)


def _csv_row(line: StrategyLine) -> tuple[object, ...]:
    numbers = (line.chance, line.value, line.throughout, line.gain, line.first_gain)
    shares = (shares_text(line.best), shares_text(line.honest))
    return line.known, line.hand, *map(float, numbers), *shares
