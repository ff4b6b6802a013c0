"""Half-sent requests, readers who do not read, and crowds: each connection ends in time."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol
from websockets.asyncio.client import connect

from croupier.server.http import connections
from croupier.server.http.connections import Backlog, BoundedWebSocket
from croupier.server.pit import table_actor
from tests.attack.pits import Line, asked, heard, lines, serving

PIECE = b"." * 1_000_000
UPGRADE = (
    b"GET /api/tables/UTH-1/live HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\n"
    b"connection: upgrade\r\nsec-websocket-version: 13\r\n"
    b"sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
MASK = b"\0\0\0\0"
PING, PONG, PART = (bytes([kind, 0x80]) + MASK for kind in (0x89, 0x8A, 0x00))
FIRST_PART, MESSAGE = (bytes([kind, 0x81]) + MASK + b"x" for kind in (0x01, 0x81))
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


async def _socket(line: Line) -> None:
    line[1].write(UPGRADE)
    assert b" 101 " in await line[0].readuntil(b"\r\n\r\n")


@pytest.mark.parametrize(
    "sent",
    [
        PING * 10_000,
        PONG * 10_000,
        FIRST_PART + PART * 10_000,
        MESSAGE * 10_000,
    ],
    ids=["pings", "pongs", "parts of a message without an end", "messages at once"],
)
def test_a_socket_that_sends_more_than_it_waits_for_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    """Two sockets of pings kept everybody waiting for a minute: they cost no budget, and one read
    holds tens of thousands."""
    parsed, take = [], BoundedWebSocket.handle_events
    monkeypatch.setattr(connections, "SWEEP_S", 3600)

    def counted(self: BoundedWebSocket) -> None:
        parsed.append(len(self.conn.events))
        take(self)

    monkeypatch.setattr(BoundedWebSocket, "handle_events", counted)

    async def flooded() -> int:
        serves = serving(tmp_path, anonymous_requests_a_second=10_000)
        async with serves as (_, port), lines(port) as (line,):
            await _socket(line)
            line[1].write(sent)
            await heard(line)
            return (await asked(port, "/health"))[0]

    assert asyncio.run(flooded()) == 200
    assert sum(parsed) < 2 * connections.MOST_WAITING


def test_who_looks_on_for_long_may_go_on_answering_pings(tmp_path: Path) -> None:
    async def patient() -> bytes:
        async with serving(tmp_path) as (_, port), lines(port) as (line,):
            await _socket(line)
            for _ in range(4):
                line[1].write(PONG * (connections.MOST_OTHER_FRAMES // 2))
                await asyncio.sleep(3 * connections.SWEEP_S)
            line[1].write(MESSAGE)
            told = b""
            while b"unreadable" not in told and b"not admitted" not in told:
                told += await line[0].read(10_000)
            return told

    assert asyncio.run(asyncio.wait_for(patient(), 60))


@pytest.mark.parametrize("chunks", [3, 40_000])
def test_a_body_says_how_long_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunks: int
) -> None:
    """Forty thousand chunks of a byte fit into one read; who sends on may miss what he is told."""
    fed, feed = [], H11Protocol.data_received

    def counted(self: H11Protocol, data: bytes) -> None:
        fed.append(len(data))
        feed(self, data)

    monkeypatch.setattr(H11Protocol, "data_received", counted)

    async def chunked() -> bytes:
        async with serving(tmp_path) as (_, port), lines(port) as (line,):
            line[1].write(HALF + b"transfer-encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * chunks)
            return await heard(line)

    told = asyncio.run(chunked())
    assert told.startswith(b"HTTP/1.1 411 ") or (chunks > 3 and not told)
    assert told.count(b"HTTP/1.1") <= 1
    assert sum(fed) <= connections.SLICE
