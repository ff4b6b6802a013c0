"""How a page is made and sent: our own templates and files, and a policy that admits no other."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.types import ExceptionHandlersMap
from markupsafe import Markup

from croupier.facts.errors import Unreadable
from croupier.server.asking import STATUS, Forbidden, NotHere, excused
from croupier.server.logins import NotAdmitted

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
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def page(template: str, **facts: Any) -> Response[str]:
    """A page from its template; what is put in is escaped, but for drawings of our own."""
    text = _templates().get_template(f"{template}.html").render(**facts)
    return Response(text, media_type="text/html", headers=HEADERS)


def _sorry(request: Request[Any, Any, State], error: Exception) -> Response[str]:
    """A no, for who reads it in a browser."""
    told = excused(error)
    assert told is not None
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


@get("/static/{name:str}", include_in_schema=False)
async def static_file(request: Request[Any, Any, State], name: str) -> Response[bytes]:
    found = _static().get(name)
    if found is None:
        raise NotFoundException(f"there is no file {name}")
    content, kind, tag = found
    headers = {"ETag": tag, "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    if request.headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, headers=headers)
    return Response(content, media_type=kind, headers=headers)


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
def _static() -> dict[str, tuple[bytes, str, str]]:
    """Every file a page may ask for, by name; two styles are the documents' own."""
    kept: list[Traversable] = [*(files(__package__) / "static").iterdir()]
    kept += [files("croupier.documents") / name for name in ("felt.css", "house.css")]
    found = {}
    for file in kept:
        content = file.read_bytes()
        kind = KINDS["." + file.name.rpartition(".")[2]]
        found[file.name] = content, kind, f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return found
