"""A pit in this process, with a clock that goes on when it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import msgspec

from croupier.cli.commands.serve import _server
from croupier.games.registry import the_registry
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.store.address import open_ledger
from croupier.server.pit.pit import Pit
from croupier.server.settings import Settings
from croupier.submission.check import shipped_submission
from croupier.submission.toml_writer import write_submission
from tests.server.service import PASSWORD

SECOND = 1_000_000
CHEAP = Settings(argon2_memory_kib=64, argon2_rounds=1, self_check=False)


class Watch:
    now_us = 1_800_000_000_000_000

    def __call__(self) -> int:
        return self.now_us

    def later(self, seconds: float) -> None:
        self.now_us += int(seconds * SECOND)


@contextmanager
def small_pit(
    folder: Path, watch: Watch, chosen: Settings = CHEAP, *, numbers: bool = False
) -> Iterator[Pit]:
    """One table of UTH-S, a player and a dealer."""
    said = replace(shipped_submission("UTH-S"), players_numbers=numbers)
    with closing(open_ledger(str(folder / "pit.db"), create=True)) as ledger:
        pit = Pit(ledger, the_registry(), new_ring(), chosen, watch)
        pit.install(write_submission(said), by="mia")
        for name, role in (("ann", "player"), ("dee", "dealer")):
            pit.people.add(name, role, PASSWORD, by="croupier")
        yield pit


@asynccontextmanager
async def serving(
    folder: Path, watch: Watch | None = None, *, numbers: bool = False, **setting: object
) -> AsyncIterator[tuple[Pit, int]]:
    """A pit served in this process, and its port: what is patched here counts there."""
    chosen = msgspec.structs.replace(CHEAP, port=0, **setting)
    with small_pit(folder, watch or Watch(), chosen, numbers=numbers) as pit:
        server = _server(chosen, pit, False)
        running = asyncio.ensure_future(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield pit, int(server.servers[0].sockets[0].getsockname()[1])
        finally:
            server.should_exit = True
            await running


Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def lines(port: int, how_many: int = 1) -> AsyncIterator[list[Line]]:
    """Connections, closed in the end whatever became of them."""
    held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(how_many)]
    try:
        yield held
    finally:
        for _, writer in held:
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()


async def heard(line: Line) -> bytes:
    """All that comes until the other end is done with it."""
    try:
        return await asyncio.wait_for(line[0].read(), 60)
    except ConnectionResetError:
        return b""


async def asked(
    port: int, path: str, data: bytes = b"", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """One request on a connection of its own, a POST of JSON where there is data: status, headers
    and body."""
    said = {"host": "x", "connection": "close", **headers}
    if data:
        said |= {"content-type": "application/json", "content-length": str(len(data))}
    first = f"{'POST' if data else 'GET'} {path} HTTP/1.1"
    told = [first, *(f"{name.replace('_', '-')}: {value}" for name, value in said.items())]
    async with lines(port) as (line,):
        line[1].write("\r\n".join([*told, "", ""]).encode() + data)
        head, _, body = (await heard(line)).partition(b"\r\n\r\n")
    status, *rest = head.decode().split("\r\n")
    pairs = (one.partition(": ") for one in rest)
    return int(status.split()[1]), {name.lower(): value for name, _, value in pairs}, body
