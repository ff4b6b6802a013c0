"""A socket at a table: its viewer's whole view after each change, and answers to commands."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import msgspec
from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from croupier.facts.errors import Unreadable
from croupier.server.access.logins import Login, Logins, NotAdmitted
from croupier.server.access.token_buckets import TooMany, network
from croupier.server.http.api import (
    AnyConnection,
    address_of,
    claimed_token,
    login_of,
    pit_of,
    refuse_elsewhere,
    token_of,
    viewer_of,
)
from croupier.server.metrics import Metrics
from croupier.server.pit.messages import (
    Ask,
    CommandOutcome,
    Forbidden,
    Reply,
    answered,
    as_command,
    excused,
    later,
    own_id,
    read_ask,
)
from croupier.server.pit.player_care import refuse_beyond
from croupier.server.pit.table_actor import LiveTable, Subscription
from croupier.server.settings import Settings
from croupier.table.commands import PlaceWagers
from croupier.table.views import Viewer

LOG = logging.getLogger("croupier")
LOOK_AGAIN_S = 5.0
CLOSE_WITHIN_S = 3.0
# Before who was told "too many" is read again: he fills his own buffers meanwhile. It doubles each
# time that he did not wait, up to the second that he was told to wait.
PAUSE_S, LONGEST_PAUSE_S = 0.05, 1.0
MOST_BAD_FRAMES = 100  # in a row, before a socket is taken for a fault or an attack
GOING_AWAY, TOO_BAD, TRY_LATER = 1001, 1008, 1013
NOT_ADMITTED, NO_SUCH_TABLE = 4401, 4404
BAD: tuple[CommandOutcome, ...] = ("unreadable", "not admitted")
STRANGERS = ("", "everywhere")
Socket = WebSocket[Any, Any, State]


class Sockets:
    """Every socket that is open, and under which login."""

    def __init__(self, metrics: Metrics) -> None:
        self._open: dict[Socket, Login | None] = {}
        self._places: Counter[tuple[str, str]] = Counter()
        self._closing: set[asyncio.Task[None]] = set()
        self._metrics = metrics

    def why_full(self, login: Login | None, address: str, chosen: Settings) -> str:
        """Why there is no place for one more socket of this person, or of nobody's at an address;
        nothing where there is one."""
        if login is not None:
            most, own = chosen.sockets_a_person, self._places[_place(login, address)]
            return f"you have {own} sockets open; close one" if own >= most else ""
        here, all_of_them = self._places[_place(None, address)], self._places[STRANGERS]
        if here >= chosen.people_an_address or all_of_them >= chosen.anonymous_sockets:
            return "too many look on without a login; try again later"
        return ""

    def add(self, socket: Socket, login: Login | None = None) -> None:
        self._open[socket] = login
        self._count(socket, login, 1)

    def discard(self, socket: Socket) -> None:
        if socket in self._open:
            self._count(socket, self._open.pop(socket), -1)

    def _count(self, socket: Socket, login: Login | None, by: int) -> None:
        for place in (_place(login, address_of(socket)), *([] if login else [STRANGERS])):
            self._places[place] += by
            if not self._places[place]:
                del self._places[place]
        self._metrics.sockets.set(len(self._open))

    async def close_ended(self, logins: Logins) -> None:
        """Whoever may no longer be here is gone at once."""
        for socket, login in list(self._open.items()):
            why = logins.why_closed(login) if login is not None else ""
            if why:
                self._close(socket, NOT_ADMITTED, why)

    async def watch(self, logins: Logins) -> None:
        """Idle terminals and old logins are noticed within seconds, also where nothing happens,
        and after whatever went wrong the last time."""
        while True:
            await asyncio.sleep(LOOK_AGAIN_S)
            try:
                await asyncio.to_thread(logins.sweep)
            except Exception as error:
                LOG.error("idle terminals were not written down", extra={"why": str(error)})
            try:
                await self.close_ended(logins)
            except Exception:
                LOG.exception("the sockets of ended logins were not looked at")

    def send_away(self, why: str) -> None:
        """Everybody looks on elsewhere, or here later."""
        for socket in list(self._open):
            self._close(socket, TRY_LATER, why)

    async def close_all(self) -> None:
        for socket in list(self._open):
            self._close(socket, GOING_AWAY, "the service stops")
        while self._closing:
            await asyncio.wait(self._closing)

    def _close(self, socket: Socket, code: int, why: str) -> None:
        """Nothing more is sent there; whether its other end still reads holds up nobody."""
        self.discard(socket)
        task = asyncio.ensure_future(_closed(socket, code, why))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def has(self, socket: Socket) -> bool:
        return socket in self._open


def _place(login: Login | None, address: str) -> tuple[str, str]:
    """Whose socket it is: a person's, wherever he is, or an address's."""
    return (login.name, "") if login is not None else ("", network(address))


async def _closed(socket: Socket, code: int, why: str) -> None:
    try:
        await asyncio.wait_for(socket.close(code=code, reason=why), CLOSE_WITHIN_S)
    except Exception as error:
        LOG.info("a socket did not close", extra={"why": str(error) or type(error).__name__})


def sockets_of(connection: AnyConnection) -> Sockets:
    sockets: Sockets = connection.app.state.sockets
    return sockets


@websocket("/api/tables/{name:str}/live")
async def live(socket: Socket, name: FromPath[str]) -> None:
    """Views come after each change; commands may be sent, and each is answered by its id."""
    if why := pit_of(socket).why_away or _why_too_often(socket):
        await socket.close(code=TRY_LATER, reason=why)
        return
    await socket.accept()
    try:
        login = login_of(socket) if token_of(socket) else None
        actor = pit_of(socket).table(name)
    except (Unreadable, Forbidden) as error:
        no = excused(error, pit_of(socket).ledger)
        await socket.send_text(msgspec.json.encode(no).decode())
        away = NOT_ADMITTED if isinstance(error, NotAdmitted) else NO_SUCH_TABLE
        await socket.close(code=away, reason=str(error)[:100])
        return
    sockets, viewer = sockets_of(socket), viewer_of(socket, login, name)
    if why := sockets.why_full(login, address_of(socket), pit_of(socket).chosen):
        full = later(Reply("too many", sentence=why))
        await socket.send_text(msgspec.json.encode(full).decode())
        await socket.close(code=TRY_LATER, reason=why)
        return
    sockets.add(socket, login)
    try:
        with pit_of(socket).watching(actor, viewer) as watch:
            await _served(socket, actor, login, ViewerSocket(sockets, socket, actor, viewer, watch))
    except WebSocketDisconnect:
        return
    finally:
        sockets.discard(socket)


def _why_too_often(socket: Socket) -> str:
    """To open a socket is a request like any other, with the budget of who asks."""
    pit = pit_of(socket)
    try:
        name = pit.logins.whose(claimed_token(socket, pit.cookie))
        pit.budgets.request(name, address_of(socket))
    except TooMany as error:
        return str(error)
    return ""


class ViewerSocket(NamedTuple):
    """One viewer at a table, and the socket he looks through.

    However fast the table changes, a slow reader gets the newest view, not all of them.
    """

    sockets: Sockets
    socket: Socket
    table: LiveTable
    viewer: Viewer
    watch: Subscription

    async def send_news(self) -> None:
        """Wait for what is new and send it; while he still reads the last frame, the send waits."""
        while True:
            table = await self.watch.next()
            if not self.sockets.has(self.socket):  # closed while he waited
                return
            watch = self.watch
            frame = self.table.frame(self.viewer, watch) if table else self.table.meters_frame()
            await self.socket.send_text(frame.decode())


async def _served(
    socket: Socket, actor: LiveTable, login: Login | None, showing: ViewerSocket
) -> None:
    sending = asyncio.ensure_future(showing.send_news())
    try:
        await _hear(socket, actor, login)
    finally:
        sending.cancel()


async def _hear(socket: Socket, actor: LiveTable, login: Login | None) -> None:
    bad, pace = 0, Pace(socket)
    while True:
        text = await pace.next_text()
        read = partial(_paid_for, socket, login, text)
        outcome = await answer(socket, read, actor, login)
        if not sockets_of(socket).has(socket):
            return
        # Who is logged in and told "too many" may have come at a busy moment: no fault of his.
        if outcome.outcome in BAD or (outcome.outcome == "too many" and login is None):
            bad += 1
        elif outcome.outcome != "too many":
            bad = 0
        if bad >= MOST_BAD_FRAMES:
            await socket.close(code=TOO_BAD, reason="too many messages that could not be taken")
            return
        await socket.send_text(msgspec.json.encode(outcome).decode())
        await pace.slow_down(is_shed=outcome.outcome == "too many")


class Pace:
    """How fast one socket is read: who goes on though he was told "too many" is read ever slower,
    so that to tell him costs little."""

    def __init__(self, socket: Socket) -> None:
        self._socket, self._pause_s = socket, PAUSE_S
        self._early: asyncio.Task[str] | None = None

    async def next_text(self) -> str:
        early, self._early = self._early, None
        return await (early or self._socket.receive_text())

    async def slow_down(self, *, is_shed: bool) -> None:
        if not is_shed:
            self._pause_s = PAUSE_S
            return
        early = self._early = asyncio.ensure_future(self._socket.receive_text())
        try:
            await asyncio.sleep(self._pause_s)
        except asyncio.CancelledError:
            early.cancel()
            raise
        self._pause_s = min(LONGEST_PAUSE_S, 2 * self._pause_s) if early.done() else PAUSE_S


async def answer(
    connection: AnyConnection,
    read: Callable[[], Ask],
    actor: LiveTable,
    login: Login | None,
) -> Reply:
    """What comes of a command, however it was sent; counted, and told to the log."""
    pit, began = pit_of(connection), time.perf_counter()
    command_id, asked = "", ""
    try:
        ask = read()
        command_id = ask.id
        if login is None:
            raise NotAdmitted("log in first")
        pit.logins.still_good(login)
        pit.budgets.command(login.name, address_of(connection))
        pit.load.refuse_beyond(login.name)
        refuse_elsewhere(connection, login, actor.name)
        command = as_command(ask, login, actor.kept.state.book)
        asked = str(command.__struct_config__.tag)
        if isinstance(command, PlaceWagers):
            await refuse_beyond(pit, login.name)
        with pit.load.admitted(login.name):
            done = await actor.ask(command, own_id(login, ask), ask.seen)
        told = answered(done, ask.id)
    except Exception as error:
        no = excused(error, pit.ledger, command_id)
        if no is not None and no.outcome == "unavailable":
            LOG.warning("not answered", extra={"table": actor.name, "why": str(error)})
        if no is None:
            LOG.exception("a command failed", extra={"table": actor.name, "do": asked})
            sentence = "something went wrong here; try again"
            no = later(Reply("unavailable", command_id, sentence=sentence))
        told = no
    took = time.perf_counter() - began
    pit.metrics.answered(told.outcome, took)
    if LOG.isEnabledFor(logging.INFO):
        who = login.name if login is not None else ""
        said = {"who": who, "table": actor.name, "do": asked, "outcome": told.outcome}
        LOG.info("command", extra=said | {"ms": round(1000 * took, 1)})
    return told


def _paid_for(socket: Socket, login: Login | None, text: str | bytes) -> Ask:
    """What cannot be read costs its sender as much as what can."""
    budgets, address = pit_of(socket).budgets, address_of(socket)
    if login is None:
        budgets.anonymous(address)
    try:
        return read_ask(text)
    except Unreadable:
        if login is not None:
            budgets.command(login.name, address)
        raise
