"""The practice room: drives practice tables for pages, at a pace, one player at each.

It speaks to a table as everybody does, by commands. What happens next is the driver's; here is when
it happens, and the frame that a page is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from random import Random
from typing import Literal, Protocol, TypeVar
from uuid import uuid4

import msgspec

from croupier.facts.cards import cards
from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.games.rules import Rules
from croupier.ledger.store.port import Moved
from croupier.practice import coach, regulars
from croupier.practice.care import CareShown
from croupier.practice.driver import PACES, PracticeDriver, Step
from croupier.practice.evening import RoundResult
from croupier.practice.explanation import Explanation, StrategyChart
from croupier.practice.lesson import Advice, Question
from croupier.practice.regulars import YOU
from croupier.practice.winning_hand import winning_cards
from croupier.server.pit.table_actor import TableActor
from croupier.table import commands as do
from croupier.table.agenda import asked_box, phase
from croupier.table.due import Due
from croupier.table.events import AnyEvent
from croupier.table.state import State
from croupier.table.views import BACK, TableSight, View, Viewer

T = TypeVar("T")
Coaching = Literal["off", "before", "after"]
Level = Literal["brief", "reasons", "everything"]
MOST_HEARD = 6
SETTINGS, LIMITS = "settings", "limits"  # what a profile keeps of them


class PracticeSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the player chose: how fast, how many boxes are played, how the others decide, when the
    coach speaks and how much he says."""

    pace: Literal["calm", "brisk", "at once"] = "calm"
    seats: int = 3
    others: regulars.Style = regulars.USUAL_STYLE
    coach: Coaching = "off"
    level: Level = "reasons"


class PracticeRoom(msgspec.Struct, frozen=True):
    """What a practice page gets beside the view; ``winning`` are the cards of the higher
    hand, ``short_cents`` what your chips lack for the largest Play."""

    settings: PracticeSettings
    waits: Literal["wagers", "you", ""]
    skipping: bool
    heard: tuple[str, ...]
    holds: str
    hands: dict[str, str]
    advice: Advice | None
    mistakes_cents: float
    mattered: str
    short_cents: int
    winning: tuple[str, ...]
    evening: tuple[RoundResult, ...]
    care: CareShown


class PracticeFrame(msgspec.Struct, frozen=True):
    """A frame without a clock, with what a practice page gets beside it."""

    table: str
    version: int
    view: View
    since: int
    events: tuple[AnyEvent, ...]
    due: Due | None
    room: PracticeRoom


class CoachAsked(Protocol):
    """Whoever counts what choices are worth; a runner waits for nobody else."""

    async def worths(self, submission: str, seen: coach.Position) -> tuple[coach.Worth, ...]: ...

    async def explained(
        self, submission: str, seen: coach.Position
    ) -> tuple[tuple[coach.Worth, ...], Explanation | None]: ...


