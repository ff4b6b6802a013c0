"""Compiled kernels are kept between runs, and never used after any kernel source has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import croupier
from croupier import disk, extras
from croupier.exact.kernels import compiled
from croupier.facts import errors, progress

CROUPIER = Path(str(croupier.__file__)).parent
CALLER = """
from typing import Any
from croupier.exact.kernels.compiled import kernel
from croupier.exact.kernels.callee import pay

@kernel
def double(stake: Any) -> Any:
    return 2 * pay(stake)
"""
CALLEE = """
from typing import Any
from croupier.exact.kernels.compiled import kernel

@kernel
def pay(stake: Any) -> Any:
    return stake + {bonus}
"""
RUN = """
from croupier.exact.kernels.caller import double
print(double(10), sum(double.dispatcher().stats.cache_hits.values()))
"""


def run(folder: Path) -> list[str]:
    """What the caller returns, and whether its machine code came from the cache."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "CROUPIER_CACHE": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", RUN], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of two kernels, one of which calls the other, with our way to compile them."""
    kernels = tmp_path / "croupier" / "exact" / "kernels"
    kernels.mkdir(parents=True)
    for package in (kernels, *kernels.parents[:2]):
        (package / "__init__.py").touch()
    shutil.copy(compiled.__file__, kernels)
    for module in (disk, errors, extras, progress):
        copy = tmp_path / "croupier" / Path(str(module.__file__)).relative_to(CROUPIER)
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(str(module.__file__), copy)
    (kernels / "caller.py").write_text(CALLER, encoding="utf-8")
    (kernels / "callee.py").write_text(CALLEE.format(bonus=1), encoding="utf-8")
    return tmp_path


def test_a_changed_callee_gives_new_values(project: Path) -> None:
    """Numba's own cache looks at the caller's file only, and would bring back 22."""
    assert run(project) == ["22", "0"]
    assert run(project) == ["22", "1"]
    callee = project / "croupier" / "exact" / "kernels" / "callee.py"
    callee.write_text(CALLEE.format(bonus=5), encoding="utf-8")
    assert run(project) == ["30", "0"]


def test_of_two_processes_one_compiles(project: Path) -> None:
    """The second waits for the first, which holds the lock of the kernel, and takes its code."""
    with ThreadPoolExecutor(2) as processes:
        told = sorted(processes.map(run, [project, project]))
    assert told == [["22", "0"], ["22", "1"]]


def test_the_fingerprint_reads_every_source(project: Path) -> None:
    kernels = project / "croupier" / "exact" / "kernels"
    before = compiled.fingerprint(kernels)
    assert compiled.fingerprint(kernels) == before
    (kernels / "another.py").touch()
    assert compiled.fingerprint(kernels) != before


def test_the_cache_can_be_placed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    assert disk.cache_home() == tmp_path
    monkeypatch.delenv("CROUPIER_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert disk.cache_home() == tmp_path / "croupier"


def test_a_place_that_cannot_be_written_does_not_stop_us(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "file"))
    folder = compiled.folder_of.__wrapped__("kernels", compiled.HERE)
    assert folder.is_dir()
    folder.rmdir()


def test_chunks_cover_everything_once() -> None:
    tallies: list[list[int]] = [[], [], []]
    told: list[float] = []

    def work(tally: list[int], start: int, stop: int) -> None:
        tally.extend(range(start, stop))

    compiled.in_chunks(work, tallies, 1000, 7, told.append)
    assert sorted(number for tally in tallies for number in tally) == list(range(1000))
    assert told == sorted(told)
    assert told[-1] == 1


def test_an_error_in_a_thread_is_raised() -> None:
    def work(tally: None, start: int, stop: int) -> None:
        raise ArithmeticError

    with pytest.raises(ArithmeticError):
        compiled.in_chunks(work, [None, None], 10, 1, lambda done: None)
