"""The practice room: tables where a house works by itself, at a pace, for one player.

It speaks to a table as everybody does, by commands; what it adds for the player is when things
happen, what was heard, the evening so far and, where he wants one, a coach.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from random import Random
from typing import Literal, TypeVar
from uuid import uuid4

import msgspec

from croupier.facts.cards import cards
from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.games.rules import Rules
from croupier.ledger.store.port import Moved
from croupier.practice import coach, regulars
from croupier.practice.announcements import overheard
from croupier.practice.driver import PACES, next_of, seat_of
from croupier.server.pages.lesson import Advice, Lesson, position
from croupier.server.pit.table_actor import TableActor
from croupier.table import commands as do
from croupier.table.agenda import asked_box, phase
from croupier.table.due import Due
from croupier.table.events import (
    AnyEvent,
    BoxSettled,
    BoxTurned,
    CardsCleared,
    DealerRevealed,
    Event,
)
from croupier.table.state import State
from croupier.table.views import BACK, LineView, TableSight, View, Viewer, view

YOU = "You"
T = TypeVar("T")
Coaching = Literal["off", "before", "after"]
MOST_HEARD = 6


class PracticeSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the player chose: how fast, how many boxes are played, how the others decide, and when
    the coach speaks."""

    pace: Literal["calm", "brisk", "at once"] = "calm"
    seats: int = 3
    others: regulars.Style = regulars.USUAL_STYLE
    coach: Coaching = "off"


class RoundResult(msgspec.Struct, frozen=True):
    """One round of the evening, for the curve and the list."""

    round: int
    net_cents: int
    staked_cents: int
    hand: str
    dealer: str
    cards: tuple[str, ...]
    lines: tuple[LineView, ...]


class PracticeRoom(msgspec.Struct, frozen=True):
    """What a practice page gets beside the view."""

    settings: PracticeSettings
    waits: Literal["wagers", "you", ""]
    skipping: bool
    heard: tuple[str, ...]
    holds: str
    hands: dict[str, str]
    advice: Advice | None
    mistakes_cents: float
    evening: tuple[RoundResult, ...]


class PracticeFrame(msgspec.Struct, frozen=True):
    """A frame without a clock, with what a practice page gets beside it."""

    table: str
    version: int
    view: View
    since: int
    events: tuple[AnyEvent, ...]
    due: Due | None
    room: PracticeRoom