class Tutor:
    """The coach in a process of its own, started when somebody first asks."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def worths(self, submission: str, seen: coach.Position) -> tuple[coach.Worth, ...]:
        return await self._ask(coach.worths, submission, seen)

    async def explained(
        self, submission: str, seen: coach.Position
    ) -> tuple[tuple[coach.Worth, ...], Explanation | None]:
        return await self._ask(coach.explained, submission, seen)

    async def chart(self, submission: str) -> StrategyChart | None:
        return await self._ask(coach.chart, submission)

    async def hard_hand(
        self, submission: str, street: str, wanted: str, asked: frozenset[coach.Position]
    ) -> tuple[coach.Position, str]:
        seed = Random().getrandbits(32)
        return await self._ask(coach.hard_hand, submission, street, seed, wanted, asked)

    async def hand_classes(
        self, submission: str, positions: Sequence[coach.Position]
    ) -> tuple[str, ...]:
        return await self._ask(coach.hand_classes, submission, positions)

    async def flashed_hand(self, submission: str, street: str) -> coach.Position:
        return await self._ask(coach.flashed_hand, submission, street, Random().getrandbits(32))

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def _ask(self, work: Callable[..., T], *said: object) -> T:
        if self._pool is None:
            spawn = get_context("spawn")
            self._pool = ProcessPoolExecutor(1, spawn, initializer=coach.get_ready)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, work, *said)
        except BrokenProcessPool:
            self._pool = None
            raise Unavailable("the coach stopped; ask again") from None


class PracticeRunner:
    """Drives one table for pages: it gives the driver's commands at a pace, and sends frames."""

    def __init__(
        self,
        actor: TableActor,
        tutor: CoachAsked,
        settings: PracticeSettings,
        care: Callable[[], CareShown],
    ) -> None:
        self.actor, self._care = actor, care
        self.settings = settings = self.fitting(settings)
        self._driver = PracticeDriver(settings.seats, settings.others)
        self._tutor = tutor
        self._skip = self._hurries = False
        self._news = asyncio.Event()
        self._pages: set[asyncio.Event] = set()
        self._counts: set[asyncio.Task[None]] = set()

    # What the player asks for

    def choose(self, settings: PracticeSettings) -> None:
        most = self.state.terms.boxes
        if not 1 <= settings.seats <= most:
            raise Unreadable(f"this table has 1 to {most} boxes, not {settings.seats:,}")
        self.settings = settings
        self._driver.seats, self._driver.others = settings.seats, settings.others
        if settings.coach == "off":
            self._driver.lesson.turn_the_page()
        self._nudge()

    def fitting(self, settings: PracticeSettings) -> PracticeSettings:
        """The same with no more boxes than this table has."""
        seats = max(1, min(settings.seats, self.state.terms.boxes))
        return msgspec.structs.replace(settings, seats=seats)

    def deal(self, *, hurries: bool = False) -> None:
        """Close the betting when the others have wagered; who ``hurries`` has his cards at once."""
        is_open = phase(self.state) == "betting"
        if is_open and self._driver.seat(self.state) not in self.state.round.boxes:
            raise Unreadable("put your wagers on the felt first")
        self._driver.deals, self._hurries = True, hurries
        self._nudge()

    async def top_up(self) -> None:
        """Practice chips are free: as many more as one begins with."""
        before = self.state
        answer = await self.actor.ask(self._driver.top_up(before), f"house-{uuid4()}")
        self._driver.hear(answer.events, before, self.state)
        self._nudge()

    def skip(self) -> None:
        """Everything at once, until the player is asked or the round is over."""
        self._skip = True
        self._nudge()

    # What the player sees

    @property
    def state(self) -> State:
        return self.actor.kept.state

    @property
    def rounds(self) -> Sequence[RoundResult]:
        """What you played at this table since the program was started."""
        return self._driver.evening.rounds

    def go_on(self, rounds: Sequence[RoundResult]) -> None:
        """The evening began before this program did."""
        self._driver.evening.rounds[:0] = rounds

    def refresh(self) -> None:
        """Pages are sent what is new beside the table."""
        self._ring()

    @property
    def waiting(self) -> str:
        """A round of yours that was left, in words; nothing where none waits."""
        state = self.state
        yours = state.round.boxes.get(self._driver.seat(state))
        if yours is None or yours.player != YOU or yours.settled:
            return ""
        if state.round.stage == "betting":
            return f"Your wagers for round {state.round.number} lie on the felt."
        asked = asked_box(state) if phase(state) == "acting" else None
        is_asked = asked is not None and asked.seat == yours.seat
        what = "waits for your answer" if is_asked else "goes on when you come back"
        return f"Round {state.round.number} {what}."

    def frame(self, heard: int | None = None) -> bytes:
        """What a page gets that was last told of version ``heard``."""
        kept = self.actor.kept
        sight, you = TableSight(kept.state, kept.readings()), Viewer(role="player", name=YOU)
        shown, changes = sight.view(you), self.actor.unheard(heard)
        evening, lesson = self._driver.evening, self._driver.lesson
        room = PracticeRoom(
            settings=self.settings,
            waits=self._waits(shown),
            skipping=self._skip,
            heard=tuple(evening.heard[-MOST_HEARD:]),
            holds=_holds(self.state.terms.rules, shown, self._driver.seat(self.state)),
            hands=evening.hands,
            advice=lesson.advice,
            mistakes_cents=lesson.mistakes_cents,
            mattered=lesson.mattered,
            short_cents=self._driver.short_cents(self.state),
            winning=_winning(self.state.terms.rules, shown, self._driver.seat(self.state)),
            evening=tuple(evening.rounds),
            care=self._care(),
        )
        frame = PracticeFrame(
            table=self.actor.name,
            version=kept.version,
            view=shown,
            since=changes[0].since if changes else kept.version,
            events=tuple(event for change in changes for event in change.events(you)),
            due=sight.due(you),
            room=room,
        )
        return msgspec.json.encode(frame)

    def _waits(self, shown: View) -> Literal["wagers", "you", ""]:
        if shown.phase == "betting":
            return "" if self._driver.deals else "wagers"
        return "you" if any(option.do == "play" for option in shown.may) or _asks(shown) else ""

    async def frames(self) -> AsyncIterator[bytes]:
        """One page's frames: the first at once, the next when there is something new to show."""
        bell, heard = asyncio.Event(), None
        bell.set()
        self._pages.add(bell)
        try:
            while True:
                await bell.wait()
                bell.clear()
                frame, heard = self.frame(heard), self.actor.kept.version
                yield frame
        finally:
            self._pages.discard(bell)

    @property
    def is_busy(self) -> bool:
        """Whether the driver has something to do before it waits for the player."""
        return self._driver.next(self.actor.kept) is not None

    # The driver at work

    async def run(self) -> None:
        hears = asyncio.ensure_future(self._hear_changes())
        try:
            while True:
                self._news.clear()
                if self.settings.coach != "off":
                    self._ask_coach()
                if not await self._step():
                    # Whoever is waited for says again when to go on.
                    self._skip = self._driver.deals = False
                    self._ring()
                    await self._news.wait()
        finally:
            hears.cancel()

    async def _step(self) -> bool:
        """Give the driver's next command, if it has one; whether it had."""
        kept = self.actor.kept
        step = self._driver.next(kept)
        if step is None:
            return False
        command = await self._counted(step)
        self._hurries = self._hurries and not self._has_cards()
        await self._pause(0.0 if self._hurries else step.pause_s)
        if self.actor.kept.version != kept.version:
            return True
        before = self.state
        try:
            answer = await self.actor.ask(command, f"house-{uuid4()}", kept.version)
        except (Refusal, Unreadable, Unavailable, Moved):
            # The player was quicker, or the ledger is away: look again in a moment.
            await asyncio.sleep(0.05)
            return True
        self._driver.hear(answer.events, before, self.state)
        self._ring()
        return True

    def _has_cards(self) -> bool:
        box = self.state.round.boxes.get(self._driver.seat(self.state))
        return box is not None and bool(box.cards)

    async def _counted(self, step: Step) -> do.Command:
        if step.counts is None:
            return step.command
        state = self.state
        return self._driver.counted(state, step, await self._count(step.counts))

    def _ask_coach(self) -> None:
        """The coach counts beside the game: the player may answer before he has."""
        question = self._driver.question(self.state)
        if question is not None:
            task = asyncio.ensure_future(self._advise(question))
            self._counts.add(task)
            task.add_done_callback(self._counts.discard)

    async def _advise(self, question: Question) -> None:
        """The numbers first: the reasons behind them take as long again."""
        worths = await self._count(question.seen)
        if not worths:
            return
        self._driver.lesson.hear(question, worths)
        self._nudge()
        submission = self.actor.kept.installed.submission
        with suppress(Unavailable, Unreadable, Refusal):
            _, question.why = await self._tutor.explained(submission, question.seen)
            self._nudge()

    async def _count(self, seen: coach.Position) -> tuple[coach.Worth, ...]:
        """The worth of each choice; nothing where the coach is away or cannot count these rules."""
        try:
            return await self._tutor.worths(self.actor.kept.installed.submission, seen)
        except (Unavailable, Unreadable, Refusal):
            return ()

    async def _pause(self, pause_s: float) -> None:
        pause_s *= PACES[self.settings.pace]
        if pause_s and not self._skip:
            try:
                await asyncio.wait_for(self._skipped(), pause_s)
            except TimeoutError:
                return

    async def _skipped(self) -> None:
        while not self._skip:
            self._news.clear()
            await self._news.wait()

    async def _hear_changes(self) -> None:
        with self.actor.watched() as watch:
            while True:
                await watch.next()
                self._nudge()

    def _nudge(self) -> None:
        self._news.set()
        self._ring()

    def _ring(self) -> None:
        for bell in self._pages:
            bell.set()


def _asks(shown: View) -> bool:
    return any(option.do in ("check", "fold") for option in shown.may)


def _holds(rules: Rules, shown: View, seat: int) -> str:
    """The best hand among the cards the player sees now; nothing before there are enough."""
    own = next((box.cards for box in shown.boxes if box.seat == seat), ())
    board = tuple(name for name in shown.places.get("board", ()) if name != BACK)
    if not own or BACK in own or len(own) + len(board) < rules.game.ranking.size:
        return ""
    return rules.game.ranking.best(cards(" ".join(own + board))).aloud


def _winning(rules: Rules, shown: View, seat: int) -> tuple[str, ...]:
    """The cards that make the higher hand, once both lie open."""
    own = next((box.cards for box in shown.boxes if box.seat == seat and not box.folded), ())
    board, dealer = shown.places.get("board", ()), shown.places.get("dealer", ())
    if not own or not dealer or BACK in (*own, *board, *dealer):
        return ()
    return winning_cards(rules, own, board, dealer)
