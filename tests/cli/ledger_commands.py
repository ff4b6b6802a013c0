"""The commands that read a ledger, run in this process, and a copy of a ledger that is altered."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from croupier.cli import main
from tests.audit.nights import the_night

WIDE = 120


class Ran(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document that was printed."""
        return json.loads(self.out)


def run(*arguments: object, columns: int = WIDE) -> Ran:
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _wide(columns):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as left:
            status = int(left.code or 0)
        out.flush()
    written = out.buffer.getvalue()
    return Ran(status, written.decode(), err.getvalue())


def sentence(ran: Ran) -> str:
    """What a command that failed says: one sentence on standard error, and nothing else."""
    assert (ran.status, ran.out) == (2, ""), ran
    line, rest = ran.err.split("\n", 1)
    assert (line.startswith("croupier: "), rest) == (True, "")
    return line.removeprefix("croupier: ")


def altered(folder: Path, statement: str) -> Path:
    """A copy of the night after an intruder who knows how to get past the triggers."""
    file = Path(shutil.copyfile(the_night().file, folder / "altered.db"))
    alter(file, statement)
    return file


def alter(file: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(file)) as raw, raw:
        triggers = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        stopped = triggers.fetchall()
        for name, _ in stopped:
            raw.execute(f"DROP TRIGGER {name}")
        assert raw.execute(statement).rowcount > 0
        for _, sql in stopped:
            raw.execute(sql)


@contextlib.contextmanager
def _wide(columns: int) -> Iterator[None]:
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(columns)
    try:
        yield
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
