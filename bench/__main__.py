"""``make bench``: every benchmark, or those that are named, in one table.

    python -m bench [NAME...] [--json | --markdown]

What takes long has options of its own, such as ``python -m bench.search --rounds 1000000``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence

from bench import (
    audit,
    demo,
    engine,
    exact,
    ledger,
    links,
    log,
    meters,
    overload,
    pit,
    proof,
    reading_back,
    roster,
    search,
    settlement,
    simulate,
    sizes,
    solutions,
    stops,
)
from bench.machine import this_machine
from bench.report import NotMeasured, Row, progress, show

BENCHES: dict[str, Callable[[], Iterator[Row]]] = {
    "solutions": solutions.rows,
    "exact": exact.rows,
    "simulate": simulate.rows,
    "settlement": settlement.rows,
    "engine": engine.rows,
    "pit": pit.rows,
    "overload": overload.rows,
    "links": links.rows,
    "meters": meters.rows,
    "roster": roster.rows,
    "ledger": ledger.rows,
    "log": log.rows,
    "sizes": sizes.rows,
    "reading_back": reading_back.rows,
    "proof": proof.rows,
    "audit": audit.rows,
    "search": search.rows,
    "demo": demo.rows,
    "stops": stops.few,
}


def main(arguments: Sequence[str] | None = None) -> None:
    said = _asked(arguments)
    machine, rows = this_machine(), list[Row]()
    progress(machine)
    began_s = time.monotonic()
    try:
        for name in said.names or BENCHES:
            rows += _measured(name)
        progress(f"all: {time.monotonic() - began_s:.0f} s")
    finally:  # whatever went wrong or was stopped, minutes of figures are not lost
        if said.form == "markdown":
            print(f"{machine}\n")
        show(rows, said.form)


def _measured(name: str) -> Iterator[Row]:
    progress(f"{name} ...")
    began_s = time.monotonic()
    try:
        yield from BENCHES[name]()
    except NotMeasured as why:
        progress(f"{name}: not measured, {why}")
        return
    progress(f"{name}: {time.monotonic() - began_s:.0f} s")


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHES)}")
    forms = parser.add_mutually_exclusive_group()
    for form in ("json", "markdown"):
        forms.add_argument(f"--{form}", dest="form", action="store_const", const=form)
    parser.set_defaults(form="screen")
    said = parser.parse_args(arguments)
    for name in said.names:
        if name not in BENCHES:
            parser.error(f"no benchmark is called {name}; there are {', '.join(BENCHES)}")
    return said


if __name__ == "__main__":
    main()
