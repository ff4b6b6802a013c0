"""Exact solutions as whole processes, beside one core that solves the same game in plain C.

Commands are timed once compiled, from the first import to the last line, on all cores; the C
program (``bench/prototype.c``) is what one would write first: board by board, hole by hole. It
finds the base game alone, so it is also asked whether both found the same value.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import croupier
from bench.processor import Ran, croupier_ran, ran
from bench.report import NotMeasured, Row, progress

GAMES = ("uth", "four-card", "three-card")
SOURCE = Path(__file__).with_name("prototype.c")
TURNS = 3


def rows() -> Iterator[Row]:
    compiler = shutil.which("cc")
    if compiler is None:
        raise NotMeasured("there is no C compiler (cc)")
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder, "prototype"))
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, SOURCE], check=True)
        _agree(program)
        prototypes, found = [ran(program)], dict[str, list[Ran]]()
        for game in GAMES:
            croupier_ran(*_words(game))  # compiles
            found[game] = [croupier_ran(*_words(game)) for _ in range(TURNS)]
            progress(f"  {game}: {_told(found[game])}")
        prototypes.append(ran(program))
    one_core_s = min(each.clock_s for each in prototypes)
    beside = f"time of one core for Ultimate Texas Hold'em in C ({one_core_s:.1f} s)"
    for game, turns in found.items():
        ratio = min(turn.clock_s for turn in turns) / one_core_s
        yield Row(f"croupier {' '.join(_words(game))}", _told(turns), ratio, beside)


def _words(game: str) -> tuple[str, ...]:
    return "solve", game, "--no-cache", "--json"


def _told(turns: list[Ran]) -> str:
    clock_s, processor_s = (min(each[at] for each in turns) for at in (0, 1))
    mb = max(each.mb for each in turns)
    return f"{clock_s:.2f} s ({processor_s:.2f} s of processor time), {mb:.0f} MB"


def _agree(program: str) -> None:
    """Both find what one Ante brings, to the last digit: the program in halves of an Ante."""
    told = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    halves, deals = map(int, told.split())
    value = croupier.solve(croupier.rules("UTH-S", blind="A")).base.ev
    if Fraction(halves, 2 * deals) != value:
        raise AssertionError(f"the program in C found {halves} halves in {deals} deals")
