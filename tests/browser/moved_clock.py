"""``croupier serve`` by a clock that a test moves forward: all else is as in a real pit."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from croupier.cli import main
from croupier.cli.commands import serve
from croupier.ledger.kept_table import system_clock
from croupier.server.pit.pit import Pit
from tests.server.service import Service

AHEAD = "CLOCK_AHEAD"
SECOND_US = 1_000_000


class MovedService(Service):
    program = "tests.browser.moved_clock"

    def __init__(self, folder: Path) -> None:
        self._ahead = folder / "ahead"
        self.move(0)
        super().__init__(folder, environment={AHEAD: str(self._ahead)}, decision_seconds=0)

    def move(self, seconds: int) -> None:
        """From now on it is so much later than it was at first."""
        fresh = self._ahead.with_suffix(".new")
        fresh.write_text(str(seconds))
        fresh.replace(self._ahead)


def moved_clock() -> int:
    return system_clock() + int(Path(os.environ[AHEAD]).read_text()) * SECOND_US


class MovedPit(Pit):
    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **(named | {"clock": moved_clock}))


if __name__ == "__main__":
    serve.__dict__["Pit"] = MovedPit  # the one part that differs from the pit people run
    raise SystemExit(main())
