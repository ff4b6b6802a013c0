"""The command line of the simulator: one seed to look at, or new ones for hours."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from soak.hours import soak
from soak.report import replay, told
from soak.world import Report, simulate

STEPS = 5000


def main(arguments: list[str] | None = None) -> int:
    """The exit status is 1 where an invariant did not hold."""
    asked = _asked().parse_args(arguments)
    if asked.hours:
        first = asked.seed if asked.seed is not None else int(time.time())
        return soak(asked.hours, first, asked.steps, asked.report)
    failed = 0
    for seed in asked.seeds or [asked.seed if asked.seed is not None else 1]:
        report = simulate(seed, asked.steps, print if asked.trace else None)
        if asked.json:
            print(report.as_json(), flush=True)
        else:
            _print(report, asked.steps)
        failed += bool(report.failure)
    return 1 if failed else 0


def _asked() -> argparse.ArgumentParser:
    said = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    said.add_argument("--seed", type=int, help="the seed to play, or the first of a long soak")
    said.add_argument("--seeds", type=_numbers, help="several, as in 1,2,3")
    said.add_argument("--steps", type=int, default=STEPS, help="commands that people give")
    said.add_argument("--trace", action="store_true", help="tell everything that happens")
    said.add_argument("--json", action="store_true", help="one line of JSON for each seed")
    said.add_argument("--hours", type=float, default=0.0, help="new seeds for so long")
    said.add_argument("--report", type=Path, help="the page whose last chapter is the report")
    return said


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _print(report: Report, steps: int) -> None:
    print("\n".join(told(report)), file=sys.stderr)
    if report.failure:
        print(f"Seed {report.seed}, step {report.failed_at}: {report.failure}", file=sys.stderr)
        print(f"Play it again: {replay(report.seed, steps)} --trace", file=sys.stderr)
