"""Strangers who ask and ask: what they get was made before, and each address has a budget."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from croupier.server.access.token_buckets import TooMany
from croupier.server.pages import (
    clause_explanation,
    live_routes,
    renderer,
    rules_page,
    table_facts,
    thumbnail,
)
from croupier.server.pages.clause_explanation import Why
from croupier.server.pages.render_cache import RenderCache
from croupier.server.threads import PAGE_THREADS, PAGES_WAITING
from tests.attack.pits import asked, serving
from tests.server.service import Client, Service
from tests.server.staff import hire


def test_an_address_has_a_budget_of_anonymous_requests(tmp_path: Path) -> None:
    async def told() -> None:
        async with serving(tmp_path, anonymous_requests_a_second=1) as (_, port):
            codes = [(await asked(port, "/health"))[0] for _ in range(3)]
            assert codes == [200, 200, 429]
            for path in ("/sign/UTH-1", "/nowhere", "/api/tables"):
                said = await asked(port, path, Authorization="Bearer made-up")
                assert (said[0], said[1]["retry-after"]) == (429, "1"), path
                assert b'"outcome":"too many"' in said[2]

    asyncio.run(told())


def test_sockets_are_opened_out_of_the_same_budget(tmp_path: Path) -> None:
    async def opened() -> list[int]:
        async with serving(tmp_path, anonymous_requests_a_second=1) as (_, port):
            uri, told = f"ws://127.0.0.1:{port}/api/tables/UTH-1/live", []
            for _ in range(3):
                try:
                    async with connect(uri):
                        told.append(101)
                except InvalidStatus as refused:
                    told.append(refused.response.status_code)
            return told

    assert asyncio.run(opened()) == [101, 101, 403]


def test_who_is_logged_in_is_not_counted_among_strangers(tmp_path: Path) -> None:
    with Service(tmp_path, anonymous_requests_a_second=20).running() as service:
        people = hire(service)
        while Client(service).send("GET", "/health")[0] != 429:
            pass
        assert people["ann"].send("GET", "/api/me")[0] == 200


PAGES = ("/sign/UTH-1", "/tables/UTH-1/rules", "/tables/UTH-1/felt.svg", "/tables/UTH-1/small.svg")


def test_what_everybody_gets_is_drawn_once_and_off_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def noted(made: Callable[..., Any]) -> Callable[..., Any]:
        def note(*given: Any, **named: Any) -> Any:
            drawn.append(threading.current_thread().name)
            return made(*given, **named)

        return note

    costly = (
        (rules_page, "player_guide"),
        (thumbnail, "felt"),
        (table_facts, "facts_of"),
        (live_routes, "rendered"),
    )
    for room, name in costly:
        monkeypatch.setattr(room, name, noted(getattr(room, name)))

    async def often() -> None:
        async with serving(tmp_path) as (_, port):
            first = await asyncio.gather(*(asked(port, path) for path in PAGES * 2))
            again = await asyncio.gather(*(asked(port, path) for path in PAGES * 2))
            assert [status for status, _, _ in first] == [200] * 8
            assert [body for _, _, body in first] == [body for _, _, body in again]
            for path, (_, headers, _) in zip(PAGES, first, strict=False):
                status, _, body = await asked(port, path, If_None_Match=headers["etag"])
                assert (status, body) == (304, b""), path

    asyncio.run(often())
    assert len(drawn) == 4  # the guide, the felt, the facts and the sign, once each
    assert all(name.startswith("croupier-pages") for name in drawn)


def test_what_is_read_once_is_read_off_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are packed before anybody is let in, and clauses are read in the worker."""
    read: list[str] = []

    def explained(*given: Any) -> Why:
        read.append(threading.current_thread().name)
        return clause_explanation.explained(*given)

    monkeypatch.setattr(rules_page, "explained", explained)
    renderer.static_files.cache_clear()

    async def why() -> None:
        async with serving(tmp_path) as (_, port):
            assert renderer.static_files.cache_info().currsize == 1
            assert (await asked(port, "/why?clause=UTH-S%206.B"))[0] == 200
            assert (await asked(port, "/why?clause=UTH-S%2099"))[0] == 404

    asyncio.run(why())
    assert [name.startswith("croupier-pages") for name in read] == [True, True]


MOST = PAGE_THREADS + PAGES_WAITING


def test_the_queue_of_pages_to_draw_is_bounded() -> None:
    async def full() -> int:
        cache, gate = RenderCache(), threading.Event()
        waiting = [asyncio.ensure_future(cache.kept(str(n), gate.wait)) for n in range(MOST)]
        await asyncio.sleep(0)
        with pytest.raises(TooMany):
            await cache.kept("one more", gate.wait)
        same = asyncio.ensure_future(cache.kept("0", gate.wait))  # waits with who asked first
        await asyncio.sleep(0)
        gate.set()
        return len(await asyncio.gather(*waiting, same))

    assert asyncio.run(full()) == MOST + 1
