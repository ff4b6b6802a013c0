"""The felt of a table as a small picture: for a list of tables, drawn once for each of them."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from litestar import Response, get

from croupier.documents.felt import felt
from croupier.ledger.restoring import kept_submission
from croupier.server.actor import LiveTable
from croupier.server.api import AnyRequest, pit_of, table_of
from croupier.server.pages.press import KINDS, Parcel, parcel, sent

# A picture brings its own style; no script can run in it.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"

_drawn: WeakKeyDictionary[LiveTable, Parcel] = WeakKeyDictionary()


@get("/tables/{name:str}/small.svg", include_in_schema=False)
async def small_picture(request: AnyRequest, name: str) -> Response[bytes]:
    table, house = table_of(request, name), pit_of(request).house
    if table not in _drawn:
        text = felt(kept_submission(table.kept.installed, house), house)
        _drawn[table] = parcel(text.encode(), KINDS[".svg"])
    return sent(request, _drawn[table], POLICY)
