"""One table's evening as a load: a socket for each box and the dealer, and who is next to speak.

A socket that is cut is opened again at another process, and what was not answered is asked again
with the same id, as any client would do it.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from bench.sockets import CutOff, LightSocket

BOXES = 6
BUY_IN_CENTS = 100_000_000_00
CASH = {"taken": "cash"}
STAKES = {"ante": 10_00, "blind": 10_00, "trips": 5_00}
DEALERS = ("reveal", "settle-box", "clear-cards", "deal", "no-more-bets")
ALL_BOARD = 5
BACK = "??"
ANSWER = '{"outcome"'  # how a frame begins that answers a command
PATIENCE_S = 60
AGAIN_S = 0.05


class _Option(msgspec.Struct):
    do: str
    box: int = 0


class _View(msgspec.Struct):
    phase: str
    round: int
    turn: int = 0
    may: tuple[_Option, ...] = ()
    places: dict[str, tuple[str, ...]] = {}


class _Frame(msgspec.Struct):
    """A view or an answer, as far as the generator looks."""

    version: int = 0
    view: _View | None = None
    id: str = ""
    outcome: str = ""
    sentence: str = ""
    wait_s: float = 0.0


class Next(NamedTuple):
    """A command, and which socket of the table sends it: 0 is the dealer, then the boxes."""

    by: int
    command: dict[str, object]


class Person(NamedTuple):
    name: str
    token: str


class Given(NamedTuple):
    """A command that was answered, by the generator's clock; ``due_s`` is when it should go out.

    ``id`` is how the ledger knows it.
    """

    id: str
    due_s: float
    sent_s: float
    done_s: float


class TableScript:
    """One table's evening: whoever is next, as the dealer's own screen tells it.

    ``doors`` has the ports of the processes for each socket: the first is tried first.
    """

    def __init__(
        self,
        name: str,
        doors: Sequence[Sequence[int]],
        people: Sequence[Person],
    ) -> None:
        self.name, self._people = name, people
        self._doors = [list(ports) for ports in doors]
        self.sockets: list[LightSocket] = []
        self.given: list[Given] = []
        self.errors: list[str] = []
        self.repeats = 0
        self.lags_s: list[float] = []
        self._frames = self._heard_bytes = 0  # of sockets that were cut
        self._ids = itertools.count()
        self._seen = _Frame()
        self._answer: asyncio.Future[_Frame] | None = None
        self._asked = ("", -1)
        self._news = asyncio.Event()
        self._placed = (0, 0)
        self.round: list[Next] = []
        self._at = 0
        self._told = (0, 0.0)

    @property
    def ports(self) -> list[int]:
        """Where each socket is connected."""
        return [ports[0] for ports in self._doors]

    @property
    def frames(self) -> int:
        return self._frames + sum(socket.frames for socket in self.sockets)

    @property
    def heard_bytes(self) -> int:
        return self._heard_bytes + sum(socket.heard_bytes for socket in self.sockets)

    async def connect(self) -> None:
        for seat in range(len(self._people)):
            self.sockets.append(await self._opened(seat))
        await self._until(lambda: self._seen.view is not None)

    async def sit_down(self) -> None:
        await self.give(Next(0, {"do": "open-table"}))
        for seat in range(1, BOXES + 1):
            await self.give(Next(seat, {"do": "take-box", "box": seat}))
            bought = {"do": "buy-in", "box": seat, "cents": BUY_IN_CENTS, "taken": "cash"}
            await self._seen_after(await self.give(Next(0, bought)))
        await self.learn()

    def leave(self) -> None:
        for socket in self.sockets:
            socket.close()

    async def learn(self) -> None:
        """One round as the dealer's screen leads through it; every other goes the same way."""
        while not self.round or self.round[-1].command["do"] != "clear-cards":
            self.round.append(self._next())
            await self._seen_after(await self.give(self.round[-1]))

    async def run(self, first_s: float, every_s: float, until_s: float) -> None:
        """A command each ``every_s``; one that could not go out in time is late from then on."""
        for number in itertools.count():
            due_s = first_s + number * every_s
            if due_s >= until_s:
                return
            await asyncio.sleep(max(0.0, due_s - time.perf_counter()))
            sent_s = time.perf_counter()
            asked = self.round[self._at]
            await self.give(asked)
            known_as = f"{self._people[asked.by].name}/{self._asked[0]}"
            self.given.append(Given(known_as, due_s, sent_s, time.perf_counter()))
            self._at = (self._at + 1) % len(self.round)

    async def give(self, asked: Next) -> _Frame:
        command_id = f"{self.name}-{os.getpid()}-{next(self._ids)}"
        text = msgspec.json.encode({"id": command_id, "command": asked.command})
        told = await asyncio.wait_for(
            self._answered_at_last(asked.by, command_id, text), PATIENCE_S
        )
        if told.outcome != "done":
            self.errors.append(f"{self.name} {asked.command}: {told.sentence}")
        return told

    async def _answered_at_last(self, seat: int, command_id: str, text: bytes) -> _Frame:
        """Whoever is told "too many" waits as long as he is told to and asks again; where there is
        another process, also whoever is cut off or sent away."""
        while True:
            wait_s = AGAIN_S
            self._answer = asyncio.get_running_loop().create_future()
            self._asked = (command_id, seat)
            try:
                self.sockets[seat].send(text)
                told = await self._answer
                if told.outcome == "too many":
                    wait_s = told.wait_s or AGAIN_S
                elif told.outcome != "unavailable" or len(self._doors[seat]) == 1:
                    return told
            except CutOff:
                pass
            self.repeats += 1
            await asyncio.sleep(wait_s)

    async def _opened(self, seat: int) -> LightSocket:
        loop = asyncio.get_running_loop()
        hear = self._hear_dealer if seat == 0 else self._hear_player
        path = f"/api/tables/{self.name}/live"
        socket = LightSocket(path, self._people[seat].token, hear, partial(self._cut, seat))
        await loop.create_connection(partial(_same, socket), "127.0.0.1", self._doors[seat][0])
        await asyncio.wait_for(socket.opened, PATIENCE_S)
        return socket

    def _cut(self, seat: int) -> None:
        """The process is gone; the next one is asked."""
        if seat >= len(self.sockets) or len(self._doors[seat]) == 1:
            return
        self._frames += self.sockets[seat].frames
        self._heard_bytes += self.sockets[seat].heard_bytes
        self._doors[seat].append(self._doors[seat].pop(0))
        self._reopening = asyncio.ensure_future(self._reopen(seat))
        if self._asked[1] == seat and self._answer is not None and not self._answer.done():
            self._answer.set_exception(CutOff())

    async def _reopen(self, seat: int) -> None:
        self.sockets[seat] = await self._opened(seat)

    def _next(self) -> Next:
        shown = self._seen.view
        assert shown is not None
        if shown.phase == "betting":
            number, seat = self._placed
            seat = seat + 1 if number == shown.round else 1
            if seat <= BOXES:
                self._placed = (shown.round, seat)
                return Next(seat, {"do": "place-wagers", "box": seat, "stakes": STAKES})
        if shown.phase == "acting":
            up = [card for card in shown.places.get("board", ()) if card != BACK]
            choice = "fold" if len(up) == ALL_BOARD else "check"
            return Next(shown.turn, {"do": choice, "box": shown.turn})
        may = {option.do: option for option in shown.may}
        option = may[next(do for do in DEALERS if do in may)]
        return Next(0, {"do": option.do} | ({"box": option.box} if option.box else {}))

    def _hear_dealer(self, text: bytes) -> None:
        frame = msgspec.json.decode(text, type=_Frame)
        if frame.view is not None:
            self._seen = frame
            self._news.set()
            if frame.version >= self._told[0] > 0:
                self.lags_s.append(time.perf_counter() - self._told[1])
                self._told = (0, 0.0)
        elif frame.outcome:
            self._answered(frame)

    def _hear_player(self, text: bytes) -> None:
        """A view is only counted; what a player reads in it is his own affair."""
        if text.startswith(ANSWER.encode()):
            self._answered(msgspec.json.decode(text, type=_Frame))

    def _answered(self, frame: _Frame) -> None:
        if frame.version > self._seen.version:
            self._told = (frame.version, time.perf_counter())
        else:
            self.lags_s.append(0.0)
        if (
            self._answer is not None
            and not self._answer.done()
            and frame.id in ("", self._asked[0])
        ):
            self._answer.set_result(frame)

    async def _seen_after(self, told: _Frame) -> None:
        """The dealer's screen may come later than an answer: who is next stands on the new one."""
        await self._until(lambda: self._seen.version >= told.version)

    async def _until(self, so: Callable[[], bool]) -> None:
        while not so():
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), PATIENCE_S)


def _same(socket: LightSocket) -> LightSocket:
    return socket
