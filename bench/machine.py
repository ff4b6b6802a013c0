"""The machine that was measured, and how busy it was."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec


class Machine(msgspec.Struct, frozen=True):
    """``load`` is how many programs wanted a core on average, before anything was measured."""

    date: str
    processor: str
    cores: int
    load: float

    @property
    def is_quiet(self) -> bool:
        return self.load < self.cores / 4

    def __str__(self) -> str:
        how = "quiet" if self.is_quiet else f"busy with other work (load {self.load:.1f})"
        how += "" if self.is_quiet else ": measure again"
        return f"Measured on {self.date}: {self.processor}, {self.cores} cores, {how}."


def this_machine() -> Machine:
    return Machine(
        date=datetime.now(UTC).date().isoformat(),
        processor=next(_models(), platform.machine()),
        cores=os.cpu_count() or 1,
        load=os.getloadavg()[1],
    )


def _models() -> Iterator[str]:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            yield line.partition(":")[2].strip()
