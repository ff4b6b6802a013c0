"""What was measured, in one file: the plans are computed from it, and nothing else is typed."""

from __future__ import annotations

from pathlib import Path

import msgspec

from bench.links import Linked
from bench.machine import Machine
from bench.meters import Told
from bench.pit import Measured, Takeover
from bench.reading_back import ReadBack
from bench.roster import Looked
from bench.sizes import Size, Upkeep

FILE = Path(__file__).with_name("measured.toml")
HEAD = "# Written by `python -m bench.measure`; measure again rather than edit.\n"


class Inputs(msgspec.Struct, frozen=True):
    """``alone`` is one process on PostgreSQL, ``shared`` two at the same rate."""

    machine: Machine
    sqlite: Measured
    alone: Measured
    shared: Measured
    takeover: Takeover
    upkeep: Upkeep
    roster: Looked
    meters: Told
    sizes: list[Size]
    links: list[Linked]
    read_back: list[ReadBack]


def read_inputs(file: Path = FILE) -> Inputs:
    return msgspec.toml.decode(file.read_text("utf-8"), type=Inputs)


def write_inputs(inputs: Inputs, file: Path = FILE) -> None:
    file.write_text(HEAD + "".join(_sections(msgspec.to_builtins(inputs))), "utf-8")


def _sections(told: dict[str, dict[str, object] | list[dict[str, object]]]) -> list[str]:
    many = [(name, each) for name, each in told.items() if isinstance(each, list)]
    one = [(f"[{name}]", each) for name, each in told.items() if isinstance(each, dict)]
    one += [(f"[[{name}]]", each) for name, items in many for each in items]
    return [f"\n{head}\n{_lines(fields)}" for head, fields in one]


def _lines(fields: dict[str, object]) -> str:
    """What was not measured has no line; TOML writes numbers, texts and lists as JSON does."""
    kept = {name: _rounded(value) for name, value in fields.items() if value is not None}
    return "".join(
        f"{name} = {msgspec.json.encode(value).decode()}\n" for name, value in kept.items()
    )


def _rounded(value: object) -> object:
    """Four digits: nobody measures more."""
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value
