"""The transparency log over HTTP, as c2sp.org/tlog-tiles has it: read-only, for everybody."""

from __future__ import annotations

import asyncio

from litestar import Controller, Response, get
from litestar.params import FromPath

from croupier.server.http.api import NOES, AnyRequest, pit_of
from croupier.server.pit.log_publisher import CHECKPOINT, served
from croupier.server.pit.messages import NotHere

TEXT, BYTES = "text/plain; charset=utf-8", "application/octet-stream"
FRESH, FOR_EVER = "max-age=5", "public, max-age=31536000, immutable"


class LogRoutes(Controller):
    path = "/log"
    tags = ("log",)

    @get("/checkpoint", responses=NOES, media_type=TEXT)
    async def checkpoint(self, request: AnyRequest) -> Response[bytes]:
        """Size and root of the tree over every line of the ledger, signed; at most a minute old."""
        return await _part_of_log(request, CHECKPOINT, TEXT, FRESH)

    @get("/key", responses=NOES, media_type=TEXT)
    async def key(self, request: AnyRequest) -> Response[str]:
        """The verifier key of the log. Who wants to rely on it was given it some other way."""
        return Response(f"{pit_of(request).log.key}\n", media_type=TEXT)

    @get("/tile/{path:path}", responses=NOES, media_type=BYTES)
    async def tile(self, request: AnyRequest, path: FromPath[str]) -> Response[bytes]:
        """A row of up to 256 hashes of the tree."""
        return await _part_of_log(request, f"tile{path}", BYTES, FOR_EVER)


async def _part_of_log(request: AnyRequest, path: str, kind: str, caching: str) -> Response[bytes]:
    found = await asyncio.to_thread(served, pit_of(request).ledger.log, path)
    if found is None:
        raise NotHere("the log has no such part")
    return Response(found, media_type=kind, headers={"Cache-Control": caching})
