"""What one movement of a link costs the tables that show it: every socket there is told.

Nobody plays. Somebody else moves the meters, as a table at another process would, and the services
are watched as they tell everybody.
"""

from __future__ import annotations

import asyncio
from contextlib import closing

import msgspec

from bench.floor import Floor, floor_on_postgresql
from bench.pit import run, seated
from croupier.ledger.events import LINK, MeterMoved, tag_of, write_kept
from croupier.ledger.kept_table import system_clock
from croupier.ledger.link import Link
from croupier.ledger.store.line import LineDraft
from croupier.ledger.store.port import Writing
from croupier.ledger.store.shared_postgres import SharedLedger

TABLES, PROCESSES, MOVES, EVERY_S = 30, 2, 40, 0.25
NAME = "harbor"


class Told(msgspec.Struct, frozen=True):
    """CPU of all services together for one frame to one socket, and how many of the frames that
    as many movements would make were sent."""

    frame_us: float
    sent: float

    def __str__(self) -> str:
        return (
            f"meters told: {self.frame_us:,.0f} us of CPU a frame, one socket; "
            f"{self.sent:.0%} of movements told one by one"
        )


def main() -> None:
    print(measured())


def measured() -> Told:
    with floor_on_postgresql(TABLES, PROCESSES, link=NAME) as pit:
        return run(_told(pit))


async def _told(pit: Floor) -> Told:
    async with seated(pit):
        idle_s = await _used(pit, 0)
        frames = _frames(pit)
        moving_s = await _used(pit, MOVES)
        told = _frames(pit) - frames
    sockets = sum(len(table.sockets) for table in pit.tables)
    return Told(1e6 * (moving_s - idle_s) / told, told / sockets / MOVES)


async def _used(pit: Floor, moves: int) -> float:
    """CPU of the services while the meters are moved so often, or not at all."""
    begun = pit.used()
    with closing(SharedLedger(pit.address, "http://bench", create=False)) as ledger:
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


def _frames(pit: Floor) -> int:
    return sum(table.frames for table in pit.tables)


if __name__ == "__main__":
    main()
