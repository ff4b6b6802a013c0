"""The desk's page and what its script asks for; whoever came by the link is let in, nobody else.

Nothing is kept here but the packs that were made: each request brings the text it is about.
"""

from __future__ import annotations

import asyncio
import binascii
import secrets
from base64 import b64decode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import PurePath
from typing import Annotated, Any

import msgspec
from litestar import Litestar, MediaType, Request, Response, get, post
from litestar.datastructures import Cookie, State
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Redirect
from litestar.types import ExceptionHandlersMap
from msgspec import Meta

from croupier.documents.layout.logo import Logo, logo_of
from croupier.documents.returns import base_rules
from croupier.exact.solution_cache import solved
from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.facts.progress import Progress
from croupier.games.registry import Registry
from croupier.practice.link import OneTimeLink
from croupier.server.access.logins import NotAdmitted
from croupier.server.app import FAULTS
from croupier.server.desk.changes import FieldChange, begun_text, changed
from croupier.server.desk.comparison import Comparison, compared
from croupier.server.desk.earnings import PlayAssumptions
from croupier.server.desk.jobs import DeskJob, DeskJobs
from croupier.server.desk.papers import Preview, filing_in, packed, preview
from croupier.server.desk.state import DeskState, desk_state
from croupier.server.http.api import refuse_foreign
from croupier.server.pages.clause_explanation import Why, explained
from croupier.server.pages.renderer import HEADERS, as_data, html, page, static_file
from croupier.server.pit.messages import STATUS, NotHere, Reply, excused

COOKIE = "croupier-desk"
MOST_BYTES = 8_000_000  # a logo of the largest size, as text
MOST_TEXT = 200_000
KINDS = {
    ".pdf": "application/pdf",
    ".svg": "image/svg+xml",
    ".html": "text/html",
    ".json": "application/json",
    ".toml": "text/plain",
}
FILE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; object-src 'self'; "
    "frame-ancestors 'none'"
)
"""For a file of a pack, which brings its own style with it and runs nothing."""
SAYING_NO: tuple[type[Exception], ...] = (Refusal, Unreadable, Unavailable)
SubmissionText = Annotated[str, Meta(max_length=MOST_TEXT)]
DeskRequest = Request[Any, Any, State]


class Desk:
    """One manager at work: the link that lets him in, and the submission he begins with."""

    def __init__(self, registry: Registry, link: OneTimeLink, opens: str | None) -> None:
        self.registry, self.jobs = registry, DeskJobs()
        self.opens = opens if opens is not None else begun_text(registry.newest())
        self._link, self._tokens = link, set[str]()

    def admit(self, code: str) -> str:
        """A token for who has the link; the link is good once."""
        if not self._link.admits(code):
            raise NotAdmitted(
                "this link was used before, or never was good: each lets one browser in"
            )
        token = secrets.token_urlsafe(24)
        self._tokens.add(token)
        return token

    def knows(self, token: str) -> bool:
        return token in self._tokens


class DeskAsk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A submission as it stands, the changes to make in it, and what an hour is taken to be."""

    text: SubmissionText
    changes: Annotated[tuple[FieldChange, ...], Meta(max_length=200)] = ()
    assumed: PlayAssumptions = PlayAssumptions()


class PaperAsk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A paper of a submission; a ``logo`` is a file as base64."""

    text: SubmissionText
    name: str
    logo: str = ""


class CompareAsk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    first: SubmissionText
    second: SubmissionText
    assumed: PlayAssumptions = PlayAssumptions()


class PackAsk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A submission to file, under the name of its file; ``before`` is the version it replaces."""

    text: SubmissionText
    file: Annotated[str, Meta(max_length=100)]
    logo: str = ""
    before: SubmissionText = ""


class CountAsk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: SubmissionText


def desk_app(desk: Desk, on_open: Callable[[], None]) -> Litestar:
    """The service of one desk."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        app.state.desk = desk
        on_open()
        try:
            yield
        finally:
            desk.jobs.close()

    return Litestar(
        route_handlers=HANDLERS,
        lifespan=[lifespan],
        exception_handlers={**FAULTS, **dict.fromkeys(SAYING_NO, _no)},
        openapi_config=None,
        request_max_body_size=MOST_BYTES,
        logging_config=None,
    )


def desk_of(request: DeskRequest) -> Desk:
    """The desk, for who came in by its link."""
    desk: Desk = request.app.state.desk
    refuse_foreign(request)
    if not desk.knows(request.cookies.get(COOKIE, "")):
        raise NotAdmitted("this browser has not come by a link of croupier desk")
    return desk


def _no(request: DeskRequest, error: Exception) -> Response[Reply]:
    told = excused(error, None)
    assert told is not None
    return Response(told, status_code=STATUS[told.outcome], media_type=MediaType.JSON)


def _outside(request: DeskRequest, error: NotAdmitted) -> Response[str]:
    answer = page("desk_outside", sentence=str(error))
    answer.status_code = STATUS["not admitted"]
    return answer


OUTSIDE: ExceptionHandlersMap = {NotAdmitted: _outside}


