"""A practice room beside a live pit: the folder of ``make demo``, which runs in a player's browser.

The coach is there and never at a live table, where no device may help a player to project an
outcome, to follow the cards or to find a strategy (COMAR-3 13.A; a shuffler neither: COMAR-2 17.G).
Nothing of the pit is in that folder, and nothing that is played there comes back.
"""

from __future__ import annotations

import asyncio
from functools import lru_cache
from pathlib import Path

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect

from croupier.facts.errors import Unreadable
from croupier.server.http.api import AnyRequest, login_of, pit_of
from croupier.server.pages.renderer import KINDS, POLICY, SORRY, Parcel, parcel, sent

INDEX = "index.html"
NEEDED = (INDEX, "service_worker.js", "python/croupier.zip")
KINDS_THERE = {
    **KINDS,
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
POLICY_THERE = (
    POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
    .replace("img-src 'self' data:", "img-src 'self' data: blob:")
    .replace("connect-src 'self'", "connect-src 'self'; worker-src 'self' blob:")
)


def refuse_other_folder(folder: str) -> None:
    """Before a pit opens with it."""
    if folder and not all((Path(folder) / name).is_file() for name in NEEDED):
        raise Unreadable(f"{folder}: no practice room is here; make demo builds one, in build/demo")


@get("/practice-room", include_in_schema=False, exception_handlers=SORRY)
async def practice_door(request: AnyRequest) -> Redirect:
    return Redirect(f"/practice-room/{INDEX}")


@get("/practice-room/{path:path}", include_in_schema=False, exception_handlers=SORRY)
async def practice_file(request: AnyRequest, path: FromPath[str]) -> Response[bytes]:
    """A file of the folder, for whoever is logged in."""
    login_of(request)
    folder = Path(pit_of(request).chosen.practice).resolve()
    file = folder.joinpath(path.lstrip("/")).resolve()
    is_there = pit_of(request).chosen.practice and file.is_relative_to(folder) and file.is_file()
    if not is_there or file.suffix not in KINDS_THERE:
        raise NotFoundException("there is no such file in the practice room")
    found = await asyncio.to_thread(_read, file, file.stat().st_mtime_ns)
    return sent(request, found, POLICY_THERE)


@lru_cache(maxsize=200)  # the whole folder, packed once
def _read(file: Path, changed_ns: int) -> Parcel:
    return parcel(file.read_bytes(), KINDS_THERE[file.suffix])


HANDLERS = (practice_door, practice_file)
