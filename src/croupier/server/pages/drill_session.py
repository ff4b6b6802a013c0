"""Drills: hard hands one after the other, with a memory for kinds of hands that went wrong.

It knows no request, so that a room without a service drills by the same memory.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec

from croupier.facts.errors import Unreadable
from croupier.practice import coach
from croupier.practice.coach import in_one_suit_order
from croupier.practice.drill_memory import DrillMemory, DrillScore
from croupier.practice.explanation import Explanation
from croupier.practice.lesson import LEAST_COST
from croupier.practice.profile import Profile
from croupier.server.pages.practice_room import CoachAsked, PracticeRunner
from croupier.server.pages.record_reader import RecordReader

MEMORY = "drills"
LONGEST_S = 60.0  # who went away in between was not thinking


class Drill(msgspec.Struct, frozen=True):
    """``again`` is the kind of hand that comes back because it went wrong before."""

    id: str
    position: coach.Position
    again: str
    score: DrillScore
    leaks: tuple[str, ...]


class DrillAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    action: str


class DrillResult(msgspec.Struct, frozen=True):
    worths: tuple[coach.Worth, ...]
    why: Explanation | None
    score: DrillScore
    leaks: tuple[str, ...]


class DealtDrill(NamedTuple):
    """A hand that waits for its answer; without a ``kind`` it is not remembered."""

    submission: str
    position: coach.Position
    street: str
    kind: str
    at_s: float


class DrillTutor(CoachAsked, Protocol):
    """A coach who deals hands, too."""

    async def hard_hand(
        self, submission: str, street: str, wanted: str, asked: frozenset[coach.Position]
    ) -> tuple[coach.Position, str]: ...

    async def hand_classes(
        self, submission: str, positions: Sequence[coach.Position]
    ) -> tuple[str, ...]: ...

    async def flashed_hand(self, submission: str, street: str) -> coach.Position: ...


class DrillSession:
    """The drills of one evening: hands that wait for an answer, and those that were asked."""

    def __init__(self, profile: Profile, record: RecordReader, tutor: DrillTutor) -> None:
        self._profile, self._record, self._tutor = profile, record, tutor
        self._waiting: dict[str, DealtDrill] = {}
        self._asked: set[coach.Position] = set()
        self._memory = profile.note(MEMORY, DrillMemory) or DrillMemory()

    async def dealt(self, runner: PracticeRunner, number: int, *, flashed: bool) -> Drill:
        streets = runner.state.book.streets
        if not 0 <= number < len(streets):
            raise Unreadable("there is no such street")
        street = streets[number].name
        submission, tutor = runner.actor.kept.installed.submission, self._tutor
        where = f"{runner.state.book.id} {street}"
        if flashed:
            position = await tutor.flashed_hand(submission, street)
            return self._handed(DealtDrill(submission, position, where, "", time.monotonic()))
        await self._remember_mistakes(runner, street, where)
        due = self._memory.due(where).removeprefix(f"{where}, ")
        position, kind = await tutor.hard_hand(submission, street, due, frozenset(self._asked))
        self._asked.add(in_one_suit_order(position))
        drill = DealtDrill(submission, position, where, kind, time.monotonic())
        return self._handed(drill, again=due if kind == due else "")

    async def answered(self, data: DrillAnswer) -> DrillResult:
        if data.id not in self._waiting:
            raise Unreadable("this hand was answered already")
        drill = self._waiting.pop(data.id)
        seconds = min(time.monotonic() - drill.at_s, LONGEST_S)
        worths, why = await self._tutor.explained(drill.submission, drill.position)
        value = {worth.action: worth.antes for worth in worths}
        if data.action not in value:
            raise Unreadable(f"{data.action[:20]!r} is no choice here")
        cost = worths[0].antes - value[data.action]
        if drill.kind:
            kind, is_right = f"{drill.street}, {drill.kind}", cost <= LEAST_COST
            self._memory = self._memory.answered(drill.street, kind, cost, seconds, is_right)
            self._profile.keep_note(MEMORY, self._memory)
        return DrillResult(worths, why, *self._standing(drill.street))

    def _handed(self, drill: DealtDrill, again: str = "") -> Drill:
        name = secrets.token_urlsafe(8)
        self._waiting[name] = drill
        return Drill(name, drill.position, again, *self._standing(drill.street))

    def _standing(self, street: str) -> tuple[DrillScore, tuple[str, ...]]:
        leaks = self._memory.leaks(street)
        named = tuple(leak.removeprefix(f"{street}, ") for leak in leaks)
        return self._memory.scores.get(street, DrillScore()), named

    async def _remember_mistakes(self, runner: PracticeRunner, street: str, where: str) -> None:
        """What went wrong at the table is asked for in the drill."""
        book = runner.state.book.id
        rounds = await self._record.rounds()
        seen = [
            decision.seen
            for played in rounds
            for decision in played.decisions
            if played.rulebook == book and decision.seen.street == street and decision.cost_antes
        ]
        submission = runner.actor.kept.installed.submission
        kinds = await self._tutor.hand_classes(submission, seen) if seen else ()
        self._memory = self._memory.missed(f"{where}, {kind}" for kind in kinds)
