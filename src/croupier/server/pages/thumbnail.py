"""A cache of each table's felt as a small picture, for a list of tables."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from litestar import Response, get

from croupier.documents.layout.drawing import felt
from croupier.ledger.replay import kept_submission
from croupier.server.http.api import AnyRequest, pit_of, table_of
from croupier.server.pages.renderer import KINDS, Parcel, parcel, sent
from croupier.server.pit.table_actor import LiveTable

# A picture brings its own style; no script can run in it.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"

_drawn: WeakKeyDictionary[LiveTable, Parcel] = WeakKeyDictionary()


@get("/tables/{name:str}/small.svg", include_in_schema=False)
async def small_picture(request: AnyRequest, name: str) -> Response[bytes]:
    table, registry = table_of(request, name), pit_of(request).registry
    if table not in _drawn:
        text = felt(kept_submission(table.kept.installed, registry), registry)
        _drawn[table] = parcel(text.encode(), KINDS[".svg"])
    return sent(request, _drawn[table], POLICY)
