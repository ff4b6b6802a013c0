"""What every page may lead to: the rules of a table in plain English, and why a thing happened."""

from __future__ import annotations

from functools import partial
from typing import Annotated
from urllib.parse import quote

from litestar import Response, get
from litestar.params import FromPath, QueryParameter

from croupier.documents.filing import filing_of
from croupier.documents.html import page as printed
from croupier.documents.player_guide import player_guide
from croupier.ledger.replay import kept_submission
from croupier.server.http.api import AnyRequest, pit_of, table_of
from croupier.server.pages.clause_explanation import Why, explained
from croupier.server.pages.render_cache import cache_of, content_key
from croupier.server.pages.renderer import (
    KINDS,
    POLICY,
    SORRY,
    Parcel,
    parcel,
    sent,
    static_file,
)
from croupier.server.pages.thumbnail import felt_picture

LINKED = '<link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/static/house.css">'


@get("/tables/{name:str}/rules", include_in_schema=False, exception_handlers=SORRY)
async def rules_page(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """The player's guide of this table, from the same Rules that settle it; for everybody."""
    table, registry = table_of(request, name), pit_of(request).registry
    place = "practice" if pit_of(request).analyses.open_to_all else "tables"
    back = f'<p><a href="/{place}/{quote(table.name)}">Back to the table</a></p>'

    def made() -> Parcel:
        filing = filing_of(kept_submission(table.kept.installed, registry), registry)
        return parcel(printed(player_guide(filing), LINKED, back).encode(), KINDS[".html"])

    guide = await cache_of(request).kept(content_key("rules", table, place), made)
    return sent(request, guide, POLICY)


@get("/why", include_in_schema=False)
async def why(
    request: AnyRequest,
    clause: Annotated[str, QueryParameter(max_length=60)],
    ruling: Annotated[int, QueryParameter(ge=0, le=1000)] = 0,
) -> Why:
    """For everybody: rules are no secret. ``ruling`` is one that an event cites beside it. Where
    nobody asked before, a whole book's clauses are read."""
    made = partial(explained, pit_of(request).registry, clause, ruling)
    return await cache_of(request).made(made)


HANDLERS = (static_file, rules_page, felt_picture, why)
