"""Each table's felt as a picture: as it goes to the Commission, and small in a list of tables."""

from __future__ import annotations

from litestar import Response, get
from litestar.params import FromPath

from croupier.documents.layout.svg import felt
from croupier.ledger.replay import kept_submission
from croupier.server.http.api import AnyRequest, pit_of, table_of
from croupier.server.pages.render_cache import cache_of, content_key
from croupier.server.pages.renderer import KINDS, SORRY, Parcel, parcel, sent

# A picture brings its own style; no script can run in it.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@get(
    ["/tables/{name:str}/small.svg", "/tables/{name:str}/felt.svg"],
    include_in_schema=False,
    exception_handlers=SORRY,
)
async def felt_picture(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    table, registry = table_of(request, name), pit_of(request).registry

    def made() -> Parcel:
        text = felt(kept_submission(table.kept.installed, registry), registry)
        return parcel(text.encode(), KINDS[".svg"])

    drawn = await cache_of(request).kept(content_key("felt", table), made)
    return sent(request, drawn, POLICY)
