"""The one place that wires the service: ledger, keys, pit, API and what watches over them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from litestar import Litestar, MediaType, Request, Response, get
from litestar._openapi.plugin import OpenAPIPlugin
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Tag
from litestar.response import Redirect
from litestar.status_codes import HTTP_303_SEE_OTHER, HTTP_405_METHOD_NOT_ALLOWED
from litestar.types import ExceptionHandlersMap

from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.ledger.store.port import Moved, unplaced
from croupier.server.access.console_admin import Setup
from croupier.server.http.admin_routes import (
    AnalysisRoutes,
    KeyRoutes,
    LinkRoutes,
    SelfCheckRoutes,
    WaitingRoutes,
)
from croupier.server.http.api import AnyRequest, hear_of, pit_of, refuse_strange_query
from croupier.server.http.log_routes import LogRoutes
from croupier.server.http.login_routes import EntranceRoutes, LoginRoutes, StaffRoutes
from croupier.server.http.recording_routes import RecordingRoutes
from croupier.server.http.table_routes import TableRoutes
from croupier.server.http.table_socket import Sockets, live
from croupier.server.metrics import CONTENT_TYPE
from croupier.server.pages.render_cache import RenderCache
from croupier.server.pages.renderer import sorry_page, static_files
from croupier.server.pit.messages import (
    MOST_BYTES,
    STATUS,
    CommandOutcome,
    Forbidden,
    Reply,
    excused,
)
from croupier.server.pit.peer_server import peers
from croupier.server.pit.pit import Pit
from croupier.server.threads import ledger_threads

LOG = logging.getLogger("croupier")
SAYING_NO: tuple[type[Exception], ...] = (Refusal, Unreadable, Unavailable, Moved, Forbidden)
OUTCOMES: dict[int, CommandOutcome] = {404: "not found"}


def make_app(
    open_pit: Callable[[], Pit],
    on_open: Callable[[Pit, Setup], None],
    handlers: Sequence[Any] = (),
    lifespans: Sequence[Callable[[Litestar], AbstractAsyncContextManager[None]]] = (),
    *,
    new_code: bool = False,
) -> Litestar:
    """The service on a pit that is opened when it starts and closed when it stops.

    ``handlers`` are pages beside the API, ``lifespans`` what they keep while it runs; with a
    ``new_code`` an administrator can be made though there are some.
    """

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(ledger_threads())
        pit = await asyncio.to_thread(open_pit)
        app.state.pit, app.state.setup = pit, Setup(pit.people, again=new_code)
        app.state.sockets, app.state.render_cache = Sockets(pit.metrics), RenderCache()
        await asyncio.to_thread(app.plugins.get(OpenAPIPlugin).provide_openapi_schema)
        await asyncio.to_thread(static_files)
        pit.send_away_by(app.state.sockets)
        pit.start()
        watching = asyncio.ensure_future(app.state.sockets.watch(pit.logins))
        on_open(pit, app.state.setup)
        try:
            yield
        finally:
            watching.cancel()
            await app.state.sockets.close_all()
            app.state.render_cache.close()
            await pit.close()
            LOG.info("stopped")

    offices = [
        EntranceRoutes,
        LoginRoutes,
        TableRoutes,
        StaffRoutes,
        LinkRoutes,
        WaitingRoutes,
        AnalysisRoutes,
        SelfCheckRoutes,
        KeyRoutes,
        LogRoutes,
        RecordingRoutes,
    ]
    return Litestar(
        route_handlers=[*offices, live, peers, health, ready, metrics, *handlers],
        lifespan=[lifespan, *lifespans],
        exception_handlers={**FAULTS, **dict.fromkeys(SAYING_NO, _no)},
        guards=[refuse_strange_query, hear_of],
        openapi_config=_described(),
        request_max_body_size=MOST_BYTES,
        logging_config=None,
    )


class KeptDescription(JsonRenderPlugin):
    """The OpenAPI document, serialized once and cached: it never changes while the service runs."""

    _written = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        self._written = self._written or super().render(request, openapi_schema)
        return self._written


def _described() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Croupier",
        version="1",
        description="Live tables for people with roles; docs/api.md tells how a client is written.",
        path="/api/schema",
        # The document alone: a page to try it out would run a script of somebody else.
        render_plugins=[KeptDescription(path=["/", "/openapi.json"])],
        use_handler_docstrings=True,
        tags=[
            Tag("door", "In and out."),
            Tag("tables", "Tables, commands, and rounds told again."),
            Tag("people", "People and their roles; for the administrator."),
            Tag("links", "Progressive links and their meters."),
            Tag("analyses", "What a game is worth; for analysts."),
            Tag("program", "The program's own hashes."),
            Tag("keys", "The key that seals packs."),
            Tag("log", "The transparency log: checkpoint and tiles, for everybody."),
        ],
    )


@get("/health", media_type=MediaType.TEXT)
async def health() -> str:
    """The process is there."""
    return "ok"


@get("/ready", media_type=MediaType.TEXT)
async def ready(request: AnyRequest) -> Response[str]:
    """The ledger answers, program and key are those that were accepted, and the tables are open."""
    pit = pit_of(request)
    try:
        await asyncio.to_thread(pit.prove_ledger)
        pit.gate()
        if pit.why_not_ready:
            raise Unavailable(pit.why_not_ready)
    except Unavailable as error:
        why = unplaced(error, pit.ledger)
        return Response(why, status_code=503, media_type=MediaType.TEXT)
    told = [f"{len(pit.tables)} tables"]
    if not pit.program.is_checked:
        told.insert(0, "the program is not checked")
    if pit.unknown_tables:
        told.append(f"not known to this program: {', '.join(sorted(pit.unknown_tables))}")
    return Response("; ".join(told), media_type=MediaType.TEXT)


@get("/metrics", media_type=MediaType.TEXT)
async def metrics(request: AnyRequest) -> Response[bytes]:
    """Numbers for Prometheus."""
    pit = pit_of(request)
    pit.metrics.logins.set(len(pit.logins))
    return Response(pit.metrics.exposition(), media_type=CONTENT_TYPE)


def _no(request: AnyRequest, error: Exception) -> Response[Reply]:
    told = excused(error, pit_of(request).ledger)
    assert told is not None
    headers = {"Retry-After": str(told.wait_s)} if told.wait_s else {}
    return Response(
        told, status_code=STATUS[told.outcome], headers=headers, media_type=MediaType.JSON
    )


def _bad_request(request: AnyRequest, error: HTTPException) -> Response[Any]:
    known: CommandOutcome = "unreadable" if error.status_code < 500 else "unavailable"
    outcome = OUTCOMES.get(error.status_code, known)
    told = Reply(outcome, sentence=_why(error))
    is_early = error.status_code == HTTP_405_METHOD_NOT_ALLOWED and request.method == "POST"
    if is_early and _is_read_by_a_person(request):
        return _back_to_the_page(request)
    if outcome == "not found" and _is_read_by_a_person(request):
        told = Reply(outcome, sentence=f"there is no page {request.url.path[:100]}")
        return sorry_page(told)
    return Response(told, status_code=error.status_code, media_type=MediaType.JSON)


def _back_to_the_page(request: AnyRequest) -> Redirect:
    """A form was sent by the browser itself, before the page's script was there to do it."""
    place, asked = request.url.path.lstrip("/"), request.url.query
    return Redirect(f"/{place}{'?' if asked else ''}{asked}", status_code=HTTP_303_SEE_OTHER)


