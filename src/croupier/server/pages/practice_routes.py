"""The practice room's pages: sit down by a link, choose a table, play."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from litestar import Litestar, Request, Response, WebSocket, get, post, websocket
from litestar.datastructures import Cookie, State
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from litestar.response import Redirect
from litestar.types import ExceptionHandlersMap

from croupier.facts.errors import Refusal, Unreadable, quoted
from croupier.facts.money import dollars
from croupier.games.registry import Registry
from croupier.ledger.kept_table import Clock, system_clock
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.shoe.pack import Pack, fresh_pack
from croupier.ledger.store.port import Ledger
from croupier.practice import coach
from croupier.practice.driver import BROUGHT_CENTS, PACES
from croupier.practice.link import OneTimeLink
from croupier.practice.regulars import STYLES, YOU
from croupier.server.access.logins import Login, NotAdmitted
from croupier.server.http.api import AnyConnection, address_of, login_of, pit_of
from croupier.server.http.table_socket import sockets_of
from croupier.server.pages import renderer, rules_page
from croupier.server.pages.analyst_page import analysis_page
from croupier.server.pages.practice_room import PracticeRunner, PracticeSettings, Tutor
from croupier.server.pages.render_cache import facts_for
from croupier.server.pages.renderer import page
from croupier.server.pit.messages import STATUS, Forbidden
from croupier.server.pit.pit import Pit
from croupier.server.settings import AT_HOME
from croupier.table.shoe import RandomBits


class PracticePit(Pit):
    """A pit for one player; the same chance deals the same cards."""

    cookie = "croupier-practice"

    def __init__(
        self,
        ledger: Ledger,
        registry: Registry,
        ring: KeyRing,
        bits: RandomBits,
        clock: Clock = system_clock,
    ) -> None:
        self._bits = bits
        super().__init__(ledger, registry, ring, AT_HOME, clock)
        self.analyses.open_to_all = True

    def _pack(self) -> Pack:
        return fresh_pack(self._bits)


class PracticeEvening:
    """Everything of a practice evening: who sits, the houses at work, and the coach."""

    def __init__(self, pit: Pit, settings: PracticeSettings, opens: str, link: OneTimeLink) -> None:
        self.pit, self.tutor, self.opens, self._link = pit, Tutor(), opens, link
        self._password = secrets.token_urlsafe(24)
        if YOU in pit.people.known:
            pit.people.change_password(YOU, self._password, YOU)
        else:
            pit.people.add(YOU, "player", self._password, YOU)
        self.runners = {
            name: PracticeRunner(actor, self.tutor, settings)
            for name, actor in pit.actors.items()
            if actor.kept.installed.practice
        }
        self.drills: dict[str, tuple[str, coach.Position]] = {}
        self._working: dict[str, asyncio.Task[None]] = {}

    def admit(self, code: str, address: str) -> str:
        """A login for who has the link; the link is good once."""
        if not self._link.admits(code):
            raise NotAdmitted(
                "this link was used before, or never was good: each lets one browser in"
            )
        return self.pit.logins.enter(YOU, self._password, address).token

    def runner(self, name: str) -> PracticeRunner:
        """The house of a table, at work from the first time somebody looks."""
        if name not in self.runners:
            raise Unreadable(f"there is no practice table {quoted(name)}")
        if name not in self._working or self._working[name].done():
            self._working[name] = asyncio.ensure_future(self.runners[name].run())
        return self.runners[name]

    async def close(self) -> None:
        for task in self._working.values():
            task.cancel()
        await asyncio.gather(*self._working.values(), return_exceptions=True)
        self.tutor.close()


def room(
    open_practice: Callable[[Pit], PracticeEvening],
) -> Callable[[Litestar], Any]:
    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        app.state.practice = open_practice(app.state.pit)
        try:
            yield
        finally:
            await app.state.practice.close()

    return lifespan


def practice_of(connection: AnyConnection) -> PracticeEvening:
    practice: PracticeEvening = connection.app.state.practice
    return practice


def seated(connection: AnyConnection) -> Login:
    """Who sat down by the link; here nobody has a password to log in with."""
    try:
        return login_of(connection)
    except NotAdmitted:
        raise NotAdmitted("this browser has not come by a link of croupier play") from None


def runner_of(connection: AnyConnection, name: str) -> PracticeRunner:
    """The table's house, for the player alone."""
    if seated(connection).name != YOU:
        raise Forbidden("this table is somebody else's practice")
    return practice_of(connection).runner(name)


PracticeRequest = Request[Any, Any, State]


def _outside(request: PracticeRequest, error: NotAdmitted) -> Response[str]:
    """For a browser that is not let in: why, and how it gets a link of its own."""
    answer = page("outside", sentence=str(error))
    answer.status_code = STATUS["not admitted"]
    return answer


SORRY: ExceptionHandlersMap = {**renderer.SORRY, NotAdmitted: _outside}


