"""Beside the tables: progressive links, analyses, and the program itself."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from litestar import Controller, delete, get, post, put
from msgspec import Meta

from croupier.server.analysis import AnalysisShown, NewAnalysis
from croupier.server.api import NOES, PRIVATE, AnyRequest, not_found, pit_of, with_right
from croupier.server.links import LinkShown
from croupier.server.program import ProgramShown


class LinkChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``open`` or not, and why not: the reason is told to who wants to wager."""

    open: bool
    reason: Annotated[str, Meta(max_length=100)] = ""


class Acceptance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hash of the program as it was shown."""

    digest: Annotated[str, Meta(max_length=100)]


class LinkOffice(Controller):
    path = "/api/links"
    tags = ("links",)
    response_headers = PRIVATE

    @get("/", responses=NOES)
    async def every(self, request: AnyRequest) -> list[LinkShown]:
        """What stands on the meters of every link; for everybody."""
        return pit_of(request).shown_links()

    @put("/{name:str}", responses=NOES)
    async def run(self, request: AnyRequest, name: str, data: LinkChange) -> list[LinkShown]:
        """Close a link, or open it again with its meters as they were; rounds that are in
        progress finish. What its meters restart at and grow by never changes while it runs.
        """
        login, pit = with_right(request, "links"), pit_of(request)
        with not_found():
            pit.links.known(name)
        pit.links.run(name, is_open=data.open, reason=data.reason, by=login.name, role=login.role)
        return pit.shown_links()


class AnalysisOffice(Controller):
    """What a game is worth, for analysts; nothing here is about a round that is played."""

    path = "/api/analysis"
    tags = ("analyses",)
    response_headers = PRIVATE

    @get("/", responses=NOES)
    async def every(self, request: AnyRequest) -> list[AnalysisShown]:
        """Every analysis that is remembered, without its result."""
        with_right(request, "analyze")
        return pit_of(request).analyses.every()

    @post("/", status_code=202, responses=NOES)
    async def begin(self, request: AnyRequest, data: NewAnalysis) -> AnalysisShown:
        """Ask for an analysis; it runs in a process of its own, one at a time."""
        login = with_right(request, "analyze")
        return pit_of(request).analyses.begin(data, login.name)

    @get("/{analysis:str}", responses=NOES)
    async def known(self, request: AnyRequest, analysis: str) -> AnalysisShown:
        """How far an analysis is, and its result when it is done."""
        with_right(request, "analyze")
        with not_found():
            return pit_of(request).analyses.known(analysis)

    @delete("/{analysis:str}", status_code=200, responses=NOES)
    async def cancel(self, request: AnyRequest, analysis: str) -> AnalysisShown:
        """Cancel an analysis that waits or runs."""
        with_right(request, "analyze")
        with not_found():
            return pit_of(request).analyses.cancel(analysis)


class ProgramOffice(Controller):
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

    @post("/acceptance", status_code=200, responses=NOES)
    async def accept(self, request: AnyRequest, data: Acceptance) -> ProgramShown:
        """Answer for the program as it is now, after an upgrade; play goes on."""
        login, program = with_right(request, "program"), pit_of(request).program
        return await asyncio.to_thread(program.accept, data.digest, login.name, login.role)
