"""What processes have used of the processor so far: on a busy machine clocks tell of the others."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")
PARENT, SESSION, USED, REAPED = 1, 3, slice(11, 13), slice(13, 15)
"""Where they stand in a process's line after its name; of children only those that ended."""


def cpu_s(work: Callable[[], object]) -> float:
    """What some work takes of this process, all threads."""
    began_s = time.process_time()
    work()
    return time.process_time() - began_s


class Ran(NamedTuple):
    """What a whole process took: by the clock, of the processor, and the most memory."""

    clock_s: float
    processor_s: float
    mb: float


def ran(*words: str) -> Ran:
    """A program from its first step to its last, its bytecode kept as where it is installed."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    quiet = subprocess.DEVNULL
    began_s = time.monotonic()
    running = subprocess.Popen(words, env=kept, stdout=quiet, stderr=quiet)
    _, status, used = os.wait4(running.pid, 0)
    clock_s = time.monotonic() - began_s
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, words)
    return Ran(clock_s, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def croupier_ran(*words: str) -> Ran:
    return ran(sys.executable, "-m", "croupier", *words)


def used_s(pid: int) -> float:
    """A process and its threads; nothing where it is gone."""
    return _seconds(_fields(pid)[USED])


def family_s(pid: int) -> float:
    """A process and its children, those that ended included."""
    mine = _fields(pid)
    children = (int(each.name) for each in PROC.iterdir() if each.name.isdigit())
    theirs = (fields for child in children if (fields := _fields(child))[PARENT:2] == [str(pid)])
    return _seconds(mine[USED] + mine[REAPED]) + sum(_seconds(fields[USED]) for fields in theirs)


def members(session: int) -> list[int]:
    """The processes of a session that still run."""
    ids = (int(each.name) for each in PROC.iterdir() if each.name.isdigit())
    found = ((pid, _fields(pid)) for pid in ids)
    return [pid for pid, told in found if told[SESSION:4] == [str(session)] and told[0] != "Z"]


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
