"""Trials in forked children, two or more at a time, each from a parent that is warm.

The parent loads every library that the tests need and not one module of the package or the tests;
so a child starts in a moment, and loads the mutated package as if it were the only one.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

from tests.mutants.imports import compile_ahead
from tests.mutants.mutant import PACKAGE, ROOT, Mutant
from tests.mutants.tree import plant
from tests.mutants.trial import OPTIONS, Verdict, tried

LONGEST_S = 240
COMPILED = ROOT / "build" / "mutants" / "compiled"
OURS = ("croupier", "tests", "__main__", "conftest")
T = TypeVar("T")


def warm_up(files: Iterable[str], folder: Path) -> None:
    """Load what a child loads when it collects these files, and compile our own modules.

    The child also leaves compiled tests behind, which the children after it then only read.
    """
    sys.pycache_prefix = str(COMPILED)
    told = folder / "modules.json"
    child = _forked(lambda: msgspec.json.encode(_loaded_by(files)), told)
    os.waitpid(child, 0)
    loaded = msgspec.json.decode(told.read_bytes(), type=list[str])
    for name in loaded:
        if name.partition(".")[0] not in OURS:
            with suppress(Exception):  # what cannot be loaded alone is left to the children
                importlib.import_module(name)
    compile_ahead(name for name in loaded if name.partition(".")[0] == PACKAGE.name)
    gc.freeze()  # or each child would go through all of this again


def _loaded_by(files: Iterable[str]) -> list[str]:
    sys.dont_write_bytecode = False
    sys.path.insert(0, str(PACKAGE.parent))
    pytest.main([*OPTIONS, "--collect-only", *(str(ROOT / file) for file in files)])
    return list(sys.modules)


def verdicts(
    mutants: Iterable[Mutant],
    cited: Callable[[str], tuple[str, ...]],
    breadth: dict[str, int],
    folder: Path,
    jobs: int,
) -> Iterator[tuple[Mutant, Verdict]]:
    """What each mutant came to, as they come in."""
    waiting, running = list(reversed(list(mutants))), dict[int, tuple[Mutant, Path, float]]()
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                mutant = waiting.pop()
                at = folder / mutant.digest[:16]
                child = _started(mutant, at, {c: cited(c) for c in mutant.clauses}, breadth)
                running[child] = (mutant, at, time.monotonic())
            for child in _ended(running):
                mutant, at, _ = running.pop(child)
                yield mutant, _read(at, mutant)
    finally:
        for child in running:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _started(
    mutant: Mutant, at: Path, cited: dict[str, tuple[str, ...]], breadth: dict[str, int]
) -> int:
    def work() -> bytes:
        plant(mutant, at)
        return msgspec.json.encode(tried(at, mutant.place, cited, breadth))

    at.mkdir(parents=True, exist_ok=True)
    return _forked(work, at.with_suffix(".json"))


def _forked(work: Callable[[], bytes], answer: Path) -> int:
    """A child that writes its answer into a file; what it prints goes into another beside it."""
    answer.parent.mkdir(parents=True, exist_ok=True)
    child = os.fork()
    if child:
        return child
    status = 1
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        log = os.open(answer.with_suffix(".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        answer.write_bytes(work())
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _ended(running: dict[int, tuple[Mutant, Path, float]]) -> list[int]:
    """Wait until some child ends; one that takes too long is ended."""
    while True:
        ended = [child for child in running if os.waitpid(child, os.WNOHANG)[0]]
        if ended:
            return ended
        for child, (_, _, since) in running.items():
            if time.monotonic() - since > LONGEST_S:
                os.kill(child, signal.SIGKILL)
        time.sleep(0.01)


def _read(at: Path, mutant: Mutant) -> Verdict:
    answer = at.with_suffix(".json")
    if answer.is_file():
        return msgspec.json.decode(answer.read_bytes(), type=Verdict)
    log = at.with_suffix(".log")
    said = log.read_text("utf-8", errors="replace").strip().splitlines() if log.is_file() else []
    why = said[-1] if said else f"no answer within {LONGEST_S} seconds"
    return Verdict(alive=mutant.clauses, trouble=why)
