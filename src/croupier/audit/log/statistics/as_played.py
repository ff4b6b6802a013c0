"""Edge as played: what the table earns in theory by the decisions that were made.

Every decision is valued exactly. The best play is worth the edge of the solution on each Ante, and
what decisions gave away comes on top of it: so a sum over the log is the theoretical win as played,
whatever the cards brought. The standard error says how far the same players may be from it over
many rounds; boxes of one round share cards, so rounds are what is counted. Boxes are valued a batch
at a time, in the same room however long the log is.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.audit.log.case import RoundCase
from croupier.audit.log.statistics.counts import (
    base_result,
    came_back,
    cards_lying,
    lines_by_box,
    valued_box,
)
from croupier.audit.log.statistics.skill import StreetLosses, ValuedBoxes
from croupier.audit.records import schema as rec
from croupier.exact.many_decisions import Valuer
from croupier.exact.solution_cache import solved
from croupier.facts.errors import Refusal
from croupier.facts.progress import Progress
from croupier.games.rules import Rules

BATCH = 1 << 16
NOTHING = 1e-9  # Antes; what two ways to add up the same floats may differ by
WHOLE = "all"


class PlayedFigures(msgspec.Struct, frozen=True):
    """Boxes that decided, by who or where they were; money is the table's, in cents.

    ``optimal_cents`` is the theoretical win of the base game had they played best, and
    ``given_away_cents`` what they gave beside; ``error_cents`` is the standard error of that.
    ``street_cents`` parts it by street.
    """

    of: str
    boxes: int
    decisions: int
    mistakes: int
    ante_cents: int
    won_cents: int
    optimal_cents: float
    given_away_cents: float
    error_cents: float | None
    street_cents: dict[str, float]

    @property
    def as_played_cents(self) -> float:
        return self.optimal_cents + self.given_away_cents

    @property
    def edge(self) -> float:
        """As played, of the Ante."""
        return self.as_played_cents / self.ante_cents

    @property
    def error(self) -> float | None:
        return None if self.error_cents is None else self.error_cents / self.ante_cents


class StreetPlayed(msgspec.Struct, frozen=True):
    street: str
    decisions: int
    mistakes: int
    given_away_cents: float
    error_cents: float | None


class CostlyChoice(msgspec.Struct, frozen=True):
    """What was done where something else was best: how often, and what it cost the players."""

    street: str
    done: str
    best: str
    times: int
    given_away_cents: float


class AsPlayed(msgspec.Struct, frozen=True):
    """The rounds under one set of Rules; ``unseen`` boxes decided by cards that are not named."""

    rulebook: str
    optimal_edge: float
    rounds: int
    unseen: int
    whole: PlayedFigures
    tables: tuple[PlayedFigures, ...]
    players: tuple[PlayedFigures, ...]
    streets: tuple[StreetPlayed, ...]
    mistakes: tuple[CostlyChoice, ...]


class PlayedDecisions:
    """Hears of every round; a game whose decisions cannot be valued is passed over and told."""

    def __init__(self) -> None:
        self.progress: Progress = lambda what, done: None
        self.passed_over: dict[str, str] = {}
        self._by_rules: dict[Rules, _PlayedRules] = {}
        self._last: _PlayedRules | None = None

    def __call__(self, case: RoundCase) -> None:
        if not case.is_settled or case.record.still_settles or not case.record.boxes:
            return
        if self._last is None or self._last.rules is not case.rules:
            if case.rules not in self._by_rules:
                self._by_rules[case.rules] = _PlayedRules(case.rules)
            self._last = self._by_rules[case.rules]
        if case.rules.game.name not in self.passed_over:
            self._last.add(case)
            if self._last.waiting >= BATCH:
                self._value(self._last)

    def found(self) -> tuple[AsPlayed, ...]:
        """One for each set of Rules by which somebody decided, in the order they came."""
        for played in self._by_rules.values():
            if played.rules.game.name not in self.passed_over:
                self._value(played)
        return tuple(played.figures() for played in self._by_rules.values() if played.boxes)

    def _value(self, played: _PlayedRules) -> None:
        try:
            played.value(self.progress)
        except Refusal as refusal:
            self.passed_over[played.rules.game.name] = refusal.sentence


_SUMS = ("boxes", "decisions", "mistakes", "ante", "won", "given")
_OF_ROUNDS = ("rounds", "ante squared", "ante by given", "given squared")
_Column = NDArray[Any]


class GroupSums:
    """Sums by group, over boxes and over rounds: what a ratio and its standard error need."""

    def __init__(self, *streets: str) -> None:
        self.names: dict[str, int] = {}
        self._columns = {name: at for at, name in enumerate((*_SUMS, *_OF_ROUNDS, *streets))}
        self._sums: NDArray[np.float64] = np.zeros((0, len(self._columns)))

    def number(self, name: str) -> int:
        return self.names.setdefault(name, len(self.names))

    def add(
        self, of: NDArray[np.int64], rounds: NDArray[np.int64], columns: dict[str, _Column]
    ) -> None:
        """``of`` is the group of each box and ``rounds`` its round; columns are by box."""
        groups = len(self.names)
        new = np.zeros((groups - len(self._sums), len(self._columns)))
        self._sums = np.vstack([self._sums, new])
        width = int(rounds.max()) + 1
        both, place = np.unique(of * width + rounds, return_inverse=True)
        ante = np.bincount(place, columns["ante"])
        given = np.bincount(place, columns["given"])
        squares = np.ones(len(both)), ante**2, ante * given, given**2
        for name, column in columns.items():
            self._sums[:, self._columns[name]] += np.bincount(of, column, groups)
        for name, column in zip(_OF_ROUNDS, squares, strict=True):
            self._sums[:, self._columns[name]] += np.bincount(both // width, column, groups)

    def of(self, name: str) -> dict[str, float]:
        return dict(zip(self._columns, self._sums[self.names[name]].tolist(), strict=True))


def standard_error(sums: dict[str, float]) -> float | None:
    """Of what was given away at these Antes: rounds are drawn, and both vary with them."""
    rounds = sums["rounds"]
    if rounds < 2:
        return None
    ratio = sums["given"] / sums["ante"]
    squares = sums["given squared"] - 2 * ratio * sums["ante by given"]
    squares += ratio**2 * sums["ante squared"]
    return math.sqrt(max(squares, 0.0) * rounds / (rounds - 1))


class _PlayedRules:
    """The decisions under one set of Rules, those of a batch still to be valued."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self._streets = rules, [street.name for street in rules.book.streets]
        self.rounds = self.boxes = self.unseen = 0
        self._whole, self._tables, self._players = (GroupSums(*self._streets) for _ in range(3))
        self._by_street = GroupSums()
        self._mistakes: dict[tuple[str, str, str], tuple[int, float]] = {}
        self._begin()

    def _begin(self) -> None:
        self._kept = ValuedBoxes()
        self._rows: list[tuple[int, int, int, int, int]] = []

    @property
    def waiting(self) -> int:
        return len(self._rows)

    @cached_property
    def _valuer(self) -> Valuer:
        return Valuer(self.rules, solved(self.rules, self._progress), self._progress)

    def add(self, case: RoundCase) -> None:
        record, lying = case.record, cards_lying(case.record)
        lines = lines_by_box(record)
        self.rounds += 1
        for box in record.boxes:
            if not box.decisions:
                continue
            choice = valued_box(case, box, lying, by_chips=False)
            if choice is None or not choice.ante_cents:
                self.unseen += 1
                continue
            self._kept.add(choice, len(case.book.streets))
            stakes = {wager.wager: wager.cents for wager in box.wagers}
            ante, net = base_result(case, stakes, came_back(lines.get(box.seat, ())))
            player, table = _names(record, box)
            numbers = self._tables.number(table), self._players.number(player)
            self._rows.append((*numbers, self.rounds, ante, -net))

    def value(self, progress: Progress) -> None:
        """The batch; whoever waits is told how it goes."""
        if not self._rows:
            return
        self._progress = progress
        table, player, rounds, ante, won = np.array(self._rows, dtype=np.int64).T
        boxes = len(self._rows)
        given = np.zeros((len(self._streets), boxes))
        decided, mistaken = np.zeros((2, *given.shape), dtype=np.int64)
        for street in self._kept.by_street(self._valuer):
            wrong = street.given > NOTHING
            decided[street.street, street.boxes] = 1
            mistaken[street.street, street.boxes] = wrong
            given[street.street, street.boxes] = street.given * wrong * ante[street.boxes]
            self._note_mistakes(street, wrong, given[street.street, street.boxes])
        all_streets = dict(zip(self._streets, given, strict=True))
        columns: dict[str, _Column] = {
            "boxes": np.ones(boxes), "decisions": decided.sum(axis=0),
            "mistakes": mistaken.sum(axis=0), "ante": ante, "won": won, "given": given.sum(axis=0),
        }  # fmt: skip
        whole = np.full(boxes, self._whole.number(WHOLE))
        for sums, of in ((self._whole, whole), (self._tables, table), (self._players, player)):
            sums.add(of, rounds, columns | all_streets)
        for name in self._streets:
            self._by_street.number(name)
        for at, lost in enumerate(given):
            of_street = {"decisions": decided[at], "mistakes": mistaken[at], "given": lost}
            self._by_street.add(np.full(boxes, at), rounds, {"ante": ante, **of_street})
        self.boxes += boxes
        self._begin()

    def _note_mistakes(
        self, street: StreetLosses, wrong: NDArray[np.bool_], cents: NDArray[np.float64]
    ) -> None:
        names, name = street.names, self._streets[street.street]
        pairs = street.done[wrong] * len(names) + street.best[wrong]
        for pair in np.unique(pairs).tolist():
            key = name, names[pair // len(names)], names[pair % len(names)]
            times, lost = self._mistakes.get(key, (0, 0.0))
            is_it = pairs == pair
            self._mistakes[key] = times + int(is_it.sum()), lost + float(cents[wrong][is_it].sum())

    # Figures

    def figures(self) -> AsPlayed:
        edge = -float(self._valuer.solution.base.ev)
        return AsPlayed(
            rulebook=self.rules.book.id,
            optimal_edge=edge,
            rounds=self.rounds,
            unseen=self.unseen,
            whole=self._groups(self._whole, edge)[0],
            tables=self._groups(self._tables, edge),
            players=self._groups(self._players, edge),
            streets=tuple(self._street(name) for name in self._streets),
            mistakes=tuple(
                sorted(
                    (CostlyChoice(*key, *found) for key, found in self._mistakes.items()),
                    key=lambda one: -one.given_away_cents,
                )
            ),
        )

    def _groups(self, groups: GroupSums, edge: float) -> tuple[PlayedFigures, ...]:
        """Whoever staked most comes first."""
        found = [self._group(name, groups.of(name), edge) for name in groups.names]
        return tuple(sorted(found, key=lambda one: (-one.ante_cents, one.of)))

    def _group(self, name: str, sums: dict[str, float], edge: float) -> PlayedFigures:
        return PlayedFigures(
            of=name,
            boxes=round(sums["boxes"]),
            decisions=round(sums["decisions"]),
            mistakes=round(sums["mistakes"]),
            ante_cents=round(sums["ante"]),
            won_cents=round(sums["won"]),
            optimal_cents=edge * sums["ante"],
            given_away_cents=sums["given"],
            error_cents=standard_error(sums),
            street_cents={street: sums[street] for street in self._streets},
        )

    def _street(self, name: str) -> StreetPlayed:
        sums = self._by_street.of(name)
        return StreetPlayed(
            street=name,
            decisions=round(sums["decisions"]),
            mistakes=round(sums["mistakes"]),
            given_away_cents=sums["given"],
            error_cents=standard_error(sums),
        )


def _names(record: rec.RoundRecord, box: rec.BoxRecord) -> tuple[str, str]:
    """Who decided, and at which table; who has no name is his box."""
    return box.player or f"box {box.seat} of table {record.table}", record.table
