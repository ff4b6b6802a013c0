"""``python -m bench.measure``: measure what the plans need, and write the page of plans anew.

It takes some minutes. Do it on a quiet machine: CPU is counted, not time, but caches and cores are
shared with whatever else runs, and movements of a link wait for the disk.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import convert, structs, to_builtins

from bench import links, meters, pit, plan, reading_back, roster, sizes
from bench.floor import Floor, floor, floor_on_postgresql
from bench.inputs import Inputs, read_inputs, write_inputs
from bench.machine import this_machine
from bench.report import progress

TABLES, RATE, SECONDS = 100, 300, 20
T = TypeVar("T")


def main(parts: Sequence[str] = ()) -> None:
    """All of them, or only these; the rest then stays as it was measured before."""
    found: dict[str, object] = {} if not parts else structs.asdict(read_inputs())
    if not parts:
        found["machine"] = this_machine()
    for part in parts or PARTS:
        found |= PARTS[part]()
    write_inputs(convert(to_builtins(found), Inputs))
    plan.main()


def _sqlite() -> dict[str, object]:
    with floor(TABLES) as one:
        return {"sqlite": _told(pit.run(pit.alone(one, RATE, SECONDS)))}


def _alone() -> dict[str, object]:
    with floor_on_postgresql(TABLES, 1) as one:
        return {"alone": _told(pit.run(pit.alone(one, RATE, SECONDS)))}


def _shared() -> dict[str, object]:
    with floor_on_postgresql(TABLES, 2) as two:
        shared, takeover = pit.run(_both(two))
    return {"shared": _told(shared), "takeover": _told(takeover)}


async def _both(two: Floor) -> tuple[pit.Measured, pit.Takeover]:
    async with pit.seated(two):
        return await pit.measured(two, RATE, SECONDS), await pit.taken_over(two, RATE, SECONDS)


def _sizes() -> dict[str, object]:
    weighed = [_told(each) for each in sizes.measured()]
    upkeep = next(each for each in weighed if isinstance(each, sizes.Upkeep))
    return {"upkeep": upkeep, "sizes": [each for each in weighed if each is not upkeep]}


PARTS: dict[str, Callable[[], dict[str, object]]] = {
    "sqlite": _sqlite,
    "alone": _alone,
    "shared": _shared,
    "sizes": _sizes,
    "roster": lambda: {"roster": _told(roster.measured())},
    "meters": lambda: {"meters": _told(meters.measured())},
    "read_back": lambda: {"read_back": [_told(each) for each in reading_back.measured()]},
    "links": lambda: {"links": [_told(each) for each in links.measured()]},
}


def _told(found: T) -> T:
    progress(found)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"only these: {', '.join(PARTS)}")
    main(parser.parse_args().parts)
