"""The player's record in the browser: sessions, mistakes, each round again, and files of it."""

from __future__ import annotations

from litestar import Response, get
from litestar.params import FromPath, FromQuery
from litestar.response import Stream

from croupier.practice.record import RecordSummary
from croupier.server.http.api import pit_of
from croupier.server.pages.practice_routes import SORRY, PracticeRequest, practice_of, seated
from croupier.server.pages.record_reader import RecordReader, RoundTold
from croupier.server.pages.render_cache import facts_for
from croupier.server.pages.renderer import page


def _reader_of(request: PracticeRequest) -> RecordReader:
    seated(request)
    return practice_of(request).record


@get("/record", include_in_schema=False, exception_handlers=SORRY)
async def record_page(request: PracticeRequest) -> Response[str]:
    seated(request)
    return page("record")


@get("/record/summary", include_in_schema=False)
async def summary(request: PracticeRequest, whole: FromQuery[bool] = False) -> RecordSummary:
    return await _reader_of(request).summary(whole=whole)


@get("/record/rounds.csv", include_in_schema=False)
async def as_csv(request: PracticeRequest) -> Response[str]:
    written = await _reader_of(request).as_csv()
    return Response(written, media_type="text/csv", headers=_as_file("croupier-rounds.csv"))


@get("/record/rounds.jsonl", include_in_schema=False)
async def as_records(request: PracticeRequest) -> Stream:
    lines, headers = _reader_of(request).as_records(), _as_file("croupier-rounds.jsonl")
    return Stream(lines, media_type="application/jsonl", headers=headers)


@get("/record/{name:str}/{number:int}", include_in_schema=False, exception_handlers=SORRY)
async def round_page(
    request: PracticeRequest, name: FromPath[str], number: FromPath[int]
) -> Response[str]:
    """One round from its first decision to the receipt."""
    await _reader_of(request).played(name, number)
    about = await facts_for(request, pit_of(request).table(name), at_home=True)
    return page("round", facts=about.facts, data=about.data, number=number)


@get("/record/{name:str}/{number:int}/told", include_in_schema=False)
async def told(request: PracticeRequest, name: FromPath[str], number: FromPath[int]) -> RoundTold:
    reader = _reader_of(request)
    await reader.played(name, number)
    rules = pit_of(request).table(name).kept.state.terms.rules
    return await reader.told(rules, name, number)


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}


HANDLERS = (record_page, summary, as_csv, as_records, round_page, told)
