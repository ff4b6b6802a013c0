"""The practice room's pages: sit down by a link, choose a table, play."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Response, WebSocket, get, post, websocket
from litestar.datastructures import Cookie, State
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect
from litestar.types import ExceptionHandlersMap

from croupier.documents.help_line import HELP
from croupier.facts.errors import Refusal, Unreadable, quoted
from croupier.facts.money import money
from croupier.games.registry import Registry
from croupier.ledger.kept_table import Clock, system_clock
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.shoe.pack import Pack, fresh_pack
from croupier.ledger.store.port import Ledger
from croupier.practice.asked_hand import AskedHand, HandAnswer, card_places, position_of
from croupier.practice.care import Care, CareShown, OwnLimits
from croupier.practice.driver import BROUGHT_CENTS, PACES
from croupier.practice.evening import RoundResult
from croupier.practice.explanation import StrategyChart
from croupier.practice.link import OneTimeLink
from croupier.practice.profile import Profile
from croupier.practice.regulars import STYLES, YOU
from croupier.server.access.logins import Login, NotAdmitted
from croupier.server.http.api import AnyConnection, address_of, login_of, pit_of
from croupier.server.http.table_socket import sockets_of
from croupier.server.pages import renderer, rules_page
from croupier.server.pages.analyst_page import analysis_page, protection_page
from croupier.server.pages.link_code import QrLink, qr_link
from croupier.server.pages.practice_room import (
    LIMITS,
    SETTINGS,
    Level,
    PracticeRunner,
    PracticeSettings,
    Tutor,
)
from croupier.server.pages.record_reader import RecordReader
from croupier.server.pages.render_cache import facts_for
from croupier.server.pages.renderer import as_data, page
from croupier.server.pit.messages import STATUS, Forbidden
from croupier.server.pit.pit import Pit
from croupier.server.settings import AT_HOME
from croupier.table.shoe import RandomBits

LEVELS: Mapping[Level, str] = {
    "brief": "one line",
    "reasons": "reasons",
    "everything": "rules and chart too",
}


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
    """Everything of a practice evening: who sits, the runners at work, and the coach."""

    def __init__(
        self,
        pit: Pit,
        settings: PracticeSettings,
        opens: str,
        link: OneTimeLink,
        profile: Profile,
    ) -> None:
        self.pit, self.tutor, self.opens, self.link = pit, Tutor(), opens, link
        self.profile = profile
        self.record = RecordReader(pit.ledger, pit.registry, pit.ring, profile, self.tutor)
        self.care = Care(profile.note(LIMITS, OwnLimits) or OwnLimits(), time.monotonic)
        self._password = secrets.token_urlsafe(24)
        if YOU in pit.people.known:
            pit.people.change_password(YOU, self._password, YOU)
        else:
            pit.people.add(YOU, "player", self._password, YOU)
        self.runners = {
            name: PracticeRunner(actor, self.tutor, settings, self.care_shown)
            for name, actor in pit.actors.items()
            if actor.kept.installed.practice
        }
        self._working: dict[str, asyncio.Task[None]] = {}

    def admit(self, code: str, address: str) -> str:
        """A login for who has the link; the link is good once."""
        if not self.link.admits(code):
            raise NotAdmitted(
                "this link was used before, or never was good: each lets one browser in"
            )
        return self.pit.logins.enter(YOU, self._password, address).token

    def runner(self, name: str) -> PracticeRunner:
        """The runner of a table, at work from the first time somebody looks."""
        if name not in self.runners:
            raise Unreadable(f"there is no practice table {quoted(name)}")
        if name not in self._working or self._working[name].done():
            self._working[name] = asyncio.ensure_future(self.runners[name].run())
        return self.runners[name]

    def choose(self, name: str, settings: PracticeSettings) -> None:
        """What was chosen at one table holds at all of them, and for the next evening."""
        self.runner(name).choose(settings)
        for runner in self.runners.values():
            runner.choose(runner.fitting(settings))
        self.profile.keep_note(SETTINGS, settings)

    # Care

    def care_shown(self) -> CareShown:
        return self.care.shown(self._evening())

    def deal(self, name: str) -> None:
        """Unless a limit is reached that the player set himself."""
        self.care.refuse_beyond(self._evening())
        self.runner(name).deal()
        self.care.begin()

    def limit(self, limits: OwnLimits) -> None:
        self.care.limits = limits
        self.profile.keep_note(LIMITS, limits)
        for runner in self.runners.values():
            runner.refresh()

    def _evening(self) -> Iterator[RoundResult]:
        return (each for runner in self.runners.values() for each in runner.rounds)

    async def close(self) -> None:
        working = list(self._working.values())
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)
        await self.record.close()
        self.tutor.close()
        self.profile.close()


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
    """The table's runner, for the player alone."""
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
    chips = money(BROUGHT_CENTS)
    waits = {name: runner.waiting for name, runner in practice.runners.items()}
    phone = "link" if practice.link.is_for_others else "command"
    return page(
        "start", tables=tables, chips=chips, waits=waits, help=HELP, phone=phone, analysis=True
    )


