"""Reports of the books: a heading, sheets of typed cells, and the sums that have to agree.

A sheet knows what its columns hold, so that a screen, a spreadsheet and a program are each given
the same figures in their own way.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

import msgspec

from croupier.facts.errors import Unreadable
from croupier.facts.money import MICROS_A_CENT, dollars

ColumnKind = Literal["text", "count", "cents", "micros", "share", "time"]
SheetCell = str | int | Fraction | None
NO_ACTIVITY = "No activity"
MICROS_A_SECOND = 1_000_000
# What a spreadsheet would take for a formula when it stands first in a cell.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Column(msgspec.Struct, frozen=True):
    """``key`` names it for programs, without its unit; ``title`` for people."""

    key: str
    title: str
    kind: ColumnKind = "text"

    @property
    def name(self) -> str:
        """The key with its unit; text and counts have none."""
        unit = {"cents": "_cents", "micros": "_micros"}.get(self.kind, "")
        return f"{self.key}{unit}"

    @property
    def is_text(self) -> bool:
        return self.kind in ("text", "time")


class Sheet(msgspec.Struct, frozen=True):
    """Rows under columns; ``total`` says that the last row sums the others."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[SheetCell, ...], ...]
    total: bool = False


class SumCheck(msgspec.Struct, frozen=True):
    """Two ways to the same sum: from the entries, and from what happened."""

    what: str
    left_micros: int
    right_micros: int

    @property
    def holds(self) -> bool:
        return self.left_micros == self.right_micros


class StreamRead(msgspec.Struct, frozen=True):
    """Up to which line the report has read a stream."""

    stream: str
    version: int
    hash: str


class ReportHeading(msgspec.Struct, frozen=True):
    """What a report is of: whose table, over which interval, from which ledger, made when."""

    title: str
    operator: str
    facility: str
    ledger: str
    heads: tuple[StreamRead, ...]
    generated_us: int
    from_us: int | None = None
    until_us: int | None = None
    table: str = ""
    link: str = ""
    rulebook: str = ""
    version: str = ""
    practice: bool = False


class Report(msgspec.Struct, frozen=True):
    name: str
    heading: ReportHeading
    sheets: tuple[Sheet, ...]
    checks: tuple[SumCheck, ...] = ()
    notes: tuple[str, ...] = ()
    active: bool = True

    @property
    def holds(self) -> bool:
        return all(check.holds for check in self.checks)


def document(report: Report) -> dict[str, Any]:
    """The report as ``croupier books --json`` prints it: money in whole units, times in ISO."""
    head = report.heading
    said: dict[str, Any] = msgspec.to_builtins(head)
    said["heads"] = list(said["heads"])
    for name in ("from", "until", "generated"):
        at_us = said.pop(f"{name}_us")
        said[name] = iso(at_us) if at_us is not None else None
    return {
        "report": report.name,
        **said,
        "activity": report.active,
        "sheets": [
            {"title": sheet.title, "rows": [_row(sheet.columns, row) for row in sheet.rows]}
            for sheet in report.sheets
        ],
        "checks": [{**msgspec.to_builtins(check), "holds": check.holds} for check in report.checks],
        "holds": report.holds,
        "notes": list(report.notes),
    }


def _row(columns: Sequence[Column], row: Sequence[SheetCell]) -> Mapping[str, Any]:
    said: dict[str, Any] = {}
    for column, value in zip(columns, row, strict=True):
        if column.kind == "share":
            said[column.name] = float(value) if isinstance(value, Fraction) else None
            said[f"{column.name}_exact"] = str(value) if value is not None else None
        elif column.kind == "time":
            said[column.name] = iso(value) if isinstance(value, int) else None
        else:
            said[column.name] = value
    return said


def shown(value: SheetCell, kind: ColumnKind) -> str:
    """A cell for people."""
    if value is None:
        return ""
    if kind == "cents" and isinstance(value, int):
        return dollars(value)
    if kind == "micros" and isinstance(value, int):
        return finely(value)
    if isinstance(value, Fraction):
        return f"{_rounded(100 * value, 2)}%"
    if kind == "time" and isinstance(value, int):
        return iso(value)
    return f"{value:,}" if kind == "count" else _printable(str(value))


def _printable(text: str) -> str:
    """What a terminal would take for an order is written out."""
    return text if text.isprintable() else text.encode("unicode_escape").decode()


def plain(value: SheetCell, kind: ColumnKind) -> str:
    """A cell for a spreadsheet: amounts without signs of currency, text that is no formula."""
    if value is None:
        return ""
    if kind in ("cents", "micros") and isinstance(value, int):
        return shown(value, kind).replace("$", "").replace(",", "")
    if kind == "count":
        return str(value)
    if isinstance(value, Fraction):
        return _rounded(value, 8)
    text = shown(value, kind)
    return f"'{text}" if text.startswith(FORMULA) else text


def _rounded(value: Fraction, digits: int) -> str:
    whole, rest = divmod(abs(round(value * 10**digits)), 10**digits)
    return f"{'-' if value < 0 else ''}{whole}.{rest:0{digits}}"


def finely(micros: int) -> str:
    """An amount to the cent, or to its last digit where it is finer."""
    whole, rest = divmod(abs(micros), MICROS_A_CENT)
    fine = f"{rest:04}".rstrip("0") if rest else ""
    return ("-" if micros < 0 else "") + dollars(whole) + fine


def iso(at_us: int) -> str:
    try:
        at = datetime.datetime.fromtimestamp(at_us // MICROS_A_SECOND, datetime.UTC)
    except (ValueError, OverflowError, OSError):
        raise Unreadable(f"{at_us} microseconds is no moment; croupier audit says more") from None
    fine = at_us % MICROS_A_SECOND
    return at.strftime("%Y-%m-%dT%H:%M:%S") + (f".{fine:06}" if fine else "") + "Z"
