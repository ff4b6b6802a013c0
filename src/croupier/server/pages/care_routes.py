"""Care for a player of a live pit: how long and for how much, limits of his own, and what he spent,
to print."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath, JSONBody

from croupier.documents.help_line import HELP
from croupier.ledger.recordings.index import MOST
from croupier.practice.care import CareShown, OwnLimits
from croupier.server.http.api import AnyRequest, login_of, pit_of, refuse_elsewhere, table_of
from croupier.server.pages.render_cache import facts_for
from croupier.server.pages.renderer import SORRY, page
from croupier.server.pit.player_care import care_of, spent_by


@get("/care", include_in_schema=False)
async def care(request: AnyRequest) -> CareShown:
    return await care_of(pit_of(request), login_of(request).name)


@post("/care", status_code=204, include_in_schema=False)
async def limit(request: AnyRequest, data: JSONBody[OwnLimits]) -> None:
    """What somebody allows himself, at every table, until he changes it."""
    people = pit_of(request).people
    await asyncio.to_thread(people.set_limits, login_of(request).name, data)


@get("/tables/{name:str}/spent", include_in_schema=False, exception_handlers=SORRY)
async def spent_page(request: AnyRequest, name: FromPath[str]) -> Response[Any]:
    """What a player wagered and got back at a table, to look at and to print."""
    login, table = login_of(request), table_of(request, name)
    refuse_elsewhere(request, login, name)
    about = await facts_for(request, table)
    rounds = await spent_by(pit_of(request), login.name, table.name)
    return page("spent", facts=about.facts, me=login, rounds=rounds, most=MOST, help=HELP)


HANDLERS = (care, limit, spent_page)
