"""A progress bar on standard error, for whatever takes more than a second."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress


class Bar:
    """How far a command is: so many steps more, or another thing begun and its share done."""

    def __call__(self, steps: int) -> None:
        return

    def doing(self, what: str, done: float) -> None:
        return

    def end(self) -> None:
        """It goes before its time, for something else is shown from now on."""


class _TerminalBar(Bar):
    def __init__(self, bar: Progress, what: str, total: int | None) -> None:
        self._bar, self._task = bar, bar.add_task(what, total=total)

    def __call__(self, steps: int) -> None:
        self._bar.advance(self._task, steps)

    def doing(self, what: str, done: float) -> None:
        self._bar.update(self._task, description=what, total=1.0, completed=done)

    def end(self) -> None:
        self._bar.stop()


@contextmanager
def counting(what: str, total: int | None = None) -> Iterator[Bar]:
    """A bar on standard error, that only moves where no total is known; without a terminal none."""
    if not sys.stderr.isatty():
        yield Bar()
        return
    # Imported here: what is piped has no bar, and does not wait for one.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield _TerminalBar(bar, what, total)
