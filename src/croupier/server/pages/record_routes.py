"""The player's record in the browser: sessions, mistakes, each round again, and files of it."""

from __future__ import annotations

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Stream

from croupier.practice.record import RecordSummary
from croupier.server.http.api import pit_of
from croupier.server.pages.practice_routes import SORRY, PracticeRequest, practice_of, seated
from croupier.server.pages.record_desk import RecordDesk, RoundTold
from croupier.server.pages.render_cache import facts_for
from croupier.server.pages.renderer import page


def _desk_of(request: PracticeRequest) -> RecordDesk:
    seated(request)
    return practice_of(request).record


@get("/record", include_in_schema=False, exception_handlers=SORRY)
async def record_page(request: PracticeRequest) -> Response[str]:
    seated(request)
    return page("record")


@get("/record/summary", include_in_schema=False)
async def summary(request: PracticeRequest) -> RecordSummary:
    return await _desk_of(request).summary()


@get("/record/rounds.csv", include_in_schema=False)
async def as_csv(request: PracticeRequest) -> Response[str]:
    written = await _desk_of(request).as_csv()
    return Response(written, media_type="text/csv", headers=_as_file("croupier-rounds.csv"))


@get("/record/rounds.jsonl", include_in_schema=False)
async def as_records(request: PracticeRequest) -> Stream:
    lines, headers = _desk_of(request).as_records(), _as_file("croupier-rounds.jsonl")
    return Stream(lines, media_type="application/jsonl", headers=headers)


@get("/record/{name:str}/{number:int}", include_in_schema=False, exception_handlers=SORRY)
async def round_page(
    request: PracticeRequest, name: FromPath[str], number: FromPath[int]
) -> Response[str]:
    """One round from its first decision to the receipt."""
    await _desk_of(request).played(name, number)
    about = await facts_for(request, pit_of(request).table(name), at_home=True)
    return page("round", facts=about.facts, data=about.data, number=number)


@get("/record/{name:str}/{number:int}/told", include_in_schema=False)
async def told(request: PracticeRequest, name: FromPath[str], number: FromPath[int]) -> RoundTold:
    desk = _desk_of(request)
    await desk.played(name, number)
    rules = pit_of(request).table(name).kept.state.terms.rules
    return await desk.told(rules, name, number)


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}


HANDLERS = (record_page, summary, as_csv, as_records, round_page, told)
