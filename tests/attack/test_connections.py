"""Half-sent requests, readers who do not read, and crowds: each connection ends in time."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from croupier.server.http import connections
from croupier.server.http.connections import Backlog
from croupier.server.pit import table_actor
from tests.attack.pits import asked, heard, lines, serving

PIECE = b"." * 1_000_000
HALF = b"POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEADERS_WITHIN_S", "BODY_WITHIN_S", "READ_WITHIN_S", "CLOSE_WITHIN_S"):
        monkeypatch.setattr(connections, name, 0.5)
    monkeypatch.setattr(connections, "SWEEP_S", 0.05)


@pytest.mark.parametrize(
    "sent", [b"", b"GET /hea", HALF, HALF + b"content-length: 100\r\n\r\n{"], ids=len
)
def test_a_request_that_does_not_arrive_is_not_waited_for(tmp_path: Path, sent: bytes) -> None:
    async def half_sent() -> bytes:
        async with serving(tmp_path) as (_, port), lines(port) as (line,):
            line[1].write(sent)
            return await heard(line)

    assert asyncio.run(half_sent()) == b""


def test_there_are_only_so_many_connections_from_an_address(tmp_path: Path) -> None:
    async def crowd() -> tuple[bytes, int]:
        async with serving(tmp_path, connections_an_address=3) as (_, port):
            async with lines(port, 4) as held:
                told = await heard(held[3])
            while (await asked(port, "/health"))[0] != 200:
                await asyncio.sleep(0.05)
            return told, 200

    told, status = asyncio.run(crowd())
    assert told.startswith(b"HTTP/1.1 503 ")
    assert b"\r\nretry-after: 5\r\n" in told
    assert b'"outcome":"too many"' in told
    assert status == 200


def test_a_socket_that_nobody_reads_is_cut_and_its_place_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though its table goes on changing, and though its other end answers nothing."""
    monkeypatch.setattr(table_actor.TableActor, "frame", lambda self, viewer, watch=None: PIECE)

    async def deaf() -> float:
        async with serving(tmp_path) as (pit, port):
            table = pit.actors["UTH-1"]
            tap = socket.socket()
            tap.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            tap.connect(("127.0.0.1", port))
            uri = f"ws://127.0.0.1:{port}/api/tables/UTH-1/live"
            async with connect(uri, sock=tap, compression=None) as reader:
                reader.transport.pause_reading()
                while not pit.metrics.sockets._value.get():
                    await asyncio.sleep(0.02)
                while pit.metrics.sockets._value.get():
                    table.notify_viewers()
                    await asyncio.sleep(0.02)
                left = pit.metrics.sockets._value.get()
                reader.transport.abort()
            return float(left)

    assert asyncio.run(asyncio.wait_for(deaf(), 60)) == 0


def test_who_reads_slowly_but_reads_is_not_cut() -> None:
    backlog, sizes = Backlog(0), (50, 90, 80, 120, 110, 150, 149)
    waits = [backlog.stands_for_s(size, float(at)) for at, size in enumerate(sizes, 1)]
    assert waits == [1, 2, 0, 1, 0, 1, 0]
    assert [backlog.stands_for_s(149, float(at)) for at in (8, 9, 10)] == [1, 2, 3]
    assert backlog.stands_for_s(0, 11) == 0
