"""The pages of a live pit: in at the door, then one page a role for each table."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from typing import Any
from urllib.parse import quote

import msgspec
from litestar import Response, get
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from croupier.documents.help_line import HELP
from croupier.facts.hands import Category
from croupier.ledger.events import tag_of
from croupier.ledger.recordings.query import irregular_names, wager_names
from croupier.ledger.recordings.recording import OUTCOMES
from croupier.ledger.redaction import seen
from croupier.ledger.rounds import KeptRound
from croupier.server.access.logins import Login, NotAdmitted
from croupier.server.access.roles import PIT_ROLES
from croupier.server.http.api import (
    AnyRequest,
    login_of,
    not_found,
    pit_of,
    refuse_elsewhere,
    table_of,
    viewer_of,
)
from croupier.server.pages import care_routes, home_routes, practice_folder, rules_page
from croupier.server.pages.analyst_page import analysis_page, protection_page
from croupier.server.pages.irregularity_choices import accidents
from croupier.server.pages.opening_checklist import checklist
from croupier.server.pages.render_cache import cache_of, content_key, facts_for
from croupier.server.pages.renderer import (
    KINDS,
    POLICY,
    SORRY,
    Parcel,
    as_data,
    html,
    page,
    parcel,
    rendered,
    sent,
)
from croupier.server.pit.messages import Forbidden
from croupier.table.event_base import particulars
from croupier.table.events import Outcome
from croupier.table.narration import narrate as sentence_of
from croupier.table.powers import PitRole, in_words
from croupier.table.views import View, Viewer, view

PAGES: dict[PitRole, str] = {
    "player": "player",
    "dealer": "console",
    "floorperson": "console",
    "manager": "console",
    "surveillance": "watch",
    "auditor": "watch",
}
"""The page each role sees of a table; who has none, or does not work there, reads its sign."""


OWN_PATH = re.compile(r"/(?![/\\])[!-~]*\Z")
"""Where a login leads on to: a page of ours."""


class ReplayStep(msgspec.Struct, frozen=True):
    """One event of a round that is over, its line in the chain, and the table after it.

    ``says`` tells it in a sentence, as ``croupier replay`` does; ``proved``: its hash is that of
    what it says, and it holds the hash of the line before.
    """

    event: str
    says: str
    at_us: int
    by: str
    role: str
    clauses: tuple[str, ...]
    rulings: tuple[int, ...]
    data: dict[str, Any]
    version: int
    previous: str
    hash: str
    proved: bool
    view: View


@get("/", include_in_schema=False, exception_handlers=SORRY)
async def lobby(request: AnyRequest) -> Response[Any]:
    """Every table and every office that is open to who is here."""
    pit = pit_of(request)
    if not pit.people.known:
        return Redirect("/setup")
    login = _known(request)
    if login is None:
        return Redirect("/login")
    tables = [(await facts_for(request, table)).facts for table in pit.tables.values()]
    tables.sort(key=lambda facts: facts.practice)  # where something is at stake comes first
    now = {table.name: table for table in await pit.shown()}
    shown = {
        "rights": login.access.rights,
        "home": home_routes.home_of(request) is not None,
        "practice": bool(pit.chosen.practice),
    }
    made = partial(rendered, "lobby", me=login, tables=tables, now=now, **shown)
    return html(await cache_of(request).made(made))


@get("/login", include_in_schema=False)
async def login_page(request: AnyRequest, to: FromQuery[str] = "/") -> Response[Any]:
    pit, home = pit_of(request), home_routes.home_of(request)
    if not pit.people.known:
        return Redirect("/setup")
    again = await home_routes.let_in_again(request)
    if again is not None:
        cookie = home_routes.cookie_of(request, pit.cookie, again.token)
        return Redirect(to if OWN_PATH.match(to) else "/", cookies=[cookie])
    return page("login", home=home is not None)


@get("/setup", include_in_schema=False)
async def setup_page(request: AnyRequest) -> Response[Any]:
    if not request.app.state.setup.code:
        return Redirect("/login")
    return page("setup")


@get("/tables/{name:str}", include_in_schema=False, exception_handlers=SORRY)
async def table_page(request: AnyRequest, name: FromPath[str]) -> Response[Any]:
    login = _known(request)
    if login is None:
        return Redirect(f"/login?to={quote(request.url.path)}")
    template = PAGES.get(login.role)
    if template is None or pit_of(request).policy.why_not_here(login, name):
        return Redirect(f"/sign/{quote(name)}")
    table, thinking = table_of(request, name), pit_of(request).chosen.decision_seconds
    about, spared = await facts_for(request, table), checklist(table.kept.state)
    home = home_routes.home_of(request) is not None
    facts = {**about._asdict(), "thinking": thinking, "spared": spared, "help": HELP}
    return page(template, **facts, me=login, home=home)


@get("/sign/{name:str}", include_in_schema=False, exception_handlers=SORRY)
async def sign_page(request: AnyRequest, name: FromPath[str]) -> Response[Any]:
    """What a table posts: for whoever passes by."""
    table, thinking = table_of(request, name), pit_of(request).chosen.decision_seconds
    about = await facts_for(request, table)

    def made() -> Parcel:
        text = rendered("sign", **about._asdict(), thinking=thinking, help=HELP)
        return parcel(text.encode(), KINDS[".html"])

    key = content_key("sign", table, thinking)
    return sent(request, await cache_of(request).kept(key, made), POLICY)


@get("/floor", include_in_schema=False, exception_handlers=SORRY)
async def floor_page(request: AnyRequest) -> Response[Any]:
    """Every table that somebody works at, with what waits for a floorperson."""
    login, pit = _known(request), pit_of(request)
    if login is None:
        return Redirect("/login?to=/floor")
    policy = pit.policy
    at_home = home_routes.home_of(request) is not None
    own = [table for name, table in pit.tables.items() if not policy.why_not_here(login, name)]
    tables = [(await facts_for(request, table)).facts for table in own]

    def made() -> str:
        slim = [msgspec.structs.replace(facts, areas=()) for facts in tables]
        words = {"policy": policy, "powers": in_words(policy), "home": at_home}
        return rendered("floor", me=login, tables=tables, data=as_data(slim), **words)

    return html(await cache_of(request).made(made))


@get("/offices", include_in_schema=False, exception_handlers=SORRY)
async def offices_page(request: AnyRequest) -> Response[Any]:
    """People, tables, links: what an administrator or a manager looks after."""
    login = _known(request)
    if login is None:
        return Redirect("/login?to=/offices")
    return page("offices", me=login, rights=login.access.rights, roles=PIT_ROLES)


@get("/recordings", include_in_schema=False, exception_handlers=SORRY)
async def recordings_page(request: AnyRequest) -> Response[Any]:
    """Rounds found by who, where, when, how much and what came of them."""
    login, pit = _known(request), pit_of(request)
    if login is None:
        return Redirect("/login?to=/recordings")
    if login.access.sees != "surveillance":
        raise Forbidden("recordings are looked for by surveillance and auditors")
    registry = pit.registry
    known = {"tables": sorted(pit.tables), "hands": list(Category), "wagers": wager_names(registry)}
    wrong = irregular_names(registry)
    ends = [*OUTCOMES, *Outcome]
    return page("recordings", me=login, **known, irregularities=wrong, outcomes=ends)


@get("/account", include_in_schema=False, exception_handlers=SORRY)
async def account_page(request: AnyRequest) -> Response[Any]:
    """Where everybody changes his own password."""
    login = _known(request)
    if login is None:
        return Redirect("/login?to=/account")
    return page("account", me=login)


@get("/tables/{name:str}/replay/{number:int}", include_in_schema=False)
async def replay(
    request: AnyRequest, name: FromPath[str], number: FromPath[int]
) -> list[ReplayStep]:
    """A past round step by step, as who asks may see it."""
    login = login_of(request)
    refuse_elsewhere(request, login, name)
    viewer = viewer_of(request, login, name)
    if viewer.role != "surveillance":
        raise Forbidden("past rounds are replayed step by step for surveillance")
    recall = pit_of(request).recall(table_of(request, name).name)
    with not_found():
        kept = await asyncio.to_thread(recall.ever, number)
    return await asyncio.to_thread(_steps, kept, viewer)


def _steps(kept: KeptRound, viewer: Viewer) -> list[ReplayStep]:
    steps = []
    hashes = {line.version: line.hash for chapter in kept.chapters for line in chapter.lines}
    for told in seen(kept, viewer):
        said, line = particulars(told.event), told.line
        fits = hashes.get(line.version - 1, line.previous) == line.previous
        steps.append(
            ReplayStep(
                event=tag_of(told.event),
                says=sentence_of(told.event, told.before),
                at_us=line.at_us,
                by=line.actor,
                role=line.role,
                clauses=told.event.clauses,
                rulings=told.event.rulings,
                data={key: value for key, value in said.items() if value not in ([], {}, None)},
                version=line.version,
                previous=line.previous.hex(),
                hash=line.hash.hex(),
                proved=fits and line.digest() == line.hash,
                view=view(told.after, viewer),
            )
        )
    return steps


def _known(request: AnyRequest) -> Login | None:
    try:
        return login_of(request)
    except NotAdmitted:
        return None


HANDLERS = (
    lobby,
    login_page,
    setup_page,
    table_page,
    sign_page,
    floor_page,
    offices_page,
    account_page,
    recordings_page,
    analysis_page,
    protection_page,
    replay,
    accidents,
    *care_routes.HANDLERS,
    *rules_page.HANDLERS,
    *practice_folder.HANDLERS,
)
