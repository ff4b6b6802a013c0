"""What every page may lead to: the rules of a table in plain English, and its felt as a picture."""

from __future__ import annotations

from urllib.parse import quote

from litestar import Response, get

from croupier.documents.filing import filing_of
from croupier.documents.html import page as printed
from croupier.documents.layout.drawing import felt
from croupier.documents.player_guide import player_guide
from croupier.ledger.replay import kept_submission
from croupier.server.http.api import AnyRequest, pit_of, table_of
from croupier.server.pages.clause_explanation import why
from croupier.server.pages.renderer import HEADERS, SORRY, static_file

LINKED = '<link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/static/house.css">'


@get("/tables/{name:str}/rules", include_in_schema=False, exception_handlers=SORRY)
async def rules_page(request: AnyRequest, name: str) -> Response[str]:
    """The player's guide of this table, from the same Rules that settle it; for everybody."""
    kept, registry = table_of(request, name).kept, pit_of(request).registry
    guide = player_guide(filing_of(kept_submission(kept.installed, registry), registry))
    place = "practice" if pit_of(request).analyses.open_to_all else "tables"
    back = f'<p><a href="/{place}/{quote(name)}">Back to the table</a></p>'
    return Response(printed(guide, LINKED, back), media_type="text/html", headers=HEADERS)


@get("/tables/{name:str}/felt.svg", include_in_schema=False)
async def felt_picture(request: AnyRequest, name: str) -> Response[str]:
    """The layout as it goes to the Commission."""
    kept, registry = table_of(request, name).kept, pit_of(request).registry
    text = felt(kept_submission(kept.installed, registry), registry)
    # A picture brings its own style; no script can run in it.
    headers = HEADERS | {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return Response(text, media_type="image/svg+xml", headers=headers)


HANDLERS = (static_file, rules_page, felt_picture, why)
