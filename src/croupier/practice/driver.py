"""A sans-I/O driver of a practice table: everybody but one player, for a terminal or a page.

It says what happens next and how long to wait before it, and hears what came of it. It never
decides for the player, and closes the betting only when the player says so; who leaves is reported
absent, and the round ends without him.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from croupier.ledger.envelope import SYSTEM
from croupier.ledger.kept_table import LedgerTable
from croupier.practice import coach, regulars
from croupier.practice.evening import Evening
from croupier.practice.lesson import Lesson, Question, position
from croupier.practice.numbers import PlayersNumbers
from croupier.practice.regulars import YOU
from croupier.table import commands as do
from croupier.table.agenda import asked_box, phase
from croupier.table.automatic_dealer import next_duty
from croupier.table.events import BoxSettled, CardsCleared, Event
from croupier.table.feasibility import enough
from croupier.table.handlers.chips import kinds_taken
from croupier.table.handlers.numbers import SHOW_WITHIN_S, unshown
from croupier.table.state import Box, State

BROUGHT_CENTS = 1_000_00
PACES: Mapping[str, float] = {"calm": 1.0, "brisk": 0.45, "at once": 0.0}
"""How much of each pause is waited."""

PAUSES_S: Mapping[type[do.Command], float] = {
    do.PlaceWagers: 0.25,
    do.NoMoreBets: 0.7,
    do.Deal: 0.75,
    do.Check: 0.85,
    do.Play: 0.85,
    do.Fold: 0.85,
    do.Reveal: 1.3,
    do.SettleBox: 1.0,
    do.ClearCards: 0.6,
}


class Step(NamedTuple):
    """``counts`` is what a coach counts first, where a regular answers with the best there is."""

    command: do.Command
    pause_s: float = 0.0
    counts: coach.Position | None = None


class PracticeDriver:
    """``own_seat`` is the box you take where you have none; without it one in the middle.

    ``keeps_yours``: your number for the shuffle is made and shown here, not by a page of yours.
    """

    def __init__(
        self,
        seats: int,
        others: regulars.Style = regulars.USUAL_STYLE,
        own_seat: int | None = None,
        *,
        keeps_yours: bool = False,
    ) -> None:
        self.seats, self.others, self._own_seat = seats, others, own_seat
        self.numbers, self._keeps_yours = PlayersNumbers(), keeps_yours
        self.deals = self.leaves = False  # what the player has said
        self.evening, self.lesson = Evening(), Lesson()

    def seat(self, state: State) -> int:
        """Your box, or the one you would take."""
        own = [seat for seat, name in state.seats.items() if name == YOU]
        return own[0] if own else self._own_seat or (state.terms.boxes + 1) // 2

    # What happens next

    def next(self, table: LedgerTable) -> Step | None:
        """What happens next at the table, or None where it waits for you."""
        state = table.state
        asked = asked_box(state) if phase(state) == "acting" and state.hold is None else None
        if self.leaves and self._is_missed(state):
            return Step(do.ReportAbsence(by="dealer", role="dealer", box=self.seat(state)))
        if asked is not None and not asked.absent:
            return self._answer(state, asked)
        if waits := unshown(state):
            return self._show(state, waits)
        if phase(state) == "betting" and state.hold is None:
            command = self._before_the_deal(table)
        else:
            command = next_duty(state, table.shoe(), table.readings())
        return None if command is None else Step(command, PAUSES_S.get(type(command), 0.0))

    def _show(self, state: State, waits: Sequence[Box]) -> Step | None:
        """A number that was forgotten voids the round when its time is up; a page has its own."""
        for box in waits:
            if (command := self.numbers.shown(state, box)) is not None:
                return Step(command)
        if any(box.player != YOU for box in waits) or self._keeps_yours:
            late = do.VoidUnshown(by=SYSTEM, role="device")
            return Step(do.with_readings(late, state.meters), SHOW_WITHIN_S)
        return None

    def counted(self, state: State, step: Step, worths: Sequence[coach.Worth]) -> do.Command:
        """A regular's answer once the coach has counted; without a count, the simple one."""
        return regulars.answer(state, worths[0].action) if worths else step.command

    def _is_missed(self, state: State) -> bool:
        """Whether you left in the middle of a round, and nobody has said so yet."""
        box = state.round.boxes.get(self.seat(state))
        in_round = box is not None and state.round.stage != "betting"
        return in_round and box is not None and not box.settled and not box.absent

    def _answer(self, state: State, asked: Box) -> Step | None:
        if asked.player == YOU:
            return Step(regulars.decision(state)) if self.leaves else None
        command = regulars.decision(state, self.others)
        counts = position(state, asked) if self.others == "optimal" else None
        return Step(command, PAUSES_S[type(command)], counts)

    def _before_the_deal(self, table: LedgerTable) -> do.Command | None:
        """The table is made ready; the others wager and the betting closes once you say so."""
        state = table.state
        if self.leaves:
            return next(_departure(state), None)
        if not state.round.boxes or YOU not in state.seats.values():
            for moved in self._seating(state):
                return moved
        duty = next_duty(state, table.shoe(), table.readings())
        closes = isinstance(duty, do.NoMoreBets | do.WithdrawWagers)
        if duty is not None and not closes:
            return duty
        if not self.deals or self.seat(state) not in state.round.boxes:
            return None
        for seat, name in state.seats.items():
            if seat not in state.round.boxes and name != YOU:
                first = regulars.wagers(state, seat)[0]
                assert isinstance(first, do.PlaceWagers)
                return self.numbers.committed(state, first)
        return duty

    def _seating(self, state: State) -> Iterator[do.Command]:
        """Who shall sit sits, with chips; who shall not takes his chips and leaves."""
        mine = self.seat(state)
        wanted, kind = _nearest(mine, state.terms.boxes, self.seats), kinds_taken(state)[0]
        for seat, name in sorted(state.seats.items()):
            if seat not in wanted and seat not in state.round.boxes:
                yield from _leave(state, seat, name)
        for seat in wanted:
            if seat not in state.seats:
                name = YOU if seat == mine else regulars.name_of(seat)
                yield do.TakeBox(by=name, role="player", box=seat)
            elif state.terms.keeps_chips and state.chips.get(seat, 0) < _enough(state, seat):
                yield do.BuyIn(
                    by="dealer", role="dealer", box=seat, cents=BROUGHT_CENTS, taken=kind
                )

    def short_cents(self, state: State) -> int:
        """What your chips lack, while the betting is open, for the largest Play wagers that the
        stakes on the felt may lead to; 0 where they suffice."""
        box = state.round.boxes.get(self.seat(state))
        if box is None or phase(state) != "betting" or not state.terms.keeps_chips:
            return 0
        ante = box.stakes.get(state.terms.play[1], 0)
        most: dict[str, int] = {}
        for street in state.book.streets:
            played = state.book.played_on(street).name
            most[played] = max(most.get(played, 0), street.most)
        return max(0, ante * sum(most.values()) - state.chips.get(box.seat, 0))

    def top_up(self, state: State) -> do.Command:
        """More practice chips, which are free, for your box."""
        kind = kinds_taken(state)[0]
        seat = self.seat(state)
        return do.BuyIn(by="dealer", role="dealer", box=seat, cents=BROUGHT_CENTS, taken=kind)

    # What happened

    def hear(self, events: Sequence[Event], before: State, after: State) -> None:
        """What came of a command, whoever gave it."""
        for event in events:
            own = isinstance(event, BoxSettled) and event.box == self.seat(before)
            if own or isinstance(event, CardsCleared):
                self.deals = False
        if phase(before) == "betting" and phase(after) != "betting":
            self.lesson.turn_the_page()
        self.evening.hear(events, before, after)

    def question(self, state: State) -> Question | None:
        """What a coach is to count now; the answer to the question before is noted."""
        return self.lesson.look(state, YOU)