@get("/sit/{code:str}", exception_handlers=OUTSIDE)
async def sit(request: DeskRequest, code: FromPath[str]) -> Response[Any]:
    """The link of the console: it lets its reader in, once."""
    try:
        desk_of(request)
        return Redirect("/")
    except NotAdmitted:
        desk: Desk = request.app.state.desk
    token = desk.admit(code)
    cookie = Cookie(COOKIE, value=token, httponly=True, samesite="strict", path="/")
    return Redirect("/", cookies=[cookie])


@get("/", exception_handlers=OUTSIDE)
async def desk_page(request: DeskRequest) -> Response[str]:
    desk = desk_of(request)
    begin = await _state(desk, DeskAsk(desk.opens))
    return page("desk", data=as_data(begin))


async def _state(desk: Desk, asked: DeskAsk) -> DeskState:
    def made() -> DeskState:
        text = changed(asked.text, asked.changes, desk.registry) if asked.changes else asked.text
        return desk_state(text, desk.registry, asked.assumed)

    return await asyncio.to_thread(made)


@post("/desk/state", status_code=200)
async def state(request: DeskRequest, data: JSONBody[DeskAsk]) -> DeskState:
    """The form, the findings and the earnings after these changes."""
    return await _state(desk_of(request), data)


@post("/desk/paper", status_code=200)
async def paper(request: DeskRequest, data: JSONBody[PaperAsk]) -> Preview:
    desk = desk_of(request)
    logo = _logo(data.logo)
    return await asyncio.to_thread(preview, data.text, data.name, desk.registry, logo)


@post("/desk/comparison", status_code=200)
async def comparison(request: DeskRequest, data: JSONBody[CompareAsk]) -> Comparison:
    desk = desk_of(request)
    return await asyncio.to_thread(compared, data.first, data.second, desk.registry, data.assumed)


@post("/desk/packs", status_code=202)
async def make_pack(request: DeskRequest, data: JSONBody[PackAsk]) -> DeskJob:
    """Begin to make a pack; what cannot be filed is refused at once."""
    desk, file = desk_of(request), PurePath(data.file).name or "submission.toml"
    logo = _logo(data.logo)
    await asyncio.to_thread(filing_in, data.text, desk.registry)
    return desk.jobs.begin(partial(packed, data.text, file, desk.registry, logo, data.before))


@post("/desk/counts", status_code=202)
async def count(request: DeskRequest, data: JSONBody[CountAsk]) -> DeskJob:
    """Begin to count a game that nobody counted yet."""
    desk = desk_of(request)
    filing = await asyncio.to_thread(filing_in, data.text, desk.registry)
    letters = dict(filing.submission.paytables)
    rules = base_rules(desk.registry, filing.book, letters)

    def counted(progress: Progress) -> None:
        solved(rules, progress)

    return desk.jobs.begin(counted)


@get("/desk/jobs/{job_id:str}")
async def job(request: DeskRequest, job_id: FromPath[str]) -> DeskJob:
    return desk_of(request).jobs.known(job_id)


@get("/desk/packs/{job_id:str}/pack.zip")
async def pack_zip(request: DeskRequest, job_id: FromPath[str]) -> Response[bytes]:
    pack = desk_of(request).jobs.pack(job_id)
    name = PurePath(next(iter(pack.files))).stem
    return Response(
        await asyncio.to_thread(pack.zipped),
        media_type="application/zip",
        headers={**HEADERS, "Content-Disposition": f'attachment; filename="{name}-pack.zip"'},
    )


@get("/desk/packs/{job_id:str}/files/{name:str}")
async def pack_file(
    request: DeskRequest, job_id: FromPath[str], name: FromPath[str]
) -> Response[bytes]:
    """One file of a pack, to look at."""
    files = desk_of(request).jobs.pack(job_id).files
    if name not in files:
        raise NotHere(f"this pack has no file {name}")
    kind = KINDS.get(PurePath(name).suffix, "application/octet-stream")
    return Response(
        files[name], media_type=kind, headers={**HEADERS, "Content-Security-Policy": FILE_POLICY}
    )


@get("/desk/packs/{job_id:str}/print", exception_handlers=OUTSIDE)
async def pack_print(request: DeskRequest, job_id: FromPath[str]) -> Response[str]:
    """Every paper of a pack on one page, to print."""
    return html(desk_of(request).jobs.pack(job_id).page)


@get("/why")
async def why(
    request: DeskRequest,
    clause: Annotated[str, QueryParameter(max_length=60)],
    ruling: Annotated[int, QueryParameter(ge=0, le=1000)] = 0,
) -> Why:
    return explained(desk_of(request).registry, clause, ruling)


def _logo(text: str) -> Logo | None:
    if not text:
        return None
    try:
        content = b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Unreadable("the logo did not arrive whole; choose its file again") from None
    return logo_of(content, "you chose")


HANDLERS = (
    *(sit, desk_page, state, paper, comparison, make_pack, count, job),
    *(pack_zip, pack_file, pack_print, why, static_file),
)
