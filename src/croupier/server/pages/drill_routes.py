"""Drills in the browser: one hard hand after the other, and what its choices were worth."""

from __future__ import annotations

from litestar import Response, get, post
from litestar.params import FromPath

from croupier.server.pages.drill_session import Drill, DrillAnswer, DrillResult, DrillSession
from croupier.server.pages.practice_routes import SORRY, PracticeRequest, practice_of, runner_of
from croupier.server.pages.render_cache import facts_for
from croupier.server.pages.renderer import page


def _session_of(request: PracticeRequest) -> DrillSession:
    state, practice = request.app.state, practice_of(request)
    if "drills" not in state:
        state.drills = DrillSession(practice.profile, practice.record, practice.tutor)
    session: DrillSession = state.drills
    return session


@get("/practice/{name:str}/drill", include_in_schema=False, exception_handlers=SORRY)
async def drill_page(request: PracticeRequest, name: FromPath[str]) -> Response[str]:
    about = await facts_for(request, runner_of(request, name).actor, at_home=True)
    return page("drill", facts=about.facts, data=about.data)


@get("/practice/{name:str}/drill/{street:int}", include_in_schema=False)
async def drill(
    request: PracticeRequest, name: FromPath[str], street: FromPath[int], flashed: bool = False
) -> Drill:
    """A hard hand of this street, one of a kind that went wrong before, or one that changes when a
    card of the dealer was flashed; what its choices are worth comes with the answer."""
    return await _session_of(request).dealt(runner_of(request, name), street, flashed=flashed)


@post("/practice/{name:str}/drill", status_code=200, include_in_schema=False)
async def answer(request: PracticeRequest, name: FromPath[str], data: DrillAnswer) -> DrillResult:
    runner_of(request, name)
    return await _session_of(request).answered(data)


HANDLERS = (drill_page, drill, answer)
