"""Ctrl-C: how long commands take to end, from several moments of their work on.

A moment is what a command has used of the processor by then, its children with it: imports come
first, then compilers where nothing is compiled yet, kernels, pools of processes and output. Each is
on a terminal of its own, whose Ctrl-C goes to all of them.

    python -m bench.stops --only simulate,solve --moments 0,0.5,2,8
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from bench.processor import family_s, members
from bench.report import Row, as_program
from croupier.submission.check import shipped_text
from tests.cli.terminals import LONG, MORE, SOON, Terminal, with_a_night

GRACE_S = 0.5  # for what was killed to be gone
IDLE_S = 5.0  # without using the processor: it waits for a person
SHELL = [sys.executable, "-c", "import croupier.cli"]
COMMANDS = {name: words for name, (words, _) in LONG.items()} | SOON | MORE


class Stopped(NamedTuple):
    """``moment_s`` seconds of CPU had been used; ``wrong`` says what was not as it has to be."""

    moment_s: float
    took_ms: float
    wrong: str = ""


def rows(only: str = "", moments: str = "0,0.5,2", fresh: bool = False) -> Iterator[Row]:
    """``fresh``: nothing is compiled yet, so that compilers are met."""
    bare_ms = min(_bare_ms() for _ in range(3))
    for name, words in COMMANDS.items():
        if only and name.split()[0] not in only.split(","):
            continue
        found = [one for at in moments.split(",") for one in _stopped(words, float(at), fresh)]
        if not found:
            continue
        worst = max(found, key=lambda one: (one.wrong != "", one.took_ms))
        told = f"{worst.took_ms:,.0f} ms, begun at {worst.moment_s:g} s of CPU"
        if wrong := "; ".join(f"{one.wrong} at {one.moment_s:g} s" for one in found if one.wrong):
            told = f"{told}: {wrong}"
        beside = f"start and end of an interpreter that imports croupier.cli ({bare_ms:,.0f} ms)"
        yield Row(f"Ctrl-C ends {name}", told, worst.took_ms / bare_ms, beside)


def few() -> Iterator[Row]:
    """What works hardest, at one moment each: what fits beside other benchmarks."""
    yield from rows(only="solve,simulate,print,serve", moments="2")


def _stopped(words: str, moment_s: float, fresh: bool) -> Iterator[Stopped]:
    """Nothing where the command was done before."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "work"
        folder.mkdir()
        (folder / "table.toml").write_text(shipped_text("UTH-S"), "utf-8")
        asked = with_a_night(words, Path(name)).split()
        with closing(Terminal(asked, folder, Path(name) / "cache" if fresh else None)) as terminal:
            terminal.until_it_obeys()
            pid = terminal.process.pid
            used_s = _wait(terminal, moment_s)
            if terminal.process.poll() is not None:
                return
            begun = len(terminal.said)
            began_s = time.perf_counter()
            terminal.press_ctrl_c()
            terminal.ended()
            took_ms = 1000 * (time.perf_counter() - began_s)
            time.sleep(GRACE_S)
            yield Stopped(used_s, took_ms, _wrong(terminal, terminal.said[begun:], members(pid)))


def _wait(terminal: Terminal, moment_s: float) -> float:
    """Until it has used so much of the processor, or waits for somebody; how much it was."""
    used_s, since_s = 0.0, time.monotonic()
    while terminal.process.poll() is None and time.monotonic() - since_s < IDLE_S:
        terminal.listen(0.01)
        now_s = family_s(terminal.process.pid) if terminal.process.poll() is None else used_s
        if now_s >= moment_s:
            return now_s
        if now_s > used_s:
            used_s, since_s = now_s, time.monotonic()
    return used_s


def _wrong(terminal: Terminal, told: str, left: list[int]) -> str:
    if terminal.process.returncode == 0:
        return ""  # it was about to answer, and the time that it still took counts
    if terminal.process.returncode != 130:
        return f"status {terminal.process.returncode}"
    if "Traceback" in told or told.count("croupier: stopped") != 1:
        return f"it says {told[-200:]!r}"
    return f"{len(left)} processes are left" if left else ""


def _bare_ms() -> float:
    began_s = time.perf_counter()
    subprocess.run(SHELL, check=True)
    return 1000 * (time.perf_counter() - began_s)


if __name__ == "__main__":
    as_program(rows)