class Tutor:
    """The coach in a process of its own, started when somebody first asks."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def worths(self, submission: str, seen: coach.Position) -> tuple[coach.Worth, ...]:
        return await self._ask(coach.worths, submission, seen)

    async def hard_hand(self, submission: str, street: str) -> coach.Position:
        return await self._ask(coach.hard_hand, submission, street, Random().getrandbits(32))

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
    """One table's house: it does what is next, or waits for the player."""

    def __init__(self, actor: TableActor, tutor: Tutor, settings: PracticeSettings) -> None:
        self.actor, self.settings = actor, settings
        self._tutor = tutor
        self._deal = self._skip = False
        self._heard: list[str] = []
        self._hands: dict[str, str] = {}
        self._evening: list[RoundResult] = []
        self._lesson = Lesson(self._count, self._nudge)
        self._news = asyncio.Event()
        self._pages: set[asyncio.Event] = set()

    # What the player asks for

    def choose(self, settings: PracticeSettings) -> None:
        most = self.state.terms.boxes
        if not 1 <= settings.seats <= most:
            raise Unreadable(f"this table has 1 to {most} boxes, not {settings.seats:,}")
        self.settings = settings
        if settings.coach == "off":
            self._lesson.turn_the_page()
        self._nudge()

    def deal(self) -> None:
        """Close the betting when the others have wagered."""
        if (
            phase(self.state) == "betting"
            and seat_of(self.state, YOU) not in self.state.round.boxes
        ):
            raise Unreadable("put your wagers on the felt first")
        self._deal = True
        self._nudge()

    def skip(self) -> None:
        """Everything at once, until the player is asked or the round is over."""
        self._skip = True
        self._nudge()

    # What the player sees

    @property
    def state(self) -> State:
        return self.actor.kept.state

    def frame(self, heard: int | None = None) -> bytes:
        """What a page gets that was last told of version ``heard``."""
        kept = self.actor.kept
        sight, you = TableSight(kept.state, kept.readings()), Viewer(role="player", name=YOU)
        shown, changes = sight.view(you), self.actor.unheard(heard)
        room = PracticeRoom(
            settings=self.settings,
            waits=self._waits(shown),
            skipping=self._skip,
            heard=tuple(self._heard[-MOST_HEARD:]),
            holds=_holds(self.state.terms.rules, shown, seat_of(self.state, YOU)),
            hands=self._hands,
            advice=self._lesson.advice,
            mistakes_cents=self._lesson.mistakes_cents,
            evening=tuple(self._evening),
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
            return "" if self._deal else "wagers"
        return "you" if any(option.do == "play" for option in shown.may) or _asks(shown) else ""

    def watched(self) -> asyncio.Event:
        """A page's bell: it rings when there is something new to show."""
        bell = asyncio.Event()
        bell.set()
        self._pages.add(bell)
        return bell

    def unwatched(self, bell: asyncio.Event) -> None:
        self._pages.discard(bell)

    # The house at work

    async def run(self) -> None:
        hears = asyncio.ensure_future(self._hear_changes())
        try:
            while True:
                self._news.clear()
                if self.settings.coach != "off":
                    self._lesson.look(self.state, YOU)
                if not await self._step():
                    # Whoever is waited for says again when to go on.
                    self._skip = self._deal = False
                    self._ring()
                    await self._news.wait()
        finally:
            hears.cancel()

    async def _step(self) -> bool:
        """Do the next thing, if it is for the house; whether there was one."""
        kept = self.actor.kept
        found = next_of(
            kept.state,
            kept.shoe(),
            kept.readings(),
            YOU,
            self.settings.seats,
            deal=self._deal,
            others=self.settings.others,
        )
        if found is None:
            return False
        command = await self._counted(found.command)
        await self._pause(found.pause_s)
        if self.actor.kept.version != kept.version:
            return True
        before = self.state
        try:
            answer = await self.actor.ask(command, f"house-{uuid4()}", kept.version)
        except (Refusal, Unreadable, Unavailable, Moved):
            # The player was quicker, or the ledger is away: look again in a moment.
            await asyncio.sleep(0.05)
            return True
        for event in answer.events:
            self._hear(event, before)
        self._ring()
        return True

    async def _counted(self, command: do.Command) -> do.Command:
        """A regular's answer; where the others play the best there is, the coach counts it."""
        answers = isinstance(command, do.Check | do.Play | do.Fold) and command.role == "player"
        box = asked_box(self.state)
        if self.settings.others != "optimal" or not answers or box is None:
            return command
        state = self.state
        try:
            worths = await self._count(position(state, box))
        except (Unavailable, Unreadable, Refusal):
            return command
        return regulars.answer(state, worths[0].action)

    async def _count(self, seen: coach.Position) -> tuple[coach.Worth, ...]:
        return await self._tutor.worths(self.actor.kept.installed.submission, seen)

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

    def _hear(self, event: Event, before: State) -> None:
        said = overheard(event, before, YOU)
        self._heard += [said] if said else []
        if isinstance(event, DealerRevealed):
            self._hands["dealer"] = event.hand
        elif isinstance(event, BoxTurned):
            self._hands[str(event.box)] = event.hand
        elif isinstance(event, BoxSettled) and event.box == seat_of(before, YOU):
            self._deal = False
        elif isinstance(event, CardsCleared):
            self._deal = False
            self._note_round(before)
        if phase(before) == "betting" and phase(self.state) != "betting":
            self._hands = {}
            self._lesson.turn_the_page()

    def _note_round(self, before: State) -> None:
        shown = view(before, Viewer(role="player", name=YOU))
        yours = next((box for box in shown.boxes if box.player == YOU), None)
        if yours is None or not yours.lines:
            return
        self._evening.append(
            RoundResult(
                round=before.round.number,
                net_cents=yours.net_cents or 0,
                staked_cents=sum(line.stake_cents for line in yours.lines),
                hand=self._hands.get(str(yours.seat), ""),
                dealer=self._hands.get("dealer", ""),
                cards=yours.cards,
                lines=yours.lines,
            )
        )

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