@get("/sit/{code:str}", include_in_schema=False, exception_handlers=SORRY)
async def sit(request: PracticeRequest, code: FromPath[str]) -> Response[Any]:
    """The link of the console: it logs its reader in, once, and leads to the table."""
    practice = practice_of(request)
    try:
        login_of(request)
        return Redirect(practice.opens)
    except NotAdmitted:
        pass
    token = await asyncio.to_thread(practice.admit, code, address_of(request))
    cookie = Cookie(practice.pit.cookie, value=token, httponly=True, samesite="strict", path="/")
    return Redirect(practice.opens, cookies=[cookie])


@get(["/", "/practice"], include_in_schema=False, exception_handlers=SORRY)
async def start(request: PracticeRequest) -> Response[str]:
    """Which game, by which rulebook, and in what company."""
    seated(request)
    practice, pit = practice_of(request), pit_of(request)
    order = list(pit.registry.books)
    tables = [
        (await facts_for(request, pit.table(name), at_home=True)).facts for name in practice.runners
    ]
    tables.sort(key=lambda facts: (order.index(facts.rulebook), facts.table))
    chips = dollars(BROUGHT_CENTS).removesuffix(".00")
    return page("start", tables=tables, chips=chips)


@get("/practice/{name:str}", include_in_schema=False, exception_handlers=SORRY)
async def table(request: PracticeRequest, name: FromPath[str]) -> Response[str]:
    runner = runner_of(request, name)
    about = await facts_for(request, runner.actor, at_home=True)
    return page(
        "practice",
        **about._asdict(),
        settings=runner.settings,
        paces=list(PACES),
        styles=STYLES,
    )


@get("/practice/{name:str}/drill", include_in_schema=False, exception_handlers=SORRY)
async def drill_page(request: PracticeRequest, name: FromPath[str]) -> Response[str]:
    about = await facts_for(request, runner_of(request, name).actor, at_home=True)
    return page("drill", facts=about.facts, data=about.data)


@post("/practice/{name:str}/deal", status_code=204, include_in_schema=False)
async def deal(request: PracticeRequest, name: FromPath[str]) -> None:
    runner_of(request, name).deal()


@post("/practice/{name:str}/skip", status_code=204, include_in_schema=False)
async def skip(request: PracticeRequest, name: FromPath[str]) -> None:
    runner_of(request, name).skip()


@post("/practice/{name:str}/settings", status_code=204, include_in_schema=False)
async def choose(request: PracticeRequest, name: FromPath[str], data: PracticeSettings) -> None:
    runner_of(request, name).choose(data)


class Drill(msgspec.Struct, frozen=True):
    id: str
    position: coach.Position


class DrillAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    action: str


@get("/practice/{name:str}/drill/{street:int}", include_in_schema=False)
async def drill(
    request: PracticeRequest, name: FromPath[str], street: FromPath[int], flashed: bool = False
) -> Drill:
    """A hard hand of this street, or one that changes when a card of the dealer was flashed; what
    its choices are worth comes with the answer."""
    runner, practice = runner_of(request, name), practice_of(request)
    streets = runner.state.book.streets
    if not 0 <= street < len(streets):
        raise Unreadable("there is no such street")
    submission = runner.actor.kept.installed.submission
    tutor = practice.tutor
    find = tutor.flashed_hand if flashed else tutor.hard_hand
    position = await find(submission, streets[street].name)
    made = Drill(secrets.token_urlsafe(8), position)
    practice.drills[made.id] = (submission, position)
    return made


@post("/practice/{name:str}/drill", status_code=200, include_in_schema=False)
async def answer(
    request: PracticeRequest, name: FromPath[str], data: DrillAnswer
) -> tuple[coach.Worth, ...]:
    runner_of(request, name)
    practice = practice_of(request)
    if data.id not in practice.drills:
        raise Unreadable("this hand was answered already")
    return await practice.tutor.worths(*practice.drills.pop(data.id))


@websocket("/practice/{name:str}/live")
async def live(socket: WebSocket[Any, Any, State], name: FromPath[str]) -> None:
    """The whole view and the room after each change; commands go the way of every player's."""
    await socket.accept()
    try:
        runner = runner_of(socket, name)
    except (Unreadable, Forbidden, Refusal) as error:
        await socket.close(code=4401, reason=str(error)[:100])
        return
    sockets_of(socket).add(socket, login_of(socket))
    sending = asyncio.ensure_future(_send(socket, runner))
    try:
        while True:
            await socket.receive_text()
    except WebSocketDisconnect:
        return
    finally:
        sockets_of(socket).discard(socket)
        sending.cancel()


async def _send(socket: WebSocket[Any, Any, State], runner: PracticeRunner) -> None:
    bell, heard = runner.watched(), None
    try:
        while True:
            await bell.wait()
            bell.clear()
            frame, heard = runner.frame(heard), runner.actor.kept.version
            await socket.send_text(frame.decode())
    finally:
        runner.unwatched(bell)


HANDLERS = (
    *(sit, start, table, drill_page, deal, skip, choose, drill, answer, live, analysis_page),
    *rules_page.HANDLERS,
)