def _is_read_by_a_person(request: AnyRequest) -> bool:
    """A browser that goes to an address says that it wants a page; a program does not."""
    is_page = not request.url.path.startswith(("/api/", "/static/"))
    return is_page and "text/html" in request.headers.get("accept", "")


def _too_deep(request: AnyRequest, error: RecursionError) -> Response[Reply]:
    told = Reply("unreadable", sentence="this cannot be read: it is nested too deep")
    return Response(told, status_code=STATUS[told.outcome], media_type=MediaType.JSON)


def _why(error: HTTPException) -> str:
    """What was wrong, with the places in the request that a client can put right."""
    places = [
        f"{place.get('key', 'it')}: {place.get('message', '')}"
        for place in (error.extra if isinstance(error.extra, list) else [])
        if isinstance(place, dict)
    ]
    return "; ".join([error.detail or "this request cannot be read", *places])[:500]


def _broken(request: AnyRequest, error: Exception) -> Response[Reply]:
    """A fault of ours: the log has it, and nobody else is told what it was."""
    LOG.error("a request failed", exc_info=error, extra={"path": request.url.path})
    told = Reply("unavailable", sentence="something went wrong here; try again")
    return Response(told, status_code=500, media_type=MediaType.JSON)


FAULTS: ExceptionHandlersMap = {
    HTTPException: _bad_request,
    RecursionError: _too_deep,
    Exception: _broken,
}
"""What is said to who asks for what cannot be read, or when we are at fault."""