@post("/practice/link", status_code=200, include_in_schema=False)
async def renew_link(request: PracticeRequest) -> QrLink:
    """Another link; the one before it is good no more."""
    seated(request)
    link = await asyncio.to_thread(practice_of(request).link.renew)
    return qr_link(link)


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
        levels=LEVELS,
        help=HELP,
    )


@post("/practice/{name:str}/deal", status_code=204, include_in_schema=False)
async def deal(request: PracticeRequest, name: FromPath[str]) -> None:
    runner_of(request, name)
    practice_of(request).deal(name)


@post("/practice/limits", status_code=204, include_in_schema=False)
async def limit(request: PracticeRequest, data: JSONBody[OwnLimits]) -> None:
    """What the player sets himself, for every evening until he changes it."""
    seated(request)
    practice_of(request).limit(data)


@post("/practice/{name:str}/skip", status_code=204, include_in_schema=False)
async def skip(request: PracticeRequest, name: FromPath[str]) -> None:
    runner_of(request, name).skip()


@post("/practice/{name:str}/top-up", status_code=204, include_in_schema=False)
async def top_up(request: PracticeRequest, name: FromPath[str]) -> None:
    await runner_of(request, name).top_up()


@post("/practice/{name:str}/settings", status_code=204, include_in_schema=False)
async def choose(
    request: PracticeRequest, name: FromPath[str], data: JSONBody[PracticeSettings]
) -> None:
    runner_of(request, name)
    practice_of(request).choose(name, data)


@get("/practice/{name:str}/ask", include_in_schema=False, exception_handlers=SORRY)
async def ask_page(
    request: PracticeRequest, name: FromPath[str], round: int = 0, decision: int = 0
) -> Response[str]:
    """A card picker; it asks for the cards of a round itself."""
    runner = runner_of(request, name)
    about = await facts_for(request, runner.actor, at_home=True)
    places = as_data(card_places(runner.state.book))
    return page("ask", facts=about.facts, data=about.data, places=places)


@get("/practice/{name:str}/ask/cards", include_in_schema=False)
async def asked_cards(
    request: PracticeRequest, name: FromPath[str], round: int, decision: int = 0
) -> AskedHand:
    """The cards of a decision of this round, or of its last one."""
    runner_of(request, name)
    return await practice_of(request).record.asked(name, round, decision)


@post("/practice/{name:str}/ask", status_code=200, include_in_schema=False)
async def ask(
    request: PracticeRequest, name: FromPath[str], data: JSONBody[AskedHand]
) -> HandAnswer:
    """What each choice is worth with these cards, exactly."""
    runner = runner_of(request, name)
    position = position_of(runner.state.book, data)
    submission = runner.actor.kept.installed.submission
    answer = await practice_of(request).tutor.explained(submission, position)
    return HandAnswer(position.street, *answer)


@get("/practice/{name:str}/chart", include_in_schema=False)
async def chart(request: PracticeRequest, name: FromPath[str]) -> StrategyChart | None:
    """What is best with every hand, as far as a chart can say it."""
    submission = runner_of(request, name).actor.kept.installed.submission
    return await practice_of(request).tutor.chart(submission)


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
    async for frame in runner.frames():
        await socket.send_text(frame.decode())


HANDLERS = (
    *(sit, start, renew_link, table, deal, limit, skip, top_up, choose, chart, live),
    *(ask_page, asked_cards, ask),
    analysis_page,
    protection_page,
    *rules_page.HANDLERS,
)
