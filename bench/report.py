"""One table for all that was measured: each figure beside something measured in the same run."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

import msgspec
from rich.console import Console
from rich.table import Table

from bench.tables import number, table

WIDE = 140  # where it goes into a file
HEAD = ("what", "figure", "ratio", "to")
Form = Literal["screen", "json", "markdown"]


class Row(msgspec.Struct, frozen=True):
    """``ratio`` is the figure divided by that of ``beside``, which says of what kind it is: a time
    by a time, rounds by rounds."""

    what: str
    figure: str
    ratio: float
    beside: str

    @property
    def cells(self) -> tuple[str, str, str, str]:
        return self.what, self.figure, number(self.ratio), self.beside


class NotMeasured(Exception):
    """What this machine lacks for it, or why it makes no sense; the others go on."""


def progress(said: object) -> None:
    print(said, file=sys.stderr, flush=True)


def show(rows: Sequence[Row], form: Form = "screen") -> None:
    if form == "json":
        print(msgspec.json.format(msgspec.json.encode(rows)).decode())
    elif form == "markdown":
        print(table(HEAD, [row.cells for row in rows]))
    else:
        Console(width=None if sys.stdout.isatty() else WIDE).print(_on_screen(rows))


def _on_screen(rows: Iterable[Row]) -> Table:
    shown = Table(*HEAD)
    shown.columns[2].justify = "right"
    shown.columns[2].no_wrap = True
    for row in rows:
        shown.add_row(*row.cells)
    return shown


def as_program(rows: Callable[..., Iterator[Row]], arguments: Sequence[str] | None = None) -> None:
    """One benchmark as a program: whatever its ``rows`` may be told is an option, with the default
    that the table of all has."""
    about = inspect.getdoc(inspect.getmodule(rows))
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, parameter in inspect.signature(rows).parameters.items():
        if parameter.default is False:
            parser.add_argument(f"--{name}", action="store_true")
        else:
            kind = type(parameter.default)
            parser.add_argument(f"--{name}", type=kind, default=parameter.default)
    said = parser.parse_args(arguments)
    try:
        show(list(rows(**vars(said))))
    except NotMeasured as why:
        parser.error(str(why))
