"""Traceability: for every clause of every rulebook, how it is treated, where, and proved by what.

One TOML a book in ``trace/``, one table a clause (a small book may carry its own). People write
``status``, ``means``, ``acts``, ``code`` and ``awaits``; the list of ``tests`` is generated from
the markers that tests carry (``make trace``). What is ``enforced`` is proved by breaking it
(``make mutants``).
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

import msgspec

ClauseStatus = Literal[
    "enforced", "attested", "implied", "drawn", "posted", "definition", "heading", "physical"
]
STATUSES: tuple[str, ...] = get_args(ClauseStatus)
COMING = ("the table", "the ledger", "the documents", "the pit", "the browser")


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How one clause is treated. ``awaits`` names the part of the product that will bring it.

    What is attested, a named person says in ``acts`` of its own: a command by its stored name, or a
    field or value of one (``cover-device.how=signed``). What is implied nobody says; it follows
    from these ``acts``.
    """

    status: ClauseStatus
    means: str
    awaits: str = ""
    reason: str = ""
    acts: tuple[str, ...] = ()
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
    return "".join(f"{name} = {_text(value)}\n" for name, value in fields.items())


def _text(value: str | tuple[str, ...]) -> str:
    return json.dumps(value, ensure_ascii=False)