def _departure(state: State) -> Iterator[do.Command]:
    """Everybody takes back what lies there, cashes out and leaves."""
    for seat in state.round.boxes:
        yield do.WithdrawWagers(by=state.seats[seat], role="player", box=seat)
    for seat, name in sorted(state.seats.items()):
        yield from _leave(state, seat, name)
    for name in state.kept:
        yield do.PayKept(by=name, role="player", player=name)


def _leave(state: State, seat: int, name: str) -> Iterator[do.Command]:
    if state.chips.get(seat, 0):
        yield do.CashOut(by=name, role="player", box=seat)
    yield do.LeaveBox(by=name, role="player", box=seat)


def _nearest(mine: int, boxes: int, seats: int) -> list[int]:
    """So many boxes around yours, yours first."""
    others = sorted(range(1, boxes + 1), key=lambda seat: (abs(seat - mine), -seat))
    return others[:seats]


def _enough(state: State, seat: int) -> int:
    """A regular keeps half of what he brought; you get more when you cannot open a hand."""
    return opening_cents(state) if state.seats[seat] == YOU else BROUGHT_CENTS // 2


def opening_cents(state: State) -> int:
    """The least that opens a hand."""
    usual = enough(state.book.opening)[0]
    return sum(state.terms.limit_of[name].minimum_cents for name in usual)
