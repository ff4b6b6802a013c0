"""What processes have used of the processor so far: on a busy machine clocks tell of the others."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

PROC = Path("/proc")
PARENT, USED, REAPED = 1, slice(11, 13), slice(13, 15)
"""Where they stand in a process's line after its name; of children only those that ended."""


def cpu_s(work: Callable[[], object]) -> float:
    """What some work takes of this process, all threads."""
    began_s = time.process_time()
    work()
    return time.process_time() - began_s


def used_s(pid: int) -> float:
    """A process and its threads; nothing where it is gone."""
    return _seconds(_fields(pid)[USED])


def family_s(pid: int) -> float:
    """A process and its children, those that ended included."""
    mine = _fields(pid)
    children = (int(each.name) for each in PROC.iterdir() if each.name.isdigit())
    theirs = (fields for child in children if (fields := _fields(child))[PARENT:2] == [str(pid)])
    return _seconds(mine[USED] + mine[REAPED]) + sum(_seconds(fields[USED]) for fields in theirs)


def resident_mib(pid: int) -> float:
    pages = int((PROC / str(pid) / "statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _seconds(ticks: list[str]) -> float:
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def _fields(pid: int) -> list[str]:
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []
