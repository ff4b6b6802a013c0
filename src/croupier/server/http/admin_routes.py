"""HTTP routes of administration: progressive links, analyses, the program check, the clock."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, delete, get, post, put
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from croupier.ledger.events import ActKind
from croupier.server.access.logins import Login
from croupier.server.analysis.designs import Design, NewAnalysis, looked_over
from croupier.server.analysis.jobs import AnalysisShown, Form
from croupier.server.http.api import (
    NOES,
    PRIVATE,
    AnyRequest,
    login_of,
    not_found,
    pit_of,
    with_right,
)
from croupier.server.http.login_routes import SecondWord
from croupier.server.pit.clock import ClockShown
from croupier.server.pit.key_acceptance import KeyShown
from croupier.server.pit.progressive_links import LinkShown
from croupier.server.pit.waiting_acts import WaitingAct
from croupier.server.self_check import ProgramShown
from croupier.table.powers import Actor


class LinkChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``open`` or not, and why not: the reason is told to who wants to wager."""

    open: bool
    reason: Annotated[str, Meta(max_length=100)] = ""


class Acceptance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hash of the program as it was shown."""

    digest: Annotated[str, Meta(max_length=100)]


class NewKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The id of the key as it was shown."""

    key: Annotated[str, Meta(max_length=100)]


class ActShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """``what`` shall become of a table or a link once a second person confirms it; ``by`` began it.
    A table has its ``submission`` with it."""

    act: ActKind
    name: str
    what: str
    by: str
    submission: str = ""


IT_WAITS = ResponseSpec(
    ActShown,
    description="Nothing is done yet: it waits for a second person.",
    generate_examples=False,
)


def shown_act(waiting: WaitingAct) -> ActShown:
    submission = getattr(waiting.act, "submission", "")
    return ActShown(waiting.kind, waiting.name, waiting.act.what, waiting.began.name, submission)


class WaitingRoutes(Controller):
    """Tables and links that wait for a second person."""

    path = "/api/waiting"
    tags = ("tables", "links")
    response_headers = PRIVATE

    @get("/", responses=NOES)
    async def every(self, request: AnyRequest) -> list[ActShown]:
        """What was begun and waits for a second person."""
        with_right(request, "second")
        return [shown_act(each) for each in await asyncio.to_thread(pit_of(request).acts.now)]

    @post("/{act:str}/{name:str}", status_code=200, responses=NOES)
    async def second(
        self,
        request: AnyRequest,
        act: FromPath[str],
        name: FromPath[str],
        data: JSONBody[SecondWord],
    ) -> list[ActShown]:
        """The second person's word on a table or a link; what still waits."""
        login, pit = with_right(request, "second"), pit_of(request)
        by = Actor(login.name, login.role)
        made = await asyncio.to_thread(pit.second, act, name, data.upheld, by)
        if made is not None:
            made.start()
        return [shown_act(each) for each in await asyncio.to_thread(pit.acts.now)]


class LinkRoutes(Controller):
    path = "/api/links"
    tags = ("links",)
    response_headers = PRIVATE

    @get("/", responses=NOES)
    async def every(self, request: AnyRequest) -> list[LinkShown]:
        """What stands on the meters of every link; for everybody."""
        return pit_of(request).shown_links()

    @put(
        "/{name:str}",
        responses={
            **NOES,
            200: ResponseSpec(list[LinkShown], generate_examples=False),
            202: IT_WAITS,
        },
    )
    async def run(
        self, request: AnyRequest, name: FromPath[str], data: JSONBody[LinkChange]
    ) -> Response[Any]:
        """Close a link, or open it again with its meters as they were; rounds that are in
        progress finish. It waits for a second person where the policy wants two. What its meters
        restart at and grow by never changes while it runs.
        """
        login, pit = with_right(request, "links"), pit_of(request)
        with not_found():
            pit.links.known(name)
        by = Actor(login.name, login.role)
        begun = partial(pit.begin_link, name, by, is_open=data.open, reason=data.reason)
        if waiting := await asyncio.to_thread(begun):
            return Response(shown_act(waiting), status_code=202)
        return Response(pit.shown_links(), status_code=200)


class AnalysisRoutes(Controller):
    """What a game is worth, for analysts; nothing here is about a round that is played."""

    path = "/api/analysis"
    tags = ("analyses",)
    response_headers = PRIVATE

    @get("/", responses=NOES)
    async def every(self, request: AnyRequest) -> list[AnalysisShown]:
        """Every analysis that is remembered, without its result."""
        analyst_of(request)
        return pit_of(request).analyses.every()

    @post("/", status_code=202, responses=NOES)
    async def begin(self, request: AnyRequest, data: JSONBody[NewAnalysis]) -> AnalysisShown:
        """Ask for an analysis; it runs in a process of its own, one at a time."""
        login = analyst_of(request)
        return pit_of(request).analyses.begin(data, login.name)

    @post("/check", status_code=200, responses=NOES)
    async def check(self, request: AnyRequest, data: JSONBody[NewAnalysis]) -> Design:
        """What is wrong with lines of one's own, line by line; nothing is counted."""
        analyst_of(request)
        return looked_over(data, pit_of(request).registry)

    @get("/{analysis:str}", responses=NOES)
    async def known(self, request: AnyRequest, analysis: FromPath[str]) -> AnalysisShown:
        """How far an analysis is, and its result when it is done."""
        analyst_of(request)
        with not_found():
            return pit_of(request).analyses.known(analysis)

    @get("/{analysis:str}/json", media_type="application/json", responses=NOES)
    async def as_json(self, request: AnyRequest, analysis: FromPath[str]) -> Response[bytes]:
        """The result as a file: what ``croupier solve --json`` prints."""
        return _file(request, analysis, "json", "application/json")

    @get("/{analysis:str}/csv", media_type="text/csv", responses=NOES)
    async def as_csv(self, request: AnyRequest, analysis: FromPath[str]) -> Response[bytes]:
        """The result as a file: what ``croupier solve --csv`` prints."""
        return _file(request, analysis, "csv", "text/csv")

    @delete("/{analysis:str}", status_code=200, responses=NOES)
    async def cancel(self, request: AnyRequest, analysis: FromPath[str]) -> AnalysisShown:
        """Cancel an analysis that waits or runs."""
        analyst_of(request)
        with not_found():
            return pit_of(request).analyses.cancel(analysis)


def analyst_of(request: AnyRequest) -> Login:
    """Who may ask what a game is worth: an analyst, or the one player of a practice room."""
    everybody = pit_of(request).analyses.open_to_all
    return login_of(request) if everybody else with_right(request, "analyze")


def _file(request: AnyRequest, analysis: str, form: Form, media_type: str) -> Response[bytes]:
    analyst_of(request)
    with not_found():
        text = pit_of(request).analyses.printed(analysis, form)
    name = {"Content-Disposition": f'attachment; filename="analysis.{form}"'}
    return Response(text.encode(), media_type=media_type, headers=name)


class SelfCheckRoutes(Controller):
    """The program's own files, held against those that somebody answered for."""

    path = "/api/program"
    tags = ("program",)
    response_headers = PRIVATE

    @get("/", responses=NOES)
    async def shown(self, request: AnyRequest) -> ProgramShown:
        """The hash of the program, and what of it has changed; for everybody."""
        return pit_of(request).program.shown()

    @post("/check", status_code=200, responses=NOES)
    async def check(self, request: AnyRequest) -> ProgramShown:
        """Check it now."""
        with_right(request, "program")
        return await asyncio.to_thread(pit_of(request).program.check)

    @post("/clock", status_code=200, responses=NOES)
    async def correct_clock(self, request: AnyRequest) -> ClockShown:
        """Let play go on after the machine's clock ran ahead and was set right: the tables' time
        stands still until the clock has caught up."""
        login, clock = with_right(request, "program"), pit_of(request).clock
        return await asyncio.to_thread(clock.correct, login.name, login.role)

    @post("/acceptance", status_code=200, responses=NOES)
    async def accept(self, request: AnyRequest, data: JSONBody[Acceptance]) -> ProgramShown:
        """Answer for the program as it is now, after an upgrade; play goes on."""
        login, program = with_right(request, "program"), pit_of(request).program
        return await asyncio.to_thread(program.accept, data.digest, login.name, login.role)


class KeyRoutes(Controller):
    """The key that seals packs, held against those that a manager answered for."""

    path = "/api/keys"
    tags = ("keys",)
    response_headers = PRIVATE

    @get("/", responses=NOES)
    async def shown(self, request: AnyRequest) -> KeyShown:
        """The id of the key that seals here, and whether it was accepted."""
        with_right(request, "program")
        return pit_of(request).keys.shown()

    @post("/acceptance", status_code=200, responses=NOES)
    async def accept(self, request: AnyRequest, data: JSONBody[NewKey]) -> KeyShown:
        """Answer for a new key, as the second person beside who keeps the machine; play goes on."""
        login, keys = with_right(request, "program"), pit_of(request).keys
        return await asyncio.to_thread(keys.accept, data.key, login.name, login.role)
