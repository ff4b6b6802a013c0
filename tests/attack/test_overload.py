"""More commands than can be carried out: what is beyond is told so at once."""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from croupier.cli.commands import serve
from croupier.server.access.budgets import TooMany
from croupier.server.http import table_socket
from croupier.server.pit.load_shedder import (
    FALLS_TO,
    FIRST,
    FOR_HURRIED,
    LEAST,
    MOST,
    TARGET_S,
    CommandLimit,
)
from tests.attack.pits import asked, serving
from tests.server.service import PASSWORD


class Watch:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_only_so_many_commands_are_in_flight() -> None:
    limit = CommandLimit(Watch())
    with ExitStack() as flight:
        for _ in range(int(FIRST)):
            flight.enter_context(limit.admitted())
        with pytest.raises(TooMany, match="nothing was done") as error, limit.admitted():
            pass
        assert error.value.wait_s == 1
    with limit.admitted():
        assert limit.in_flight == 1


def test_who_does_not_wait_leaves_room_for_those_who_do() -> None:
    limit = CommandLimit(Watch())
    with ExitStack() as flight:
        for _ in range(int(FIRST * FOR_HURRIED)):
            flight.enter_context(limit.admitted(hurries=True))
        with pytest.raises(TooMany):
            limit.refuse_beyond(hurries=True)
        limit.refuse_beyond()


def test_the_limit_falls_while_commands_are_slow_and_rises_again() -> None:
    watch = Watch()
    limit = CommandLimit(watch)
    for _ in range(100):
        with limit.admitted():
            watch.now_s += 2 * TARGET_S
    assert limit.most == LEAST
    for _ in range(100_000):
        with limit.admitted():
            pass
    assert limit.most == MOST


def test_slow_ones_that_were_let_in_together_are_one_fall() -> None:
    watch = Watch()
    limit = CommandLimit(watch)
    with ExitStack() as flight:
        for _ in range(20):
            flight.enter_context(limit.admitted())
        watch.now_s += 2 * TARGET_S
    assert limit.most == FIRST * FALLS_TO


def test_a_command_beyond_the_limit_is_shed_with_its_id(tmp_path: Path) -> None:
    async def shed() -> bytes:
        async with serving(tmp_path) as (pit, port):
            login = await pit.with_password(pit.logins.enter, "dee", PASSWORD, "")
            pit.load.most = 0
            body = b'{"id": "mine", "command": {"do": "open-table"}}'
            status, headers, told = await asked(
                port,
                "/api/tables/UTH-1/commands",
                body,
                Authorization=f"Bearer {login.token}",
            )
            assert (status, headers["retry-after"]) == (429, "1")
            return told

    told = asyncio.run(shed())
    assert b'"outcome":"too many","id":"mine"' in told
    assert b'"repeat":true' in told


def test_who_is_shed_and_goes_on_is_not_read_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To tell somebody "too many" costs something, too: nobody is told it as fast as he can ask."""
    monkeypatch.setattr(table_socket, "PAUSE_S", 3600)
    monkeypatch.setattr(serve, "STOP_WITHIN_S", 1)

    async def hammered() -> float:
        async with serving(tmp_path) as (pit, port):
            login = await pit.with_password(pit.logins.enter, "dee", PASSWORD, "")
            pit.load.most = 0
            said = {"Authorization": f"Bearer {login.token}"}
            uri = f"ws://127.0.0.1:{port}/api/tables/UTH-1/live"
            async with connect(uri, additional_headers=said) as line:
                for n in range(5):
                    await line.send(json.dumps({"id": f"{n}", "command": {"do": "open-table"}}))
                while '"outcome":"too many"' not in str(await line.recv()):
                    pass
                for _ in range(5):
                    assert (await asked(port, "/health"))[0] == 200
                line.transport.abort()
            return float(pit.metrics.commands.labels("too many")._value.get())

    assert asyncio.run(hammered()) == 1


class Hasty:
    """A socket whose other end has sent the next message already, or not yet."""

    def __init__(self, *, hurries: bool) -> None:
        self._hurries = hurries

    async def receive_text(self) -> str:
        if not self._hurries:
            await asyncio.Event().wait()
        return "{}"


def test_who_does_not_wait_is_read_ever_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await real_sleep(0)

    real_sleep = asyncio.sleep
    monkeypatch.setattr(asyncio, "sleep", sleep)

    async def paused(*, hurries: bool) -> list[float]:
        pace = table_socket.Pace(Hasty(hurries=hurries))  # type: ignore[arg-type]
        for _ in range(8):
            await pace.slow_down(is_shed=True)
            assert pace.hurries == hurries
            if hurries:
                assert await pace.next_text() == "{}"
        await pace.slow_down(is_shed=False)
        assert not pace.hurries
        told = slept.copy()
        slept.clear()
        return told

    first, longest = table_socket.PAUSE_S, table_socket.LONGEST_PAUSE_S
    assert asyncio.run(paused(hurries=True)) == [min(longest, first * 2**n) for n in range(8)]
    assert asyncio.run(paused(hurries=False)) == [first] * 8
