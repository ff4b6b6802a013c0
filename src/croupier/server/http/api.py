"""Shared by all routes: the session behind a request or a socket, and errors as HTTP answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import ResponseHeader, State
from litestar.handlers import BaseRouteHandler
from litestar.openapi import ResponseSpec

from croupier.facts.errors import Unreadable
from croupier.facts.names import known_names
from croupier.server.access.logins import Login, NotAdmitted
from croupier.server.access.roles import Right
from croupier.server.pit.messages import Forbidden, NotHere, Reply
from croupier.server.pit.pit import Pit
from croupier.server.pit.table_actor import LiveTable
from croupier.table.views import PUBLIC, Viewer

LOOKS = ("GET", "HEAD")
PRIVATE = (
    ResponseHeader(name="Cache-Control", value="no-store"),
    ResponseHeader(name="X-Content-Type-Options", value="nosniff"),
)
"""What is said to one person is kept by nobody on the way."""
AnyConnection = ASGIConnection[Any, Any, Any, State]
AnyRequest = Request[Any, Any, State]

# Every no has the same shape, whichever way it is said.
NOES = {
    status: ResponseSpec(Reply, description=why, generate_examples=False)
    for status, why in {
        400: "The request cannot be read; the sentence says what would be right.",
        401: "Nobody is logged in, or no longer; the terminal may be locked.",
        403: "Somebody with another duty may do this.",
        404: "What the address names is not there.",
        405: "The address knows other methods.",
        409: "A rule forbids it, with its clause; or the table has moved on (stale).",
        413: "More was sent than any request needs.",
        415: "Send JSON.",
        429: "Too many requests; wait a moment.",
        500: "A fault of the service; its log has it.",
        503: "The ledger cannot be reached or play is stopped; nothing was lost.",
    }.items()
}


def pit_of(connection: AnyConnection) -> Pit:
    pit: Pit = connection.app.state.pit
    return pit


def token_of(connection: AnyConnection) -> str:
    bearer = connection.headers.get("authorization", "")
    if bearer.startswith("Bearer "):
        return bearer.removeprefix("Bearer ")
    name = pit_of(connection).cookie
    if name not in connection.cookies:
        return ""
    refuse_foreign(connection)
    return connection.cookies[name]


def refuse_foreign(connection: AnyConnection) -> None:
    """A cookie counts only for our own pages: another site's page cannot act for who is here."""
    origin, host = connection.headers.get("origin"), connection.headers.get("host")
    scheme = "https" if connection.scope["scheme"] in ("https", "wss") else "http"
    foreign = origin is not None and origin != f"{scheme}://{host}"
    site = connection.headers.get("sec-fetch-site", "same-origin")
    if foreign or site not in ("same-origin", "none"):
        raise NotAdmitted("this request comes from a page of another site")


async def refuse_strange_query(connection: AnyConnection, handler: BaseRouteHandler) -> None:
    """A word of an address that nobody knows would be passed over, and who wrote it would not see
    it; a page tells of its own words itself."""
    if connection.query_params and connection.scope["path"].startswith("/api/"):
        known = _query_words(handler, frozenset(connection.path_params))
        known_names(connection.query_params, known, "query parameter", where="this address")


@lru_cache(maxsize=1000)
def _query_words(handler: BaseRouteHandler, in_path: frozenset[str]) -> tuple[str, ...]:
    paths: dict[str, Any] = dict.fromkeys(in_path)
    expected = handler.create_kwargs_model(paths).expected_query_params
    return tuple(word.field_alias for word in expected)


def claimed_token(connection: AnyConnection, cookie: str) -> str:
    """The token that a request says it has, wherever it comes from."""
    bearer = connection.headers.get("authorization", "").removeprefix("Bearer ")
    return bearer or connection.cookies.get(cookie, "")


async def hear_of(connection: AnyConnection, handler: BaseRouteHandler) -> None:
    """Before anything else: who logged in at another process is known here, too, and so is the
    table that an address names. Nobody else waits while the ledger is asked.
    """
    pit = pit_of(connection)
    await pit.logins.hear_of(claimed_token(connection, pit.cookie))
    await pit.hear_of(str(connection.path_params.get("name", "")))


def login_of(connection: AnyConnection) -> Login:
    """Whoever looks on is not at his terminal: only what he does keeps it open."""
    touches = connection.scope.get("method", "GET") not in LOOKS
    return pit_of(connection).logins.by_token(token_of(connection), touch=touches)


def with_right(connection: AnyConnection, right: Right) -> Login:
    login = login_of(connection)
    if right not in login.access.rights:
        raise Forbidden(f"that is not for the {login.role}")
    return login


def refuse_elsewhere(connection: AnyConnection, login: Login, table: str) -> None:
    """Staff do nothing at tables that are not theirs."""
    if why := pit_of(connection).policy.why_not_here(login, table):
        raise Forbidden(why)


def viewer_of(connection: AnyConnection, login: Login | None, table: str) -> Viewer:
    """As whom somebody sees a table: without a login, and where he does not work, as the public
    does."""
    if login is None or pit_of(connection).policy.why_not_here(login, table):
        return PUBLIC
    sees = login.access.sees
    # Who declared something does not confirm it, so the floor is known by name too.
    is_known = sees in ("player", "floorperson", "manager")
    return Viewer(role=sees, name=login.name if is_known else "")


def table_of(connection: AnyConnection, name: str) -> LiveTable:
    with not_found():
        return pit_of(connection).table(name)


@contextmanager
def not_found() -> Iterator[None]:
    """For what an address names: a wrong name there is a place that does not exist."""
    try:
        yield
    except Unreadable as error:
        raise NotHere(str(error)) from None


def address_of(connection: AnyConnection) -> str:
    return connection.client.host if connection.client is not None else ""
