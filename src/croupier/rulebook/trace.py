"""Traceability: for every clause of every rulebook, how it is treated, where, and proved by what.

One TOML a book in ``trace/``, one table a clause (a small book may carry its own). People write
``status``, ``means``, ``code`` and ``awaits``; the list of ``tests`` is generated from the markers
that tests carry (``make trace``).
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

import msgspec

Status = Literal["enforced", "attested", "drawn", "posted", "definition", "heading", "physical"]
STATUSES: tuple[str, ...] = get_args(Status)
COMING = ("the table", "the ledger", "the documents", "the pit", "the browser")


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How one clause is treated. ``awaits`` names the part of the product that will bring it."""

    status: Status
    means: str
    awaits: str = ""
    reason: str = ""
    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


def read_trace(text: str) -> dict[str, Row]:
    return msgspec.convert(tomllib.loads(text), dict[str, Row])


def write_trace(rows: Mapping[str, Row]) -> str:
    """The rows as TOML, in the order they are given; what :func:`read_trace` reads back."""
    return "\n".join(f'["{clause}"]\n{_written(row)}' for clause, row in rows.items())


def totals(rows: Iterable[Row]) -> dict[str, int]:
    """How many clauses are treated in each way, every way named."""
    counted = Counter(row.status for row in rows)
    return {status: counted[status] for status in STATUSES}  # type: ignore[index]


def _written(row: Row) -> str:
    fields: dict[str, Any] = msgspec.to_builtins(row)
    lines = []
    for name, value in fields.items():
        if isinstance(value, list) and len(value) > 1:
            items = "".join(f"  {_text(item)},\n" for item in value)
            lines.append(f"{name} = [\n{items}]\n")
        elif isinstance(value, list):
            lines.append(f"{name} = [{_text(value[0])}]\n")
        else:
            lines.append(f"{name} = {_text(value)}\n")
    return "".join(lines)


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
