"""A simulation as a table for spreadsheets, and the file it is written to."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.disk import whole_file
from croupier.facts.errors import Unreadable, quoted
from croupier.simulate.figures import BoxFigures, WagerFigure
from croupier.simulate.sessions import BANDS, WHOLE, Band, HouseDays, Sessions, band
from croupier.simulate.simulation import Simulation

COLUMNS = (
    *("part", "name", "box", "strategy", "paytable", "note", "stake_cents", "unit", "count"),
    *("mean", "standard_error", "exact", "z", "hit_frequency", "exact_hit_frequency"),
    *(f"{percent}%" for percent in BANDS),
    *("least", "most"),
)
LONG = 200  # letters of a path that are shown
Row = dict[str, object]


def to_csv(found: Simulation) -> str:
    """One line a wager and one a band; the first column tells what a line is about."""
    out = io.StringIO()
    lines = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    lines.writeheader()
    lines.writerows(_rows(found))
    return out.getvalue()


def _rows(found: Simulation) -> Iterator[Row]:
    for box in found.boxes:
        for figure in box.figures:
            yield _wager(box, figure)
    if found.sessions is not None:
        yield from _sessions(found.sessions)
    if found.house is not None:
        yield from _house(found.house)
    for story in found.meters:
        yield from _band("jackpot", story.meter.name, "cents", band(story.jackpots_cents))
        yield from _band("rounds between", story.meter.name, "rounds", band(story.rounds_between))


def _wager(box: BoxFigures, figure: WagerFigure) -> Row:
    numbers = {
        "exact": figure.exact,
        "z": figure.z,
        "hit_frequency": figure.hit_frequency,
        "exact_hit_frequency": figure.exact_hit_frequency,
    }
    return {
        "part": "wager",
        "name": figure.wager,
        "box": box.box,
        "strategy": box.strategy,
        "paytable": figure.paytable,
        "note": figure.note,
        "stake_cents": figure.stake_cents,
        "unit": "stakes",
        "count": figure.rounds,
        "mean": float(figure.mean),
        "standard_error": figure.standard_error,
        **{name: float(number) for name, number in numbers.items() if number is not None},
    }


def _sessions(sessions: Sessions) -> Iterator[Row]:
    for box in sessions.boxes:
        for name, unit, found in (
            ("result", "cents", box.result_cents),
            ("longest drought", "rounds", box.drought),
            ("ruined after", "rounds", box.ruined_at),
        ):
            yield from _band("session", name, unit, found, box=box.box)
        if box.ruined is not None:
            risk = box.ruined / sessions.count
            yield {"part": "session", "name": "risk of ruin", "box": box.box, "unit": "share",
                   "count": sessions.count, "mean": risk}  # fmt: skip


def _house(house: HouseDays) -> Iterator[Row]:
    for part, unit, bands in (
        ("win", "cents", house.win_cents),
        ("hold on handle", "share", house.hold),
        ("hold on drop", "share", house.drop_hold),
    ):
        for name, found in bands:
            yield from _band(part, name, unit, found)


def _band(part: str, name: str, unit: str, found: Band | None, **more: object) -> Iterator[Row]:
    if found is None:
        return
    parts = WHOLE if unit == "share" else 1
    values = {f"{percent}%": value for percent, value in found.at_most}
    values |= {"least": found.least, "most": found.most}
    told = {name: value / parts if parts > 1 else value for name, value in values.items()}
    yield {"part": part, "name": name, "unit": unit, "count": found.count,
           "mean": found.mean / parts, **told, **more}  # fmt: skip


def refuse_unwritable(path: Path) -> None:
    """See that a file can be written before anything is computed for it; what is there stays."""
    there = os.path.lexists(path)
    if there and path.exists() and not path.is_file() and not path.is_dir():
        return  # a pipe or a device, which only those who read it can try
    with _told(path):
        with path.open("ab"):
            pass
        if not there:
            path.unlink()


def write_file(path: Path, text: str) -> None:
    with _told(path), whole_file(path) as file:
        file.write(text.encode())


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """What a file can be wrong with becomes one sentence."""
    try:
        yield
    except IsADirectoryError:
        raise Unreadable(f"{quoted(path, LONG)} is a folder; name a file in it") from None
    except FileNotFoundError:
        folder = quoted(path.parent, LONG)
        raise Unreadable(f"{quoted(path, LONG)} cannot be written: no folder {folder}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no such name"
        raise Unreadable(f"{quoted(path, LONG)} cannot be written: {reason}") from None
