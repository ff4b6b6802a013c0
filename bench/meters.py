"""What one movement of a link costs the tables that show it: every socket there is told.

Nobody plays. Somebody else moves the meters, as a table at another process would, and the services
are watched as they tell everybody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing

import msgspec

from bench.echo import HeardFrame, Recording, echo_floor
from bench.floor import Floor, floor_on_postgresql
from bench.pit import echoed, run, seated
from bench.report import Row
from bench.script import ANSWER, BOXES, Next
from croupier.ledger.events import LINK, MeterMoved, tag_of, write_kept
from croupier.ledger.kept_table import system_clock
from croupier.ledger.link import Link
from croupier.ledger.store.line import LineDraft
from croupier.ledger.store.line_mac import LineMacs
from croupier.ledger.store.port import Writing
from croupier.ledger.store.shared_postgres import SharedLedger

TABLES, PROCESSES, MOVES, EVERY_S = 30, 2, 40, 0.25
NAME = "harbor"
ECHO_RATE, ECHO_SECONDS = 300, 5
VIEW = '{"version":1,"view":{"phase":"betting","round":1},"said":"%s"}'


class Told(msgspec.Struct, frozen=True):
    """CPU of all services together for one frame to one socket, and how many of the frames that
    as many movements would make were sent."""

    frame_us: float
    sent: float
    frame_bytes: float | None = None


def rows() -> Iterator[Row]:
    found = measured()
    bare_us = _echo_us(int(found.frame_bytes or 0))
    told = f"{found.frame_us:,.0f} us of CPU, {found.sent:.0%} of movements told one by one"
    beside = f"a bare echo of a frame as long ({bare_us:,.0f} us)"
    yield Row("a movement of a link told to one socket", told, found.frame_us / bare_us, beside)


def _echo_us(size: int) -> float:
    """What a service that does nothing else takes for one frame of this size to one socket."""
    view = VIEW % ("." * max(0, size - len(VIEW)))
    frames = [HeardFrame(seat, view) for seat in range(1 + BOXES)]
    step = [*frames, HeardFrame(0, ANSWER + ':"done"}')]
    with echo_floor(TABLES, Recording([Next(0, {"do": "nothing"})], [step])) as echo:
        found = run(echoed(echo, ECHO_RATE, ECHO_SECONDS))
    return sum(found.services_us) / len(step)


def measured() -> Told:
    with floor_on_postgresql(TABLES, PROCESSES, link=NAME) as pit:
        return run(_told(pit))


async def _told(pit: Floor) -> Told:
    async with seated(pit):
        idle_s = await _used(pit, 0)
        before = _heard(pit)
        moving_s = await _used(pit, MOVES)
        told, told_bytes = (now - then for now, then in zip(_heard(pit), before, strict=True))
    sockets = sum(len(table.sockets) for table in pit.tables)
    return Told(1e6 * (moving_s - idle_s) / told, told / sockets / MOVES, told_bytes / told)


async def _used(pit: Floor, moves: int) -> float:
    """CPU of the services while the meters are moved so often, or not at all."""
    begun = pit.used()
    with closing(SharedLedger(pit.address, "http://bench", create=False)) as ledger:
        assert pit.ring is not None
        ledger.authenticate(LineMacs(ledger.id, pit.ring))  # nobody believes a line without a MAC
        for n in range(MOVES):
            if n < moves:
                await asyncio.to_thread(_move, ledger)
            await asyncio.sleep(EVERY_S)
    return sum((pit.used() - begun).services_s)


def _move(ledger: SharedLedger) -> None:
    link = Link(ledger, NAME)
    meter, reading = next(iter(link.readings.items()))
    moved = MeterMoved(
        clauses=(),
        table="elsewhere",
        round=1,
        meter=meter,
        by_micros=1,
        reading_micros=reading + 1,
        why="bench",
    )
    draft = LineDraft(tag_of(moved), write_kept(moved), system_clock(), "bench", "device", "")
    ledger.append(Writing(f"{LINK}{NAME}", link.version, (draft,)))


def _heard(pit: Floor) -> tuple[int, int]:
    """Frames and bytes, at all sockets so far."""
    return (
        sum(table.frames for table in pit.tables),
        sum(table.heard_bytes for table in pit.tables),
    )
