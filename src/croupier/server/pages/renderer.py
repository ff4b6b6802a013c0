"""Renders templates, serves static files, and sets a content security policy of our own files."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.types import ExceptionHandlersMap
from markupsafe import Markup

from croupier.facts.errors import Unreadable
from croupier.server.access.logins import NotAdmitted
from croupier.server.http.api import pit_of
from croupier.server.pit.messages import STATUS, Forbidden, NotHere, Reply, excused

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")


def page(template: str, **facts: object) -> Response[str]:
    """A page from its template; what is put in is escaped, but for drawings of our own."""
    return html(rendered(template, **facts))


def rendered(template: str, **facts: object) -> str:
    return _templates().get_template(f"{template}.html").render(**facts)


def html(text: str) -> Response[str]:
    return Response(text, media_type=KINDS[".html"], headers=HEADERS)


def _sorry(request: Request[Any, Any, State], error: Exception) -> Response[str]:
    """A no, for who reads it in a browser."""
    told = excused(error, pit_of(request).ledger)
    assert told is not None
    return sorry_page(told)


def sorry_page(told: Reply) -> Response[str]:
    answer = page(
        "sorry", title="Not here" if told.outcome != "not admitted" else "Not yet", told=told
    )
    answer.status_code = STATUS[told.outcome]
    return answer


SORRY: ExceptionHandlersMap = dict.fromkeys((NotAdmitted, NotHere, Forbidden, Unreadable), _sorry)
"""What page handlers say instead of JSON."""


def as_data(facts: object) -> Markup:
    """Facts for a page's own script, fit to stand in a data block."""
    text = msgspec.json.encode(facts).decode()
    return Markup(text.replace("<", "\\u003c"))


class Parcel(NamedTuple):
    """A cached response body, the same for everybody, with its gzip form and its ETag."""

    plain: bytes
    packed: bytes
    kind: str
    tag: str


def parcel(content: bytes, kind: str) -> Parcel:
    tag = hashlib.sha256(content).hexdigest()[:20]
    return Parcel(content, gzip.compress(content, mtime=0), kind, tag)


def sent(request: Request[Any, Any, State], kept: Parcel, policy: str = "") -> Response[bytes]:
    """Packed where the browser takes it, and not at all where the browser has it already.

    A page itself never goes packed: beside what an address put into it, its length would tell of
    what only its reader may know. A parcel holds no secret.
    """
    packs = bool(TAKES_GZIP.search(request.headers.get("accept-encoding", "")))
    tag = f'"{kept.tag}-gzip"' if packs else f'"{kept.tag}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "no-referrer"
    if policy:
        headers["Content-Security-Policy"] = policy
    if request.headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, headers=headers)
    if not packs:
        return Response(kept.plain, media_type=kept.kind, headers=headers)
    headers["Content-Encoding"] = "gzip"
    return Response(kept.packed, media_type=kept.kind, headers=headers)


@get("/static/{name:path}", include_in_schema=False)
async def static_file(request: Request[Any, Any, State], name: FromPath[str]) -> Response[bytes]:
    found = static_files().get(name.removeprefix("/"))
    if found is None:
        raise NotFoundException(f"there is no file {name}")
    return sent(request, found)


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("croupier.server.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment


@cache
def static_files() -> dict[str, Parcel]:
    """Every file a page may ask for, by folder and name; two styles are the documents' own."""
    kept = dict(_files_in(files(__package__) / "static"))
    kept |= {name: files("croupier.documents") / name for name in ("felt.css", "house.css")}
    return {
        name: parcel(file.read_bytes(), KINDS["." + name.rpartition(".")[2]])
        for name, file in kept.items()
    }


def _files_in(folder: Traversable, path: str = "") -> Iterator[tuple[str, Traversable]]:
    for file in folder.iterdir():
        if file.is_dir():
            yield from _files_in(file, f"{path}{file.name}/")
        else:
            yield f"{path}{file.name}", file
