"""Charts drawn in a process of their own, which can be ended in the middle of one.

The renderer keeps the interpreter to itself from the beginning of a chart to its end, seconds the
first time: in our own process nobody could stop it, and no progress would be told.
"""

from __future__ import annotations

import signal
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any

from croupier.facts.errors import Unavailable


class Artist:
    """The process, started for the first chart; it ends with the one that started it."""

    def __init__(self) -> None:
        self._line: Connection | None = None
        self._one_at_a_time = Lock()

    def drawn(self, chart: dict[str, Any]) -> str:
        """The SVG of a Vega-Lite chart."""
        with self._one_at_a_time:
            line = self._line = self._line or self._started()
            try:
                line.send(chart)
                svg = line.recv()
            except (EOFError, OSError):
                self._line = None
                raise Unavailable("the chart cannot be drawn: its process has ended") from None
        return str(svg)

    def _started(self) -> Connection:
        spawn = get_context("spawn")
        ours, theirs = spawn.Pipe()
        spawn.Process(target=_draw, args=(theirs,), daemon=True).start()
        theirs.close()
        return ours


def _draw(line: Connection) -> None:
    """A Ctrl-C is for who asked for the chart."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import vl_convert  # here, so that nobody else loads it

    while True:
        try:
            line.send(vl_convert.vegalite_to_svg(line.recv()))
        except (EOFError, OSError):
            return


ARTIST = Artist()
